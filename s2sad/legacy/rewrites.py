"""Rewrites of derivative expressions, one template each: what stands before, what stands after.

    def minus_above(a, b):
        before = (-a) / b          -x / p * w     ->     -(x / p * w)
        after = -(a / b)

Those that change no bit are always used; those that round in another way on request.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from s2sad.legacy.filling import literal
from s2sad.legacy.products import Known, fact_of_expr, has_sign, is_surely_float
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.reading import Template, expression, parameters, words_of
from s2sad.legacy.templating import REWRITES, template_texts
from s2sad.legacy.tidy import is_pure
from s2sad.legacy.traverse import children, rebuild

EXACT, REASSOCIATING = f"{REWRITES}_exact.py", f"{REWRITES}_reassociating.py"
_REASSOCIATE: ContextVar[bool] = ContextVar("reassociate", default=False)


@contextmanager
def reassociating(yes: bool) -> Iterator[None]:
    """Let results be rounded in another way while a text is made."""
    token = _REASSOCIATE.set(yes)
    try:
        yield
    finally:
        _REASSOCIATE.reset(token)


@dataclass(frozen=True)
class Rewrite:
    """One template: its parameters, each with what it has to be, and the two expressions."""

    name: str
    marks: Mapping[str, tuple[str, ...]]
    before: Expr
    after: Expr


@cache
def rewrites(file: str) -> tuple[Rewrite, ...]:
    """Return the rewrites of a file of templates."""
    nodes = ast.parse(template_texts()[file]).body
    return tuple(_read(node, file) for node in nodes if isinstance(node, ast.FunctionDef))


def _read(node: ast.FunctionDef, file: str) -> Rewrite:
    marks = {name: words_of(note) for name, note, _ in parameters(node)}
    before, after = (
        expression(stmt.value, frozenset(marks), Template(file))
        for stmt in node.body
        if isinstance(stmt, ast.Assign)
    )
    return Rewrite(node.name, marks, before, after)


def rewritten(expr: Expr, known: Known) -> Expr:
    """Return an expression after the first rewrite that fits, itself if none does."""
    files = (EXACT, REASSOCIATING) if _REASSOCIATE.get() else (EXACT,)
    form = _form(expr)
    for file in files:
        for each in _of_form(file).get(form, ()):
            bound: dict[str, Expr] = {}
            if _fits(each.before, expr, bound) and _allowed(each, bound, known):
                return _filled(each.after, bound)
    return expr


def _form(expr: Expr) -> tuple[object, ...] | None:
    """Return what two expressions have in common of which one fits the other; None if nothing can."""
    match expr:
        case Op(op, parts):
            return op, len(parts)
        case Call(Ref(text), args, ()):
            return text, len(args), "call"
        case Attr(_, name):
            return name, "attribute"
    return None


@cache
def _of_form(file: str) -> Mapping[tuple[object, ...] | None, tuple[Rewrite, ...]]:
    """Return the rewrites of a file by the form of what stands before, in their order."""
    found: dict[tuple[object, ...] | None, tuple[Rewrite, ...]] = {}
    for each in rewrites(file):
        form = _form(each.before)
        assert form is not None, f"{each.name} would fit too much"
        found[form] = (*found.get(form, ()), each)
    return found


def _fits(pattern: Expr, expr: Expr, bound: dict[str, Expr]) -> bool:
    """Tell whether an expression has the form of a pattern; fill in what its names stand for."""
    match pattern, expr:
        case Var(name), _:
            return bound.setdefault(name, expr) == expr
        case Op(op, parts), Op(same, others) if op == same and len(parts) == len(others):
            return all(_fits(*pair, bound) for pair in zip(parts, others, strict=True))
        case Call(Ref(text), args, ()), Call(Ref(same), others, ()) if text == same:
            pairs = zip(args, others, strict=False)
            return len(args) == len(others) and all(_fits(*pair, bound) for pair in pairs)
        case Attr(inner, name), Attr(other, same) if name == same:
            return _fits(inner, other, bound)
        case Const(), Const():
            return pattern == expr
    return False


# ---------------------------------------------------------------- what names have to be


def _is_number(expr: Expr, known: Known) -> bool:
    return isinstance(literal(expr), float)


def _is_negative(expr: Expr, known: Known) -> bool:
    value = literal(expr)
    return isinstance(value, float) and value < 0.0


def _is_short(expr: Expr, known: Known) -> bool:
    return isinstance(expr, Var)


def _is_double(expr: Expr, known: Known) -> bool:
    return fact_of_expr(expr, known).dtype == "float64"


MARKS: Mapping[str, Callable[[Expr, Known], bool]] = {
    "floating": is_surely_float,
    "signed": has_sign,
    "double": _is_double,
    "number": _is_number,
    "negative": _is_negative,
    "short": _is_short,
}


def _allowed(rewrite: Rewrite, bound: Mapping[str, Expr], known: Known) -> bool:
    return all(
        is_pure(bound[name]) and all(MARKS[word](bound[name], known) for word in words)
        for name, words in rewrite.marks.items()
    )


# ---------------------------------------------------------------- what stands after

_FOLDS: Mapping[str, Callable[..., float]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "u-": operator.neg,
}


def _filled(expr: Expr, bound: Mapping[str, Expr]) -> Expr:
    """Return what stands after, with arithmetic on literals done."""
    if isinstance(expr, Var):
        return bound[expr.slot]
    parts = tuple(_filled(part, bound) for part in children(expr))
    values = [literal(part) for part in parts]
    if isinstance(expr, Op) and expr.op in _FOLDS and None not in values:
        return Const(_FOLDS[expr.op](*values))
    return rebuild(expr, parts)
