"""The decisions of the reverse sweep as rows of a table, and the peak of memory they lead to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.api.display.explanation import Explanation, Row, Size
from s2sad.legacy.callee import Callees
from s2sad.legacy.checkpoint import Plan, table
from s2sad.legacy.derive import Derived
from s2sad.legacy.explain.sizes import Lengths, lengths, total
from s2sad.legacy.explain.working import Memory
from s2sad.legacy.facts.device import is_on_device
from s2sad.legacy.homes import Path
from s2sad.legacy.modules.waits import waits_of
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import Assign, Loop, Program, Stmt, Var, base, is_temp
from s2sad.legacy.schedules.outline import NAMELESS, Steps, swept_of
from s2sad.legacy.schedules.steps import seeds_of
from s2sad.legacy.traverse import statements
from s2sad.operators.schedules import All, Binomial, Disk, Every, Recompute, Schedule, Sqrt


def explained(
    primal: Primal, derived: Derived, callees: Callees, given: Mapping[str, Any]
) -> Explanation:
    """Return what a derivative keeps, saves and computes again, for arguments."""
    sizes = lengths(primal.program, given, primal.facts.of)
    rows = list(_rows(derived.plan, sizes))
    rows += [_row_of(steps, sizes) for steps in callees.steps]
    rows += [row for steps in callees.steps for row in _rows_of_files(steps, sizes)]
    for steps in callees.steps:
        rows += _rows(steps.rev_derived.plan, sizes)
    saved = [row.size for row in rows if row.how in ("saved", "states")]
    known = all(size.number is not None for size in saved) and not _loops_in_calls(callees)
    peak = predicted(primal, derived, callees, sizes) if known else None
    ordered = sorted(rows, key=lambda row: row.line)
    formula = " + ".join(dict.fromkeys(size.formula for size in saved if size.number != 0))
    waits = waits_of(derived.program, derived.known) if is_on_device() else ()
    return Explanation(tuple(ordered), peak, formula, waits)


def _loops_in_calls(callees: Callees) -> bool:
    """Tell whether called functions have loops: what these save depends on each of the calls."""
    made = (each.program.body for _, each, _ in callees.made.values())
    inside = (s for body in made for s in statements(body))
    return any(isinstance(s, Loop) or _is_swept(s) for s in inside)


def _is_swept(stmt: Stmt) -> bool:
    return isinstance(stmt, Assign) and swept_of(stmt.value) is not None


def _rows(plan: Plan | None, sizes: Lengths) -> Iterator[Row]:
    if plan is None:
        return
    loops = {s.key: s for s in statements(plan.program.body) if isinstance(s, Loop)}
    for var, decision in table(plan):
        if base(var.slot) == NAMELESS:
            continue  # the states of a loop have a row of their own
        home = plan.homes[var]
        line = home.stmt.span.line if home.stmt is not None else 0
        size = sizes.bytes_of(plan.fact(var))
        if decision.how == "saved":
            size = _passes(home.path, loops, sizes).times(size)
        name = f"a part of {base(var.slot)}" if is_temp(var.slot) else base(var.slot)
        yield Row(line, name, decision.how, size, decision.why)


def _passes(path: Path, loops: Mapping[int, Loop], sizes: Lengths) -> Size:
    whole = Size("1", 1)
    for kind, key in path:
        if kind == "loop":
            whole = whole.times(sizes.passes_of(loops[key].iterable))
    return whole


# ---------------------------------------------------------------- states of scheduled loops


def _row_of(steps: Steps, sizes: Lengths) -> Row:
    loop = steps.outline.loop
    names = ", ".join(base(each.head.slot) for each in steps.kept)
    passes = _passes_of(steps, sizes)
    count = Size(*_states(steps.schedule, passes))
    size = count.times(_state(steps, sizes))
    return Row(loop.span.line, names, "states", size, f"asked for: {steps.schedule!r}")


def _rows_of_files(steps: Steps, sizes: Lengths) -> Iterator[Row]:
    """Yield the row of what a loop writes to files, where it does."""
    schedule, passes = steps.schedule, _passes_of(steps, sizes)
    if isinstance(schedule, Disk):
        names = ", ".join(base(each.head.slot) for each in steps.kept)
        often = schedule.every or (math.isqrt(int(passes.number or 0)) or 1)
        number = None if passes.number is None else math.ceil(passes.number / often)
        shown = f"sqrt({passes.formula})" if schedule.every is None else ""
        count = Size(shown or f"({passes.formula} / {schedule.every})", number)
        size, why = count.times(_state(steps, sizes)), f"asked for: {schedule!r}"
        yield Row(steps.outline.loop.span.line, names, "on disk", size, why)


def _passes_of(steps: Steps, sizes: Lengths) -> Size:
    outline = steps.outline
    return sizes.passes_of(None if outline.passes is not None else outline.loop.iterable)


def _state(steps: Steps, sizes: Lengths) -> Size:
    return total(sizes.bytes_of(steps.step_derived.known(each.head)) for each in steps.kept)


def _states(schedule: Schedule, passes: Size) -> tuple[str, float | None]:
    """Return how many states a schedule keeps at most, as a formula and a number."""
    n, shown = passes.number, passes.formula
    match schedule:
        case All():
            return shown, n
        case Sqrt():
            return f"2 * sqrt({shown})", n and _at_once(n, max(1, math.isqrt(int(n))))
        case Every(k):
            return f"({shown} / {k} + {k})", n and _at_once(n, k)
        case Disk(_, every):
            stride = every or (max(1, math.isqrt(int(n))) if n is not None else 1)
            return str(every or f"sqrt({shown})"), None if n is None else min(stride, n)
        case Binomial(slots):
            return str(slots + 1), slots + 1 if n is None else min(slots + 1, n)
        case Recompute():
            return "2", 2


def _at_once(passes: float, stride: int) -> float:
    """Return how many states there are at most, while the last passes are reversed or those before."""
    kept = math.ceil(passes / stride)
    last = passes - (kept - 1) * stride
    return max(kept, kept - 1 + last, kept - 2 + stride)


# ---------------------------------------------------------------- the peak


def predicted(primal: Primal, derived: Derived, callees: Callees, sizes: Lengths) -> float:
    """Return the most bytes that a derivative has at one time."""
    called: dict[str, float] = {}
    states: dict[str, float] = {}
    for written, each, _ in callees.made.values():
        called[written.name] = _work(each, primal, sizes, called, states)
    for steps in callees.steps:
        step = _work(steps.step_derived, primal, sizes, called, states)
        back = _work(steps.rev_derived, primal, sizes, called, states)
        state = _state(steps, sizes).number or 0.0
        states[steps.swept.name] = _row_of(steps, sizes).size.number or 0.0
        called[steps.swept.name] = step + state + states[steps.swept.name]
        assert steps.swept.reverse is not None
        handed, copied = _adjoints(steps, sizes)
        later = max(step, back) + state
        called[steps.swept.reverse.name] = handed + max(later, copied)
    return _work(derived, primal, sizes, called, states)


def _adjoints(steps: Steps, sizes: Lengths) -> tuple[float, float]:
    """Return the bytes of the adjoints that a loop hands on, and of those it begins by copying."""
    known = steps.rev_derived.known
    found = {
        bar.slot: sizes.bytes_of(known(bar)).number or 0.0 for _, bar in seeds_of(steps.outline)
    }
    return sum(found.values()), sum(found[slot] for slot in steps.written)


def _work(
    derived: Derived,
    primal: Primal,
    sizes: Lengths,
    called: Mapping[str, float],
    states: Mapping[str, float],
) -> float:
    program = derived.program
    kept = dict(_kept(program, states))
    memory = Memory(program, derived.known, primal.facts, sizes, called, kept)
    return memory.most + memory.saved


def _kept(program: Program, states: Mapping[str, float]) -> Iterator[tuple[Var, float]]:
    for stmt in statements(program.body):
        swept = swept_of(stmt.value) if isinstance(stmt, Assign) else None
        if swept is not None and isinstance(stmt, Assign):
            yield stmt.targets[-1], states.get(swept.name, 0.0)
