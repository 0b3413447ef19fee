"""Assignments of several at one time, which the analyses took one by one, stand on one line again.

S_saved.append(S)
S = S - caught                  S_saved.append(S)
I_saved.append(I)       ->      I_saved.append(I)
I = I + caught                  S, I = S - caught, I + caught

parts = p.shape
rows = parts[0]         ->      rows, columns = p.shape
columns = parts[1]

for parts, A in zip(bars, area):
    i, j = parts        ->      for (i, j), A in zip(bars, area):

w_bar = X.T @ r_bar
b_bar = np.sum(r_bar)   ->      return X.T @ r_bar, np.sum(r_bar)
return w_bar, b_bar
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Set
from functools import lru_cache, partial

from s2sad.analysis.tuples import holds, lengths_asked
from s2sad.emit.comments import place_of, source_of
from s2sad.emit.layout import WIDTH, wrap
from s2sad.emit.rows import rows_at_once
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Pattern, Role, Variable, name
from s2sad.ir.program import (
    REVERSE_SWEEP,
    Block,
    For,
    Function,
    Let,
    Restore,
    Return,
    Save,
    Statement,
    sweeps,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import with_value
from s2sad.ir.spelling import expression
from s2sad.ir.text import headed, simple
from s2sad.ir.types import Array, Sequence, Tuple
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    name_nodes,
    read_counts,
    read_in,
    read_variables,
    rewritten,
    statements,
    variables,
    with_blocks,
)
from s2sad.optimize.substitute import LINE, is_place

SHORT = 30  # columns of a value of another line that the return statement takes
Counts = Counter[Variable]


def unpacked_as_written(function: Function) -> Function:
    """Return a function in which what the user assigns on one line is assigned on one."""
    forward, reverse = sweeps(function.body)
    reverse = rows_at_once(reverse)
    title = (REVERSE_SWEEP,) if REVERSE_SWEEP in function.body else ()
    later = read_counts(reverse)
    exposed = _read_first(reverse)  # others are not read as they were before
    counts = read_counts((*forward, *reverse))
    counts -= Counter({v: often for v, often in later.items() if v not in exposed})
    made = _together(forward, 1, counts, is_reverse=False)
    made += [*title, *_together(reverse, 1, read_counts(reverse), is_reverse=True)]
    rows = _read_by_their_loops(tuple(made))
    return replace(function, body=rewritten(tuple(made), partial(_taken_apart, rows=rows)))


def _read_by_their_loops(body: Block) -> frozenset[Variable]:
    """Return the variables that loops bind, each of which is read once in every such loop, and nowhere else."""
    inside: Counts = Counter()
    often: set[Variable] = set()
    for loop in statements(body):
        if isinstance(loop, For):
            reads = read_counts(loop.body)
            for variable in variables(loop.target):
                inside[variable] += reads[variable]
                if reads[variable] != 1 or variable in bound_in(loop.body):
                    often.add(variable)
    counts = read_counts(body)
    return frozenset(v for v in inside if v not in often and inside[v] == counts[v])


def _taken_apart(statement: Statement, rows: frozenset[Variable]) -> Statement:
    """Return a loop over rows that takes them apart itself: for i, j in pairs."""
    if not isinstance(statement, For) or len(statement.body) < 2:
        return statement
    for place, each in enumerate(statement.body):
        match each:
            case Let(tuple() as parts, Expr("name", data=row)) if row in rows:
                target = _with_parts(statement.target, row, parts)
                before = statement.body[:place]
                made = replace(statement, target=target)
                fits = len(next(headed(made, {}))[0]) <= LINE
                if target != statement.target and fits and _is_untouched(parts, before):
                    body = (*before, *statement.body[place + 1 :])
                    return _taken_apart(replace(made, body=body), rows)
    return statement


def _with_parts(target: Pattern, row: Variable, parts: Pattern) -> Pattern:
    """Return what a loop binds with the parts of a row in its place."""
    if isinstance(target, tuple):
        return tuple(_with_parts(each, row, parts) for each in target)
    return parts if target == row else target


def _is_untouched(parts: Pattern, block: Block) -> bool:
    """Tell whether a block writes to no array, and reads and binds nothing that a row is taken apart to."""
    if not all(map(_writes_nothing, block)):
        return False
    names = set(variables(parts))
    touched = {v for each in statements(block) for v in (*read_in(each), *bound(each))}
    return names.isdisjoint(touched)


def _read_first(block: Block) -> set[Variable]:
    """Return the variables that a block reads before a statement of it binds them."""
    own: set[Variable] = set()
    found: set[Variable] = set()
    for statement in block:
        found |= {v for each in expressions(statement) for v in read_variables(each)} - own
        for inner in blocks(statement):
            found |= _read_first(inner) - own
        if isinstance(statement, Let):
            own |= set(bound(statement))
    return found


def _writes_nothing(statement: Statement) -> bool:
    match statement:
        case Let(effect=effect):
            return effect.is_pure
        case Restore(target=target):
            return not isinstance(target, Expr)
    return isinstance(statement, Save)


def _together(block: Block, depth: int, counts: Counts, is_reverse: bool) -> list[Statement]:
    """Return the statements of a block; `counts` are the reads in it and behind it, and are used up."""
    made: list[Statement] = []
    position = 0
    while position < len(block):
        start = position
        run = _run(block, position, is_reverse)
        whole = run.whole(depth, counts)
        while whole is None and len(run.lets) > 2 and not run.others:
            run = replace(run, lets=run.lets[:-1])  # for (i, j), w in zip(ends, ws)
            whole = run.whole(depth, counts)
        if whole is None:
            each = block[position]
            inner = tuple(tuple(_together(b, depth + 1, counts, is_reverse)) for b in blocks(each))
            made.append(with_blocks(each, inner))
            position += 1
        else:
            others = tuple(run.others)
            made += [*_together(others, depth, counts.copy(), is_reverse), whole]
            position += len(run.lets) + len(run.others) + (run.asked is not None)
        if depth == 1:  # what a loop does earlier is done again: all of it counts
            _leave(counts, read_counts(block[start:position]))
    return made


def _leave(counts: Counts, reads: Counts) -> None:
    """Count reads no more: Counter's own -= goes through all that are counted."""
    for variable, often in reads.items():
        counts[variable] -= often
        if counts[variable] <= 0:
            del counts[variable]


@dataclass(slots=True)
class _Run:
    """What one assignment of the user's to some names became, with what is saved between."""

    names: tuple[str, ...]
    value: str = ""  # the name of the one value that the user takes apart
    asked: tuple[Expr, int] | None = None  # a value that surely has so many items, or it raises
    lets: list[Let] = field(default_factory=list)
    others: list[Statement] = field(default_factory=list)

    def whole(self, depth: int, counts: Counts) -> Let | None:
        """Return the one assignment; None where it would not do the same, or is too long."""
        if self.asked is not None:
            whole = self.all_of(*self.asked, counts)
            return whole if whole and 4 * depth + len(simple(whole)) <= WIDTH else None
        if len(self.lets) < 2:
            return None
        whole = self.taken_apart(counts) or self.at_one_time(counts)
        return whole if whole and 4 * depth + len(simple(whole)) <= WIDTH else None

    def all_of(self, base: Expr, count: int, counts: Counts) -> Let | None:
        """Return the assignment of a value that is asked for its length: which this asks, too."""
        places = [_place_in(let.value, base) for let in self.lets]
        named = dict(zip(places, (let.target for let in self.lets), strict=True))
        is_own = bool(places) and places[0] is None and self.lets[0].target == base.data
        first = named.pop(None, None) if is_own else None
        if None in named or len(named) + is_own != len(places) or not named:
            return None
        targets = tuple(named.get(place) for place in range(count))
        if base.op != "name" or base.data in targets:
            return None
        if first is None:
            return replace(self.lets[0], target=targets, value=base)
        is_read_so = counts[base.data] == len(named) + 1
        return replace(self.lets[0], target=targets) if is_read_so else None

    def taken_apart(self, counts: Counts) -> Let | None:
        """Return the assignment of one value of which each name gets a part."""
        last = self.lets[-1].value
        base = last.args[0] if last.op == "subscript" else None
        parts = [let for let in self.lets if let.value.args[:1] == (base,)]
        targets = tuple(part.target for part in parts)
        if base is None or parts != self.lets[-len(parts) :]:
            return None
        named = tuple(_name_of(t) for t in targets if isinstance(t, Variable))
        is_written_so = base.op == "name" and named == self.names
        if not is_written_so and not (is_place(base) and holds(base.type, len(parts))):
            return None
        is_taken_apart = is_written_so or isinstance(base.type, Array | Sequence | Tuple)
        if not is_taken_apart or base.data in targets:
            return None
        if any(not _is_item(part.value, base, place) for place, part in enumerate(parts)):
            return None
        if len(self.lets) == len(parts):  # of a name of the user's
            is_all = is_written_so and self.value == base.data.name
            is_all = is_all or holds(base.type, len(parts))
            return replace(parts[0], target=targets, value=base) if is_all else None
        first = self.lets[0]
        is_own = len(self.lets) == len(parts) + 1 and first.target == base.data
        if not is_own or counts[base.data] != len(parts):
            return None
        return replace(first, target=targets)

    def at_one_time(self, counts: Counts) -> Let | None:
        """Return the assignment of a value to each name, if no value reads an earlier name."""
        values: dict[Variable, Expr] = {}
        for let in self.lets:
            target, value = let.target, let.value
            assert isinstance(target, Variable)
            read = values.keys() & read_variables(value)
            if target in values or any(counts[each] != 1 for each in read):
                return None
            for each in read:  # y_next = f(x); x = g(x); y = y_next
                value = with_value(value, each, values.pop(each))
            values[target] = value
        if any(_name_of(v) not in self.names for v in values):
            return None
        order = sorted(values, key=lambda v: self.names.index(_name_of(v)))
        if len(set(map(_name_of, order))) != len(order):
            return None
        if len(order) == 1:
            return Let(order[0], values[order[0]], self.lets[0].span)
        types = tuple(values[v].type for v in order)
        value = Expr("tuple", tuple(values[v] for v in order), None, Tuple(types))
        return Let(tuple(order), value, self.lets[0].span)


def _name_of(variable: Variable) -> str:
    """Return the user's name for a value, or for that which a tangent belongs to."""
    is_tangent = variable.role is Role.TANGENT and variable.of is not None
    return variable.of.name if is_tangent else variable.name  # type: ignore[union-attr]


def _is_item(value: Expr, base: Expr, place: int) -> bool:
    """Tell whether a value is the item of another at a place."""
    return _place_in(value, base) == place


def _place_in(value: Expr, base: Expr) -> int | None:
    """Return the place at which a value is an item of another."""
    if value.op != "subscript" or value.args[0] != base:
        return None
    at = value.args[1]
    return at.data if at.op == "constant" and type(at.data) is int else None


def _run(block: Block, start: int, is_reverse: bool) -> _Run:
    """Return the longest run from a place on of what one assignment became.

    What is computed again in the reverse sweep may be of two of the user's: r = w[k]; a, b = r.
    """
    run = _Run((), asked=lengths_asked(block[start]))
    start += run.asked is not None
    first = block[start] if start < len(block) else None
    if not isinstance(first, Let) or not _is_part(first, first):
        return _Run(())
    waiting: list[Statement] = []
    assigned: set[Variable] = set()
    for place in range(start, len(block)):
        each = block[place]
        asked = lengths_asked(each)
        if asked is not None and run.asked is None and asked[0] == name(first.target):  # type: ignore[arg-type]
            run.asked = asked
        elif isinstance(each, Let) and _belongs(each, first, is_reverse):
            run.others += waiting
            run.lets.append(each)
            assigned |= set(bound(each))
            waiting = []
        elif _is_saved(each) and not any(assigned & read_variables(e) for e in expressions(each)):
            waiting.append(each)
        else:
            break
    for each in waiting:
        if not isinstance(each, Let) or getattr(each.target, "role", None) is not Role.ADJOINT:
            break
        run.others.append(each)
    if len(run.lets) < 2 or first.span is None or first.target.role is Role.ADJOINT:  # type: ignore[union-attr]
        return run
    names, value = _names(first.span)
    return replace(run, names=names, value=value)


def _belongs(let: Let, first: Let, is_reverse: bool) -> bool:
    """Tell whether a value belongs to an assignment: what is computed again is told by what it is of."""
    if let is first:
        return True
    item = let.value.args[:1] if let.value.op == "subscript" else None
    is_item = item in (first.value.args[:1], (name(first.target),))  # type: ignore[arg-type]
    if is_reverse and is_item and let.effect.is_pure and let.spelled == first.spelled:
        role = getattr(let.target, "role", None)
        return role in (Role.PRIMAL, Role.TANGENT) and role is getattr(first.target, "role", None)
    return first.span is not None and _is_part(let, first)


def _is_part(let: Let, first: Let) -> bool:
    """Tell whether a statement gives a name its value as the first does: of the user's, or an adjoint."""
    role, wanted = (getattr(each.target, "role", None) for each in (let, first))
    is_plain = let.effect.is_pure and let.spelled == "=" and let.span == first.span
    return is_plain and role is wanted and role in (Role.PRIMAL, Role.TANGENT, Role.ADJOINT)


def _is_saved(statement: Statement) -> bool:
    """Tell whether a statement keeps a value for the reverse sweep, or for another line."""
    match statement:
        case Save():
            return True
        case Let(Variable(role=Role.SAVED | Role.TERM | Role.ADJOINT), effect=effect):
            return effect.is_pure
    return False


def _names(span: Span) -> tuple[tuple[str, ...], str]:
    """Return the names that the user's statement at a place assigns to at one time, a loop in each pass.

    And the name of the value that it takes apart, if it has one.
    """
    place = place_of(span)
    return ((), "") if place is None else _assigned(source_of(place))


@lru_cache(maxsize=512)
def _assigned(source: str) -> tuple[tuple[str, ...], str]:
    try:
        tree = ast.parse(f"{source} pass" if source.startswith("for ") else source).body
    except (SyntaxError, ValueError):
        return (), ""
    match tree:
        case [ast.For(target=ast.Tuple(elts=[*_, ast.Tuple(elts=targets)] | targets))]:
            names = tuple(t.id for t in targets if isinstance(t, ast.Name))
            if len(names) == len(targets) == len(set(names)):
                return names, ""
        case [ast.Assign(targets=[ast.Tuple(elts=targets)], value=value)]:
            names = tuple(t.id for t in targets if isinstance(t, ast.Name))
            if len(names) == len(targets) == len(set(names)):
                return names, value.id if isinstance(value, ast.Name) else ""
    return (), ""


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Parts that the user stores to at one time, by his text of each: u[0], u[-1] = a, b."""

    targets: tuple[str, ...]

    def begins_with(self, line: str) -> bool:
        """Tell whether the first of them are those of a line, or others of the same indices."""
        parts = line.split("], ")
        ends = [each.partition("[")[2].removesuffix("]") for each in parts]
        return ends == [each.partition("[")[2][:-1] for each in self.targets[: len(ends)]]


def stored_at_once(span: Span | None, variables: Set[Variable]) -> AtOnce | None:
    """Return what the user's statement at a place stores to parts of names at one time, by literals."""
    place = None if variables or span is None else place_of(span)
    return None if place is None else _stored(source_of(place))


@lru_cache(maxsize=512)
def _stored(source: str) -> AtOnce | None:
    try:
        tree = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    match tree:
        case [ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values))]:
            are_parts = all(
                isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) for t in targets
            )
            if are_parts and len(targets) == len(values):
                return AtOnce(tuple(map(ast.unparse, targets)))
    return None


def returned(body: Block, names: Mapping[Variable, str]) -> Block:
    """Return a body whose last values stand in its return statement: one value, or a short line.

    A return statement that takes several lines gets no longer by them. What is on one line belongs to one statement of the user's, which the return statement is of.
    """
    while len(body) > 1:
        match body[-2:]:
            case Let(Variable() as target, value, span, effect, "="), Return(result, told) as end:
                often = sum(node.data == target for node in name_nodes(result))
                is_own = target.role in (Role.ADJOINT, Role.TERM) and effect.is_pure
            case _:
                break
        if often != 1 or not is_own or target in read_variables(value):
            break
        is_other = told is not None and place_of(told) != place_of(span)
        if is_other and len(expression(value, names)) > SHORT:
            break
        made = Return(with_value(result, target, value), told if is_other else span)
        is_line = value.op != "conditional" and _takes_a_line(made, end, names)
        if result.op != "name" and not is_line:
            break
        body = (*body[:-2], made)
    return body


def _takes_a_line(made: Return, end: Return, names: Mapping[Variable, str]) -> bool:
    """Tell whether a return statement is one line, or has an item on each and no more than before."""
    after, before = (len(wrap(simple(each, names), 4)) for each in (made, end))
    return len(simple(made, names)) <= LINE or 1 < after <= before
