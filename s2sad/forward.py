"""A primal Program becomes one that computes value and tangent together.

    y = np.sin(x)        y_dot = np.cos(x) * x_dot
                         y = np.sin(x)

Each active value has a tangent of the same version, of the value's whole shape.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from s2sad import solvers
from s2sad.activity import flow
from s2sad.callee import Callees, bound_arguments, results_of_call
from s2sad.calls import is_python
from s2sad.contribute import SHAPE, zero_like
from s2sad.custom import Custom, custom_of
from s2sad.errors import S2sadError, Span, Unsupported, gather
from s2sad.facts import Fact, Facts, same_shape
from s2sad.fields import is_field
from s2sad.program import (
    Assign,
    Attr,
    Block,
    Call,
    Carried,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Merge,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    dot,
    flat_targets,
    is_temp,
    reads,
    rewrites,
    statements,
    substitute,
)
from s2sad.refusals import missing_rule, no_rule, not_differentiated
from s2sad.rules import Match, find
from s2sad.scope import Numbers
from s2sad.twins import twin_of

LIST = Ref("list", list)
BROADCAST = Ref("np.broadcast_to", np.broadcast_to)


@dataclass
class Tangents:
    """The forward program while it is written."""

    facts: Facts
    active: frozenset[Var]
    numbers: Numbers
    callees: Callees
    moving: frozenset[Var] = frozenset()  # what really varies, of the active values
    out: list[Stmt] = field(default_factory=list)
    known: dict[Var, Fact] = field(default_factory=dict)
    problems: list[S2sadError] = field(default_factory=list)

    def emit(self, stmt: Stmt) -> None:
        """Add a statement."""
        self.out.append(stmt)

    def of(self, var: Var) -> Var:
        """Return the tangent of an active value."""
        made = Var(dot(var.slot), var.version)
        self.known[made] = self.facts.of(var)
        return made

    def or_zero(self, var: Var, out: list[Stmt], span: Span) -> Var:
        """Return the tangent of a value; of an inactive one, zeros that `out` makes."""
        if var in self.active:
            return self.of(var)
        made = self.numbers.next(dot(var.slot))
        self.known[made] = self.facts.of(var)
        out.append(Assign((made,), zero_like(var, self.facts.of(var)), span))
        return made


def tangent_program(
    program: Program, facts: Facts, active: frozenset[Var], numbers: Numbers, callees: Callees
) -> tuple[Block, Tangents]:
    """Return the statements of `program` with those of its tangents."""
    moving, active = active, _with_carriers(program.body, active)
    for var in active:  # tangents have the versions of their values; new ones come after
        slot = dot(var.slot)
        numbers.versions[slot] = max(numbers.versions[slot], numbers.versions[var.slot])
    state = Tangents(facts, active, numbers, callees, moving)
    for param in program.params:
        if param.var in active - moving:
            _still(state, param.var, program.span)
    _walk(state, program.body)
    if state.problems:
        raise gather(state.problems)
    return tuple(state.out), state


def _with_carriers(block: Block, active: frozenset[Var]) -> frozenset[Var]:
    """Add what a loop or a branch hands on as an active value: there its tangent is zero.

    So a tangent is made where its value is, and never after a break.
    """
    found = set(active)
    size = -1
    while size < len(found):
        size = len(found)
        for stmt in statements(block):
            if isinstance(stmt, If):
                for merge in stmt.merges:
                    if merge.out in found:
                        found.update(side for side in (merge.then, merge.orelse) if side)
            elif isinstance(stmt, Loop):
                for each in stmt.carried:
                    if each.head in found or each.exit in found:
                        found.update((each.head, each.end, each.exit))
                        found.update((each.init,) if each.init else ())
            elif isinstance(stmt, Update) and stmt.new in found and not rewrites(stmt):
                found.add(stmt.old)
    return frozenset(found)


def _walk(state: Tangents, block: Block) -> None:
    for stmt in block:
        try:
            _forward(state, stmt)
        except S2sadError as problem:
            state.problems += problem.problems


def _forward(state: Tangents, stmt: Stmt) -> None:
    match stmt:
        case Assign(unpack=True):
            _unpack(state, stmt)
        case Assign():
            _assign(state, stmt)
        case Update():
            _update(state, stmt)
        case Pop(target, new, old, _, index):
            state.emit(stmt)
            if old in state.active:
                made = state.or_zero(target, [], stmt.span)
                left = state.or_zero(new, [], stmt.span)
                state.emit(Pop(made, left, state.of(old), stmt.span, index))
            elif target in state.active:
                _still(state, target, stmt.span)
        case Effect():
            if isinstance(stmt.value, Opaque) and any(
                var in state.moving for _, var in stmt.value.writes
            ):
                raise not_differentiated(stmt.value, stmt.span)
            state.emit(stmt)
            if isinstance(stmt.value, Opaque):
                for _, var in stmt.value.writes:
                    if var in state.active:
                        _still(state, var, stmt.span)
        case If():
            _branch(state, stmt)
        case Loop():
            _loop(state, stmt)
        case _:
            state.emit(stmt)


# ---------------------------------------------------------------- assignments


def _assign(state: Tangents, stmt: Assign) -> None:
    if stmt.target not in state.active:
        state.emit(stmt)
        return
    if not any(var in state.active for var in flow(stmt.value, state.facts.expr)):
        state.emit(stmt)
        _still(state, stmt.target, stmt.span)
        return
    if _solved(state, stmt):
        return
    if _is_call(stmt.value) and find(stmt.value, state.facts.expr) is None:
        _call(state, stmt)
        return
    value = _tangent(state, stmt.target, stmt.value, stmt.span)
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


def _still(state: Tangents, var: Var, span: Span) -> None:
    """Give a value that does not vary the tangent zero."""
    zero = zero_like(var, state.facts.of(var))
    state.emit(Assign((state.of(var),), zero, span))


def _is_call(value: Expr) -> bool:
    return isinstance(value, Call)


def _tangent(state: Tangents, target: Var, value: Expr, span: Span) -> Expr:
    """Return the tangent of `target = value`."""
    match value:
        case Var():
            return state.of(value)
        case Op("index", (Var() as owner, key)):
            return Op("index", (state.of(owner), key))
        case Attr(owner, name) if state.facts.expr(owner).kind == "record":
            return Attr(substitute(owner, state.of), name)
        case Call(Ref("np.copy") as copied, (Attr() as part,)) if is_field(part, state.facts.expr):
            return Call(copied, (substitute(part, state.of),))
        case Op("tuple" | "list" as display, args):
            out: list[Stmt] = []
            parts = tuple(_part(state, arg, out, span) for arg in args)
            state.out += out
            return Op(display, parts)
    match_ = find(value, state.facts.expr)
    if match_ is None:
        raise missing_rule(value, span, state.facts.expr)
    if match_.constant:
        return zero_like(target, state.facts.of(target))
    dots = _dots(state, match_, span)
    if match_.parted:
        return _tuple_of_tangents(state, target, match_.part_tangents(target, dots))
    tangent = match_.tangents(target, dots)
    if tangent is None:
        return zero_like(target, state.facts.of(target))
    return _whole(state, target, tangent)


def _dots(state: Tangents, match_: Match, span: Span) -> dict[str, Expr]:
    """Return the tangents of what a rule's operation varies with."""
    dots = {
        name: _operand_dot(state, operand, span)
        for name, operand in match_.operands.items()
        if any(var in state.active for var in flow(operand, state.facts.expr))
    }
    missing = dots.keys() - match_.differentiable
    if missing:
        raise no_rule(match_, sorted(missing), span)
    return dots


def _tuple_of_tangents(state: Tangents, target: Var, parts: Mapping[int, Expr]) -> Expr:
    """Return the tangent of a tuple of results that stay together."""
    count = len(state.facts.of(target).items) or max(parts) + 1
    every = (Op("index", (target, Const(i))) for i in range(count))
    zeros = (Call(Ref("_zeros_of", "printed"), (part,)) for part in every)
    return Op("tuple", tuple(parts.get(i, zero) for i, zero in enumerate(zeros)))


def _operand_dot(state: Tangents, operand: Expr, span: Span) -> Expr:
    if isinstance(operand, Var):
        return state.of(operand)
    if isinstance(operand, Op) and operand.op in ("tuple", "list"):
        return Op(operand.op, tuple(_part(state, arg, state.out, span) for arg in operand.args))
    raise not_differentiated(operand, span)


def _part(state: Tangents, arg: Expr, out: list[Stmt], span: Span) -> Expr:
    if isinstance(arg, Op) and arg.op == "star":
        raise not_differentiated(arg, span)
    if isinstance(arg, Var):
        return state.or_zero(arg, out, span) if state.facts.of(arg).kind != "str" else arg
    if isinstance(arg, Op) and arg.op in ("tuple", "list", "star"):
        return Op(arg.op, tuple(_part(state, part, out, span) for part in arg.args))
    return Const(0.0)


def _whole(state: Tangents, target: Var, tangent: Expr) -> Expr:
    """Spread a tangent that is smaller than its value: y = x + c of a float x."""
    fact = state.facts.of(target)
    given = state.facts.expr(tangent, state.known)
    if fact.is_scalar or fact.kind in ("list", "tuple", "dict") or same_shape(fact, given):
        return tangent
    if isinstance(fact.shape, tuple) and isinstance(given.shape, tuple):
        if len(fact.shape) == len(given.shape) and not any(
            d.symbol == "" and d.offset == 1 for d in given.shape
        ):
            return tangent
    return Call(BROADCAST, (tangent, Call(SHAPE, (target,))))


def _unpack(state: Tangents, stmt: Assign) -> None:
    live = [target for target in stmt.targets if target in state.active]
    value = stmt.value
    if not live:
        state.emit(stmt)
    elif not any(var in state.active for var in flow(value, state.facts.expr)):
        state.emit(stmt)
        for target in live:
            _still(state, target, stmt.span)
    elif isinstance(value, Op) and value.op in ("tuple", "list"):
        pairs = [(t, v) for t, v in zip(stmt.targets, value.args, strict=True) if t in live]
        dots = tuple(_part(state, v, state.out, stmt.span) for _, v in pairs)
        targets = tuple(state.of(t) for t, _ in pairs)
        state.emit(Assign(targets, Op("tuple", dots), stmt.span, unpack=True))
        state.emit(stmt)
    elif _solved(state, stmt):
        return
    elif (match_ := find(value, state.facts.expr)) is not None and match_.several:
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
    task = solvers.task_of(stmt.value)
    if task is None:
        return False
    state.emit(stmt)
    tangent = solvers.ahead(state, task, stmt.targets[0], stmt.span)
    if tangent is None:
        raise missing_rule(stmt.value, stmt.span)
    state.emit(Assign((state.of(stmt.targets[0]),), tangent, stmt.span))
    for target in stmt.targets[1:]:
        if target in state.active:
            _still(state, target, stmt.span)
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
    dots = _dots(state, match_, stmt.span)
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
    args = [bound[name] for name in inspect.signature(function).parameters]
    dots = [_dot_of(state, arg, stmt.span) for arg in args]
    slots = {var.slot for arg in args for var in reads(arg)}
    crossing = any(target.slot in slots for target in stmt.targets)
    values = tuple(_aside(state, target, crossing, target) for target in stmt.targets)
    made = tuple(state.of(target) for target in stmt.targets)
    y = Op("tuple", values) if stmt.unpack else values[0]
    tangent = Call(Ref(custom.forward.__name__, custom.forward), (*args, y, *dots))
    state.emit(Assign(values, call, stmt.span, unpack=stmt.unpack))
    state.emit(Assign(made, tangent, stmt.span, unpack=stmt.unpack))
    for target, value in zip(stmt.targets, values, strict=True):
        if crossing:
            state.emit(Assign((target,), value, stmt.span))


def _dot_of(state: Tangents, arg: Expr, span: Span) -> Expr:
    return state.or_zero(arg, state.out, span) if isinstance(arg, Var) else Const(0.0)


# ---------------------------------------------------------------- writes in place


def _update(state: Tangents, stmt: Update) -> None:
    if stmt.new not in state.active:
        state.emit(stmt)
        return
    new = state.of(stmt.new)
    if stmt.op in ("append", "insert"):
        old = state.or_zero(stmt.old, state.out, stmt.span)
        value = _appended(state, stmt)
        state.emit(Update(new, old, stmt.index, stmt.op, value, stmt.span))
    elif stmt.index is None:
        _update_whole(state, stmt, new)
    elif rewrites(stmt) and state.facts.of(stmt.old).kind == "list":
        _rewrite(state, stmt, new)
        return
    else:
        _update_element(state, stmt, new)
    state.emit(stmt)


def _rewrite(state: Tangents, stmt: Update, new: Var) -> None:
    """`xs[:] = value` of lists: what was there may have another length."""
    if not (isinstance(stmt.value, Var) and stmt.value in state.active):
        state.emit(stmt)
        _still(state, stmt.new, stmt.span)
        return
    value: Expr = state.of(stmt.value)
    if not is_temp(stmt.value.slot):
        value = Call(LIST, (value,))
    state.emit(Assign((new,), value, stmt.span))
    state.emit(stmt)


def _appended(state: Tangents, stmt: Update) -> Expr:
    if isinstance(stmt.value, Op):
        return Op(
            stmt.value.op, tuple(_part(state, a, state.out, stmt.span) for a in stmt.value.args)
        )
    return _part(state, stmt.value, state.out, stmt.span)


def _update_whole(state: Tangents, stmt: Update, new: Var) -> None:
    same = same_shape(state.facts.of(stmt.old), state.facts.of(stmt.new))
    active_value = isinstance(stmt.value, Var) and stmt.value in state.active
    if stmt.op in "+-" and same and stmt.old in state.active:
        old = state.of(stmt.old)
        if active_value:
            state.emit(Update(new, old, None, stmt.op, state.of(stmt.value), stmt.span))  # type: ignore[arg-type]
        else:
            state.emit(Assign((new,), old, stmt.span))
        return
    value = _tangent(state, stmt.new, Op(stmt.op, (stmt.old, stmt.value)), stmt.span)
    if stmt.new in set(reads(value)):
        value = substitute(
            value, lambda var: Op(stmt.op, (stmt.old, stmt.value)) if var == stmt.new else var
        )
    state.emit(Assign((new,), value, stmt.span))


def _update_element(state: Tangents, stmt: Update, new: Var) -> None:
    old = state.or_zero(stmt.old, state.out, stmt.span)
    active_value = isinstance(stmt.value, Var) and stmt.value in state.active
    if active_value:
        value: Expr = state.of(stmt.value)  # type: ignore[arg-type]
        state.emit(Update(new, old, stmt.index, stmt.op, value, stmt.span, stmt.echo))
    elif stmt.op == "=":
        state.emit(Update(new, old, stmt.index, "=", Const(0.0), stmt.span))
    else:
        state.emit(Assign((new,), old, stmt.span))


# ---------------------------------------------------------------- blocks


def _branch(state: Tangents, stmt: If) -> None:
    outer = state.out
    sides: list[list[Stmt]] = []
    for block in (stmt.then, stmt.orelse):
        state.out = []
        _walk(state, block)
        sides.append(state.out)
    state.out = outer
    merges = list(stmt.merges)
    for merge in stmt.merges:
        if merge.out in state.active:
            then = state.or_zero(merge.then, sides[0], stmt.span) if merge.then else None
            orelse = state.or_zero(merge.orelse, sides[1], stmt.span) if merge.orelse else None
            merges.append(Merge(state.of(merge.out), then, orelse))
    state.emit(If(stmt.test, tuple(sides[0]), tuple(sides[1]), tuple(merges), stmt.span, stmt.key))


def _loop(state: Tangents, stmt: Loop) -> None:
    carried = list(stmt.carried)
    outer, state.out = state.out, []
    if not _goes_over_active(state, stmt):
        for target in flat_targets(stmt.targets):
            if target in state.active:
                _still(state, target, stmt.span)
    _walk(state, stmt.body)
    body, state.out = state.out, outer
    for each in stmt.carried:
        if each.head in state.active or each.exit in state.active:
            init = state.or_zero(each.init, state.out, stmt.span) if each.init else None
            end = state.or_zero(each.end, body, stmt.span)
            heads = (state.of(each.head), init, end, state.of(each.exit))
            carried.append(Carried(*heads))
    targets, iterable = _items_and_dots(state, stmt)
    state.emit(
        Loop(
            targets,
            iterable,
            stmt.test,
            tuple(carried),
            tuple(body),
            stmt.breaks,
            stmt.span,
            stmt.key,
        )
    )


def _goes_over_active(state: Tangents, loop: Loop) -> bool:
    return isinstance(loop.iterable, Var) and loop.iterable in state.active


def _items_and_dots(state: Tangents, loop: Loop) -> tuple[object, Expr | None]:
    """Return what a loop over an active list iterates over: items and their tangents."""
    owner = loop.iterable
    if not isinstance(owner, Var) or not _goes_over_active(state, loop):
        return loop.targets, owner

    def dots(targets: object) -> object:
        if isinstance(targets, tuple):
            return tuple(dots(part) for part in targets)
        assert isinstance(targets, Var)
        return state.of(targets)

    return (loop.targets, dots(loop.targets)), Call(Ref("zip", zip), (owner, state.of(owner)))
