"""Where a text waits for the device: a test or a number of Python's needs a value on the host.

if x[0] > 0.0:        line 12: the test waits for the device
float(np.sum(u))      line 14: float() waits for the device
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import For, Function, If, Let, Program, Statement, While
from s2sad.ir.records import dataclass
from s2sad.ir.types import Array
from s2sad.ir.walk import SHAPE_ATTRIBUTES, bound, expressions, nodes, statements

NUMBERS = frozenset({"float", "int", "bool", "complex"})
METHODS = frozenset({"item", "tolist", "get"})
OF_HOST = frozenset({"len", "isinstance", "range", "float", "int", "bool"})

Names = frozenset[Variable]


@dataclass(frozen=True, slots=True)
class Wait:
    """The line of a statement that waits for the device, and what of it does."""

    line: int
    what: str


def waits_of(program: Program) -> tuple[Wait, ...]:
    """Return what of a derivative waits for the device, in the order of the lines."""
    found = {wait for function in program.functions.values() for wait in _of_function(function)}
    return tuple(sorted(found, key=lambda wait: (wait.line, wait.what)))


def _of_function(function: Function) -> Iterator[Wait]:
    held = _on_device(function)
    for statement in statements(function.body):
        if statement.span is not None:
            for what in _of_statement(statement, held):
                yield Wait(statement.span.line, what)


def _on_device(function: Function) -> Names:
    """Return the variables whose values the device holds: arrays, and what is computed of them."""
    held = frozenset(p.variable for p in function.parameters if isinstance(p.type, Array))
    while True:
        found = frozenset(v for s in statements(function.body) for v in _bound_on_device(s, held))
        if found <= held:
            return held
        held |= found


def _bound_on_device(statement: Statement, held: Names) -> Iterator[Variable]:
    value = statement.domain if isinstance(statement, For) else None
    value = statement.value if isinstance(statement, Let) else value
    if value is not None and _is_on_device(value, held):
        yield from bound(statement)


def _of_statement(statement: Statement, held: Names) -> Iterator[str]:
    if isinstance(statement, If | While) and _is_on_device(statement.test, held):
        yield "the test"
    for expr in expressions(statement):
        for node in nodes(expr):
            yield from _of_node(node, held)


def _of_node(node: Expr, held: Names) -> Iterator[str]:
    if node.op == "conditional" and _is_on_device(node.args[0], held):
        yield "the test"
    if node.op != "call":
        return
    function, *args = node.args
    if function.op == "global":
        text = function.data.text
        is_number = text in NUMBERS or text.startswith("math.")
        if is_number and any(_is_on_device(arg, held) for arg in args):
            yield f"{text}()"
    elif function.op == "attribute" and function.data in METHODS:
        if _is_on_device(function.args[0], held):
            yield f".{function.data}()"


def _is_on_device(expr: Expr, held: Names) -> bool:
    """Tell whether the value of an expression is held by the device."""
    if expr.op == "name":
        return expr.data in held
    if expr.op == "attribute" and expr.data in SHAPE_ATTRIBUTES:
        return False
    if expr.op == "compare" and {"is", "is not"} & {*expr.data}:
        return False
    if expr.op == "call" and expr.args[0].op == "global" and _gives_host(expr.args[0].data.text):
        return False
    return any(_is_on_device(part, held) for part in expr.args)


def _gives_host(text: str) -> bool:
    return text in OF_HOST or text.startswith("math.")
