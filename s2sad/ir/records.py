"""Classes of plain data, made as `dataclasses` makes them and in a fifth of the time: there are 250.

@dataclass(frozen=True, slots=True)
class Global:
    text: str
    value: Any

Only `__init__` is compiled for each class, when the first record is made; what compares, hashes and
prints is shared. Type checkers see the names of `dataclasses` themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NamedTuple

MISSING: Any = object()
_set = object.__setattr__


class Field(NamedTuple):
    """How one field is initialised, printed and compared; the names are those of `dataclasses`."""

    default: Any = MISSING
    default_factory: Any = MISSING
    init: bool = True
    repr: bool = True
    compare: bool = True
    hash: bool | None = None

    @property
    def is_hashed(self) -> bool:
        return self.compare if self.hash is None else self.hash


def _record(
    cls: Any = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> Any:
    """Return a class with the methods of plain data; without a class, what makes one of it."""
    if cls is None:
        return lambda each: _record(each, frozen=frozen, slots=slots, eq=eq)
    fields = _fields_of(cls)
    for name in cls.__annotations__:
        _keep_default(cls, name, fields[name], slots)
    cls = _with_slots(cls) if slots else cls
    cls.__record_fields__ = fields
    cls.__match_args__ = tuple(name for name, each in fields.items() if each.init)  # type: ignore[misc]
    _define(cls, "__init__", _init_of(cls, fields, frozen, slots))
    _define(cls, "__repr__", _repr_of(tuple(name for name, each in fields.items() if each.repr)))
    if eq:
        _define_equality(cls, fields, frozen)
    if frozen:
        _define(cls, "__setattr__", _refuse)
        _define(cls, "__delattr__", _refuse)
    if frozen and slots:
        _define(cls, "__getstate__", _state)
        _define(cls, "__setstate__", _restore)
    return cls


def _replaced(record: Any, /, **changes: Any) -> Any:
    """Return a record with some of its fields changed."""
    cls = type(record)
    every = [
        changes.pop(name) if name in changes else getattr(record, name)
        for name in cls.__match_args__
    ]
    return cls(*every, **changes)


# ---------------------------------------------------------------------------- fields


def _fields_of(cls: Any) -> dict[str, Field]:
    """Return the fields of a class by name, those of its bases first."""
    fields: dict[str, Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields |= base.__dict__.get("__record_fields__", {})
    for name in cls.__annotations__:
        default = cls.__dict__.get(name, MISSING)
        fields[name] = default if isinstance(default, Field) else Field(default)
    return fields


def _keep_default(cls: Any, name: str, field: Field, slots: bool) -> None:
    """Leave the default of a field on its class, as a plain value, where no slot takes its place."""
    if not slots and field.default is not MISSING:
        setattr(cls, name, field.default)
    elif name in cls.__dict__:
        delattr(cls, name)


def _with_slots(cls: Any) -> Any:
    """Return the class once more, its own fields in slots."""
    space = {n: v for n, v in cls.__dict__.items() if n not in ("__dict__", "__weakref__")}
    space["__slots__"] = tuple(cls.__annotations__)
    made = type(cls)(cls.__name__, cls.__bases__, space)
    made.__qualname__ = cls.__qualname__
    return made


# ---------------------------------------------------------------------------- methods


def _define(cls: Any, name: str, method: Any) -> None:
    """Give a class a method, unless it has its own."""
    if name not in cls.__dict__:
        setattr(cls, name, method)


def _init_of(cls: Any, fields: Mapping[str, Field], frozen: bool, slots: bool) -> Any:
    """Return the `__init__` of a class, which is compiled when it is first called."""

    def first(self: Any, *values: Any, **named: Any) -> None:
        cls.__init__ = _compiled_init(cls, fields, frozen, slots)
        cls.__init__(self, *values, **named)

    return first


def _compiled_init(cls: Any, fields: Mapping[str, Field], frozen: bool, slots: bool) -> Any:
    """Return the one method of a class whose text depends on the fields."""
    known: dict[str, Any] = {"MISSING": MISSING, "set_": _set}
    takes, lines = ["self"], []
    for name, field in fields.items():
        known[f"{name}_default"], known[f"{name}_factory"] = field.default, field.default_factory
        value = name
        if field.default_factory is not MISSING:
            value = f"{name}_factory() if {name} is MISSING else {name}"
        if field.init:
            has_default = field.default is not MISSING or field.default_factory is not MISSING
            takes.append(f"{name}={name}_default" if has_default else name)
        elif field.default is MISSING:
            continue
        else:
            value = f"{name}_default"
        if frozen and slots:
            known[f"set_{name}"] = getattr(cls, name).__set__
            lines.append(f"set_{name}(self, {value})")
        else:
            lines.append(f"set_(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "".join(f"\n    {line}" for line in lines or ["pass"])
    exec(f"def __init__({', '.join(takes)}):{body}", known)
    return known["__init__"]


def _values_of(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return what gives the values of some fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: (getattr(record, names[0]),) if names else ()


def _define_equality(cls: Any, fields: Mapping[str, Field], frozen: bool) -> None:
    """Let records of one class be equal that have equal fields; those that are frozen are hashed."""
    values = _values_of(tuple(name for name, each in fields.items() if each.compare))
    hashed = _values_of(tuple(name for name, each in fields.items() if each.is_hashed))

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    _define(cls, "__eq__", equal)
    if cls.__dict__.get("__hash__") is None:
        cls.__hash__ = (lambda self: hash(hashed(self))) if frozen else None


def _repr_of(names: Iterable[str]) -> Any:
    def shown(self: Any) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({parts})"

    return recursive_repr("...")(shown)


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed: use replace")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in type(self).__record_fields__]


def _restore(self: Any, state: Iterable[Any]) -> None:
    for name, value in zip(type(self).__record_fields__, state, strict=True):
        _set(self, name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    dataclass, field, replace = _record, Field, _replaced
