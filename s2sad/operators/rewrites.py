"""The one table of rewrites of derivative expressions: what stands before, what stands after.

    def minus_above(a, b):
        before = (-a) / b          -x / p     ->     -(x / p)
        after = -(a / b)

One rewrite may have several lines `before`. `templates/rewrites_exact.py` changes no bit of a result, and `rewrites_common.py` reads as a hand
would write; `rewrites_reassociating.py` rounds in another way and is used on request alone. `rewrites_late.py` writes out what the others know by
a name, once all is in its place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from s2sad.ir.expression import Expr
from s2sad.ir.records import dataclass
from s2sad.ir.types import Array, Length, Number, Tuple, Type, is_float
from s2sad.operators.guards import dtype_of, is_none, is_square, rank_of, spelled
from s2sad.operators.heads import Head, head_of
from s2sad.operators.reading import Text, parameters, words_in
from s2sad.operators.texts import texts
from s2sad.operators.trees import Reader

PLAIN = ("rewrites_exact.py", "rewrites_common.py")
ANY = (*PLAIN, "rewrites_reassociating.py")
LATE = ("rewrites_late.py",)

# what may stand for a part of another kind: a name for any, a number for one with a sign
LEAVES = frozenset({"name", "constant", "unary"})


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What an expression has to be like, with the words for its parts, and what stands for it."""

    name: str
    marks: Mapping[str, tuple[str, ...]]
    before: Expr
    after: Expr


def _is_negative(expr: Expr) -> bool:
    value = spelled(expr)
    return isinstance(value, float) and value < 0


def _is_square_of(expr: Expr, count: int) -> bool:
    """Tell whether a matrix is known to have so many rows and columns."""
    return isinstance(expr.type, Array) and expr.type.lengths == (Length((), count),) * 2


def _is_constant(expr: Expr) -> bool:
    """Tell whether an expression is a number that the text spells, and is not zero: 2.0 * np.pi."""
    if expr.op == "binary" and expr.data == "*":
        return all(map(_is_constant, expr.args))
    value = expr.data.value if expr.op == "global" else spelled(expr)
    return type(value) in (int, float) and value != 0


def _is_of_lengths(expr: Expr) -> bool:
    """Tell whether a shape is a tuple of lengths, none of which is left to NumPy: no -1."""
    if not isinstance(expr.type, Tuple):
        return False
    lengths = [each.length if isinstance(each, Number) else None for each in expr.type.items]
    return all(
        each is not None and each.constant >= 0 and all(factor > 0 for _, factor in each.terms)
        for each in lengths
    )


WORDS: Mapping[str, Callable[[Expr], bool]] = {
    "floating": lambda expr: is_float(expr.type),
    "double": lambda expr: dtype_of(expr) == "float64",
    "signed": lambda expr: dtype_of(expr)[:1] in ("f", "c", "i"),
    "real": lambda expr: dtype_of(expr)[:1] in ("f", "i"),
    "number": lambda expr: isinstance(spelled(expr), float),
    "negative": _is_negative,
    "short": lambda expr: expr.op == "name",
    "array": lambda expr: isinstance(expr.type, Array),
    "constant": _is_constant,
    "scalar": lambda expr: rank_of(expr.type) == 0 and dtype_of(expr)[:1] in ("f", "i"),
    "valued": lambda expr: isinstance(expr.type, Number),  # no array, of which a view is written
    "vector": lambda expr: rank_of(expr.type) == 1 and dtype_of(expr) == "float64",
    "linear": lambda expr: rank_of(expr.type) in (1, 2),
    "matrix": lambda expr: rank_of(expr.type) == 2,
    "flags": lambda expr: dtype_of(expr) == "bool",
    "lengths": _is_of_lengths,
    "square": is_square,
    "planar": lambda expr: _is_square_of(expr, 2),
    "spatial": lambda expr: _is_square_of(expr, 3),
}
# of the shape of what the first name stands for
ALIKE = "alike"


def _have_one_shape(a: Type, b: Type) -> bool:
    """Tell whether two values surely have one shape."""
    if isinstance(a, Array) and isinstance(b, Array):
        return None not in a.lengths and a.lengths == b.lengths
    return isinstance(a, Number) and isinstance(b, Number)


def _read(text: str, file: str) -> Iterator[Rewrite]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            marks = {each.name: words_in(each.note) for each in parameters(node)}
            reader = Reader(Text(file), frozenset(marks))
            lines = [stmt.value for stmt in node.body if isinstance(stmt, ast.Assign)]
            *befores, after = map(reader.expression, lines)
            for number, before in enumerate(befores, 1):
                named = node.name if number == 1 else f"{node.name}_{number}"
                yield Rewrite(named, marks, before, after)


@cache
def rewrites(files: tuple[str, ...]) -> Mapping[Head | None, tuple[Rewrite, ...]]:
    """Return the rewrites of some files under what they are looked up by, in their order."""
    found = [each for file in files for each in _read(texts()[file], file)]
    grouped: dict[Head | None, tuple[Rewrite, ...]] = {}
    for each in found:
        head = head_of(each.before) or (each.before.op, "")
        grouped[head] = (*grouped.get(head, ()), each)
    return grouped


def fitting(expr: Expr, files: tuple[str, ...]) -> tuple[Rewrite, dict[str, Expr]] | None:
    """Return the first rewrite that fits an expression, and what its names stand for."""
    head = head_of(expr) or (expr.op, "")
    for each in _over(head, tuple(arg.op for arg in expr.args), files):
        bound: dict[str, Expr] = {}
        if _fits(each.before, expr, bound) and _is_allowed(each, bound):
            return each, bound
    return None


@cache
def _over(head: Head, ops: tuple[str, ...], files: tuple[str, ...]) -> tuple[Rewrite, ...]:
    """Return the rewrites under a head that may fit operands of these kinds."""
    return tuple(
        each
        for each in rewrites(files).get(head, ())
        if len(each.before.args) == len(ops)
        and all(a.op in LEAVES or a.op == op for a, op in zip(each.before.args, ops, strict=True))
    )


def _fits(pattern: Expr, expr: Expr, bound: dict[str, Expr]) -> bool:
    if pattern.op == "name":
        return bound.setdefault(pattern.data.name, expr) == expr
    if pattern.op == "global":
        return expr.op == "global" and pattern.data.value is expr.data.value
    if pattern.op == "constant" and pattern.data is None:
        return is_none(expr)
    number = spelled(pattern)
    if number is not None:
        return spelled(expr) == number
    if (pattern.op, pattern.data, len(pattern.args)) != (expr.op, expr.data, len(expr.args)):
        return False
    return all(_fits(*pair, bound) for pair in zip(pattern.args, expr.args, strict=True))


def _is_allowed(rewrite: Rewrite, bound: Mapping[str, Expr]) -> bool:
    marked = ((word, name) for name, words in rewrite.marks.items() for word in words)
    first = bound.get(next(iter(rewrite.marks), ""))
    return all(_is(word, bound[name], first) for word, name in marked if name in bound)


def _is(word: str, expr: Expr, first: Expr | None) -> bool:
    if word == ALIKE:
        return first is not None and _have_one_shape(first.type, expr.type)
    return WORDS[word](expr)
