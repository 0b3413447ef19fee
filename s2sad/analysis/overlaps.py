"""Stores of one part of an array to another: whether NumPy reads all elements before it writes.

v[1:] = v[:-1]      it does: both are walked in one step
v[:] = v[::-1]      it does: what is walked the other way, or has several axes, is copied first
v[1:4] = v[::2]     it may not: v[2] is written, and read after that
A[:, 2] = A[1]      nor here
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.containers import is_container
from s2sad.analysis.memory import Memory
from s2sad.analysis.points_to import bindings
from s2sad.analysis.tuples import literal_position
from s2sad.ir.errors import AliasError, Refused, Span
from s2sad.ir.expression import Expr, Variable, constant, index_parts, is_positions, name, root_of
from s2sad.ir.program import Function, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Number, Other
from s2sad.ir.walk import name_nodes, statements
from s2sad.operators.table import calls_one

ONE = constant(1)


@dataclass(frozen=True, slots=True)
class Line:
    """An axis of an array of `rank` axes, and the step along it: a number, times what is not known."""

    array: Expr
    axis: int = 0
    rank: int = 1
    step: int = 1
    steps: tuple[Expr, ...] = ()


class UnknownSteps(Exception):
    """A part of an array of which the steps are not known."""


def may_overlap(statement: Statement) -> bool:
    """Tell whether a statement may read what it writes, by its types: of one axis, or joined."""
    return _is_of_line(statement) or _joins_in_place(statement)


def _is_of_line(statement: Statement) -> bool:
    if (
        not isinstance(statement, Store)
        or statement.op != "="
        or statement.target.op != "subscript"
    ):
        return False
    base, index = statement.target.args
    if is_container(base.type):
        return False
    if any(map(_is_positions, index_parts(index))):
        return False  # NumPy copies first
    return not any(_is_no_line(expr) for expr in (statement.target, statement.value))


def _is_positions(part: Expr) -> bool:
    if isinstance(part.type, Array):
        return part.type.dtype.startswith("int")
    return is_positions(part)


def _is_no_line(expr: Expr) -> bool:
    is_wide = isinstance(expr.type, Array) and len(expr.type.lengths) > 1
    return is_wide or isinstance(expr.type, Number | Other)


def refuse_overlaps(function: Function, memory: Memory) -> None:
    """Refuse a store of which NumPy's result depends on the element that it takes first."""
    every = statements(function.body)
    bound_to: dict[Variable, list[Expr]] = {}
    for variable, value in (pair for each in every for pair in bindings(each)):
        bound_to.setdefault(variable, []).append(value)
    finder = _Finder(memory, bound_to)
    for each in every:
        match each:
            case Store() if _is_of_line(each) and not finder.is_read_first(each):
                raise Refused(_in_other_steps(each.target, each.span))
            case Let() if _joins_in_place(each) and not finder.is_apart(each):
                raise Refused(_in_other_steps(_out_of(each), each.span))


def _joins_in_place(statement: Statement) -> bool:
    """Tell whether a statement joins arrays in an array that is there, one after the other."""
    if not isinstance(statement, Let) or not statement.effect.writes:
        return False
    return calls_one(statement.value, "joins")


def _out_of(let: Let) -> Expr:
    (place,) = let.effect.writes
    return let.value.args[1 + place]


def _in_other_steps(target: Expr, span: Span | None) -> AliasError:
    base = root_of(target)
    named = "what is written" if base is None else base.name
    return AliasError(
        f"{named} is read and written here in different steps, and NumPy's result depends on which "
        "element it takes first",
        span and span.whole(),
        "Copy what is read: add .copy() to it.",
    )


@dataclass(frozen=True, slots=True)
class _Finder:
    memory: Memory
    bound_to: Mapping[Variable, list[Expr]]

    def is_read_first(self, store: Store) -> bool:
        """Tell whether NumPy surely reads all elements before it writes to them."""
        base = store.target.args[0]
        if base.op == "attribute":  # u.flat
            base = base.args[0]
        if not self.memory.sites(base) & self.memory.sites(store.value):
            return True
        if _start_together(store.target, store.value) or _are_apart(store.target, store.value):
            return True
        try:
            targets = list(self.lines(store.target))
            values = list(self.lines(store.value))
        except UnknownSteps:
            return False
        return all(self.are_in_order(t, v) for t in targets for v in values)

    def is_apart(self, let: Let) -> bool:
        """Tell whether a call surely reads nothing of the array that it writes to."""
        out = _out_of(let)
        read = {n.data for arg in let.value.args if arg is not out for n in name_nodes(arg)}
        return not any(self.memory.reach(v) & self.memory.sites(out) for v in read)

    def are_in_order(self, target: Line, value: Line) -> bool:
        """Tell whether two lines are apart, or are walked in one step or in opposite directions."""
        if target.array != value.array:
            if not self.memory.sites(target.array) & self.memory.sites(value.array):
                return True
            if any(each.array.op in ("call", "conditional") for each in (target, value)):
                return False
        if target.rank != value.rank:
            return True  # the value is a number
        is_known = not (target.steps or value.steps)
        is_opposite = is_known and target.step * value.step < 0
        is_same = (target.step, target.steps) == (value.step, value.steps)
        return target.axis == value.axis and (is_same or is_opposite)

    def lines(
        self, expr: Expr, line: Line | None = None, seen: tuple[Line, ...] = ()
    ) -> Iterator[Line]:
        """Yield the lines that an array of one axis may be, of arrays that are no parts of others."""
        line = replace(line or Line(expr), array=expr)
        if expr.op == "name":
            yield from self.of_name(replace(line, array=name(expr.data)), seen)
        elif expr.op == "attribute" and expr.data == "T":
            turned = replace(line, axis=line.rank - 1 - line.axis)
            yield from self.lines(expr.args[0], turned, seen)
        elif expr.op == "subscript" and not is_container(expr.args[0].type):
            whole = _of_whole(line, index_parts(expr.args[1]))
            yield from self.lines(expr.args[0], whole, seen)
        elif expr.op == "attribute" and expr.data == "flat":
            raise UnknownSteps
        elif expr.op == "conditional":
            for way in expr.args[1:]:
                yield from self.lines(way, line, seen)
        elif calls_one(expr, "itself") and _is_array_of_as_many_axes(expr):
            yield from self.lines(expr.args[1], line, seen)
        else:
            yield line

    def of_name(self, line: Line, seen: tuple[Line, ...]) -> Iterator[Line]:
        if line in seen:
            return
        if any(each.array == line.array for each in seen):
            raise UnknownSteps  # v = v[::2] in a loop
        values = self.bound_to.get(line.array.data, [])
        parts = [value for value in values if self.memory.is_reference(value)]
        if not parts or len(parts) < len(values):
            yield line
        for part in parts:
            yield from self.lines(part, line, (*seen, line))


def _is_array_of_as_many_axes(call: Expr) -> bool:
    """Tell whether a call gives its operand itself, or a copy: np.asarray(u)."""
    types = call.type, call.args[1].type
    ranks = {len(each.lengths) if isinstance(each, Array) else None for each in types}
    return len(ranks) == 1 and None not in ranks


def _start_together(target: Expr, value: Expr) -> bool:
    """Tell whether two lines start with one element, and meet nowhere else: A[i:, i] = A[i, i:]."""
    if value.op != "subscript" or target.args[0] != value.args[0]:
        return False
    first = _first_of_line(target)
    return first is not None and first == _first_of_line(value)


def _are_apart(target: Expr, value: Expr) -> bool:
    """Tell whether two parts of one array differ in a literal position: A[:, 0] = A[:, 1]."""
    if value.op != "subscript" or target.args[0] != value.args[0]:
        return False
    pairs = zip(index_parts(target.args[1]), index_parts(value.args[1]), strict=False)
    for one, other in pairs:
        first, second = literal_position(one), literal_position(other)
        if first is not None and second is not None and first != second:
            return (first < 0) == (second < 0)
        if one != other:
            return False
    return False


def _first_of_line(part: Expr) -> tuple[Expr, ...] | None:
    """Return the position of the first element of a row or of a column."""
    parts = index_parts(part.args[1])
    slices = [each for each in parts if each.op == "slice"]
    if len(slices) != 1 or _stepped(Line(part), slices[0].args[2]) != Line(part):
        return None
    return tuple(each.args[0] if each.op == "slice" else each for each in parts)


def _of_whole(line: Line, parts: tuple[Expr, ...]) -> Line:
    """Return the line of an array that a line of a part of it is: of v[i, ::2] along the second axis."""
    steps: list[Expr | None] = []  # along each axis; None where a position is taken
    rest = line.rank - sum(part.op == "slice" for part in parts)
    for part in parts:
        if part.op == "slice":
            steps.append(part.args[2])
        elif part.op == "constant" and part.data is Ellipsis:
            steps += [ONE] * rest
            rest = 0
        elif isinstance(part.type, Number) or literal_position(part) is not None:
            steps.append(None)
        else:
            raise UnknownSteps
    steps += [ONE] * rest
    axis = [k for k, step in enumerate(steps) if step is not None][line.axis]
    return _stepped(replace(line, axis=axis, rank=len(steps)), steps[axis] or ONE)


def _stepped(line: Line, step: Expr) -> Line:
    number = 1 if step.op == "constant" and step.data is None else literal_position(step)
    if number is None:
        return replace(line, steps=(*line.steps, step))
    return replace(line, step=line.step * number)
