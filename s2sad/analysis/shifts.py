"""Shifts that cancel: the largest or smallest element that a softmax takes off has no adjoint.

    m = np.max(z, axis=1)                 a shift of m by c, z as it is,
    e = np.exp(z - m[:, None])            divides e by exp(c),
    s = m + np.log(np.sum(e, axis=1))     and leaves s as it is

What a shift c of the extreme does to a value is followed through the statements behind it:
c times a literal is added, or exp(c) to a literal is multiplied by, c over a temperature, too. Where all
else that reads such values is left as it is, the derivative by the shift is zero identically.

    low = min(a, b)                                   c / heat is added to what exp is taken of,
    s = np.exp((low - a) / heat) + np.exp((low - b) / heat)
    r = low - heat * np.log(s)                        and c - heat * (c / heat) to r
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from s2sad.ir.expression import Expr, Variable, calls, index_parts, keywords, positional
from s2sad.ir.program import Block, Function, Let, Return, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import ONE, Array, Number, Type
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    name_nodes,
    nodes,
    nodes_in,
    operands,
    read_counts,
    read_variables,
    reads_shape_only,
    statements,
)
from s2sad.operators.guards import is_none
from s2sad.operators.table import calls_one, words

# numbers that a shift is multiplied with, each to a power
Scale = frozenset[tuple[Expr, int]]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a shift by c does to a value: adds `degree` * `scale` * c, or multiplies by exp of that.

    `axes` tells for each axis of the value along which axis of the shift it is, None for none.
    """

    is_factor: bool
    degree: float
    axes: tuple[int | None, ...]
    scale: Scale = frozenset()

    def times(self, factor: Expr, power: int) -> Effect:
        """Return what is added where a value is multiplied with a number, or divided by it."""
        powers = dict(self.scale)
        powers[factor] = powers.get(factor, 0) + power
        return replace(self, scale=frozenset((f, p) for f, p in powers.items() if p))


UNCHANGED = Effect(False, 0.0, ())
SUMS = {"sum": np.sum, "mean": np.mean, "cumsum": np.cumsum}


class _Unclear(Exception):
    """It is not known what a shift does to a value."""


def shifts(function: Function) -> frozenset[int]:
    """Return the identities of the calls for an extreme that has no adjoint."""
    found: set[int] = set()
    for block in _all_blocks(function.body):
        for place, statement in enumerate(block):
            if isinstance(statement, Let | Return | Store):
                for node in nodes(statement.value):
                    if _is_extreme(node) and _cancels(node, block, place, function):
                        found.add(id(node))
    return frozenset(found)


def cancelling_calls(function: Function, found: frozenset[int]) -> frozenset[Expr]:
    """Return the calls without adjoints, by what they compute: no derivative of the derivative varies by them.

    What does not change a function, whatever value it has, changes no gradient of the function either.
    """
    every = tuple(nodes_in(function.body))
    others = {node for node in every if _is_extreme(node) and id(node) not in found}
    return frozenset(node for node in every if id(node) in found) - others


def _all_blocks(block: Block) -> Iterator[Block]:
    yield block
    for statement in block:
        for inner in blocks(statement):
            yield from _all_blocks(inner)


def _is_extreme(node: Expr) -> bool:
    if node.op != "call" or not isinstance(node.type, Number | Array):
        return False
    function = node.args[0]
    is_method = function.op == "attribute" and function.data in words("larger", "smaller")
    return is_method or calls_one(node, "larger", "smaller")


def _cancels(shift: Expr, block: Block, start: int, function: Function) -> bool:
    """Tell whether a shift of one value changes nothing behind the statements of its block."""
    changed: dict[Variable, Effect] = {}
    read = 0
    for statement in block[start:]:
        scales = {v for e in changed.values() for f, _ in e.scale for v in read_variables(f)}
        if not scales.isdisjoint(bound_in((statement,))):
            return False
        read_here = [n for e in expressions(statement) for n in name_nodes(e) if n.data in changed]
        read += len(read_here)
        if not read_here and statement is not block[start]:
            if not changed.keys().isdisjoint(bound(statement)):
                return False
            continue
        if not _is_plain(statement):
            return False
        assert isinstance(statement, Let | Return | Store)
        reader = _Reader(shift, changed)
        if isinstance(statement, Store) and reader.is_concerned(statement.target):
            return False
        try:
            effect = reader.of(statement.value)
        except _Unclear:
            return False
        target = statement.target if isinstance(statement, Let) else None
        if effect.degree and not (isinstance(target, Variable) and target not in changed):
            return False
        if effect.degree:
            changed[target] = effect  # type: ignore[index]
    return _is_all_there_is(changed, read, function)


def _is_plain(statement: Statement) -> bool:
    if not isinstance(statement, Let):
        return isinstance(statement, Return | Store)
    is_bound = statement.spelled == "=" or isinstance(statement.value.type, Number)
    return is_bound and statement.effect.is_pure


def _is_all_there_is(changed: dict[Variable, Effect], read: int, function: Function) -> bool:
    """Tell whether changed names are bound once, and read nowhere else."""
    every = statements(function.body)
    often = sum(v in changed for s in every for v in bound(s))
    counts = read_counts(function.body)
    return often == len(changed) and sum(counts[v] for v in changed) == read


@dataclass(slots=True)
class _Reader:
    """Finds what a shift does to expressions, from what it does to names."""

    shift: Expr
    changed: dict[Variable, Effect]

    def of(self, expr: Expr) -> Effect:
        """Return what the shift does to the value of an expression."""
        if expr is self.shift:
            return Effect(False, 1.0, _own_axes(expr.type))
        if not self.is_concerned(expr):
            return UNCHANGED
        found = self.operation(expr)
        return found if found.degree else UNCHANGED

    def operation(self, expr: Expr) -> Effect:
        """Return what the shift does to the result of an operation on what it changes."""
        if expr.op == "name":
            return self.changed[expr.data]
        if expr.op == "comprehension":
            raise _Unclear
        parts = [self.of(part) for part in operands(expr)]
        if not any(part.degree for part in parts):
            return UNCHANGED
        match expr.op:
            case "unary" if expr.data == "-":
                (inner,) = parts
                return inner if inner.is_factor else replace(inner, degree=-inner.degree)
            case "binary" if expr.data == "@":
                return _product(parts[0], parts[1], expr)
            case "binary":
                left, right = (_aligned(part, _rank(expr.type)) for part in parts)
                return _combined(left, right, expr)
            case "subscript" if not parts[1].degree:
                return _part(parts[0], expr)
            case "call" if not any(part.degree for part in parts[1:]):
                return _called(parts[0], expr)
        raise _Unclear

    def is_concerned(self, expr: Expr) -> bool:
        """Tell whether the shift may change a value: not where its shape alone is read."""
        if expr is self.shift or (expr.op == "name" and expr.data in self.changed):
            return True
        return not reads_shape_only(expr) and any(map(self.is_concerned, expr.args))


def _combined(left: Effect, right: Effect, expr: Expr) -> Effect:
    scaled = _times_a_number(left, right, expr)
    if scaled is not None:
        return scaled
    axes = _together(left, right)
    scale = left.scale if left.degree else right.scale
    if left.degree and right.degree and left.scale != right.scale:
        raise _Unclear
    match expr.data:
        case "+" | "-" if left.is_factor or right.is_factor:
            if left.degree != right.degree or left.is_factor != right.is_factor:
                raise _Unclear
            return Effect(True, left.degree, axes, scale)
        case "+":
            return Effect(False, left.degree + right.degree, axes, scale)
        case "-":
            return Effect(False, left.degree - right.degree, axes, scale)
        case "*" | "/" if _is_of_factors(left) and _is_of_factors(right):
            sign = 1.0 if expr.data == "*" else -1.0
            return Effect(True, left.degree + sign * right.degree, axes, scale)
    raise _Unclear


def _times_a_number(left: Effect, right: Effect, expr: Expr) -> Effect | None:
    """Return what is done to a value that a shift is added to, times a number or divided by it."""
    changed, other = (left, expr.args[1]) if left.degree else (right, expr.args[0])
    is_product = expr.data == "*" or (expr.data == "/" and bool(left.degree))
    is_number = isinstance(other.type, Number) and other.op in ("name", "constant", "global")
    if not is_product or not is_number or changed.is_factor or (left.degree and right.degree):
        return None
    return changed.times(other, 1 if expr.data == "*" else -1)


def _called(inner: Effect, expr: Expr) -> Effect:
    """Return what is done to the result of a call whose first operand is changed."""
    function, args = expr.args[0], positional(expr)
    is_method = function.op == "attribute"
    called = function.data if is_method else next((w for w in SUMS if calls(expr, SUMS[w])), "")
    if called in SUMS:
        return _sum(inner, args if is_method else args[1:], expr, called)
    if calls(expr, np.squeeze) or (function.op == "attribute" and function.data == "squeeze"):
        return _squeezed(inner, expr)
    if expr.data or len(args) > 1:
        raise _Unclear
    if calls(expr, np.exp) and not inner.is_factor:
        return replace(inner, is_factor=True)
    if calls(expr, np.log) and inner.is_factor:
        return replace(inner, is_factor=False)
    raise _Unclear


def _own_axes(type_: Type) -> tuple[int | None, ...]:
    lengths = type_.lengths if isinstance(type_, Array) else ()
    if None in lengths:
        raise _Unclear
    return tuple(None if n == ONE else k for k, n in enumerate(lengths))


def _rank(type_: Type) -> int:
    if not isinstance(type_, Array | Number):
        raise _Unclear
    return type_.rank if isinstance(type_, Array) else 0


def _aligned(effect: Effect, rank: int) -> Effect:
    return replace(effect, axes=(None,) * (rank - len(effect.axes)) + effect.axes)


def _together(left: Effect, right: Effect) -> tuple[int | None, ...]:
    """Return the axes of an operation on two values, both of which the shift may change."""
    if left.degree and right.degree and left.axes != right.axes:
        raise _Unclear
    return left.axes if left.degree else right.axes


def _is_of_factors(effect: Effect) -> bool:
    return effect.is_factor or not effect.degree


def _product(left: Effect, right: Effect, expr: Expr) -> Effect:
    """Return what is done to E @ V or V @ E: rows or columns of E may be multiplied, and V stays as it is."""
    ranks = [_rank(arg.type) for arg in expr.args]
    changed, place = (right, -2) if right.degree else (left, -1)
    if (left.degree and right.degree) or not changed.is_factor or not {*ranks} <= {1, 2}:
        raise _Unclear
    axes = list(changed.axes)
    if axes.pop(max(place, -len(axes))) is not None:
        raise _Unclear
    other: list[int | None] = [None] * (ranks[0 if right.degree else 1] - 1)
    return replace(changed, axes=tuple(other + axes if right.degree else axes + other))


def _sum(inner: Effect, rest: tuple[Expr, ...], expr: Expr, called: str) -> Effect:
    """Return what is done to a sum along axes along which all is multiplied alike."""
    named = keywords(expr)
    if not inner.is_factor or named.keys() - {"axis", "keepdims"} or len(rest) > 1:
        raise _Unclear
    axis = rest[0] if rest else named.get("axis")
    rank = len(inner.axes)
    if axis is None or is_none(axis):
        over = set(range(rank))
    elif axis.known is None and axis.op not in ("constant", "unary"):
        raise _Unclear
    else:
        over = {a % rank for a in _places(axis)}
    keeps = named.get("keepdims")
    if keeps is not None and keeps.op != "constant":
        raise _Unclear
    if any(inner.axes[k] is not None for k in over):
        raise _Unclear
    if called == "cumsum" and _rank(expr.type) != rank:
        raise _Unclear
    if (keeps is not None and keeps.data) or called == "cumsum":
        return inner
    return replace(inner, axes=tuple(a for k, a in enumerate(inner.axes) if k not in over))


def _places(axis: Expr) -> tuple[int, ...]:
    found = axis.data if axis.op == "constant" else axis.known and axis.known.value
    places = found if isinstance(found, tuple) else (found,)
    if not all(isinstance(place, int) for place in places):
        raise _Unclear
    return places


def _squeezed(inner: Effect, expr: Expr) -> Effect:
    """Return what is done to a value of which all axes along which it is changed alike are dropped."""
    axes = tuple(axis for axis in inner.axes if axis is not None)
    if len(axes) != _rank(expr.type):
        raise _Unclear
    return replace(inner, axes=axes)


def _part(inner: Effect, expr: Expr) -> Effect:
    """Return what is done to a part: new axes, whole axes, and positions on other axes."""
    axes: list[int | None] = []
    left = list(inner.axes)
    for part in index_parts(expr.args[1]):
        if is_none(part):
            axes.append(None)
            continue
        if not left or isinstance(part.type, Array) or part.op in ("list", "tuple"):
            raise _Unclear
        axis = left.pop(0)
        whole = part.op == "slice" and all(p.op == "constant" and p.data is None for p in part.args)
        if axis is not None and not whole:
            raise _Unclear
        if part.op == "slice":
            axes.append(axis)
        elif not isinstance(part.type, Number) and part.op != "constant":
            raise _Unclear
    return replace(inner, axes=(*axes, *left))
