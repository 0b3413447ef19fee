"""The one table of rewrites of derivative expressions: what stands before, what stands after.

    def minus_above(a, b):
        before = (-a) / b          -x / p     ->     -(x / p)
        after = -(a / b)

One rewrite may have several lines `before`. `templates/rewrites_exact.py` changes no bit of a result, and `COMMON` below reads as a hand would
write; `templates/rewrites_reassociating.py` rounds in another way and is used on request alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from s2sad.ir.expression import Expr
from s2sad.ir.records import dataclass
from s2sad.ir.types import Array, is_float
from s2sad.operators.guards import dtype_of, rank_of, spelled
from s2sad.operators.heads import Head, head_of
from s2sad.operators.reading import Text, parameters, words_in
from s2sad.operators.texts import texts
from s2sad.operators.trees import Reader

EXACT, REASSOCIATING = "rewrites_exact.py", "rewrites_reassociating.py"
# literals first and folded, signs outside: a factor that is a power of two changes no bit, any
# other rounds once where the text as it stands would round twice
COMMON = """
def constant_of_a_divisor(a: constant, b, c):
    before = a * (b / (a * c))
    before = (a * b) / (a * c)
    after = b / c
def divisor_outside(a: vector, s: scalar, b: vector):
    before = (a / s) @ b
    before = a @ (b / s)
    after = (a @ b) / s
def factor_outside(s: scalar, a: vector, b: vector):
    before = (s * a) @ b
    before = a @ (s * b)
    after = s * (a @ b)
def divisor_outside_of_all(a: double, s: scalar, b: double):
    before = np.vdot(a / s, b)
    before = np.vdot(a, b / s)
    after = np.vdot(a, b) / s
def factor_outside_of_all(s: scalar, a: double, b: double):
    before = np.vdot(s * a, b)
    before = np.vdot(a, s * b)
    after = s * np.vdot(a, b)
def minus_all(a: signed):
    before = np.sum(-a)
    after = -np.sum(a)
def minus_of_a_difference(a, b: inexact):
    before = -(a - b)
    after = b - a
def minus_of_a_literal_times(c: number, a):
    before = -(c * a)
    after = (-c) * a
def minus_of_a_literal_over(c: number, a):
    before = -(c / a)
    after = (-c) / a
def minus_itself_twice(a: inexact):
    before = (-a) - a
    after = -2.0 * a
def one_times(b: inexact):
    before = 1 * b
    after = b
def literal_first(a: inexact, c: number):
    before = a * c
    after = c * a
def minus_times(a, b):
    before = (-a) * b
    before = a * (-b)
    after = -(a * b)
def minus_product(a, b):
    before = (-a) @ b
    before = a @ (-b)
    after = -(a @ b)
def minus_sum_times(a, b, c):
    before = (-a - b) * c
    after = -((a + b) * c)
def dot_of_axes(a: linear, b: linear):
    before = np.dot(a, b)
    after = a @ b
def times_reciprocal(a: inexact, b):
    before = a * (1 / b)
    before = (1 / b) * a
    after = a / b
def part_of_a_reciprocal_times(a: inexact, b: array, key):
    before = (1 / b)[key] * a
    after = a / b[key]
def minus_one_times_over(a: signed, b: inexact):
    before = a * -1 / b
    after = -a / b
def literals_together(c: number, d: number, a):
    before = c * (d * a)
    after = (c * d) * a
def literals_over(c: number, d: number, a):
    before = c * (d / a)
    after = (c * d) / a
def literal_outside(a, c: number, b):
    before = a * (c * b)
    after = c * (a * b)
def literals_together_beside(c: number, a, d: number, b):
    before = (c * a) * (d / b)
    after = (c * d) * a / b
def literal_outside_first(c: number, a, b):
    before = (c * a) * b
    after = c * (a * b)
def literals_together_above(c: number, d: number, a, b):
    before = c * (d * a / b)
    after = (c * d) * a / b
def literal_of_a_numerator_outside(a: inexact, c: number, b, d):
    before = a * (c * b / d)
    after = c * (a * b / d)
def part_of_a_literal_times(c: number, a, key):
    before = (c * a)[key]
    after = c * a[key]
def part_of_a_literal_over(c: number, a: array, key):
    before = (c / a)[key]
    after = c / a[key]
def part_of_a_literal_times_over(c: number, a, b: array, key):
    before = (c * a / b)[key]
    after = c * (a / b)[key]
def product_turned(a: matrix, b):
    before = (a.T @ b).T
    after = b.T @ a
def product_turned_behind(a, b: matrix):
    before = (a @ b.T).T
    after = b @ a.T
"""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What an expression has to be like, with the words for its parts, and what stands for it."""

    name: str
    marks: Mapping[str, tuple[str, ...]]
    before: Expr
    after: Expr


def _is_short(expr: Expr) -> bool:
    return expr.op == "name"


def _is_signed(expr: Expr) -> bool:
    return dtype_of(expr)[:1] in ("f", "c", "i")


def _is_negative(expr: Expr) -> bool:
    value = spelled(expr)
    return isinstance(value, float) and value < 0


def _is_constant(expr: Expr) -> bool:
    """Tell whether an expression is a number that the text spells, and is not zero: 2.0 * np.pi."""
    if expr.op == "binary" and expr.data == "*":
        return all(map(_is_constant, expr.args))
    value = expr.data.value if expr.op == "global" else spelled(expr)
    return isinstance(value, float) and value != 0.0


WORDS: Mapping[str, Callable[[Expr], bool]] = {
    "floating": lambda expr: is_float(expr.type),
    "inexact": lambda expr: is_float(expr.type),
    "double": lambda expr: dtype_of(expr) == "float64",
    "signed": _is_signed,
    "number": lambda expr: isinstance(spelled(expr), float),
    "negative": _is_negative,
    "short": _is_short,
    "array": lambda expr: isinstance(expr.type, Array),
    "constant": _is_constant,
    "scalar": lambda expr: rank_of(expr.type) == 0 and dtype_of(expr)[:1] in ("f", "i"),
    "vector": lambda expr: rank_of(expr.type) == 1 and dtype_of(expr) == "float64",
    "linear": lambda expr: rank_of(expr.type) in (1, 2),
    "matrix": lambda expr: rank_of(expr.type) == 2,
}


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
def rewrites(reassociate: bool = False) -> Mapping[Head | None, tuple[Rewrite, ...]]:
    """Return the rewrites under what they are looked up by, in their order."""
    found = [*_read(texts()[EXACT], EXACT), *_read(COMMON, "operators/rewrites.py")]
    if reassociate:
        found += _read(texts()[REASSOCIATING], REASSOCIATING)
    grouped: dict[Head | None, tuple[Rewrite, ...]] = {}
    for each in found:
        head = head_of(each.before) or (each.before.op, "")
        grouped[head] = (*grouped.get(head, ()), each)
    return grouped


def fitting(expr: Expr, reassociate: bool) -> tuple[Rewrite, dict[str, Expr]] | None:
    """Return the first rewrite that fits an expression, and what its names stand for."""
    head = head_of(expr) or (expr.op, "")
    for each in rewrites(reassociate).get(head, ()):
        bound: dict[str, Expr] = {}
        if _fits(each.before, expr, bound) and _is_allowed(each, bound):
            return each, bound
    return None


def _fits(pattern: Expr, expr: Expr, bound: dict[str, Expr]) -> bool:
    if pattern.op == "name":
        return bound.setdefault(pattern.data.name, expr) == expr
    if pattern.op == "global":
        return expr.op == "global" and pattern.data.value is expr.data.value
    if pattern.op == "constant":
        return spelled(expr) is not None and spelled(expr) == pattern.data
    if (pattern.op, pattern.data, len(pattern.args)) != (expr.op, expr.data, len(expr.args)):
        return False
    return all(_fits(*pair, bound) for pair in zip(pattern.args, expr.args, strict=True))


def _is_allowed(rewrite: Rewrite, bound: Mapping[str, Expr]) -> bool:
    return all(
        WORDS[word](bound[name])
        for name, words in rewrite.marks.items()
        for word in words
        if name in bound
    )
