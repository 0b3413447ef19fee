"""The files of templates are read as text, never run: each function in it becomes a Rule.

def tanh(x):                           Rule("tanh", params=("x",),
    y = np.tanh(x)             ->           patterns=(np.tanh(x),),
    x_bar = y_bar * (1.0 - y**2)            lines=(Line("x", y_bar * (1.0 - y**2)),))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from s2sad.ir.errors import ArgumentError, InternalError, S2sadError, Span
from s2sad.ir.expression import Expr
from s2sad.ir.records import dataclass, field, replace
from s2sad.operators.rule import JOINT, Line, Rule
from s2sad.operators.trees import Reader


@dataclass(frozen=True, slots=True)
class Text:
    """Where a text of templates stands, and what its names mean beside those every text knows.

    `is_own` is false for texts of users: what is wrong in them is the user's to mend.
    """

    file: str
    names: Mapping[str, Any] = field(default_factory=dict)
    is_own: bool = True
    rule: str = ""

    def error(self, problem: str, node: Any = None, hint: str = "") -> S2sadError:
        """Return what is wrong in a text, at the place of a node of its syntax."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        if self.is_own:
            return InternalError(f"templates/{self.file}:{line}: {problem}")
        line_of_end, end = (
            getattr(node, f"end_{each}", None) or 0 for each in ("lineno", "col_offset")
        )
        place = Span(self.file, self.rule or "the template", line, column, line_of_end, end)
        return ArgumentError(problem, place, hint)


@dataclass(frozen=True, slots=True)
class Template:
    """The tree of a template, and what the headers above it say."""

    node: ast.FunctionDef
    headers: Mapping[str, str]


def rules_in(body: list[ast.stmt], where: Text) -> tuple[Rule, ...]:
    """Return the rules of the statements of a text."""
    templates = tuple(templates_in(body))
    rules = tuple(rule_from(each, where) for each in templates)
    refuse_unknown_names(templates, rules, where)
    return rules


def refuse_unknown_names(templates: Iterable[Template], rules: Iterable[Rule], where: Text) -> None:
    """Raise an error where the headers of a text name a rule that it does not hold."""
    named = {name for each in templates for name in each.headers["HOLOMORPHIC"].split()}
    unknown = named - {rule.name for rule in rules}
    if unknown:
        raise where.error(f"no rules: {', '.join(sorted(unknown))}")


def templates_in(body: list[ast.stmt]) -> Iterator[Template]:
    """Yield the templates of a text, unread."""
    headers = {"FAMILY": "", "HOLOMORPHIC": "", "STACKS": "", "EACH": ""}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                headers = {**headers, name: str(value)}
            case ast.FunctionDef():
                yield Template(node, headers)


def rule_from(template: Template, where: Text) -> Rule:
    """Return the rule of a template."""
    headers = template.headers
    rule = _read_rule(template.node, headers["FAMILY"], replace(where, rule=template.node.name))
    ranks = _largest_ranks(rule) if headers["STACKS"] == "refused" else rule.ranks
    holomorphic = rule.name in headers["HOLOMORPHIC"].split()
    return replace(rule, ranks=ranks, holomorphic=holomorphic)


def _read_rule(node: ast.FunctionDef, family: str, where: Text) -> Rule:
    arguments = parameters(node)
    params = tuple(each.name for each in arguments)
    assigned = [_assignment(stmt, where) for stmt in node.body if not is_doc(stmt)]
    own = {*params, *(f"{p}_dot" for p in params), *(a.name for a in assigned), "y", "y_bar"}
    inside, outside = Reader(where, frozenset(own)), Reader(where)
    lines = [replace(each, value=inside.expression(each.node)) for each in assigned]
    return Rule(
        name=node.name,
        family=family,
        params=params,
        patterns=tuple(each.value for each in lines if each.name == "y" and each.value),
        lines=tuple(_reverse_lines(lines, params)),
        tangent=tuple(_tangent_lines(lines, params, family, where)),
        defaults={a.name: outside.expression(a.default) for a in arguments if a.default},
        marks={a.name: words for a in arguments if (words := words_in(a.note))},
        classes=_classes(arguments, outside),
        samples=_offered_for(arguments, "sample"),
        shapes=_offered_for(arguments, "shapes"),
        doc=ast.get_docstring(node) or "",
        file=where.file,
        line=node.lineno,
    )


# ---------------------------------------------------------------------------- lines


@dataclass(frozen=True, slots=True)
class _Assigned:
    """`name = node`, or `y_dot[part] = node`, with the expression once it is read."""

    name: str
    node: ast.expr
    part: int | None = None
    value: Expr | None = None


def is_doc(stmt: ast.stmt) -> bool:
    """Tell whether a statement is a docstring."""
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def _assignment(stmt: ast.stmt, where: Text) -> _Assigned:
    match stmt:
        case ast.Assign(targets=[ast.Name(id=name)], value=node):
            return _Assigned(name, node)
        case ast.Assign(
            targets=[ast.Subscript(ast.Name(id="y_dot"), ast.Constant(int() as part))], value=node
        ):
            return _Assigned("y_dot", node, part)
    raise where.error("a template holds `name = expression` lines only", stmt)


def _reverse_lines(lines: list[_Assigned], params: tuple[str, ...]) -> Iterator[Line]:
    for each in lines:
        if each.name in ("y", "y_dot") or each.value is None:
            continue
        param = each.name.removesuffix("_bar")
        is_local = each.name == param or param not in params
        yield Line(each.name if is_local else param, each.value, is_local)


def _tangent_lines(
    lines: list[_Assigned], params: tuple[str, ...], family: str, where: Text
) -> Iterator[Line]:
    """Yield the `y_dot` lines, each under the one parameter whose tangent it reads.

    In the family "joint" one line may read them all: it stands under no parameter.
    """
    tangents = {f"{param}_dot": param for param in params}
    for each in lines:
        if each.name != "y_dot" or each.value is None:
            continue
        line = Line("", each.value, part=each.part)
        read = [tangents[name] for name in line.reads if name in tangents]
        if len(read) == 1:
            yield replace(line, target=read[0])
        elif read and family == JOINT:
            yield line
        else:
            raise where.error("each y_dot line reads exactly one tangent", each.node)


# ---------------------------------------------------------------------------- parameters


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a template with its annotation and its default."""

    name: str
    note: ast.expr | None
    default: ast.expr | None = None


def parameters(node: ast.FunctionDef) -> list[Argument]:
    """Return the parameters of a template in their order."""
    given = node.args
    plain = given.posonlyargs + given.args
    missing: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    defaults = missing + given.defaults + given.kw_defaults
    pairs = zip(plain + given.kwonlyargs, defaults, strict=True)
    found = [Argument(arg.arg, arg.annotation, default) for arg, default in pairs]
    if given.vararg is not None:
        found.append(Argument(given.vararg.arg, given.vararg.annotation))
    return found


def words_in(note: ast.expr | None) -> tuple[str, ...]:
    """Return the words of an annotation."""
    match note:
        case ast.Name(id=word):
            return (word,)
        case ast.Tuple(elts=parts):
            return tuple(word for part in parts for word in words_in(part))
    return ()


def _offered(note: ast.expr | None, word: str) -> tuple[ast.expr, ...]:
    """Return the arguments of `sample(...)`, `shapes(...)` or `of(...)` in an annotation."""
    match note:
        case ast.Call(func=ast.Name(id=name), args=args) if name == word:
            return tuple(args)
        case ast.Tuple(elts=parts):
            return tuple(each for part in parts for each in _offered(part, word))
    return ()


def _offered_for(arguments: list[Argument], word: str) -> Mapping[str, tuple[ast.expr, ...]]:
    found = {each.name: _offered(each.note, word) for each in arguments}
    return {name: examples for name, examples in found.items() if examples}


def _classes(arguments: list[Argument], reader: Reader) -> Mapping[str, tuple[type, ...]]:
    """Return the classes that `of(...)` names; a SciPy may not have them all."""
    found: dict[str, tuple[type, ...]] = {}
    for name, nodes in _offered_for(arguments, "of").items():
        values = [reader.expression(node).data.value for node in nodes]
        found[name] = tuple(value for value in values if isinstance(value, type))
    return found


def _largest_ranks(rule: Rule) -> Mapping[str, int]:
    """Return the largest rank of the examples of each parameter that has examples."""
    return {
        name: max(len(ast.literal_eval(shape)) for shape in shapes)
        for name, shapes in rule.shapes.items()
    }
