"""A value that is computed only to be renamed has its name at once.

t_bar = 0.5 * y_bar
x_bar = t_bar                ->      x_bar = 0.5 * y_bar
z_bar = -t_bar                       z_bar = -x_bar
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.legacy.blocks import all_defines, all_reads, map_blocks, pinned, renamed
from s2sad.legacy.program import Assign, Block, If, Loop, Program, Stmt, Var, is_temp
from s2sad.legacy.traverse import substitute

WINDOW = 40


def adopted(program: Program) -> Program:
    """Return the program in which a value computed only to be renamed has its name at once."""
    new: dict[Var, Var] = {}
    body = _adopt_block(program.body, new, pinned(program.body))
    if not new:
        return program

    def last(var: Var) -> Var:
        while var in new:
            var = new[var]
        return var

    body = renamed(body, last)
    result = substitute(program.result, last)
    return replace(program, body=body, result=result)


def _adopt_block(block: Block, new: dict[Var, Var], pinned: frozenset[Var]) -> Block:
    out: list[Stmt] = [map_blocks(stmt, lambda b: _adopt_block(b, new, pinned)) for stmt in block]
    copies = {place: pair for place, stmt in enumerate(out) if (pair := _copy(stmt))}
    # the last one first; of several names the one that it is called after before all others
    for place in sorted(copies, key=lambda at: (not _is_called_after(*copies[at]), -at)):
        source, target = copies[place]
        if source in pinned or source in new:
            continue
        start = _definition(out, place, source)
        if start is None or not _name_is_idle(out, start, place, target.slot):
            continue
        if _later_uses_fit(out, place, source, target.slot):
            new[source] = target
            stmt = out[place]
            assert isinstance(stmt, Assign)
            out[place] = replace(stmt, value=target)
    return tuple(stmt for stmt in out if not _copies_itself(stmt))


def _copy(stmt: Stmt) -> tuple[Var, Var] | None:
    """Return a temporary of a derivative and the name that a statement gives it, if it does."""
    match stmt:
        case Assign((target,), Var() as source, unpack=False):
            if _derivative_temp(source) and "~" in target.slot:
                return source, target
    return None


def _is_called_after(source: Var, target: Var) -> bool:
    """Tell whether a temporary is called after a name: E_term_bar after E_bar."""
    name, _, rest = source.slot.partition("%")
    return target.slot == name + rest.lstrip("0123456789")


def _derivative_temp(var: Var) -> bool:
    return ("~bar" in var.slot or "~dot" in var.slot) and is_temp(var.slot)


def _copies_itself(stmt: Stmt) -> bool:
    return isinstance(stmt, Assign) and not stmt.unpack and stmt.value == stmt.target


def _definition(out: list[Stmt], before: int, var: Var) -> int | None:
    for position in range(before - 1, max(-1, before - WINDOW), -1):
        stmt = out[position]
        if isinstance(stmt, Assign) and var in stmt.targets:
            return position
        if var in all_defines(stmt):
            return None
    return None


def _name_is_idle(out: list[Stmt], start: int, stop: int, slot: str) -> bool:
    # the defining statement itself may still read the old value
    if any(var.slot == slot for var in all_defines(out[start])):
        return False
    return not any(
        var.slot == slot
        for stmt in out[start + 1 : stop]
        for var in (*all_reads(stmt), *all_defines(stmt))
    )


def _later_uses_fit(out: list[Stmt], position: int, source: Var, slot: str) -> bool:
    changed = False
    for stmt in out[position + 1 :]:
        uses = source in set(all_reads(stmt))
        defines_slot = any(var.slot == slot for var in all_defines(stmt))
        if uses and (changed or (defines_slot and isinstance(stmt, If | Loop))):
            return False
        changed = changed or defines_slot
    return True
