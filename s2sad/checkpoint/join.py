"""Both sweeps joined to one function, with what is saved between them.

x_saved = []
while x * x - a > tol:
    x_saved.append(x)
    x = 0.5 * (x + a / x)
x_bar = 1.0
for _ in range(passes):
    x = x_saved.pop()
    ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2sad.analysis.containers import is_container, is_held
from s2sad.analysis.loops import range_of, turned_back
from s2sad.analysis.places import exposed
from s2sad.analysis.pointers import stored_base
from s2sad.analysis.tuples import exchange_of, is_exchange
from s2sad.checkpoint.needs import places_written
from s2sad.checkpoint.planner import AFTER, BEFORE, Plan
from s2sad.ir.expression import (
    EVERYTHING,
    Expr,
    Role,
    Variable,
    call,
    constant,
    copy_of,
    global_,
    name,
    negated,
    root_of,
    subscript,
)
from s2sad.ir.program import (
    Block,
    Break,
    For,
    If,
    Let,
    RegionOp,
    Restore,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import UNKNOWN, Number, Sequence, Type
from s2sad.ir.walk import bound, bound_in, expressions, is_gone_through, read_in, reads, with_blocks
from s2sad.reverse.sweep import Path, Step, Steps, walk

Key = tuple[object, ...]
WHOLE = Number("int64")


@dataclass(frozen=True, slots=True)
class Joined:
    """The forward sweep and the reverse sweep."""

    forward: Block
    reverse: Block


def join(steps: Steps, plan: Plan, types: dict[Variable, Type], fresh: Fresh) -> Joined:
    """Return both sweeps, with the saves and restores of a plan in them."""
    joiner = _Joiner(plan, types, fresh, _loop_blocks(steps))
    forward = joiner.forward(steps, (), None)
    joined = Joined(forward, joiner.reverse(steps, ()))
    unbound = joiner.unbound(steps, joined, frozenset(plan.forward.memory.uses.parameters))
    starts = tuple(Let(v, constant(None)) for v in sorted(unbound, key=str))
    return replace(joined, forward=(*starts, *forward))


def _loop_blocks(steps: Steps) -> frozenset[Path]:
    loops = (p for p, s in walk(steps) if isinstance(s.statement, For | While))
    return frozenset((*path, 0) for path in loops)


@dataclass(slots=True)
class _Joiner:
    plan: Plan
    types: dict[Variable, Type]
    fresh: Fresh
    loops: frozenset[Path]
    places: dict[Key, Variable] = field(default_factory=dict)
    stacks: dict[Path, list[Variable]] = field(default_factory=dict)

    # ------------------------------------------------------------------------ forward

    def forward(
        self, steps: Steps, block: Path, outermost: Path | None, leaving: Block = ()
    ) -> Block:
        """Return a block of the forward sweep with its saves.

        `leaving` is what the blocks around save at their ends: a break does not come there.
        """
        made: list[Statement] = []
        for position, step in enumerate(steps):
            path = (*block, position)
            start = len(made)
            made += self.saved_values(path, BEFORE, outermost)
            made += self.saved_before(step, path, outermost)
            is_loop = isinstance(step.statement, For | While)
            top = path if is_loop and outermost is None else outermost
            after = tuple(self.saved_values(path, AFTER, outermost))
            rest: Block = ()
            if may_leave(step):  # only reverse code stands behind what may break
                later = ((*block, k) for k in range(position + 1, len(steps)))
                rest = tuple(
                    saved
                    for where in later
                    for when in (BEFORE, AFTER)
                    for saved in self.saved_values(where, when, outermost)
                )
            if isinstance(step.statement, Break):
                made += leaving
            if step.statement is not None:
                inside = () if is_loop else (*after, *rest, *leaving)
                inner = tuple(
                    self.forward(b, (*path, k), top, inside) for k, b in enumerate(step.blocks)
                )
                made.append(with_blocks(step.statement, inner) if inner else step.statement)
            if not (made and isinstance(made[-1], Break)):
                made += after
            if outermost is None and path in self.stacks:
                empty = Expr("list", (), None, UNKNOWN)
                made[start:start] = [Let(stack, empty) for stack in self.stacks[path]]
        return tuple(made)

    def saved_values(self, path: Path, when: str, outermost: Path | None) -> Iterator[Statement]:
        for restoration in self.plan.again.get((path, when), ()):
            if restoration.value is None:
                variable = restoration.variable
                key = ("value", path, when, variable)
                yield self.save(key, variable, self.read(variable), path, outermost)

    def saved_before(self, step: Step, path: Path, outermost: Path | None) -> Iterator[Statement]:
        for variable in self.plan.lost.get(path, ()):
            yield self.save(
                ("lost", path, variable), variable, self.read(variable), path, outermost
            )
        store = step.statement
        if path in self.plan.inverted and isinstance(store, RegionOp):
            old = self.lost_by(store)
            if old is not None:
                yield self.save(("popped", path), store.base.data, old, path, outermost)
        if path in self.plan.overwritten and isinstance(store, Store):
            old = store.target
            base = stored_base(store)
            called = base.data if base.op == "name" else Variable("part")
            if is_held(old.type) and not is_container(base.type):
                old = copy_of(old)
            elif store.op == "=" and is_container(base.type):
                is_first = self.plan.forward.memory.may_be_first(store)  # what is added to is there
                old = old_or_none(old) if is_first else old
            yield self.save(("old", path), called, old, path, outermost)
        elif path in self.plan.overwritten:
            for position, place in enumerate(places_written(step, self.plan.forward)):
                old = copy_of(place)
                key = ("old", path, position)
                yield self.save(key, root_of(place) or Variable("part"), old, path, outermost)

    def lost_by(self, operation: RegionOp) -> Expr | None:
        """Return what a change of a container loses: an item, or all of them."""
        if operation.method in ("append", "insert"):
            return None
        is_shadow = operation.base.data.of is not None
        if self.pops_item(operation) or (operation.method == "del" and is_shadow):
            last = operation.args[0] if operation.args else constant(-1, WHOLE)
            return subscript(operation.base, last, UNKNOWN)
        return copy_of(operation.base)

    def pops_item(self, operation: RegionOp) -> bool:
        """Tell whether a change takes an item off a list: an entry of a dict has a place, too."""
        base = operation.base
        is_list = base.data.of is not None or self.plan.forward.memory.is_list(base)
        return operation.method == "pop" and is_list

    def read(self, variable: Variable) -> Expr:
        return name(variable, self.types.get(variable, UNKNOWN))

    def save(
        self, key: Key, variable: Variable, value: Expr, path: Path, outermost: Path | None
    ) -> Statement:
        """Return the statement that saves a value: on a stack within loops, else under a name."""
        if key in self.places:
            place = self.places[key]
            return Let(place, value) if outermost is None else Save(place, value)
        if outermost is None:
            place = self.fresh.variable(f"{variable.name}_old", Role.SAVED, variable)
            self.places[key] = place
            return Let(place, value)
        place = self.fresh.variable(f"{variable.name}_saved", Role.SAVED, variable)
        self.places[key] = place
        self.stacks.setdefault(outermost, []).append(place)
        return Save(place, value)

    # ------------------------------------------------------------------------ reverse

    def reverse(self, steps: Steps, block: Path) -> Block:
        """Return a block of the reverse sweep."""
        made: list[Statement] = []
        for position in reversed(range(len(steps))):
            step, path = steps[position], (*block, position)
            made += self.had(path, AFTER)
            made += step.new
            if step.blocks:
                made += self.compound(step, path)
            made += self.restored(step, path)
            made += self.had(path, BEFORE)
            made += step.old
        return tuple(made)

    def had(self, path: Path, when: str) -> Iterator[Statement]:
        for restoration in self.plan.again.get((path, when), ()):
            variable = restoration.variable
            if restoration.value is not None:
                yield Let(variable, restoration.value, restoration.span)
            else:
                yield self.taken(("value", path, when, variable), variable)

    def taken(self, key: Key, target: Variable | Expr) -> Statement:
        """Return the statement that takes a saved value back."""
        place = self.places[key]
        if any(place in stacks for stacks in self.stacks.values()):
            return Restore(target, place)
        if isinstance(target, Variable):
            return Let(target, name(place, self.types.get(target, UNKNOWN)))
        return Store(target, "=", name(place, target.type))

    def restored(self, step: Step, path: Path) -> Iterator[Statement]:
        """Yield what puts back the values that a statement of the forward sweep lost."""
        statement = step.statement
        if isinstance(statement, Let) and is_exchange(statement):
            yield from inverse(statement)
        if path in self.plan.inverted and isinstance(statement, RegionOp):
            yield from self.put_back(statement, path)
        for variable in self.plan.lost.get(path, ()):
            yield self.taken(("lost", path, variable), variable)
        if path in self.plan.overwritten and isinstance(statement, Store):
            target = statement.target
            if target.op == "name":
                target = subscript(target, constant(Ellipsis), target.type)
            if self.is_key(target):
                yield from self.key_back(target, path)
            else:
                yield self.taken(("old", path), target)
        elif path in self.plan.overwritten:
            for position, place in enumerate(places_written(step, self.plan.forward)):
                whole = subscript(place, constant(Ellipsis), place.type)
                yield self.taken(("old", path, position), whole)

    def is_key(self, target: Expr) -> bool:
        """Tell whether a place is under a key that a dict may have got there."""
        base = stored_base(Store(target, "=", target))
        is_primal = base.op == "name" and base.data.of is None
        is_one = target.op == "subscript" and is_container(base.type) and is_primal
        return is_one and self.plan.forward.memory.may_lack(target)

    def key_back(self, target: Expr, path: Path) -> Iterator[Statement]:
        """Yield what puts an entry of a dict back, or takes it out where there was none."""
        kept = self.fresh.variable("old", Role.SAVED)
        yield self.taken(("old", path), kept)
        absent = Expr("compare", (name(kept), constant(None)), ("is",), Number("bool"))
        base, key = target.args
        out = RegionOp(None, base, "del", (key,))
        yield If(absent, (out,), (Store(target, "=", name(kept, target.type)),))

    def put_back(self, operation: RegionOp, path: Path) -> Iterator[Statement]:
        """Yield what puts a container back as it was before a change."""
        base, span = operation.base, operation.span
        if operation.method == "append":
            yield RegionOp(None, base, "pop", (), span)
            return
        if operation.method == "insert":
            yield RegionOp(None, base, "pop", operation.args[:1], span)
            return
        kept = self.fresh.variable("popped", Role.SAVED)
        yield self.taken(("popped", path), kept)
        if self.pops_item(operation) and operation.args:
            yield RegionOp(None, base, "insert", (operation.args[0], name(kept)), span)
        elif self.pops_item(operation):
            yield RegionOp(None, base, "append", (name(kept),), span)
        elif operation.method == "del" and base.data.of is not None:
            yield Store(subscript(base, operation.args[0]), "=", name(kept), span)
        elif self.plan.forward.memory.is_list(base):
            yield Store(subscript(base, EVERYTHING), "=", name(kept), span)
        else:
            yield RegionOp(None, base, "clear", (), span)
            yield RegionOp(None, base, "update", (name(kept),), span)

    def compound(self, step: Step, path: Path) -> Iterator[Statement]:
        inner = tuple(self.reverse(b, (*path, k)) for k, b in enumerate(step.blocks))
        if not any(inner):
            return
        match step.statement:
            case If():
                yield from _branch(replace(step.statement, body=inner[0], orelse=inner[1]))
            case For(target, domain):
                yield For(target, self.backwards(domain, step), inner[0], step.statement.span)
            case While():
                assert step.passes is not None
                counted = range_of(name(step.passes, WHOLE))
                yield For(Variable("_"), counted, inner[0], step.statement.span)
            case With():
                yield with_blocks(step.statement, inner)
            case Try():
                yield from inner[0]

    def backwards(self, domain: Expr, step: Step) -> Expr:
        if step.passes is not None:
            nothing = constant(None)
            first = Expr("slice", (nothing, name(step.passes, WHOLE), nothing))
            domain = subscript(domain, first, domain.type)
        return turned_back(domain) or call(
            global_("reversed", reversed), domain, type_=Sequence(WHOLE, range)
        )

    # ------------------------------------------------------------------------ names not bound yet

    def unbound(
        self, steps: Steps, joined: Joined, names: frozenset[Variable]
    ) -> frozenset[Variable]:
        """Return the variables that may be saved before they are bound, or asked for their shapes.

        The reverse sweep asks for shapes where adjoints start, which may be before the branch that
        binds the variable: it is None then, and the adjoint is zeros of no shape that nobody reads.
        """
        found: set[Variable] = set()
        names = self.definite(steps, (), names, found)
        primal = bound_in(joined.forward)
        for statement in joined.reverse:
            read = (each for expr in expressions(statement) for each in reads(expr))
            asked = {variable for variable, content in read if not content}
            self.note(primal & asked, names, found)
            names |= exposed((statement,))[1] or frozenset()
        return frozenset(found)

    def definite(
        self, steps: Steps, block: Path, names: frozenset[Variable], found: set[Variable]
    ) -> frozenset[Variable]:
        """Return what is surely bound after a block; note what is saved and may not be bound."""
        for position, step in enumerate(steps):
            path = (*block, position)
            self.note(self.plan.lost.get(path, ()), names, found)
            self.note(self.saved_at(path, BEFORE), names, found)
            if step.statement is not None:  # what it reads is bound, or it raises
                names |= frozenset(read_in(step.statement))
            inside = names
            if isinstance(step.statement, For):
                inside = names | frozenset(bound(step.statement))
            ends = [self.definite(b, (*path, k), inside, found) for k, b in enumerate(step.blocks)]
            if isinstance(step.statement, If):
                names = ends[0] & ends[1]
            elif is_gone_through(step.statement):
                names = ends[0]
            elif step.statement is not None and not step.blocks:
                names = names | frozenset(bound(step.statement))
            self.note(self.saved_at(path, AFTER), names, found)
        return names

    def saved_at(self, path: Path, when: str) -> Iterable[Variable]:
        return (r.variable for r in self.plan.again.get((path, when), ()) if r.value is None)

    def note(
        self, saved: Iterable[Variable], names: frozenset[Variable], found: set[Variable]
    ) -> None:
        found |= set(saved) - names


def old_or_none(place: Expr) -> Expr:
    """Return what stands in a slot, None where there is none: d.get(k)."""
    base = place.args[0]
    if place.op == "attribute":
        nothing = constant(None)
        field = constant(place.data)
        return call(global_("getattr", getattr), base, field, nothing, type_=place.type)
    return call(Expr("attribute", (base,), "get"), place.args[1], type_=place.type)


def may_leave(step: Step) -> bool:
    """Tell whether a step may leave the loop that it stands in."""
    if isinstance(step.statement, For | While):
        return False
    inner = (s for block in step.blocks for s in block)
    return isinstance(step.statement, Break) or any(may_leave(s) for s in inner)


def inverse(exchange: Let) -> Iterator[Let]:
    """Yield the statement that exchanges names back."""
    targets, given = exchange_of(exchange)
    pairs = zip(targets, given, strict=True)
    back = {value.data: name(target, value.type) for target, value in pairs}
    values = tuple(back[t] for t in targets)
    yield Let(exchange.target, exchange.value.with_args(values))


def _branch(branch: If) -> Iterator[If]:
    if branch.body:
        yield branch
    elif branch.orelse:
        yield replace(branch, test=negated(branch.test), body=branch.orelse, orelse=())
