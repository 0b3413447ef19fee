"""The types of nodes: those of memory are found here, all others by `types.infer`.

xs[i]        the item of the memory that xs refers to
body.x       the field
zip(a, b)    a sequence of tuples of their items
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad import types
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Known, keywords, positional
from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Region,
    Sequence,
    Tuple,
    Type,
    Unknown,
    is_float,
    is_integer,
    type_of_keys,
    with_lengths,
)
from s2sad.lowering.list_lengths import length_of_list
from s2sad.lowering.machine import Machine
from s2sad.lowering.memory import ITEM, KEY, UNSET, Kept, add_regions
from s2sad.lowering.values import BOOL, INTEGER, Fails
from s2sad.operators.modules import is_hashable, takes_numbers
from s2sad.source.owners import is_own
from s2sad.types import Context, Mismatch, infer, type_of
from s2sad.types.attributes import known_number
from s2sad.types.subscripts import item_of

Typed = tuple[Type, Known | None]
Lengths = tuple[Length | None, ...]
COPIES = frozenset({list, sorted, reversed, tuple, set, frozenset})
DOMAINS = (zip, enumerate, reversed, range, map, np.ndindex, np.ndenumerate)
LISTS = (list, tuple)
COMPUTED = frozenset({"unary", "binary", "subscript", "attribute", "call"})
DEEPEST = 4  # lists in lists whose copy has memory of its own


def typed(m: Machine, expr: Expr) -> Expr:
    """Return a node with its type, and its value where that is known, from those of its args."""
    found = _of_memory(m, expr)
    if found is not None:
        return expr.typed(found[0], found[1])
    expr = _of_numbers(expr)
    seen = [_as_sequence(m, arg) for arg in expr.args]
    if any(map(_is_unset, seen)):
        if expr.op == "conditional":
            return expr.typed(m.memory.joined(expr.args[1].type, expr.args[2].type))
        if expr.op in COMPUTED:
            return expr.typed(UNSET)
    try:
        inferred = infer(expr.with_args(seen), m.context)
    except types.Fails as fault:
        reason = f"{type(fault.exception).__name__}: {fault.exception}"
        # the kinds of values decide it, which the text asks for; of lengths it does not
        raised = TypeError if isinstance(fault.exception, TypeError) else None
        raise Fails(reason, expr.span or m.span, raised=raised) from None
    except NotYet as fault:
        if type(fault) is not NotYet or fault.span is not None:
            raise
        raise NotYet(fault.reason, expr.span or m.span) from None
    return expr.typed(inferred.type, inferred.known)


def _is_unset(expr: Expr) -> bool:
    """Tell whether there is no such value so far; one of an empty list there is."""
    in_display = expr.op in ("list", "tuple") and any(map(_is_unset, expr.args))
    return in_display or expr.type is UNSET


def _of_numbers(expr: Expr) -> Expr:
    """Return a call of a function of Python's numbers with what it is handed as one: math.sqrt(x)."""
    called = expr.args[0].known if expr.op == "call" else None
    if called is None or not takes_numbers(called.value):
        return expr
    return expr.with_args(
        arg.typed(Number(arg.type.dtype, None)) if isinstance(arg.type, Numeric) else arg
        for arg in expr.args
    )


def describe(m: Machine, value: Any, site: str) -> Type:
    """Return the type of an object of a module, whose lengths are the same in every run."""
    found = Context()
    type_ = type_of(value, site, found)
    sizes = {symbol: Length((), size) for symbol, size in found.assumptions.sizes.items()}

    def literal(length: Length) -> Length:
        return length.replaced(sizes)

    regions = {s: _that_may_be_filled(region_with(r, literal)) for s, r in found.regions.items()}
    add_regions(m.memory, regions, found.options, m.context.opened)
    for each in found.by_place.keys() - m.context.opened:
        m.context.by_place.setdefault(each, region_with(found.by_place[each], literal))
    return with_lengths(type_, literal)


def _that_may_be_filled(region: Region) -> Region:
    """Return memory of a module, of which an empty list says nothing: it is asked for at no call."""
    return replace(region, item=UNKNOWN) if region.item == UNKNOWN else region


def region_with(region: Region, change: Callable[[Length], Length]) -> Region:
    """Return memory with every length of its types changed."""
    fields = {key: with_lengths(type_, change) for key, type_ in region.fields.items()}
    return replace(region, item=with_lengths(region.item, change), fields=fields)


def without_lengths(type_: Type) -> Type:
    """Return a type with no length known."""
    return with_lengths(type_, lambda length: length if length.is_literal else None)


def reference(type_: Type) -> Reference | None:
    """Return the reference that a value is, which may be None too."""
    inner = type_.type if isinstance(type_, Optional) else type_
    return inner if isinstance(inner, Reference) else None


def memory_of(m: Machine, type_: Type) -> Kept | None:
    """Return the memory that a value refers to, which may be None too; None of other values."""
    found = reference(type_)
    return None if found is None else m.memory.of(found)


def has_slots(m: Machine, type_: Type, *classes: type) -> bool:
    """Tell whether a value is memory of one of some classes whose slots differ: each has its type."""
    kept = memory_of(m, type_)
    return kept is not None and kept.kind == "fields" and (not classes or kept.cls in classes)


def item_type(m: Machine, type_: Type) -> Type:
    """Return the type of what a loop over a value is given."""
    match type_:
        case Tuple(items):
            return m.memory.sequence(type_).item if items else UNSET
        case Optional(inner):
            return item_type(m, inner)
        case Reference():
            return _item_of_memory(m, type_)
        case Unknown():
            return type_
    return item_of(type_, m.context)


def _item_of_memory(m: Machine, type_: Reference) -> Type:
    kept = m.memory.of(type_)
    if kept.kind == "fields" and kept.cls not in LISTS:
        return type_of_keys(kept.slots)
    return m.memory.item(type_, KEY) if kept.kind == "mapping" else held_in(m, type_)


def known_field(m: Machine, type_: Type, key: Any) -> Typed:
    """Return the type of a field of an object, or of a dict under constant keys, and its value."""
    found = reference(type_)
    held = None if found is None else m.memory.read(found, key)
    return (UNKNOWN, None) if held is None else (held.type, held.known)


# ---------------------------------------------------------------------------- memory


def _of_memory(m: Machine, expr: Expr) -> Typed | None:
    match expr.op:
        case "attribute":
            if reference(expr.args[0].type) is not None:
                return known_field(m, expr.args[0].type, expr.data)
        case "subscript":
            return _item(m, expr)
        case "binary":
            return _of_lists(m, expr)
        case "call":
            return _of_call(m, expr)
        case "compare":
            if any(reference(arg.type) or arg.type == UNKNOWN for arg in expr.args):
                return BOOL, None
        case "unary":
            if expr.data == "not" and expr.args[0].known is None:
                return BOOL, None
    return None


def _item(m: Machine, expr: Expr) -> Typed | None:
    base, index = expr.args
    is_slice = getattr(index.type, "cls", None) is slice
    if isinstance(base.type, Tuple):
        return _item_of_tuple(m, base.type, index)
    if isinstance(base.type, Sequence):
        return (base.type, None) if is_slice else (base.type.item, None)
    found = reference(base.type)
    if found is None:
        return None
    kept = m.memory.of(found)
    if not issubclass(kept.cls or dict, (list, tuple, dict)):
        return None  # an object, whose brackets compute: np.r_
    if is_slice and kept.kind == "fields" and index.known is None:
        return m.memory.list_of(new_site(m, expr), [held_in(m, found)]), None
    if is_slice:
        return copied(m, found, expr, chosen=index.known), None
    if kept.kind == "fields":
        if index.known is not None:
            key = index.known.value
            if kept.cls in LISTS and isinstance(key, int) and key < 0:
                key += len(kept.slots)
            return known_field(m, found, key)
    return held_in(m, found), None


def held_in(m: Machine, found: Reference) -> Type:
    """Return the type of what a list or dict holds, under whichever key."""
    kept = m.memory.of(found)
    if kept.kind != "fields":
        return m.memory.item(found)
    held = [m.memory.item(found, key) for key in list(kept.slots)]
    return m.memory.sequence(Tuple(tuple(held))).item


def _item_of_tuple(m: Machine, type_: Tuple, index: Expr) -> Typed:
    if index.known is not None:
        try:
            found = type_.items[index.known.value]
        except (IndexError, TypeError):
            return UNKNOWN, None
        if isinstance(found, tuple):
            return Tuple(found), _known_of_all(found)
        return found, known_number(found)
    if index.op == "slice":
        return m.memory.sequence(type_), None
    return item_type(m, type_), None


def _known_of_all(parts: tuple[Type, ...]) -> Known | None:
    """Return the value of a tuple of lengths that are known: u.shape[1:]."""
    known = [found.value for found in map(known_number, parts) if found is not None]
    return Known(tuple(known)) if len(known) == len(parts) else None


def copied(m: Machine, source: Reference, expr: Expr, chosen: Known | None = None) -> Reference:
    """Return a reference to new memory that holds what other memory holds, or a slice of it."""
    kept = m.memory.of(source)
    target = m.memory.make(new_site(m, expr), kept.kind, kept.cls)
    keys = tuple(kept.slots) or (ITEM,)
    if chosen is None or kept.kind != "fields":
        moved = dict(zip(keys, keys, strict=True))
    else:
        moved = dict(enumerate(sorted(keys)[chosen.value]))
    m.memory.copy_slots(source, target, moved)
    if kept.kind == "fields":
        born = [new for new, old in moved.items() if m.memory.is_certain(source, old)]
        m.memory.note_born(target, born)
    return target


def _shallow(m: Machine, type_: Type, expr: Expr) -> Type | None:
    """Return the type of copy.copy(...)."""
    return copied(m, type_, expr) if isinstance(type_, Reference) else type_


def _deep(m: Machine, type_: Type, expr: Expr, word: str = "") -> Type | None:
    """Return the type of a copy of lists, dicts and objects with all that they hold; None for others."""
    if isinstance(type_, Tuple):
        parts = [_deep(m, t, expr, f"{word}.{k}") for k, t in enumerate(type_.items)]
        known = [t for t in parts if t is not None]
        return Tuple(tuple(known), type_.cls) if len(known) == len(parts) else None
    if not isinstance(type_, Reference):
        return type_ if isinstance(type_, Number | Array | Numeric | Other | Unknown) else None
    kept = m.memory.of(type_)
    is_object = is_own(kept.cls) and not hasattr(kept.cls, "__deepcopy__")
    if not (kept.cls in (list, dict) or is_object) or word.count(".") > DEEPEST:
        return None
    target = m.memory.make(new_site(m, expr, word), kept.kind, kept.cls)
    for key in tuple(kept.slots) or (ITEM,):
        held = m.memory.read(type_, key)
        if held is None:
            continue
        part = _deep(m, held.type, expr, f"{word}.{key}")
        if part is None:
            return None
        m.memory.store(target, key, part, held.known)
    if m.memory.is_open(type_):
        m.memory.leave_open(target)
    if kept.kind == "fields":
        m.memory.note_born(target, [k for k in kept.slots if m.memory.is_certain(type_, k)])
    return target


def new_site(m: Machine, expr: Expr, word: str = "") -> Any:
    """Return the site of memory that an expression makes."""
    span = expr.span or m.span
    place = None if span is None else (span.path, span.line, span.column, span.end_column)
    return "made", expr.op, word, place, m.heap[m.frame].site


def new_list(m: Machine, expr: Expr, item: Type) -> Reference:
    """Return a reference to a new list of items of a type."""
    made = m.memory.list_of(new_site(m, expr), [item] if item != UNKNOWN else [])
    if item == UNKNOWN and item is not UNSET:
        m.memory.leave_open(made)
    return made


def _of_lists(m: Machine, expr: Expr) -> Typed | None:
    """Return the type of a sum of lists, or of a list that is repeated."""
    left, right = (reference(arg.type) for arg in expr.args)
    if expr.data not in ("+", "*") or left is right is None:
        return None
    if expr.data == "*":
        source, count = (left, expr.args[1]) if left is not None else (right, expr.args[0])
        if source is None or m.memory.of(source).kind != "list" or not is_integer(count.type):
            return None  # of an array or a float NumPy makes an array
        return copied(m, source, expr), None
    if left is None or right is None:
        return None
    made = new_list(m, expr, UNSET)
    for part in (left, right):
        m.memory.store(made, ITEM, _item_of_memory(m, part), None)
    return made, None


# ---------------------------------------------------------------------------- calls


def _of_call(m: Machine, expr: Expr) -> Typed | None:
    function = expr.args[0]
    if function.op == "attribute" and reference(function.args[0].type) is not None:
        return _of_method(m, function.args[0], function.data, expr)
    if function.op != "global":
        return None
    called, args = function.data.value, positional(expr)
    if not is_hashable(called):
        return None
    if called in DOMAINS:
        return _domain(m, called, expr)
    if not args:
        return None
    if called is len and (reference(args[0].type) or isinstance(args[0].type, Sequence)):
        return INTEGER, None
    if called is len and isinstance(args[0].type, Tuple):
        return INTEGER, Known(len(args[0].type.items))
    if called in (copy.copy, copy.deepcopy) and len(args) == 1:
        made = (_shallow if called is copy.copy else _deep)(m, args[0].type, expr)
        return None if made is None else (made, None)
    if called in COPIES and len(args) == 1:
        return _copy(m, called, args[0], expr)
    if called in (sum, min, max) and len(args) == 1 and not expr.data:
        return _of_items(m, called, args[0])
    if called is dict and reference(args[0].type) and not keywords(expr):
        return copied(m, args[0].type, expr), None  # type: ignore[arg-type]
    if called in (any, all, isinstance, hasattr, callable):
        return BOOL, None
    return None


def _domain(m: Machine, called: Any, expr: Expr) -> Typed | None:
    args = positional(expr)
    if called is range:
        values = [arg.known for arg in args]
        known = None if None in values else _known_range([v.value for v in values if v])
        return Sequence(INTEGER, range), known
    if called is np.ndindex:
        return Sequence(_position(args), np.ndindex), None
    if called is np.ndenumerate:
        return _of_places(args[0].type), None
    items = [item_type(m, arg.type) for arg in args if arg.op != "starred"]
    if called is zip:
        if any(arg.op == "starred" for arg in args):
            return Sequence(_column(m, args), zip), None
        return Sequence(Tuple(tuple(items)), zip), None
    if called is enumerate:
        return Sequence(Tuple((INTEGER, items[0])), enumerate), None
    return (Sequence(items[0], reversed), None) if called is reversed else None


def _position(args: list[Expr]) -> Type:
    """Return the type of the positions in what has a shape: np.ndindex(shape), or its lengths."""
    found = [arg.args[0].type if arg.op == "starred" else arg.type for arg in args]
    if not all(isinstance(each, Number | Tuple) for each in found):
        return Sequence(INTEGER, tuple)
    ranks = [len(each.items) if isinstance(each, Tuple) else 1 for each in found]
    return Tuple((INTEGER,) * sum(ranks))


def _of_places(type_: Type) -> Type:
    """Return the type of what np.ndenumerate gives of an array."""
    if not isinstance(type_, Array):
        return UNKNOWN
    place, element = Tuple((INTEGER,) * len(type_.lengths)), Number(type_.dtype, True)
    return Sequence(Tuple((place, element)), np.ndenumerate)


def _column(m: Machine, args: list[Expr]) -> Type:
    """Return the type of what zip(*rows) gives: a tuple of one item of each row."""
    rows = args[0].args[0] if len(args) == 1 else None
    item = UNKNOWN if rows is None else item_type(m, item_type(m, rows.type))
    return UNKNOWN if item == UNKNOWN else Sequence(item, tuple)


def _known_range(values: list[Any]) -> Known | None:
    try:
        return Known(range(*values))
    except (TypeError, ValueError):
        return None


def _copy(m: Machine, called: Any, arg: Expr, expr: Expr) -> Typed | None:
    item = item_type(m, arg.type)
    if called in (list, sorted):
        return new_list(m, expr, item), None
    if called is tuple and arg.known:
        return None
    if called is tuple:
        return (arg.type if isinstance(arg.type, Tuple) else Sequence(item, tuple)), None
    return Other(called), None


def _of_items(m: Machine, called: Any, arg: Expr) -> Typed | None:
    """Return the type of the sum or extreme of the items of what is no array."""
    if isinstance(arg.type, Array | Numeric):
        return None
    item = item_type(m, arg.type)
    if item == UNKNOWN:
        return (m.memory.joined(INTEGER, item) if called is sum else item), None
    # without items 0; with them it is of their precision: 0 + np.float32(1.0)
    zero = Number(item.dtype) if is_float(item) else INTEGER  # type: ignore[union-attr]
    return (m.memory.joined(zero, item) if called is sum else item), None


def _of_method(m: Machine, base: Expr, word: str, expr: Expr) -> Typed | None:
    found = reference(base.type)
    assert found is not None
    kept = m.memory.of(found)
    args = positional(expr)
    item = UNKNOWN if kept.kind == "fields" else m.memory.item(found)
    match kept.kind, word:
        case ("list", "pop") | ("mapping", "pop" | "setdefault"):
            return m.memory.joined(item, args[1].type) if len(args) > 1 else item, None
        case _, "copy":
            return copied(m, found, expr), None
        case "list", "index" | "count":
            return INTEGER, None
        case "mapping", "get":
            default = args[1].type if len(args) > 1 else Other(type(None))
            return m.memory.joined(item, default), None
        case "fields", "get" | "pop" if args and args[0].known is not None:
            return known_field(m, found, args[0].known.value)
    return _view_of_dict(m, found, word)


def _view_of_dict(m: Machine, found: Reference, word: str) -> Typed | None:
    kept = m.memory.of(found)
    if kept.cls is not dict:
        return None
    key, item = _item_of_memory(m, found), held_in(m, found)
    match word:
        case "keys":
            return Sequence(key, type({}.keys())), None
        case "values":
            return Sequence(item, type({}.values())), None
        case "items":
            return Sequence(Tuple((key, item)), type({}.items())), None
    return None


def _as_sequence(m: Machine, expr: Expr) -> Expr:
    """Return a list as `types` sees it: a sequence of its items, which has no identity."""
    if expr.op in ("tuple", "list", "slice", "starred"):
        return expr.with_args(_as_sequence(m, arg) for arg in expr.args)
    found = reference(expr.type)
    if found is None or m.memory.of(found).kind != "list":
        return expr
    length = length_of_list(m.block, expr, m.context)
    return replace(expr, type=Sequence(_viewed(m, m.memory.item(found), 0), list, length))


def _viewed(m: Machine, type_: Type, depth: int) -> Type:
    """Return the type of an item with lists in it as sequences."""
    found = reference(type_)
    if found is not None and depth < 4 and m.memory.of(found).kind == "list":
        return Sequence(_viewed(m, m.memory.item(found), depth + 1), list)
    if isinstance(type_, Tuple):
        return Tuple(tuple(_viewed(m, t, depth) for t in type_.items), type_.cls)
    return type_


def assume_equal(m: Machine, *found: Lengths) -> None:
    """Assume that lengths are the same as those of the first, where the examples show it."""
    for lengths in found[1:]:
        for a, b in zip(found[0], lengths, strict=False):
            if a is not None and b is not None and a != b and m.context.assumptions.agree(a, b):
                raise Mismatch(a, b)


def assume_last_equal(m: Machine, *stored: Type) -> None:
    """Assume that what is stored into an array is as long as the part that it goes to."""
    assume_equal(m, *(t.lengths[::-1] if isinstance(t, Array) else () for t in stored))
