"""Echoes that have nothing to do are left out: the memory is shared, and holds the value already.

row = A[i]                       row = A[i]
row[:] = 0.0             ->      row[:] = 0.0
A[i] = row
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from s2sad.legacy.blocks import all_reads, map_blocks, renamed
from s2sad.legacy.facts import Fact
from s2sad.legacy.links import (
    Link,
    Links,
    among,
    as_part,
    forgotten,
    linked,
    meet,
    rekeyed,
)
from s2sad.legacy.program import Assign, Block, Expr, If, Loop, Program, Stmt, Update, Var, is_temp
from s2sad.legacy.traverse import defines, flat_targets, makes_a_pass, reads, substitute
from s2sad.legacy.turns import is_turn, turned_back

# ---------------------------------------------------------------- one echo after several writes


def fewer_echoes(program: Program) -> Program:
    """Return the program in which writes to one part are echoed to its owner once, at the end."""
    uses = Counter(reads(program.result))
    for stmt in program.body:
        uses.update(all_reads(stmt))
    same: dict[Var, Var] = {}
    body = _fewer(program.body, uses, same)
    return _renamed(replace(program, body=body), same) if same else program


def _fewer(block: Block, uses: Counter[Var], same: dict[Var, Var]) -> Block:
    block = tuple(map_blocks(stmt, lambda inner: _fewer(inner, uses, same)) for stmt in block)
    echoes = {s.old: s for s in block if isinstance(s, Update) and s.echo}
    out: list[Stmt] = []
    for stmt in block:
        after = echoes.get(stmt.new) if isinstance(stmt, Update) and stmt.echo else None
        if after is not None and uses[after.old] == 1 and _same_part(stmt, after):
            same[after.old] = stmt.old  # type: ignore[union-attr]
        else:
            out.append(stmt)
    return tuple(out)


def _same_part(a: Stmt, b: Update) -> bool:
    if not isinstance(a, Update) or not isinstance(a.value, Var) or not isinstance(b.value, Var):
        return False
    return a.index == b.index and a.value.slot == b.value.slot


def _renamed(program: Program, same: dict[Var, Var]) -> Program:
    def first(var: Var) -> Var:
        while var in same:
            var = same[var]
        return var

    result = substitute(program.result, first)
    return replace(program, body=renamed(program.body, first), result=result)


# ---------------------------------------------------------------- echoes of shared memory


@dataclass
class Memory:
    """What slots hold and share at one place, and the echoes found to have nothing to do."""

    fact: Callable[[Var], Fact]
    held: dict[str, Var] = field(default_factory=dict)
    links: Links = field(default_factory=dict)
    idle: set[Var] = field(default_factory=set)
    echoes: bool = False


def silenced(program: Program, fact: Callable[[Var], Fact]) -> Program:
    """Return a finished program with the echoes marked that have nothing to do."""
    memory = Memory(fact, {param.var.slot: param.var for param in program.params})
    _block(program.body, memory)
    return replace(program, body=_marked(program.body, memory.idle)) if memory.echoes else program


def _marked(block: Block, idle: set[Var]) -> Block:
    def one(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Assign | Update) and stmt.echo:
            return replace(stmt, silent=defines(stmt)[0] in idle)
        return map_blocks(stmt, lambda inner: _marked(inner, idle))

    return tuple(map(one, block))


def without_silent(block: Block) -> Block:
    """Return the statements that are part of the text."""
    return tuple(
        map_blocks(stmt, without_silent)
        for stmt in block
        if not (isinstance(stmt, Assign | Update) and stmt.silent)
    )


def _block(block: Block, memory: Memory) -> None:
    for stmt in block:
        if isinstance(stmt, If):
            _branch(stmt, memory)
        elif isinstance(stmt, Loop):
            _loop(stmt, memory)
        elif isinstance(stmt, Assign | Update) and stmt.echo:
            memory.echoes = True
            if _says_nothing(stmt, memory):
                memory.idle.add(defines(stmt)[0])
                _still(stmt, memory)
            else:
                _plain(stmt, memory)
        else:
            _plain(stmt, memory)


def _says_nothing(stmt: Assign | Update, memory: Memory) -> bool:
    new = defines(stmt)[0]
    if new.slot not in memory.held:
        return False
    if isinstance(stmt, Update):
        value = stmt.value
        return isinstance(value, Var) and _is_part(value.slot, new.slot, stmt.index, memory)
    match stmt.value:
        case Var(slot):
            return _is_part(new.slot, slot, None, memory) or _is_part(slot, new.slot, None, memory)
    found = as_part(stmt.value)
    if found is None:
        return False
    owner, key = found
    return _is_way_back(stmt.value, owner, new, memory) or _is_part(
        new.slot, owner.slot, key, memory
    )


def _is_way_back(value: Expr, owner: Var, new: Var, memory: Memory) -> bool:
    """Tell whether `C = D.T` says what was written to D, which is C.T."""
    link = memory.links.get(owner.slot)
    if link is None or link.base != new.slot or link.key is None or not is_turn(link.key):
        return False
    return turned_back(owner, memory.held[new.slot], link.key) == value


def _is_part(slot: str, base: str, key: Expr | None, memory: Memory) -> bool:
    return memory.links.get(slot) == Link(base, key)


def _still(stmt: Stmt, memory: Memory) -> None:
    """Note new values of slots that hold the objects they held."""
    for var in defines(stmt):
        memory.links = rekeyed(memory.links, var.slot)
        memory.held[var.slot] = var


def _plain(stmt: Stmt, memory: Memory) -> None:
    if not (isinstance(stmt, Update) and _in_place(stmt, memory)):
        for var in defines(stmt):
            memory.links = forgotten(memory.links, var.slot)
    _still(stmt, memory)
    if isinstance(stmt, Assign) and not stmt.unpack:
        _bound(stmt.target, stmt.value, memory)


def _in_place(stmt: Update, memory: Memory) -> bool:
    return stmt.index is not None or memory.fact(stmt.old).is_array or stmt.op == "append"


def _bound(target: Var, value: Expr, memory: Memory) -> None:
    found = as_part(value)
    if isinstance(value, Var):
        passed = memory.links.get(value.slot) if is_temp(value.slot) else None
        source = Link(value.slot) if passed is None else passed
        memory.links = linked(memory.links, target.slot, source.base, source.key)
    elif found is not None:
        owner, key = found
        # an item of a list is bound to its place only until the list is written
        if memory.fact(owner).is_array and memory.fact(target).is_array:
            memory.links = linked(memory.links, target.slot, owner.slot, key)


def _branch(stmt: If, memory: Memory) -> None:
    held, links = dict(memory.held), memory.links
    after = []
    for side in (stmt.then, stmt.orelse):
        memory.held, memory.links = dict(held), links
        _block(side, memory)
        after.append((memory.held, memory.links))
    (then, a), (orelse, b) = after
    memory.links = meet(a, b)
    memory.held = {slot: var for slot, var in then.items() if orelse.get(slot) == var}
    for merge in stmt.merges:
        memory.links = rekeyed(memory.links, merge.out.slot)
        memory.held[merge.out.slot] = merge.out


def _loop(loop: Loop, memory: Memory) -> None:
    before, found = dict(memory.held), set(memory.idle)
    while True:
        memory.held, memory.idle = dict(before), set(found)
        _enter(loop, memory)
        links = memory.links
        _block(loop.body, memory)
        left, memory.links = memory.links, meet(links, memory.links)
        if memory.links == links:
            break
    if makes_a_pass(loop.iterable):
        memory.links = left
    memory.held = {slot: var for slot, var in before.items() if memory.held.get(slot) == var}
    for each in loop.carried:
        memory.links = rekeyed(memory.links, each.exit.slot)
        memory.held[each.exit.slot] = each.exit
    memory.links = among(memory.links, memory.held)


def _enter(loop: Loop, memory: Memory) -> None:
    for each in loop.carried:
        memory.links = rekeyed(memory.links, each.head.slot)
        memory.held[each.head.slot] = each.head
    for target in flat_targets(loop.targets):
        memory.links = rekeyed(forgotten(memory.links, target.slot), target.slot)
        memory.held[target.slot] = target
