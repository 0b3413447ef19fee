"""Live ranges: two names of one value become one, and one name of two values becomes two.

u_term_bar = dt * u_bar                u_bar = dt * u_bar
...                          ->        ...
u_bar = u_term_bar

    t_1 = c * u                     t_1 = c * u
    u = u - t_1 * s                 u = u - t_1 * s
    ...                       ->    ...
    t_1 = c * u                     t_2 = c * u
    s_bar += t_1 * u_bar            s_bar += t_2 * u_bar

A name whose ranges are apart may go in one of them and stay in the other. What a pass hands on is
saved before its new value is there, so that both have one name: u_saved.append(u); u = f(u).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set

import numpy as np

from s2sad.ir.expression import Expr, Pattern, Role, Variable, calls, root_of
from s2sad.ir.program import For, Function, Let, Restore, Return, Save, Statement, Store, While
from s2sad.ir.records import replace
from s2sad.ir.renaming import with_variables
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import (
    assigned,
    bound,
    bound_in,
    closed,
    expressions,
    name_nodes,
    read_variables,
    rewritten,
    statements,
)
from s2sad.optimize.liveness import Liveness
from s2sad.optimize.memory import (
    MODULE,
    Content,
    Memory,
    Pushed,
    Token,
    Tokens,
    memory_with,
    sharing_names,
    statement_changes,
    statement_reads,
)
from s2sad.optimize.substitute import copied_place
from s2sad.reverse.contribute import is_read_only

# a name of ours gives way to one that belongs to a name of the user's
RANK = {Role.PRIMAL: 0, Role.ADJOINT: 1, Role.TANGENT: 1}
RANK |= {Role.SAVED: 3, Role.TERM: 2, Role.PLACE: 2}

FIXED = frozenset({Role.PRIMAL, Role.PLACE, Role.SAVED})


Copies = Iterable[tuple[Variable, Variable]]


def without_copies(
    function: Function, memory: Memory, chosen: Callable[[Function, Copies], Copies] | None = None
) -> Function:
    """Return a function without the copies from one name of ours to another, or some of them."""
    copies = list(_copies(function) if chosen is None else chosen(function, _copies(function)))
    if not copies:
        return function
    lasting = dict(_of_what_lasts(function, copies))
    if lasting:
        return replace(function, body=_renamed(function, lasting))
    meeting = _Interference(function, memory, copies)
    for copy in copies:
        meeting.join(*copy)
    names = {v: n for v in meeting.edges if (n := meeting.name_of(v)) != v}
    return replace(function, body=_renamed(function, names)) if names else function


def _copies(function: Function) -> Iterator[tuple[Variable, Variable]]:
    """Yield the two names of each copy that may become one."""
    given = frozenset(p.variable for p in function.parameters)
    for statement in statements(function.body):
        if isinstance(statement, Let) and statement.spelled == "=":
            for kept, gone in _moved(statement):
                if kept != gone and kept not in given and gone not in given:
                    yield kept, gone


def _moved(let: Let) -> Copies:
    """Yield the names of a statement that may become one; the user's own if they have one name."""
    match let:
        case Let(Variable() as kept, Expr("name", data=gone)):
            if FIXED.isdisjoint((kept.role, gone.role)) or kept.name == gone.name:
                yield kept, gone
        case Let(tuple() as targets, Expr("tuple", values)) if _are_named_alike(targets, values):
            yield from ((kept, value.data) for kept, value in zip(targets, values, strict=True))


def _are_named_alike(targets: tuple[Pattern, ...], values: tuple[Expr, ...]) -> bool:
    """Tell whether items are unpacked to names that they have: a, b = (np.roll(v, k) for k in (1, 2))."""
    return len(targets) == len(values) and all(
        isinstance(kept, Variable) and value.op == "name" and kept.name == value.data.name
        for kept, value in zip(targets, values, strict=True)
    )


def _of_what_lasts(function: Function, copies: Copies) -> Copies:
    """Yield the copies of what is bound once, in no loop: as long as it is there, it is the copy."""
    often = Counter(v for s in statements(function.body) for v in _bound_anew(s))
    lasting = {v for s in function.body if isinstance(s, Let) for v in bound(s) if often[v] == 1}
    renamed: set[Variable] = set()
    for kept, gone in copies:
        if often[kept] == 1 and gone in lasting and renamed.isdisjoint((kept, gone)):
            renamed |= {kept, gone}
            yield (gone, kept) if RANK[kept.role] < RANK[gone.role] else (kept, gone)


def of_adjoints(function: Function, copies: Copies) -> Copies:
    """Yield the copies of terms that are computed from adjoints: those are called as an adjoint is.

    back = np.linalg.solve(A.T, x_bar); b_bar = back      b_bar = np.linalg.solve(A.T, x_bar)
    """
    found = [(kept, gone) for kept, gone in copies if gone.role is Role.TERM is not kept.role]
    terms = {gone for _, gone in found}
    derived = {
        s.target
        for s in statements(function.body)
        if isinstance(s, Let) and s.target in terms
        if any(v.role in (Role.ADJOINT, Role.TANGENT) for v in read_variables(s.value))
    }
    yield from (pair for pair in found if pair[1] in derived or pair[1].name.endswith("_bar"))


class _Interference:
    """Which names are bound while others are still to be read; joined names are one."""

    def __init__(self, function: Function, memory: Memory, copies: list[tuple[Variable, Variable]]):
        self.edges: dict[Variable, set[Variable]] = {v: set() for pair in copies for v in pair}
        self.names: dict[Variable, Variable] = {}
        sweep = Liveness(function, memory, visit=self.visit)
        sweep.block(function.body, sweep.at_exit)

    def visit(self, statement: Statement, live: Set[Token]) -> None:
        """Note what is alive where a statement binds a name."""
        copied = None
        if isinstance(statement, Let) and statement.value.op == "name":
            copied = statement.value.data
        for variable in _bound_anew(statement):
            if variable in self.edges:
                self.meet(variable, live, copied)

    def meet(self, variable: Variable, live: Set[Token], copied: Variable | None) -> None:
        for other in self.edges:
            if other in live and other not in (variable, copied):
                self.edges[variable].add(other)
                self.edges[other].add(variable)

    def name_of(self, variable: Variable) -> Variable:
        """Return the name that stands for a variable."""
        while variable in self.names:
            variable = self.names[variable]
        return variable

    def join(self, kept: Variable, gone: Variable) -> None:
        """Let two names be one, if they are never alive with different values."""
        kept, gone = self.name_of(kept), self.name_of(gone)
        if kept == gone or gone in self.edges[kept]:
            return
        first, other = sorted((kept, gone), key=lambda v: (RANK[v.role], v is not kept))
        self.names[other] = first
        for neighbour in self.edges[other]:
            self.edges[neighbour].add(first)
        self.edges[first] |= self.edges[other]


def _bound_anew(statement: Statement) -> tuple[Variable, ...]:
    """Return what a statement binds; `x += e` binds x where that may be a number."""
    is_in_place = isinstance(statement, Store) and isinstance(statement.target.type, Array)
    return bound(statement) if is_in_place else assigned(statement)


def saved_before_anew(function: Function) -> Function:
    """Return a function whose loops save what they hand on before they make it anew.

    A pass that a break ends saves it there, too: what is saved at two places stays where it is.
    """

    def changed(statement: Statement) -> Statement:
        if not isinstance(statement, For | While):
            return statement
        body = list(statement.body)
        made = {s.value.data: s.target for s in body if isinstance(s, Let) and s.value.op == "name"}
        for save in [s for s in body if isinstance(s, Save)]:
            parts = save.value.args if save.value.op == "tuple" else (save.value,)
            kept = {part.data for part in parts if part.op == "name"}
            end = body.index(save)
            places = (k for k, s in enumerate(body[:end]) if kept & {made.get(v) for v in bound(s)})
            at = next(places, end)
            over = tuple(body[at:end])
            is_once = all(getattr(s, "stack", None) != save.stack for s in statements(over))
            if is_once and len(kept) == len(parts) and kept.isdisjoint(bound_in(over)):
                body.insert(at, body.pop(end))
        return replace(statement, body=tuple(body))

    return replace(function, body=rewritten(function.body, changed))


def without_idle_copies(function: Function, memory: Memory) -> Function:
    """Return a function without copies of arrays that nobody can tell from the arrays themselves.

    x_bar = t_1.copy()     x_bar = t_1      where t_1 and all that shares its memory is dead,
                                            or nobody writes to either; what the caller gave is
                                            never dead, and is not given back
    """
    names: dict[int, Let] = {}
    for each in statements(function.body):
        of = copied_name(each)
        if of is not None and memory.content(of) not in {None, memory.content(MODULE)}:
            assert isinstance(each, Let)
            names[id(each)] = replace(each, value=each.value.args[0].args[0])
    while names:
        body = rewritten(function.body, lambda s, named=names: named.get(id(s), s))  # type: ignore[misc]
        made = replace(function, body=body)
        told = _told_apart(made, memory_with(made, memory.regions, memory.given_back), names)
        if not told:
            return made
        names = {key: let for key, let in names.items() if key not in told}
    return function


def _told_apart(made: Function, memory: Memory, names: Mapping[int, Let]) -> set[int]:
    """Return which of the names for copies show: one is written to while another is to be read.

    What NumPy gives to be read alone (np.broadcast_to) is never written to.
    """
    shared = sharing_names(made, memory)
    read_only = _read_only(made, memory)
    given = frozenset(p.variable for p in made.parameters)
    told: set[int] = set()

    def tell_apart(group: Set[Variable]) -> None:
        told.update(key for key, let in names.items() if group & {let.target, let.value.data})

    def visit(statement: Statement, live: Set[Token]) -> None:
        if isinstance(statement, Return):
            for variable in read_variables(statement.value):
                group = {variable, *shared.sharers(variable, statement)}
                if group & given:
                    tell_apart(group)
        written = {t for t in statement_changes(statement, memory) if isinstance(t, Content)}
        for variable in _writers(statement, written, memory):
            more = shared.sharers(variable, statement)
            lasting = (read_only | given) & {variable, *more}
            if lasting or any(_is_seen(v, statement, live) for v in more):
                tell_apart({variable, *more})

    sweep = Liveness(made, memory, visit=visit)
    sweep.reads = _numbers_read
    sweep.block(made.body, sweep.at_exit)
    return told


def _read_only(function: Function, memory: Memory) -> Set[Variable]:
    """Return the names of what NumPy gives to be read alone, and of views of that."""
    lets = [each for each in statements(function.body) if isinstance(each, Let)]

    def views(found: Set[Variable]) -> Iterator[Variable]:
        held = {memory.content(variable) for variable in found} - {None}
        for let in lets if held else ():
            if not held.isdisjoint(memory.contents(let.value)):
                yield from bound(let)

    return closed(
        frozenset(v for let in lets if is_read_only(let.value) for v in bound(let)), views
    )


def _numbers_read(statement: Statement, memory: Memory) -> Tokens:
    """Return what a statement reads of the numbers in arrays: of np.zeros_like(x) none."""
    asks_shape = isinstance(statement, Let) and calls(statement.value, np.zeros_like)
    return frozenset() if asks_shape else statement_reads(statement, memory)


def _is_seen(variable: Variable, statement: Statement, live: Set[Token]) -> bool:
    """Tell whether a variable is read after a statement, by the caller after the last one."""
    if not isinstance(statement, Return):
        return variable in live or Pushed(variable) in live
    nodes = name_nodes(statement.value)
    is_plain = all(isinstance(node.type, Array | Number | Numeric) for node in nodes)
    return not is_plain or any(node.data == variable for node in nodes)


def _writers(statement: Statement, written: Set[Content], memory: Memory) -> Iterator[Variable]:
    """Yield the names by which a statement writes to memory."""
    target = statement.target if isinstance(statement, Store | Restore) else None
    root = root_of(target) if isinstance(target, Expr) else None
    if root is not None:
        yield root
        return
    read = (v for expr in expressions(statement) for v in read_variables(expr))
    yield from (v for v in dict.fromkeys(read) if memory.content(v) in written)


def copied_name(statement: Statement) -> Variable | None:
    """Return the array that a statement gives a copy of to a name of ours."""
    if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
        return None
    of = copied_place(statement.value)
    if of is None or of.op != "name":
        return None
    is_ours = {Role.PRIMAL, Role.PLACE}.isdisjoint((of.data.role, statement.target.role))
    return of.data if is_ours or statement.value.span is None else None


def _is_name(target: Pattern, value: Expr) -> bool:
    return value.op == "name" and value.data == target


def _renamed(function: Function, names: Mapping[Variable, Variable]) -> tuple[Statement, ...]:
    """Return the body of a function with other variables, copies onto themselves left out."""

    def change(statement: Statement) -> Statement | None:
        match statement:
            case Let(Variable() as target, Expr("name", data=of)) if target == of:
                return None
            case Let(tuple() as targets, Expr("tuple", values)):
                if all(map(_is_name, targets, values)) and len(targets) == len(values):
                    return None
        return statement

    return rewritten(tuple(with_variables(each, names) for each in function.body), change)
