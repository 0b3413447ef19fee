"""What a gradient keeps for its reverse sweep, in loops with a schedule too: how often, how large, and why.

line  value        is     bytes                      because
9     a part of w  saved  8 * n * steps = 2.4 kB     the adjoint of line 10 reads it, line 9 changes it

line 12   u   states   2 * sqrt(nt) * 8 * len(u)   asked for: Sqrt()
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from s2sad.api.display.counts import Count, Passes, Size, bytes_of, placed, total
from s2sad.checkpoint.kept import Kept
from s2sad.ir.expression import Expr, Role, Variable, copied, root_of
from s2sad.ir.program import Block, For, Function, Let, Note, Restore, Save, Statement, While
from s2sad.ir.records import dataclass
from s2sad.ir.spelling import expression, listed
from s2sad.ir.types import ONE, Array, Length, Number, Type
from s2sad.ir.walk import (
    blocks,
    bound,
    nodes_in,
    read_in,
    read_variables,
    saved_values,
    statements,
    variables,
)
from s2sad.operators.schedules import All, Binomial, Disk, Every, Recompute, Schedule, Sqrt

# the bytes of a number that is saved, which may be many
NUMBER = Count(Length((), 8))
# the parts of a row
Found = tuple[int, str, str, Count, str]


@dataclass(frozen=True, slots=True)
class Row:
    """How the reverse sweep has a value again: the line that makes it, its name, and its bytes.

    `how` is "saved", "kept" (still there), "computed again", and for loops with a schedule "states",
    or "on disk".
    """

    line: int
    name: str
    how: str
    size: Size
    why: str


def kept(function: Function, passes: Passes, names: Mapping[Variable, str]) -> Iterator[Row]:
    """Yield what a gradient keeps, under the `names` that the text gives to values."""
    body = function.body
    start = next((k for k, s in enumerate(body) if isinstance(s, Note)), len(body))
    forward, reverse = body[:start], body[start + 1 :]
    rebound = {v for s in statements(reverse) for v in bound(s)}
    readers = {v: lines for v, lines in _readers(reverse).items() if v not in rebound}
    called = {str(variable): name for variable, name in names.items()}
    found = [*_saved(forward, reverse, passes, _types(body)), *_still_there(forward, readers)]
    found += _again(reverse, {v for s in statements(forward) for v in bound(s)})
    for line, name, how, size, why in found:
        *before, own = name.split()
        yield Row(line, " ".join([*before, called.get(own, own)]), how, passes.sized(size), why)


def _types(body: Block) -> Mapping[Variable, Type]:
    """Return what is known of variables anywhere in a body."""
    names = (node for node in nodes_in(body) if node.op == "name")
    return {node.data: node.type for node in names if isinstance(node.type, Number | Array)}


def _type_of(value: Expr, types: Mapping[Variable, Type]) -> Type:
    """Return the type of a saved value; an adjoint has that of what it is the adjoint of."""
    if value.op != "name" or isinstance(value.type, Number | Array):
        return value.type
    return types.get(value.data) or types.get(value.data.of) or value.type


def _saved(
    forward: Block, reverse: Block, passes: Passes, types: Mapping[Variable, Type]
) -> Iterator[Found]:
    """Yield a row for each statement that saves."""
    taken, made = _taken_back(reverse), made_by_passes(forward)
    for statement, often, line in placed(forward, passes, ONE):
        if isinstance(statement, Save):
            readers = taken.get(statement.stack, ())
            lost = f"line {line} changes it"
            for value in saved_values(statement):
                is_reference = refers(value, made)
                other = "it may be another one in each pass" if is_reference else lost
                why = f"{_adjoints(readers)}, and {other}" if readers else other
                one = Count() if is_reference else bytes_of(_type_of(value, types))
                size = (NUMBER if one.is_nothing else one).times(often)
                yield line, _named(value, statement.stack), "saved", size, why


def refers(value: Expr, made: frozenset[Variable]) -> bool:
    """Tell whether what is saved is a reference to memory that no pass makes anew."""
    return value.op == "name" and value.data not in made


def made_by_passes(block: Block) -> frozenset[Variable]:
    """Return the variables that passes of loops bind to memory of their own.

    What is made under a name that nobody saves may be saved under its next one: u = u_new.
    """
    loops = (each for each in statements(block) if isinstance(each, For | While))
    inner = [each for loop in loops for each in statements(loop.body)]
    made = {v for each in inner if not _is_second_name(each) for v in bound(each)}
    saved = {value.data for each in inner if isinstance(each, Save) for value in saved_values(each)}
    for each in inner:
        if isinstance(each, Let) and _is_second_name(each) and each.value.op == "name":
            made |= set(bound(each)) if each.value.data in made - saved else set()
    return frozenset(made)


def _is_second_name(statement: Statement) -> bool:
    """Tell whether a statement names what has a name already, or the shadow of a part of it."""
    if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
        return False
    is_shadow = statement.target.role is Role.ADJOINT
    return statement.value.op in (("name", "subscript") if is_shadow else ("name",))


def _named(value: Expr, stack: Variable) -> str:
    """Return what a saved value is: a name, or a part of what has one."""
    value = copied(value) or value
    if value.op == "subscript":
        root = root_of(value)
        return expression(value) if root is None else f"a part of {root}"
    return str(value.data) if value.op == "name" else stack.name.removesuffix("_saved")


def _taken_back(reverse: Block) -> Mapping[Variable, tuple[int, ...]]:
    """Return, for each stack, the lines whose adjoints read what it gives back."""
    found: dict[Variable, tuple[int, ...]] = {}

    def visit(block: Block) -> None:
        for place, statement in enumerate(block):
            for stack, values in _restored(statement):
                after = (
                    block[place + 1 :] if isinstance(statement, Restore) else blocks(statement)[0]
                )
                lines = sorted(set(_reading(after, values)))
                found[stack] = (*found.get(stack, ()), *lines)
            for inner in blocks(statement):
                visit(inner)

    visit(reverse)
    return found


def _restored(statement: Statement) -> Iterator[tuple[Variable, frozenset[Variable]]]:
    """Yield the stacks that a statement takes values from, and the variables that get them."""
    if isinstance(statement, Restore):
        target = statement.target
        if isinstance(target, Expr):
            yield statement.stack, read_variables(target)
        else:
            yield statement.stack, frozenset(variables(target))
    elif isinstance(statement, For):
        for variable in read_variables(statement.domain):
            if variable.role is Role.SAVED:
                yield variable, frozenset(bound(statement))


def _reading(block: Block, values: frozenset[Variable]) -> Iterator[int]:
    for statement in statements(block):
        reads = (v for v in read_in(statement))
        if statement.span and any(v in values for v in reads):
            yield statement.span.line


def _readers(reverse: Block) -> Mapping[Variable, tuple[int, ...]]:
    """Return the lines whose adjoints read each variable of the primal."""
    found: dict[Variable, tuple[int, ...]] = {}
    for statement in statements(reverse):
        for variable in read_in(statement):
            if variable.role in (Role.PRIMAL, Role.TERM) and statement.span:
                lines = (*found.get(variable, ()), statement.span.line)
                found[variable] = tuple(dict.fromkeys(lines))
    return found


def _still_there(forward: Block, readers: Mapping[Variable, tuple[int, ...]]) -> Iterator[Found]:
    """Yield a row for each array that is made in the forward sweep and read in the reverse one."""
    made: dict[Variable, tuple[int, Expr]] = {}
    for statement in statements(forward):
        if isinstance(statement, Let) and isinstance(statement.target, Variable) and statement.span:
            made[statement.target] = statement.span.line, statement.value
    for variable, (line, value) in made.items():
        if variable in readers and isinstance(value.type, Array) and value.type.lengths:
            why = f"{_adjoints(readers[variable])}, and it is still there"
            yield line, str(variable), "kept", bytes_of(value.type), why


def _again(reverse: Block, forward: set[Variable]) -> Iterator[Found]:
    """Yield a row for each value of the primal that the reverse sweep computes again."""
    seen: set[Variable] = set()
    for statement, _, line in placed(reverse, Passes({}), ONE):
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            continue
        variable = statement.target
        if variable in forward and variable.role is Role.PRIMAL and variable not in seen:
            seen.add(variable)
            line = statement.span.line if statement.span else line
            yield line, str(variable), "computed again", Count(), "cheaper than to save it"


def _adjoints(lines: tuple[int, ...]) -> str:
    own = sorted(set(lines))
    if len(own) == 1:
        return f"the adjoint of line {own[0]} reads it"
    return f"the adjoints of lines {listed([*map(str, own)])} read it"


def rows_of_states(kept: Kept, passes: Passes, names: Mapping[Variable, str]) -> Iterator[Row]:
    """Yield the row of the states that a loop keeps in memory, and of those in files."""
    span = kept.outline.loop.span
    line = 0 if span is None else span.line
    called = ", ".join(names.get(v, str(v)) for v in kept.outline.found)
    why = f"asked for: {kept.schedule!r}"
    yield Row(line, called, "states", states_of(kept, passes), why)
    if isinstance(kept.schedule, Disk):
        often = _in_files(kept.schedule, _passes_of(kept, passes))
        yield Row(line, called, "on disk", often.times(_state(kept, passes)), why)


def states_of(kept: Kept, passes: Passes) -> Size:
    """Return the most bytes of the states of a loop that are kept at one time."""
    often = _in_memory(kept.schedule, _passes_of(kept, passes))
    return often.times(_state(kept, passes))


def state_bytes(kept: Kept, passes: Passes) -> float:
    """Return the bytes of one state, 0 where they are not known."""
    return _state(kept, passes).number or 0.0


def adjoint_bytes(kept: Kept, passes: Passes) -> float:
    """Return the bytes of the adjoints that a loop is handed as it runs backwards."""
    whole = total(bytes_of(kept.types[v]) for v in kept.seeds)
    return passes.sized(whole).number or 0.0


def _state(kept: Kept, passes: Passes) -> Size:
    return passes.sized(total(bytes_of(kept.types[v]) for v in kept.outline.found))


def _passes_of(kept: Kept, passes: Passes) -> Size:
    """Return how often a loop runs; of one that may end before its time nobody knows."""
    if kept.outline.is_counted:
        return Size("passes", None)
    return passes.sized(Count(passes.of(kept.outline.loop)))


def _in_memory(schedule: Schedule, passes: Size) -> Size:
    """Return how many states a schedule keeps in memory at most."""
    n, shown = passes.number, passes.formula
    match schedule:
        case All():
            return passes
        case Sqrt():
            return Size(f"2 * sqrt({shown})", n and _at_once(n, max(1, math.isqrt(int(n)))))
        case Every(k):
            return Size(f"({shown} / {k} + {k})", n and _at_once(n, k))
        case Disk(_, every):
            stride = every or math.isqrt(int(n or 0)) or 1
            return Size(str(every or f"sqrt({shown})"), None if n is None else min(stride, n))
        case Binomial(slots):
            return Size(str(slots + 1), slots + 1 if n is None else min(slots + 1, n))
        case Recompute():
            return Size("2", 2)


def _at_once(passes: float, stride: int) -> float:
    """Return how many states there are at most, while the last passes are reversed or those before."""
    kept = math.ceil(passes / stride)
    last = passes - (kept - 1) * stride
    return max(kept, kept - 1 + last, kept - 2 + stride)


def _in_files(schedule: Disk, passes: Size) -> Size:
    """Return how many states a schedule keeps in files."""
    often = schedule.every or math.isqrt(int(passes.number or 0)) or 1
    number = None if passes.number is None else math.ceil(passes.number / often)
    is_root = schedule.every is None
    shown = f"sqrt({passes.formula})" if is_root else f"({passes.formula} / {schedule.every})"
    return Size(shown, number)
