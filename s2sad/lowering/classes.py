"""Classes: objects that are made, classes, functions and imports inside of functions.

Body(x, v)           an object of the run: a record, and what __init__ stores in it
class Local: ...     a Python class whose attributes hold values
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import importlib
import inspect
import sys
import types
import typing
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr
from s2sad.ir.expression import Fields as RecordFields
from s2sad.lowering import (
    attributes,
    binding,
    demands,
    evaluation_order,
    library,
    places,
    reflection,
)
from s2sad.lowering.machine import (
    Machine,
    bind,
    bound_words,
    closure_at,
    fresh,
    global_expr,
    new_cell,
    refusal,
    site_of,
    stable,
)
from s2sad.lowering.module_names import is_given
from s2sad.lowering.unions import CLASS_NAME
from s2sad.lowering.values import Box, Cell, Code, Data, Fails, Keywords, Tup, Value, literal
from s2sad.source.owners import is_of_library, is_own
from s2sad.source.plain import defaults_of

BUILT_ON = (list, dict, set, tuple, np.ndarray, float, int, str)
# with these it hangs on more than the order of statements which fields an object has
PERHAPS = (gast.Try, gast.With, gast.Return, gast.Delete, gast.Yield, gast.YieldFrom)
NUMBERS = (int, float, str, type(None), np.generic)
# what a class of named tuples may not define: all else that is read of it are its parts
OF_ITEMS = ("__getitem__", "__len__", "__contains__", "__bool__")


def is_named_tuple(cls: type) -> bool:
    """Tell whether a class is one of named tuples."""
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def word_of(cls: type) -> str:
    """Return what an object of a class is called."""
    return cls.__name__.lower().strip("_") or "record"


def construct(m: Machine, cls: type, args: list[Value], kwargs: Keywords, node: Any) -> Value:
    """Make an object of a class of the user's."""
    if issubclass(cls, enum.Enum) and len(args) == 1:
        members = {each.value: each for each in cls}
        value = demands.need(m, args[0])
        if value in members:
            return literal(members[value], m.span)
        raise Fails(f"{value} is not a valid {cls.__name__}", m.span, raised=ValueError)
    if issubclass(cls, BaseException):
        return library.call(m, global_expr(m, cls.__name__, cls), args, kwargs)
    if is_named_tuple(cls):
        return _named_tuple(m, cls, args, kwargs)
    if any(issubclass(cls, base) for base in BUILT_ON):
        raise refusal(m, f"{cls.__name__} is a class that is a list, dict or array")
    if type(cls).__call__ is not type.__call__ or is_own(cls.__new__):
        raise refusal(m, f"{cls.__name__}, a class that makes its objects in a way of its own,")
    site = site_of(m, node) if node is not None else ("class", cls.__name__)
    site = (*site, m.made[cls]) if cls in m.made else site
    if ("structure", site) in m.choices and ("runtime", site) not in m.choices:
        made: Value = new_cell(m, Cell("object", class_data(m, cls), cls, site))
    else:
        words = bound_words(m, node)
        made = _record(m, cls, site, words[0] if len(words) == 1 else word_of(cls))
    _initialise(m, cls, made, args, kwargs, node)
    return made


def _record(m: Machine, cls: type, site: Any, wanted: str) -> Data:
    """Return a new object of the run, with the numbers and options that its class gives it."""
    given = {k: v for k, v in class_data(m, cls).items() if isinstance(v, Data)}
    type_ = m.memory.make(site, "fields", cls)
    if demands.is_named(m, type_):
        given = {CLASS_NAME: literal(cls.__name__), **given}
    m.memory.note_born(type_, [*given, *_generated_fields(cls), *_stored_fields(m, cls)])
    for key, value in given.items():
        m.memory.store(type_, key, value.type, value.known)
    exprs = tuple(value.expr for value in given.values())
    expr = Expr("record", exprs, RecordFields(cls, tuple(given)), type_, None, m.span)
    origins = frozenset({("structure", site)})
    return bind(m, fresh(m, wanted), Data(expr, origins))


def _generated_fields(cls: Any) -> list[str]:
    """Return the fields that the __init__ of a dataclass sets, where that is the generated one."""
    is_generated = reflection.generates(cls, "__init__")
    return [f.name for f in dataclasses.fields(cls)] if is_generated else []


def _stored_fields(m: Machine, cls: type) -> list[str]:
    """Return the fields that the __init__ of a class always stores, and that it alone asks for till then."""
    function = inspect.getattr_static(cls, "__init__")
    if not isinstance(function, types.FunctionType) or not is_own(function):
        return []
    node = reflection.closure_of(m, function).node
    first = [*node.args.posonlyargs, *node.args.args][:1]
    owner = first[0].id if first else ""
    nodes = list(gast.walk(node))
    own = [
        n for n in nodes if isinstance(n, gast.Attribute) and getattr(n.value, "id", "") == owner
    ]
    if _does_more(nodes, owner, own):
        return []
    stores = (n for n in node.body if isinstance(n, gast.Assign | gast.AnnAssign) and n.value)
    targets = (t for n in stores for t in (n.targets if isinstance(n, gast.Assign) else [n.target]))
    return [target.attr for target in targets if target in own]


def _does_more(nodes: list[Any], owner: str, own: list[Any]) -> bool:
    """Tell whether a function hands its object on, calls its methods, or leaves before its end."""
    names = [n.id for n in nodes if isinstance(n, gast.Name)]
    calls_own = any(isinstance(n, gast.Call) and n.func in own for n in nodes)
    is_handed_on = names.count(owner) != len(own) + 1 or "super" in names or calls_own
    return is_handed_on or any(isinstance(n, PERHAPS) for n in nodes)


def class_data(m: Machine, cls: type) -> dict[str, Value]:
    """Return the numbers and options that a class gives its objects."""
    fields = getattr(cls, "__dataclass_fields__", {})
    bases = [base for base in reversed(cls.__mro__) if base is not object]
    found = {k: v for base in bases for k, v in vars(base).items()}
    return {
        k: m.lift(v, None, f"{cls.__name__}_{k}")
        for k, v in found.items()
        if not k.startswith("__") and k not in fields and isinstance(v, NUMBERS)
        if not is_given(m, cls, k)
    }


def _named_tuple(m: Machine, cls: Any, args: list[Value], kwargs: Keywords) -> Value:
    is_usual = cls.__new__.__module__.startswith("namedtuple_")
    if not is_usual or any(
        hasattr(cls, k) and getattr(cls, k) is not getattr(tuple, k, None) for k in OF_ITEMS
    ):
        raise refusal(m, f"{cls.__name__}, a class of tuples with items of its own")
    values = dict(zip(cls._fields, args, strict=False)) | dict(kwargs)
    for key, default in defaults_of(cls).items():
        if key not in values:
            values[key] = reflection.default(m, default, key)
    if set(values) != set(cls._fields):
        raise refusal(m, f"{cls.__name__} with other fields than it has")
    return Tup(tuple(stable(m, values[f], f) for f in cls._fields), cls)


def _initialise(
    m: Machine, cls: type, made: Value, args: list[Value], kwargs: Keywords, node: Any
) -> None:
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    function = vars(owner)["__init__"]
    if reflection.generates(cls, "__init__"):
        _set_fields(m, cls, made, args, kwargs, node)
        return
    if owner is object:
        return
    method = attributes.bound(m, function, made, cls, owner, "__init__")
    evaluation_order.as_statement(m, m.call(method, args, kwargs, node))


def _set_fields(
    m: Machine, cls: Any, made: Value, args: list[Value], kwargs: Keywords, node: Any
) -> None:
    """Do what the __init__ of a dataclass does."""
    stored, taken = dataclasses.fields(cls), inspect.signature(cls.__init__).parameters
    fields = [f for f in cls.__dataclass_fields__.values() if f in stored or f.name in taken]
    positional = [f.name for f in fields if f.init and not f.kw_only]
    values = dict(zip(positional, args, strict=False)) | dict(kwargs)
    set_one = places.set_field if cls.__dataclass_params__.frozen else places.set_attribute
    handed_on = []
    for field in fields:
        value = values.get(field.name)
        if value is None:
            value = _default(m, field, _place_of_field(cls, field, node))
        if value is not None and field in stored:
            set_one(m, made, field.name, value)
        elif value is not None:
            handed_on.append(value)
    after = m.find(made, "__post_init__")
    if after is not None:
        evaluation_order.as_statement(m, m.call(after, handed_on, {}, node))


def _place_of_field(cls: Any, field: Any, node: Any) -> Any:
    """Return a node that stands for what a field is made by, where an object is made."""
    if node is None:
        return None
    found = gast.copy_location(gast.Constant(field.name, None), node)
    names = list(cls.__dataclass_fields__)
    found.col_offset += 1000 * (1 + names.index(field.name))
    return found


def _default(m: Machine, field: Any, node: Any) -> Value | None:
    if isinstance(field.default, Box):
        return field.default.value
    if field.default is not dataclasses.MISSING:
        return m.lift(field.default, None, field.name)
    if isinstance(field.default_factory, Box):
        return m.called(field.default_factory.value, [], {}, node)
    if field.default_factory is not dataclasses.MISSING:
        factory = field.default_factory
        function = m.lift(factory, None, getattr(factory, "__name__", "made"))
        return m.called(function, [], {}, node)
    return None


# ---------------------------------------------------------------------------- definitions inside


def define_function(m: Machine, node: Any) -> None:
    """Make a closure; call its decorators."""
    value: Value = binding.make_closure(m, node, node.name)
    for decorator in reversed(node.decorator_list):
        function = m.evaluate(decorator)
        value = m.called(function, [value], {}, node)
    m.heap[m.frame].slots[node.name] = value


def define_class(m: Machine, node: Any) -> None:
    """Make a Python class whose attributes are boxes of values."""
    for each in node.keywords:  # but metaclass=abc.ABCMeta
        if each.arg != "metaclass" or is_own(demands.need(m, m.evaluate(each.value))):
            raise refusal(m, f"a class that is made with {each.arg}=")
    slots = _class_body(m, node)
    bases = tuple(demands.need(m, m.evaluate(base)) for base in node.bases)
    annotated = {s.target.id: object for s in node.body if isinstance(s, gast.AnnAssign)}
    if typing.NamedTuple in bases:
        cls: Any = _made_named_tuple(m, node, slots, annotated)
    else:
        space: dict[str, Any] = {k: _in_class(m, k, v) for k, v in slots.items()}
        space["__module__"] = "__made__"
        if annotated:
            space["__annotations__"] = annotated
        cls = types.new_class(node.name, bases, {}, lambda names: names.update(space))
    m.made[cls] = len(m.made)
    value: Value = Code(cls)
    for decorator in reversed(node.decorator_list):
        value = m.called(m.evaluate(decorator), [value], {}, node)
    m.heap[m.frame].slots[node.name] = value


def _in_class(m: Machine, word: str, value: Value) -> Any:
    if word in ("__slots__", "__match_args__"):  # Python reads them
        return demands.need(m, value)
    if isinstance(value, Data) and value.known is not None:
        return value.known.value
    return Box(value)


def _class_body(m: Machine, node: Any) -> dict[Any, Value]:
    closure = closure_at(m)
    place = new_cell(m, Cell("frame", {}, "class", None, m.frame, closure)).id
    outer, m.frame = m.frame, place
    try:
        m.run(node.body)
    finally:
        m.frame = outer
    return m.heap.pop(place).slots


def _made_named_tuple(
    m: Machine, node: Any, slots: dict[Any, Value], annotated: dict[str, Any]
) -> Any:
    defaults = [demands.need(m, slots[f]) for f in annotated if f in slots]
    cls: Any = collections.namedtuple(node.name, list(annotated), defaults=defaults)
    cls.__module__ = "__made__"
    for key, value in slots.items():
        if key not in annotated:
            setattr(cls, key, Box(value))
    return cls


def define_imports(m: Machine, node: Any) -> None:
    """Import modules, and what is in them: they are known."""
    is_sure = any(each is node for each in closure_at(m).node.body)
    for module in () if is_sure else _modules(node):
        if module not in sys.modules and not is_of_library(module):
            problem = (
                f"the module {module} cannot be imported in a branch that may not run: "
                "it is not loaded"
            )
            hint = "Import it at the head of the module."
            raise Unsupported.refused(problem, m.span, hint)
    try:
        _define_imports(m, node)
    except ImportError as error:
        raise refusal(m, f"a module that cannot be imported ({error})") from None


def _modules(node: Any) -> Iterator[str]:
    """Yield the modules that an import loads; those of the package itself are loaded."""
    if isinstance(node, gast.Import):
        yield from (alias.name for alias in node.names)
    elif not node.level:
        yield node.module


def _define_imports(m: Machine, node: Any) -> None:
    if isinstance(node, gast.Import):
        for alias in node.names:
            module = importlib.import_module(alias.name)
            wanted = alias.asname or alias.name.split(".")[0]
            obj = module if alias.asname else importlib.import_module(wanted)
            _set(m, wanted, Code(obj, global_expr(m, wanted, obj)))
        return
    package = closure_at(m).module.get("__package__") if node.level else None
    module = importlib.import_module("." * node.level + (node.module or ""), package)
    for alias in node.names:
        wanted = alias.asname or alias.name
        obj = _imported(module, alias.name)
        value = m.lift(obj, None, wanted)
        if isinstance(value, Code):
            value = Code(value.obj, global_expr(m, wanted, value.obj))
        _set(m, wanted, value)


def _set(m: Machine, wanted: str, value: Value) -> None:
    place, key = places.slot_of(m, wanted)
    m.heap[place].slots[key] = value


def _imported(module: Any, wanted: str) -> Any:
    if hasattr(module, wanted):
        return getattr(module, wanted)
    return importlib.import_module(f"{module.__name__}.{wanted}")
