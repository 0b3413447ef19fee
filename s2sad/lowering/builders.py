"""What the standard library makes functions and classes by, and copies them with.

functools.partial(f, u)     Partial
@dataclass                  the class with its fields
dataclasses.asdict(p)       a dict of its fields
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from s2sad.ir.expression import Known
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Other, Tuple
from s2sad.lowering import classes, demands, displays, exits, items, iterate, reflection, ways
from s2sad.lowering.iterables import Callback
from s2sad.lowering.machine import (
    Machine,
    flip,
    new_cell,
    note_missing,
    refusal,
    settled,
    site_or_none,
    stable,
)
from s2sad.lowering.values import (
    TEXT,
    Bound,
    Box,
    Closure,
    Code,
    Data,
    Keywords,
    Lazy,
    Partial,
    Ref,
    Tup,
    Value,
    literal,
    managed,
)
from s2sad.prelude import mappings
from s2sad.source.given import GETTERS

Args = list[Value]
Model = Callable[[Machine, Args, Keywords, Any], Value | None]


def _partial(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    return stable(m, Partial(args[0], tuple(args[1:]), dict(kwargs)), "bound")


def _decorator(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    """A decorator that changes no value: functools.wraps(f)."""
    if len(args) == 1 and isinstance(args[0], Closure) and not kwargs:
        return args[0]
    return Code(_SAME)


def _SAME(function: Any) -> Any:
    """Stand for a decorator that returns its function."""
    return function


def _cache(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    """A decorator that remembers results: cache(f), lru_cache(f), lru_cache(maxsize=8)(f)."""
    if len(args) == 1 and isinstance(args[0], Closure) and not kwargs:
        return replace(args[0], remembers=True)
    return Code(functools.cache)


def _of_class(kind: Any) -> Model:
    """Return the model of property, staticmethod and classmethod."""

    def model(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
        return Bound(Code(kind), args[0])

    return model


def _dataclass(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if not args:
        return Partial(Code(dataclasses.dataclass), (), dict(kwargs))
    options = {k: demands.need(m, v) for k, v in kwargs.items() if k != "slots"}
    cls: Any = demands.need(m, args[0])
    return Code(dataclasses.dataclass(cls, **options))


def _names(m: Machine, value: Value) -> list[Value]:
    """Return names that are written as a list, or in one text."""
    if isinstance(value, Data) and value.type == TEXT:
        return [literal(each) for each in demands.need(m, value).replace(",", " ").split()]
    return m.parts_of(value)


def _named_tuple(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    """Make a class as Python does, of its name and the names of its fields."""
    word, names = demands.need(m, args[0]), [demands.need(m, each) for each in _names(m, args[1])]
    options = {key: demands.need(m, value) for key, value in kwargs.items()}
    cls: Any = collections.namedtuple(word, names, **options)
    cls.__module__ = "__made__"
    m.made[cls] = len(m.made)
    return Code(cls)


def _field(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    options: dict[str, Any] = {}
    for key, value in kwargs.items():
        boxed = key in ("default", "default_factory")
        options[key] = Box(value) if boxed else demands.need(m, value)
    made = dataclasses.field(**options)
    found = literal(0)
    return replace(found, expr=found.expr.typed(found.type, Known(made)))


def with_generator(m: Machine, lazy: Lazy, target: Any, body: list[Any]) -> ways.Way:
    """Run the body of `with` where its generator yields."""

    def take(value: Value) -> None:
        if target is not None:
            m.assign(target, value)

    run, manager = Callback(take), lazy.parts[0].node
    if _ends_at_its_yield(manager.body):
        return iterate.over_generator(m, lazy, run, lambda: m.run(body), "with")
    left: list[exits.Left] = []
    way = iterate.over_generator(
        m, lazy, run, lambda: left.append(exits.stopped(m, lambda: m.run(body))), "with"
    )
    if all(each[0] is None for each in left):
        return way
    if any(isinstance(node, gast.Try) and node.handlers for node in gast.walk(manager)):
        raise refusal(m, "leaving a block whose context manager handles what is raised in it")
    if len(left) != 1:
        raise refusal(m, "leaving a block whose context manager yields on several ways")
    return exits.gone_on(m, left[0])


def _ends_at_its_yield(body: list[Any]) -> bool:
    """Tell whether a generator does nothing more once it has yielded."""
    last = body[-1]
    if isinstance(last, gast.Try) and not (last.orelse or last.finalbody):
        last = last.body[-1]
    return isinstance(last, gast.Expr) and isinstance(last.value, gast.Yield)


def _replace(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    cls = reflection.python_class(m, args[0])
    fields = [f.name for f in dataclasses.fields(cls) if f.init]
    values = {name: m.attribute(args[0], name) for name in fields}
    return classes.construct(m, cls, [], {**values, **kwargs}, node)


def _fields(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    cls = args[0].obj if isinstance(args[0], Code) else reflection.python_class(m, args[0])
    known = isinstance(cls, type) and dataclasses.is_dataclass(cls)
    return Tup(tuple(map(Code, dataclasses.fields(cls)))) if known else None


def _asdict(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    cls = reflection.python_class(m, args[0])
    if not dataclasses.is_dataclass(cls):
        return None
    pairs = [(literal(name), part) for name, part in _parts(m, args[0], _asdict, node)]
    return displays.dict_of(m, pairs, (*site_or_none(m, node), cls.__name__))


def _astuple(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if not dataclasses.is_dataclass(reflection.python_class(m, args[0])):
        return None
    return displays.tuple_of(m, [part for _, part in _parts(m, args[0], _astuple, node)])


def _parts(m: Machine, made: Value, taken_apart: Model, node: Any) -> Iterator[tuple[str, Value]]:
    for field in dataclasses.fields(reflection.python_class(m, made)):
        yield field.name, _deep(m, m.attribute(made, field.name), taken_apart, node)


def _deep(m: Machine, value: Value, taken_apart: Model, node: Any) -> Value:
    """Return a copy of a field, with the dataclasses in it taken apart."""
    cls = reflection.python_class(m, value)
    if isinstance(cls, type) and dataclasses.is_dataclass(cls):
        return taken_apart(m, [value], {}, node) or value
    if isinstance(value, Tup):
        parts = tuple(_deep(m, part, taken_apart, node) for part in value.parts)
        return replace(value, parts=parts)
    if not isinstance(value, Data) or isinstance(value.type, Number | Other):
        return value
    if isinstance(value.type, Array):
        return settled(m, m.call_method(value, "copy", [], {}, node))
    if reflection.holds_objects(m, value.type):
        raise refusal(m, "a list or dict of objects in a field of a dataclass")
    return settled(m, m.call_global("copy.deepcopy", copy.deepcopy, [value]))


def _copy(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    value = args[0]
    if isinstance(value, Ref):
        note_missing(m, value.id, "__dict__")  # the copy has the fields that are there so far
        return new_cell(m, m.heap[value.id].copy())
    return value if isinstance(value, Tup) else None  # a tuple is its own copy


def _deepcopy(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    value = args[0]
    if isinstance(value, Ref):
        flip(m, m.heap[value.id].site, "runtime")
    if isinstance(value, Data) and isinstance(value.type, Tuple) and value.type.cls is None:
        value = Tup(tuple(m.parts_of(value)))
    if not isinstance(value, Tup) or len(args) > 1 or kwargs:
        return None
    others = [part for part in value.parts if not _is_number(part)]
    if len(others) == 2 and all(isinstance(getattr(p, "type", None), Array) for p in others):
        pair = m.called(m.lift(mappings.copied_pair, None), others, {}, node)
        made = iter(m.parts_of(pair))
        parts = (part if _is_number(part) else next(made) for part in value.parts)
        return replace(value, parts=tuple(parts))
    if len(others) > 1:  # they may share memory, and their copies do, too
        return None
    copies = [part if _is_number(part) else m.call(_DEEP, [part], {}, node) for part in value.parts]
    return replace(value, parts=tuple(copies))


_DEEP = Code(copy.deepcopy)


def _is_number(value: Value) -> bool:
    return isinstance(value, Data) and isinstance(value.type, Number)


def _slice(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    is_starred = any(isinstance(arg, Data) and arg.expr.op == "starred" for arg in args)
    if kwargs or is_starred or not 1 <= len(args) <= 3:
        return None
    parts = [m.to_data(settled(m, arg)) for arg in args]
    parts = [part if part.known is None else literal(part.known.value) for part in parts]
    nothing = literal(None)
    start, stop, step = [nothing, *parts, nothing] if len(parts) == 1 else [*parts, nothing][:3]
    return items.slice_of(m, [start, stop, step])


def _manager(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    return Lazy("manager", (m.called(args[0], args[1:], kwargs, node),))


def _getter(kind: Any) -> Model:
    """Return the model of what makes a function that reads items, fields or a method."""

    def model(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
        given = {key: demands.need(m, value) for key, value in kwargs.items()}
        return m.lift(kind(*(demands.need(m, arg) for arg in args), **given), None)

    return model


BUILDERS: dict[Any, Model] = {
    functools.partial: _partial,
    functools.wraps: lambda *_: Code(_SAME),
    _SAME: _decorator,
    functools.lru_cache: _cache,
    functools.cache: _cache,
    property: _of_class(property),
    functools.cached_property: _of_class(property),
    staticmethod: _of_class(staticmethod),
    classmethod: _of_class(classmethod),
    dataclasses.dataclass: _dataclass,
    collections.namedtuple: _named_tuple,
    dataclasses.field: _field,
    dataclasses.replace: _replace,
    dataclasses.fields: _fields,
    dataclasses.asdict: _asdict,
    dataclasses.astuple: _astuple,
    contextlib.contextmanager: lambda m, args, kwargs, node: Partial(Code(managed), (args[0],), {}),
    managed: _manager,
    copy.copy: _copy,
    copy.deepcopy: _deepcopy,
    slice: _slice,
    **{kind: _getter(kind) for kind in GETTERS},
}
