"""What the forward sweep loses of what the reverse sweep needs: a walk from its start to its end.

x = x + f(x)    the old x is needed and lost here
u[k] = c        an element is needed, and lost unless it is another one
for ...         what a pass needs is needed at the end of the one before it
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.containers import is_container
from s2sad.analysis.gaps import is_all
from s2sad.analysis.places import is_within
from s2sad.analysis.pointers import stored_base
from s2sad.analysis.tuples import is_exchange
from s2sad.checkpoint.needs import NOTHING, Content, Need, Needs, places_written, surely_apart
from s2sad.checkpoint.passes import (
    after_loop,
    are_apart_in_passes,
    of_earlier_pass,
    told_by,
    where_tested,
)
from s2sad.checkpoint.planner import AFTER, BEFORE, Planner
from s2sad.checkpoint.reverse_reads import (
    beside,
    extras,
    places_of,
    places_of_operation,
    read_after,
    read_before,
)
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, name
from s2sad.ir.program import For, If, Let, RegionOp, Statement, Store, Try, While
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import bound, is_gone_through, read_variables
from s2sad.reverse.sweep import Path, Step, Steps, walk


def needed_after(planner: Planner, steps: Steps, needs: Needs, block: Path) -> Needs:
    """Return what is needed at the end of a block; note what is lost on the way."""
    for position, step in enumerate(steps):
        needs = _after_step(planner, step, needs, (*block, position))
    planner.ends[block] = needs
    return needs


def _after_step(planner: Planner, step: Step, needs: Needs, path: Path) -> Needs:
    statement = step.statement
    needs = _with(needs, planner.forward.of_code(step.old), extras(planner, path, BEFORE))
    match statement:
        case If():
            needs = NOTHING.union(*_arms(planner, step, statement, needs, path))
        case For() | While():
            needs = _loop(planner, step, needs, path)
        case _ if is_gone_through(statement):
            needs = needed_after(planner, step.blocks[0], needs, (*path, 0))
        case Store():
            needs = _store(planner, step, statement, needs, path)
        case RegionOp():
            needs = _operation(planner, statement, needs, path)
        case None:
            pass
        case _:
            needs = _simple(planner, step, needs, path)
    more = planner.forward.of_code(step.new), extras(planner, path, AFTER)
    return _with(needs, beside(planner, step, path), *more)


def _arms(planner: Planner, step: Step, branch: If, needs: Needs, path: Path) -> Iterator[Needs]:
    """Yield what is needed at the end of each arm of a branch; its test may tell that positions are counted."""
    for k, block in enumerate(step.blocks):
        end = needed_after(planner, block, needs, (*path, k))
        bound_here = planner.index.changes_in((*path, k)).keys()
        facts = tuple(f for f in told_by(branch.test, not k) if f.variables.isdisjoint(bound_here))
        yield frozenset(
            where_tested(n, facts) if isinstance(n, Content) and n not in needs else n for n in end
        )


def _simple(planner: Planner, step: Step, needs: Needs, path: Path) -> Needs:
    """What a statement loses is saved before it; a try is one: who knows how far it came?"""
    statement = step.statement
    assert statement is not None
    if isinstance(statement, Let) and is_exchange(statement):
        names = frozenset(bound(statement))
        return needs | names if needs & names else needs
    changed = planner.forward.changed((step,))
    sites = [each for each in changed if not isinstance(each, Variable)]
    if sites and any(isinstance(n, Content) and n.site in sites for n in needs):
        if not places_written(step, planner.forward):
            kind = "try" if isinstance(statement, Try) else "call"
            raise NotYet(f"a {kind} that overwrites what the reverse sweep needs", statement.span)
        planner.overwritten.add(path)
    rebound = tuple(filter(planner.forward.is_read, bound(statement)))
    needs = _of_other_names(_without(planner, changed, needs, path), rebound)
    needs = _with_new_memory(planner, statement, needs)
    return needs | places_of(planner, step) if path in planner.overwritten else needs


def _with_new_memory(planner: Planner, statement: Statement, needs: Needs) -> Needs:
    """Return needs in which what a statement has made before is older than what it makes now."""
    names = bound(statement) if isinstance(statement, Let) else ()
    made = {planner.index.made_by(variable) for variable in names} & planner.forward.read
    if not made:
        return needs
    before = {n for n in needs if isinstance(n, Content) and n.site in made and not n.older}
    return (needs - before) | {replace(n, older=True) for n in before} if before else needs


def _operation(planner: Planner, operation: RegionOp, needs: Needs, path: Path) -> Needs:
    """A list that the reverse sweep reads is put back: what was appended is taken out again."""
    needs = _without(planner, frozenset(bound(operation)), needs, path)
    if not _is_wanted(planner, operation.base):
        return needs
    is_shadow = operation.base.op == "name" and operation.base.data.of is not None
    sites = planner.forward.memory.sites(operation.base)
    if not is_shadow and not any(isinstance(n, Content) and n.site in sites for n in needs):
        return needs  # nothing so far reads it: the reverse sweep has no use for it before
    planner.inverted.add(path)
    return needs | places_of_operation(planner, operation)


def _without(planner: Planner, changed: frozenset[object], needs: Needs, path: Path) -> Needs:
    """Return the needs without what a statement rebinds; note what is lost."""
    killed = frozenset(v for v in changed if isinstance(v, Variable) and v in needs)
    if killed:
        planner.lost.setdefault(path, set()).update(killed)
    return needs - killed if killed else needs


def _is_wanted(planner: Planner, base: Expr) -> bool:
    """Tell whether the reverse sweep reads a list, or the shadow of one."""
    found = set(planner.demands.wanted).union(*planner.extra.values())
    if base.op == "name" and base.data in found and base.data.of is not None:
        return True
    sites = planner.forward.memory.sites(base)
    return any(isinstance(n, Content) and n.site in sites for n in found)


def _store(planner: Planner, step: Step, store: Store, needs: Needs, path: Path) -> Needs:
    sites = planner.forward.memory.sites(stored_base(store))
    lost = [
        n
        for n in needs
        if isinstance(n, Content) and n.site in sites and not _are_apart(planner, n, store, path)
    ]
    is_zero = _is_shadow(planner, store)
    if (lost or _is_shadow_slot(planner, store)) and not is_zero:
        planner.overwritten.add(path)
    if path not in planner.overwritten:
        return needs
    kept = {n for n in needs if isinstance(n, Content) and _is_covered(planner, n, store)}
    return (needs - kept) | places_of(planner, step)


def _are_apart(planner: Planner, need: Content, store: Store, path: Path) -> bool:
    """Tell whether a store surely leaves the elements alone that are needed."""
    base = stored_base(store)
    if base.op == "name" and planner.index.made_by(base.data) == need.site:
        if need.older or planner.index.is_bound_before(need.variable, base.data, path):
            return True
    known = planner.index.counters_at(path)
    return surely_apart(need, store) or are_apart_in_passes(need, store, known)


def _is_shadow(planner: Planner, store: Store) -> bool:
    """Tell whether a store puts zeros into the shadow of a number or a value: they are there anyway."""
    base = stored_base(store)
    if base.op != "name" or base.data.of is None:
        return False
    if isinstance(store.value.type, Array) and is_container(base.type):
        return planner.forward.memory.holds_values(name(base.data.of, base.type))
    return isinstance(store.value.type, Number) and store.value.op == "constant"


def _is_shadow_slot(planner: Planner, store: Store) -> bool:
    """Tell whether a store puts another shadow into the shadow of a list."""
    base = stored_base(store)
    if not is_container(base.type) or base.op != "name":
        return False
    return base.data.of is not None and _is_wanted(planner, base)


def _is_covered(planner: Planner, need: Content, store: Store) -> bool:
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
        planner.index.is_bound_once(v) and not planner.forward.memory.is_memory(v)
        for v in read_variables(index)
    )
    return need.index == index and steady and not need.earlier


def _loop(planner: Planner, step: Step, needs: Needs, path: Path) -> Needs:
    inside = (*path, 0)
    if isinstance(step.statement, For):
        needs = _without(planner, frozenset(bound(step.statement)), needs, path)
    needs = _without(planner, _only_rebound(planner, needs, inside), needs, path)
    own, known = planner.index.targets_of(inside), planner.index.counters_at(inside)
    changed = frozenset(planner.index.changes_in(inside)) | own
    # what an earlier walk found comes first: loops in each other would multiply
    head = needs | planner.heads.get(path, NOTHING)
    while True:
        end = needed_after(planner, step.blocks[0], head, inside)
        carried = frozenset(
            of_earlier_pass(n, changed, own) if isinstance(n, Content) else n
            for n in end
            if not _is_of_one_pass(planner, n, inside)
        )
        if carried <= head:
            planner.heads[path] = head
            return frozenset(
                after_loop(n, own, known) if isinstance(n, Content) else n for n in head
            )
        head |= carried


def _only_rebound(planner: Planner, needs: Needs, loop: Path) -> frozenset[object]:
    """Return what the passes of a loop bind anew, and the reverse of none reads: one value of it is lost."""
    changed = planner.index.changes_in(loop).keys()
    found = {n for n in needs if isinstance(n, Variable) and n in changed}
    for path, step in walk(planner.index.block_at(loop), loop) if found else ():
        found -= read_after(planner, step, path) | read_before(planner, step, path)
    return frozenset(found)


def _is_of_one_pass(planner: Planner, need: Need, loop: Path) -> bool:
    """Tell whether each pass of a loop has its own: it is had again within the pass."""
    if isinstance(need, Variable):
        return need in planner.index.targets_of(loop) or is_within(planner.index.owner(need), loop)
    if "made" not in need.site[:2]:
        return False
    memory = planner.forward.memory
    around = memory.around((need.site,))
    holders = [v for v, sites in memory.points_to.items() if sites & around]
    return bool(holders) and all(is_within(planner.index.owner(v), loop) for v in holders)


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
