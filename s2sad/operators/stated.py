"""Rules as users state them: a text of templates, a pair of functions; what is wrong in one is told at its line.

rules_of_text(text, "my_rules.py", {"softsign": softsign})
rule_of_pair(softsign, ("x", "width"), ["width"], softsign_rev, softsign_jvp)

my_rules.py:6    x_bar = y_bar * np.cos(x, t)    np.cos takes 1 argument, not 2
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, call, global_, subscript
from s2sad.ir.records import replace
from s2sad.operators.binding import holes_of
from s2sad.operators.custom import Custom
from s2sad.operators.guards import GUARDS
from s2sad.operators.reading import Text, is_doc, parameters, rules_in, words_in
from s2sad.operators.rule import CONSTANT, ELEMENTWISE, JOINT, LINEAR, PARTS, Line, Rule, hole
from s2sad.operators.trees import literal


def rules_of_text(text: str, file: str, names: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules of a text; ArgumentError, at the line of the template, for what is wrong."""
    where = Text(file, names, is_own=False)
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        place = ast.Pass(lineno=error.lineno or 1, col_offset=max(0, (error.offset or 1) - 1))
        raise where.error(f"this is not Python: {error.msg}", place) from None
    where = Text(file, {**imported(body, where), **names}, is_own=False)
    checked_body(body, where)
    rules = rules_in(body, where)
    nodes = [node for node in body if isinstance(node, ast.FunctionDef)]
    for rule, node in zip(rules, nodes, strict=True):
        checked(rule, node, where)
    return tuple(rules)


def rule_of_pair(
    function: Callable[..., Any],
    params: tuple[str, ...],
    left_out: list[str],
    reverse: Callable[..., Any],
    forward: Callable[..., Any],
) -> Rule:
    """Return the rule of a function whose derivatives two functions compute.

    For the parameters `left_out` there is no adjoint.
    """
    name = getattr(function, "__name__", "f")
    return Rule(
        name=name,
        family=JOINT,
        params=params,
        patterns=(call(global_(name, function), *map(hole, params)),),
        lines=tuple(_adjoints(reverse, params, left_out)),
        tangent=(_tangent(forward, params, left_out),),
        defaults=dict(_defaults(function, params)),
        doc=inspect.getdoc(reverse) or "",
        file=reverse.__code__.co_filename,
        line=reverse.__code__.co_firstlineno,
        pair=Custom(reverse, forward),
    )


def _defaults(function: Any, params: tuple[str, ...]) -> Iterator[tuple[str, Expr]]:
    try:
        own = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    for name, parameter in zip(params, own, strict=False):
        if isinstance(parameter.default, bool | int | float | str) or parameter.default is None:
            yield name, literal(parameter.default)


def _adjoints(reverse: Any, params: tuple[str, ...], left_out: list[str]) -> Iterator[Line]:
    made = call(global_(reverse.__name__, reverse), *map(hole, (*params, "y", "y_bar")))
    if len(params) == 1:
        yield Line(params[0], made)
        return
    yield Line("every_bar", made, is_local=True)
    for at, name in enumerate(params):
        if name not in left_out:
            yield Line(name, subscript(hole("every_bar"), literal(at)))


def _tangent(forward: Any, params: tuple[str, ...], left_out: list[str]) -> Line:
    dots = [literal(0.0) if name in left_out else hole(f"{name}_dot") for name in params]
    args = (*map(hole, (*params, "y")), *dots)
    return Line("", call(global_(forward.__name__, forward), *args))


FAMILIES = ("", ELEMENTWISE, LINEAR, JOINT, PARTS, CONSTANT, "explicit")
SETTINGS = ("FAMILY", "HOLOMORPHIC")
# words that only say where tests draw samples (testing/domains.py)
OF_SAMPLES = frozenset(
    """
    nonzero positive unit negative wide leading definite triangular symmetric spread_out
    signed small banded wild inner probability above_one above_two off_grid apart distinct
    regular gaps generator places boolean increasing spread cholesky_pair lu_pair constant
    several fixed between
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
    patterns = (stmt for stmt in lines if _target(stmt) == "y")
    for stmt, pattern in zip(patterns, rule.patterns, strict=True):
        _check_pattern(rule, pattern, stmt, where)
    for stmt in lines:
        _check_line(rule, stmt, where)
    _check_words(node, where)
    _check_tangents(rule, node, where)


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
