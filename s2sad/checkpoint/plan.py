"""To be recorded: for each value that the reverse sweep needs, how it is had again.

    x = x + f(x)        the old x is needed and lost here: saved before the statement
    a = abs(r[k])       of one pass: had again from r, which is still there
    u[k] = c            the old element is needed: saved before the store

A walk over the forward sweep, from its start to its end, with what the reverse of the statements
so far needs: what is not lost by the end is still there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from math import prod

from s2sad.analysis.containers import is_container
from s2sad.analysis.gaps import is_all
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import is_within
from s2sad.analysis.pointers import stored_base
from s2sad.analysis.tuples import is_exchange, literal_position
from s2sad.checkpoint.indexed import Index, owners_of
from s2sad.checkpoint.needs import (
    NOTHING,
    Content,
    Forward,
    Need,
    Needs,
    Sources,
    forward_variables,
    of_one_shape,
    places_written,
    reads_beside,
    sources,
    surely_apart,
    whole_copied,
)
from s2sad.checkpoint.passes import (
    after_loop,
    are_apart_in_passes,
    of_earlier_pass,
    told_by,
    where_tested,
)
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, Role, Variable, calls, index_parts, name
from s2sad.ir.program import For, If, Let, RegionOp, Statement, Store, Try, While
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.spelling import is_none
from s2sad.ir.types import ONE, Array, Length, Number, Type, is_integer
from s2sad.ir.walk import bound, is_gone_through, nodes, read_variables
from s2sad.reverse.sweep import Path, Step, Steps, may_be_left, walk

MOST_ROUNDS = 30
FEW = 3  # numbers of a pass that are computed again
FEW_ELEMENTS = 16  # of an array that is saved as a number is
MOST_EDGES = 3  # rows at the walls of a field
PLACED = frozenset({"pop", "insert", "del"})  # they are told where
EVERY = Variable("<every variable>")
AFTER, BEFORE = "after", "before"
Point = tuple[Path, str]  # of the forward sweep: after or before the statement at a path
Value = tuple[Variable, Path]  # of a pass of the loop with this body
Cost = Callable[[Expr], str]


@dataclass(frozen=True, slots=True)
class Restoration:
    """A value of one pass that is had again: computed from `value`, or saved and taken back."""

    variable: Variable
    value: Expr | None
    order: Path
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How every need is had: what is not named here is still there.

    `lost` are the variables that are saved before the statement at a path, which rebinds them;
    `overwritten` the stores whose old elements are saved; `again` the values of one pass, by the
    point of the reverse sweep at which they are had.
    """

    forward: Forward
    lost: Mapping[Path, tuple[Variable, ...]]
    overwritten: frozenset[Path]
    inverted: frozenset[Path]
    again: Mapping[Point, tuple[Restoration, ...]]


def plan(steps: Steps, memory: Memory, parameters: tuple[Variable, ...], cost: Cost) -> Plan:
    """Decide how each value that the reverse sweep needs is had again."""
    every = (step.statement for _, step in walk(steps) if step.statement is not None)
    alike = of_one_shape(every, parameters)
    forward = Forward(memory, forward_variables(steps, parameters), alike)
    index = Index(steps, forward, owners_of(steps, forward, parameters))
    planner = _planned(_Planner(index, forward, cost, _demands(index, forward)))
    for candidates, is_better in ALTERNATIVES:
        for variable in candidates(planner):
            other = _planned(planner.saving_too({variable}))
            planner = other if is_better(other, planner, variable) else planner
    again: dict[Point, list[Restoration]] = {}
    for restoration, point in planner.again.values():
        again.setdefault(point, []).append(restoration)
    ordered = {
        p: tuple(sorted(r, key=lambda x: (x.order, str(x.variable)))) for p, r in again.items()
    }
    lost = {p: tuple(sorted(v, key=str)) for p, v in planner.lost.items()}
    overwritten, inverted = frozenset(planner.overwritten), frozenset(planner.inverted)
    return Plan(forward, lost, overwritten, inverted, ordered)


def _planned(planner: _Planner) -> _Planner:
    """Return a planner for which nothing is saved that only what is saved itself would read."""
    planner = _settled(planner)
    given_up = planner.given_up()
    if not given_up:
        return planner
    return _settled(planner.saving_too(given_up))


def _settled(planner: _Planner) -> _Planner:
    """Return a planner after rounds in which what is had again is found, with what that needs."""
    before: object = None
    for _ in range(MOST_ROUNDS):
        planner.lost, planner.ends, planner.heads = {}, {}, {}
        planner.walk(planner.index.steps, NOTHING, ())
        planner.choose()
        now = (
            dict(planner.again),
            dict(planner.extra),
            dict(planner.lost),
            set(planner.overwritten),
            set(planner.inverted),
        )
        if now == before:
            return planner
        before = now
    raise NotYet("a function of so many loops in each other")


@dataclass(frozen=True, slots=True)
class _Demands:
    """What the reverse sweep reads, whatever is decided: `wanted`, of which `sites` are memory.

    `kept` is what the forward sweep has to compute for its own sake.
    """

    wanted: Needs
    sites: frozenset[object]
    sources: Sources
    kept: frozenset[Variable]


def _demands(index: Index, forward: Forward) -> _Demands:
    wanted: set[Need] = set()
    for step in index.by_path.values():
        code = (*step.new, *step.old)
        wanted |= forward.of_code(code)
        if step.is_turned:
            wanted |= reads_beside(step, forward)
    kept = {need for need in wanted if isinstance(need, Variable) and _is_kept(need, index)}
    sites = frozenset(n.site for n in wanted if isinstance(n, Content))
    of, known = sources(index.steps), frozenset(kept)
    return _Demands(frozenset(wanted), sites, of, known)


def _is_kept(variable: Variable, index: Index) -> bool:
    """Tell whether what is needed is kept: it is carried along, or there at the end."""
    block = index.owner(variable)
    return index.loop_of(block) is None or index.definition(variable, block) is None


@dataclass(slots=True)
class _Planner:
    index: Index
    forward: Forward
    cost: Cost
    demands: _Demands
    saved: frozenset[Variable] = frozenset()
    tried: set[Variable] = field(default_factory=set)
    lost: dict[Path, set[Variable]] = field(default_factory=dict)
    overwritten: set[Path] = field(default_factory=set)
    inverted: set[Path] = field(default_factory=set)
    ends: dict[Path, Needs] = field(default_factory=dict)
    heads: dict[Path, Needs] = field(default_factory=dict)
    extra: dict[Point, set[Need]] = field(default_factory=dict)
    extra_at: dict[Need, set[Point]] = field(default_factory=dict)
    again: dict[Value, tuple[Restoration, Point]] = field(default_factory=dict)
    saving: set[Path] = field(default_factory=set)
    states: set[Path] = field(default_factory=set)
    demanded: frozenset[Variable] = frozenset()
    steady: dict[Need, bool] = field(default_factory=dict)
    reads: dict[Path, dict[Need, list[int]]] = field(default_factory=dict)

    def saving_too(self, more: Set[Variable]) -> _Planner:
        """Return a planner that begins anew, and saves more variables."""
        return _Planner(self.index, self.forward, self.cost, self.demands, self.saved | more)

    def given_up(self) -> frozenset[Variable]:
        """Return what was to be had again at first, and is saved after all."""
        return frozenset(r.variable for r, _ in self.again.values() if r.value is None) & self.tried

    def taken_apart(self) -> tuple[Variable, ...]:
        """Return the arrays of one pass of which each element is saved by itself: q of w, x, y, z = q."""
        saved = [r.variable for r, _ in self.again.values() if r.value is None]
        lets = [self.index.definition(v, self.index.owner(v)) for v in saved]
        taken = Counter(_taken_of(let.value) for let in lets if let is not None)
        return tuple(
            each[0] for each, count in taken.items() if each is not None and count == each[1]
        )

    def sources_of_several(self) -> tuple[Variable, ...]:
        """Return the arrays that a pass begins with, of which several are computed that are saved: H of s = b + H."""
        reads: Counter[Variable] = Counter()
        types: dict[Variable, set[Type]] = {}
        for restoration, _ in self.again.values():
            variable = restoration.variable
            let = self.index.definition(variable, self.index.owner(variable))
            if restoration.value is None and let is not None:
                for source in read_variables(let.value):
                    reads[source] += 1
                    types.setdefault(source, set()).add(let.value.type)
        known = self.forward.memory.types
        several = (v for v, count in reads.items() if count > 1 and known.get(v) in types[v])
        return tuple(v for v in several if isinstance(known.get(v), Array) and v not in self.saved)

    def computed_of_saved(self) -> tuple[Variable, ...]:
        """Return the arrays of one pass that are computed again from what is saved for that.

        They are copies of it, or computed of several parts.
        """
        sites = Counter(s for path in self.overwritten for s in self.sites_at(path))
        often = {site for site, count in sites.items() if count > 1}
        found = [r for r, _ in self.again.values() if r.value is not None]
        return tuple(
            r.variable
            for r in found
            if self.reads_any(r, sites.keys() if whole_copied(r.value) is not None else often)
        )

    def lengthy_of_saved(self) -> tuple[Variable, ...]:
        """Return the arrays of one pass that take long to compute again from what is saved for that."""
        every = [restoration for restoration, _ in self.again.values()]
        saved = {r.variable for r in every if r.value is None}.union(*self.lost.values())
        found = [r for r in every if r.value is not None and isinstance(r.value.type, Array)]
        return tuple(
            r.variable
            for r in found
            if r.value is not None
            and not saved.isdisjoint(read_variables(r.value))
            and {"lengthy", "costly"} & {self.cost(node) for node in nodes(r.value)}
        )

    def saves_fewer_than(self, other: _Planner, variable: Variable) -> bool:
        """Tell whether fewer values are saved."""
        return len(self.saves()) < len(other.saves())

    def saves_fewer_alike(self, other: _Planner, variable: Variable) -> bool:
        """Tell whether fewer values are saved, and each besides in place of one of the same shape."""
        return self.saves_fewer_than(other, variable) and self.saves_no_more_than(other, variable)

    def saves_no_more_than(self, other: _Planner, variable: Variable) -> bool:
        """Tell whether each value that is saved besides stands in place of one of the same shape."""
        mine, others = self.saves(), other.saves()
        new = Counter(types[0] for place, types in mine.items() if place not in others)
        gone = Counter(types[0] for place, types in others.items() if place not in mine)
        return None not in new and new <= gone

    def reads_any(self, restoration: Restoration, sites: Set[object]) -> bool:
        """Tell whether what computes an array again reads memory of some sites."""
        value = restoration.value
        if value is None or self.forward.memory.is_reference(value):
            return False
        needs = self.forward.binding_needs(value)
        is_known = not isinstance(value.type, Array) or None not in value.type.lengths
        is_known &= isinstance(value.type, Array | Number)
        return is_known and any(isinstance(n, Content) and n.site in sites for n in needs)

    def sites_at(self, path: Path) -> Set[object]:
        store = self.index.by_path[path].statement
        return self.forward.memory.sites(stored_base(store)) if isinstance(store, Store) else set()

    def saves_less_than(self, other: _Planner, variable: Variable) -> bool:
        """Tell whether fewer values are saved, each in place of one of the same shape.

        As many are less where one of them is a copy already.
        """
        mine, others = self.saves(), other.saves()
        new = Counter(types[0] for place, types in mine.items() if place not in others)
        gone = [types for place, types in others.items() if place not in mine]
        again = next(r.value for r, _ in other.again.values() if r.variable == variable)
        is_copied = whole_copied(again) is not None
        fits = any(new <= Counter(of_one) for of_one in zip(*gone, strict=True))
        return len(mine) < len(others) + is_copied and fits

    def saves(self) -> Mapping[object, tuple[Type | None, Type | None]]:
        """Return what is saved: where, its type, and that of the array of which it is all but the edges."""
        nothing = None, None
        types = self.forward.memory.types
        found: dict[object, tuple[Type | None, Type | None]] = {
            (p, v): (types.get(v),) * 2 for p, vs in self.lost.items() for v in vs
        }
        for path in self.overwritten:
            store = self.index.by_path[path].statement
            found[path] = _saved_types(store.target) if isinstance(store, Store) else nothing
        for (variable, block), (restoration, _) in self.again.items():
            if restoration.value is None:
                let = self.index.definition(variable, self.index.owner(variable))
                found[variable, block] = nothing if let is None else (let.value.type,) * 2
        return found

    # ------------------------------------------------------------------------ the walk

    def walk(self, steps: Steps, needs: Needs, block: Path) -> Needs:
        """Return what is needed at the end of a block; note what is lost on the way."""
        for position, step in enumerate(steps):
            needs = self.step(step, needs, (*block, position))
        self.ends[block] = needs
        return needs

    def step(self, step: Step, needs: Needs, path: Path) -> Needs:
        statement = step.statement
        needs = _with(needs, self.forward.of_code(step.old), self.extras(path, BEFORE))
        match statement:
            case If():
                needs = NOTHING.union(*self.arms(step, statement, needs, path))
            case For() | While():
                needs = self.loop(step, needs, path)
            case _ if is_gone_through(statement):
                needs = self.walk(step.blocks[0], needs, (*path, 0))
            case Store():
                needs = self.store(step, statement, needs, path)
            case RegionOp():
                needs = self.operation(statement, needs, path)
            case None:
                pass
            case _:
                needs = self.simple(step, needs, path)
        more = self.forward.of_code(step.new), self.extras(path, AFTER)
        return _with(needs, self.beside(step, path), *more)

    def arms(self, step: Step, branch: If, needs: Needs, path: Path) -> Iterator[Needs]:
        """Yield what is needed at the end of each arm of a branch; its test may tell that positions are counted."""
        for k, block in enumerate(step.blocks):
            end = self.walk(block, needs, (*path, k))
            bound_here = self.index.changes_in((*path, k)).keys()
            facts = tuple(
                f for f in told_by(branch.test, not k) if f.variables.isdisjoint(bound_here)
            )
            yield frozenset(
                where_tested(n, facts) if isinstance(n, Content) and n not in needs else n
                for n in end
            )

    def beside(self, step: Step, path: Path) -> Needs:
        """Return what a compound statement reads if there is anything in it to turn back."""
        if not step.blocks:
            return NOTHING
        if not (step.is_turned or _has_exchange(step) or self.has_saved(path)):
            return NOTHING
        return reads_beside(step, self.forward)

    def has_saved(self, path: Path) -> bool:
        """Tell whether something in a compound statement is saved or had again."""
        found = (*self.lost, *self.overwritten, *self.inverted)
        has_lost = any(p[: len(path)] == path for p in found)
        return has_lost or any(p[0][: len(path)] == path for _, p in self.again.values())

    def extras(self, path: Path, when: str) -> Needs:
        return frozenset(self.extra.get((path, when), NOTHING))

    def simple(self, step: Step, needs: Needs, path: Path) -> Needs:
        """What a statement loses is saved before it; a try is one: who knows how far it came?"""
        statement = step.statement
        assert statement is not None
        if isinstance(statement, Let) and is_exchange(statement):
            names = frozenset(bound(statement))
            return needs | names if needs & names else needs
        changed = self.forward.changed((step,))
        sites = [each for each in changed if not isinstance(each, Variable)]
        if sites and any(isinstance(n, Content) and n.site in sites for n in needs):
            if not places_written(step, self.forward):
                kind = "try" if isinstance(statement, Try) else "call"
                raise NotYet(
                    f"a {kind} that overwrites what the reverse sweep needs", statement.span
                )
            self.overwritten.add(path)
        rebound = tuple(filter(self.forward.is_read, bound(statement)))
        needs = _of_other_names(self.without(changed, needs, path), rebound)
        needs = self.with_new_memory(statement, needs)
        return needs | self.places_of(step) if path in self.overwritten else needs

    def with_new_memory(self, statement: Statement, needs: Needs) -> Needs:
        """Return needs in which what a statement has made before is older than what it makes now."""
        names = bound(statement) if isinstance(statement, Let) else ()
        made = {self.index.made_by(variable) for variable in names} & self.forward.read
        if not made:
            return needs
        before = {n for n in needs if isinstance(n, Content) and n.site in made and not n.older}
        return (needs - before) | {replace(n, older=True) for n in before} if before else needs

    def operation(self, operation: RegionOp, needs: Needs, path: Path) -> Needs:
        """A list that the reverse sweep reads is put back: what was appended is taken out again."""
        needs = self.without(frozenset(bound(operation)), needs, path)
        if not self.is_wanted(operation.base):
            return needs
        is_shadow = operation.base.op == "name" and operation.base.data.of is not None
        sites = self.forward.memory.sites(operation.base)
        if not is_shadow and not any(isinstance(n, Content) and n.site in sites for n in needs):
            return needs  # nothing so far reads it: the reverse sweep has no use for it before
        self.inverted.add(path)
        return needs | self.places_of_operation(operation)

    def without(self, changed: frozenset[object], needs: Needs, path: Path) -> Needs:
        """Return the needs without what a statement rebinds; note what is lost."""
        killed = frozenset(v for v in changed if isinstance(v, Variable) and v in needs)
        if killed:
            self.lost.setdefault(path, set()).update(killed)
        return needs - killed if killed else needs

    def is_wanted(self, base: Expr) -> bool:
        """Tell whether the reverse sweep reads a list, or the shadow of one."""
        found = set(self.demands.wanted).union(*self.extra.values())
        if base.op == "name" and base.data in found and base.data.of is not None:
            return True
        sites = self.forward.memory.sites(base)
        return any(isinstance(n, Content) and n.site in sites for n in found)

    def places_of_operation(self, operation: RegionOp) -> Needs:
        found = set(self.forward.needs(operation.base, False))
        if operation.method in PLACED and operation.args:
            found |= set(self.forward.needs(operation.args[0]))
        return frozenset(found)

    def store(self, step: Step, store: Store, needs: Needs, path: Path) -> Needs:
        sites = self.forward.memory.sites(stored_base(store))
        lost = [
            n
            for n in needs
            if isinstance(n, Content) and n.site in sites and not self.are_apart(n, store, path)
        ]
        is_zero = self.is_shadow(store)
        if (lost or self.is_shadow_slot(store)) and not is_zero:
            self.overwritten.add(path)
        if path not in self.overwritten:
            return needs
        kept = {n for n in needs if isinstance(n, Content) and self.is_covered(n, store)}
        return (needs - kept) | self.places_of(step)

    def are_apart(self, need: Content, store: Store, path: Path) -> bool:
        """Tell whether a store surely leaves the elements alone that are needed."""
        base = stored_base(store)
        if base.op == "name" and self.index.made_by(base.data) == need.site:
            if need.older or self.index.is_bound_before(need.variable, base.data, path):
                return True
        known = self.index.counters_at(path)
        return surely_apart(need, store) or are_apart_in_passes(need, store, known)

    def is_shadow(self, store: Store) -> bool:
        """Tell whether a store puts zeros into the shadow of a number or a value: they are there anyway."""
        base = stored_base(store)
        if base.op != "name" or base.data.of is None:
            return False
        if isinstance(store.value.type, Array) and is_container(base.type):
            return self.forward.memory.holds_values(name(base.data.of, base.type))
        return isinstance(store.value.type, Number) and store.value.op == "constant"

    def is_shadow_slot(self, store: Store) -> bool:
        """Tell whether a store puts another shadow into the shadow of a list."""
        base = stored_base(store)
        if not is_container(base.type) or base.op != "name":
            return False
        return base.data.of is not None and self.is_wanted(base)

    def is_covered(self, need: Content, store: Store) -> bool:
        """Tell whether what a store puts back is all that is needed, so that later ones may write."""
        target = store.target
        base = stored_base(store)
        if base.op != "name" or need.variable != base.data:
            return False
        if is_container(base.type):
            return False
        if target.op == "name" or is_all(target.args[1]):
            return True
        index = target.args[1]
        steady = all(
            self.index.is_bound_once(v) and not self.forward.memory.is_memory(v)
            for v in read_variables(index)
        )
        return need.index == index and steady and not need.earlier

    def loop(self, step: Step, needs: Needs, path: Path) -> Needs:
        inside = (*path, 0)
        if isinstance(step.statement, For):
            needs = self.without(frozenset(bound(step.statement)), needs, path)
        needs = self.without(self.only_rebound(needs, inside), needs, path)
        own, known = self.index.targets_of(inside), self.index.counters_at(inside)
        changed = frozenset(self.index.changes_in(inside)) | own
        # what an earlier walk found comes first: loops in each other would multiply
        head = needs | self.heads.get(path, NOTHING)
        while True:
            end = self.walk(step.blocks[0], head, inside)
            carried = frozenset(
                of_earlier_pass(n, changed, own) if isinstance(n, Content) else n
                for n in end
                if not self.is_of_one_pass(n, inside)
            )
            if carried <= head:
                self.heads[path] = head
                return frozenset(
                    after_loop(n, own, known) if isinstance(n, Content) else n for n in head
                )
            head |= carried

    def only_rebound(self, needs: Needs, loop: Path) -> frozenset[object]:
        """Return what the passes of a loop bind anew, and the reverse of none reads: one value of it is lost."""
        changed = self.index.changes_in(loop).keys()
        found = {n for n in needs if isinstance(n, Variable) and n in changed}
        for path, step in walk(self.index.block_at(loop), loop) if found else ():
            found -= self.read_after(step, path) | self.read_before(step, path)
        return frozenset(found)

    def is_of_one_pass(self, need: Need, loop: Path) -> bool:
        """Tell whether each pass of a loop has its own: it is had again within the pass."""
        if isinstance(need, Variable):
            return need in self.index.targets_of(loop) or is_within(self.index.owner(need), loop)
        if "made" not in need.site[:2]:
            return False
        memory = self.forward.memory
        around = memory.around((need.site,))
        holders = [v for v, sites in memory.points_to.items() if sites & around]
        return bool(holders) and all(is_within(self.index.owner(v), loop) for v in holders)

    # ------------------------------------------------------------------------ values of one pass

    def choose(self) -> None:
        """Decide for the values of one pass that are needed at its end: had again, or saved."""
        found = [
            (v, block)
            for block, needs in self.ends.items()
            for v in needs
            if isinstance(v, Variable)
            if self.index.owners.get(v) == block or v in self.index.targets_of(block)
            if self.index.loop_of(block) is not None and not self.index.is_counter(v, block)
        ]
        found.sort(key=lambda each: (self.index.last_bound(each[0]), str(each[0])))
        self.demanded |= self.demands.sources.of(self.demands.kept | self.are_saved())
        self.saving |= self.passes_that_save()
        self.states |= self.passes_of_states()
        for variable, _ in found:
            self.is_steady(variable)  # in the order of the text: what one asks for is known then
        self.again = {each: self.again[each] for each in found if each in self.again}
        for variable, block in reversed(found):
            point = self.last_read(variable, block)
            if point is None:
                continue
            let = self.index.definition(variable, block)
            order = self.index.last_bound(variable)
            if self.is_steady(variable):
                self.again.pop((variable, block), None)
                continue
            if let is not None and self.can_be_had_again(variable, let, block, point):
                restoration = Restoration(variable, let.value, order, let.span)
                self.again[variable, block] = restoration, point
                self.tried.add(variable)
                needs = self.forward.binding_needs(let.value)
                self.extra.setdefault(point, set()).update(needs)
                for need in needs:
                    self.extra_at.setdefault(need, set()).add(point)
            else:
                self.again[variable, block] = Restoration(variable, None, order), point

    def are_saved(self) -> frozenset[Variable]:
        """Return what is saved: the forward sweep computes it, and all that it is computed from."""
        return frozenset(r.variable for r, _ in self.again.values() if r.value is None)

    def is_steady(self, need: Need) -> bool:
        """Tell whether every pass of the loops around a value computes the same: it is still there."""
        if need not in self.steady:
            self.steady[need] = False  # what is computed from itself is none
            self.steady[need] = self.is_alike_in_passes(need)
        return self.steady[need]

    def is_alike_in_passes(self, need: Need) -> bool:
        """Tell whether the definition of a value, and all that it is computed from, is steady."""
        if not isinstance(need, Variable) or need.of is not None:
            return False
        block = self.index.owner(need)
        let = self.index.definition(need, block)
        if let is None or (self.forward.memory.is_memory(need) and not self.is_table(need, let)):
            return False
        outermost = next(
            block[: k + 1] for k in range(len(block)) if block[: k + 1] in self.index.loops
        )
        lost = self.index.changes_in(outermost).keys() | self.index.targets_of(outermost)
        needs = self.forward.binding_needs(let.value)
        changed = {n for n in needs if (n.site if isinstance(n, Content) else n) in lost}
        return all(self.is_steady(each) for each in changed)

    def is_table(self, variable: Variable, let: Let) -> bool:
        """Tell whether a list of numbers is made that are the same in each pass, and nobody writes to."""
        is_display = let.value.op == "list" and not read_variables(let.value)
        return is_display and self.forward.memory.is_steady(variable)

    def last_read(self, variable: Variable, block: Path) -> Point | None:
        """Return the point of a block from which on, backwards, a variable is read."""
        for at in self.may_read(variable, block):
            path = (*block, at)
            step = self.index.by_path[path]
            inside = (
                (where, inner)
                for k, block in enumerate(step.blocks)
                for where, inner in walk(block, (*path, k))
            )
            if variable in self.read_after(step, path) or any(
                variable in self.read_after(inner, where) | self.read_before(inner, where)
                for where, inner in inside
            ):
                return path, AFTER
            if variable in self.read_before(step, path):
                return path, BEFORE if not step.blocks else AFTER
        return None

    def read_after(self, step: Step, path: Path) -> Needs:
        """Return what the reverse of a statement itself reads before it has put back what was lost."""
        found = self.forward.of_code(step.new) | self.extras(path, AFTER)
        found |= self.beside(step, path) | self.exchanged(step)
        if path in self.inverted and isinstance(step.statement, RegionOp):
            found |= self.places_of_operation(step.statement)
        if path in self.overwritten:  # what puts elements back goes through the name
            found |= self.places_of(step)
        return found

    def read_before(self, step: Step, path: Path) -> Needs:
        """Return what the reverse of a statement itself reads once that is put back."""
        return self.forward.of_code(step.old) | self.extras(path, BEFORE)

    def may_read(self, variable: Variable, block: Path) -> list[int]:
        """Return the positions in a block at which a variable may be read, the last first."""
        readers = self.readers_in(block)
        found = set(readers.get(variable, ())) | set(readers[EVERY])
        found |= {
            point[0][-1] for point in self.extra_at.get(variable, ()) if point[0][:-1] == block
        }
        return sorted(found, reverse=True)

    def readers_in(self, block: Path) -> dict[Need, list[int]]:
        """Return at which positions of a block each variable is read; EVERY: blocks and stores."""
        if block not in self.reads:
            self.reads[block] = self._readers_in(block)
        return self.reads[block]

    def _readers_in(self, block: Path) -> dict[Need, list[int]]:
        found: dict[Need, list[int]] = {EVERY: []}
        for position, step in enumerate(self.index.block_at(block)):
            is_write = isinstance(step.statement, Store | RegionOp)
            if step.blocks or is_write or places_written(step, self.forward):
                found[EVERY].append(position)
            for need in self.forward.of_code((*step.new, *step.old)) | self.exchanged(step):
                found.setdefault(need, []).append(position)
        return found

    def exchanged(self, step: Step) -> Needs:
        statement = step.statement
        is_one = isinstance(statement, Let) and is_exchange(statement)
        return frozenset(bound(statement)) if is_one and statement is not None else NOTHING

    def places_of(self, step: Step) -> Needs:
        store = step.statement
        if not isinstance(store, Store):
            places = places_written(step, self.forward)
            return NOTHING.union(*(self.forward.needs(place, False) for place in places))
        found = set(self.forward.needs(stored_base(store), False))
        for index in store.target.args[1:] if store.target.op == "subscript" else ():
            found |= set(self.forward.needs(index))
        return frozenset(found)

    def can_be_had_again(self, variable: Variable, let: Let, block: Path, point: Point) -> bool:
        """Tell whether a value can be computed again at a point, for less than saving it."""
        if variable in self.saved:
            return False
        memory = self.forward.memory
        is_made_here = memory.is_memory(variable) and not memory.is_reference(let.value)
        if is_made_here and not (_is_of_positions(let.value) and memory.is_steady(variable)):
            return False  # what is added to shadows is added to one object
        if variable.of is not None and not _is_part(let.value):
            return False  # a shadow is one object
        if self.is_costly(variable, let):
            return False
        needs = self.forward.binding_needs(let.value)
        path, when = point
        first = self.index.bound_at[variable][0][len(block)] + 1
        last = path[len(block)] + (1 if when == AFTER else 0)
        if self.index.may_change(needs, block, first, last):
            return False
        loop = self.index.loop_of(block)
        assert loop is not None
        lost = self.index.changes_in(loop).keys() | self.index.targets_of(loop)
        return all(self.is_had_anyway(need, lost, loop) for need in needs)

    def is_had_anyway(self, need: Need, lost: Set[object], loop: Path) -> bool:
        """Tell whether a need costs nothing more: it is never lost, or needed without this."""
        if isinstance(need, Content):
            return need.site not in lost or need.site in self.demands.sites
        if need not in lost or need in self.demands.wanted or need in self.saved:
            return True
        if self.index.is_counter(need, self.index.owner(need)):
            return True
        if not is_within(self.index.owner(need), loop):
            return False
        let = self.index.definition(need, self.index.owners[need])
        return let is not None and not self.is_costly(need, let)

    def is_costly(self, variable: Variable, let: Let) -> bool:
        """Tell whether it costs more to have a value again: the forward sweep computes it, too."""
        if variable not in self.demanded:
            return False
        costs = {self.cost(node) for node in nodes(let.value)}
        if "costly" in costs:
            return True
        if is_integer(let.value.type) and "lengthy" not in costs:  # a position
            return False
        is_worth = "lengthy" in costs or _is_small(let.value) or _is_summed(let.value)
        is_worth &= self.cost(let.value) != "free" or self.is_looked_up(let.value)
        return is_worth and self.is_saved_along(variable, let)

    def is_looked_up(self, value: Expr) -> bool:
        """Tell whether a number is looked up under a key, or at a place: unit["area"], w[i].

        What a loop goes through is there: a of `for a in xs`, b of `for a, b in pairs`.
        """
        if value.op != "subscript" or not isinstance(value.type, Number):
            return False
        base, index = value.args
        if self.is_gone_through(value):
            return False
        is_row = isinstance(base.type, Array) and base.type.rank == 1
        return is_container(base.type) or (is_row and index.op != "constant")

    def is_gone_through(self, value: Expr) -> bool:
        """Tell whether a value is an item of what a loop goes through, or a part of one."""
        if value.op == "name":
            let = self.index.definition(value.data, self.index.owner(value.data))
            return let is not None and self.is_gone_through(let.value)
        if value.op != "subscript":
            return False
        base, index = value.args
        is_item = index.op == "name" and self.index.counts(index.data)
        return is_item or (index.op == "constant" and self.is_gone_through(base))

    def is_saved_along(self, variable: Variable, let: Let) -> bool:
        """Tell whether a value with a name is one more of what its pass saves.

        A function of numbers takes longer than to save what it gives: where several read that, too.
        """
        block = self.index.owner(variable)
        is_called = let.value.op == "call" and isinstance(let.value.type, Number)
        is_asked = is_called and len(self.readers_in(block).get(variable, ())) > 1
        is_asked |= variable.role is Role.PRIMAL or _is_summed(let.value)
        is_asked |= self.is_lengthy_array(let.value) and block not in self.states
        return is_asked and block in self.saving

    def passes_that_save(self) -> set[Path]:
        """Return the blocks of loops that save something at their ends.

        A pass that may be left saves each value by itself: there it is no less than to compute it.
        """
        found = {path[:-1] for path in self.lost} | self.passes_of_numbers()
        found |= self.passes_of_lengthy_arrays()
        costly = {r.variable for r, _ in self.again.values() if r.value is None} - self.tried
        found = (found | {self.index.owner(v) for v in costly}) - self.saving
        found = {block for block in found if self.index.loop_of(block) is not None}
        return {block for block in found if not may_be_left(self.index.block_at(block))}

    def passes_of_numbers(self) -> set[Path]:
        """Return the blocks that compute several numbers with a name again, and save none so far."""
        again = [r.variable for r, _ in self.again.values() if r.value is not None]
        lets = ((v, self.index.definition(v, self.index.owner(v))) for v in again)
        counts = Counter(
            self.index.owner(v)
            for v, let in lets
            if let is not None and v.role is Role.PRIMAL and v in self.demanded
            if _is_small(let.value) and self.cost(let.value) != "free"
        )
        return {block for block, count in counts.items() if count >= FEW}

    def passes_of_states(self) -> set[Path]:
        """Return the blocks that save arrays which the next pass changes: what has no name is computed of them."""
        lets = ((path, self.index.by_path[path].statement) for path in self.lost)
        found = {p[:-1] for p, s in lets if isinstance(s, Let) and isinstance(s.value.type, Array)}
        return found | {path[:-1] for path in self.overwritten}

    def passes_of_lengthy_arrays(self) -> set[Path]:
        """Return the blocks that compute arrays again of which each element takes long."""
        again = [r.variable for r, _ in self.again.values() if r.value is not None]
        lets = ((v, self.index.definition(v, self.index.owner(v))) for v in again)
        return {
            self.index.owner(v)
            for v, let in lets
            if let is not None and v in self.demanded and self.is_lengthy_array(let.value)
        }

    def is_lengthy_array(self, value: Expr) -> bool:
        return isinstance(value.type, Array) and self.cost(value) == "lengthy"


def _is_small(value: Expr) -> bool:
    """Tell whether a value is a number, or an array of few elements."""
    match value.type:
        case Array(_, lengths):
            is_known = all(n is not None and n.is_literal for n in lengths)
            return is_known and prod(n.constant for n in lengths if n is not None) <= FEW_ELEMENTS
    return isinstance(value.type, Number)


def _taken_of(value: Expr) -> tuple[Variable, int] | None:
    """Return the array of few elements that a value is one of, and how many: q, 4 of q[2]."""
    match value:
        case Expr("subscript", (Expr("name", data=array, type=Array(_, (Length() as n,))), index)):
            is_one = index.op == "constant" and n.is_literal and 1 < n.constant <= FEW_ELEMENTS
            return (array, n.constant) if is_one else None
    return None


def _saved_types(target: Expr) -> tuple[Type, Type]:
    """Return the type of what is saved of a store, and of the array of which it is all but the edges."""
    if target.op != "subscript" or not all(map(is_but_edges, index_parts(target.args[1]))):
        return target.type, target.type
    return target.type, target.args[0].type


def is_but_edges(part: Expr) -> bool:
    """Tell whether a part of an index leaves out a few at the ends: 1:-1."""
    if part.op != "slice":
        return False
    lower, upper, step = part.args
    first, last = (0 if is_none(each) else literal_position(each) for each in (lower, upper))
    if first is None or last is None or not is_none(step):
        return False
    return 0 <= first <= MOST_EDGES and -MOST_EDGES <= last <= 0


def _is_summed(value: Expr) -> bool:
    """Tell whether a call gives an array of fewer axes, or of length one, than what it goes through."""
    match value:
        case Expr(
            "call", (Expr("attribute", (through,)), *_) | (_, through, *_), type=Array() as found
        ):
            if isinstance(through.type, Array) and None not in through.type.lengths:
                long, short = (
                    Counter(n for n in t.lengths if n != ONE) for t in (through.type, found)
                )
                return short < long
    return False


def _is_of_positions(made: Expr) -> bool:
    """Tell whether a list of whole numbers is made, which has no shadow: [k, k + 1], list(range(k))."""
    if calls(made, list) and len(made.args) == 2:
        return calls(made.args[1], range)
    items = made.args if made.op == "list" else made.args[:1] if made.op == "comprehension" else ()
    types = [each.type for each in items]
    return bool(types) and all(isinstance(t, Number) and t.dtype[0] in "iu" for t in types)


def _is_part(expr: Expr) -> bool:
    """Tell whether an expression is a name, or what stands in a container: the same object again."""
    while expr.op in ("subscript", "attribute") and is_container(expr.args[0].type):
        expr = expr.args[0]
    return expr.op == "name"


def _with(needs: Needs, *more: Needs) -> Needs:
    """Return needs with some more; the same set where they are there already."""
    missing = [each for each in more if not each <= needs]
    return needs.union(*missing) if missing else needs


def _of_other_names(needs: Needs, rebound: tuple[Variable, ...]) -> Needs:
    """Return needs in which memory that a name stood for until now is not looked for under that name."""
    if not rebound:
        return needs
    gone = {n for n in needs if isinstance(n, Content) and n.variable in rebound}
    return (needs - gone) | {Content(n.site, older=n.older) for n in gone} if gone else needs


def _has_exchange(step: Step) -> bool:
    inner = (s for block in step.blocks for _, s in walk(block))
    return any(s.statement is not None and is_exchange(s.statement) for s in inner)


# what may be saved in place of other values, and when that is better; a later one sees what is decided
ALTERNATIVES = (
    (_Planner.taken_apart, _Planner.saves_fewer_than),
    (_Planner.sources_of_several, _Planner.saves_fewer_alike),
    (_Planner.computed_of_saved, _Planner.saves_less_than),
    (_Planner.lengthy_of_saved, _Planner.saves_no_more_than),
)
