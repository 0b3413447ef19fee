"""Parts that are a view where a value has many axes, and a number where it has one: refused.

first = u[0]      of a matrix a row, which changes with it; of a vector a number, which does not
u[0] = u[1]
u[1] = first

So is a part that the elements choose, np.trim_zeros(u): they change, and their adjoints are others.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.containers import is_container, step_of
from s2sad.analysis.memory import Memory
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, index_parts
from s2sad.ir.program import Function, Let, RegionOp, Store
from s2sad.ir.types import Numeric, Other
from s2sad.ir.walk import nodes, statements
from s2sad.types.allowed import is_content_shaped

HOLDERS = frozenset({"tuple", "list", "conditional", "and", "or", "dict", "item", "starred"})
CERTAIN = frozenset({"name", "binary", "unary", "compare", "constant"})


def refuse_uncertain_views(function: Function, memory: Memory) -> None:
    """Refuse names and items for parts of written memory that may be views or numbers."""
    for statement in statements(function.body):
        match statement:
            case Let(value=value) | Store(value=value):
                held = list(_held(value))
                held = held if isinstance(statement, Let) else [h for h in held if h is not value]
            case RegionOp(args=args):
                held = [each for arg in args for each in _held(arg)]
            case _:
                continue
        for part in held:
            if _is_uncertain(part) and memory.sites(part) & memory.written:
                raise NotYet("a part that may be a number, or a view of what is written", part.span)
            if any(map(_depends_on_elements, nodes(part))) and memory.sites(part) & memory.written:
                raise NotYet(
                    "a view that is as long as its elements say, and is written", part.span
                )


def _held(value: Expr) -> Iterator[Expr]:
    """Yield what a value is or holds."""
    if value.op in HOLDERS:
        for arg in value.args:
            yield from _held(arg)
    else:
        yield value


def _depends_on_elements(node: Expr) -> bool:
    """Tell whether a call is a part of an array that its elements choose: np.trim_zeros(u)."""
    is_known = node.op == "call" and node.args[0].op == "global"
    return is_known and is_content_shaped(node.args[0].data.value)


def _is_uncertain(value: Expr) -> bool:
    """Tell whether a value is memory of another one or not, by ranks that are not known."""
    if not isinstance(value.type, Numeric) or value.op in CERTAIN:
        return False
    if step_of(value) is not None and is_container(value.args[0].type):
        return False  # what a list holds is not copied, be it a number or an array
    if value.op != "subscript":
        return True
    base, index = value.args
    entries = index_parts(index)
    are_slices = all(e.op == "slice" or isinstance(e.type, Other) for e in entries)
    return not are_slices or (base.op == "subscript" and _is_uncertain(base))
