"""The first value of a derivative that is no finite number: every operation is looked at as it runs.

>>> print(df.first_nonfinite(x))
f_grad, line 14, in the reverse sweep: the first value that is no finite number
    x_bar = y_bar / x
            ^^^^^^^^^
  inf at [2]: y_bar / x
  y_bar[2] = 1.0
  x[2] = 0.0
  it belongs to line 3: y = np.log(x)

The text is run once more with every operation looked at as it is evaluated. What is infinite where
it is written, as `best = np.inf`, counts only once something else comes of it.

Looking(source).function(f)(x)     raises Found at the first value that is no finite number
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.api.display.markup import table
from s2sad.api.display.panes import Panes, fragment, panes_of
from s2sad.emit.comments import Line, joined
from s2sad.ir.records import dataclass, field
from s2sad.operators.table import words

LONGEST = 60


@dataclass(frozen=True, slots=True)
class NonFinite:
    """A value that is no finite number: what and where it is, the lines, and the operands.

    `line` and `text` are of the derivative, `primal_line` and `primal_text` of the user's function
    (0 where it belongs to none). `operands` are texts, each with its value.
    """

    name: str
    what: str
    expression: str
    line: int
    text: str
    column: int
    sweep: str
    primal_line: int
    primal_text: str
    operands: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        lines = [self._title()]
        if self.text:
            lines += [f"    {self.text}", f"    {' ' * self.column}{'^' * len(self.expression)}"]
        lines.append(f"  {self.what}: {self.expression}")
        lines += [f"  {operand} = {value}" for operand, value in self.operands]
        if self.primal_line:
            lines.append(f"  it belongs to line {self.primal_line}: {self.primal_text}")
        return "\n".join(lines)

    __repr__ = __str__

    def _title(self) -> str:
        if not self.line:
            return f"an argument of {self.name} is no finite number"
        where = f", in the {self.sweep}" if self.sweep else ""
        return f"{self.name}, line {self.line}{where}: the first value that is no finite number"

    def _repr_html_(self) -> str:
        rows = [(self.expression, self.what), *self.operands]
        below = f"it belongs to line {self.primal_line}: {self.primal_text}"
        said = f"<div>{escape(below)}</div>" if self.primal_line else ""
        head = f"<div>{escape(self._title())}</div><pre>{escape(self.text)}</pre>"
        return fragment("s2sad-table", (), head, table(("expression", "value"), rows), said)


def first_nonfinite(
    function: Any,
    lines: Sequence[Line],
    primal: Callable[..., Any],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
) -> NonFinite | None:
    """Return the first value that is no finite number where a function of a text is run.

    None where every value is finite. Arguments are left as they are.
    """
    given = copy.deepcopy((tuple(args), dict(keywords)))
    names = function.__code__.co_varnames
    for name, value in (*zip(names, given[0], strict=False), *given[1].items()):
        if kind_of(value):
            what = f"{kind_of(value)}{_place(value)}"
            return NonFinite(function.__name__, what, name, 0, "", 0, "", 0, "", ())
    looking = Looking(joined(lines))
    made = looking.function(function)
    try:
        with np.errstate(all="ignore"):
            made(*given[0], **given[1])
    except Found as found:
        return _told(looking, found, panes_of(primal, lines, function.__name__))
    except (ArithmeticError, ValueError) as error:
        is_of_math = isinstance(error, ArithmeticError) or str(error).startswith("math ")
        at = looking.raised(error) if is_of_math else None
        if at is None:
            raise
        return _told(looking, Found(at, error), panes_of(primal, lines, function.__name__))
    return None


def _told(looking: Looking, found: Found, panes: Panes) -> NonFinite:
    """Return what is said of an operation."""
    node, value = looking.nodes[found.number], found.value
    line = looking.source.splitlines()[node.lineno - 1]
    texts = {each.number: each.text.strip() for lines in panes.primal for each in lines}
    own = min(panes.derivative[node.lineno - 1].links, default=0)
    failed = isinstance(value, Exception)
    place = () if failed else _first_bad(value)
    what = f"{type(value).__name__}: {value}" if failed else f"{kind_of(value)}{_place(value)}"
    parts = {
        looking.text(looking.nodes[n]): looking.last.get(n)
        for n in looking.operands[found.number] or ()
        if not isinstance(looking.last.get(n), ModuleType) and not _is_literal(looking.nodes[n])
    }
    operands = tuple(
        (_with_place(text, held, place), _shown(held, place)) for text, held in parts.items()
    )
    return NonFinite(
        panes.name,
        what,
        looking.text(node),
        node.lineno,
        line.strip(),
        max(0, node.col_offset - (len(line) - len(line.lstrip()))),
        looking.sweep(node.lineno),
        own,
        texts.get(own, ""),
        operands,
    )


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


# ---------------------------------------------------------------------------- values


def _first_bad(value: Any) -> tuple[int, ...]:
    """Return where the first element of an array is that is not finite; () of a number."""
    if not isinstance(value, np.ndarray) or not value.shape:
        return ()
    bad = np.isnan(value) if kind_of(value) == "nan" else ~np.isfinite(value)
    return tuple(int(n) for n in np.argwhere(bad)[0])


def _place(value: Any) -> str:
    place = _first_bad(value)
    return f" at {list(place)}" if place else ""


def _with_place(text: str, value: Any, place: tuple[int, ...]) -> str:
    """Return an operand with the position at which it is shown."""
    fits = isinstance(value, np.ndarray) and value.ndim == len(place) and bool(place)
    if not fits or any(n >= size for n, size in zip(place, value.shape, strict=True)):
        return text
    simple = not isinstance(ast.parse(text, mode="eval").body, ast.BinOp | ast.UnaryOp)
    return f"{text if simple else f'({text})'}{list(place)}"


def _shown(value: Any, place: tuple[int, ...]) -> str:
    """Return the value of an operand: at the position, or in short."""
    if isinstance(value, np.ndarray):
        if _with_place("x", value, place) != "x":
            return f"{value[place]!s}"
        if value.size and value.dtype.kind in "fiu" and np.isfinite(value).all():
            between = f"between {value.min():.6g} and {value.max():.6g}"
            return f"array of shape {value.shape}, {between}"
        return f"array of shape {value.shape}"
    text = repr(float(value)) if isinstance(value, float | np.floating) else repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


SEEN = "_s2sad_seen"
FILE = "<s2sad looked at>"
# their elements are nothing yet, or what is written there
UNSET = words("unset") | {"float"}


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


# ---------------------------------------------------------------------------- kinds


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
