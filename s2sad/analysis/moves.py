"""Arrays that are handed from one name to another, which alone is read afterwards.

v = u.copy()                                 v = u.copy()
v[1:-1] += c * (u[2:] - u[:-2])     ->       v[1:-1] += c * (u[2:] - u[:-2])
u = v                                        u = v.copy()

Each name has memory of its own then, and only that of v is written in place: the adjoint of u is
a value. Nobody can tell the two apart, so that the copy goes again once both sweeps are written.

An array that a pass makes anew and writes to is handed on so, too: u = f(u); u[0] = 0.0.
Elements of a vector that stays as it is are named once, before the loops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from s2sad.analysis.dataflow import Live
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import Place, placed
from s2sad.analysis.pointers import NOTHING
from s2sad.analysis.sharing_names import SharingNames, by_tokens
from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, Variable, copy_of, name, root_of
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    For,
    Function,
    Let,
    Return,
    Statement,
    Store,
    Try,
    While,
)
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh, with_value, with_variables
from s2sad.ir.types import Array, is_number
from s2sad.ir.walk import (
    bind_counts,
    blocks,
    bound,
    bound_in,
    read_in,
    rewritten,
    statements,
    with_blocks,
)

OUTSIDE = frozenset({"parameter", "global"})


def with_passes_apart(function: Function, memory: Memory) -> Function:
    """Return a function in which what a pass makes anew and writes to has a name of its own.

    for _ in range(n):                    for _ in range(n):
        u = u + c * np.roll(u, 1)   ->        u_2 = u + c * np.roll(u, 1)
        u[0] = 0.0                            u_2[0] = 0.0
                                              u = u_2

    So has what is made and written to before a loop, in which its name is bound to other arrays.
    """
    fresh = Fresh.of(function)

    def changed(statement: Statement) -> Statement:
        if not isinstance(statement, For | While):
            return statement
        own = _with_own_names(statement.body, memory, fresh)
        return replace(statement, body=_with_own_starts(own, memory, fresh))

    body = _with_own_starts(rewritten(function.body, changed), memory, fresh)
    return function if body == function.body else replace(function, body=body)


def _with_own_starts(body: Block, memory: Memory, fresh: Fresh) -> Block:
    """Return a block in which arrays that are written to before a loop binds their names are handed on.

    u = np.zeros(n); u[0] = 1.0; for A in As: u = A @ u
    """
    for at, loop in enumerate(body):
        for target in bound_in((loop,)) if isinstance(loop, For | While) else ():
            start = _start_of(target, body[:at])
            kind = memory.types.get(target)
            if start is None or not isinstance(kind, Array):
                continue
            own = fresh.variable(target.name)
            before = (with_variables(s, {target: own}) for s in body[start:at])
            made = (*body[:start], *before, Let(target, name(own, kind)), *body[at:])
            return _with_own_starts(made, memory, fresh)
    return body


def _start_of(target: Variable, before: Block) -> int | None:
    """Return where an array is made that later statements of a block write to, and bind to no other."""
    places = [at for at, s in enumerate(before) if target in bound_in((s,))]
    if not places or not isinstance(let := before[places[-1]], Let):
        return None
    rest = tuple(statements(before[places[-1] + 1 :]))
    is_written = any(isinstance(s, Store) and root_of(s.target) == target for s in rest)
    is_new = let.target == target and let.value.op in ("call", "binary")
    return places[-1] if is_new and is_written else None


def _with_own_names(body: Block, memory: Memory, fresh: Fresh) -> Block:
    """Return the body of a loop in which arrays that are made anew from themselves are handed on."""
    often = Counter(bound_in(body))
    for at, let in enumerate(body):
        match let:
            case Let(Variable() as target, Expr("call" | "binary")):
                kind = memory.types.get(target)
                reads = [v for s in (*body[:at], let) for v in read_in(s)]
            case _:
                continue
        rest = tuple(statements(body[at + 1 :]))
        writes = {root_of(s.target) for s in rest if isinstance(s, Store)}
        is_left = any(isinstance(s, Break | Continue | Return | Try) for s in rest)
        if is_left or not isinstance(kind, Array) or often[target] != 1:
            continue
        if target in writes and target in reads:
            own = fresh.variable(target.name)
            end = _end_of_writes(target, body, at + 1, memory)
            after = (with_variables(s, {target: own}) for s in body[at + 1 : end])
            handed = Let(target, name(own, kind))
            body = (*body[:at], replace(let, target=own), *after, handed, *body[end:])
    return body


def _end_of_writes(target: Variable, body: Block, start: int, memory: Memory) -> int:
    """Return the place in a block from which on an array is but read; the end where it has other names."""
    sites = memory.points_to.get(target, NOTHING)
    every = [v for each in statements(body[start:]) for v in bound(each)]
    if any(sites & memory.points_to.get(v, NOTHING) for v in every):
        return len(body)
    written = [at for at in range(start, len(body)) if not _only_reads(body[at], target)]
    return max(written, default=start - 1) + 1


def _only_reads(block: Statement, target: Variable) -> bool:
    """Tell whether a statement, and those in it, do no more with an array than to compute from it."""
    return all(
        (isinstance(s, Let) and s.effect.is_pure)
        or (isinstance(s, Store) and root_of(s.target) != target)
        or target not in read_in(s)
        for s in statements((block,))
    )


def with_moves_as_copies(
    function: Function, memory: Memory, remembered: Callable[[Function], Memory]
) -> Function:
    """Return a function in which an array that is handed on is copied, as far as none can tell.

    It is done where the new name's shadow is easily had then: nobody writes to it in place.
    """
    every = placed(function.body)
    handed = [(place, s) for place, s in every if isinstance(s, Let) and _hands_on(s, memory)]
    if not handed or any(_leaves(place, s) for place, s in every):
        return function
    live = Live(function.body)
    by_sites = by_tokens(lambda v: memory.points_to.get(v, NOTHING), memory.sites)
    shared = SharingNames(function.body, by_sites)
    moves = [s for place, s in handed if _is_last(s, place, memory, live, shared)]
    after = remembered(_copied(function, moves))
    return _copied(function, [s for s in moves if not any(map(after.is_hard, bound(s)))])


def with_written_apart(
    function: Function, memory: Memory, remembered: Callable[[Function], Memory]
) -> Function:
    """Return a function whose passes write to copies of what they make the next one of.

    for _ in range(n):                    for _ in range(n):
        u[0] += c * u[1]                      u_2 = u.copy()
        u = np.maximum(u, 0.0)     ->         u_2[0] += c * u[1]
                                              u = np.maximum(u_2, 0.0)

    It is done where none can tell, and where nobody writes to u in place then.
    """
    every = placed(function.body)
    loops = [(place, s) for place, s in every if isinstance(s, For | While)]
    if not loops or any(_leaves(place, s) for place, s in every):
        return function
    live, fresh = Live(function.body), Fresh.of(function)
    by_sites = by_tokens(lambda v: memory.points_to.get(v, NOTHING), memory.sites)
    shared = SharingNames(function.body, by_sites)
    made: dict[int, Block] = {}
    named: set[Variable] = set()
    for place, loop in loops:
        for array, start, end in _written_and_made_anew(loop.body, memory):
            sites = memory.points_to.get(array, NOTHING)
            is_given = any(site[0] in OUTSIDE for site in sites) or sites & memory.in_containers
            others = {*shared.sharers(array, loop.body[start])} - {array}
            if not is_given and not any(live.after(v, (*place, 0, start)) for v in others):
                whole, own = name(array, memory.types[array]), fresh.variable(array.name)
                made[id(loop)] = _with_copy(loop.body, whole, start, end, own)
                named.add(array)
                break
    if not made:
        return function
    apart = replace(function, body=_with_bodies(function.body, made))
    after = remembered(apart)
    return function if any(map(after.is_hard, named)) else apart


def _with_bodies(block: Block, bodies: Mapping[int, Block]) -> Block:
    """Return a block in which loops, by their identities, have other bodies."""
    return tuple(
        replace(each, body=bodies[id(each)])
        if isinstance(each, For | While) and id(each) in bodies
        else with_blocks(each, tuple(_with_bodies(inner, bodies) for inner in blocks(each)))
        for each in block
    )


def _written_and_made_anew(body: Block, memory: Memory) -> Iterator[tuple[Variable, int, int]]:
    """Yield the arrays that a body writes to before it makes them anew of themselves, and both places."""
    often = bind_counts(body)
    for end, let in enumerate(body):
        match let:
            case Let(Variable() as target, Expr("call" | "binary")):
                kind = memory.types.get(target)
            case _:
                continue
        if often[target] != 1 or not isinstance(kind, Array) or target not in read_in(let):
            continue
        writing = [at for at, s in enumerate(body) if target in _written_by_name((s,))]
        if writing and writing[-1] < end:
            yield target, writing[0], end


def _written_by_name(block: Block) -> set[Variable | None]:
    return {root_of(s.target) for s in statements(block) if isinstance(s, Store)}


def _with_copy(body: Block, array: Expr, start: int, end: int, own: Variable) -> Block:
    """Return a body that writes to a copy, from a place on; what is written first is computed as it was."""
    written = [with_variables(s, {array.data: own}) for s in body[start:end]]
    match written[0], body[start]:
        case Store() as first, Store(value=value):
            written[0] = replace(first, value=value)
    made = body[end]
    assert isinstance(made, Let)
    last = replace(made, value=with_value(made.value, array.data, name(own, array.type)))
    return (*body[:start], Let(own, copy_of(array)), *written, last, *body[end + 1 :])


def _copied(function: Function, moves: Sequence[Let]) -> Function:
    """Return a function in which these bindings give copies."""
    if not moves:
        return function
    chosen = {id(s) for s in moves}

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Let) or id(statement) not in chosen:
            return statement
        value = statement.value
        return replace(statement, value=copy_of(value))

    return replace(function, body=rewritten(function.body, change))


def _leaves(place: Place, statement: Statement) -> bool:
    """Tell whether a statement may go on elsewhere than at the next one: liveness does not know."""
    if isinstance(statement, Return):
        return len(place) > 1
    return isinstance(statement, Break | Continue | Try)


def _hands_on(let: Let, memory: Memory) -> bool:
    """Tell whether a binding gives a second name to an array whose shadow is not easily had."""
    value = let.value
    if not isinstance(let.target, Variable):
        return False
    if value.op != "name" or not isinstance(value.type, Array):
        return False
    return memory.is_memory(value.data) and memory.is_hard(value.data)


def _is_last(let: Let, place: Place, memory: Memory, live: Live, shared: SharingNames) -> bool:
    """Tell whether an array is read under its new name alone, and belongs to this function."""
    given = let.value.data
    sites = memory.points_to.get(given, NOTHING)
    if any(site[0] in OUTSIDE for site in sites) or sites & memory.in_containers:
        return False
    others = {given, *shared.sharers(given, let)} - {let.target}
    return not any(live.after(other, place) for other in others)


def unpacked_once(function: Function, memory: Memory) -> Function:
    """Return a function that names an element of a vector, which stays as it is, once and early.

    for k in range(n):                    a, b = p
        a, b = p                   ->     for k in range(n):
        ...                                   ...
        a_2, b_2 = p                          without the names that a helper has for them again
    """
    given = [p.variable for p in function.parameters]
    often = Counter(given) + bind_counts(function.body)
    early = {v for s in function.body if isinstance(s, Let) for v in bound(s)}
    steady = {v for v in early.union(given) if often[v] == 1}
    names: dict[Expr, Variable] = {}
    renamed: dict[Variable, Variable] = {}
    body: list[Statement] = []

    def moved(statement: Statement) -> Statement | None:
        match statement:
            case Let(Variable() as target, value) if _is_element(value) and often[target] == 1:
                vector = value.args[0]
                if vector.data in steady and memory.written.isdisjoint(memory.sites(vector)):
                    renamed[target] = names.setdefault(value, target)
                    if renamed[target] == target:
                        body.append(statement)
                    return None
        return statement

    for statement in function.body:
        body.extend(rewritten((statement,), moved))
    body = [with_variables(each, renamed) for each in body]
    return function if tuple(body) == function.body else replace(function, body=tuple(body))


def _is_element(expr: Expr) -> bool:
    """Tell whether an expression is p[k] of a vector that has such an element, for whatever arguments."""
    if expr.op != "subscript" or expr.args[0].op != "name" or not is_number(expr.type):
        return False
    kind, position = expr.args[0].type, literal_position(expr.args[1])
    length = kind.lengths[0] if isinstance(kind, Array) and kind.rank == 1 else None
    if position is None or length is None or not length.is_literal:
        return False
    return -length.constant <= position < length.constant
