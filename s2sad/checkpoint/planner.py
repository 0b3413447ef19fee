"""What a plan is made of, and what is decided so far while it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from s2sad.checkpoint.indexed import Index
from s2sad.checkpoint.needs import Content, Forward, Need, Needs, Sources, reads_beside, sources
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.records import dataclass, field
from s2sad.reverse.sweep import Path

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


@dataclass(frozen=True, slots=True)
class Demands:
    """What the reverse sweep reads, whatever is decided: `wanted`, of which `sites` are memory.

    `kept` is what the forward sweep has to compute for its own sake.
    """

    wanted: Needs
    sites: frozenset[object]
    sources: Sources
    kept: frozenset[Variable]


def demands(index: Index, forward: Forward) -> Demands:
    """Return what reverse code reads, be it new, put back, or the head of what is turned."""
    wanted: set[Need] = set()
    for step in index.by_path.values():
        code = (*step.new, *step.old)
        wanted |= forward.of_code(code)
        if step.is_turned:
            wanted |= reads_beside(step, forward)
    kept = {need for need in wanted if isinstance(need, Variable) and _is_kept(need, index)}
    sites = frozenset(n.site for n in wanted if isinstance(n, Content))
    of, known = sources(index.steps), frozenset(kept)
    return Demands(frozenset(wanted), sites, of, known)


def _is_kept(variable: Variable, index: Index) -> bool:
    """Tell whether what is needed is kept: it is carried along, or there at the end."""
    block = index.owner(variable)
    return index.loop_of(block) is None or index.definition(variable, block) is None


@dataclass(slots=True)
class Planner:
    """What is decided so far; each round of the walk finds more, until two rounds agree.

    As in a Plan are `lost`, `overwritten`, `inverted` and `again`. `saved` are variables that are
    saved whatever they cost, `tried` those that were to be computed again in some round. Of this
    round, `ends` has what is needed at the end of each block and `heads` at the start of each
    pass. `extra` is read at a point to have values again, `extra_at` where each is read for that.
    `saving` are the passes that save something, `states` those that save arrays the next one
    changes; `demanded` is computed by the forward sweep in any case. `steady` and `reads` keep
    what was found out once: whether each pass computes the same, and where a block reads what.
    """

    index: Index
    forward: Forward
    cost: Cost
    demands: Demands
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

    def saving_too(self, more: Set[Variable]) -> Planner:
        """Return a planner that begins anew, and saves more variables."""
        return Planner(self.index, self.forward, self.cost, self.demands, self.saved | more)

    def saved_in_passes(self) -> tuple[Variable, ...]:
        """Return the values of one pass that are saved."""
        return tuple(r.variable for r, _ in self.again.values() if r.value is None)
