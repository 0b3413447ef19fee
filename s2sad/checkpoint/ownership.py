"""Which adjoints own their array: what is written in place is copied first where another holds it.

u_bar = v                u_bar = v.copy()        v is still wanted
u_bar[0] += y_bar        u_bar[0] += y_bar
w_bar = w_bar + g        w_bar += g              nobody else holds w_bar's array
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from s2sad.analysis.containers import is_container, is_held, is_slot
from s2sad.analysis.dataflow import Flow, Live, Place, Reaching, S
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import Shares
from s2sad.analysis.points_to import bindings
from s2sad.checkpoint.kept import copied
from s2sad.ir.expression import Expr, Role, Variable, call, global_, keywords, name, root_of
from s2sad.ir.program import Block, Let, RegionOp, Restore, Return, Statement, Store, Try
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import renamed_in
from s2sad.ir.types import Array, Numeric, Tuple
from s2sad.ir.walk import blocks, reads, statements, variables, with_blocks
from s2sad.operators.precision import is_cast
from s2sad.reverse.contribute import is_read_only
from s2sad.reverse.world import World

Cell = tuple[object, ...]
# the memory that a variable may hold, and the statements that made it share that memory: (AT, place)
Holding = frozenset[Cell]
READ_ONLY: Cell = ("read only",)
AT = "shared at"
NOTHING: Holding = frozenset()
SYMBOLS = frozenset({"+", "-"})


def cells_in(holding: Holding) -> Holding:
    """Return the memory that a variable may hold."""
    return frozenset(each for each in holding if each[0] != AT)


def shared_at(holding: Holding) -> set[object]:
    """Return the places of the statements that made a variable share its memory."""
    return {each[1] for each in holding if each[0] == AT}


def _is_foreign(holding: Holding) -> bool:
    """Tell whether memory may be no adjoint's own: the user's, or such that cannot be written."""
    return any(each[0] == "primal" or each == READ_ONLY for each in holding)


def owned(forward: Block, reverse: Block, memory: Memory, world: World, shares: Shares) -> Block:
    """Return both sweeps with copies where an array is written that something else holds."""
    walk = _Walk(memory, world, shares, Live(reverse), _terms(forward))
    while True:
        walk.wanted, walk.heads = set(), {}
        walk.block(reverse, {}, ())
        if walk.wanted <= walk.copied:
            break
        walk.copied |= walk.wanted
    walk.in_place, walk.heads = set(), {}
    walk.block(reverse, {}, ())
    return (*forward, *walk.changed(reverse, ()))


@dataclass(slots=True)
class _Walk(Flow):
    """What variables hold at a place; `holders` are those that ever hold a piece of memory."""

    memory: Memory
    world: World
    shares: Shares
    live: Live
    terms: Mapping[Variable, Expr]
    copied: set[object] = field(default_factory=set)
    wanted: set[object] = field(default_factory=set)
    in_place: set[Place] = field(default_factory=set)
    shared: set[Place] = field(default_factory=set)
    exits: list[tuple[list[Reaching], list[Reaching]]] = field(default_factory=list)
    heads: dict[Place, Reaching] = field(default_factory=dict)
    at_first: dict[Variable, Holding] = field(default_factory=dict)
    holders: dict[Cell, set[Variable]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for variable in self.live.touched:
            self.note_holder(variable, self.first_holding(variable))

    def note_holder(self, variable: Variable, holding: Holding) -> None:
        for cell in cells_in(holding):
            self.holders.setdefault(cell, set()).add(variable)

    # ------------------------------------------------------------------------ what is held

    def holding(self, variable: Variable, env: Reaching) -> Holding:
        return env.get(variable) or self.first_holding(variable)

    def first_holding(self, variable: Variable) -> Holding:
        """Return what a variable holds that the reverse sweep has not bound."""
        if variable not in self.at_first:
            self.at_first[variable] = self._first_holding(variable)
        return self.at_first[variable]

    def _first_holding(self, variable: Variable) -> Holding:
        if variable == self.world.seed:  # it belongs to the caller
            return frozenset({("primal", "seed")})
        if variable in self.world.seeds and variable.of is None:  # an array is the function's own
            is_own = isinstance(self.world.seeds[variable], Array)
            return frozenset({("made" if is_own else "primal", "seed", variable)})
        if variable.of is not None and variable.role is Role.SAVED:
            return self.first_holding(variable.of)
        if self.is_shadow(variable) and variable.of is not None:
            sites = self.memory.points_to.get(variable.of, frozenset())
            return frozenset(("shadow", *site) for site in sites)
        if variable in self.terms:
            return self.cells(self.terms[variable], {}) or frozenset({("made", variable)})
        sites = self.memory.points_to.get(variable, frozenset())
        return frozenset(("primal", *site) for site in sites)

    def is_shadow(self, variable: Variable) -> bool:
        """Tell whether a variable is the shadow of written memory: shadows share on purpose."""
        is_bar = variable.role is Role.ADJOINT and variable.of is not None
        return is_bar and self.memory.is_memory(variable.of)  # type: ignore[arg-type]

    def is_part_of_primal(self, variable: Variable) -> bool:
        """Tell whether a name of ours is for a part of what the user's names refer to."""
        return variable.role is Role.TERM and variable in self.memory.points_to

    def cells(self, expr: Expr, env: Reaching) -> Holding:
        """Return the memory that a value may be part of."""
        if not is_held(expr.type):
            return NOTHING
        if expr.op == "name":
            return cells_in(self.holding(expr.data, env))
        if expr.op == "subscript" and isinstance(expr.args[0].type, Tuple):
            whole = next((variable for variable, _ in reads(expr)), None)
            # a part of a tuple is what stands in it; a call of constants makes another
            return NOTHING if whole is None else cells_in(self.holding(whole, env))
        if expr.op == "global":
            return frozenset({("primal", expr.data.text)})
        if expr.op in ("subscript", "attribute") and is_container(expr.args[0].type):
            return self.cells_of_item(expr)
        if expr.op in ("conditional", "and", "or"):
            arms = expr.args[1:] if expr.op == "conditional" else expr.args
            return NOTHING.union(*(self.cells(arm, env) for arm in arms))
        found = NOTHING
        for position in self.shares(expr):
            arg = expr.args[position]
            if not position and expr.op == "call" and arg.op == "attribute":
                arg = arg.args[0]
            found |= self.cells(arg, env)
        return found | {READ_ONLY} if is_read_only(expr) else found

    def cells_of_held(self, target: Expr, env: Reaching) -> Holding:
        """Return the memory of the array in a container that a place is part of: p_bar.x, xs_bar[0][1:]."""
        while target.op in ("subscript", "attribute"):
            if is_container(target.args[0].type):
                return self.cells(target, env)
            target = target.args[0]
        return NOTHING

    def cells_of_item(self, expr: Expr) -> Holding:
        """Return the memory of what stands in a list, dict or object, or in the shadow of one."""
        root = root_of(expr)
        if root is not None and root.of is not None and self.is_shadow(root):
            sites = self.memory.sites(renamed_in(expr, {root: root.of}))
            return frozenset(("shadow", *site) for site in sites)
        if root is not None and root == self.world.seed:
            return self.first_holding(root)
        return frozenset(("primal", *site) for site in self.memory.sites(expr))

    # ------------------------------------------------------------------------ the walk

    def read(self, statement: S, env: Reaching, place: Place) -> S:
        if isinstance(statement, Return):
            self.returned(statement.value, env)
        return statement

    def bind(self, statement: S, env: Reaching, place: Place) -> tuple[S, Reaching]:
        held: dict[Variable, Holding | None] = {}
        match statement:
            case Let(None, value):
                if not statement.effect.is_pure:
                    self.write(value.args[1], env, place)
            case Let():
                self.note_in_place(statement, env, place)
                for k, (target, value) in enumerate(bindings(statement)):
                    held[target] = self.bound_to(target, value, env, (*place, k))
            case RegionOp(Variable() as target):
                held[target] = frozenset({("made", *place)})
            case Store(Expr() as target, op):
                self.write(target, env, place, is_put=op == "=" and is_slot(target))
            case Restore(Expr() as target):
                self.write(target, env, place, is_put=is_slot(target))
            case Restore(target):
                held = dict.fromkeys(variables(target))
        return statement, self.after(env, held) if held else env

    def after(self, env: Reaching, held: Mapping[Variable, Holding | None]) -> Reaching:
        """Return what variables hold from now on; None of what they do from the start."""
        made = dict(env)
        for variable, holding in held.items():
            if holding is None:
                made.pop(variable, None)
            else:
                made[variable] = holding
                self.note_holder(variable, holding)
        return made

    def anywhere(self, statement: Try, place: Place) -> Reaching:
        return {}

    def bound_to(
        self, target: Variable, value: Expr, env: Reaching, position: Place
    ) -> Holding | None:
        """Return what a variable holds from now on; None if it is what it does from the start."""
        if self.is_shadow(target) and target.of is not None:
            return None
        if target.role in (Role.PRIMAL, Role.PLACE, Role.SAVED):
            return None
        if self.is_part_of_primal(target):
            return None  # it is had again
        cells, place = self.cells(value, env), position[:-1]
        if not cells or place in self.copied:
            return frozenset({("made", *position)})
        before = self.holding(value.data, env) if value.op == "name" else NOTHING
        return cells | before | {(AT, place)}

    def note_in_place(self, let: Let, env: Reaching, place: Place) -> None:
        """Note whether `x_bar = x_bar + g` may be written in place."""
        if not isinstance(let.target, Variable) or not _is_addition(let):
            return
        if self.is_shadow(let.target):
            return
        mine = self.holding(let.target, env)
        is_own = not _is_foreign(mine) and not any(each[0] == "shadow" for each in mine)
        if is_own and cells_in(mine) and not self.others(let.target, mine, env, place):
            self.in_place.add(place)
        else:
            self.in_place.discard(place)
            self.shared.add(place)

    def others(
        self, variable: Variable, mine: Holding, env: Reaching, place: Place
    ) -> list[Variable]:
        """Return the variables that are read later and may hold some of this memory."""
        cells = cells_in(mine)
        return [
            other
            for other in set().union(*(self.holders.get(cell, ()) for cell in cells))
            if other != variable
            and not (self.is_shadow(other) and self.is_shadow(variable))
            and not cells.isdisjoint(self.holding(other, env))
            and self.live.after(other, place)
        ]

    def write(self, target: Expr, env: Reaching, place: Place, *, is_put: bool = False) -> None:
        """Note the copies without which a write in place would change another value.

        What `is_put` into a slot changes the container, and no array that it held.
        """
        variable = root_of(target)
        if variable is None:
            return
        mine = self.holding(variable, env)
        if not is_put:
            mine |= self.cells_of_held(target, env)
        is_value = variable.role in (Role.ADJOINT, Role.TERM) and not self.is_shadow(variable)
        is_value = is_value and not self.is_part_of_primal(variable)
        if is_value and _is_foreign(mine):
            self.wanted |= shared_at(mine)
            return
        for other in self.others(variable, mine, env, place):
            self.wanted |= shared_at(self.holding(other, env)) or shared_at(mine)

    def returned(self, value: Expr, env: Reaching) -> None:
        """Let every result be an array of its own."""
        seen = NOTHING
        for part in _flat(value):
            if part.op != "name":
                continue
            mine = self.holding(part.data, env)
            if _is_foreign(mine) or cells_in(mine) & seen:
                self.wanted |= shared_at(mine)
            seen |= cells_in(mine)

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
        yield replace(let, value=own_copy(let.value), spelled="=")
        return
    yield let
    items = let.value.type.items if isinstance(let.value.type, Tuple) else ()
    for target, type_ in zip(let.target, items, strict=False):
        if isinstance(target, Variable) and is_held(type_):
            yield Let(target, own_copy(name(target, type_)), let.span)


def own_copy(value: Expr) -> Expr:
    """Return a value that nobody else holds; the parts of a tuple each."""
    if value.op == "tuple":
        return value.with_args(own_copy(arg) if is_held(arg.type) else arg for arg in value.args)
    if isinstance(value.type, Numeric):  # it may be a number of Python's own
        return call(global_("np.copy", np.copy), value, type_=value.type)
    return copied(value)
