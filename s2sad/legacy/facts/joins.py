"""Two facts, of the values after two paths, become one that holds on both.

array (n,) | array (n,)   ->  array (n,)
array (n,) | array (m,)   ->  array (y@3.0,)     a new length
float | array             ->  unknown
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from s2sad.legacy.facts.fact import (
    ANY,
    SCALARS,
    UNKNOWN,
    Dim,
    Fact,
    Shape,
    Token,
    begun_with_number,
    open_tuple,
    or_none,
)

# names the length of an axis of the joined value that differs on the two paths
Fresh = Callable[[str], Dim]


def joined(a: Fact, b: Fact, fresh: Fresh, path: str = "") -> Fact:
    """Return what holds of a value that is either `a` or `b`."""
    if a == b:
        return a
    begun = _begun(a, b) or _given_later(a, b, fresh, path)
    if begun is not None:
        return begun
    shape = join_shapes(a.shape, b.shape, fresh, path)
    if a.kind == b.kind:
        return _same_kind(a, b, shape, fresh, path)
    if a.is_scalar and b.is_scalar:
        return _two_scalars(a, b)
    if is_numeric_or_unknown(a) and is_numeric_or_unknown(b):
        whole = any(x.kind in ("int", "bool") or x.weak is None for x in (a, b))
        weak = None if whole else False  # it may be a whole number, of which zeros are none
        return Fact("unknown", a.dtype if a.dtype == b.dtype else "", shape, weak=weak)
    return UNKNOWN


def _begun(a: Fact, b: Fact) -> Fact | None:
    """Return what is known of a number of the text and the array that it grows to be."""
    arrays = [x.begun or x for x in (a, b) if x.begun or (x.is_array and x.rank)]
    numbers = [x for x in (a, b) if x.literal or (x.kind == "int" and x.weak)]
    if len(arrays) + len(numbers) != 2 or not arrays or not (numbers or a.begun or b.begun):
        return None
    first, last = arrays[0], arrays[-1]
    if first.shape != last.shape:
        return None
    return begun_with_number(first if first.dtype == last.dtype else replace(first, dtype=""))


def _given_later(a: Fact, b: Fact, fresh: Fresh, path: str) -> Fact | None:
    """Return what is known of a value that is None until a number or an array is given."""
    if not any(fact.kind == "none" or fact.optional for fact in (a, b)):
        return None
    given = [fact.given or fact for fact in (a, b) if fact.kind != "none"]
    if not all(fact.is_scalar or (fact.is_array and fact.rank) for fact in given):
        return None
    known = replace(given[0], value=None, extent=None, literal=False)
    if len(given) == 1 or known == given[1]:
        return or_none(known)
    known = joined(known, given[1], fresh, path)
    return or_none(known) if known.is_scalar or known.is_array else None


def is_numeric_or_unknown(fact: Fact) -> bool:
    """Tell whether a value has, as far as is known, a shape."""
    return fact.kind in SCALARS or fact.kind in ("array", "unknown")


def _same_kind(a: Fact, b: Fact, shape: Shape, fresh: Fresh, path: str) -> Fact:
    if a.kind == "list" or a.kind == "object":
        return replace(a, items=join_elements((*a.items, *b.items)), value=None, shape=None)
    if a.kind == "dict":
        return _joined_dicts(a, b, path)
    if a.kind == "tuple":
        return _joined_tuples(a, b, fresh, path)
    if a.made_of is not b.made_of:
        return UNKNOWN
    if a.kind == "record":
        return _joined_records(a, b, path)
    return replace(
        a,
        items=join_elements((*a.items, *b.items)) if a.is_object else (),
        literal=a.literal and b.literal,
        optional=False,
        dtype=a.dtype if a.dtype == b.dtype else "",
        shape=shape,
        weak=None if a.weak != b.weak or _is_whole_on_one_way(a, b) else a.weak,
        extent=a.extent if a.extent == b.extent else None,
        value=a.value if a.value == b.value else None,
    )


def _is_whole_on_one_way(a: Fact, b: Fact) -> bool:
    """Tell whether one of two arrays may hold whole numbers, of which zeros are none."""
    whole = any(not x.dtype or x.dtype.startswith(("int", "uint", "bool")) for x in (a, b))
    return whole and a.is_array and a.dtype != b.dtype


def _joined_tuples(a: Fact, b: Fact, fresh: Fresh, path: str) -> Fact:
    if a.shape is None or a.shape != b.shape:
        return either_length(a, b)
    parts = zip(a.items, b.items, strict=True)
    items = tuple(joined(x, y, fresh, f"{path}[{i}]") for i, (x, y) in enumerate(parts))
    return replace(a, items=items, value=None, extent=a.extent if a.extent == b.extent else None)


def either_length(a: Fact, b: Fact) -> Fact:
    """Return a tuple of unknown length that holds what either holds."""
    if any(each.shape is None and not each.items for each in (a, b)):
        return open_tuple()
    return open_tuple(items=join_elements((*a.items, *b.items)))


def _joined_dicts(a: Fact, b: Fact, path: str) -> Fact:
    """Return a dict of the keys that both have; of other keys each item may be any of all."""
    if not a.items and not b.items:
        return Fact("dict")
    if a.keys != b.keys or len(a.items) != len(b.items):
        every = join_elements((*a.items, *b.items)) if a.items and b.items else (UNKNOWN,)
        return Fact("dict", items=every)
    # as in lists, lengths of items have no name of their own
    items = tuple(joined(x, y, lambda _: ANY, path) for x, y in zip(a.items, b.items, strict=True))
    return Fact("dict", items=items, keys=a.keys)


def _joined_records(a: Fact, b: Fact, path: str) -> Fact:
    """Return an object of which each field may be that of the one or of the other."""
    if a.keys != b.keys:
        return UNKNOWN
    # as in lists, lengths of items have no name of their own
    items = tuple(joined(x, y, lambda _: ANY, path) for x, y in zip(a.items, b.items, strict=True))
    return replace(a, items=items, value=None)


def with_item(owner: Fact, key: object, item: Fact) -> Fact:
    """Return what is known of a dict once `item` stands under `key`."""
    # as in lists, lengths of items have no name of their own
    item = with_dims(replace(item, value=None), lambda dim, _: ANY if dim.symbol else dim)
    if not owner.keys or not isinstance(key, str | int):
        every = join_elements((*owner.items, item)) if owner.items else ()
        return replace(owner, keys=(), items=every)
    items = dict(zip(owner.keys, owner.items, strict=True)) | {key: item}
    return Fact("dict", items=tuple(items.values()), keys=tuple(items))


def with_part(owner: Fact, at: object, item: Fact) -> Fact:
    """Return what is known of the parts of a tuple, held in a list, once `item` is one of them."""
    if isinstance(at, bool) or not isinstance(at, int) or not -owner.count <= at < owner.count:
        return UNKNOWN
    items = list(owner.items)
    items[at] = item
    return replace(owner, items=tuple(items), value=None)


def _two_scalars(a: Fact, b: Fact) -> Fact:
    order = ("bool", "int", "float", "complex")
    low, high = sorted((a, b), key=lambda fact: order.index(fact.kind))
    if high.kind == "int":
        return Fact("int", "", (), weak=None)
    if high.kind == "complex":
        return Fact("complex", high.dtype if low.weak else "", (), weak=None)
    # `total = 0`, then `total += x`: an int that stands for a float
    return Fact("float", high.dtype if low.weak else "", (), weak=None)


def join_shapes(a: Shape, b: Shape, fresh: Fresh, path: str) -> Shape:
    """Return the shape of a value that has one of two."""
    if a == b:
        return a
    if a is None or b is None or isinstance(a, Token) or isinstance(b, Token):
        return None
    if len(a) != len(b):
        return None
    pairs = enumerate(zip(a, b, strict=True))
    return tuple(x if x == y else fresh(f"{path}.{i}") for i, (x, y) in pairs)


def join_elements(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the one fact of all elements of a list, or () of none."""
    result: Fact | None = None
    for fact in facts:
        result = fact if result is None else joined(result, fact, lambda _: ANY)
    return () if result is None else (result,)


def with_dims(fact: Fact, change: Callable[[Dim, str], Dim], path: str = "") -> Fact:
    """Return the fact with every length of it, and of its parts, changed.

    `change` gets a length and where it stands, as in '[1].0'; a place in a list starts with '?'.
    """
    shape, items, extent = fact.shape, fact.items, fact.extent
    if not shape and not items and extent is None:
        return fact
    if isinstance(shape, tuple) and shape and fact.kind != "tuple":
        shape = tuple(change(dim, f"{path}.{i}") for i, dim in enumerate(shape))
    if items:
        # the elements of a list differ: their lengths have no name of their own
        inner = "?" if fact.kind in ("list", "object", "dict") else path
        items = tuple(with_dims(x, change, f"{inner}[{i}]") for i, x in enumerate(items))
    if isinstance(extent, tuple):
        changed = tuple(change(dim, "") for dim in extent)
        extent = None if ANY in changed else changed
    if shape is fact.shape and items is fact.items and extent is fact.extent:
        return fact
    return fact.with_lengths(shape, items, extent)


def element(fact: Fact, name: Callable[[str], Dim]) -> Fact:
    """Return the fact of one element of a list, its own lengths named."""
    return _instance(fact, name, "")


def _instance(fact: Fact, name: Callable[[str], Dim], path: str) -> Fact:
    if fact.kind in ("list", "object", "dict") or (fact.kind == "tuple" and fact.shape is None):
        return fact
    shape, items = fact.shape, fact.items
    if isinstance(shape, tuple) and ANY in shape:
        named = enumerate(shape)
        shape = tuple(name(f"{path}.{i}") if dim == ANY else dim for i, dim in named)
    if items:
        items = tuple(_instance(x, name, f"{path}[{i}]") for i, x in enumerate(items))
    unchanged = shape is fact.shape and items is fact.items
    return fact if unchanged else fact.with_lengths(shape, items, fact.extent)


def with_item_inside(held: Fact, depth: int, value: Fact) -> Fact:
    """Return what is known of a list once a value is stored in lists inside of it."""
    if depth == 1:
        return Fact("list", items=join_elements((*held.items, value)))
    if held.kind != "list" or not held.items:
        return UNKNOWN
    return replace(held, items=(with_item_inside(held.items[0], depth - 1, value),))
