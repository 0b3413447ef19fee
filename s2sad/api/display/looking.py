"""A text is run with every operation looked at as it is evaluated.

Looking(source).function(f)(x)     raises Found at the first value that is no finite number
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.ir.records import dataclass, field

SEEN = "_s2sad_seen"
FILE = "<s2sad looked at>"
# their elements are nothing yet, or what is written there
UNSET = frozenset({"empty", "empty_like", "float"})


class Found(Exception):
    """Something is no finite number: the operation, and its value or what it raised."""

    def __init__(self, number: int, value: Any):
        self.number = number
        self.value = value


@dataclass(slots=True)
class Looking:
    """A text whose operations are looked at; `last` are the values that they had last."""

    source: str
    nodes: list[ast.expr] = field(default_factory=list)
    operands: list[tuple[int, ...] | None] = field(default_factory=list)
    last: dict[int, Any] = field(default_factory=dict)

    def function(self, plain: FunctionType) -> Callable[..., Any]:
        """Return a function of the text as one that looks at its operations."""
        tree = ast.parse(self.source)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                node.body = _Instrument(self).block(node.body)
        space = {**plain.__globals__, SEEN: self.seen}
        functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
        module = ast.fix_missing_locations(ast.Module(list(functions), []))
        exec(compile(module, FILE, "exec"), space)
        made: Callable[..., Any] = space[plain.__name__]
        made.__defaults__, made.__kwdefaults__ = plain.__defaults__, plain.__kwdefaults__
        return made

    def seen(self, number: int, value: Any) -> Any:
        """Return the value of an operation; raise where it is the first that is not finite."""
        self.last[number] = value
        operands = self.operands[number]
        kind = "" if operands is None else kind_of(value)
        if kind and operands is not None:
            known = {kind_of(self.last.get(n)) for n in operands}
            if kind not in known and "nan" not in known:
                raise Found(number, value)
        return value

    def raised(self, error: BaseException) -> int | None:
        """Return the operation whose line raised, None where it was not one of the text."""
        trace, line = error.__traceback__, 0
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILE:
                line = trace.tb_lineno
            trace = trace.tb_next
        at_line = [n for n, node in enumerate(self.nodes) if node.lineno == line]
        whole = [n for n in at_line if isinstance(self.nodes[n], ast.BinOp | ast.Call)]
        return min(whole, key=lambda n: self.nodes[n].col_offset) if whole else None

    def text(self, node: ast.expr) -> str:
        """Return an operation as it stands in the text, of several lines the first."""
        found = ast.get_source_segment(self.source, node) or ast.unparse(node)
        return found.partition("\n")[0]

    def sweep(self, line: int) -> str:
        """Return in which sweep a line stands, where the text has two."""
        titles = [t for t in self.source.splitlines()[:line] if t.strip().startswith("# -- ")]
        return titles[-1].strip(" #-") if titles else ""


class _Instrument(ast.NodeTransformer):
    """Has each operation of statements handed to `seen`, with a number of its own."""

    def __init__(self, looking: Looking):
        self.looking = looking

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            changed = self.visit(statement)
            made += changed if isinstance(changed, list) else [changed]
        return made

    def look(
        self, plain: ast.expr, changed: ast.expr, operands: Sequence[ast.expr] | None
    ) -> ast.expr:
        """Return an expression that is looked at; `plain` is how it stands in the text.

        Without operands it is a name, whose value was looked at where it was computed.
        """
        found = None if operands is None else map(self.number_of, operands)
        numbers = None if found is None else tuple(n for n in found if n is not None)
        self.looking.nodes.append(plain)
        self.looking.operands.append(numbers)
        number = ast.Constant(len(self.looking.nodes) - 1)
        call = ast.Call(ast.Name(SEEN, ast.Load()), [number, changed], [])
        return ast.copy_location(call, plain)

    @staticmethod
    def number_of(node: ast.expr) -> int | None:
        """Return the number of an expression that is looked at."""
        match node:
            case ast.Call(ast.Name("_s2sad_seen"), [ast.Constant(int() as number), _]):
                return number
        return None

    def operation(self, node: ast.expr, *operands: str) -> ast.expr:
        """Return an operation that is looked at, as its parts are; some of these are its operands."""
        plain = copy.deepcopy(node)
        self.generic_visit(node)
        return self.look(plain, node, [getattr(node, each) for each in operands])

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.operation(node, "left", "right")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self.operation(node, "operand")

    def visit_Call(self, node: ast.Call) -> ast.expr:
        plain = copy.deepcopy(node)
        owner: list[ast.expr] = []
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
            owner = [node.func.value]
        node.args = [self.visit(each) for each in node.args]
        for each in node.keywords:
            each.value = self.visit(each.value)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in UNSET:
            return node
        return self.look(plain, node, [*owner, *node.args, *(k.value for k in node.keywords)])

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.look(node, node, None) if isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            return self.operation(node, "value")
        self.generic_visit(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        target = copy.deepcopy(node.target)
        for each in ast.walk(target):
            if isinstance(each, ast.Name | ast.Subscript | ast.Attribute):
                each.ctx = ast.Load()
        node.value = self.visit(node.value)
        after = ast.Expr(self.look(target, copy.deepcopy(target), (node.value,)))
        return [node, ast.copy_location(after, node)]

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.body = self.block(node.body)
        return node


# ---------------------------------------------------------------------------- values


def kind_of(value: Any) -> str:
    """Return "nan" or "inf" where something in a value is no finite number."""
    if isinstance(value, float | np.floating | complex | np.complexfloating):
        number = complex(value)
        if math.isnan(number.real) or math.isnan(number.imag):
            return "nan"
        return "" if math.isfinite(number.real) and math.isfinite(number.imag) else "inf"
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        if np.isfinite(value).all():
            return ""
        return "nan" if np.isnan(value).any() else "inf"
    if isinstance(value, list | tuple):
        kinds = set(map(kind_of, value))
        return "nan" if "nan" in kinds else "inf" if "inf" in kinds else ""
    return ""
