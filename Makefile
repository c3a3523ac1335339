# Every target works by itself on a fresh clone: the environment is made on demand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
INTEROP := .venv-interop
INTEROP_STAMP := $(INTEROP)/.installed
MATRIX := .venv-matrix
# The ends of the ranges in pyproject.toml; PettingZoo and Gymnasium, each end together.
OLDEST := pettingzoo==1.25.0 gymnasium==1.0.0
NEWEST := pettingzoo gymnasium
# What has to do with them, without torch.
MATRIX_TESTS := $(addprefix tests/,testing observation/test_history.py \
	$(addprefix envs/,test_citizenship.py test_compliance.py test_single.py test_vector.py \
	test_illegal_actions.py test_saved_states.py rummy/test_vector.py))
# -qq hides progress and warnings; errors are still printed.
PIP_INSTALL := -m pip --disable-pip-version-check install -qq
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup quickstart test test-long test-browser test-interop test-matrix \
	lint format bench bench-interop clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(STAMP) ## create .venv with everything that the other targets need
	@echo "$(VENV) is ready: . $(BIN)/activate puts rummi on the path."

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Installing into $(VENV): about 2 GB, a minute or two."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@# torch comes first and by itself, so that its pin decides which build is taken
	@# before a range in another package can ask for a different one.
	@$(BIN)/python $(PIP_INSTALL) -c constraints.txt torch hatchling
	@$(BIN)/python $(PIP_INSTALL) -c constraints.txt --no-build-isolation \
		-e '.[train,render,play,test,dev]'
	@touch $@

quickstart: $(STAMP) ## train a small agent, evaluate it, say where the report is
	@$(BIN)/rummi quickstart --out runs/quickstart

test: $(STAMP) ## run the default test suite
	@$(PYTEST) -n 2

test-long: $(STAMP) ## run the slow tests
	@$(PYTEST) -n 2 -m slow

test-browser: $(STAMP) ## run the tests of the page in Debian's chromium
	@$(PYTEST) -m browser

# Not constrained by constraints.txt: pyproject.toml says why.
$(INTEROP_STAMP): pyproject.toml constraints.txt
	@echo "Installing into $(INTEROP): about 3 GB, a few minutes."
	@# Anew: installing over the last one would mix what two sets of pins ask for.
	@$(PYTHON) -m venv --clear $(INTEROP)
	@$(INTEROP)/bin/python $(PIP_INSTALL) -c constraints.txt torch hatchling
	@$(INTEROP)/bin/python $(PIP_INSTALL) --no-build-isolation \
		"$$(grep '^torch==' constraints.txt)" -e '.[train,render,play,test,interop]'
	@touch $@

test-interop: $(INTEROP_STAMP) ## run the tests with RLlib, TorchRL, Tianshou, OpenSpiel, moviepy
	@$(INTEROP)/bin/python -m pytest -m interop

test-matrix: $(MATRIX)/oldest/.installed $(MATRIX)/newest/.installed ## test with the oldest and the newest PettingZoo and Gymnasium
	@for end in oldest newest; do \
		$(MATRIX)/$$end/bin/python -c 'import gymnasium, pettingzoo; print(f"PettingZoo {pettingzoo.__version__}, Gymnasium {gymnasium.__version__}")' \
		&& $(MATRIX)/$$end/bin/python -m pytest -q -n 2 $(MATRIX_TESTS) || exit 1; \
	done

$(MATRIX)/oldest/.installed: VERSIONS := $(OLDEST)
$(MATRIX)/newest/.installed: VERSIONS := $(NEWEST)
$(MATRIX)/%/.installed: pyproject.toml constraints.txt
	@echo "Installing into $(@D): about 500 MB, half a minute."
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@grep -vE '^(gymnasium|pettingzoo)==' constraints.txt > $(@D)/constraints.txt
	@$(@D)/bin/python $(PIP_INSTALL) -c $(@D)/constraints.txt hatchling
	@$(@D)/bin/python $(PIP_INSTALL) -c $(@D)/constraints.txt --no-build-isolation \
		--upgrade $(VERSIONS) -e '.[render]' pytest pytest-xdist pytest-benchmark hypothesis packaging
	@touch $@

lint: $(STAMP) ## check format, style, types and layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(STAMP) ## format the code and sort the imports
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(STAMP) ## measure speed, beside installed peers
	@$(BIN)/rummi bench

bench-interop: $(INTEROP_STAMP) ## measure the frameworks beside the plain batch
	@$(INTEROP)/bin/rummi bench --roads

clean: ## remove environments, caches and build outputs; runs/ stays
	@rm -rf $(VENV) $(INTEROP) $(MATRIX) build dist htmlcov .coverage .hypothesis .benchmarks \
		.mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	@find rummi_env agents training tests -name __pycache__ -type d -prune \
		-exec rm -rf {} +
