"""The decorator of every compiled function, and where compiled code is kept.

Numba keeps compiled functions by the time stamp of the file that defines them, which
misses a change in a function that they call from another file. So the cache folder of
a function is named after a hash of its module and of all modules of this package that
it imports, directly or not: a change in any of them compiles anew.

The folder lies in ``$RUMMI_CACHE_DIR`` if set, else ``$NUMBA_CACHE_DIR``, else
``~/.cache/rummi-env``, else one in the system's folder for temporary files; it need not
be beside the package, so a read-only ``site-packages`` works.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
from numba import config, njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.extending import lower_cast

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT.name
IMPORTED = re.compile(rf"^ *(?:from|import) {PACKAGE}([\w.]*)", re.MULTILINE)


@cache
def _read(module: str) -> tuple[bytes, frozenset[str]]:
    """Returns the source of a module of this package and the modules it imports.

    Modules are named without the package: ``.solver.graph``.
    """
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    source = path.read_bytes()
    return source, frozenset(IMPORTED.findall(source.decode()))


@cache
def _key(module: str) -> str:
    """Returns a hash of a module and of all that it builds on."""
    reached = {module}
    waiting = [module]
    while waiting:
        found = _read(waiting.pop())[1] - reached
        reached |= found
        waiting += found
    digest = hashlib.sha256(numba.__version__.encode())
    for name in sorted(reached):
        digest.update(name.encode() + b"\0" + _read(name)[0])
    return digest.hexdigest()[:16]


@cache
def _cache_folder(module: str) -> Path:
    named = os.environ.get("RUMMI_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    candidates = [Path(named)] if named else []
    candidates += [
        Path.home() / ".cache" / "rummi-env",
        Path(tempfile.gettempdir()) / f"rummi-env-{os.getuid()}",
    ]
    name = _key(module)
    for base in candidates:
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return candidates[-1] / name


# Numba's settings are attributes that it makes at import, unknown to type checkers.
settings: Any = config


class _NoMachineCode:
    """Stands for numba's code generator where there is no machine code."""

    def set_env(self, name: str, environment: object) -> None:
        """Has no place for the function's Python objects; kernels use none."""


class _PartLibrary(JITCodeLibrary):
    """Code of a function that only compiled functions call.

    Numba optimises every function together with all that it calls and makes machine
    code of it, so what lies deep below is compiled once for each level above. A part is
    left as it is lowered; the entries above it do all that.
    """

    @property
    def codegen(self) -> _NoMachineCode:
        """What numba registers the function with."""
        return _NoMachineCode()

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Tells numba that there is no machine code."""
        return 0


class _PartCompiler(Compiler):
    """Numba's compiler with a `_PartLibrary`."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compiles a function."""
        self.state.library = _PartLibrary(
            self.state.targetctx.codegen(), func.__qualname__
        )
        return super().compile_extra(func)


class _Kernel(CPUDispatcher):
    """Numba's dispatcher, with few types of arguments.

    A constant, a number and a narrow number would each have code of their own, and so
    would an array and a field of a record that is one.
    """

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Refuses to be called by Python.

        Raises:
            TypeError: always.
        """
        raise TypeError(
            f"{self.py_func.__name__} is called by compiled code only; see `entry`"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Stands in keys of cached code for what the kernel is, in every process."""
        function = self.py_func
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        return str, (f"{function.__module__}.{function.__qualname__}",), cells

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Answers what is called with these types."""
        return super().get_call_template([_widened(a) for a in args], kws)


def _widened(argument: Any) -> Any:
    """Returns the type that stands for all that can be used alike."""
    plain: Any = types.unliteral(argument)
    if isinstance(plain, types.NestedArray):
        return types.Array(plain.dtype, plain.ndim, "C")
    if plain in (types.int8, types.int16, types.int32):
        return types.int64
    return plain


@lower_cast(types.NestedArray, types.Array)  # type: ignore[untyped-decorator]
def _field_as_array(
    context: Any, builder: Any, from_type: Any, to_type: Any, value: Any
) -> Any:
    """Uses a field of a record as the array that it is: both are the same in memory."""
    return value


def kernel(function: Callable[..., Any]) -> Any:
    """Compiles a function that only compiled functions call.

    Python must not call it: see `entry`.
    """
    options = {
        "nopython": True,
        "nogil": True,
        "error_model": "numpy",
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "boundscheck": None,
    }
    return _Kernel(function, {}, options, pipeline_class=_PartCompiler)


def entry(
    function: Callable[..., Any] | None = None, *, module: str | None = None
) -> Any:
    """Compiles a function that Python calls, without the GIL, and keeps the code.

    Each entry holds code of its own for all that it calls, so they should be few.

    Args:
        function: what to compile.
        module: name of the module that imports all that it calls; by default its own.
    """
    if function is None:
        return partial(entry, module=module)
    before = settings.CACHE_DIR
    name = (module or function.__module__).removeprefix(PACKAGE)
    settings.CACHE_DIR = str(_cache_folder(name))
    try:
        compiled = njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        settings.CACHE_DIR = before
    return compiled
