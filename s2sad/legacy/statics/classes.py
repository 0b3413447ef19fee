"""Which classes make records, and what making one does.

class Spring:                       s = Spring(k)        s_k$1 = k; s_m$1 = 2.0
    def __init__(self, k, m=2.0):
        self.k, self.m = k, m       s.energy(x)          the method's lines, self being s
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType, SimpleNamespace
from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Unsupported
from s2sad.legacy.program import Call, Const, Expr, Op, Ref
from s2sad.legacy.refusals import starred
from s2sad.legacy.scope import Scope
from s2sad.source.plain import comes_first, is_named_tuple, makes_records
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of


def fields_given(kind: type, call: Call, span: Any) -> dict[str, Expr] | None:
    """Return what the fields of a new object are, where its making is only that; else None."""
    if is_named_tuple(kind):
        return _filled(kind, call, _own_defaults(kind), span)
    if kind is SimpleNamespace and not call.args:
        return dict(call.keywords)
    if not _has_made_init(kind):
        return None
    for each in dataclasses.fields(kind):
        refuse_descriptor(kind, each.name, span, properties=True)
    fields = [each for each in dataclasses.fields(kind) if each.init]
    defaults = {each.name: _default(each) for each in fields}
    defaults |= {each.name: _default(each) for each in handed_on(kind)}
    given = _filled(kind, call, {n: v for n, v in defaults.items() if v is not None}, span)
    rest = {each.name: _default(each) for each in dataclasses.fields(kind) if not each.init}
    return {**given, **{name: value for name, value in rest.items() if value is not None}}


def _own_defaults(kind: Any) -> dict[str, Expr]:
    return {name: known(value, name) for name, value in kind._field_defaults.items()}


def _has_made_init(kind: type) -> bool:
    """Tell whether a dataclass has the `__init__` that was made for it."""
    if not dataclasses.is_dataclass(kind):
        return False
    init: Any = kind.__init__
    return bool(init.__code__.co_filename.startswith("<"))


def handed_on(kind: type) -> list[Any]:
    """Return what a dataclass hands to `__post_init__` and does not keep: its fields of InitVar."""
    found = getattr(kind, "__dataclass_fields__", {}).values()
    return [each for each in found if each._field_type is dataclasses._FIELD_INITVAR]  # type: ignore[attr-defined]


def given_names(kind: Any) -> list[str]:
    """Return the fields of a dataclass that its objects are given when they are made."""
    return [each.name for each in dataclasses.fields(kind) if each.init]


def is_only_its_fields(kind: Any) -> bool:
    """Tell whether making an object of a dataclass does no more than to set what it is given."""
    every = all(each.init for each in dataclasses.fields(kind))
    return _has_made_init(kind) and every and method(kind, "__post_init__") is None


def _default(field: Any) -> Expr | None:
    if field.default is not dataclasses.MISSING:
        return known(field.default, field.name)
    factory = field.default_factory
    if factory is dataclasses.MISSING:
        return None
    if factory is list:
        return Op("list", ())
    if factory is dict:
        return Op("dict", ())
    return Call(Ref(getattr(factory, "__name__", field.name), factory))


def _filled(kind: type, call: Call, defaults: Mapping[str, Expr], span: Any) -> dict[str, Expr]:
    if any(isinstance(each, Op) and each.op == "star" for each in call.args):
        raise starred(span)
    try:
        bound = inspect.signature(kind).bind(*call.args, **dict(call.keywords)).arguments
    except TypeError as error:
        raise Unsupported(
            f"{kind.__name__} cannot be made: {error}",
            span,
            "Give its class the arguments that it takes.",
        ) from error
    names = inspect.signature(kind).parameters
    return {name: bound.get(name, defaults.get(name, Const(None))) for name in names}


def known(value: Any, name: str) -> Expr:
    """Return a value of a class or default as an expression."""
    literal = value is None or isinstance(value, bool | int | float | str | complex)
    return Const(value) if literal else Ref(name, value)


def begun_with(kind: type) -> dict[str, Expr]:
    """Return the numbers of a class that its methods add to for one object: `self.count += 1`."""
    added = {name for each in _methods(kind) for name in _augmented(each)}
    found = {name: inspect.getattr_static(kind, name, None) for name in sorted(added)}
    plain = (bool, int, float, complex, str)
    return {name: Const(value) for name, value in found.items() if isinstance(value, plain)}


def _methods(kind: type) -> list[FunctionType]:
    own = [value for each in kind.__mro__ for value in vars(each).values()]
    parts = [each.fget if isinstance(each, property) else each for each in own]
    return [each for each in parts if isinstance(each, FunctionType)]


def _augmented(function: FunctionType) -> Iterator[str]:
    """Yield the attributes that a method changes by `+=` and the like."""
    try:
        tree = source_of(function).tree
    except S2sadError:
        return
    for part in nodes_of(tree):
        if isinstance(part, gast.AugAssign) and isinstance(part.target, gast.Attribute):
            yield part.target.attr


def method(kind: type, name: str) -> FunctionType | None:
    """Return the Python function that objects of a class have as a method, or to set a property."""
    if name.endswith(".setter"):
        return setter(kind, name.removesuffix(".setter"))
    found = inspect.getattr_static(kind, name, None)
    return found if isinstance(found, FunctionType) else None


def getter(kind: type, name: str) -> FunctionType | None:
    """Return the Python function behind a property."""
    found = inspect.getattr_static(kind, name, None)
    get = found.fget if isinstance(found, property) else None
    return get if isinstance(get, FunctionType) else None


def computed_once(kind: type, name: str) -> FunctionType | None:
    """Return the Python function behind a `functools.cached_property`."""
    found = inspect.getattr_static(kind, name, None)
    get = found.func if isinstance(found, functools.cached_property) else None
    return get if isinstance(get, FunctionType) else None


def setter(kind: type, name: str) -> FunctionType | None:
    """Return the Python function that sets a property."""
    found = inspect.getattr_static(kind, name, None)
    write = found.fset if isinstance(found, property) else None
    return write if isinstance(write, FunctionType) else None


def refuse_descriptor(kind: type, name: Any, span: Any, properties: bool = False) -> None:
    """Refuse an attribute which an object of the class's own answers for, as it is read or written."""
    if not isinstance(name, str) or not comes_first(kind, name):
        return
    if properties or not isinstance(inspect.getattr_static(kind, name), property):
        raise Unsupported(
            f"{name} of {kind.__name__} is a descriptor: its class says what is read and written",
            span,
            f"Make {name} a property, with a setter where it is written, or a plain attribute.",
        )


def after(kind: type, around: Any, name: str) -> FunctionType | None:
    """Return the method that `super()` means in a class of the objects of `kind`, or its method."""
    mro = kind.__mro__
    owner = next((each for each in mro if each is around or around in each.__dict__.values()), None)
    if owner is None:
        return None
    rest = kind.__mro__[kind.__mro__.index(owner) + 1 :]
    found = next((each.__dict__[name] for each in rest if name in each.__dict__), None)
    return found if isinstance(found, FunctionType) else None


def class_value(kind: type, name: str, scope: Scope, node: Any) -> Expr | None:
    """Return what a class holds for all its objects under a name."""
    found = inspect.getattr_static(kind, name, None)
    if found is None or inspect.isroutine(found) or hasattr(found, "__get__"):
        return None
    return known(found, f"{kind.__name__}.{name}")


__all__ = ["fields_given", "makes_records"]
