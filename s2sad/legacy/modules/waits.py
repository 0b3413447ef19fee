"""Where a text waits for the device: a test or a number of Python's needs a value on the host.

if x[0] > 0.0:        line 12: the test waits for the device
float(np.sum(u))      line 14: float() waits for the device
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Attr, Call, Expr, If, Loop, Op, Program, Ref, Stmt, Var
from s2sad.legacy.traverse import SHAPE_ATTRIBUTES, children, expressions, statements, walk

NUMBERS = frozenset({"float", "int", "bool", "complex"})
METHODS = frozenset({"item", "tolist", "get"})
Known = Callable[[Var], Fact]


@dataclass(frozen=True)
class Wait:
    """The line of a statement that waits for the device, and what of it does."""

    line: int
    what: str


def waits_of(program: Program, known: Known) -> tuple[Wait, ...]:
    """Return what of a derivative waits for the device, in the order of the lines."""
    found = {
        Wait(stmt.span.line, what)
        for stmt in statements(program.body)
        for what in _of_statement(stmt, known)
    }
    return tuple(sorted(found, key=lambda wait: (wait.line, wait.what)))


def _of_statement(stmt: Stmt, known: Known) -> Iterator[str]:
    if isinstance(stmt, If | Loop) and stmt.test is not None and _on_device(stmt.test, known):
        yield "the test"
    for expr in expressions(stmt):
        for part in walk(expr):
            match part:
                case Op("if", (test, _, _)) if _on_device(test, known):
                    yield "the test"
                case Call(Ref(text), args) if text in NUMBERS or text.startswith("math."):
                    if any(_on_device(arg, known) for arg in args):
                        yield f"{text}()"
                case Call(Attr(owner, name), _) if name in METHODS and _on_device(owner, known):
                    yield f".{name}()"


def _on_device(expr: Expr, known: Known) -> bool:
    """Tell whether the value of an expression is held by the device."""
    match expr:
        case Var():
            return known(expr).is_array
        case Attr(_, name) if name in SHAPE_ATTRIBUTES:
            return False
        case Op("is" | "is not" | "is_not"):
            return False
        case Call(Ref("len" | "isinstance" | "range") | Ref("float" | "int" | "bool")):
            return False
    return any(_on_device(part, known) for part in children(expr))
