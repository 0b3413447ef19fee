"""Every primal value that the reverse sweep reads is decided upon: how it is had again there.

    free        it is still there, under its own name
    kept        its name is used again (or its memory written): a second name keeps it
    given       a loop's target, which the reversed loop binds as well
    recomputed  cheap to compute again from values that are had anyway
    handed on   the end of a pass, which the pass after it (run before it) had at its head
    saved       put on a list in each pass, taken back in reverse

The latest definition is decided first, so that a cheap value comes before what it is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from s2sad.legacy.alike import alike
from s2sad.legacy.aside import needs_copy
from s2sad.legacy.cheap import is_cheap
from s2sad.legacy.elements import elements_saved
from s2sad.legacy.facts import Fact
from s2sad.legacy.flags import packed_of
from s2sad.legacy.homes import (
    Home,
    Path,
    homes,
    in_other_branch,
    length_writes,
    memory_writes,
    plain,
    shape_writes,
    slot_writes,
)
from s2sad.legacy.lasting import lasting
from s2sad.legacy.memory import NOTHING, Root, Roots
from s2sad.legacy.program import (
    Assign,
    Block,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.tidy import is_pure
from s2sad.legacy.traverse import expressions, reads, statements, value_reads

ALIKE = "alike"  # until the first of such values is decided upon


@dataclass(frozen=True, slots=True)
class Decision:
    """How one value is had again: `how`, under the value `var`, and why in words."""

    how: str
    var: Var
    why: str = ""


@dataclass
class Plan:
    """The decisions while they are made."""

    program: Program
    fact: Callable[[Var], Fact]
    roots: Roots
    homes: dict[Var, Home]
    slot_writes: dict[str, list[tuple[int, Path]]]
    shape_writes: dict[str, list[tuple[int, Path]]]
    memory_writes: Mapping[object, list[int]]
    length_writes: dict[Root, list[int]]
    sweep: Block = ()
    needed: set[Var] = field(default_factory=set)
    shapes: set[Var] = field(default_factory=set)  # of what is needed: only the shape is read
    decisions: dict[Var, Decision] = field(default_factory=dict)
    # arrays of which elements are read: the value that still has these at the end
    parts: dict[Var, Var | None] = field(default_factory=dict)
    # what stands in for the end of a pass: all of it is read
    whole: set[Var] = field(default_factory=set)
    forced: frozenset[Var] = frozenset()
    save_everything: bool = False
    # elements that are saved instead of the arrays they are read from
    elements: frozenset[Var] = frozenset()
    # values that are computed as an earlier one is, which stands for them
    alike: Mapping[Var, Var] = field(default_factory=dict)
    # of what is saved: tests, a byte each
    packed: Mapping[Var, str] = field(default_factory=dict)


def decide(
    program: Program,
    sweep: Block,
    result: Expr,
    fact: Callable[[Var], Fact],
    roots: Roots,
    forced: frozenset[Var] = frozenset(),
    save_everything: bool = False,
) -> Plan:
    """Return how each value of `program` that `sweep` or `result` reads is had again.

    Values in `forced` are kept or saved even where they seem to be there still.
    """
    places = homes(program)
    plan = Plan(
        program,
        fact,
        roots,
        places,
        slot_writes(program),
        shape_writes(program, roots),
        memory_writes(program, roots),
        length_writes(program, roots),
        sweep,
        forced=forced,
        save_everything=save_everything,
        alike={} if save_everything else alike(places, fact),
    )
    _decide_all(plan, result)
    elements = elements_saved(plan, result)
    if elements and not save_everything:
        plan = replace(plan, elements=elements, **_undecided())
        _decide_all(plan, result)
    plan.packed = packed_of(plan, sweep, result)
    return plan


def _undecided() -> dict[str, Any]:
    return {"needed": set(), "shapes": set(), "decisions": {}, "whole": set()}


def _decide_all(plan: Plan, result: Expr) -> None:
    """Decide upon every value that is needed, and upon what that takes, latest first."""
    plan.needed |= set(reads(result)) & plan.homes.keys()
    _collect(plan, plan.sweep)
    pending = set(plan.needed)
    while pending:
        var = max(pending, key=lambda v: plan.homes[v].order)
        pending.discard(var)
        known = set(plan.needed)
        plan.decisions[var] = _decision(plan, var)
        pending |= plan.needed - known
    for var, decision in plan.decisions.items():
        if decision.how == ALIKE:
            first = plan.decisions[plan.alike[var]]
            plan.decisions[var] = replace(decision, how="free", var=first.var)


# ---------------------------------------------------------------- what is needed


def _collect(plan: Plan, sweep: Block) -> None:
    """Note every primal value whose contents, or whose shape alone, the sweep reads."""
    shapes: dict[Var, None] = {}
    for stmt in statements(sweep):
        for expr in expressions(stmt):
            plan.needed |= set(value_reads(expr)) & plan.homes.keys()
            shapes.update(dict.fromkeys(_shapes_read(expr)))
    _need_shapes(plan, shapes)


def _shapes_read(expr: Expr) -> Iterator[Var]:
    """Yield the values of which an expression reads the shape and nothing else."""
    contents = set(value_reads(expr))
    return (var for var in reads(expr) if var not in contents)


def _need_shapes(plan: Plan, shapes: Iterable[Var]) -> None:
    """Note values whose shape is read: another of that shape will do."""
    for var in shapes:
        if var in plan.homes and var not in plan.needed:
            other = _same_shape(plan, var)
            if other is None:
                plan.needed.add(var)
                plan.shapes.add(var)
            elif other != var:
                plan.decisions[var] = Decision("free", other, "only its shape is read")


def _same_shape(plan: Plan, var: Var) -> Var | None:
    """Return a value of the same shape that is still there, `var` itself if possible."""
    if _shape_lasts(plan, var) and not plan.homes[var].loops:
        return var
    wanted = plan.fact(var)
    for other in plan.homes:
        if other.slot == var.slot or plan.homes[other].kind == "param":
            if not plan.homes[other].path and _name_lasts(plan, other):
                if _interchangeable(plan.fact(other), wanted):
                    return other
    return None


def _interchangeable(a: Fact, b: Fact) -> bool:
    from s2sad.legacy.facts import same_shape

    return a.kind == b.kind == "array" and a.dtype == b.dtype and same_shape(a, b)


# ---------------------------------------------------------------- what is still there


def _name_lasts(plan: Plan, var: Var) -> bool:
    """Tell whether the name of a value holds it (or its merge) until the end."""
    return _lasts(plan.homes[var], plan.slot_writes.get(var.slot, ()))


def _shape_lasts(plan: Plan, var: Var) -> bool:
    """Tell whether what the name of a value holds keeps its shape until the end."""
    if not _lasts(plan.homes[var], plan.shape_writes.get(var.slot, ())):
        return False
    # a list grows under other names, too: bins[0].append(x) where this name holds bins[0]
    return plan.fact(var).is_array or not _written_since(plan, var, plan.length_writes)


def _lasts(home: Home, writes: Iterable[tuple[int, Path]]) -> bool:
    return not any(
        order > home.order and not in_other_branch(home.path, path) for order, path in writes
    )


def _memory_lasts(plan: Plan, var: Var) -> bool:
    return not _written_since(plan, var, plan.memory_writes)


def _written_since(plan: Plan, var: Var, writes: Mapping[Root, list[int]]) -> bool:
    order = plan.homes[var].order
    roots = plan.roots.get(var, NOTHING)
    return any(write > order for root in roots for write in writes.get(plain(root), ()))


def is_free(plan: Plan, var: Var) -> bool:
    """Tell whether a value made outside all loops is still there after the forward sweep."""
    if var in plan.forced or plan.homes[var].loops:
        return False
    return _name_lasts(plan, var) and _memory_lasts(plan, var)


# ---------------------------------------------------------------- decisions


def _decision(plan: Plan, var: Var) -> Decision:
    home = plan.homes[var]
    if home.kind == "target":
        return Decision("given", var, "the reversed loop binds it")
    if not home.loops:
        if is_free(plan, var):
            return Decision("free", var, "still there")
        return Decision("kept", Var(f"{var.slot}~old{var.version}", 1), "used again or written")
    back = Var(f"{var.slot}~back{var.version}", 1)
    if var in plan.elements:
        return _saved(plan, var, back, "an element, not the array")
    if not plan.save_everything and var not in plan.forced:
        last = _lasts_in_part(plan, var)
        if last is not None:
            plan.needed.add(last)
            plan.shapes.discard(last)
            return Decision("free", last, "what is read is not written again")
        extra = _recomputable(plan, var, 0)
        if extra is not None:
            plan.needed |= extra
            plan.shapes -= extra
            _need_shapes(plan, _shapes_read(recompute_as(plan, var) or var))
            return Decision("recomputed", back, "cheap")
        after = _handed_on(plan, var)
        if after is not None:
            plan.needed.add(after)
            plan.whole.add(after)
            plan.shapes.discard(after)
            return Decision("handed on", back, "the head of the next pass")
    return _saved(plan, var, back, "computed in a loop")


def _saved(plan: Plan, var: Var, back: Var, why: str) -> Decision:
    """Return that a value is saved, unless one that is computed alike is had anyway."""
    first = plan.alike.get(var)
    if first is None or var in plan.forced | plan.shapes:
        return Decision("saved", back, why)
    plan.needed.add(first)
    plan.shapes.discard(first)
    return Decision(ALIKE, var, "computed before")


def _lasts_in_part(plan: Plan, var: Var) -> Var | None:
    """Return the value that still has, at the end, what is read of an array's elements."""
    if var in plan.whole:
        return None
    if var not in plan.parts:
        written = plan.fact(var).is_array and bool(plan.homes[var].loops) and needs_copy(plan, var)
        last = lasting(plan.program, plan.sweep, plan.roots, plan.homes, var) if written else None
        plan.parts[var] = last if last is not None and is_free(plan, last) else None
    return plan.parts[var]


def _handed_on(plan: Plan, var: Var) -> Var | None:
    """Return the loop's exit value if `var` ends a pass whose head is saved anyway."""
    loop_key = plan.homes[var].path[-1]
    for exit_, home in plan.homes.items():
        if home.kind != "exit" or not isinstance(home.stmt, Loop):
            continue
        for each in home.stmt.carried:
            if each.exit == exit_ and each.end == var and loop_key == ("loop", home.stmt.key):
                if each.head not in plan.needed or plan.parts.get(exit_) is not None:
                    return None
                plan.whole.add(each.head)
                plan.shapes.discard(each.head)  # of the head, what it holds is read as well
                return exit_
    return None


def recompute_as(plan: Plan, var: Var) -> Expr | None:
    """Return the expression that gives a value again, if there is one."""
    return made_by(plan.homes[var].stmt, var, plan.fact)


def made_by(stmt: Stmt | None, var: Var, fact: Callable[[Var], Fact]) -> Expr | None:
    """Return the expression of which a statement makes a value, if it is one."""
    if isinstance(stmt, Assign):
        return _part_of(stmt, var, fact) if stmt.unpack else stmt.value
    if isinstance(stmt, Update) and stmt.index is None and stmt.op != "append":
        return Op(stmt.op, (stmt.old, stmt.value))
    return None


def _part_of(stmt: Assign, var: Var, fact: Callable[[Var], Fact]) -> Expr | None:
    """Return what one of several names stands for, as a part of what was taken apart."""
    place = stmt.targets.index(var)
    match stmt.value:
        case Op("tuple" | "list", args) if len(args) == len(stmt.targets):
            return args[place]
        case Var() as owner if fact(owner).kind in ("array", "list", "tuple"):
            return Op("index", (owner, Const(place)))
        case Op("index", (Var() as owner, _)) if fact(owner).is_array:
            return Op("index", (stmt.value, Const(place)))
    return None


def _recomputable(plan: Plan, var: Var, depth: int) -> frozenset[Var] | None:
    """Return what would have to be had as well to compute `var` again; None if not cheap."""
    home = plan.homes[var]
    value = recompute_as(plan, var) if home.kind == "plain" else None
    if value is None or depth > 20 or var in plan.forced | plan.elements or not is_pure(value):
        return None
    if not is_cheap(value, plan.fact(var)):
        return None
    extra: frozenset[Var] = frozenset()
    shapes = set(_shapes_read(value))
    for operand in dict.fromkeys(reads(value)):
        if operand in shapes and _same_shape(plan, operand) is not None:
            continue
        more = _obtainable(plan, operand, depth)
        if more is None:
            return None
        extra |= more
    saves = [each for each in extra if each not in plan.needed and _would_save(plan, each)]
    return extra if len(saves) <= 1 else None


def _obtainable(plan: Plan, var: Var, depth: int) -> frozenset[Var] | None:
    home = plan.homes.get(var)
    if home is None:
        return None
    if var in plan.needed or home.kind == "target" or is_free(plan, var):
        return frozenset({var})
    if var not in plan.forced and _lasts_in_part(plan, var) is not None:
        return frozenset({var})
    more = _recomputable(plan, var, depth + 1)
    if more is not None:
        return more | {var}
    return frozenset({var}) if home.kind == "head" or var in plan.elements else None


def _would_save(plan: Plan, var: Var) -> bool:
    home = plan.homes[var]
    return bool(home.loops) and (home.kind == "head" or var in plan.elements)


# ---------------------------------------------------------------- for the reader


def table(plan: Plan) -> Iterator[tuple[Var, Decision]]:
    """Yield every value with its decision, in the order of the text."""
    for var in sorted(plan.decisions, key=lambda v: plan.homes[v].order):
        yield var, plan.decisions[var]


__all__ = ["Block", "Decision", "If", "Plan", "Restore", "Save", "decide", "is_free", "table"]
