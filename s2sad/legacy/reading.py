"""The text of templates is read: each function in it becomes a Rule, each expression a tree.

    def tanh(x):                           Rule("tanh", params=("x",),
        y = np.tanh(x)             ->           patterns=(np.tanh(x),),
        x_bar = y_bar * (1.0 - y**2)            lines=(Line("x", y_bar * (1.0 - y**2)),))

Texts of users may import, and are held to more than s2sad's own: `strict` (misread.py).
"""

from __future__ import annotations

import ast
import builtins
import copy
import math
import statistics
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.ir.errors import ArgumentError, InternalError, S2sadError, Span
from s2sad.legacy.instances import classes_in
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref
from s2sad.legacy.templating import JOINT, PRINTED_FUNCTION, Line, Rule, local_var
from s2sad.legacy.traverse import reads
from s2sad.source.optional import MODULES, known_name
from s2sad.source.trees import nodes_of


@dataclass(frozen=True, slots=True)
class Template:
    """Where a text of templates stands, and what its names mean beside those every text knows.

    `strict` is for texts of users: what is wrong in them is the user's to mend, at its place.
    """

    file: str
    names: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = False
    rule: str = ""

    def error(self, problem: str, node: Any = None, hint: str = "") -> S2sadError:
        """Return what is wrong in a template, at the place of a node of its syntax."""
        line = getattr(node, "lineno", 1)
        if not self.strict:
            return InternalError(f"templates/{self.file}:{line}: {problem}")
        span = Span(
            self.file,
            self.rule or "the template",
            line,
            getattr(node, "col_offset", 0),
            getattr(node, "end_lineno", None) or 0,
            getattr(node, "end_col_offset", None) or 0,
        )
        return ArgumentError(problem, span, hint)


# ---------------------------------------------------------------------------- rules


def read_rules(text: str, file: str) -> tuple[Rule, ...]:
    """Read the templates of one of s2sad's own files."""
    return rules_in(ast.parse(text).body, Template(file))


def rules_in(body: list[ast.stmt], where: Template) -> tuple[Rule, ...]:
    """Return the rules of the statements of a text."""
    said = {"FAMILY": "", "HOLOMORPHIC": "", "STACKS": "", "EACH": ""}
    rules = []
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                said[name] = str(value)
            case ast.FunctionDef():
                for each in _said_of_each(node, said["EACH"]):
                    rule = _read_rule(each, said["FAMILY"], replace(where, rule=each.name))
                    largest = _largest_ranks(rule) if said["STACKS"] == "refused" else {}
                    rules.append(replace(rule, ranks=largest))
    names = frozenset(said["HOLOMORPHIC"].split())
    unknown = names - {rule.name for rule in rules}
    if unknown:
        raise where.error(f"no rules: {', '.join(sorted(unknown))}")
    return tuple(replace(rule, holomorphic=rule.name in names) for rule in rules)


def _read_rule(node: ast.FunctionDef, family: str, where: Template) -> Rule:
    arguments = parameters(node)
    params = tuple(name for name, _, _ in arguments)
    assigned = [_assignment(stmt, where) for stmt in node.body if not is_doc(stmt)]
    known = _own_names(params, [name for name, _, _ in assigned])
    lines = [(name, expression(value, known, where), part, value) for name, value, part in assigned]
    marks = {name: words_of(note) for name, note, _ in arguments}
    return Rule(
        name=node.name,
        family=family,
        params=params,
        patterns=tuple(value for name, value, *_ in lines if name == "y"),
        lines=tuple(_reverse_lines(lines, params)),
        tangent=tuple(_tangent_lines(lines, params, family, where)),
        defaults={name: expression(d, frozenset(), where) for name, _, d in arguments if d},
        marks={name: words for name, words in marks.items() if words},
        classes=_classes(arguments, where),
        samples=_examples(arguments, "sample"),
        shapes=_examples(arguments, "shapes"),
        doc=ast.get_docstring(node) or "",
        file=where.file,
        line=node.lineno,
    )


def _said_of_each(node: ast.FunctionDef, words: str) -> Iterator[ast.FunctionDef]:
    """Yield a template; one that is called `each_...` once for each of the words.

    `t:df` puts t for `each` and df for the parameter `shape`. In any other template a line with
    `.each` stands for one line a word.
    """
    if not node.name.startswith("each_"):
        node.body = [line for stmt in node.body for line in _lines_of_each(stmt, words)]
        yield node
        return
    for word in words.split():
        name, _, shape = word.partition(":")
        yield _Put({"each": name, "shape": shape or "shape"}).visit(copy.deepcopy(node))


def _lines_of_each(stmt: ast.stmt, words: str) -> list[ast.stmt]:
    if not any(isinstance(part, ast.Attribute) and part.attr == "each" for part in nodes_of(stmt)):
        return [stmt]
    return [_Put({"each": word}).visit(copy.deepcopy(stmt)) for word in words.split()]


class _Put(ast.NodeTransformer):
    """Puts other names into a template."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = f"{self.names['each']}_{node.name.removeprefix('each_')}"
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self.names["each"] if node.attr == "each" else node.attr
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        return self.generic_visit(node)


def _largest_ranks(rule: Rule) -> Mapping[str, int]:
    """Return the largest rank of the examples of each parameter that has examples."""
    return {
        name: max(len(ast.literal_eval(each)) for each in shapes)
        for name, shapes in rule.shapes.items()
    }


Argument = tuple[str, ast.expr | None, ast.expr | None]  # name, annotation, default


def parameters(node: ast.FunctionDef) -> list[Argument]:
    """Return name, annotation and default of each parameter of a template."""
    given = node.args
    plain = given.posonlyargs + given.args
    missing: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    found = [
        (arg.arg, arg.annotation, default)
        for arg, default in zip(
            plain + given.kwonlyargs, missing + given.defaults + given.kw_defaults, strict=True
        )
    ]
    if given.vararg is not None:
        found.append((given.vararg.arg, given.vararg.annotation, None))
    return found


def is_doc(stmt: ast.stmt) -> bool:
    """Tell whether a statement is a docstring."""
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def _assignment(stmt: ast.stmt, where: Template) -> tuple[str, ast.expr, int | None]:
    match stmt:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value, None
        case ast.Assign(
            targets=[ast.Subscript(ast.Name(id="y_dot"), ast.Constant(int() as part))], value=value
        ):
            return "y_dot", value, part
    raise where.error("a template holds `name = expression` lines only", stmt)


def _own_names(params: tuple[str, ...], targets: list[str]) -> frozenset[str]:
    return frozenset((*params, *(f"{p}_dot" for p in params), *targets, "y", "y_bar"))


_Lines = list[tuple[str, Expr, int | None, ast.expr]]


def _reverse_lines(lines: _Lines, params: tuple[str, ...]) -> Iterator[Line]:
    for name, value, *_ in lines:
        if name in ("y", "y_dot"):
            continue
        param = name.removesuffix("_bar")
        to_param = name != param and param in params
        yield Line(param if to_param else name, value, local=not to_param)


def _tangent_lines(
    lines: _Lines, params: tuple[str, ...], family: str, where: Template
) -> Iterator[Line]:
    """Yield the `y_dot` lines, each under the one parameter whose tangent it reads.

    In the family "joint" one line may read them all: it stands under no parameter.
    """
    for name, value, part, node in lines:
        if name == "y_dot":
            read = {var.slot for var in reads(value)} & {f"{p}_dot" for p in params}
            if len(read) > 1 and family == JOINT:
                yield Line("", value, part=part)
            elif len(read) != 1:
                raise where.error("each y_dot line reads exactly one tangent", node)
            else:
                yield Line(read.pop().removesuffix("_dot"), value, part=part)


def _classes(arguments: list[Argument], where: Template) -> Mapping[str, tuple[type, ...]]:
    """Return the classes that `of(...)` in the annotations names; a SciPy may not have them all."""
    found = {}
    for name, note, _ in arguments:
        refs = [expression(each, frozenset(), where) for each in classes_in(note)]
        if refs:
            values = (ref.value for ref in refs if isinstance(ref, Ref))
            found[name] = tuple(value for value in values if isinstance(value, type))
    return found


def words_of(note: ast.expr | None) -> tuple[str, ...]:
    """Return the words of an annotation."""
    match note:
        case ast.Name(id=word):
            return (word,)
        case ast.Tuple(elts=parts):
            return tuple(word for part in parts for word in words_of(part))
    return ()


def _examples(arguments: list[Argument], word: str) -> Mapping[str, tuple[ast.expr, ...]]:
    """Return what `sample(...)` or `shapes(...)` in the annotations offers to the test."""
    found = {name: _offered(note, word) for name, note, _ in arguments}
    return {name: examples for name, examples in found.items() if examples}


def _offered(note: ast.expr | None, word: str) -> tuple[ast.expr, ...]:
    match note:
        case ast.Call(func=ast.Name(id=name), args=args) if name == word:
            return tuple(args)  # only tests want their text
        case ast.Tuple(elts=parts):
            return tuple(each for part in parts for each in _offered(part, word))
    return ()


# ---------------------------------------------------------------------------- expressions

_BINARY: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
_UNARY: Mapping[type[ast.AST], str] = {
    ast.USub: "u-",
    ast.UAdd: "u+",
    ast.Invert: "~",
    ast.Not: "not",
}
_COMPARE: Mapping[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is_not",
    ast.In: "in",
    ast.NotIn: "not_in",
}


def expression(node: ast.expr, own: frozenset[str], where: Template) -> Expr:
    """Return a template's expression; `own` are the names that are not global."""

    def read(part: ast.expr) -> Expr:
        return expression(part, own, where)

    match node:
        case ast.Constant(value=value):
            return Const(value)
        case ast.Name(id=name) if name in own:
            return local_var(name)
        case ast.Name():
            return _global(node, where)
        case ast.Attribute():
            return _attribute(node, read(node.value), where)
        case ast.Call(func=func, args=args, keywords=keywords):
            named = tuple((str(each.arg), read(each.value)) for each in keywords)
            return Call(read(func), tuple(map(read, args)), named)
        case ast.Subscript(value=value, slice=key):
            return Op("index", (read(value), read(key)))
        case ast.Slice(lower=lower, upper=upper, step=step):
            return Op("slice", tuple(read(p) if p else Const(None) for p in (lower, upper, step)))
    op, parts = _operator(node, where)
    return Op(op, tuple(map(read, parts)))


def _operator(node: ast.expr, where: Template) -> tuple[str, list[ast.expr]]:
    match node:
        case ast.BinOp(left, op, right) if type(op) in _BINARY:
            return _BINARY[type(op)], [left, right]
        case ast.UnaryOp(op, operand):
            return _UNARY[type(op)], [operand]
        case ast.Compare(left, ops, comparators):
            return " ".join(_COMPARE[type(op)] for op in ops), [left, *comparators]
        case ast.BoolOp(op, values):
            return ("and" if isinstance(op, ast.And) else "or"), values
        case ast.IfExp(test, body, orelse):
            return "if", [test, body, orelse]
        case ast.Tuple(elts):
            return "tuple", elts
        case ast.List(elts):
            return "list", elts
        case ast.Starred(value):
            return "star", [value]
    raise where.error(f"{ast.unparse(node)} is not part of the template language", node)


def _attribute(node: ast.Attribute, value: Expr, where: Template) -> Expr:
    if not isinstance(value, Ref) or not isinstance(value.value, ModuleType | np.ufunc):
        return Attr(value, node.attr)
    text = f"{value.text}.{node.attr}"
    try:
        found = getattr(value.value, node.attr)
        return _named(text, found) if where.strict else Ref(text, found)
    except AttributeError:
        if where.strict:
            raise where.error(f"{value.text} has no {node.attr}", node) from None
        # a spelling that this NumPy does not have can match nothing
        return Ref(text, object())


def _global(node: ast.Name, where: Template) -> Expr:
    if node.id in where.names:
        return _named(node.id, where.names[node.id])
    if node.id.startswith("_"):
        return Ref(node.id, PRINTED_FUNCTION)
    own = {"np": np, "math": math, "statistics": statistics, "copy": copy}
    for module in (own, vars(builtins)):
        if node.id in module:
            return Ref(node.id, module[node.id])
    if node.id in MODULES and not where.strict:
        return Ref(MODULES[node.id], sys.modules[MODULES[node.id]])
    hint = "Import it in the template, or hand it on: names={...}." if where.strict else ""
    raise where.error(
        f"{node.id} is neither a parameter nor an earlier line of the template", node, hint
    )


def _named(text: str, value: Any) -> Ref:
    """Return a global name; NumPy, math and SciPy have one name each in every text."""
    for own, module in (("np", np), ("math", math)):
        if value is module:
            return Ref(own, value)
    return Ref(known_name(text, value) or text, value)
