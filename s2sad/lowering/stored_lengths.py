"""Lengths of parts that are stored to, by how their slices are written.

K[2 * i : 2 * i + 2, at] += k     a matrix of two rows, where k has two: NumPy raises where the slice has fewer

One row would be stretched to fewer without a word, so there have to be two.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.expression import Expr, Variable, calls, index_parts
from s2sad.ir.program import Let
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Number, Type
from s2sad.ir.walk import bound_in, read_variables
from s2sad.lowering.machine import Machine
from s2sad.operators.guards import is_none
from s2sad.types import Mismatch
from s2sad.types.subscripts import whole

LEAST = 2


def with_lengths_as_written(m: Machine, target: Expr, stored: Type) -> Expr:
    """Return a part that is stored to with the lengths of its slices, where what is stored has them."""
    if target.op != "subscript" or not m.context.has_examples:
        return target
    match target.type, stored:
        case Array(_, lengths), Array(_, given) if None in lengths and len(given) == len(lengths):
            slices = list(_slices(m, target))
            found = [
                length if length is not None else _agreed(m, spelled, own)
                for length, spelled, own in zip(lengths, slices, given, strict=False)
            ]
            if len(slices) <= len(lengths):
                return target.typed(replace(target.type, lengths=(*found, *lengths[len(found) :])))
    return target


def _agreed(m: Machine, spelled: Length | None, own: Length | None) -> Length | None:
    """Return the length of a slice as it is written, which is asked of what is stored to it."""
    assumed = m.context.assumptions
    if spelled is None or own is None:
        return None
    if spelled != own:
        if assumed.agree(spelled, own):
            raise Mismatch(own, spelled)
        return None
    return spelled if assumed.assume_natural(spelled - LEAST) else None


def _slices(m: Machine, target: Expr) -> Iterator[Length | None]:
    """Yield how long the slices of a subscript are as they are written; None where that is not known."""
    for part in index_parts(target.args[1]):
        if isinstance(part.type, Number):
            continue
        ends = _ends(m, part)
        length = None
        if len(ends) == 2:
            start, stop = map(_in_symbols, ends)
            length = None if start is None or stop is None else stop - start
        is_known = length is not None and not any(s.startswith("@") for s in length.symbols)
        yield length if is_known else None


def _ends(m: Machine, part: Expr) -> tuple[Expr, ...]:
    """Return start and end of a slice of steps of one, which may have a name in this block."""
    if part.op == "name":
        part = _bound_here(m, part.data) or part
    if part.op == "slice" and not is_none(part.args[0]) and is_none(part.args[2]):
        return tuple(_ends_by_name(m, part.args[:2]) or part.args[:2])
    return part.args[1:] if calls(part, slice) and len(part.args) == 3 else ()


def _ends_by_name(m: Machine, ends: tuple[Expr, ...]) -> list[Expr]:
    """Return what two names were bound to one after the other: at_start = 2 * i; at_stop = 2 * i + 2."""
    places = [_last_binding(m, each.data) for each in ends if each.op == "name"]
    known = [place for place in places if place is not None]
    lets = [m.block[place] for place in known]
    values = [s.value for s in lets if isinstance(s, Let) and isinstance(s.target, Variable)]
    if len(values) < len(ends):
        return []
    read = {v for value in values for v in read_variables(value)}
    between = tuple(m.block[min(known) : max(known) + 1])
    return values if read.isdisjoint(bound_in(between)) else []


def _bound_here(m: Machine, variable: Variable) -> Expr | None:
    """Return the slice that a variable was bound to last, by a statement of this block."""
    place = _last_binding(m, variable)
    match None if place is None else m.block[place]:
        case Let(Variable(), value):
            return value
        case Let(tuple() as targets, Expr("tuple", values)) if variable in targets:
            return dict(zip(targets, values, strict=True))[variable]
    return None


def _last_binding(m: Machine, variable: Variable) -> int | None:
    """Return where in this block the last statement stands that binds a variable, or holds one that does."""
    block = m.block
    return next((k for k in reversed(range(len(block))) if variable in bound_in((block[k],))), None)


def _in_symbols(expr: Expr) -> Length | None:
    """Return a whole number as a sum of products of lengths and of other names, which begin with "@ "."""
    known = whole(expr)
    if known is not None:
        return known
    if expr.op == "name" and isinstance(expr.type, Number):
        return Length.of(f"@ {expr.data}")
    if expr.op != "binary" or expr.data not in ("+", "-", "*"):
        return None
    left, right = map(_in_symbols, expr.args)
    if left is None or right is None:
        return None
    return left + right if expr.data == "+" else left - right if expr.data == "-" else left * right
