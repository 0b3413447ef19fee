"""What a branch that was not taken receives is 0, whatever its slope is there.

y = np.where(x > 0, np.log(x), 0.0)      x_bar = np.where(x > 0, y_bar / x, 0.0)

The slope of the branch may be infinite or nan where it is dead: 0 times that would be nan.
What np.maximum and np.clip leave out is dead as well, but the slopes of most of what they are
given are finite: only quotients by arrays, and their powers, are masked.

y = np.maximum(np.log(x), 0.0)           x_bar = np.where(log_bar != 0.0, log_bar / x, 0.0)

So is what is written over by a mask or at positions, what is not read by such, and what np.triu
and np.tril leave out.

q = a / b; q[b == 0.0] = 0.0             a_bar = np.where(q_bar != 0.0, q_bar / b, 0.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.facts.fact import Fact
from s2sad.legacy.filling import literal
from s2sad.legacy.program import Assign, Block, Call, Const, Expr, Op, Ref, Stmt, Update, Var
from s2sad.legacy.traverse import children, reads, rebuild

COMPARISONS = frozenset("< <= > >= == !=".split())
# what masks and positions are made by
NAMING = (
    *(np.isfinite, np.isnan, np.isinf, np.logical_not, np.logical_and, np.logical_or, np.eye),
    *(np.triu_indices, np.tril_indices, np.diag_indices, np.nonzero, np.flatnonzero, np.where),
)
ZEROS_LIKE = Ref("np.zeros_like", np.zeros_like)
WHERE = Ref("np.where", np.where)
SELECT = Ref("np.select", np.select)


@dataclass(frozen=True, slots=True)
class Mask:
    """Where a value is 0: where a test fails, or, if it is not `kept`, where it holds."""

    test: Expr
    kept: bool
    scalar: bool = False
    # of np.select: which choice of how many is not 0
    at: int = 0
    count: int = 0
    weak: bool = False  # only quotients are masked

    def over(self, value: Expr) -> Expr:
        """Return a value that is 0 there."""
        if self.count:
            parts = tuple(value if k == self.at else Const(0.0) for k in range(self.count))
            return Call(SELECT, (self.test, Op("list", parts)))
        sides = (value, Const(0.0)) if self.kept else (Const(0.0), value)
        return Op("if", (self.test, *sides)) if self.scalar else Call(WHERE, (self.test, *sides))


def masked(block: Block, fact: Callable[[Var], Fact]) -> Block:
    """Return the statements with what is multiplied with a masked value masked as well."""
    known: dict[Var, Mask] = {}
    zeros: set[Var] = set()
    done = []
    for stmt in block:
        made = _masked(map_blocks(stmt, lambda inner: masked(inner, fact)), known, fact)
        if isinstance(made, Assign) and len(made.targets) == 1 and not made.unpack:
            (target,) = made.targets
            mask = _factor(made.value, known)
            if mask is None and _is_summed(made.value, known):
                # by then it may have other axes than the test; 0 where all that went in is dead
                mask = Mask(Op("!=", (target, Const(0.0))), True)
            if mask is None and (
                _is_compared(made.value, "~bar" in target.slot) or _is_left_out(made)
            ):
                mask = Mask(Op("!=", (target, Const(0.0))), True, weak=True)
            if mask is not None:
                known[target] = replace(mask, scalar=fact(target).is_scalar)
            if isinstance(made.value, Call) and made.value.func == ZEROS_LIKE:
                zeros.add(target)
        if isinstance(made, Update) and made.index is None and made.op in ("+", "-"):
            mask = known.get(made.old)
            if mask is not None and _same(_factor(made.value, known), mask):
                known[made.new] = mask
        if isinstance(made, Update) and _is_partly_zero(made, known, zeros, fact):
            known[made.new] = Mask(Op("!=", (made.new, Const(0.0))), True, weak=True)
        done.append(made)
    return tuple(done)


def _is_left_out(stmt: Assign) -> bool:
    """Tell whether elements of an adjoint are 0 since np.triu or np.tril left them out."""
    match stmt.value:
        case Call(Ref(value=function)):
            return "~bar" in stmt.target.slot and function in (np.triu, np.tril)
    return False


def _is_partly_zero(
    stmt: Update, known: Mapping[Var, Mask], zeros: Set[Var], fact: Callable[[Var], Fact]
) -> bool:
    """Tell whether elements of an adjoint are 0, as the user's code wrote to them or read others."""
    if stmt.index is None or "~bar" not in stmt.new.slot:
        return False
    before = known.get(stmt.old)
    if before is not None and before.weak:
        return True
    put_to_zero = stmt.op == "=" and literal(stmt.value) == 0.0
    return (put_to_zero or stmt.old in zeros) and _names_elements(stmt.index, fact)


def _names_elements(index: Expr, fact: Callable[[Var], Fact]) -> bool:
    """Tell whether a subscript is a mask, or holds arrays of positions."""
    if isinstance(index, Op) and index.op in ("tuple", "~", "&", "|"):
        return any(_names_elements(part, fact) for part in index.args)
    if isinstance(index, Call) and isinstance(index.func, Ref):
        return any(index.func.value is each for each in NAMING)
    return _compares(index) or (isinstance(index, Var) and _holds(fact(index)))


def _holds(fact: Fact) -> bool:
    return fact.is_array or (fact.kind == "tuple" and any(map(_holds, fact.items or ())))


def _is_summed(value: Expr, known: Mapping[Var, Mask]) -> bool:
    """Tell whether a value is the sum of masked ones over axes that were broadcast."""
    match value:
        case Call(Ref("_sum_to"), (inner, _)):
            return _factor(inner, known) is not None
    return False


def _masked(stmt: Stmt, known: Mapping[Var, Mask], fact: Callable[[Var], Fact]) -> Stmt:
    if not known or not isinstance(stmt, Assign | Update):
        return stmt
    return replace(stmt, value=_of(stmt.value, known, fact))


def mask_of(value: Expr) -> Mask | None:
    """Return the mask of a call of np.where that has 0 on one side."""
    match value:
        case Call(Ref(value=function), (test, a, b), ()) if function is np.where:
            if _is_zero(b) and not _is_zero(a):
                return Mask(test, True)
            if _is_zero(a) and not _is_zero(b):
                return Mask(test, False)
        case Call(Ref(value=function), (test, Op("list", parts)), ()) if function is np.select:
            places = [k for k, part in enumerate(parts) if not _is_zero(part)]
            if len(places) == 1:
                return Mask(test, True, at=places[0], count=len(parts))
        case Op("if", (test, a, Const(0.0))) if not _is_zero(a):
            return Mask(test, True, scalar=True)
    return None


def _is_zero(expr: Expr) -> bool:
    return literal(expr) == 0.0


def _of(expr: Expr, known: Mapping[Var, Mask], fact: Callable[[Var], Fact]) -> Expr:
    """Mask each product of a masked value with what may be infinite or nan."""
    mask = _factor(expr, known)
    if mask is not None and mask_of(expr) is None and _needs(mask, expr, fact):
        # what a number is multiplied with may be an array: 0.0 would not have its shape
        scalar = all(fact(var).is_scalar for var in reads(expr))
        return replace(mask, scalar=scalar).over(expr)
    if isinstance(expr, Op | Call):
        return rebuild(expr, tuple(_of(part, known, fact) for part in children(expr)))
    return expr


def _factor(expr: Expr, known: Mapping[Var, Mask]) -> Mask | None:
    """Return the mask of a value that the whole expression is proportional to."""
    match expr:
        case Var():
            return known.get(expr)
        case Op("*", (a, b)):
            return _factor(a, known) or _factor(b, known)
        case Op("/", (a, _)) | Op("u-", (a,)):
            return _factor(a, known)
        case Op("+" | "-", (a, b)):
            mask, other = _factor(a, known), _factor(b, known)
            return mask if mask is not None and _same(other, mask) else None
    return mask_of(expr)


def _needs(mask: Mask, expr: Expr, fact: Callable[[Var], Fact]) -> bool:
    return _varies(expr) and (not mask.weak or any(_divisors(expr, fact)))


def _divisors(expr: Expr, fact: Callable[[Var], Fact]) -> Iterator[Var]:
    """Yield the arrays that an expression divides by."""
    match expr:
        case Op("/", (a, b)):
            yield from _divisors(a, fact)
            yield from (var for var in reads(b) if not fact(var).is_scalar)
        case Op("**", (a, exponent)) if not (literal(exponent) or 0) > 0:
            yield from (var for var in reads(a) if not fact(var).is_scalar)
        case Op("*", (a, b)):
            yield from _divisors(a, fact)
            yield from _divisors(b, fact)
        case Op("u-", (a,)):
            yield from _divisors(a, fact)


def _varies(expr: Expr) -> bool:
    """Tell whether a product has another factor than what is finite for sure."""
    return sum(not _is_finite(part) for part in _factors(expr)) > 1


def _is_finite(factor: Expr) -> bool:
    return isinstance(factor, Const) or _compares(factor)


def _compares(factor: Expr) -> bool:
    if not isinstance(factor, Op):
        return False
    return factor.op.split()[0] in COMPARISONS or (
        factor.op == "&" and all(map(_compares, factor.args))
    )


def _is_compared(value: Expr, is_adjoint: bool) -> bool:
    """Tell whether a value is 0 where comparisons fail: y_bar * (x1 >= x2) and the like.

    A number is a factor of an adjoint alone: 2.0 * (x > 0) of the user's is a value like others.
    """
    match value:
        case Op("+" | "-", (a, b)):
            return _is_compared(a, is_adjoint) and _is_compared(b, is_adjoint)
        case Op("u-", (a,)):
            return _is_compared(a, is_adjoint)
    factors = _factors(value)
    others = _compares if is_adjoint else _is_finite
    return any(map(_compares, factors)) and not all(map(others, factors))


def _factors(expr: Expr) -> list[Expr]:
    match expr:
        case Op("*" | "/", (a, b)):
            return [*_factors(a), *_factors(b)]
        case Op("u-", (a,)):
            return _factors(a)
    return [expr]


def masked_once(expr: Expr) -> Expr:
    """Return a masked product whose factors have no masks of their own."""
    mask = mask_of(expr)
    if mask is None:
        return expr
    kept = _value_of(expr, mask)
    plain = without_masks(kept, mask)
    return expr if plain == kept else mask.over(plain)


def _value_of(expr: Expr, mask: Mask) -> Expr:
    """Return what a masked expression is where it is not 0."""
    assert isinstance(expr, Op | Call)
    if mask.count:
        choices = expr.args[1]
        assert isinstance(choices, Op)
        return choices.args[mask.at]
    return expr.args[1 if mask.kept else 2]


def _same(one: Mask | None, other: Mask) -> bool:
    return one is not None and replace(one, scalar=other.scalar) == other


def without_masks(expr: Expr, mask: Mask) -> Expr:
    """Return the factors of a product that is masked itself, without masks of their own."""
    match expr:
        case Op("*", (a, b)):
            return Op("*", (without_masks(a, mask), without_masks(b, mask)))
        case Op("/", (a, b)):
            return Op("/", (without_masks(a, mask), b))
        case Op("u-", (a,)):
            return Op("u-", (without_masks(a, mask),))
        case Call() | Op("if", _) if _same(mask_of(expr), mask):
            return _value_of(expr, mask)
    return expr
