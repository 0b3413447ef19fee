"""The text of a template becomes a Rule: patterns to match and right-hand sides to fill in.

    def tanh(x):                           Rule("tanh", params=("x",),
        y = np.tanh(x)             ->           patterns=(np.tanh(x),),
        x_bar = y_bar * (1.0 - y**2)            lines=(Line("x", y_bar * (1.0 - y**2)),))

Templates are read, never run. In a template's expressions every name that is not NumPy's,
SciPy's, math's, a builtin or a printed function is a `Var` of version -1: a parameter, `y`, `y_bar`, a
tangent such as `x_dot`, or the target of an earlier line.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.errors import InternalError
from s2sad.optional import MODULES
from s2sad.program import Attr, Call, Const, Expr, Op, Ref, Var, reads

ELEMENTWISE = "elementwise"  # y_dot: each line with x_dot in place of y_bar, summed
LINEAR = "linear"  # y_dot: the statement with x_dot in place of x, summed
JOINT = "joint"  # y_dot: the statement with every x_dot at once, zeros for the rest
PARTS = "parts"  # several results: y_dot[i] = ..., or, without such lines, as for JOINT
TWIN = "twin"  # differentiated as a printed function which gives the same (twins.py)
CONSTANT = "constant"  # marks a parameter through which no derivative flows
PRINTED_FUNCTION = "printed"  # the value of a Ref to a function of printed.py

# ---------------------------------------------------------------------------- what a rule is


@dataclass(frozen=True, slots=True)
class Line:
    """`target = value`; the target is a local, or the parameter that `value` contributes to.

    `part` says of which of several results a tangent is: `y_dot[1] = ...`.
    """

    target: str
    value: Expr
    local: bool = False
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One template: how some spellings of an operation are differentiated."""

    name: str
    family: str
    params: tuple[str, ...]
    patterns: tuple[Expr, ...]
    lines: tuple[Line, ...] = ()
    tangent: tuple[Line, ...] = ()
    defaults: Mapping[str, Expr] = field(default_factory=dict)
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doc: str = ""
    file: str = ""
    line: int = 0
    holomorphic: bool = False  # holds for complex values as it stands

    @property
    def differentiable(self) -> frozenset[str]:
        """Return the parameters that an adjoint flows to; of twins, those that have shapes."""
        if self.family == TWIN:
            return frozenset(self.shapes)
        return frozenset(line.target for line in self.lines if not line.local)

    @property
    def broadcasts(self) -> frozenset[str]:
        """Return the parameters whose contribution may have a larger shape than they have."""
        return self.differentiable if self.family == ELEMENTWISE else frozenset()

    @property
    def constant(self) -> bool:
        """Tell whether the derivative is zero with respect to every parameter."""
        return not self.differentiable


def local_var(name: str) -> Var:
    """Return what stands for a template's own name in its expressions."""
    return Var(name, -1)


# ---------------------------------------------------------------------------- where they are


@cache
def template_texts() -> Mapping[str, str]:
    """Return the text of every template file by its name, in alphabetical order."""
    found = sorted(_template_folder().iterdir(), key=lambda entry: entry.name)
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in found
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }


def _template_folder() -> Any:
    try:
        return files("s2sad.templates")
    except ModuleNotFoundError:
        return Path(__file__).resolve().parent.parent / "templates"


# ---------------------------------------------------------------------------- reading


def read_rules(text: str, file: str) -> tuple[Rule, ...]:
    """Read the templates of one file."""
    said = {"FAMILY": "", "HOLOMORPHIC": ""}
    rules = []
    for node in ast.parse(text).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                said[name] = str(value)
            case ast.FunctionDef():
                rules.append(_read_rule(node, said["FAMILY"], file))
    names = frozenset(said["HOLOMORPHIC"].split())
    unknown = names - {rule.name for rule in rules}
    if unknown:
        raise _Place(file, 1).error(f"no rules: {', '.join(sorted(unknown))}")
    return tuple(replace(rule, holomorphic=rule.name in names) for rule in rules)


def _read_rule(node: ast.FunctionDef, family: str, file: str) -> Rule:
    where = _Place(file, node.lineno)
    arguments = _parameters(node)
    params = tuple(name for name, _, _ in arguments)
    assigned = [_assignment(stmt, where) for stmt in node.body if not _is_doc(stmt)]
    known = _own_names(params, [name for name, _, _ in assigned])
    lines = [(name, expression(value, known, where), part) for name, value, part in assigned]
    marks = {name: _marks(note) for name, note, _ in arguments}
    return Rule(
        name=node.name,
        family=family,
        params=params,
        patterns=tuple(value for name, value, _ in lines if name == "y"),
        lines=tuple(_reverse_lines(lines, params)),
        tangent=tuple(_tangent_lines(lines, params, where)),
        defaults={name: expression(d, frozenset(), where) for name, _, d in arguments if d},
        marks={name: words for name, words in marks.items() if words},
        samples=_examples(arguments, "sample"),
        shapes=_examples(arguments, "shapes"),
        doc=ast.get_docstring(node) or "",
        file=file,
        line=node.lineno,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    line: int

    def error(self, problem: str) -> InternalError:
        return InternalError(f"templates/{self.file}:{self.line}: {problem}")


_Argument = tuple[str, ast.expr | None, ast.expr | None]  # name, annotation, default


def _parameters(node: ast.FunctionDef) -> list[_Argument]:
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


def _is_doc(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def _assignment(stmt: ast.stmt, where: _Place) -> tuple[str, ast.expr, int | None]:
    match stmt:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value, None
        case ast.Assign(
            targets=[ast.Subscript(ast.Name(id="y_dot"), ast.Constant(int() as part))], value=value
        ):
            return "y_dot", value, part
    raise where.error("a template holds `name = expression` lines only")


def _own_names(params: tuple[str, ...], targets: list[str]) -> frozenset[str]:
    return frozenset((*params, *(f"{p}_dot" for p in params), *targets, "y", "y_bar"))


_Lines = list[tuple[str, Expr, int | None]]


def _reverse_lines(lines: _Lines, params: tuple[str, ...]) -> Iterator[Line]:
    for name, value, _ in lines:
        if name in ("y", "y_dot"):
            continue
        param = name.removesuffix("_bar")
        to_param = name != param and param in params
        yield Line(param if to_param else name, value, local=not to_param)


def _tangent_lines(lines: _Lines, params: tuple[str, ...], where: _Place) -> Iterator[Line]:
    """Yield the `y_dot` lines, each under the one parameter whose tangent it reads."""
    for name, value, part in lines:
        if name == "y_dot":
            read = {var.slot for var in reads(value)} & {f"{p}_dot" for p in params}
            if len(read) != 1:
                raise where.error("each y_dot line reads exactly one tangent")
            yield Line(read.pop().removesuffix("_dot"), value, part=part)


def _marks(note: ast.expr | None) -> tuple[str, ...]:
    match note:
        case ast.Name(id=word):
            return (word,)
        case ast.Tuple(elts=parts):
            return tuple(word for part in parts for word in _marks(part))
    return ()


def _examples(arguments: list[_Argument], word: str) -> Mapping[str, tuple[str, ...]]:
    """Return what `sample(...)` or `shapes(...)` in the annotations offers to the test."""
    found = {name: _offered(note, word) for name, note, _ in arguments}
    return {name: texts for name, texts in found.items() if texts}


def _offered(note: ast.expr | None, word: str) -> tuple[str, ...]:
    match note:
        case ast.Call(func=ast.Name(id=name), args=args) if name == word:
            return tuple(ast.unparse(arg) for arg in args)
        case ast.Tuple(elts=parts):
            return tuple(text for part in parts for text in _offered(part, word))
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


def expression(node: ast.expr, own: frozenset[str], where: _Place) -> Expr:
    """Return a template's expression; `own` are the names that are not global."""

    def read(part: ast.expr) -> Expr:
        return expression(part, own, where)

    match node:
        case ast.Constant(value=value):
            return Const(value)
        case ast.Name(id=name) if name in own:
            return local_var(name)
        case ast.Name() | ast.Attribute():
            return _name_or_attribute(node, read, own, where)
        case ast.Call(func=func, args=args, keywords=keywords):
            named = tuple((str(each.arg), read(each.value)) for each in keywords)
            return Call(read(func), tuple(map(read, args)), named)
        case ast.Subscript(value=value, slice=key):
            return Op("index", (read(value), read(key)))
        case ast.Slice(lower=lower, upper=upper, step=step):
            return Op("slice", tuple(read(p) if p else Const(None) for p in (lower, upper, step)))
    op, parts = _operator(node, where)
    return Op(op, tuple(map(read, parts)))


def _operator(node: ast.expr, where: _Place) -> tuple[str, list[ast.expr]]:
    match node:
        case ast.BinOp(left, op, right):
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
    raise where.error(f"{ast.unparse(node)} is not part of the template language")


def _name_or_attribute(node: ast.expr, read: Any, own: frozenset[str], where: _Place) -> Expr:
    if isinstance(node, ast.Attribute):
        value = read(node.value)
        if not isinstance(value, Ref) or not isinstance(value.value, ModuleType | np.ufunc):
            return Attr(value, node.attr)
        try:
            return Ref(f"{value.text}.{node.attr}", getattr(value.value, node.attr))
        except AttributeError:
            # a spelling that this NumPy does not have can match nothing
            return Ref(f"{value.text}.{node.attr}", object())
    assert isinstance(node, ast.Name)
    if node.id.startswith("_"):
        return Ref(node.id, PRINTED_FUNCTION)
    for module in ({"np": np, "math": math}, vars(builtins)):
        if node.id in module:
            return Ref(node.id, module[node.id])
    if node.id in MODULES:
        return Ref(MODULES[node.id], sys.modules[MODULES[node.id]])
    raise where.error(f"{node.id} is neither a parameter nor an earlier line of the template")


# ---------------------------------------------------------------------------- printed functions

PRINTED = "printed"  # what the names of the files with these functions start with


@cache
def _printed() -> Mapping[str, tuple[str, tuple[str, ...]]]:
    texts = (text for file, text in template_texts().items() if file.startswith(PRINTED))
    functions = [each for text in texts for each in _functions(text)]
    own = {node.name for node, _ in functions}
    found = {}
    for node, source in functions:
        named = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & own - {node.name}
        found[node.name] = source + "\n", tuple(sorted(named))
    return found


def _functions(text: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            yield node, "\n".join(lines[node.lineno - 1 : node.end_lineno])


def printed_names() -> tuple[str, ...]:
    """Return the names of the functions that right-hand sides may call."""
    return tuple(_printed())


@lru_cache(maxsize=512)
def printed_name(function: Any) -> str:
    """Return the name of a printed function that stands in emitted text, '' of any other."""
    if not isinstance(function, FunctionType) or function.__name__ not in _printed():
        return ""
    try:
        text = inspect.getsource(function)
        own = ast.dump(ast.parse(text))
    except (OSError, TypeError, SyntaxError):
        return ""
    printed = ast.dump(ast.parse(printed_source(function.__name__)))
    return function.__name__ if own == printed else ""


def printed_source(name: str) -> str:
    """Return the text of one printed function."""
    return _printed()[name][0]


def printed_uses(name: str) -> tuple[str, ...]:
    """Return the printed functions that a printed function itself calls."""
    return _printed()[name][1]
