"""What is wrong in a user's template is found when it is read, and told at its line.

my_rules.py:6    x_bar = y_bar * np.cos(x, t)    np.cos takes 1 argument, not 2
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.ir.records import replace
from s2sad.operators.binding import holes_of
from s2sad.operators.guards import GUARDS
from s2sad.operators.reading import Text, is_doc, parameters, words_in
from s2sad.operators.rule import CONSTANT, ELEMENTWISE, JOINT, LINEAR, PARTS, Rule

FAMILIES = ("", ELEMENTWISE, LINEAR, JOINT, PARTS, CONSTANT, "explicit")
SETTINGS = ("FAMILY", "HOLOMORPHIC")
# words that only say where tests draw samples (testing/domains.py)
OF_SAMPLES = frozenset(
    """
    nonzero positive unit negative wide leading definite triangular symmetric spread_out
    signed small banded wild inner probability above_one above_two off_grid apart distinct
    regular gaps generator places boolean increasing spread cholesky_pair lu_pair constant
    several fixed
    """.split()
)


def imported(body: list[ast.stmt], where: Text) -> dict[str, Any]:
    """Return what the import statements of a text bind."""
    found: dict[str, Any] = {}
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(_bound(node, where))
    return found


def _bound(node: ast.Import | ast.ImportFrom, where: Text) -> Iterator[tuple[str, Any]]:
    try:
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = importlib.import_module(alias.name)
                root = alias.name.partition(".")[0]
                yield alias.asname or root, whole if alias.asname else importlib.import_module(root)
            return
        module = importlib.import_module(node.module or "")
        for alias in node.names:
            yield alias.asname or alias.name, getattr(module, alias.name)
    except (ImportError, AttributeError, ValueError) as error:
        raise where.error(f"this import fails: {error}", node) from None


def checked_body(body: list[ast.stmt], where: Text) -> None:
    """Refuse statements that no text of templates holds, and families that there are not."""
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef():
                continue
            case ast.Assign(targets=[ast.Name(id="FAMILY")], value=ast.Constant(str() as family)):
                if family not in FAMILIES:
                    known = ", ".join(each for each in FAMILIES if each)
                    raise where.error(f"there is no family {family!r}", node, f"There are {known}.")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(str())) if (
                name in SETTINGS
            ):
                continue
            case _ if not is_doc(node):
                raise where.error("a text of templates holds rules, imports and FAMILY only", node)


def checked(rule: Rule, node: ast.FunctionDef, where: Text) -> None:
    """Refuse a template that could match nothing, or whose lines cannot be filled in."""
    where = replace(where, rule=rule.name)
    if not rule.patterns:
        raise where.error("no line `y = ...` says which calls the rule is for", node)
    lines = [stmt for stmt in node.body if isinstance(stmt, ast.Assign)]
    for stmt, pattern in zip(_patterns(lines), rule.patterns, strict=True):
        _check_pattern(rule, pattern, stmt, where)
    for stmt in lines:
        _check_line(rule, stmt, where)
    _check_words(node, where)
    _check_tangents(rule, node, where)


def _patterns(lines: list[ast.Assign]) -> Iterator[ast.Assign]:
    return (stmt for stmt in lines if _target(stmt) == "y")


def _target(stmt: ast.Assign) -> str:
    target = stmt.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _check_pattern(rule: Rule, pattern: Expr, stmt: ast.Assign, where: Text) -> None:
    if pattern.op in ("name", "global", "constant") or not pattern.args:
        raise where.error("a pattern is a call, an operator or an attribute", stmt.value)
    named = {*holes_of(pattern)}
    missing = [name for name in rule.params if name not in named]
    if missing:
        raise where.error(f"{missing[0]} does not occur in the pattern", stmt.value)


def _check_line(rule: Rule, stmt: ast.Assign, where: Text) -> None:
    name = _target(stmt)
    stem = name.removesuffix("_bar")
    if stem != name and name != "y_bar" and stem not in rule.params:
        hint = f"Its parameters: {', '.join(rule.params)}."
        raise where.error(f"{stem} is no parameter of {rule.name}", stmt.targets[0], hint)
    for part in ast.walk(stmt.value):
        if isinstance(part, ast.Call):
            _check_call(part, where)


def _check_call(node: ast.Call, where: Text) -> None:
    """Refuse a call whose arguments do not fit its function, where that is known."""
    function = _function(node.func, where)
    if function is None or any(isinstance(each, ast.Starred) for each in node.args):
        return
    keywords = {each.arg: None for each in node.keywords if each.arg}
    if isinstance(function, np.ufunc):
        if not function.nin <= len(node.args) <= function.nargs:
            plural = "s" * (function.nin != 1)
            problem = f"takes {function.nin} argument{plural}, not {len(node.args)}"
            raise where.error(f"{ast.unparse(node.func)} {problem}", node)
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*node.args, **keywords)
    except TypeError as error:
        raise where.error(f"{ast.unparse(node.func)}: {error}", node) from None


def _function(node: ast.expr, where: Text) -> Any:
    """Return the function that a name means, None where none is known."""
    words = ast.unparse(node).split(".")
    if not all(word.isidentifier() for word in words):
        return None
    found: Any = {"np": np, **where.names}.get(words[0])
    for word in words[1:]:
        found = getattr(found, word, None)
    return found if callable(found) else None


def _check_words(node: ast.FunctionDef, where: Text) -> None:
    for argument in parameters(node):
        for word in words_in(argument.note):
            if word not in GUARDS and word not in OF_SAMPLES:
                raise where.error(f"the annotation {word} means nothing", argument.note)


def _check_tangents(rule: Rule, node: ast.FunctionDef, where: Text) -> None:
    """Refuse a rule that has adjoints, and no tangents."""
    if rule.family in (ELEMENTWISE, LINEAR, JOINT, PARTS):
        return
    given = {line.target for line in rule.tangent}
    missing = [name for name in rule.params if name in rule.differentiable - given]
    if missing:
        raise where.error(
            f"forward mode has no line `y_dot = ...` that reads {missing[0]}_dot",
            node,
            'FAMILY = "elementwise" or "linear" makes it of the other lines.',
        )
