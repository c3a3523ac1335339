# Every target works by itself on a fresh clone: the environment is made on demand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
INTEROP := .venv-interop
INTEROP_STAMP := $(INTEROP)/.installed
# -qq hides progress and warnings; errors are still printed.
PIP_INSTALL := -m pip --disable-pip-version-check install -qq
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup quickstart test test-long test-browser test-interop lint format bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(STAMP) ## create .venv with everything that the other targets need

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
	@test -x $(INTEROP)/bin/python || $(PYTHON) -m venv $(INTEROP)
	@$(INTEROP)/bin/python $(PIP_INSTALL) -c constraints.txt torch hatchling
	@$(INTEROP)/bin/python $(PIP_INSTALL) --no-build-isolation \
		"$$(grep '^torch==' constraints.txt)" -e '.[train,render,play,test,interop]'
	@touch $@

test-interop: $(INTEROP_STAMP) ## run the tests with RLlib, TorchRL, Tianshou, moviepy
	@$(INTEROP)/bin/python -m pytest -m interop

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

clean: ## remove environments, caches and build outputs; runs/ stays
	@rm -rf $(VENV) $(INTEROP) build dist htmlcov .coverage .hypothesis .benchmarks \
		.mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	@find rummi_env agents training tests -name __pycache__ -type d -prune \
		-exec rm -rf {} +
