"""Which adjoints own their array: what is written in place is copied first where another holds it.

u_bar = v                u_bar = v.copy()        v is still wanted
u_bar[0] += y_bar        u_bar[0] += y_bar
w_bar = w_bar + g        w_bar += g              nobody else holds w_bar's array
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from s2sad.analysis.containers import is_container, is_held
from s2sad.analysis.dataflow import Live
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import Place
from s2sad.analysis.pointers import Shares
from s2sad.analysis.points_to import bindings
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    copy_of,
    global_,
    keywords,
    name,
    root_of,
)
from s2sad.ir.program import Block, For, If, Let, RegionOp, Restore, Return, Statement, Store, While
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import renamed_in
from s2sad.ir.types import Array, Numeric, Tuple
from s2sad.ir.walk import blocks, is_gone_through, reads, statements, variables, with_blocks
from s2sad.operators.precision import is_cast
from s2sad.reverse.contribute import is_read_only
from s2sad.reverse.world import World

Cell = tuple[object, ...]
READ_ONLY: Cell = ("read only",)
SYMBOLS = frozenset({"+", "-"})


@dataclass(frozen=True, slots=True)
class Holding:
    """The memory that a variable may hold, and the statements that made it share that memory."""

    cells: frozenset[Cell] = frozenset()
    shared_at: frozenset[Place] = frozenset()


NONE = Holding()
NOWHERE: frozenset[Place] = frozenset()


@dataclass(slots=True)
class State:
    """What variables hold at a place, and the other way round, who may hold a piece of memory."""

    held: dict[Variable, Holding] = field(default_factory=dict)
    holders: dict[Cell, set[Variable]] = field(default_factory=dict)

    def copy(self) -> State:
        """Return the same state, to be changed on another way."""
        return State(dict(self.held), {cell: set(v) for cell, v in self.holders.items()})

    def put(self, variable: Variable, holding: Holding) -> None:
        """Let a variable hold something else."""
        self.drop(variable)
        self.held[variable] = holding
        for cell in holding.cells:
            self.holders.setdefault(cell, set()).add(variable)

    def drop(self, variable: Variable) -> None:
        """Let a variable hold what it does from the start."""
        old = self.held.pop(variable, NONE)
        for cell in old.cells:
            self.holders[cell].discard(variable)

    def join(self, other: State) -> bool:
        """Hold what one of two ways lets variables hold; tell whether that is more."""
        grown = False
        for variable, theirs in other.held.items():
            mine = self.held.get(variable, NONE)
            both = Holding(mine.cells | theirs.cells, mine.shared_at | theirs.shared_at)
            if both != mine or variable not in self.held:
                self.put(variable, both)
                grown = True
        return grown


NO_STATE = State()


def owned(forward: Block, reverse: Block, memory: Memory, world: World, shares: Shares) -> Block:
    """Return both sweeps with copies where an array is written that something else holds."""
    walk = _Walk(memory, world, shares, Live(reverse), _terms(forward))
    while True:
        walk.wanted, walk.heads = set(), {}
        walk.block(reverse, State(), ())
        if walk.wanted <= walk.copied:
            break
        walk.copied |= walk.wanted
    walk.in_place, walk.heads = set(), {}
    walk.block(reverse, State(), ())
    return (*forward, *walk.changed(reverse, ()))


@dataclass(slots=True)
class _Walk:
    memory: Memory
    world: World
    shares: Shares
    live: Live
    terms: Mapping[Variable, Expr]
    copied: set[Place] = field(default_factory=set)
    wanted: set[Place] = field(default_factory=set)
    in_place: set[Place] = field(default_factory=set)
    shared: set[Place] = field(default_factory=set)
    heads: dict[Place, State] = field(default_factory=dict)
    at_first: dict[Variable, Holding] = field(default_factory=dict)
    holders: dict[Cell, set[Variable]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for variable in self.live.touched:
            for cell in self.first_holding(variable).cells:
                self.holders.setdefault(cell, set()).add(variable)

    # ------------------------------------------------------------------------ what is held

    def holding(self, variable: Variable, state: State) -> Holding:
        return state.held.get(variable) or self.first_holding(variable)

    def first_holding(self, variable: Variable) -> Holding:
        """Return what a variable holds that the reverse sweep has not bound."""
        if variable not in self.at_first:
            self.at_first[variable] = self._first_holding(variable)
        return self.at_first[variable]

    def _first_holding(self, variable: Variable) -> Holding:
        if variable == self.world.seed:  # it belongs to the caller
            return Holding(frozenset({("primal", "seed")}))
        if variable in self.world.seeds and variable.of is None:  # an array is the function's own
            is_own = isinstance(self.world.seeds[variable], Array)
            return Holding(frozenset({("made" if is_own else "primal", "seed", variable)}))
        if variable.of is not None and variable.role is Role.SAVED:
            return self.first_holding(variable.of)
        if self.is_shadow(variable) and variable.of is not None:
            sites = self.memory.points_to.get(variable.of, frozenset())
            return Holding(frozenset(("shadow", *site) for site in sites))
        if variable in self.terms:
            cells = self.cells(self.terms[variable], NO_STATE)
            return Holding(cells or frozenset({("made", variable)}))
        sites = self.memory.points_to.get(variable, frozenset())
        return Holding(frozenset(("primal", *site) for site in sites))

    def is_shadow(self, variable: Variable) -> bool:
        """Tell whether a variable is the shadow of written memory: shadows share on purpose."""
        is_bar = variable.role is Role.ADJOINT and variable.of is not None
        return is_bar and self.memory.is_memory(variable.of)  # type: ignore[arg-type]

    def cells(self, expr: Expr, state: State) -> frozenset[Cell]:
        """Return the memory that a value may be part of."""
        if not is_held(expr.type):
            return frozenset()
        if expr.op == "name":
            return self.holding(expr.data, state).cells
        if expr.op == "subscript" and isinstance(expr.args[0].type, Tuple):
            whole = next(iter(reads(expr)))[0]  # a part of a tuple is what stands in it
            return self.holding(whole, state).cells
        if expr.op == "global":
            return frozenset({("primal", expr.data.text)})
        if expr.op in ("subscript", "attribute") and is_container(expr.args[0].type):
            return self.cells_of_item(expr)
        if expr.op in ("conditional", "and", "or"):
            arms = expr.args[1:] if expr.op == "conditional" else expr.args
            return frozenset().union(*(self.cells(arm, state) for arm in arms))
        found: frozenset[Cell] = frozenset()
        for position in self.shares(expr):
            arg = expr.args[position]
            if not position and expr.op == "call" and arg.op == "attribute":
                arg = arg.args[0]
            found |= self.cells(arg, state)
        return found | {READ_ONLY} if is_read_only(expr) else found

    def cells_of_item(self, expr: Expr) -> frozenset[Cell]:
        """Return the memory of what stands in a list, dict or object, or in the shadow of one."""
        root = root_of(expr)
        if root is not None and root.of is not None and self.is_shadow(root):
            sites = self.memory.sites(renamed_in(expr, {root: root.of}))
            return frozenset(("shadow", *site) for site in sites)
        return frozenset(("primal", *site) for site in self.memory.sites(expr))

    # ------------------------------------------------------------------------ the walk

    def block(self, block: Block, state: State, inside: Place) -> None:
        """Note what a block does; the state becomes that at its end."""
        for position, statement in enumerate(block):
            self.statement(statement, state, (*inside, position))

    def statement(self, statement: Statement, state: State, place: Place) -> None:
        match statement:
            case If():
                other = state.copy()
                self.block(statement.body, state, (*place, 0))
                self.block(statement.orelse, other, (*place, 1))
                state.join(other)
            case For() | While():
                # what an earlier walk found comes first: loops in each other would multiply
                state.join(self.heads.get(place, NO_STATE))
                while True:
                    end = state.copy()
                    self.block(statement.body, end, (*place, 0))
                    if not state.join(end):
                        break
                self.heads[place] = state.copy()
            case _ if is_gone_through(statement):
                self.block(blocks(statement)[0], state, (*place, 0))
            case Let(None, value):
                if not statement.effect.is_pure:
                    self.write(value.args[1], state, place)
            case Let():
                self.bound(statement, state, place)
            case RegionOp(Variable() as target):
                state.put(target, Holding(frozenset({("made", *place)})))
            case Store(target):
                self.write(target, state, place)
            case Restore(target):
                if isinstance(target, Expr):
                    self.write(target, state, place)
                else:
                    for variable in variables(target):
                        state.drop(variable)
            case Return(value):
                self.returned(value, state)

    def bound(self, let: Let, state: State, place: Place) -> None:
        self.note_in_place(let, state, place)
        pairs = bindings(let)
        made = [self.bound_to(t, e, state, (*place, k)) for k, (t, e) in enumerate(pairs)]
        for (target, _), holding in zip(pairs, made, strict=True):
            if holding is None:
                state.drop(target)
            else:
                state.put(target, holding)

    def bound_to(
        self, target: Variable, value: Expr, state: State, position: Place
    ) -> Holding | None:
        """Return what a variable holds from now on; None if it is what it does from the start."""
        if self.is_shadow(target) and target.of is not None:
            return None
        if target.role in (Role.PRIMAL, Role.PLACE, Role.SAVED):
            return None
        if target.role is Role.TERM and target in self.memory.points_to:
            return None  # it is had again: a part of what the user's names refer to
        cells, place = self.cells(value, state), position[:-1]
        if not cells or place in self.copied:
            return Holding(frozenset({("made", *position)}))
        before = self.holding(value.data, state).shared_at if value.op == "name" else NOWHERE
        return Holding(cells, before | {place})

    def note_in_place(self, let: Let, state: State, place: Place) -> None:
        """Note whether `x_bar = x_bar + g` may be written in place."""
        if not isinstance(let.target, Variable) or not _is_addition(let):
            return
        if self.is_shadow(let.target):
            return
        mine = self.holding(let.target, state)
        others = self.others(let.target, mine.cells, state, place)
        is_own = not any(c[0] in ("primal", "shadow") or c == READ_ONLY for c in mine.cells)
        if is_own and mine.cells and not others:
            self.in_place.add(place)
        else:
            self.in_place.discard(place)
            self.shared.add(place)

    def others(
        self, variable: Variable, cells: frozenset[Cell], state: State, place: Place
    ) -> list[Variable]:
        """Return the variables that are read later and may hold some of this memory."""
        found: set[Variable] = set()
        for cell in cells:
            found |= state.holders.get(cell, set())
            found |= {v for v in self.holders.get(cell, ()) if v not in state.held}
        return [
            other
            for other in found
            if other != variable
            and not (self.is_shadow(other) and self.is_shadow(variable))
            and self.live.after(other, place)
        ]

    def write(self, target: Expr, state: State, place: Place) -> None:
        """Note the copies without which a write in place would change another value."""
        variable = root_of(target)
        if variable is None:
            return
        mine = self.holding(variable, state)
        is_value = variable.role in (Role.ADJOINT, Role.TERM) and not self.is_shadow(variable)
        foreign = any(c[0] == "primal" or c == READ_ONLY for c in mine.cells)
        if is_value and foreign:
            self.wanted |= mine.shared_at
            return
        for other in self.others(variable, mine.cells, state, place):
            theirs = self.holding(other, state)
            if theirs.shared_at:
                self.wanted |= theirs.shared_at
            else:
                self.wanted |= mine.shared_at

    def returned(self, value: Expr, state: State) -> None:
        """Let every result be an array of its own."""
        seen: set[Cell] = set()
        for part in _flat(value):
            if part.op != "name":
                continue
            mine = self.holding(part.data, state)
            foreign = any(c[0] == "primal" or c == READ_ONLY for c in mine.cells)
            if foreign or mine.cells & seen:
                self.wanted |= mine.shared_at
            seen |= mine.cells

    # ------------------------------------------------------------------------ the text

    def changed(self, block: Block, inside: Place) -> Block:
        return tuple(new for k, s in enumerate(block) for new in self.change(s, (*inside, k)))

    def change(self, statement: Statement, place: Place) -> Iterator[Statement]:
        inner = blocks(statement)
        if inner:
            made = tuple(self.changed(b, (*place, k)) for k, b in enumerate(inner))
            yield with_blocks(statement, made)
        elif place in self.copied and isinstance(statement, Let):
            yield from _with_copies(statement)
        elif place in self.in_place and place not in self.shared and isinstance(statement, Let):
            left, right = statement.value.args
            yield Store(left, statement.value.data, right, statement.span)
        else:
            yield statement


def _terms(forward: Block) -> Mapping[Variable, Expr]:
    """Return what the forward sweep names for the reverse sweep, where analysis saw no variable."""
    lets = (s for s in statements(forward) if isinstance(s, Let))
    pairs = (pair for let in lets for pair in bindings(let))
    return {target: value for target, value in pairs if target.role is Role.TERM}


def _flat(value: Expr) -> Iterator[Expr]:
    """Yield the parts of a result: of tuples, lists, dicts, of objects that are made anew."""
    match value.op:
        case "tuple" | "list":
            parts = value.args
        case "dict":
            parts = tuple(item.args[1] for item in value.args)
        case "call" if is_cast(value):
            parts = value.args[0].args
        case "call":
            parts = tuple(keywords(value).values())
        case _:
            parts = ()
            yield value
    for part in parts:
        yield from _flat(part)


def _is_addition(let: Let) -> bool:
    value = let.value
    return (
        isinstance(let.target, Variable)
        and value.op == "binary"
        and value.data in SYMBOLS
        and isinstance(value.type, Array)
        and bool(value.type.lengths)
        and value.args[0].op == "name"
        and value.args[0].data == let.target
        and value.args[0].type == value.type
    )


def _with_copies(let: Let) -> Iterator[Statement]:
    """Yield a binding of values of its own; several results of a call are copied behind it."""
    if not isinstance(let.target, tuple) or let.value.op == "tuple":
        yield replace(let, value=_copied(let.value), spelled="=")
        return
    yield let
    items = let.value.type.items if isinstance(let.value.type, Tuple) else ()
    for target, type_ in zip(let.target, items, strict=False):
        if isinstance(target, Variable) and is_held(type_):
            yield Let(target, _copied(name(target, type_)), let.span)


def _copied(value: Expr) -> Expr:
    if value.op == "tuple":
        return value.with_args(_copied(arg) if is_held(arg.type) else arg for arg in value.args)
    if isinstance(value.type, Numeric):  # it may be a number of Python's own
        return call(global_("np.copy", np.copy), value, type_=value.type)
    return copy_of(value)
