"""Statements whose results nobody reads disappear, with the branches and loops they leave empty.

What is read is marked from the results backwards, once, whatever the nesting.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from s2sad.legacy.blocks import map_blocks, renamed
from s2sad.legacy.drawn import draws
from s2sad.legacy.origins import METHODS_THAT_COPY
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    NewStore,
    Node,
    Pop,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
    once,
)
from s2sad.legacy.through import VIEWS
from s2sad.legacy.traverse import defines, expressions, flat_targets, reads, substitute, walk
from s2sad.source.optional import PREFIX

# what a value needs: other values, the control around it (by key), or a store
Need = Var | int | str


@dataclass
class Uses:
    """Who needs whom: `needs[x]` must exist for x to exist; `roots` must exist in any case."""

    needs: dict[Need, list[Need]] = field(default_factory=dict)
    roots: list[Need] = field(default_factory=list)
    controls: int = 0

    def add(self, user: Need, *needed: Need) -> None:
        """Note that `user` needs all of `needed`."""
        self.needs.setdefault(user, []).extend(needed)

    def control(self, around: int, *needed: Need) -> int:
        """Return a new piece of control inside the one called `around`."""
        self.controls += 1
        key = self.controls
        self.add(key, around, *needed)
        return key


def without_dead_code(program: Program, extra: Iterable[Var] = ()) -> Program:
    """Return the program without what neither its result, its effects nor `extra` need."""
    program = settled(program)
    uses = Uses()
    uses.roots += [*reads(program.result), *extra]
    _note(program.body, uses, 0, None)
    marked: set[Need] = set()
    pending = list(uses.roots)
    while pending:
        need = pending.pop()
        if need not in marked:
            marked.add(need)
            pending += uses.needs.get(need, ())
    return replace(program, body=_kept(program.body, marked))


# ---------------------------------------------------------------- values that stay


def settled(program: Program) -> Program:
    """Return the program without merges and carried values that change nothing."""
    while True:
        same: dict[Var, Var] = {}
        body = _settled_block(program.body, same)
        if not same:
            return program

        def last(var: Var) -> Var:
            while var in same:  # noqa: B023
                var = same[var]  # noqa: B023
            return var

        result = substitute(program.result, last)
        program = replace(program, body=renamed(body, last), result=result)


def _settled_block(block: Block, same: dict[Var, Var]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = map_blocks(stmt, lambda inner: _settled_block(inner, same))
        if isinstance(stmt, If):
            idle = [m for m in stmt.merges if m.then is not None and m.then == m.orelse]
            same.update((m.out, m.then) for m in idle if m.then is not None)
            stmt = replace(stmt, merges=tuple(m for m in stmt.merges if m not in idle))
        elif isinstance(stmt, Loop):
            unchanged = [c for c in stmt.carried if c.end == c.head and c.init is not None]
            for each in unchanged:
                if each.init is not None:
                    same[each.head] = same[each.exit] = each.init
            stmt = replace(stmt, carried=tuple(c for c in stmt.carried if c not in unchanged))
        out.append(stmt)
    return tuple(out)


# ---------------------------------------------------------------- noting


def _note(block: Block, uses: Uses, around: int, loop: int | None) -> None:
    for stmt in block:
        match stmt:
            case If():
                _note_if(stmt, uses, around, loop)
            case Loop():
                _note_loop(stmt, uses, around)
            case Break():
                # whoever needs the loop needs to know when it ends
                uses.add(loop or 0, around)
            case Save(store, value):
                uses.add(store, around, *reads(value))
            case Restore(target, store):
                uses.add(target, store, around)
                uses.add(store, around)
            case NewStore():
                pass
            case _:
                _note_plain(stmt, uses, around)


def _note_plain(stmt: Stmt, uses: Uses, around: int) -> None:
    needed = [var for expr in expressions(stmt) for var in reads(expr)]
    made: tuple[Var, ...] = ()
    match stmt:
        case Assign(targets):
            made = targets
        case Update(new):
            made = (new,)
        case Pop(target, new):
            made = (target, new)
            uses.add(target, new)
        case Effect():
            made = defines(stmt)
    for var in made:
        uses.add(var, around, *needed)
    if _acts(stmt):
        uses.roots += [around, *needed]


def _acts(stmt: Stmt) -> bool:
    """Tell whether a statement does something beyond giving its targets values."""
    if isinstance(stmt, Assign):
        return not is_pure(stmt.value)
    return isinstance(stmt, Effect)


def _is_pure(call: Call) -> bool:
    # a method that is no array's may change its object: it stays
    match call.func:
        case Attr(Ref(text), name) if text.startswith(PREFIX):
            return name != "rvs"  # a distribution of SciPy's, which draws only when asked to
        case Attr(_, name):
            return name in METHODS_THAT_COPY or name in VIEWS
        case Ref(text):
            return not text.startswith(("np.random.", "random."))
    return True


def _note_if(stmt: If, uses: Uses, around: int, loop: int | None) -> None:
    inner = uses.control(around, *reads(stmt.test))
    _note(stmt.then, uses, inner, loop)
    _note(stmt.orelse, uses, inner, loop)
    for merge in stmt.merges:
        uses.add(merge.out, inner, *(side for side in (merge.then, merge.orelse) if side))


def _note_loop(stmt: Loop, uses: Uses, around: int) -> None:
    needed = [var for expr in expressions(stmt) for var in reads(expr)]
    inner = uses.control(around, *needed)
    for each in stmt.carried:
        sources = [side for side in (each.init, each.end) if side]
        uses.add(each.head, inner, *sources)
        uses.add(each.exit, inner, *sources)
    for target in flat_targets(stmt.targets):
        uses.add(target, inner)
    _note(stmt.body, uses, inner, inner)


# ---------------------------------------------------------------- keeping


def _kept(block: Block, marked: set[Need]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case If():
                then, orelse = _kept(stmt.then, marked), _kept(stmt.orelse, marked)
                merges = tuple(merge for merge in stmt.merges if merge.out in marked)
                if then or orelse or merges:
                    out.append(replace(stmt, then=then, orelse=orelse, merges=merges))
            case Loop():
                body = _kept(stmt.body, marked)
                carried = tuple(c for c in stmt.carried if c.head in marked or c.exit in marked)
                if carried or any(not isinstance(inner, Break) for inner in _flat(body)):
                    out.append(replace(stmt, body=body, carried=carried))
            case Assign(targets):
                if _acts(stmt) or any(target in marked for target in targets):
                    out.append(stmt)
            case Update(new):
                if new in marked:
                    out.append(stmt)
            case Pop(target, new):
                if target in marked or new in marked:
                    out.append(stmt)
            case Save(store) | NewStore(store):
                if store in marked:
                    out.append(stmt)
            case Restore(target, store):
                if target in marked or store in marked:
                    out.append(stmt)
            case _:
                out.append(stmt)
    return tuple(out)


def _flat(block: Block) -> Iterable[Stmt]:
    """Yield the statements that do something, for telling an empty loop."""
    for stmt in block:
        if isinstance(stmt, If):
            yield from _flat(stmt.then)
            yield from _flat(stmt.orelse)
        else:
            yield stmt


def is_pure(expr: Expr) -> bool:
    """Tell whether evaluating `expr` twice, or later, gives the same and changes nothing."""
    return not isinstance(expr, Node) or _is_pure_whole(expr)


@once("kept_pure")
def _is_pure_whole(expr: Expr) -> bool:
    calls = (part for part in walk(expr) if isinstance(part, Call))
    return all(map(_is_pure, calls)) and not draws(expr)
