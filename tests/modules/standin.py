"""A strict stand-in for CuPy that computes with NumPy: it raises where CuPy would, and counts.

Arrays are of the device or of the host. Operations on both at once raise; results without axes
stay arrays, elements are views, and each value that goes to the host is counted.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.operators.cupy_names import METHODS, has

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
        _refuse_lists(inputs)
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
        if isinstance(value, (list, tuple)):
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
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
    if isinstance(value, (Array, _KernelNumber)):
        return value._held
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(value, slice):  # whole numbers of the device, too
        ends = (value.start, value.stop, value.step)
        return slice(*(int(end._held) if isinstance(end, Array) else end for end in ends))
    if type(value) in (list, tuple):
        return type(value)(map(_host, value))
    return value


def _refuse_lists(values: Iterable[Any]) -> None:
    for value in values:
        if isinstance(value, (list, tuple)):
            raise TypeError(f"Unsupported type {type(value)}")


def _refuse_mixed(value: Any) -> None:
    """Raise on lists in which arrays of the device and numbers of the host stand together."""
    found = {isinstance(leaf, Array) for leaf in _leaves(value)}
    if len(found) > 1:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _device(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind == "O":
            raise ValueError("Unsupported dtype object")
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
        if any(found is each for each in (np.r_, np.c_, np.mgrid, np.ogrid)):
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
        name = getattr(self._function, "__name__", "")
        if name in ("convolve", "correlate") and not all(type(a) is str for a in args[2:]):
            raise ValueError("acceptable mode flags are `valid`, `same`, or `full`.")
        if isinstance(self._function, np.ufunc):
            _refuse_lists(args)
        elif name in JOINING:
            _refuse_mixed(args[0])
        elif self._function.__module__ == "numpy" and name not in MAKING and args:
            if not isinstance(args[0], Array):
                raise AttributeError(f"{type(args[0]).__name__!r} object in place of an array")
        return _called(self._function, args, options)

    def __getattr__(self, name: str) -> Any:
        if (getattr(self._function, "__name__", ""), name) in LACKING_METHODS:
            raise NotImplementedError(f"{name} is not supported yet")
        return _Function(getattr(self._function, name))


# the functions of NumPy that take no array first, or take numbers and lists for one
MAKING = frozenset(
    "zeros ones empty full arange linspace logspace eye identity tri ndim shape isscalar "
    "result_type concatenate hstack append einsum indices fromiter broadcast_shapes meshgrid isclose "
    "allclose array_equal can_cast promote_types ix_ piecewise unravel_index expand_dims "
    "copyto default_rng diag trapezoid atleast_1d atleast_2d atleast_3d broadcast_arrays "
    "iscomplexobj isrealobj min_scalar_type mgrid dsplit geomspace interp tril vander round around "
    "real imag triu copy ndindex tril_indices triu_indices diag_indices mask_indices".split()
)
JOINING = frozenset("array asarray asanyarray stack vstack dstack column_stack select".split())
LACKING_METHODS = {("maximum", "reduce"), ("minimum", "reduce"), ("multiply", "at")}
LACKING_METHODS |= {("subtract", "at")}  # CuPy's takes whole numbers alone

launches: list[str] = []


class _KernelNumber:
    """A number that a kernel is handed: what is computed of two alone is rounded, so that it raises."""

    def __init__(self, held: Any):
        self._held = held

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if not any(isinstance(each, Array) for each in inputs):
            raise TypeError(f"{ufunc.__name__} of numbers alone in a kernel")
        return _called(ufunc, inputs, options)


def _binary(ufunc: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (lambda a, b: ufunc(a, b)), (lambda a, b: ufunc(b, a))


for _word, _ufunc in {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.divide,
    "pow": np.power,
}.items():
    _left, _right = _binary(_ufunc)
    setattr(_KernelNumber, f"__{_word}__", _left)
    setattr(_KernelNumber, f"__r{_word}__", _right)


def fuse() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Count a call as one kernel."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(*args: Any) -> Any:
            launches.append(function.__name__)
            if not any(isinstance(arg, Array) for arg in args):
                return function(*args)
            return function(*(a if isinstance(a, Array) else _KernelNumber(a) for a in args))

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
        return type(value)((key, to_device(part)) for key, part in value.items())
    return type(value)(map(to_device, value)) if type(value) in (list, tuple) else value


def to_host(value: Any) -> Any:
    """Return a value with its arrays on the host."""
    if isinstance(value, Array):
        return value.get()
    if isinstance(value, dict):
        return type(value)((key, to_host(part)) for key, part in value.items())
    return type(value)(map(to_host, value)) if type(value) in (list, tuple) else value
