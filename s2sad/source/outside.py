"""What a function reads that is not its own, as it stands now: constants, functions, cells.

    K = 2.0
    def f(x): return K * g(x)       outside(f):  K is 2.0, g is <function g>, and what g reads

A derivative was made for what these were. `changed` tells that one of them is another object by
now, so that the derivative has to be made anew.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
from collections.abc import Callable, Hashable, Iterator, Set
from configparser import RawConfigParser
from functools import lru_cache, partial
from operator import attrgetter
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.ir.records import dataclass, field
from s2sad.source.owners import is_installed, is_ours

# how to read what stands under a name, the name, and what stood there
Place = tuple[Callable[[Any], Any], Any, Any]
PLAIN = (int, float, complex, str, bytes, bool, type(None), np.ndarray, np.generic)
BOOKKEEPING = frozenset(
    "__dict__ __weakref__ __doc__ __module__ __annotations__ __annotate_func__ "
    "__annotations_cache__ __firstlineno__ __static_attributes__".split()
)
# IPython's %autoreload gives functions new code and defaults, and objects a new class
_MADE_OF = (attrgetter("__code__"), attrgetter("__defaults__"), attrgetter("__kwdefaults__"))
_ORDER = attrgetter("__mro__")
LONGEST = 64  # the items of longer lists and dicts are taken for data


@dataclass(frozen=True, eq=False, slots=True)
class Same:
    """An object that equals itself alone, whatever its class says, and is kept."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Same) or type(other.value) is not type(self.value):
            return False
        if isinstance(self.value, MethodType):  # made anew each time that it is asked for
            same = self.value.__func__ is other.value.__func__
            return same and self.value.__self__ is other.value.__self__
        return self.value is other.value

    def __hash__(self) -> int:
        return id(getattr(self.value, "__self__", self.value))


def outside(*functions: Any) -> tuple[Place, ...]:
    """Return the places that functions read, those of the functions that they call included."""
    walk = _Walk()
    found = [place for each in functions for place in _places_of(each, frozenset(), walk)]
    # last: only now it is known which attributes are read, wherever that is
    found += [place for value in walk.objects for place in _data_of(value, walk.names)]
    every = (*walk.objects, *walk.classes)
    return (*found, *(place for value in every for place in _left_to_classes(value, walk.names)))


def changed(places: tuple[Place, ...]) -> bool:
    """Tell whether another object stands in one of the places."""
    return any(read(name) is not value for read, name, value in places)


# ---------------------------------------------------------------------------- places


@dataclass(eq=False, slots=True)
class _Walk:
    """What was met on the way: by identity, the objects, and the names that functions read."""

    seen: set[Hashable] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    objects: list[Any] = field(default_factory=list)
    classes: list[Any] = field(default_factory=list)


def _places_of(value: Any, names: frozenset[str], walk: _Walk) -> Iterator[Place]:
    """Yield the places behind an object; `names` are the attributes read where it was found."""
    # of a module each function names what it reads; modules may import each other
    met = (id(value), names) if isinstance(value, ModuleType) else id(value)
    if isinstance(value, PLAIN) or met in walk.seen:
        return
    walk.seen.add(met)
    if isinstance(value, ModuleType):
        if not (is_installed(value) or is_of_s2sad(value.__name__)):
            own = vars(value)
            yield from _of_names(own.get, names & own.keys(), names, walk)
    elif isinstance(value, FunctionType):
        if not (is_installed(value) or is_of_s2sad(value.__module__)):
            yield from _of_function(value, walk)
    elif isinstance(value, MethodType):
        yield from _places_of(value.__func__, names, walk)
        yield from _places_of(value.__self__, names, walk)
    elif isinstance(value, dict | list | tuple):
        yield from _of_items(value, names, walk)
    elif isinstance(value, functools.partial):
        for part in (value.func, value.args, value.keywords):
            yield from _places_of(part, names, walk)
    elif isinstance(value, type):
        yield from _of_class(value, names, walk)
    elif isinstance(value, RawConfigParser):
        yield _settings_of, value, _settings_of(value)
    else:
        yield from _of_object(value, names, walk)


def is_of_s2sad(module: str | None) -> bool:
    """Tell whether a module is one of these: what stands in them does not change, wherever they lie."""
    return module is not None and (module == "s2sad" or module.startswith("s2sad."))


def _of_function(function: FunctionType, walk: _Walk) -> Iterator[Place]:
    for read in _MADE_OF:
        if read(function) is not None:
            yield read, function, read(function)
    names, space = names_in(function.__code__), function.__globals__
    walk.names |= names
    yield from _of_names(space.get, names & space.keys(), names, walk)
    for name in sorted(names - space.keys()):
        if hasattr(builtins, name):
            yield space.get, name, None  # it may be given another meaning
    for cell in function.__closure__ or ():
        held = _in_cell(cell)
        yield _in_cell, cell, held
        yield from _places_of(held, names, walk)
    for value in function.__defaults__ or ():
        yield from _places_of(value, names, walk)
    own = function.__dict__
    yield _attributes, function, len(own)
    yield from _of_names(own.get, frozenset(own), names, walk)


def _of_names(
    read: Callable[[Any], Any], own: frozenset[str], names: frozenset[str], walk: _Walk
) -> Iterator[Place]:
    for name in sorted(own):
        value = read(name)
        yield read, name, value
        yield from _places_of(value, names, walk)


def _of_items(value: Any, names: frozenset[str], walk: _Walk) -> Iterator[Place]:
    if len(value) > LONGEST:
        return
    yield len, value, len(value)
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value.get if isinstance(value, dict) else _reader(value), key, value[key]
        yield from _places_of(value[key], names, walk)


def _of_class(kind: Any, names: frozenset[str], walk: _Walk) -> Iterator[Place]:
    walk.classes.append(kind)
    yield _ORDER, kind, kind.__mro__
    for each in kind.__mro__:
        if _is_foreign(each):
            continue
        own = vars(each)
        for name, held in list(own.items()):
            if name not in BOOKKEEPING:
                yield own.get, name, held
                yield from _places_of(function_in(held), names, walk)


def function_in(held: Any) -> Any:
    """Return the function behind a property, a class method or a static one; others as they are."""
    return getattr(held, "fget", getattr(held, "__func__", held))


def wrapped_by(value: Any) -> Any:
    """Return the function that an object was made of: a derivative is one of its primal."""
    ours = is_ours(value) and hasattr(type(value), "primal")
    return value.primal if ours else getattr(value, "__wrapped__", None)


def _of_object(value: Any, names: frozenset[str], walk: _Walk) -> Iterator[Place]:
    """Yield what an object holds besides data, which is read whenever the derivative runs."""
    yield from _places_of(wrapped_by(value), names, walk)
    for part in ("reverse", "forward"):  # of what has a derivative of its own
        yield from _places_of(getattr(value, part, None), names, walk)
    kind: Any = type(value)
    if is_ours(value):
        return
    walk.objects.append(value)
    own = getattr(value, "__dict__", {})
    read = list(own)
    if _is_foreign(kind):  # of what Python or a library made: what the functions name, as `M.act`
        read = [name for name in read if name in names]
    else:
        yield type, value, kind
        yield from _places_of(kind, names, walk)
    for name in read:
        held = own.get(name)
        if not isinstance(held, PLAIN):
            yield own.get, name, held
            yield from _places_of(held, names, walk)


def _data_of(value: Any, names: Set[str]) -> Iterator[Place]:
    """Yield the kinds of the data that an object holds: a text is made for these, and for counts."""
    own = getattr(value, "__dict__", {})
    slots = (getattr(kind, "__slots__", ()) for kind in type(value).__mro__)
    named = [name for each in slots for name in ((each,) if isinstance(each, str) else each)]
    reads = ((own.get, own), (partial(getattr, value), named))
    for read, fields in reads:
        for name in fields:
            if name in names and isinstance(held := _read(read, name), PLAIN):
                yield _KindOf(read), name, _kind_of(held)


def _left_to_classes(value: Any, names: Set[str]) -> Iterator[Place]:
    """Yield the attributes that a value has of its class, or of one further on: it may get its own."""
    is_class = isinstance(value, type)
    orders: list[Any] = [vars(each) for each in (value if is_class else type(value)).__mro__]
    if not is_class:
        orders.insert(0, getattr(value, "__dict__", {}))
    for k, own in enumerate(orders):
        later = names & {name for each in orders[k + 1 :] for name in each}
        yield from ((own.__contains__, name, False) for name in sorted(later - own.keys()))


@dataclass(frozen=True, eq=False, slots=True)
class _KindOf:
    """Reads the kind of what stands under a name."""

    read: Callable[[Any], Any]

    def __call__(self, name: str) -> Any:
        """Return one and the same object for all that is of one kind."""
        return _kind_of(_read(self.read, name))


def _read(read: Callable[[Any], Any], name: str) -> Any:
    try:
        return read(name)
    except AttributeError:
        return None


_KINDS: dict[Any, Any] = {}


def _kind_of(held: Any) -> Any:
    """Return what tells data apart for a text: dtypes and shapes, and which option or count it is."""
    if isinstance(held, np.ndarray):
        key: Any = (np.ndarray, held.dtype, held.shape)
    elif isinstance(held, int | str | bytes | np.integer | np.bool_):
        key = (type(held), held)
    else:
        return type(held)
    return _KINDS.setdefault(key, key)


def _settings_of(parser: RawConfigParser) -> Any:
    """Return one and the same object for all settings that are alike."""
    parts = {part: parser.items(part, raw=True) for part in parser.sections()}
    key = tuple(
        (part, tuple(held)) for part, held in (*parts.items(), ("", parser.defaults().items()))
    )
    return _KINDS.setdefault(key, key)


@lru_cache(maxsize=512)
def _is_foreign(kind: type) -> bool:
    """Tell whether a class is Python's own or belongs to an installed package."""
    module = sys.modules.get(kind.__module__)
    return kind.__module__ == "builtins" or (module is not None and is_installed(module))


# ---------------------------------------------------------------------------- reading


def _in_cell(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _attributes(function: FunctionType) -> int:
    return len(function.__dict__)


def _reader(items: Any) -> Callable[[Any], Any]:
    def read(position: int) -> Any:
        return items[position] if position < len(items) else None

    return read


@lru_cache(maxsize=4096)
def globals_in(code: CodeType) -> frozenset[str]:
    """Return the names of globals alone, those of inner functions too."""
    inner = (globals_in(each) for each in code.co_consts if isinstance(each, CodeType))
    read = (each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL")
    return frozenset(read).union(*inner)


@lru_cache(maxsize=4096)
def names_in(code: CodeType) -> frozenset[str]:
    """Return the names of globals and attributes in a code, those of inner functions too."""
    inner = (names_in(each) for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(code.co_names).union(*inner)
