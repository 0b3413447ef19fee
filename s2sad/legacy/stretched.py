"""What is only stretched over a shape that its partner has anyway is left as it is.

r_bar = np.broadcast_to(np.expand_dims(s_bar, 1), d.shape)        r_bar = np.expand_dims(s_bar, 1)
d_bar = 2.0 * d * r_bar                                     ->    d_bar = 2.0 * d * r_bar

np.sum(e, axis=1, keepdims=True)[:, 0]                      ->    np.sum(e, axis=1)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.legacy.accumulate import is_derivative
from s2sad.legacy.blocks import (
    all_reads,
    map_blocks,
    map_expressions,
    pinned,
    put_in,
    without,
)
from s2sad.legacy.facts import Fact, same_shape
from s2sad.legacy.facts.fact import ONE
from s2sad.legacy.filling import literal
from s2sad.legacy.products import Known, fact_of_expr, product
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    Op,
    Ref,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.legacy.traverse import WHOLE, reads, statements, substitute, transform

ARITHMETIC = ("*", "/", "+", "-")


def unstretched(op: str, a: Expr, b: Expr, known: Known) -> tuple[Expr, Expr] | None:
    """Return the operands of `a op b`, one as it was before it got the shape of the other."""
    first, second = inside(a, known), inside(b, known)
    pairs = [(first, b)] if first is not None else []
    pairs += [(a, second)] if second is not None else []
    for pair in pairs:
        if _alike(fact_of_expr(Op(op, pair), known), fact_of_expr(Op(op, (a, b)), known)):
            return pair
    return None


def unstretched_update(stmt: Update, known: Known) -> Update:
    """Return `old op= value` with the value as it was before it got the shape of what it is for."""
    if stmt.op not in ("+", "-"):
        return stmt
    inner = inside(stmt.value, known)
    owner = _owner(stmt)
    if inner is None or not fact_of_expr(owner, known).rank:
        return stmt
    made, whole = (Op(stmt.op, (owner, each)) for each in (inner, stmt.value))
    same = _alike(fact_of_expr(made, known), fact_of_expr(whole, known))
    return replace(stmt, value=inner) if same else stmt


def _owner(stmt: Update) -> Expr:
    return stmt.old if stmt.index is None else Op("index", (stmt.old, stmt.index))


def inside(value: Expr, known: Known) -> Expr | None:
    """Return what a value is before it is stretched over a shape; None where it is not."""
    match value:
        case Call(Ref("np.full_like"), (like, number), ()):
            shaped = fact_of_expr(like, known)
            keeps = (shaped.begun or shaped).dtype.startswith(("float", "complex"))
            scalar = isinstance(number, Const) or fact_of_expr(number, known).is_scalar
            return number if keeps and scalar else None
        case Call(Ref("np.broadcast_to"), (inner, _), ()):
            return inner
        case Op("u-", (part,)):
            within = inside(part, known)
            return None if within is None else Op("u-", (within,))
        case Op("*" | "/" as op, (a, b)):
            first = inside(a, known)
            if first is not None:
                return product(first, b, known) if op == "*" else Op("/", (first, b))
            second = inside(b, known) if op == "*" else None
            return None if second is None else product(a, second, known)
    return None


def _alike(made: Fact, wanted: Fact) -> bool:
    """Tell whether two arrays surely have one shape and one dtype."""
    if made.begun and wanted.begun:
        made, wanted = made.begun, wanted.begun
    same = same_shape(made, wanted) and isinstance(made.shape, tuple)
    return same and bool(made.dtype) and made.dtype == wanted.dtype


# ---------------------------------------------------------------- sums that keep an axis of one


def without_kept_axes(value: Expr, known: Known) -> Expr:
    """Return a value without axes of one that are made only to be taken away, or the reverse."""
    match value:
        case Op("index", (inner, key)):
            bare = _bare(inner)
            return bare if bare is not None and _taken(key) == _kept_axes(inner) else value
        case Call(Ref("np.expand_dims"), (Op("index", (inner, key)), axis), ()):
            taken = _taken(key)
            shape = fact_of_expr(inner, known).shape
            if taken is not None and taken == _axes(axis) and isinstance(shape, tuple):
                return inner if all(shape[at] == ONE for at in taken) else value
        case Call(Ref("np.expand_dims"), (Call(Ref("np.sum") as total, (e,), keywords), axis), ()):
            if keywords == (("axis", axis),) and isinstance(axis, Const) and _axes(axis):
                return Call(total, (e,), (*keywords, ("keepdims", Const(True))))
    return value


def _kept_axes(value: Expr) -> tuple[int, ...] | None:
    """Return which axes of length 1 a sum keeps, or a value is given."""
    match value:
        case Call(Ref("np.sum"), (_,), (("axis", axis), ("keepdims", Const(True)))):
            return _axes(axis)
        case Call(Ref("np.expand_dims"), (_, axis), ()):
            return _axes(axis)
    return None


def _bare(value: Expr) -> Expr | None:
    """Return a value as it is without the axes that it keeps or is given; None if there are none."""
    match value:
        case _ if _kept_axes(value) is None:
            return None
        case Call(Ref("np.sum"), (_,), (axis, _)):
            return replace(value, keywords=(axis,))
        case Call(_, (inner, _)):
            return inner
    return None


def _taken(key: Expr) -> tuple[int, ...] | None:
    """Return which axes a subscript takes away, all others being whole."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else ()
    if not parts or not all(part in (Const(0), WHOLE) for part in parts):
        return None
    return tuple(at for at, part in enumerate(parts) if part == Const(0))


def _axes(axis: Expr | None) -> tuple[int, ...] | None:
    parts = axis.args if isinstance(axis, Op) and axis.op == "tuple" else (axis,)
    numbers = [literal(part) for part in parts if part is not None]
    found = [number for number in numbers if isinstance(number, int) and number >= 0]
    return tuple(sorted(found)) if len(found) == len(numbers) else None


# ---------------------------------------------------------------- values that have a name


@dataclass(frozen=True)
class Stretched:
    """A name for what is stretched: it may be `part` where its partner has the whole shape.

    Of a value with axes of length 1, `taken`, it may be where a subscript takes these away.
    """

    part: Expr
    taken: tuple[int, ...] | None


Put = Callable[[Var], Expr]
Found = Mapping[Var, Stretched]


def names_unstretched(
    block: Block, result: Expr, known: Known, renew: Callable[[Var, Expr], Var]
) -> Block:
    """Return a sweep in which no name stands for what its partners stretch anyway."""
    kept = pinned(block)
    found = {var: each for var, each in _stretched(block, known) if var not in kept}
    if not found:
        return block
    uses: Counter[Var] = Counter(reads(result))
    for stmt in block:
        uses.update(all_reads(stmt))
    fit = _fitting(block, found, known)
    new: dict[Var, Expr] = {
        var: each.part for var, each in found.items() if isinstance(each.part, Const | Var)
    }
    whole = {
        var: renew(var, each.part)
        for var, each in found.items()
        if fit[var] == uses[var] > 0 and not (uses[var] == 1 and _is_mean(each.part))
    }
    return _with(block, found, {**new, **whole}, whole, known)


def without_turned_names(block: Block, known: Known) -> Block:
    """Return a sweep in which what is stretched has one name, not another with its sign turned."""
    found, kept = {var for var, _ in _stretched(block, known)}, pinned(block)
    same: dict[Var, Expr] = {}
    for stmt in statements(block):
        match stmt:
            case Assign((target,), (Var() as value) | Op("u-", (Var() as value,)), unpack=False):
                if value in found and is_temp(target.slot) and target not in kept:
                    same[target] = substitute(stmt.value, lambda var: same.get(var, var))
                    found.add(target)
    return put_in(without(block, same), same) if same else block


def _stretched(block: Block, known: Known) -> Iterator[tuple[Var, Stretched]]:
    filled: dict[Var, Expr] = {}  # what is made of one number, and a number times such
    for stmt in statements(block):
        if isinstance(stmt, Assign) and is_derivative(stmt) and not stmt.unpack:
            value = substitute(stmt.value, lambda var: filled.get(var, var))
            number = inside(value, known)
            if number is not None and fact_of_expr(number, known).is_scalar:
                filled[stmt.target] = value
                yield stmt.target, Stretched(number, None)
            elif (part := _shorter(stmt.value, known)) is not None:
                yield stmt.target, Stretched(part, _kept_axes(stmt.value))


def _is_mean(part: Expr) -> bool:
    """Tell whether a value is 1.0 / n: as a factor it becomes a divisor, which rounds once."""
    match part:
        case Op("/", (Const(float()), _)):
            return True
    return False


def _shorter(value: Expr, known: Known) -> Expr | None:
    """Return a value as it is before it is stretched, or without the axes that it keeps."""
    bare = _bare(value)
    return inside(value, known) if bare is None else bare


def _fitting(block: Block, found: Found, known: Known) -> Counter[Var]:
    """Count the uses of each value where it may be as it was before it was stretched."""
    counted: Counter[Var] = Counter()

    def note(var: Var) -> Expr:
        counted[var] += 1
        return var

    for stmt in statements(block):
        _put(stmt, found, note, known)
    return counted


def _with(
    block: Block, found: Found, new: Mapping[Var, Expr], whole: Mapping[Var, Var], known: Known
) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = _put(stmt, found, lambda var: new.get(var, var), known)
        stmt = map_blocks(stmt, lambda inner: _with(inner, found, new, whole, known))
        if isinstance(stmt, Assign) and stmt.target in whole:
            part = _shorter(stmt.value, known) or found[stmt.target].part
            stmt = replace(stmt, targets=(whole[stmt.target],), value=part)
        out.append(stmt)
    return tuple(out)


def _put(stmt: Stmt, found: Found, put: Put, known: Known) -> Stmt:
    """Return a statement with `put` in place of the stretched values that need not be so."""

    def one(expr: Expr) -> Expr:
        match expr:
            case Op(op, (Var() as a, b)) if op in ARITHMETIC and _fits(op, a, b, a, found, known):
                return Op(op, (put(a), b))
            case Op(op, (a, Var() as b)) if op in ARITHMETIC and _fits(op, a, b, b, found, known):
                return Op(op, (a, put(b)))
            case Op("index", (Var() as a, key)) if a in found and found[a].taken is not None:
                # what stands for the whole has lost the axes already
                gone = found[a].taken == _taken(key)
                made = put(a) if gone else a
                return made if gone and made != a else expr
        return expr

    stmt = map_expressions(stmt, lambda expr: transform(expr, one))
    if isinstance(stmt, Update) and isinstance(stmt.value, Var) and stmt.op in ("+", "-"):
        if _fits(stmt.op, _owner(stmt), stmt.value, stmt.value, found, known):
            return replace(stmt, value=put(stmt.value))
    return stmt


def _fits(op: str, a: Expr, b: Expr, var: Var, found: Found, known: Known) -> bool:
    """Tell whether `a op b` is the same with `var` as it was before it was stretched."""
    if var not in found or found[var].taken is not None:
        return False
    args = tuple(found[var].part if each is var else each for each in (a, b))
    return _alike(fact_of_expr(Op(op, args), known), fact_of_expr(Op(op, (a, b)), known))
