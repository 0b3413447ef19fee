"""Turns a program with a bad score into the smallest one that is bad in the same way.

small = shrink(case, score(case, tmp), lambda c: score(c, tmp))
"""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz.case import Case
from tests.fuzz.score import Score

Judge = Callable[[Case], Score]
SECONDS = 120.0


def shrink(case: Case, bad: Score, judge: Judge, seconds: float = SECONDS) -> Case:
    """Return a smaller case whose score is of the same kind as `bad`."""
    until = time.monotonic() + seconds
    found: Case | None = case
    while found is not None and time.monotonic() < until:
        case = found
        found = _step(case, bad, judge, until)
    return case


def _step(case: Case, bad: Score, judge: Judge, until: float) -> Case | None:
    seen = {case.text}
    for smaller in candidates(case):
        if time.monotonic() > until:
            return None
        if smaller.text in seen and len(smaller.args) == len(case.args):
            continue
        seen.add(smaller.text)
        if judge(smaller).kind == bad.kind:
            return smaller
    return None


def candidates(case: Case) -> Iterator[Case]:
    """Yield simpler cases, those that drop most first."""
    tree = ast.parse(case.text)
    yield from _fewer_arguments(case, tree)
    for makers in (_fewer_statements, _unwrapped, _simpler_expressions):
        for text in makers(tree):
            yield replace(case, text=text)


def size(case: Case) -> int:
    """Return the number of nodes of a program."""
    return sum(1 for _ in ast.walk(ast.parse(case.text)))


# ---------------------------------------------------------------------------- statements


def _blocks(tree: ast.AST) -> list[tuple[int, str]]:
    found = []
    for k, node in enumerate(ast.walk(tree)):
        for field in ("body", "orelse"):
            if isinstance(getattr(node, field, None), list) and getattr(node, field):
                found.append((k, field))
    return found


def _node(tree: ast.AST, k: int) -> ast.AST:
    return next(node for j, node in enumerate(ast.walk(tree)) if j == k)


def _fewer_statements(tree: ast.Module) -> Iterator[str]:
    for k, field in _blocks(tree):
        length = len(getattr(_node(tree, k), field))
        chunk = length
        while chunk:
            for start in range(0, length, chunk):
                smaller = copy.deepcopy(tree)
                owner = _node(smaller, k)
                rest = getattr(owner, field)
                del rest[start : start + chunk]
                if not rest and field == "body":
                    rest.append(ast.Pass())
                yield ast.unparse(ast.fix_missing_locations(smaller)) + "\n"
            chunk //= 2


def _unwrapped(tree: ast.Module) -> Iterator[str]:
    for k, field in _blocks(tree):
        for at, stmt in enumerate(getattr(_node(tree, k), field)):
            for inner in ("body", "orelse"):
                if isinstance(stmt, ast.FunctionDef) or not getattr(stmt, inner, None):
                    continue
                smaller = copy.deepcopy(tree)
                outer = getattr(_node(smaller, k), field)
                outer[at : at + 1] = getattr(outer[at], inner)
                yield ast.unparse(smaller) + "\n"


# ---------------------------------------------------------------------------- expressions


def _parts(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.Call(func, args, keywords):
            inner = [func.value] if isinstance(func, ast.Attribute) else []
            return [*args, *(word.value for word in keywords), *inner]
        case ast.IfExp(test, body, orelse):
            return [body, orelse, test]
        case ast.BoolOp(_, values):
            return list(values)
        case ast.Compare(left, _, comparators):
            return [left, *comparators]
        case ast.Subscript(value, _, ast.Load()):
            return [value]
    return []


def _simpler_expressions(tree: ast.Module) -> Iterator[str]:
    count = sum(1 for _ in ast.walk(tree))
    for k in range(count):
        node = _node(tree, k)
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        plain = isinstance(node, ast.Constant) or ast.unparse(node) in ("np", "math")
        choices: list[ast.expr] = list(_parts(node))
        if not plain:
            choices += [ast.Constant(0.5), ast.Constant(2.0)]
        for choice in choices:
            text = _with(tree, k, choice)
            if text is not None:
                yield text


def _with(tree: ast.Module, k: int, choice: ast.expr) -> str | None:
    smaller = copy.deepcopy(tree)
    target = _node(smaller, k)

    class Swap(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            return copy.deepcopy(choice) if node is target else super().generic_visit(node)

    try:
        return ast.unparse(ast.fix_missing_locations(Swap().visit(smaller))) + "\n"
    except (TypeError, AttributeError, ValueError):
        return None


# ---------------------------------------------------------------------------- arguments


def _fewer_arguments(case: Case, tree: ast.Module) -> Iterator[Case]:
    if len(case.wrt) > 1:
        for i in case.wrt:
            yield replace(case, wrt=tuple(k for k in case.wrt if k != i), text=case.text + " ")
    for i in range(len(case.args)):
        if case.wrt == (i,):
            continue
        smaller = copy.deepcopy(tree)
        for node in smaller.body:
            if isinstance(node, ast.FunctionDef) and node.name == case.function:
                del node.args.args[i]
        wrt = tuple(k - (k > i) for k in case.wrt if k != i)
        args = (*case.args[:i], *case.args[i + 1 :])
        yield replace(case, args=args, wrt=wrt, text=ast.unparse(smaller) + "\n")
