"""A strict stand-in for CuPy that computes with NumPy: it raises where CuPy would, and counts.

Arrays are of the device or of the host. Operations on both at once raise; results without axes
stay arrays, elements are views, and each value that goes to the host is counted.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.emit.modules.cupy_names import METHODS, has

# what CuPy lacks and no text of arrays names
OF_THE_HOST = frozenset(
    "busday_count busday_offset datetime_as_string datetime_data errstate get_include getbufsize "
    "geterr geterrcall info is_busday setbufsize seterrcall show_runtime test nested_iters".split()
)
transfers: list[str] = []


class Array(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of the device."""

    __module__ = "cupy"

    def __init__(self, held: np.ndarray):
        assert isinstance(held, np.ndarray)
        self._held = held

    shape = property(lambda self: self._held.shape)
    ndim = property(lambda self: self._held.ndim)
    size = property(lambda self: self._held.size)
    dtype = property(lambda self: self._held.dtype)
    flags = property(lambda self: self._held.flags)
    T = property(lambda self: Array(self._held.T))
    real = property(lambda self: Array(self._held.real))
    imag = property(lambda self: Array(self._held.imag))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _called(getattr(ufunc, method), inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if not has(function.__module__.replace("numpy._core", "numpy"), function.__name__):
            raise TypeError(f"no {function.__name__} on the device")
        return _called(function, args, options)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("no implicit conversion to a NumPy array")

    def __getitem__(self, key: Any) -> Array:
        return Array(self._held[_with_rest(_host(key))])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._held[_host(key)] = _host(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in METHODS or not hasattr(np.ndarray, name):
            raise AttributeError(name)
        if not callable(getattr(np.ndarray, name)):
            raise AttributeError(name)
        return lambda *args, **options: _called(getattr(self._held, name), args, options)

    def __iter__(self) -> Iterator[Array]:
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return len(self._held)

    def __float__(self) -> float:
        transfers.append("float")
        return float(self._held)

    def __int__(self) -> int:
        transfers.append("int")
        return int(self._held)

    __index__ = __int__

    def __bool__(self) -> bool:
        transfers.append("bool")
        return bool(self._held)

    def __deepcopy__(self, memo: Any) -> Array:
        return Array(self._held.copy())

    def item(self) -> Any:
        """Return the one element, on the host."""
        transfers.append("item")
        return self._held.item()

    def get(self) -> np.ndarray:
        """Return the array on the host."""
        return self._held.copy()


def _in_place(name: str) -> Callable[[Array, Any], Array]:
    write = getattr(operator, name)

    def method(self: Array, other: Any) -> Array:
        view = self._held[...]
        write(view, _host(other))
        return self

    return method


for _name in "iadd isub imul itruediv ipow ifloordiv imod iand ior ixor".split():
    setattr(Array, f"__{_name}__", _in_place(_name))


def _with_rest(key: Any) -> Any:
    """Return a key that gives a view, or an array, where NumPy's would give a number."""
    parts = key if isinstance(key, tuple) else (key,)
    return key if any(part is Ellipsis for part in parts) else (*parts, Ellipsis)


def _host(value: Any) -> Any:
    """Return what NumPy computes with; raise on arrays of the host."""
    if isinstance(value, Array):
        return value._held
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if type(value) in (list, tuple):
        return type(value)(map(_host, value))
    return value


def _device(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return Array(np.asarray(value))
    if isinstance(value, tuple):
        return tuple(map(_device, value))
    return [_device(part) for part in value] if isinstance(value, list) else value


def _called(function: Any, args: Any, options: Any) -> Any:
    """Return the result of NumPy's function on what arrays of the device hold."""
    out = options.get("out")
    made = function(*map(_host, args), **{name: _host(each) for name, each in options.items()})
    if out is not None:
        return out[0] if isinstance(out, tuple) else out
    return _device(made)


class _Module(ModuleType):
    """CuPy's module of the name of one of NumPy's or SciPy's."""

    def __init__(self, name: str, module: ModuleType):
        super().__init__(name)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, ModuleType):
            return _Module(f"{self.__name__}.{name}", found)
        if not has(self._module.__name__, name):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if found is np.r_ or found is np.c_:
            return _Joined(found)
        if not callable(found) or isinstance(found, type):
            return found
        return _Function(found)


class _Joined:
    """r_ and c_ of the device's module, which join arrays by their brackets."""

    def __init__(self, joins: Any):
        self._joins = joins

    def __getitem__(self, key: Any) -> Any:
        return _called(lambda parts: self._joins[parts], (key,), {})


class _Function:
    """A function of the device's module, with the methods of a ufunc."""

    def __init__(self, function: Any):
        self._function = function

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _called(self._function, args, options)

    def __getattr__(self, name: str) -> Any:
        return _Function(getattr(self._function, name))


launches: list[str] = []


def fuse() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Count a call as one kernel."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(*args: Any) -> Any:
            launches.append(function.__name__)
            return function(*args)

        return kernel

    return decorated


@contextmanager
def standing_in() -> Iterator[ModuleType]:
    """Let `import cupy` give the stand-in; counts begin anew."""
    import scipy

    cupy, cupyx = _Module("cupy", np), ModuleType("cupyx")
    cupy.ndarray, cupy.fuse = Array, fuse
    cupy.get_array_module = lambda *args: cupy if any(isinstance(a, Array) for a in args) else np
    cupyx.scipy = _Module("cupyx.scipy", scipy)
    names = {"cupy": cupy, "cupyx": cupyx, "cupyx.scipy": cupyx.scipy}
    for part in ("special", "linalg", "fft", "signal", "ndimage", "stats"):
        names[f"cupyx.scipy.{part}"] = _Module(
            f"cupyx.scipy.{part}", __import__(f"scipy.{part}", fromlist=["_"])
        )
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    transfers.clear(), launches.clear()
    try:
        yield cupy
    finally:
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module


def to_device(value: Any) -> Any:
    """Return a value with its arrays on the device."""
    if isinstance(value, np.ndarray):
        return Array(value.copy())
    if isinstance(value, dict):
        return {key: to_device(part) for key, part in value.items()}
    return type(value)(map(to_device, value)) if type(value) in (list, tuple) else value


def to_host(value: Any) -> Any:
    """Return a value with its arrays on the host."""
    if isinstance(value, Array):
        return value.get()
    if isinstance(value, dict):
        return {key: to_host(part) for key, part in value.items()}
    return type(value)(map(to_host, value)) if type(value) in (list, tuple) else value
