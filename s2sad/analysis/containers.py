"""Containers: what lists, dicts, tuples and objects hold, under which keys, and the steps that lead to it.

xs[i].v[j]      from xs by the steps [i], .v, [j]
list(xs)        a new list of what xs holds

list(d)                         the keys: nothing that d holds
d[u[0]] = 1.0; sum(k for k in d)      refused: a key that varies is read again as a number
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Set

import numpy as np

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    calls,
    constant,
    is_own_call,
    subscript,
    text_of_call,
)
from s2sad.ir.program import Block, For, Function, RegionOp, Return, Statement, Store
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Regions,
    Sequence,
    Tuple,
    Type,
    Unknown,
    is_float,
    region_of,
    type_of_keys,
)
from s2sad.ir.walk import bound, nodes_in, own_nodes, statements
from s2sad.operators.table import named
from s2sad.source.plain import is_record
from s2sad.types import join

DISPLAYS = frozenset({"list", "tuple", "set", "dict", "record"})
COPIES = frozenset({"list", "tuple", "dict", "copy.copy"})
DEEP_COPIES = frozenset({"copy.deepcopy", "deepcopy"})
# they make one array of what a container holds
STACKS = named("joins", "converts")
VIEWS = frozenset({"keys", "values", "items"})
COPY_METHODS = frozenset({"copy"})
NUMBER, HELD, INERT, UNCLEAR = "number", "held", "inert", "unclear"


def is_container(type_: Type) -> bool:
    """Tell whether a value is a list, a dict, a tuple or an object."""
    match type_:
        case Reference() | Tuple():
            return True
        case Sequence(_, cls):
            return cls in (list, tuple)
        case Optional(inner):
            return is_container(inner)
    return False


def is_held(type_: Type) -> bool:
    """Tell whether a value is memory that two names can share: an array, a list, an object."""
    if isinstance(type_, Optional):
        return is_held(type_.type)
    if isinstance(type_, Other):
        return type_.cls is set
    return isinstance(type_, Array | Numeric | Unknown) or is_container(type_)


def kind_of(type_: Type) -> str:
    """Return what stands in a slot: a number, held memory, what never varies, or who knows."""
    match type_:
        case Optional(inner):
            return kind_of(inner)
        case Number():
            return NUMBER
        case Other() | Code():
            return INERT
        case Numeric() | Unknown():
            return UNCLEAR
        case Sequence() if not is_container(type_):
            return INERT
    return HELD


def parts_of(type_: Type, regions: Regions) -> Iterable[tuple[Hashable, Type]]:
    """Return the types of what a container holds, each with its key."""
    match type_:
        case Optional(inner):
            return parts_of(inner, regions)
        case Tuple(items):
            return enumerate(items)
        case Sequence(item):
            return (("item", item),)
        case Reference(site) if site in regions:
            region = regions[site]
            return region.fields.items() if region.kind == "fields" else (("item", region.item),)
    return ()


def holds_unclear(type_: Type, regions: Regions, seen: frozenset[Type] = frozenset()) -> bool:
    """Tell whether a slot within a container may hold an array, and a number or None instead."""
    if type_ in seen:
        return False
    for _, slot in parts_of(type_, regions):
        is_either = isinstance(slot, Numeric | Unknown)
        is_missing = isinstance(slot, Optional) and isinstance(slot.type, Array | Numeric | Unknown)
        if is_either or is_missing or holds_unclear(slot, regions, seen | {type_}):
            return True
    return False


def dict_types(type_: Type, regions: Regions) -> tuple[Type, Type | None]:
    """Return the types of the keys and the values of a dict; None where values differ in kind."""
    if not isinstance(type_, Reference) or type_.site not in regions:
        return UNKNOWN, None
    region = regions[type_.site]
    if region.kind == "mapping":
        return region.key, region.item
    return type_of_keys(region.fields), joined_types(list(region.fields.values()))


def is_dict(type_: Type, regions: Regions) -> bool:
    """Tell whether a value is a dict: to go through it is to go through its keys."""
    region = region_of(type_, regions)
    if region is None or region.is_list:
        return False
    return region.kind == "mapping" or region.cls in (None, dict)


def dict_of_view(expr: Expr, words: Collection[str] = VIEWS) -> Expr | None:
    """Return the dict of d.keys(), d.values() or d.items()."""
    if expr.op != "call" or len(expr.args) > 1:
        return None
    function = expr.args[0]
    is_view = function.op == "attribute" and function.data in words
    return function.args[0] if is_view and isinstance(function.args[0].type, Reference) else None


def joined_types(found: list[Type]) -> Type | None:
    """Return one type for values that are of one kind, whatever their lengths."""
    if not found:
        return None
    if all(isinstance(t, Number) and t.dtype[0] in "fiu" for t in found):
        floats = [t for t in found if isinstance(t, Number) and t.dtype[0] == "f"]
        return Number(floats[0].dtype, None) if floats else Number("int64")
    first = found[0]
    if isinstance(first, Array):
        if not all(isinstance(t, Array) and t.rank == first.rank for t in found):
            return None
        dtypes = {t.dtype for t in found if isinstance(t, Array)}
        lengths = zip(*(t.lengths for t in found if isinstance(t, Array)), strict=True)
        each = tuple(n[0] if all(m == n[0] for m in n) else None for n in lengths)
        return Array(first.dtype, each) if len(dtypes) == 1 else None
    if isinstance(first, Numeric) and all(isinstance(t, Numeric) for t in found):
        joined: Type | None = first
        for other in found[1:]:
            joined = None if joined is None else join(joined, other)
        return joined
    if isinstance(first, Tuple) and not all(t == first for t in found):
        return _joined_tuples(first, found)
    return first if all(t == first for t in found) else None


def _joined_tuples(first: Tuple, found: list[Type]) -> Type | None:
    alike = [t for t in found if isinstance(t, Tuple) and t.cls is first.cls]
    if len(alike) < len(found) or len({len(t.items) for t in alike}) > 1:
        return None
    columns = [joined_types(list(column)) for column in zip(*(t.items for t in alike), strict=True)]
    known = tuple(each for each in columns if each is not None)
    return Tuple(known, first.cls) if len(known) == len(columns) else None


# ---------------------------------------------------------------------------- steps


def field_step(named: str) -> Expr:
    """Return the step to an attribute."""
    return Expr("attribute", (), named)


def is_field_step(step: Expr) -> bool:
    """Tell whether a step leads to an attribute."""
    return step.op == "attribute" and not step.args


def step_of(expr: Expr) -> Expr | None:
    """Return the last step of a part of a value; None if it is no part."""
    if expr.op == "subscript":
        return expr.args[1]
    if expr.op == "attribute" and (is_container(expr.args[0].type) or expr.data == "flat"):
        return field_step(expr.data)
    return None


def stepped(base: Expr, step: Expr) -> Expr:
    """Return the part of a value that a step leads to; its type is not known."""
    if is_field_step(step):
        return attribute(base, step.data)
    return subscript(base, step)


# ---------------------------------------------------------------------------- what is made


def is_made(expr: Expr) -> bool:
    """Tell whether an expression makes a new container."""
    if is_display(expr):
        return True
    is_copied = (is_copy(expr) or is_deep_copy(expr)) and is_container(expr.type)
    return is_copied or is_sum(expr) or is_repeated(expr)


def is_display(expr: Expr) -> bool:
    """Tell whether an expression is a container that is written out."""
    return expr.op in DISPLAYS or is_named_tuple(expr)


def is_named_tuple(expr: Expr) -> bool:
    """Tell whether an expression makes a named tuple of all its fields, by position."""
    if expr.op != "call" or expr.data or not isinstance(expr.type, Tuple):
        return False
    cls = expr.type.cls
    names = getattr(cls, "_fields", None)
    return calls(expr, cls) and names is not None and len(names) == len(expr.args) - 1


def is_copy(expr: Expr) -> bool:
    """Tell whether an expression is a new container of what another one holds."""
    return copied(expr) is not None


def copied(expr: Expr) -> Expr | None:
    """Return the container that an expression copies, or cuts a part of."""
    if is_cut(expr):
        return expr.args[0]
    if expr.op != "call" or expr.data:
        return None
    function, *args = expr.args
    if function.op == "attribute" and not args and function.data in COPY_METHODS:
        return function.args[0] if is_container(function.args[0].type) else None
    if function.op == "global" and len(args) == 1 and function.data.text in COPIES:
        return args[0] if is_container(args[0].type) else None
    return None


def is_cut(expr: Expr) -> bool:
    """Tell whether an expression is a slice of a container."""
    of_container = expr.op == "subscript" and is_container(expr.args[0].type)
    return of_container and expr.args[1].op == "slice"


def is_deep_copy(expr: Expr) -> bool:
    """Tell whether an expression copies a container and all that it holds."""
    return _is_of_one(expr, DEEP_COPIES) and is_container(expr.args[1].type)


def is_copy_of_array(expr: Expr) -> bool:
    """Tell whether an expression is copy.copy(u) of an array."""
    return _is_of_one(expr, DEEP_COPIES | {"copy.copy"}) and isinstance(expr.args[1].type, Array)


def _is_of_one(expr: Expr, called: Collection[str]) -> bool:
    """Tell whether an expression calls one of some functions with one argument."""
    return len(expr.args) == 2 and not expr.data and text_of_call(expr) in called


def is_sum(expr: Expr) -> bool:
    """Tell whether an expression is two containers, one after the other."""
    return expr.op == "binary" and expr.data == "+" and all(map(_is_joined, expr.args))


def _is_joined(expr: Expr) -> bool:
    """Tell whether an expression is a container, by its type or, where that is not known, by its parts."""
    is_open = isinstance(expr.type, Unknown)
    return is_container(expr.type) or (is_open and (is_sum(expr) or is_repeated(expr)))


def is_repeated(expr: Expr) -> bool:
    """Tell whether an expression repeats a container."""
    if expr.op != "binary" or expr.data != "*":
        return False
    held, count = repeated(expr)
    return _is_joined(held) and isinstance(count.type, Number)


def repeated(expr: Expr) -> tuple[Expr, Expr]:
    """Return the container that is repeated, and how many times."""
    left, right = expr.args
    return (left, right) if _is_joined(left) else (right, left)


def made_of(made: Expr) -> tuple[Expr, ...]:
    """Return the containers whose items a new one holds, which is no display."""
    if is_sum(made):
        return made.args
    if is_deep_copy(made):
        return (made.args[1],)
    source = copied(made)
    return (repeated(made)[0],) if source is None else (source,)


def slots(display: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield the items of a display, each with the step to it."""
    match display.op:
        case "dict":
            for item in display.args:
                yield item.args[0], item.args[1]
        case "record":
            for named, value in zip(display.data.names, display.args, strict=True):
                yield field_step(named), value
        case _:
            items = display.args[1:] if display.op == "call" else display.args
            for position, value in enumerate(items):
                yield whole(position), value


def is_slot(place: Expr) -> bool:
    """Tell whether a place is a slot of a container: what is stored there is not written over."""
    return place.op in ("subscript", "attribute") and is_container(place.args[0].type)


def whole(value: int) -> Expr:
    """Return a literal of an integer."""
    return constant(value, Number("int64"))


def is_of_module(expr: Expr) -> bool:
    """Tell whether an expression is an object of a module that may be changed where it stands."""
    if expr.op != "global":
        return False
    value = expr.data.value
    return isinstance(value, np.ndarray | list | dict | set) or is_record(value)


# functions that go through what they are given
THROUGH = frozenset(
    "list tuple set frozenset sorted reversed enumerate zip map filter iter sum max min".split()
)


def gives_keys(expr: Expr, regions: Regions) -> bool:
    """Tell whether what goes through a value is given keys: d, d.keys()."""
    return is_dict(expr.type, regions) or are_keys(expr, regions)


def are_keys(expr: Expr, regions: Regions) -> bool:
    """Tell whether a value is the keys of a dict: d.keys()."""
    return _is_view(expr, "keys", regions)


def _is_view(expr: Expr, word: str, regions: Regions) -> bool:
    base = dict_of_view(expr, (word,))
    return base is not None and is_dict(base.type, regions)


def keys_read(expr: Expr, regions: Regions) -> tuple[Expr, ...]:
    """Return the operands of which a call or a comprehension reads the keys: list(d), zip(d, x)."""
    if expr.op == "generator" or text_of_call(expr) in THROUGH:
        return tuple(arg for arg in expr.args if gives_keys(arg, regions))
    return ()


def refuse_keys(
    body: Block,
    varies: Callable[[Expr], bool],
    useful: Set[Variable],
    regions: Regions,
    functions: Mapping[str, Function],
) -> None:
    """Refuse keys that vary and are read again where that matters to the result.

    Of `functions` that are called, each that has dicts may make keys of all that it is handed.
    """
    every = statements(body)
    callees = {n for n, f in functions.items() if _has_dicts(f.body, regions)}
    stored = (key for statement in every for key in _keys_stored(statement, regions, callees))
    if not any(map(varies, stored)):
        return
    for statement in every:
        is_result = isinstance(statement, Return) or not useful.isdisjoint(bound(statement))
        if is_result and _reads_keys(statement, regions, callees):
            raise NotYet("a key of a dict that varies, and is read again", statement.span)


def _has_dicts(body: Block, regions: Regions) -> bool:
    """Tell whether a function has dicts whose keys may be floats."""
    types = (node.type for node in nodes_in(body))
    sites = {t.site for t in types if isinstance(t, Reference) and is_dict(t, regions)}
    return any(is_float(regions[site].key) for site in sites)


def _reads_keys(statement: Statement, regions: Regions, callees: Set[str]) -> bool:
    if isinstance(statement, For) and gives_keys(statement.domain, regions):
        return True
    every = list(own_nodes(statement))
    if any(is_own_call(n) and n.args[0].data in callees for n in every):
        return True
    return any(keys_read(n, regions) or _is_view(n, "items", regions) for n in every)


def _keys_stored(statement: Statement, regions: Regions, callees: Set[str]) -> Iterator[Expr]:
    """Yield the keys under which a statement puts something into a dict."""
    if isinstance(statement, Store) and statement.target.op == "subscript":
        base, key = statement.target.args
        yield from (key,) if is_dict(base.type, regions) else ()
    elif isinstance(statement, RegionOp) and is_dict(statement.base.type, regions):
        yield from (arg for arg in statement.args[:1] if not is_dict(arg.type, regions))
    for node in own_nodes(statement):
        if node.op == "dict":
            yield from (key for key, _ in slots(node))
        elif node.op == "comprehension" and node.args[0].op == "item":
            yield node.args[0].args[0]
        elif is_own_call(node) and node.args[0].data in callees:
            yield from node.args[1:]
