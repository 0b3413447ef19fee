"""Which states of a flow are read, where the solver chose the times: those at its ends alone.

sol = solve_ivp(f, (0.0, 1.0), y0)    sol.y[:, -1]    has a tangent
                                      sol.y[:, 3]     has none: the time of the step moves, too
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sad.ir.errors import NoRule, S2sadError
from s2sad.legacy.activity import flow
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import NONE, Assign, Attr, Const, Expr, Op, Program, Stmt, Var
from s2sad.legacy.solvers.task import task_of
from s2sad.legacy.traverse import expressions, statements, transform

Ask = Callable[[Expr], Fact]
# along which axis the times of a value lie: of how many axes, and which of them
Times = Mapping[Var, tuple[int, int]]
STATES, TURNED, ROW = (2, 1), (2, 0), (1, 0)
ENDS = (Const(0), Const(-1), Op("u-", (Const(1),)))
GONE = Const(0.0)


def between(program: Program, active: frozenset[Var], fact: Ask) -> list[S2sadError]:
    """Return what is read of active states at times which the solver chose."""
    times: dict[Var, tuple[int, int]] = {}
    found: list[S2sadError] = []
    for stmt in statements(program.body):
        if isinstance(stmt, Assign) and stmt.targets[0] in active and _is_own(stmt.value):
            times[stmt.targets[0]] = STATES
        elif times and not _is_seen_otherwise(stmt, times, fact):
            flows = (_flows(each, times, fact) for each in expressions(stmt))
            found += [_refused(stmt)] * any(flows)
    if _flows(program.result, times, fact):
        found.append(_refused(program))
    return found


def _is_own(value: Expr) -> bool:
    """Tell whether a value is the states of a flow at the steps that its solver took."""
    task = task_of(value)
    own = task is not None and task.name == "integrate.solve_ivp"
    return own and task.given.get("t_eval", NONE) == NONE  # type: ignore[union-attr]


def _is_seen_otherwise(stmt: Stmt, times: dict[Var, tuple[int, int]], fact: Ask) -> bool:
    """Note another name, the transpose or a row of states; tell whether it is one."""
    if not isinstance(stmt, Assign):
        return False
    seen = None
    match stmt.value:
        case Var() as var if stmt.unpack:
            seen = ROW if times.get(var) == STATES else None
        case Var() as var:
            seen = times.get(var)
        case Attr(Var() as var, "T") if times.get(var) == STATES:
            seen = TURNED
        case Op("index", (Var() as var, key)) if times.get(var) == STATES:
            seen = ROW if fact(key).kind == "int" or isinstance(key, Const) else None
    if seen is not None:
        times.update(dict.fromkeys(stmt.targets, seen))
    return seen is not None


def _flows(expr: Expr, times: Times, fact: Ask) -> bool:
    """Tell whether a derivative flows through states that are not those at the ends."""
    if not times:
        return False

    def put(part: Expr) -> Expr:
        return GONE if _is_at_an_end(part, times) else part

    return any(var in times for var in flow(transform(expr, put), fact))


def _is_at_an_end(part: Expr, times: Times) -> bool:
    match part:
        case Op("index", (Var() as var, key)) if var in times:
            rank, axis = times[var]
            keys = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
            return len(keys) in (axis + 1, rank) and keys[axis] in ENDS
    return False


def _refused(place: Stmt | Program) -> NoRule:
    return NoRule(
        "the solver chose these times, which move too",
        place.span,
        "Read the first or the last state, as in sol.y[:, -1], or give t_eval.",
    )
