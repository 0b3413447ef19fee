"""The invariants of a finished Program, checked on every path.

At every read the slot holds the version that is meant; what is written in place is nobody
else's; every Restore mirrors one Save.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from s2sad.legacy.conflicts import conflicts
from s2sad.legacy.homes import order_made
from s2sad.legacy.memory import NOTHING, UNCHANGING, Known, own_memory, unknown, writes_of
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Expr,
    If,
    Loop,
    NewStore,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.storage import roots_of
from s2sad.legacy.together import pairs_of
from s2sad.legacy.traverse import (
    blocks,
    defines,
    expressions,
    flat_targets,
    may_leave,
    reads,
    statements,
    value_reads,
    walk,
)


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """What a slot holds after the branch `key`: it depends on the side that was taken.

    The reverse sweep takes the same side again, and there it is known. `merged` is the value
    that stands for either, where there is one. Made by `Checked.split` only, once for each
    content: two are equal where they are the same object.
    """

    key: int
    then: Holder
    orelse: Holder
    merged: Var | None = None


Holder = Var | Split | None
# functions that make an adjoint where the user's own statement may not have run
OF_THE_SHAPE = frozenset({Ref("np.zeros_like", np.zeros_like), Ref("_zeros_of", "printed")})
# slot -> the value it holds, None where that is not known
Held = dict[str, Holder]


@dataclass
class Checked:
    """The complaints of one check: `lost` values were read when no longer there."""

    lost: list[Var] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    # values that the derivative reads of its own accord where some path leaves them unbound
    unbound: list[Var] = field(default_factory=list)
    # what a loop hands on that has no value before the first pass
    late: set[Var] = field(default_factory=set)
    # a value written in place, and a copy, have the shape of what they come from
    shaped_as: dict[Var, Var] = field(default_factory=dict)
    # what one check has made: shared parts of a chain of branches are visited once
    splits: dict[tuple[int, Holder, Holder, Var | None], Split] = field(default_factory=dict)
    sides: dict[tuple[Split, int, bool], Holder] = field(default_factory=dict)
    maybe: dict[Split, bool] = field(default_factory=dict)
    shaped: dict[tuple[Split, Var], bool] = field(default_factory=dict)
    # the branches that decide somewhere in a Split, as bits
    decided: dict[Split, int] = field(default_factory=dict)

    def split(self, key: int, then: Holder, orelse: Holder, merged: Var | None = None) -> Split:
        """Return the one Split of this content."""
        content = key, then, orelse, merged
        if content not in self.splits:
            made = self.splits[content] = Split(*content)
            below = self.decided.get(then, 0) | self.decided.get(orelse, 0)  # type: ignore[arg-type]
            self.decided[made] = below | (1 << key if key >= 0 else 0)
        return self.splits[content]

    def read(self, expr: Expr, held: Held, where: str) -> None:
        """Check every value that an expression reads; of a shape, that the shape is right."""
        contents = set(value_reads(expr))
        for var in reads(expr):
            if var in contents or not self.has_shape(held.get(var.slot), var):
                self.value(var, held, where)

    def has_shape(self, holder: Holder | None, var: Var) -> bool:
        """Tell whether what a slot holds has the shape of `var`, whichever value it is."""
        if not isinstance(holder, Split):
            return holder is not None and self.shape(holder) == self.shape(var)
        asked = holder, self.shape(var)
        if asked not in self.shaped:
            sides = holder.then, holder.orelse
            one = holder.merged is not None and self.shape(holder.merged) == self.shape(var)
            self.shaped[asked] = one or all(self.has_shape(side, var) for side in sides)
        return self.shaped[asked]

    def shape(self, var: Var) -> Var:
        """Return the first value that is known to have the shape of `var`."""
        while var in self.shaped_as:
            var = self.shaped_as[var]
        return var

    def note_shape(self, stmt: Stmt) -> None:
        """Note which values have one shape because of what a statement does."""
        match stmt:
            case Update(new, old, index) if index is not None:
                self.shaped_as[new] = old
            case Assign((target,), Var() as source) if target != source:
                self.shaped_as[target] = source
            case Assign((target,)) if (copied := _copied_by(stmt)) is not None:
                self.shaped_as[target] = copied
            case Loop(carried=carried):
                for each in carried:
                    if each.init is not None and _only_elements(stmt, each.head.slot):
                        self.shaped_as[each.head] = self.shaped_as[each.exit] = each.init

    def need(self, var: Var, held: Held) -> None:
        """Note a value that may not be there when a statement of the derivative's own reads it."""
        if held.get(var.slot) is not None and self.may_be_unbound(held.get(var.slot)):
            self.unbound.append(var)

    def may_be_unbound(self, holder: Holder | None) -> bool:
        """Tell whether a slot may hold nothing at all."""
        if not isinstance(holder, Split):
            return holder is None or holder in self.late
        if holder not in self.maybe:
            sides = (holder.then, holder.orelse)
            self.maybe[holder] = any(self.may_be_unbound(side) for side in sides)
        return self.maybe[holder]

    def value(self, var: Var, held: Held, where: str) -> None:
        """Check that a slot holds the version that is meant."""
        found = held.get(var.slot)
        if not _is(found, var):
            self.lost.append(var)
            self.problems.append(f"{where}: {var.slot} holds {held.get(var.slot)}, not {var}")


def _is(holder: Holder, var: Var) -> bool:
    if isinstance(holder, Split):
        return holder.merged == var or (holder.key == -1 and _is(holder.then, var))
    return holder == var


def verify(program: Program, fact: Known = unknown) -> Checked:
    """Check a Program; an empty list of problems means that it is consistent."""
    checked = _read_through(program)
    _ownership(program, fact, checked)
    _stores(program, checked)
    return checked


def stale_reads(program: Program) -> list[Var]:
    """Return the values that a primal reads when their slot holds another: two adjoints in one."""
    return _read_through(program).lost


def _read_through(program: Program) -> Checked:
    """Check at every read, on every path, that the slot holds the version that is meant."""
    checked = Checked()
    held: Held = {param.var.slot: param.var for param in program.params}
    _block(program.body, held, checked)
    checked.read(program.result, held, "result")
    return checked


def _block(block: Block, held: Held, checked: Checked) -> None:
    for stmt in block:
        where = f"line {stmt.span.line}"
        if isinstance(stmt, If):
            checked.read(stmt.test, held, where)
            _branch(stmt, held, checked, where)
        elif isinstance(stmt, Loop):
            _loop(stmt, held, checked, where)
        else:
            for expr in expressions(stmt):
                checked.read(expr, held, where)
            for var in _own_reads(stmt):
                checked.need(var, held)
            checked.note_shape(stmt)
            for var in defines(stmt):
                held[var.slot] = var


def _own_reads(stmt: Stmt) -> Iterator[Var]:
    """Yield what a statement reads that mirrors none of the user's: it may run where none did."""
    match stmt:
        case Save(_, value):
            yield from reads(value)
        case Assign((target,), value) if "~old" in target.slot or _starts_backwards(target):
            yield from reads(value)
        case Assign((target,), Var() as field_) if "$" in target.slot and "$" in field_.slot:
            yield field_  # handed on with the rest of a record that may not be there
        case Assign(value=Call(Ref(_, loop), args)) if getattr(loop, "outline", None) is not None:
            yield from (arg for arg in args if isinstance(arg, Var))  # a pass may not come to it
        case Assign(_, value) | Update(value=value):
            for part in walk(value):
                if isinstance(part, Call) and part.func in OF_THE_SHAPE:
                    yield from (arg for arg in part.args[:1] if isinstance(arg, Var))


def _starts_backwards(var: Var) -> bool:
    return "~back" in var.slot and var.slot.endswith("on")


def _branch(stmt: If, held: Held, checked: Checked, where: str) -> None:
    then = {slot: _on_side(holder, stmt.key, True, checked) for slot, holder in held.items()}
    orelse = {slot: _on_side(holder, stmt.key, False, checked) for slot, holder in held.items()}
    before = dict(then), dict(orelse)
    _block(stmt.then, then, checked)
    _block(stmt.orelse, orelse, checked)
    merged = {merge.out.slot: merge for merge in stmt.merges}
    for slot in {*then, *orelse}:
        merge = merged.get(slot)
        a, b = then.get(slot), orelse.get(slot)
        if merge is None:
            if (before[0].get(slot), before[1].get(slot)) != (a, b):
                held[slot] = a if a == b else checked.split(stmt.key, a, b)
            continue
        for side, has in ((merge.then, then), (merge.orelse, orelse)):
            if side is not None:
                checked.value(side, has, where + " merge")
        held[slot] = checked.split(stmt.key, a, b, merge.out)


def _on_side(holder: Holder, key: int, taken: bool, checked: Checked) -> Holder:
    """Return what a slot holds on one side of the branch `key`, taken once before."""
    if not isinstance(holder, Split) or not checked.decided[holder] >> key & 1:
        return holder
    asked = holder, key, taken
    if asked not in checked.sides:
        checked.sides[asked] = _split_on_side(holder, key, taken, checked)
    return checked.sides[asked]


def _split_on_side(holder: Split, key: int, taken: bool, checked: Checked) -> Holder:
    if holder.key != key:
        then = _on_side(holder.then, key, taken, checked)
        orelse = _on_side(holder.orelse, key, taken, checked)
        return checked.split(holder.key, then, orelse, holder.merged)
    side = holder.then if taken else holder.orelse
    # here the merged value and the side's own are one
    return side if holder.merged is None else checked.split(-1, side, side, holder.merged)


def _loop(loop: Loop, held: Held, checked: Checked, where: str) -> None:
    if loop.iterable is not None:
        checked.read(loop.iterable, held, where)
    changed = {var.slot for var in _made(loop)}
    carried = {each.head.slot: each for each in loop.carried}
    for each in loop.carried:
        if each.init is not None:
            checked.value(each.init, held, where + " init")
        if checked.may_be_unbound(held.get(each.head.slot)):
            checked.late.update((each.head, each.exit))
    checked.note_shape(loop)
    for slot in changed:
        held[slot] = carried[slot].head if slot in carried else None
    inside = dict(held)
    if loop.test is not None:
        checked.read(loop.test, inside, where)
    for target in flat_targets(loop.targets):
        inside[target.slot] = target
    _block(loop.body, inside, checked)
    for each in loop.carried:
        checked.value(each.end, inside, where + " end")
        held[each.exit.slot] = each.exit


def _made(loop: Loop) -> list[Var]:
    found = [*flat_targets(loop.targets), *(each.head for each in loop.carried)]
    for stmt in statements(loop.body):
        found += defines(stmt)
        if isinstance(stmt, Loop):
            found += [*flat_targets(stmt.targets), *(each.head for each in stmt.carried)]
    return found


def _copied_by(stmt: Stmt) -> Var | None:
    """Return the value that a statement makes a copy of."""
    match stmt:
        case Assign((_,), Call(Attr(Var() as source, "copy"), ())):
            return source
        case Assign((_,), Call(Ref("np.copy"), (Var() as source,))):
            return source
    return None


def _only_elements(loop: Loop, slot: str) -> bool:
    """Tell whether a loop changes no more of what a slot holds than elements."""
    plain = (stmt for stmt in statements(loop.body) if not isinstance(stmt, If | Loop))
    changing = (stmt for stmt in plain if any(var.slot == slot for var in defines(stmt)))
    return all(_keeps_shape(stmt, slot) for stmt in changing)


def _keeps_shape(stmt: Stmt, slot: str) -> bool:
    """Tell whether a statement writes to elements of what a slot holds, or copies that."""
    if isinstance(stmt, Update):
        return stmt.index is not None
    source = _copied_by(stmt)
    return source is not None and source.slot == slot


# ---------------------------------------------------------------- memory and stores


def _ownership(program: Program, fact: Known, checked: Checked) -> None:
    roots = roots_of(program, fact)
    params = {param.var for param in program.params if not param.owned}
    for stmt in statements(program.body):
        for write in writes_of(stmt):
            if fact(write.old).kind in UNCHANGING:
                continue
            if own_memory(roots.get(write.old, NOTHING)) & params:
                checked.problems.append(f"line {stmt.span.line}: an argument is written to")
    made = order_made(program)
    for conflict in conflicts(program, roots, pairs_of(program, fact).may_share):
        write, other = conflict.update, conflict.other
        if made.get(other, -1) < made[write.new]:
            checked.problems.append(f"line {write.span.line}: writing {write.old} changes {other}")


def _stores(program: Program, checked: Checked) -> None:
    count: Counter[tuple[type[Stmt], str]] = Counter()
    for stmt in statements(program.body):
        if isinstance(stmt, Save | Restore | NewStore):
            count[type(stmt), stmt.store] += 1
    for store in dict.fromkeys(store for _, store in count):
        made, restored = count[NewStore, store], count[Restore, store]
        if (made, restored) != (1, 1) or not _saved_once(program.body, store):
            checked.problems.append(
                f"{store}: made {made}, restored {restored} times, or not saved"
            )


def _saved_once(block: Block, store: str) -> bool:
    """Tell whether the block that saves puts one value on a store on every way through it."""
    inner = [each for stmt in block for each in blocks(stmt) if _saves(each, store)]
    holding = [stmt for stmt in block if any(_saves(each, store) for each in blocks(stmt))]
    if len(inner) == 1 and _saved_once(inner[0], store):
        return True
    return len(holding) <= 1 and set(_counts(block, store)) == {1}


def _saves(block: Block, store: str) -> bool:
    return any(isinstance(stmt, Save) and stmt.store == store for stmt in statements(block))


def _counts(block: Block, store: str, so_far: int = 0) -> Iterator[int]:
    """Yield how often each way through a block, to its end or to a break, saves on a store."""
    for number, stmt in enumerate(block):
        if isinstance(stmt, Save):
            so_far += stmt.store == store
        elif isinstance(stmt, If) and (may_leave((stmt,)) or _saves((stmt,), store)):
            for way in (stmt.then, stmt.orelse):
                over = bool(way) and isinstance(way[-1], Break)
                rest = () if over else block[number + 1 :]
                yield from _counts((*way, *rest), store, so_far)
            return
        elif isinstance(stmt, Loop) and _saves((stmt,), store):
            yield 2  # as often as it runs
    yield so_far
