"""A Program as Python that runs: the print-out of every stage.

print(text(program))
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.ir.expression import Expr, Pattern, Star, Variable
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    Function,
    Handler,
    If,
    Let,
    Note,
    Parameter,
    Program,
    Raise,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)

Names = Mapping[Variable, str]
INDENT = "    "

# how tightly an operator binds, as in Python's reference
LAMBDA, CONDITIONAL, OR, AND, NOT, COMPARE = range(6)
BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, SIGN, POWER, ATOM = range(6, 15)
BINARY = {
    "|": BITOR,
    "^": BITXOR,
    "&": BITAND,
    "<<": SHIFT,
    ">>": SHIFT,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "//": PRODUCT,
    "%": PRODUCT,
    "@": PRODUCT,
    "**": POWER,
}


def expression(expr: Expr, names: Names | None = None) -> str:
    """Return an expression as Python; `names` says what variables are called."""
    return _printed(expr, names or {})[0]


def pattern_text(pattern: Pattern, names: Names | None = None) -> str:
    """Return a target as Python."""
    names = names or {}
    match pattern:
        case Variable():
            return names.get(pattern, str(pattern))
        case Star(variable):
            return "*" + names.get(variable, str(variable))
        case tuple():
            parts = [pattern_text(p, names) for p in pattern]
            inner = ", ".join(
                f"({t})" if isinstance(p, tuple) else t for p, t in zip(pattern, parts, strict=True)
            )
            return inner + ("," if len(parts) == 1 else "")
    return "_"


def _printed(expr: Expr, names: Names) -> tuple[str, int]:
    """Return the text of an expression and how tightly it binds."""

    def inside(arg: Expr, least: int) -> str:
        found, binds = _printed(arg, names)
        return found if binds >= least else f"({found})"

    args = expr.args
    match expr.op:
        case "constant":
            return literal(expr.data)
        case "name":
            return names.get(expr.data, str(expr.data)), ATOM
        case "global":
            return expr.data.text, ATOM
        case "function":
            return expr.data, ATOM
        case "unary":
            binds = NOT if expr.data == "not" else SIGN
            return ("not " if binds == NOT else expr.data) + inside(args[0], binds), binds
        case "binary":
            return _binary(expr, inside)
        case "compare":
            parts = [inside(args[0], BITOR)]
            for symbol, arg in zip(expr.data, args[1:], strict=True):
                parts += [symbol, inside(arg, BITOR)]
            return " ".join(parts), COMPARE
        case "and" | "or":
            binds = AND if expr.op == "and" else OR
            return f" {expr.op} ".join(inside(arg, binds + 1) for arg in args), binds
        case "conditional":
            test, value, otherwise = (
                inside(args[0], OR),
                inside(args[1], OR),
                inside(args[2], CONDITIONAL),
            )
            return f"{value} if {test} else {otherwise}", CONDITIONAL
        case "subscript":
            return f"{inside(args[0], ATOM)}[{_index(args[1], inside)}]", ATOM
        case "attribute":
            base = inside(args[0], ATOM)
            return f"({base}).{expr.data}" if base.isdigit() else f"{base}.{expr.data}", ATOM
        case "slice":
            return _slice(expr, inside), LAMBDA
        case "call":
            return f"{inside(args[0], ATOM)}({', '.join(_arguments(expr, inside))})", ATOM
    return _display(expr, inside)


def _binary(expr: Expr, inside: Any) -> tuple[str, int]:
    binds = BINARY[expr.data]
    left, right = expr.args
    if binds == POWER:
        return f"{inside(left, ATOM)}**{inside(right, SIGN)}", binds
    return f"{inside(left, binds)} {expr.data} {inside(right, binds + 1)}", binds


def _index(index: Expr, inside: Any) -> str:
    if index.op != "tuple" or not index.args:
        return str(inside(index, LAMBDA))
    inner = ", ".join(inside(arg, LAMBDA) for arg in index.args)
    return inner + ("," if len(index.args) == 1 else "")


def _slice(expr: Expr, inside: Any) -> str:
    lower, upper, step = [
        "" if arg.op == "constant" and arg.data is None else str(inside(arg, LAMBDA + 1))
        for arg in expr.args
    ]
    return f"{lower}:{upper}" + (f":{step}" if step else "")


def _arguments(expr: Expr, inside: Any) -> Iterator[str]:
    first = len(expr.args) - len(expr.data)
    plain = expr.args[1:first]
    for arg in plain:
        bare = arg.op == "comprehension" and arg.data == "generator" and len(expr.args) == 2
        text = inside(arg, LAMBDA)
        yield text[1:-1] if bare else text
    for key, arg in zip(expr.data, expr.args[first:], strict=True):
        yield f"{key}={inside(arg, LAMBDA)}"


def _display(expr: Expr, inside: Any) -> tuple[str, int]:
    args = expr.args
    inner = ", ".join(inside(arg, LAMBDA) for arg in args) if expr.op != "comprehension" else ""
    match expr.op:
        case "tuple":
            return f"({inner}{',' if len(args) == 1 else ''})", ATOM
        case "list":
            return f"[{inner}]", ATOM
        case "set":
            return (f"{{{inner}}}" if args else "set()"), ATOM
        case "dict":
            return f"{{{inner}}}", ATOM
        case "item":
            return f"{inside(args[0], LAMBDA)}: {inside(args[1], LAMBDA)}", LAMBDA
        case "starred":
            return expr.data + inside(args[0], BITOR), LAMBDA
        case "record":
            fields = ", ".join(
                f"{n}={inside(a, LAMBDA)}" for n, a in zip(expr.data.names, args, strict=True)
            )
            return f"SimpleNamespace({fields})", ATOM
        case "comprehension":
            return _comprehension(expr, inside), ATOM
        case "formatted":
            return _formatted(expr, inside), ATOM
        case "copied":
            return expr.data.format(*(inside(arg, ATOM) for arg in args)), LAMBDA
    raise ValueError(f"no expression: {expr.op}")


def _comprehension(expr: Expr, inside: Any) -> str:
    parts = [inside(expr.args[0], LAMBDA)]
    for generator in expr.args[1:]:
        parts.append(f"for {pattern_text(generator.data)} in {inside(generator.args[0], OR)}")
        parts += [f"if {inside(test, OR)}" for test in generator.args[1:]]
    start, end = tuple({"list": "[]", "set": "{}", "dict": "{}", "generator": "()"}[expr.data])
    return start + " ".join(parts) + end


def _formatted(expr: Expr, inside: Any) -> str:
    made = []
    for part in expr.args:
        if part.op == "constant":
            made.append(repr(part.data)[1:-1].replace("{", "{{").replace("}", "}}"))
            continue
        conversion = f"!{part.data}" if part.data else ""
        format_ = ":" + _formatted(part.args[1], inside)[2:-1] if len(part.args) > 1 else ""
        made.append(f"{{{inside(part.args[0], OR)}{conversion}{format_}}}")
    text = "".join(made)
    return f'f"{text}"' if '"' not in text else f"f'{text}'"


def literal(value: Any) -> tuple[str, int]:
    """Return a literal and how tightly it binds; infinities and nan are NumPy's."""
    if value is Ellipsis:
        return "...", ATOM
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            return "np.nan", ATOM
        return ("np.inf", ATOM) if value > 0 else ("-np.inf", SIGN)
    if isinstance(value, complex) and not cmath.isfinite(value):
        return f"complex({value.real!r}, {value.imag!r})", ATOM
    text = repr(value)
    return text, SIGN if text.startswith("-") else ATOM


# ---------------------------------------------------------------------------- statements


def lines(block: Block, names: Names | None = None, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a block."""
    names = names or {}
    empty = True
    for statement in block:
        for line in statement_lines(statement, names, depth):
            empty = False
            yield line
    if empty:
        yield INDENT * depth + "pass"


def statement_lines(statement: Statement, names: Names, depth: int) -> Iterator[str]:
    """Yield the lines of a statement."""
    pad = INDENT * depth
    match statement:
        case If():
            yield from _branch(statement, names, depth)
        case For():
            target = pattern_text(statement.target, names)
            yield f"{pad}for {target} in {expression(statement.domain, names)}:"
            yield from lines(statement.body, names, depth + 1)
        case While():
            yield f"{pad}while {expression(statement.test, names)}:"
            yield from lines(statement.body, names, depth + 1)
        case With():
            yield f"{pad}with {expression(statement.context, names)}:"
            yield from lines(statement.body, names, depth + 1)
        case Try():
            yield f"{pad}try:"
            yield from lines(statement.body, names, depth + 1)
            for handler in statement.handlers:
                yield f"{pad}except{_caught(handler, names)}:"
                yield from lines(handler.body, names, depth + 1)
        case _:
            yield from (pad + line for line in simple(statement, names).splitlines())


def _branch(statement: If, names: Names, depth: int) -> Iterator[str]:
    pad, word = INDENT * depth, "if"
    while True:
        yield f"{pad}{word} {expression(statement.test, names)}:"
        yield from lines(statement.body, names, depth + 1)
        if len(statement.orelse) != 1 or not isinstance(statement.orelse[0], If):
            break
        statement, word = statement.orelse[0], "elif"
    if statement.orelse:
        yield f"{pad}else:"
        yield from lines(statement.orelse, names, depth + 1)


def _caught(handler: Handler, names: Names) -> str:
    kinds = "" if handler.kinds is None else " " + expression(handler.kinds, names)
    target = handler.target
    return kinds + ("" if target is None else f" as {pattern_text(target, names)}")


def simple(statement: Statement, names: Names | None = None) -> str:
    """Return the text of a statement that holds no block."""
    names = names or {}
    match statement:
        case Let():
            return _let(statement, names)
        case Store(target, op, value):
            place = expression(target, names)
            if target.op == "name" and op == "=":
                place += "[...]"
            return f"{place} {'' if op == '=' else op}= {_bare(value, names)}"
        case RegionOp(target, base, method, args):
            inner = ", ".join(expression(arg, names) for arg in args)
            head = "" if target is None else pattern_text(target, names) + " = "
            if method == "del":
                return f"del {expression(base, names)}[{inner}]"
            return f"{head}{_printed_base(base, names)}.{method}({inner})"
        case Return(value):
            return f"return {_bare(value, names)}"
        case Raise(value):
            return "raise" if value is None else f"raise {expression(value, names)}"
        case Break():
            return "break"
        case Continue():
            return "continue"
        case Copied():
            return _copied(statement, names)
        case Save(stack, value):
            return f"{pattern_text(stack, names)}.append({expression(value, names)})"
        case Restore(target, stack):
            place = (
                pattern_text(target, names)
                if isinstance(target, Variable)
                else expression(target, names)
            )
            return f"{place} = {pattern_text(stack, names)}.pop()"
        case Note(text):
            return f"# {text}"
    raise ValueError(f"no simple statement: {type(statement).__name__}")


def _let(statement: Let, names: Names) -> str:
    if statement.target is None:
        return expression(statement.value, names)
    target = pattern_text(statement.target, names)
    if statement.spelled != "=":
        return f"{target} {statement.spelled}= {expression(statement.value.args[1], names)}"
    return f"{target} = {_bare(statement.value, names)}"


def _bare(expr: Expr, names: Names) -> str:
    """Return the text of a right side: a tuple needs no brackets there."""
    text = expression(expr, names)
    starred = any(arg.op == "starred" for arg in expr.args)
    return text[1:-1] if expr.op == "tuple" and len(expr.args) > 1 and not starred else text


def _printed_base(base: Expr, names: Names) -> str:
    text, binds = _printed(base, names)
    return text if binds == ATOM else f"({text})"


def _copied(statement: Copied, names: Names) -> str:
    reads = [expression(read, names) for read in statement.reads]
    return statement.text.format(*reads, *(pattern_text(w, names) for w in statement.writes))


def function(made: Function, names: Names | None = None) -> str:
    """Return a function as Python."""
    names = names or {}
    head = f"def {made.name}({', '.join(_parameters(made, names))}):"
    return "\n".join([head, *lines(made.body, names, 1)]) + "\n"


def _parameters(made: Function, names: Names) -> Iterator[str]:
    kinds = [p.kind for p in made.parameters]
    for place, parameter in enumerate(made.parameters):
        if (
            parameter.kind == "keyword"
            and "star" not in kinds[:place]
            and "keyword" not in kinds[:place]
        ):
            yield "*"
        yield _parameter(parameter, names)
        if parameter.kind == "positional" and kinds[place + 1 : place + 2] != ["positional"]:
            yield "/"


def _parameter(parameter: Parameter, names: Names) -> str:
    stars = {"star": "*", "starstar": "**"}.get(parameter.kind, "")
    default = "" if parameter.default is None else f"={expression(parameter.default, names)}"
    return stars + pattern_text(parameter.variable, names) + default


def text(program: Program) -> str:
    """Return a program as Python: its checks stand at the entry of its first function."""
    made = []
    for name, each in program.functions.items():
        printed = function(each)
        if name == program.entry and program.checks:
            head, rest = printed.split("\n", 1)
            asked = [
                f"{INDENT}if not ({expression(check.test)}):\n"
                f"{INDENT * 2}raise ValueError({check.message!r})"
                for check in program.checks
            ]
            printed = "\n".join([head, *asked, rest])
        made.append(printed)
    return "\n\n".join(made)
