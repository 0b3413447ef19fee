"""What `x[key]` is: a number, a view, a copy of chosen elements.

r[i]      of (n,)     ->  number            W[i]      of (m, n)  ->  (n,)
u[1:-1]   of (n,)     ->  (n-2,)            x[mask]   of (n,)    ->  a new length
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2sad.legacy.facts.binding import (
    OPEN,
    FactOf,
    as_array,
    constant_of,
    length_of,
)
from s2sad.legacy.facts.context import Context, broadcast_of, text_of
from s2sad.legacy.facts.fact import (
    ONE,
    UNKNOWN,
    Dim,
    Fact,
    Shape,
    Token,
    array,
    open_tuple,
    python_int,
    scalar,
    tuple_of,
)
from s2sad.legacy.facts.joins import element, join_elements, joined
from s2sad.legacy.facts.shapes import slice_dim, token_slice
from s2sad.legacy.program import Const, Expr, Op
from s2sad.legacy.traverse import is_path


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a subscript: 'int', 'slice', 'new', 'rest' or 'array'."""

    kind: str
    expr: Expr | None = None
    fact: Fact = UNKNOWN

    @property
    def consumed(self) -> int:
        """Return how many axes the part takes."""
        if self.kind in ("new", "rest"):
            return 0
        mask = self.kind == "array" and self.fact.dtype == "bool"
        return (self.fact.rank or 1) if mask else 1


def indexed(base: Expr, key: Expr, fact_of: FactOf, ctx: Context) -> Fact:
    """Return what is known of `base[key]`."""
    if is_path(key):
        for item in key.args[:-1]:
            base = Op("index", (base, item))
        return fact_of(Op("index", (base, key.args[-1])), ctx)
    owner = fact_of(base, ctx)
    if owner.kind in ("tuple", "list", "object", "str"):
        return _of_sequence(owner, base, key, fact_of, ctx)
    if owner.kind == "dict":
        return _of_dict(owner, base, key, fact_of, ctx)
    if owner.kind not in ("array", "unknown"):
        return UNKNOWN
    if isinstance(owner.shape, Token):
        return _of_token(owner, owner.shape, key, fact_of, ctx)
    if not isinstance(owner.shape, tuple):
        return Fact("unknown", owner.dtype)
    parts = _parts(key, fact_of, ctx)
    if parts is None:
        return Fact("unknown", owner.dtype)
    return _selected(owner, owner.shape, parts, f"{text_of(base)}[{text_of(key)}]", fact_of, ctx)


# ---------------------------------------------------------------------------- sequences


def _of_sequence(owner: Fact, base: Expr, key: Expr, fact_of: FactOf, ctx: Context) -> Fact:
    if owner.kind == "str":
        return Fact("str")
    if owner.kind == "tuple":
        return _of_tuple(owner, base, key, fact_of, ctx)
    if isinstance(key, Op) and key.op == "slice":
        return owner
    if not owner.items or fact_of(key, ctx).kind not in ("int", "bool", "unknown"):
        return UNKNOWN
    name = f"{text_of(base)}[{text_of(key)}]"
    return element(owner.items[0], lambda path: ctx.fresh(name + path, (base, key)))


def _of_dict(owner: Fact, base: Expr, key: Expr, fact_of: FactOf, ctx: Context) -> Fact:
    """Return the item of a key; of a key that is not known, what holds of all items."""
    asked = constant_of(key, fact_of, ctx)
    found = dict(zip(owner.keys, owner.items, strict=False))
    if asked is not OPEN and owner.keys:
        item = found.get(asked, UNKNOWN) if isinstance(asked, str | int) else UNKNOWN
    else:
        item = next(iter(join_elements(owner.items)), UNKNOWN)
    name = f"{text_of(base)}[{text_of(key)}]"
    return element(item, lambda path: ctx.fresh(name + path, (base, key)))


def _of_tuple(owner: Fact, base: Expr, key: Expr, fact_of: FactOf, ctx: Context) -> Fact:
    if owner.shape is None:
        return _of_open_tuple(owner, base, key, fact_of, ctx)
    at = _constant_key(key, fact_of, ctx)
    if isinstance(at, slice):
        return tuple_of(owner.items[at])
    if isinstance(at, int):
        return owner.items[at] if -len(owner.items) <= at < len(owner.items) else UNKNOWN
    if isinstance(key, Op) and key.op == "slice":
        return Fact("tuple")
    name = f"{text_of(base)}[{text_of(key)}]"
    found: Fact | None = None
    for item in owner.items:
        found = (
            item
            if found is None
            else joined(found, item, lambda path: ctx.fresh(name + path, (base, key)))
        )
    return found or UNKNOWN


def _of_open_tuple(owner: Fact, base: Expr, key: Expr, fact_of: FactOf, ctx: Context) -> Fact:
    if isinstance(key, Op) and key.op == "slice":
        return open_tuple(items=owner.items)
    name = f"{text_of(base)}[{text_of(key)}]"
    if owner.items:
        return element(owner.items[0], lambda path: ctx.fresh(name + path, (base, key)))
    # an element of x.shape: a length
    return UNKNOWN if owner.extent is None else python_int(ctx.fresh(name, (base, key)))


def _constant_key(key: Expr, fact_of: FactOf, ctx: Context) -> int | slice | None:
    if isinstance(key, Op) and key.op == "slice":
        ends = [constant_of(end, fact_of, ctx) for end in key.args]
        known = all(end is None or isinstance(end, int) for end in ends)
        return slice(*ends) if known else None
    found = constant_of(key, fact_of, ctx)
    return found if isinstance(found, int) else None


# ---------------------------------------------------------------------------- arrays


def _of_token(owner: Fact, token: Token, key: Expr, fact_of: FactOf, ctx: Context) -> Fact:
    if not isinstance(key, Op) or key.op != "slice":
        return Fact("unknown", owner.dtype)
    lower, upper = (_bound(end, fact_of, ctx) for end in key.args[:2])
    shape = token_slice(token, lower, upper, _step(key, fact_of, ctx))
    return Fact(owner.kind, owner.dtype, shape)


def _bound(end: Expr, fact_of: FactOf, ctx: Context) -> Dim | None:
    if end == Const(None) or fact_of(end, ctx).kind == "none":
        return None
    return length_of(end, fact_of, ctx)


def _step(key: Op, fact_of: FactOf, ctx: Context) -> int | None:
    """Return the step of a slice, None when it is not known."""
    step = constant_of(key.args[2], fact_of, ctx)
    return 1 if step is None else step if isinstance(step, int) else None


def _parts(key: Expr, fact_of: FactOf, ctx: Context) -> list[Part] | None:
    """Return the parts of a subscript; None where one of them is not understood."""
    keys = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    parts: list[Part] = []
    for each in keys:
        if not isinstance(each, Op) or each.op != "slice":
            fact = fact_of(each, ctx)
            if fact.kind == "tuple" and each is key:
                return _parts_of_tuple(fact)
        part = _part(each, fact_of, ctx)
        if part is None:
            return None
        parts.append(part)
    return parts


def _parts_of_tuple(fact: Fact) -> list[Part] | None:
    parts = [_part_of(item, None) for item in fact.items]
    found = [part for part in parts if part is not None]
    return found if fact.shape is not None and len(found) == len(parts) else None


def _part(expr: Expr, fact_of: FactOf, ctx: Context) -> Part | None:
    if isinstance(expr, Op) and expr.op == "slice":
        return Part("slice", expr)
    if isinstance(expr, Const) and expr.value is Ellipsis:
        return Part("rest")
    if known_object(expr) is Ellipsis:
        return Part("rest")
    return _part_of(as_array(expr, fact_of(expr, ctx), ctx), expr)


def known_object(expr: Expr) -> object:
    """Return the object that a global name stands for, None for other expressions."""
    return getattr(expr, "value", None) if not isinstance(expr, Op) else None


def _part_of(fact: Fact, expr: Expr | None) -> Part | None:
    if fact.kind == "none":
        return Part("new")
    if fact.kind == "int":
        return Part("int", expr, fact)
    integers = fact.dtype == "bool" or "int" in fact.dtype
    if fact.kind == "array" and fact.rank and integers:
        return Part("array", expr, fact)
    return None


def _selected(
    owner: Fact, dims: tuple[Dim, ...], parts: list[Part], name: str, fact_of: FactOf, ctx: Context
) -> Fact:
    missing = len(dims) - sum(part.consumed for part in parts)
    rests = [i for i, part in enumerate(parts) if part.kind == "rest"]
    if missing < 0 or len(rests) > 1:
        return UNKNOWN
    at = rests[0] if rests else len(parts)
    whole = Part("slice", Op("slice", (Const(None),) * 3))
    # the ellipsis stays, of no axes, as what parts the index arrays left and right of it
    parts = [*parts[:at], *parts[at : at + 1], *[whole] * missing, *parts[at + 1 :]]
    if any(part.kind == "array" for part in parts):
        shape = _chosen(dims, parts, name, fact_of, ctx)
        return array(owner.dtype, shape)
    made = tuple(_plain(dims, parts, fact_of, ctx))
    if not made and not rests:
        return scalar(owner.dtype)
    return array(owner.dtype, made)


def _plain(dims: Sequence[Dim], parts: list[Part], fact_of: FactOf, ctx: Context) -> list[Dim]:
    made: list[Dim] = []
    axis = 0
    for part in parts:
        if part.kind == "new":
            made.append(ONE)
        elif part.kind == "slice":
            made.append(_sliced(dims[axis], part, fact_of, ctx))
        axis += part.consumed
    return made


def _sliced(dim: Dim, part: Part, fact_of: FactOf, ctx: Context) -> Dim:
    assert isinstance(part.expr, Op)
    lower, upper = (_bound(end, fact_of, ctx) for end in part.expr.args[:2])
    step = _step(part.expr, fact_of, ctx)

    def named() -> Dim:
        by = text_of(part.expr.args[2]) if isinstance(part.expr, Op) else ""
        ends = [end for end in (lower, upper) if end is not None]
        name = f"{dim}[{lower}:{upper}:{step if step is not None else by}]"
        steps = (part.expr,) if step is None and part.expr is not None else ()
        return ctx.fresh(name, (dim, *ends, *steps))

    return slice_dim(dim, lower, upper, step, named)


def _chosen(
    dims: Sequence[Dim], parts: list[Part], name: str, fact_of: FactOf, ctx: Context
) -> Shape:
    """Return the shape that index arrays choose: theirs stands where they are, or in front."""
    advanced = [i for i, part in enumerate(parts) if part.kind in ("array", "int")]
    shapes = [_index_shape(parts[i], f"{name}({i})", ctx) for i in advanced]
    common = broadcast_of(ctx, shapes)
    if not isinstance(common, tuple):
        return None
    together = advanced[-1] - advanced[0] + 1 == len(advanced)
    made: list[Dim] = []
    place, axis = 0, 0
    for i, part in enumerate(parts):
        if part.kind == "new":
            made.append(ONE)
        elif part.kind == "slice":
            made.append(_sliced(dims[axis], part, fact_of, ctx))
        elif i == advanced[0] and together:
            place = len(made)
        axis += part.consumed
    return (*made[:place], *common, *made[place:])


def _index_shape(part: Part, name: str, ctx: Context) -> Shape:
    if part.kind == "int":
        return ()
    if part.fact.dtype != "bool":
        return part.fact.shape
    if part.expr is None:
        return None
    # as many elements as the mask has True
    return (ctx.fresh(f"count({text_of(part.expr)})", (part.expr,)),)
