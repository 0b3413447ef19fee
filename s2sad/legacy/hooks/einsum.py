"""An Einstein sum gets a rule made to measure: what each operand receives is another one.

    np.einsum("ij,jk->ik", A, B)    ->    A_bar = np.einsum("ik,jk->ij", y_bar, B)

An index that stands twice in one operand (a diagonal) is spread with np.eye; one that stands in
no other operand and not in the result (a plain sum), with np.ones_like of the operand.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from s2sad.legacy.filling import Match, literal, number
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.templating import LINEAR, PRINTED_FUNCTION, Line, Rule, local_var

Ask = Callable[[Expr], Any]
EINSUM = Ref("np.einsum", np.einsum)
EYE = Ref("np.eye", np.eye)
ONES_LIKE = Ref("np.ones_like", np.ones_like)
MOVEAXIS = Ref("np.moveaxis", np.moveaxis)
FULL_LIKE = Ref("np.full_like", np.full_like)
SUM_TO = Ref("_sum_to", PRINTED_FUNCTION)
DOTS = "..."


@dataclass(frozen=True, slots=True)
class Subscripts:
    """The indices of each operand, and of the result."""

    operands: tuple[str, ...]
    result: str


def read(text: str) -> Subscripts | None:
    """Read "ij,jk->ik"; without an arrow the result has every index that stands once."""
    left, arrow, result = text.replace(" ", "").partition("->")
    operands = tuple(left.split(","))
    if not arrow:
        letters = left.replace(",", "").replace(DOTS, "")
        once = sorted(each for each in {*letters} if letters.count(each) == 1)
        result = DOTS * (DOTS in left) + "".join(once)
    plain = all(each.isalpha() or not each for each in map(_letters, (*operands, result)))
    return Subscripts(operands, result) if plain else None


def _letters(indices: str) -> str:
    return indices.replace(DOTS, "")


def rule_of(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.einsum with its subscripts written out, matched."""
    if not call.args or any(key != "optimize" for key, _ in call.keywords):
        return None
    text = call.args[0] if isinstance(call.args[0], Const) else fact(call.args[0]).value
    if not (isinstance(text, Const) and isinstance(text.value, str)):
        return None
    subscripts = read(text.value)
    operands = call.args[1:]
    if subscripts is None or len(subscripts.operands) != len(operands):
        return None
    bound = {f"part_{k}": operand for k, operand in enumerate(operands)}
    params = tuple(map(local_var, bound))
    lines = tuple(
        Line(f"part_{k}", _adjoint(_Adjoint(subscripts, k, params, bound, call, fact)))
        for k in range(len(operands))
    )
    form = Call(call.func, (call.args[0], *params), call.keywords)
    arrays = frozenset(name for name, each in bound.items() if fact(each).is_array)
    scalars = frozenset(name for name, each in bound.items() if _is_scalar(each, fact))
    return Match(Rule("einsum", LINEAR, tuple(bound), (), lines), bound, form, arrays, scalars)


def _is_scalar(value: Expr, fact: Ask) -> bool:
    return literal(value) is not None or bool(fact(value).is_scalar)


# ---------------------------------------------------------------------------- one operand


@dataclass(frozen=True, slots=True)
class _Adjoint:
    """What one operand receives, while it is written."""

    subscripts: Subscripts
    number: int
    params: tuple[Var, ...]
    bound: Mapping[str, Expr]
    call: Call
    fact: Ask

    @property
    def own(self) -> str:
        """Return the operand's own indices."""
        return self.subscripts.operands[self.number]


def _adjoint(made: _Adjoint) -> Expr:
    own, result = made.own, made.subscripts.result
    me = made.params[made.number]
    terms: list[tuple[str, Expr]] = [(result, local_var("y_bar"))]
    terms += [
        (indices, made.params[k])
        for k, indices in enumerate(made.subscripts.operands)
        if k != made.number
    ]
    target, spread = _apart(own, "".join(indices for indices, _ in terms))
    seen = {letter for indices, _ in terms for letter in indices}
    if not {*_letters(own)} <= seen:
        if not result and len(terms) == 1 and not spread:
            return Call(FULL_LIKE, (me, local_var("y_bar")))
        terms.append((own, Call(ONES_LIKE, (me,))))
    for pair, axis in spread:
        size = Op("index", (Attr(me, "shape"), Const(axis)))
        terms.append((pair, Call(EYE, (size,), (("dtype", Attr(me, "dtype")),))))
    dots = any(DOTS in indices for indices, _ in terms)
    target = DOTS + _letters(target) if dots else target
    if not made.call.keywords and _has_own_lengths(made):
        product = _product(terms, target)
        if product is not None:
            return product
    value = _contracted(terms, target, made.call.keywords)
    if dots and DOTS in own and not own.startswith(DOTS):
        return _before_dots(value, me, own)
    if dots or not _has_own_lengths(made):
        return Call(SUM_TO, (value, Attr(me, "shape")))
    return value


def _before_dots(value: Expr, me: Expr, own: str) -> Expr:
    """Return a value with the indices behind its dots that stand before those of an operand."""
    before, _, behind = own.partition(DOTS)
    front = tuple(range(len(before)))
    back = tuple(number(i - len(before) - len(behind)) for i in front)
    ahead = tuple(map(Const, front))
    places = [Op("tuple", each) if len(each) > 1 else each[0] for each in (ahead, back)]
    moved = Call(MOVEAXIS, (me, *places))
    return Call(MOVEAXIS, (Call(SUM_TO, (value, Attr(moved, "shape"))), *reversed(places)))


def _contracted(terms: list[tuple[str, Expr]], target: str, said: Any) -> Expr:
    """Return the sum over what is not in the target; a number stands before it.

    Of more than two factors NumPy is asked to find a good order, as a hand would.
    """
    numbers = [term for indices, term in terms if not indices]
    if numbers and len(terms) > len(numbers):
        rest = [(indices, term) for indices, term in terms if indices]
        return reduce(lambda a, b: Op("*", (a, b)), [*numbers, _contracted(rest, target, said)])
    if len(terms) > 2 and not said:
        said = (("optimize", Const(True)),)
    text = ",".join(indices for indices, _ in terms) + "->" + target
    return Call(EINSUM, (Const(text), *(term for _, term in terms)), said)


def _product(terms: list[tuple[str, Expr]], target: str) -> Expr | None:
    """Return what two matrices, or one and a vector, make as their product, if it is that.

    np.einsum("ik,kj->ij", y_bar, B) is y_bar @ B, for which there are fast libraries.
    """
    sides = [indices for indices, _ in terms]
    if len(sides) != 2 or sorted(map(len, sides)) not in ([1, 2], [2, 2]) or not target:
        return None
    shared = {*sides[0]} & {*sides[1]}
    plain = all(len({*side}) == len(side) and side.isalpha() for side in (*sides, target))
    if not plain or len(shared) != 1 or {*target} != {*sides[0]} ^ {*sides[1]}:
        return None
    (s,) = shared
    if len(target) == 1:
        at = 0 if len(sides[0]) == 2 else 1
        (matrix, a), (_, b) = terms[at], terms[1 - at]
        return Op("@", (a, b) if matrix[1] == s else (b, a))
    left = terms[0] if target[0] in sides[0] else terms[1]
    right = terms[1] if left is terms[0] else terms[0]
    return Op("@", (_turned(left, 1, s), _turned(right, 0, s)))


def _turned(term: tuple[str, Expr], place: int, letter: str) -> Expr:
    """Return a matrix, or its transpose, with an index at a place."""
    return term[1] if term[0][place] == letter else Attr(term[1], "T")


def _apart(own: str, used: str) -> tuple[str, list[tuple[str, int]]]:
    """Return indices that are all different, and the pairs that have to be equal."""
    target, pairs = "", []
    free = iter(each for each in string.ascii_letters if each not in used + own)
    for place, letter in enumerate(own):
        if letter != "." and letter in target:
            other = next(free)
            pairs.append((letter + other, place))
            letter = other
        target += letter
    return target, pairs


def _has_own_lengths(made: _Adjoint) -> bool:
    """Tell whether no axis of the operand is a single element that others make longer."""
    dims = _dims(made, made.number)
    if dims is None:
        return False
    for k, indices in enumerate(made.subscripts.operands):
        others = _dims(made, k)
        if others is None:
            return False
        known = dict(zip(made.own, dims, strict=False))
        if any(known.get(i, dim) != dim for i, dim in zip(indices, others, strict=False)):
            return False
    return True


def _dims(made: _Adjoint, number: int) -> Any:
    shape = getattr(made.fact(made.bound[f"part_{number}"]), "shape", None)
    return shape if isinstance(shape, tuple) else None
