"""Which values may share memory, and which of them a write in place would change unseen.

    b@1 = a@0            roots(b@1) = {a@0}
    b@2 = b@1[0] := 1    a conflict if a@0 is still read afterwards: a@0 has changed under it

A root is the value whose definition made the memory: a parameter, or a result of an operation
that allocates. `Old(root)` is the memory which the same definition made in an earlier pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType

import numpy as np

from s2sad.calls import arguments, is_python
from s2sad.facts import UNKNOWN, Fact
from s2sad.handed import handed_back
from s2sad.optional import PREFIX
from s2sad.program import (
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    blocks,
    defines,
    expressions,
    flat_targets,
    reads,
    statements,
    value_reads,
)


@dataclass(frozen=True, slots=True)
class Old:
    """Memory that a definition inside a loop made in an earlier pass."""

    root: Var | Ref


@dataclass(frozen=True, slots=True)
class Inside:
    """Memory of an item that a list holds: writing to the list does not write to it."""

    root: Var | Ref | Old


Root = Var | Ref | Old | Inside
Roots = dict[Var, frozenset[Root]]
Known = Callable[[Var], Fact]
NOTHING: frozenset[Root] = frozenset()
READ_ONLY = Ref("read-only", None)

# NumPy functions and methods whose result may be a view of their first argument
VIEWS = frozenset(
    "reshape ravel transpose squeeze swapaxes moveaxis rollaxis expand_dims broadcast_to "
    "broadcast_arrays atleast_1d atleast_2d atleast_3d asarray asanyarray array "
    "ascontiguousarray asfortranarray diagonal view flip fliplr flipud rot90 real imag split "
    "array_split hsplit vsplit require matrix_transpose permute_dims astype squeeze "
    "sliding_window_view as_strided nan_to_num".split()
)
VIEW_ATTRIBUTES = frozenset({"T", "mT", "real", "imag", "flat", "base"})
IMMUTABLE = (int, float, complex, str, bytes, np.generic, type(None))
SCALAR_FUNCTIONS = frozenset({"len", "float", "int", "bool", "range", "abs", "round", "str"})

# ---------------------------------------------------------------- roots


def unknown(var: Var) -> Fact:
    """Say nothing about a value."""
    return UNKNOWN


def roots_of(program: Program, fact: Known = unknown) -> Roots:
    """Return the memory each value may live in; numbers have none."""
    roots: Roots = {param.var: frozenset({param.var}) for param in program.params}
    for var in [var for var in roots if fact(var).is_scalar]:
        roots[var] = NOTHING
    while _sweep(program.body, roots, fact, frozenset()):
        pass
    return roots


def _sweep(block: Block, roots: Roots, fact: Known, inside: frozenset[Var]) -> bool:
    changed = False

    def add(var: Var | None, more: frozenset[Root]) -> None:
        nonlocal changed
        if var is None or fact(var).is_scalar:
            return
        known = roots.get(var, NOTHING)
        if var not in roots or not more <= known:
            roots[var] = known | more
            changed = True

    for stmt in block:
        match stmt:
            case Assign(targets, value):
                for target, made in zip(targets, _origins(stmt, roots), strict=True):
                    add(target, made)
            case Update(new, old, _, op, value):
                held = origin(value, new, roots) if keeps(op, fact(old)) else NOTHING
                add(new, roots.get(old, NOTHING) | _inside(held))
            case Pop(target, new, old):
                add(target, spread(roots.get(old, NOTHING)))
                add(new, roots.get(old, NOTHING))
            case Effect(Opaque() as copied):
                for _, var in copied.writes:
                    add(var, _shared(copied, roots) | {var})
            case If(_, then, orelse, merges):
                changed |= _sweep(then, roots, fact, inside)
                changed |= _sweep(orelse, roots, fact, inside)
                for merge in merges:
                    for side in (merge.then, merge.orelse):
                        add(merge.out, roots.get(side, NOTHING) if side else NOTHING)
            case Loop():
                changed |= _sweep_loop(stmt, roots, fact, inside, add)
    return changed


def _origins(stmt: Assign, roots: Roots) -> list[frozenset[Root]]:
    """Return the memory that each target of an assignment may live in."""
    targets, value = stmt.targets, stmt.value
    if not stmt.unpack:
        return [origin(value, target, roots) for target in targets]
    if isinstance(value, Op) and value.op in ("tuple", "list") and len(value.args) == len(targets):
        return [origin(arg, target, roots) for arg, target in zip(value.args, targets, strict=True)]
    return [spread(origin(value, target, roots)) for target in targets]


def _sweep_loop(
    loop: Loop,
    roots: Roots,
    fact: Known,
    inside: frozenset[Var],
    add: Callable[[Var | None, frozenset[Root]], None],
) -> bool:
    made = frozenset(defined_in(loop.body))
    for each in loop.carried:
        init = roots.get(each.init, NOTHING) if each.init else NOTHING
        end = roots.get(each.end, NOTHING)
        add(each.head, init | _aged(end, made))
        add(each.exit, init | end)
    if loop.iterable is not None:
        for target in flat_targets(loop.targets):
            add(target, origin(Op("index", (loop.iterable, Const(0))), target, roots))
    return _sweep(loop.body, roots, fact, inside)


def _aged(roots: frozenset[Root], made: frozenset[Var]) -> frozenset[Root]:
    def older(root: Root) -> Root:
        if isinstance(root, Inside):
            return Inside(older(root.root))  # type: ignore[arg-type]
        return Old(root) if isinstance(root, Var) and root in made else root

    return frozenset(map(older, roots))


def _inside(roots: frozenset[Root]) -> frozenset[Root]:
    return frozenset(root if isinstance(root, Inside) else Inside(root) for root in roots)


def spread(roots: frozenset[Root]) -> frozenset[Root]:
    """Return roots with the memory of held items as memory of its own."""
    return frozenset(root.root if isinstance(root, Inside) else root for root in roots)


def own_memory(roots: frozenset[Root]) -> frozenset[Root]:
    """Return the memory that a write to a value changes: a list's items are not."""
    return frozenset(root for root in roots if not isinstance(root, Inside))


def defined_in(block: Block) -> Iterator[Var]:
    """Yield every value that is made in a block, in the blocks inside it as well."""
    for stmt in statements(block):
        yield from defines(stmt)
        if isinstance(stmt, Loop):
            yield from flat_targets(stmt.targets)
            yield from (each.head for each in stmt.carried)


def keeps(op: str, owner: Fact) -> bool:
    """Tell whether a write stores the object itself, as a list does, not its contents."""
    return op == "append" or (op == "=" and not owner.is_array)


def _shared(value: Expr, roots: Roots) -> frozenset[Root]:
    return spread(frozenset(root for var in reads(value) for root in roots.get(var, NOTHING)))


def origin(value: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that the result of an expression may live in."""
    match value:
        case Var():
            return roots.get(value, NOTHING)
        case Const():
            return NOTHING
        case Ref(_, held):
            return NOTHING if isinstance(held, IMMUTABLE) else frozenset({value})
        case Op("index", (owner, key)):
            return frozenset({target}) if _is_fancy(key) else _shared_by(owner, target, roots)
        case Op("if", (_, a, b)):
            return origin(a, target, roots) | origin(b, target, roots)
        case Op("tuple" | "list" | "star" | "and" | "or", args):
            parts = (_inside(origin(arg, target, roots)) for arg in args)
            return frozenset({target}).union(*parts)
        case Op(_, args):
            # a list joined of others is new, and holds their items
            held = (root for arg in args for root in origin(arg, target, roots))
            return frozenset({target, *(root for root in held if isinstance(root, Inside))})
        case Attr(owner, name):
            return _shared_by(owner, target, roots) if name in VIEW_ATTRIBUTES else NOTHING
        case Call():
            return _call_origin(value, target, roots)
    return _shared(value, roots) | {target}


def _shared_by(owner: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    # an unnamed owner (a nested expression) may be a view as well
    return spread(origin(owner, target, roots))


def _is_fancy(key: Expr) -> bool:
    """Tell whether a subscript surely copies: a list of positions."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    return any(isinstance(part, Op) and part.op == "list" for part in parts)


def _call_origin(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    match call.func:
        case Attr(owner, name):
            return (
                _shared_by(owner, target, roots) | {target}
                if _may_view(name)
                else frozenset({target})
            )
        case Ref(text, value):
            shares = getattr(value, "shares", None)
            if shares is not None:  # the derivative of a called function says so itself
                return _union(call, shares, target, roots) | {target}
            if text in SCALAR_FUNCTIONS:
                return NOTHING
            parts = frozenset().union(
                *(spread(origin(arg, target, roots)) for arg in call.args[:1])
            )
            if text in ("np.broadcast_to", "_expand"):
                return parts | {READ_ONLY}
            if text == "_sum_to":
                return parts
            if text in ("_shaped_as", "_plus"):
                return parts | {target}
            known = text.split(".")[0] in ("np", "math") and not isinstance(
                value, FunctionType | type
            )
            known = known or (text.startswith(PREFIX) and not isinstance(value, type))
            if known and text.rpartition(".")[2] not in VIEWS:
                return frozenset({target})
            if value is np.ndarray and len(call.args) == 1 and _takes_no_buffer(call):
                return frozenset({target})
            if value == "printed" and text not in MAY_RETURN_ARGUMENT:
                return frozenset({target})
            if text in ("list", "tuple", "reversed", "enumerate", "zip"):
                return _inside(_shared(call, roots)) | {target}
            if is_python(call.func):
                return _python_origin(call, target, roots)
    return _shared(call, roots) | {target}


def _union(
    call: Call, positions: Iterable[int], target: Var, roots: Roots
) -> frozenset[Root]:
    parts = (spread(origin(call.args[n], target, roots)) for n in positions)
    return frozenset[Root]().union(*parts)


def _takes_no_buffer(call: Call) -> bool:
    return all(name in ("shape", "dtype", "order") for name, _ in call.keywords)


def _python_origin(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that the result of a Python function may live in."""
    assert isinstance(call.func, Ref)
    names = handed_back(call.func.value)
    try:
        given = arguments(call)
    except TypeError:
        names = None
    if names is None:
        return _shared(call, roots) | {target}
    parts = (spread(origin(given[name], target, roots)) for name in names if name in given)
    return frozenset({target}).union(*parts)


# functions printed into the file that may give back what they are given
MAY_RETURN_ARGUMENT = frozenset({"_sum_to", "_expand", "_plus", "_shaped_as"})
METHODS_THAT_COPY = frozenset(
    "copy sum mean prod max min std var dot flatten cumsum cumprod clip round all any argmax "
    "argmin argsort conj conjugate repeat take trace tolist item nonzero tobytes ptp searchsorted "
    "astype".split()
)


def _may_view(name: str) -> bool:
    return name not in METHODS_THAT_COPY


# ---------------------------------------------------------------- writes seen through other names


Share = Callable[[Var, Var], bool]


def always(a: Var, b: Var) -> bool:
    """Take any two values to share memory that their roots allow."""
    return True


@dataclass(frozen=True, slots=True)
class Conflict:
    """A write in place that changes `other`, which is read later and is not that write's own."""

    update: Update
    other: Var


def conflicts(program: Program, roots: Roots, share: Share = always) -> list[Conflict]:
    """Return every write that changes a value which is still read after it.

    `share` may know of two values that they never share memory.
    """
    found: list[Conflict] = []

    def visit(stmt: Stmt, live: frozenset[Var]) -> None:
        if isinstance(stmt, Update) and not stmt.silent:
            mine = own_memory(roots.get(stmt.old, NOTHING))
            for other in sorted(live - unseen_by(stmt), key=lambda var: (var.slot, var.version)):
                if mine & spread(roots.get(other, NOTHING)) and share(stmt.old, other):
                    found.append(Conflict(stmt, other))

    # a shape does not change with the contents
    walk_live(program.body, frozenset(reads(program.result)), visit, value_reads)
    needed = needed_values(program)
    return [each for each in found if each.other in needed]


def unseen_by(stmt: Stmt) -> frozenset[Var]:
    """Return the values that a write is not seen by, whatever memory they live in."""
    match stmt:
        case Pop(target, new):
            return frozenset({target, new})
        case Update(new, value=Var() as value, echo=True):
            return frozenset({new, value})  # it says what is there
        case Update(new):
            return frozenset({new})
    return frozenset()


Visit = Callable[[Stmt, frozenset[Var]], None]
Reading = Callable[[Expr], Iterator[Var]]


def walk_live(
    block: Block, live: frozenset[Var], visit: Visit, reading: Reading = reads
) -> frozenset[Var]:
    """Call `visit(stmt, values read after it)` backwards; return what is live before `block`.

    `reading` tells what an expression reads: everything it names, or contents alone.
    """
    for stmt in reversed(block):
        visit(stmt, live)
        if isinstance(stmt, If):
            live = _live_if(stmt, live, visit, reading)
        elif isinstance(stmt, Loop):
            live = _live_loop(stmt, live, visit, reading)
        else:
            live = live.difference(defines(stmt)).union(*map(reading, _read_by(stmt, reading)))
    return live


def needed_values(program: Program) -> frozenset[Var]:
    """Return the values whose contents something reads, in the end: what is only handed on is not.

    `live` takes each value that a branch merges or a loop carries as read.
    """
    needed = set(value_reads(program.result))
    handed: list[tuple[tuple[Var, ...], tuple[Var | None, ...]]] = []
    for stmt in statements(program.body):
        for expr in _read_by(stmt, value_reads):
            needed.update(value_reads(expr))
        if isinstance(stmt, If):
            handed += [((m.out,), (m.then, m.orelse)) for m in stmt.merges]
        if isinstance(stmt, Loop):
            handed += [((c.head, c.exit), (c.init, c.end)) for c in stmt.carried]
    size = -1
    while size < len(needed):
        size = len(needed)
        for outs, sides in reversed(handed):  # most are handed on to what comes after
            if not needed.isdisjoint(outs):
                needed.update(side for side in sides if side is not None)
    return frozenset(needed)


def _read_by(stmt: Stmt, reading: Reading) -> tuple[Expr, ...]:
    """Return what a statement reads; an echo does not read what it stands for."""
    if isinstance(stmt, Update) and stmt.echo and reading is value_reads:
        return (stmt.value,)
    return expressions(stmt)


def _live_if(stmt: If, live: frozenset[Var], visit: Visit, reading: Reading) -> frozenset[Var]:
    merges = [merge for merge in stmt.merges if merge.out in live]
    live = live - {merge.out for merge in stmt.merges}
    then = live | {merge.then for merge in merges if merge.then}
    orelse = live | {merge.orelse for merge in merges if merge.orelse}
    before = walk_live(stmt.then, then, visit, reading)
    before |= walk_live(stmt.orelse, orelse, visit, reading)
    return before.union(reading(stmt.test))


def _live_loop(loop: Loop, live: frozenset[Var], visit: Visit, reading: Reading) -> frozenset[Var]:
    used = frozenset(_used(loop.body, reading))
    test = frozenset(reading(loop.test)) if loop.test is not None else frozenset()
    made = frozenset(defined_in(loop.body)) | frozenset(flat_targets(loop.targets))
    made |= {each.head for each in loop.carried}
    after = live - {each.exit for each in loop.carried}
    kept = {each.end for each in loop.carried if each.exit in live or each.head in used | test}
    throughout = (used | test | kept) - made | after
    iterable = frozenset(reading(loop.iterable)) if loop.iterable is not None else frozenset()
    if reading is value_reads:
        throughout |= iterable  # every pass reads its item from what is iterated over
    walk_live(loop.body, throughout | kept, visit, reading)
    inits = {each.init for each in loop.carried if each.init and each.end in kept}
    return throughout | inits | iterable


def _used(block: Block, reading: Reading) -> Iterator[Var]:
    """Yield what the statements of a block read, merge or hand on."""
    for stmt in statements(block):
        for expr in _read_by(stmt, reading):
            yield from reading(expr)
        if isinstance(stmt, If):
            yield from (side for m in stmt.merges for side in (m.then, m.orelse) if side)
        if isinstance(stmt, Loop):
            yield from (side for each in stmt.carried for side in (each.init, each.end) if side)


def written_params(program: Program) -> frozenset[str]:
    """Return the parameters whose memory the function may write to."""
    roots = roots_of(program)
    owners = {param.var for param in program.params}
    return frozenset(
        root.slot
        for stmt in statements(program.body)
        if isinstance(stmt, Update)
        for root in own_memory(roots.get(stmt.old, NOTHING))
        if root in owners and isinstance(root, Var)
    )


__all__ = [
    "Conflict",
    "Old",
    "blocks",
    "conflicts",
    "origin",
    "roots_of",
    "walk_live",
    "written_params",
]
