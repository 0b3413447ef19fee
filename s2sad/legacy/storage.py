"""Which memory each value of a program may live in.

    b@1 = a@0            roots(b@1) = {a@0}
    c@1 = b@1 + 1.0      roots(c@1) = {c@1}

What a list holds is not its own memory: writing to the list does not write to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from s2sad.legacy.blocks import own_reads
from s2sad.legacy.calls import is_apart, is_mixed
from s2sad.legacy.facts import UNKNOWN, Fact
from s2sad.legacy.memory import (
    HOLDERS,
    NOTHING,
    READ_ONLY,
    REARRANGED,
    Inside,
    Known,
    Old,
    Part,
    Root,
    Roots,
    changed_by,
    held_inside,
    is_filled,
    items_of,
    keeps,
    own_memory,
    spread,
    unknown,
)
from s2sad.legacy.origins import DISPLAYS, SCALAR_FUNCTIONS, origin, shared_by_parts
from s2sad.legacy.program import (
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
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import (
    defines,
    flat_targets,
    is_nested,
    is_path,
    makes_a_pass,
    reads,
    statements,
)

ARRAYS = ("array", "unknown")
# what makes a number, and no array without axes, of an array
SUMS = frozenset("sum prod mean max min dot vdot inner interp trace item".split())


def roots_of(program: Program, fact: Known = unknown) -> Roots:
    """Return the memory each value may live in; numbers have none."""
    fact = _with_copies(program, fact)
    roots = Roots({param.var: frozenset({param.var}) for param in program.params})
    roots.fact = fact
    for var in roots:
        if fact(var).is_scalar and not is_given(var):
            roots[var] = NOTHING
        elif fact(var).kind in HOLDERS:
            roots[var] |= {Inside(Part(var))}
    _Sweeps(roots).block(program.body)
    return roots


def _with_copies(program: Program, fact: Known) -> Known:
    """Return what is known of values, and that a copy which the derivative makes is an array, too."""
    copied: dict[Var, Var] = {}
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Call(Attr(Var() as whole, "copy"), ())):
                if fact(target) == UNKNOWN and fact(whole).is_array:
                    copied[target] = whole
    return (lambda var: fact(copied.get(var, var))) if copied else fact


def _has_no_axes(root: Root, fact: Known) -> bool:
    if not isinstance(root, Var):
        return False
    if is_given(root) and not fact(root).is_array:
        return True
    return fact(root).is_array and fact(root).rank == 0


def is_given(param: Var) -> bool:
    """Tell whether a parameter is a tangent or a seed: that of a number may have been np.array(1.0)."""
    return param.version == 0 and ("~dot" in param.slot or param.slot.startswith("seed&"))


def _is_number(value: Expr) -> bool:
    """Tell whether what is computed of numbers is one: np.where and others make an array of them."""
    match value:
        case Op("if", (_, a, b)):
            return _is_number(a) and _is_number(b)
        case Call(Ref(text, function)):
            made = isinstance(function, np.ufunc) or text in SCALAR_FUNCTIONS
            return made or text.startswith("math.") or text.removeprefix("np.") in SUMS
        case Call(Attr(_, name)):
            return name in SUMS
    return True


def _is_element(value: Expr) -> bool:
    """Tell whether a number is taken out of an array: it has no memory, then."""
    return isinstance(value, Op) and value.op == "index"


class _Sweeps:
    """Goes through statements until what each of them reads has not changed since."""

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.settled: set[int] = set()
        # the statements that read a value, and those in which they stand
        self.readers: dict[Var, list[tuple[int, ...]]] = {}
        # what the body of each loop makes
        self.made: dict[int, frozenset[Var]] = {}
        # adjoints and tangents of numbers that were made as arrays without axes
        self.without_axes: set[Var] = set()

    def block(self, block: Block, around: tuple[int, ...] = ()) -> None:
        """Go through each statement until it is settled."""
        for stmt in block:
            key = id(stmt)
            if key in self.settled:
                continue
            within = (key, *around)
            if key not in self.made:
                self._meet(stmt, within)
            while key not in self.settled:
                self.settled.add(key)
                self._statement(stmt, within)

    def _meet(self, stmt: Stmt, within: tuple[int, ...]) -> None:
        made = defined_in(stmt.body) if isinstance(stmt, Loop) else ()
        self.made[id(stmt)] = frozenset(made)
        stores = (Var(stmt.store, 0),) if isinstance(stmt, Save | Restore) else ()
        # a loop hands on what its earlier passes have put aside
        for var in {*own_reads(stmt), *(_stores(stmt) if isinstance(stmt, Loop) else stores)}:
            self.readers.setdefault(var, []).append(within)

    def add(self, var: Var | None, more: frozenset[Root]) -> None:
        """Note more memory that a value may live in."""
        roots, fact = self.roots, self.roots.fact
        if var is None:
            return
        known = fact(var)
        if known.is_scalar and not is_given(var):
            # a tangent or an adjoint of a number may be an array without axes: 1.0 * x_dot is x_dot
            closed = {READ_ONLY} if "~" in var.slot else ()
            more = frozenset(
                r for r in more if r in self.without_axes or r in closed or _has_no_axes(r, fact)
            )
            if not more:
                return
        if known.kind in HOLDERS:
            more = own_memory(more) if _holds_numbers(var, known) else _of_holder(var, more, fact)
        held = roots.get(var)
        if held is None or not more <= held:
            roots[var] = more if held is None else held | more
            self.settled.difference_update(*self.readers.get(var, ()))

    def _statement(self, stmt: Stmt, within: tuple[int, ...]) -> None:
        roots, fact = self.roots, self.roots.fact
        match stmt:
            case Assign(targets, value):
                for target, made in zip(targets, _origins(stmt, roots), strict=True):
                    if "~" in target.slot and not (_is_number(value) or fact(target).rank):
                        self.without_axes.add(target)
                    if fact(target).is_scalar and _is_element(value):
                        made -= {READ_ONLY}
                    self.add(target, made | self._handed_through(value, target))
            case Update(new, old, index, op, value):
                number = is_path(index) and "~" not in new.slot
                kept = keeps(op, fact(old)) and not number
                held = origin(value, new, roots) if kept else NOTHING
                mine = NOTHING if _is_held(stmt, roots) else frozenset({new})
                self.add(new, roots.get(old, NOTHING) | held_inside(held) | mine)
            case Pop(target, new, old):
                self.add(target, items_of(old, roots))
                self.add(new, roots.get(old, NOTHING))
            case Effect(Opaque() as copied):
                self._copied(stmt, copied)
            case Save(store, value):
                self.add(Var(store, 0), origin(value, Var(store, 0), roots))
            case Restore(target, store):
                self.add(target, roots.get(Var(store, 0), NOTHING))
            case If(_, then, orelse, merges):
                self.block(then, within)
                self.block(orelse, within)
                for merge in merges:
                    for side in (merge.then, merge.orelse):
                        self.add(merge.out, roots.get(side, NOTHING) if side else NOTHING)
            case Loop():
                self._loop(stmt, within)

    def _handed_through(self, value: Expr, target: Var) -> frozenset[Root]:
        """Return the memory of numbers that the derivative of a called function may give back.

        It may give one adjoint back as that of several arguments, but no tangent as its value.
        """
        if not isinstance(value, Call) or not self.roots.fact(target).is_scalar:
            return NOTHING
        if not isinstance(value.func, Ref) or getattr(value.func.value, "shares", None) is None:
            return NOTHING
        numbers = [var for var in reads(value) if not self.roots.fact(var).rank]
        if "~" not in target.slot:
            numbers = [var for var in numbers if "~" not in var.slot]
        return frozenset(root for var in numbers for root in self.roots.get(var, NOTHING))

    def _copied(self, stmt: Effect, copied: Opaque) -> None:
        same = {write.new: write.old for write in changed_by(stmt)}
        filled = {
            w.new
            for w in changed_by(stmt)
            if w.op == REARRANGED and is_filled(self.roots.fact(w.old))
        }
        for name, var in copied.writes:
            if var in same and self.roots.fact(same[var]).is_array:
                # it cannot come to hold anything else
                self.add(var, self.roots.get(same[var], NOTHING))
            else:
                shared, mine = shared_by_parts(copied, self.roots), NOTHING
                inside = name == _displayed(copied.node)  # in a new list others lie at most
                if var in filled:
                    inside, mine = True, self.roots.get(same[var], NOTHING)
                self.add(var, mine | (held_inside(shared - mine) if inside else shared) | {var})

    def _loop(self, loop: Loop, within: tuple[int, ...]) -> None:
        roots, made = self.roots, self.made[id(loop)]
        for each in loop.carried:
            init = roots.get(each.init, NOTHING) if each.init else NOTHING
            end = roots.get(each.end, NOTHING)
            self.add(each.head, init | _aged(end, made))
            self.add(each.exit, end if makes_a_pass(loop.iterable) else init | end)
        for store in _stores(loop):  # what earlier passes have put there
            self.add(store, _aged(roots.get(store, NOTHING), made))
        if loop.iterable is not None:
            for target, item in _targets(loop.targets, loop.iterable):
                self.add(target, origin(item, target, roots))
        self.block(loop.body, within)


def _targets(targets: Any, iterable: Expr) -> Iterator[tuple[Var, Expr]]:
    """Yield the targets of a loop, each with what it is an item of."""
    match iterable:
        case Call(Ref("zip"), args, ()) if is_nested(targets) and len(targets) == len(args):
            for target, arg in zip(targets, args, strict=True):
                yield from _targets(target, arg)
        case _:
            for target in flat_targets(targets):
                yield target, Op("index", (iterable, Const(0)))


def _stores(stmt: Stmt) -> Iterator[Var]:
    """Yield what a statement and its blocks put aside and take back."""
    for inner in statements((stmt,)):
        if isinstance(inner, Save | Restore):
            yield Var(inner.store, 0)


def _displayed(node: Any) -> str:
    """Return the name to which a copied statement gives a new list, set or dict."""
    match node:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if isinstance(value, DISPLAYS):
            return str(name)
    return ""


def _holds_numbers(var: Var, known: Fact) -> bool:
    """Tell whether a list holds nothing that has memory; that of adjoints may hold arrays of no axes."""
    plain = all(item.is_scalar and item.in_the_end is item for item in known.items)
    return bool(known.items) and plain and "~" not in var.slot


def _is_held(stmt: Update, roots: Roots) -> bool:
    """Tell whether an update surely writes to what its name holds: `x += e` of a number does not."""
    old = roots.fact(stmt.old)
    if stmt.index is not None or stmt.op in ("append", "insert", "="):
        return True
    begun_with_number = stmt.old in roots and not roots[stmt.old]
    return old.kind in HOLDERS or (old.is_array and not begun_with_number)


def _of_holder(var: Var, more: frozenset[Root], fact: Known) -> frozenset[Root]:
    """Return the memory of a list, tuple or dict: what may be an array can only be inside it."""
    if var in more:
        # what it holds that has no other name is not the memory of the list itself
        more = more - {Inside(var)} | {Inside(Part(var))}
    held: list[Var | Ref] = [
        root for root in more if isinstance(root, Var) and fact(root).kind in ARRAYS
    ]
    held += [root for root in more if isinstance(root, Ref) and root != READ_ONLY]
    arrays = frozenset(root for root in held if _is_array(root, fact))
    # what may be an array may also be the list itself
    return (more - arrays) | frozenset(map(Inside, held))


def _is_array(root: Var | Ref, fact: Known) -> bool:
    return fact(root).is_array if isinstance(root, Var) else isinstance(root.value, np.ndarray)


def _origins(stmt: Assign, roots: Roots) -> list[frozenset[Root]]:
    """Return the memory that each target of an assignment may live in."""
    targets, value = stmt.targets, stmt.value
    if not stmt.unpack:
        return [origin(value, target, roots) for target in targets]
    if isinstance(value, Op) and value.op in ("tuple", "list") and len(value.args) == len(targets):
        return [origin(arg, target, roots) for arg, target in zip(value.args, targets, strict=True)]
    if isinstance(value, Var):
        return [items_of(value, roots) for _ in targets]
    found = [spread(origin(value, target, roots)) for target in targets]
    if not is_mixed(value):
        return found
    count = len(targets) - is_apart(value)
    shared: frozenset[Root] = frozenset().union(*found[:count])
    return [shared] * count + [frozenset({target}) for target in targets[count:]]


def _aged(roots: frozenset[Root], made: frozenset[Var]) -> frozenset[Root]:
    def older(root: Root) -> Root:
        if isinstance(root, Inside):
            return Inside(older(root.root))  # type: ignore[arg-type]
        own = root.root if isinstance(root, Part) else root
        return Old(root) if isinstance(own, Var) and own in made else root  # type: ignore[arg-type]

    return frozenset(map(older, roots))


def defined_in(block: Block) -> Iterator[Var]:
    """Yield every value that is made in a block, in the blocks inside it as well."""
    for stmt in statements(block):
        yield from defines(stmt)
        if isinstance(stmt, Loop):
            yield from flat_targets(stmt.targets)
            yield from (each.head for each in stmt.carried)
