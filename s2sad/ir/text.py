"""A Program as Python that runs: the print-out of every stage.

print(text(program))
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Global, Variable
from s2sad.ir.program import (
    Block,
    Break,
    Check,
    Continue,
    Copied,
    For,
    Function,
    Handler,
    If,
    Let,
    Note,
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
from s2sad.ir.spelling import ATOM, Names, expression, pattern_text, printed
from s2sad.ir.walk import bound, nodes, nodes_in, statements

INDENT = "    "
BLOCKS = (If, For, While, Try, With)


# ---------------------------------------------------------------------------- statements


def lines(block: Block, names: Names | None = None, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a block."""
    names = names or {}
    for statement in block:
        yield from statement_lines(statement, names, depth)
    if all(isinstance(statement, Note) for statement in block):
        yield INDENT * depth + "pass"


def statement_lines(statement: Statement, names: Names, depth: int) -> Iterator[str]:
    """Yield the lines of a statement."""
    pad = INDENT * depth
    if not isinstance(statement, BLOCKS):
        yield from (pad + line for line in simple(statement, names).splitlines())
        return
    for head, block in headed(statement, names):
        yield pad + head
        yield from lines(block, names, depth + 1)


def headed(statement: Statement, names: Names) -> Iterator[tuple[str, Block]]:
    """Yield the blocks of a statement, each with the line above it.

    An `else` that is nothing but a branch is an `elif`.
    """
    match statement:
        case If(test, body, orelse):
            yield f"if {expression(test, names)}:", body
            while len(orelse) == 1 and isinstance(orelse[0], If):
                yield f"elif {expression(orelse[0].test, names)}:", orelse[0].body
                orelse = orelse[0].orelse
            if orelse:
                yield "else:", orelse
        case For(target, domain, body):
            yield f"for {pattern_text(target, names)} in {expression(domain, names)}:", body
        case While(test, body):
            yield f"while {expression(test, names)}:", body
        case With(context, body):
            yield f"with {expression(context, names)}:", body
        case Try(body, handlers):
            yield "try:", body
            for handler in handlers:
                yield f"except{_caught(handler, names)}:", handler.body


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
        case Raise(value, _, cause):
            said = "raise" if value is None else f"raise {expression(value, names)}"
            return said if cause is None else f"{said} from {expression(cause, names)}"
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
                expression(target, names)
                if isinstance(target, Expr)
                else pattern_text(target, names)
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
    text, binds = printed(base, names)
    return text if binds == ATOM else f"({text})"


def _copied(statement: Copied, names: Names) -> str:
    reads = [expression(read, names) for read in statement.reads]
    return statement.text.format(*reads, *(pattern_text(w, names) for w in statement.writes))


def function(
    made: Function, names: Names | None = None, defaults: Mapping[str, str] | None = None
) -> str:
    """Return a function as Python; `defaults` are those of its last parameters, as text."""
    names = names or {}
    head = f"def {made.name}({signature(made, names, defaults)}):"
    return "\n".join([head, *lines(made.body, names, 1)]) + "\n"


def signature(
    made: Function, names: Names | None = None, defaults: Mapping[str, str] | None = None
) -> str:
    """Return the parameters of a function as Python."""
    words = [pattern_text(p.variable, names or {}) for p in made.parameters]
    has = [word in (defaults or {}) for word in words]
    return ", ".join(
        f"{word}={defaults[word]}" if defaults and all(has[place:]) else word
        for place, word in enumerate(words)
    )


def distinct(made: Function, taken: Iterable[str] = ()) -> Names:
    """Return the names of variables that would be printed alike, or like a function that is `taken`.

    x_1 may be the user's own.
    """
    found = dict.fromkeys(p.variable for p in made.parameters)
    found |= dict.fromkeys(v for each in statements(made.body) for v in bound(each))
    names: dict[Variable, str] = {}
    used = set(taken)
    for variable in sorted(found, key=lambda v: v.number):
        name = str(variable)
        while name in used:
            name += "_"
        used.add(name)
        if name != str(variable):
            names[variable] = name
    return names


def text(program: Program) -> str:
    """Return a program as Python: its checks stand at the entry of its first function."""
    made = []
    for name, each in program.functions.items():
        made_text = function(each, distinct(each, program.functions))
        if name == program.entry:
            made_text = with_checks(made_text, program.checks)
        made.append(made_text)
    return "\n\n".join(made)


def with_checks(function_text: str, checks: Iterable[Check]) -> str:
    """Return the text of a function that asks at its entry what is assumed."""
    head, rest = function_text.split("\n", 1)
    asked = [
        f"{INDENT}if not ({expression(check.test)}):\n"
        f"{INDENT * 2}raise ValueError({check.message!r})"
        for check in checks
    ]
    return "\n".join([head, *asked, rest])


# ---------------------------------------------------------------------------- running


def globals_of(program: Program) -> dict[str, Any]:
    """Return the objects of modules that a program reads, by the text that names them."""
    return {g.text: g.value for g in _globals(program)}


def _globals(program: Program) -> Iterator[Global]:
    for check in program.checks:
        yield from (node.data for node in nodes(check.test) if node.op == "global")
    for function in program.functions.values():
        yield from (node.data for node in nodes_in(function.body) if node.op == "global")


def namespace(program: Program) -> dict[str, Any]:
    """Return the names that a program's text has to find: `np` holds as much as it reads of it."""
    found: dict[str, Any] = {"np": np, "SimpleNamespace": SimpleNamespace}
    for dotted, value in globals_of(program).items():
        *path, last = dotted.split(".")
        place = found
        for part in path:
            inner = place.get(part)
            if callable(inner):  # np.add, which has its np.add.at
                break
            if inner is None or not isinstance(inner, SimpleNamespace):
                inner = SimpleNamespace(**(vars(inner) if inner is not None else {}))
            place[part] = inner
            place = vars(inner)
        else:
            place[last] = value
    return found


def runnable(program: Program) -> Callable[..., Any]:
    """Return a program as a Python function, with its text known to tracebacks."""
    source, path = text(program), f"<s2sad program {program.entry}>"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    names = namespace(program)
    exec(compile(source, path, "exec"), names)
    made: Callable[..., Any] = names[program.entry]
    return made
