"""Assignments with their tangents: of one value or several, of calls and of what solvers find."""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy import solvers
from s2sad.legacy.activity import flow
from s2sad.legacy.adjoint_shapes import refuse_other_ranks
from s2sad.legacy.calls import is_python
from s2sad.legacy.contribute import zero_like
from s2sad.legacy.facts.fact import tuple_of
from s2sad.legacy.forward.state import Tangents, still
from s2sad.legacy.forward.values import dots_of, is_left_to_twin, part_of, tangent_of
from s2sad.legacy.program import Assign, Call, Const, Expr, Op, Ref, Var, base, dot
from s2sad.legacy.pulled import bound_arguments, results_of_call
from s2sad.legacy.refusals import missing_rule, not_differentiated
from s2sad.legacy.rules import Match, find
from s2sad.legacy.traverse import reads, substitute
from s2sad.legacy.twins import twin_of
from s2sad.operators.custom import Custom, custom_of, name_of
from s2sad.source.text import signature_of


def assign(state: Tangents, stmt: Assign) -> None:
    if stmt.target not in state.active:
        state.emit(stmt)
        return
    if not any(var in state.active for var in flow(stmt.value, state.facts.expr)):
        state.emit(stmt)
        still(state, stmt.target, stmt.span)
        return
    if _solved(state, stmt):
        return
    if isinstance(stmt.value, Call):
        match_ = find(stmt.value, state.facts.expr)
        if match_ is None or is_left_to_twin(state, match_, stmt.value):
            _call(state, stmt)
            return
    value = tangent_of(state, stmt.target, stmt.value, stmt.span)
    made = state.of(stmt.target)
    if stmt.target not in set(reads(value)):
        state.emit(Assign((made,), value, stmt.span))
        state.emit(stmt)
    elif not any(var.slot == stmt.target.slot for var in reads(value) if var != stmt.target):
        state.emit(stmt)
        state.emit(Assign((made,), value, stmt.span))
    else:
        # the tangent reads both the old value of this name and the new one
        temp = state.numbers.temp(base(stmt.target.slot))
        state.known[temp] = state.facts.of(stmt.target)
        state.emit(Assign((temp,), stmt.value, stmt.span))
        value = substitute(value, lambda var: temp if var == stmt.target else var)
        state.emit(Assign((made,), value, stmt.span))
        state.emit(Assign((stmt.target,), temp, stmt.span))


def unpack(state: Tangents, stmt: Assign) -> None:
    live = [target for target in stmt.targets if target in state.active]
    value = stmt.value
    if not live:
        state.emit(stmt)
    elif not any(var in state.active for var in flow(value, state.facts.expr)):
        state.emit(stmt)
        for target in live:
            still(state, target, stmt.span)
    elif isinstance(value, Op) and value.op in ("tuple", "list"):
        pairs = [(t, v) for t, v in zip(stmt.targets, value.args, strict=True) if t in live]
        dots = tuple(part_of(state, v, state.out, stmt.span) for _, v in pairs)
        targets = tuple(state.of(t) for t, _ in pairs)
        state.emit(Assign(targets, Op("tuple", dots), stmt.span, unpack=True))
        state.emit(stmt)
    elif _solved(state, stmt):
        return
    elif (
        (match_ := find(value, state.facts.expr)) is not None
        and match_.several
        and not is_left_to_twin(state, match_, value)
    ):
        _unpack_by_rule(state, stmt, match_)
    elif isinstance(value, Call):
        _call(state, stmt)
    elif isinstance(value, Var):
        for position, target in enumerate(stmt.targets):
            if target in live:
                part = Op("index", (state.of(value), Const(position)))
                state.emit(Assign((state.of(target),), part, stmt.span))
        state.emit(stmt)
    else:
        raise missing_rule(value, stmt.span)


def _solved(state: Tangents, stmt: Assign) -> bool:
    """Give what a solver finds its tangent; an error estimate beside it does not vary."""
    printed = solvers.again_of(stmt.value)
    if printed is not None:
        state.emit(stmt)
        for target, move in solvers.ahead_again(state, printed, stmt.targets, stmt.span):
            state.emit(Assign((state.of(target),), move, stmt.span))
        return True
    task = solvers.task_of(stmt.value)
    if task is None:
        return False
    state.emit(stmt)
    tangent = solvers.ahead(state, task, stmt.targets, stmt.span)
    if tangent is None:
        raise missing_rule(stmt.value, stmt.span)
    state.emit(Assign((state.of(stmt.targets[0]),), tangent, stmt.span))
    for target in stmt.targets[1:]:
        if target in state.active:
            solvers.refuse_further(task, stmt.span)
            still(state, target, stmt.span)
    return True


def _unpack_by_rule(state: Tangents, stmt: Assign, match_: Match) -> None:
    """Give each of several results of one operation its tangent."""
    live = [target for target in stmt.targets if target in state.active]
    slots = {var.slot for var in reads(stmt.value)}
    crossing = any(target.slot in slots for target in stmt.targets)
    values = {target: _aside(state, target, crossing, target) for target in stmt.targets}
    tangents = {target: _aside(state, target, crossing, state.of(target)) for target in live}
    y = Op("tuple", tuple(values.values()))
    state.emit(Assign(tuple(values.values()), stmt.value, stmt.span, unpack=True))
    dots = dots_of(state, match_, stmt.span)
    parts = match_.part_tangents(y, dots)
    if match_.parted:
        for target, made in tangents.items():
            zero = zero_like(values[target], state.facts.of(target))
            value = parts.get(stmt.targets.index(target), zero)
            state.emit(Assign((made,), value, stmt.span))
    else:
        every = tuple(tangents.get(t) or state.numbers.temp(base(t.slot)) for t in stmt.targets)
        tangent = match_.tangents(y, dots)
        assert tangent is not None
        state.emit(Assign(every, tangent, stmt.span, unpack=True))
    if crossing:
        moved = [(target, values[target]) for target in stmt.targets]
        moved += [(state.of(target), made) for target, made in tangents.items()]
        for target, made in moved:
            state.emit(Assign((target,), made, stmt.span))


def _aside(state: Tangents, like: Var, crossing: bool, own: Var) -> Var:
    """Return `own`, or a temporary where the statement still reads what `own` replaces."""
    if not crossing:
        return own
    made = state.numbers.temp(base(like.slot))
    state.known[made] = state.facts.of(like)
    return made


def _call(state: Tangents, stmt: Assign) -> None:
    """Call the function that gives the callee's value and tangent."""
    assert isinstance(stmt.value, Call)
    call = twin_of(stmt.value, state.facts.expr)
    bound: Mapping[str, Expr] = bound_arguments(call, stmt.span) if is_python(call.func) else {}
    wrt = tuple(n for n, v in bound.items() if isinstance(v, Var) and v in state.active)
    for name, value in bound.items():
        if not isinstance(value, Var) and any(
            v in state.active for v in flow(value, state.facts.expr)
        ):
            raise not_differentiated(value, stmt.span, name)
    if bound and (custom := custom_of(call.func.value)) is not None:  # type: ignore[union-attr]
        _by_own_forward(state, stmt, call, custom, bound)
        return
    given = {name: state.facts.expr(value) for name, value in bound.items()}
    made = state.callees.forward(call, wrt, given, stmt.span) if bound else None
    if made is None:
        raise missing_rule(call, stmt.span)
    written, params = made
    # tangents stand between the parameters by position and those by name
    every = {**bound, **{dot(name): state.of(bound[name]) for name in wrt}}  # type: ignore[arg-type]
    args = [every[param] for param in params]
    live = tuple(state.of(target) for target in stmt.targets)
    for tangent, target in zip(live, stmt.targets, strict=True):
        state.known[tangent] = state.facts.of(target)
    value = Call(Ref(written.name, written), tuple(args))
    count = results_of_call(call.func.value)  # type: ignore[union-attr]
    if stmt.unpack == (count is not None):
        state.emit(Assign((*stmt.targets, *live), value, stmt.span, unpack=True))
        return
    # the results are taken apart where the function does not, or kept in one tuple
    temps = [state.numbers.temp(base(stmt.targets[0].slot)) for _ in range(2 * (count or 1))]
    state.emit(Assign(tuple(temps), value, stmt.span, unpack=True))
    half = len(temps) // 2
    for targets, parts in ((stmt.targets, temps[:half]), (live, temps[half:])):
        whole = parts[0] if count is None else Op("tuple", tuple(parts))
        state.emit(Assign(targets, whole, stmt.span, unpack=stmt.unpack))


def _by_own_forward(
    state: Tangents, stmt: Assign, call: Call, custom: Custom, bound: Mapping[str, Expr]
) -> None:
    """Call the forward derivative that a function was given."""
    assert isinstance(call.func, Ref)
    function = call.func.value
    if custom.forward is None:
        raise Unsupported(
            f"{function.__name__} was given a reverse derivative, but no forward one",
            stmt.span,
            "Give it custom_derivative(reverse=..., forward=...), or differentiate in reverse.",
        )
    args = [bound[name] for name in signature_of(function).parameters]
    dots = [_dot_of(state, arg, stmt.span) for arg in args]
    slots = {var.slot for arg in args for var in reads(arg)}
    crossing = any(target.slot in slots for target in stmt.targets)
    values = tuple(_aside(state, target, crossing, target) for target in stmt.targets)
    made = tuple(state.of(target) for target in stmt.targets)
    y = Op("tuple", values) if stmt.unpack else values[0]
    own = Ref(name_of(custom.forward, function, "forward"), custom.forward)
    tangent = Call(own, (*args, y, *dots))
    wanted = [state.facts.of(target) for target in stmt.targets]
    held = [state.facts.expr(arg) for arg in args]
    whole = tuple_of(wanted) if stmt.unpack else wanted[0]
    names = [base(target.slot) for target in stmt.targets]
    refuse_other_ranks(custom.forward, [*held, whole, *held], names, wanted, stmt.span)
    state.emit(Assign(values, call, stmt.span, unpack=stmt.unpack))
    state.emit(Assign(made, tangent, stmt.span, unpack=stmt.unpack))
    for target, value in zip(stmt.targets, values, strict=True):
        if crossing:
            state.emit(Assign((target,), value, stmt.span))


def _dot_of(state: Tangents, arg: Expr, span: Span) -> Expr:
    return state.or_zero(arg, state.out, span) if isinstance(arg, Var) else Const(0.0)
