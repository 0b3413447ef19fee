"""The first value of a derivative that is no finite number: where it stands, and its operands.

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
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from s2sad.api.display.looking import Found, Looking, kind_of
from s2sad.api.display.panes import fragment, panes_of
from s2sad.api.display.tables import table
from s2sad.ir.records import dataclass

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
    filename: str,
    primal: Callable[..., Any],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
) -> NonFinite | None:
    """Return the first value that is no finite number where the text at `filename` is run.

    None where every value is finite. Arguments are left as they are.
    """
    source = "".join(linecache.getlines(filename))
    given = copy.deepcopy((tuple(args), dict(keywords)))
    names = function.__code__.co_varnames
    for name, value in (*zip(names, given[0], strict=False), *given[1].items()):
        if kind_of(value):
            what = f"{kind_of(value)}{_place(value)}"
            return NonFinite(function.__name__, what, name, 0, "", 0, "", 0, "", ())
    looking = Looking(source)
    made = looking.function(function)
    try:
        with np.errstate(all="ignore"):
            made(*given[0], **given[1])
    except Found as found:
        return _told(looking, found, function.__name__, primal)
    except (ArithmeticError, ValueError) as error:
        is_of_math = isinstance(error, ArithmeticError) or str(error).startswith("math ")
        at = looking.raised(error) if is_of_math else None
        if at is None:
            raise
        return _told(looking, Found(at, error), function.__name__, primal)
    return None


def _told(looking: Looking, found: Found, name: str, primal: Callable[..., Any]) -> NonFinite:
    """Return what is said of an operation."""
    node, value = looking.nodes[found.number], found.value
    line = looking.source.splitlines()[node.lineno - 1]
    panes = panes_of(primal, looking.source, name)
    shown = panes.derivative[node.lineno - 1]
    texts = {each.number: each.text.strip() for lines in panes.primal for each in lines}
    own = min(shown.links, default=0)
    failed = isinstance(value, Exception)
    place = () if failed else _first_bad(value)
    what = f"{type(value).__name__}: {value}" if failed else f"{kind_of(value)}{_place(value)}"
    parts = {
        looking.text(looking.nodes[n]): looking.last.get(n)
        for n in looking.operands[found.number] or ()
    }
    operands = tuple(
        (_with_place(text, held, place), _shown(held, place)) for text, held in parts.items()
    )
    indent = len(line) - len(line.lstrip())
    return NonFinite(
        name,
        what,
        looking.text(node),
        node.lineno,
        line.strip(),
        max(0, node.col_offset - indent),
        looking.sweep(node.lineno),
        own,
        texts.get(own, ""),
        operands,
    )


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
