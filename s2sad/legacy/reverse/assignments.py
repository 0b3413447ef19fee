"""The adjoint of an assignment, by the rule of its operation.

y@1 = np.sin(x@0)        x~bar@1 = y~bar@1 * np.cos(x@0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy import solvers
from s2sad.legacy.activity import flow
from s2sad.legacy.assume import assume_equal
from s2sad.legacy.contribute import CONTAINERS, reduced, zero_like
from s2sad.legacy.facts.fact import is_numeric, same_shape
from s2sad.legacy.fields import is_entry
from s2sad.legacy.marks import is_call_of, returns_nothing
from s2sad.legacy.program import (
    NONE,
    Assign,
    Attr,
    Call,
    Const,
    Effect,
    Expr,
    Op,
    Update,
    Var,
    base,
)
from s2sad.legacy.refusals import missing_rule, no_rule, not_differentiated
from s2sad.legacy.reverse.sweep import PLUS, Sweep, contribute, contribute_all, whole, writable
from s2sad.legacy.reverse.swept import swept_back
from s2sad.legacy.rules import Line, Match, find
from s2sad.legacy.schedules.outline import swept_of
from s2sad.legacy.traverse import WHOLE, parts_of, substitute
from s2sad.legacy.twins import has_twin
from s2sad.operators.marks import on_adjoint
from s2sad.source.plain import is_named_tuple


def assign_back(sweep: Sweep, stmt: Assign) -> None:
    if stmt.target not in sweep.active:
        sweep.bars.pop(stmt.target.slot, None)
        return
    if is_entry(stmt, sweep.fact):
        return  # the adjoints of an object's fields are put together at the end
    seed = sweep.take(stmt.target)
    if seed is None:
        return
    pull_back(sweep, stmt.target, stmt.value, seed, stmt.span)


def pull_back(sweep: Sweep, target: Var, value: Expr, seed: Var, span: Span) -> None:
    """Contribute `seed`, the adjoint of `target = value`, to what `value` reads."""
    match value:
        case Var():
            contribute(sweep, value, seed, span)
        case Op("index", (Var() as owner, key)):
            read_element(sweep, owner, key, seed, span)
        case Attr(Var() as owner, name) if name in (keys := _places_of_fields(sweep, owner)):
            read_element(sweep, owner, Const(keys.index(name)), seed, span)
        case Call(_, (Var() as marked, hook)) if is_call_of(value, on_adjoint):
            _through_hook(sweep, marked, hook, seed, span)
        case _:
            match_ = find(value, sweep.fact)
            if match_ is None or _is_left_to_twin(sweep, match_, value):
                _without_rule(sweep, target, value, seed, span)
                return
            if match_.constant:
                return
            lines = match_.adjoints(target, seed, wanted=_wanted(sweep, match_.operands))
            _by_rule(sweep, target, lines, match_, span)


def _places_of_fields(sweep: Sweep, owner: Var) -> tuple[object, ...]:
    """Return the fields of a named tuple, in the order of its items; nothing for any other."""
    known = sweep.fact(owner)
    return known.keys if is_named_tuple(known.made_of) else ()


def _through_hook(sweep: Sweep, marked: Var, hook: Expr, seed: Var, span: Span) -> None:
    """Let a function of the user's look at an adjoint, or change it."""
    call = Call(hook, (seed,))
    if not returns_nothing(hook, span):
        contribute(sweep, marked, call, span)
        return
    sweep.emit(Effect(call, span))
    contribute(sweep, marked, seed, span)


def _wanted(sweep: Sweep, operands: Mapping[str, Expr]) -> frozenset[str]:
    return frozenset(
        name
        for name, operand in operands.items()
        if any(var in sweep.active for var in flow(operand, sweep.fact))
    )


def _is_left_to_twin(sweep: Sweep, match_: Match, value: Expr) -> bool:
    """Tell whether more varies than a rule is for, and the function has a twin in Python."""
    more = _wanted(sweep, match_.operands) - match_.differentiable
    return bool(more) and not match_.constant and has_twin(value, sweep.fact)


def _by_rule(sweep: Sweep, target: Var, lines: Sequence[Line], match_: Match, span: Span) -> None:
    missing = _wanted(sweep, match_.operands) - match_.differentiable
    if missing:
        raise no_rule(match_, sorted(missing), span, sweep.fact)
    local: dict[Var, Expr] = {}
    pairs = []
    elementwise = match_.rule.family == "elementwise"
    equal = elementwise and assume_equal(sweep, match_.operands.values(), target, span)
    for line in lines:
        value = substitute(line.value, lambda var: local.get(var, var))
        if line.local:
            local[Var(line.target, -1)] = sweep.temp(base(target.slot), value, span)
            continue
        operand = match_.operands[line.target]
        if not isinstance(operand, Var):
            raise not_differentiated(operand, span)
        if elementwise and not equal:
            value = reduced(value, sweep.facts.of(operand), sweep.facts.of(target), operand)
        pairs.append((operand, value))
    contribute_all(sweep, pairs, target.slot, span)


def _without_rule(sweep: Sweep, target: Var, value: Expr, seed: Var, span: Span) -> None:
    solved = solvers.back(sweep, value, (target,), (seed,), span)
    if solved is not None:
        contribute_all(sweep, solved, target.slot, span)
        return
    if isinstance(value, Call) and sweep.callee is not None:
        results = sweep.callee.reverse(sweep, value, (target,), (seed,), span)  # type: ignore[attr-defined]
        if results is not None:
            contribute_all(sweep, results, target.slot, span)
            return
    raise missing_rule(value, span, sweep.fact)


def read_element(sweep: Sweep, owner: Var, key: Expr, seed: Var, span: Span) -> None:
    if owner not in sweep.active:
        return
    if sweep.facts.of(owner).is_scalar:
        # x[()] and x[None] of a number of NumPy's: there is no element to add to
        whole_of_it = reduced(seed, sweep.facts.of(owner), sweep.fact(seed), owner)
        contribute(sweep, owner, whole_of_it, span)
        return
    if sweep.facts.of(owner).is_array and only_adds_axes(key):
        # x[:, None] holds all of x: so does its adjoint, with the new axes taken away
        taken = tuple(Const(0) if part == NONE else part for part in parts_of(key))
        contribute(sweep, owner, Op("index", (seed, Op("tuple", taken))), span)
        return
    old = writable(sweep, owner, whole(sweep, owner, span), span, key)
    made = sweep.new_bar(owner)
    item = Op("index", (old, key))
    if sweep.fact(seed).kind in CONTAINERS or _may_hold(sweep, owner, seed):
        total = Call(PLUS, (item, seed))
        sweep.emit(Update(made, old, key, "=", total, span))
    else:
        keyed = sweep.facts.of(owner).kind in CONTAINERS
        op = "+" if keyed or is_basic(sweep, key) else "add.at"
        sweep.emit(Update(made, old, key, op, seed, span))
    sweep.bars[owner.slot] = made


def _may_hold(sweep: Sweep, owner: Var, seed: Var) -> bool:
    """Tell whether an item of a dict may itself hold others, for all that is known."""
    return sweep.facts.of(owner).kind == "dict" and not is_numeric(sweep.fact(seed))


def only_adds_axes(key: Expr) -> bool:
    """Tell whether a subscript takes all there is, with new axes in between."""
    parts = parts_of(key)
    return NONE in parts and all(part in (NONE, WHOLE) for part in parts)


def is_basic(sweep: Sweep, key: Expr) -> bool:
    """Tell whether a subscript names each element at most once, so that += adds them all."""
    arrays = [part for part in parts_of(key) if not _is_basic_part(sweep, part)]
    return not arrays or _are_distinct(sweep, arrays)


def _are_distinct(sweep: Sweep, arrays: Sequence[Expr]) -> bool:
    """Tell whether positions surely name no element twice: those of np.arange or np.argsort."""
    facts = [sweep.fact(part) for part in arrays]
    line = all(fact.rank == 1 and fact.is_array for fact in facts)
    equal = all(same_shape(fact, facts[0]) for fact in facts[1:])
    return line and equal and any(part in sweep.distinct for part in arrays)


def _is_basic_part(sweep: Sweep, part: Expr) -> bool:
    if isinstance(part, Op) and part.op == "slice":
        return True
    if isinstance(part, Const):
        return True
    fact = sweep.fact(part)
    return fact.kind in ("int", "bool", "none", "str") or (fact.is_array and fact.dtype == "bool")


def unpack_back(sweep: Sweep, stmt: Assign) -> None:
    loop = swept_of(stmt.value)
    if loop is not None:
        swept_back(sweep, stmt, loop)
        return
    seeds = [(target, sweep.take(target)) for target in stmt.targets]
    live = [(target, seed) for target, seed in seeds if seed is not None and target in sweep.active]
    if not live:
        return
    if not (isinstance(stmt.value, Op) and stmt.value.op in ("tuple", "list")):
        _unpack_whole(sweep, stmt, seeds)
        return
    sources = dict(zip(stmt.targets, stmt.value.args, strict=True))
    _contribute_across(sweep, live, sources, stmt.span)


def _contribute_across(
    sweep: Sweep, live: Sequence[tuple[Var, Var]], sources: Mapping[Var, Expr], span: Span
) -> None:
    """Contribute adjoints to what the values came from, each read before it is written."""
    held = {target.slot: (target, seed) for target, seed in live}
    left = list(held)

    def writes(slot: str) -> str:
        source = sources[held[slot][0]]
        return source.slot if isinstance(source, Var) else ""

    while left:
        free = (slot for slot in left if writes(slot) == slot or writes(slot) not in left)
        slot = next(free, left[0])
        left.remove(slot)
        target, seed = held[slot]
        written = writes(slot)
        if written in left:  # an exchange: what stands there is put aside
            other, there = held[written]
            held[written] = other, _moved(sweep, other, there, span)
        contribute(sweep, sources[target], seed, span)


def _moved(sweep: Sweep, var: Var, seed: Var, span: Span) -> Var:
    made = sweep.temp(base(var.slot), seed, span)
    sweep.known[made] = sweep.facts.of(var)
    return made


def _unpack_by_rule(
    sweep: Sweep, stmt: Assign, match_: Match, seeds: list[tuple[Var, Var | None]]
) -> None:
    """Pull back the adjoints of several results of one operation, zeros for those without one."""
    still = frozenset(i for i, (_, seed) in enumerate(seeds) if seed is None)
    read = {operand.slot for operand in match_.operands.values() if isinstance(operand, Var)}
    if len(read) > 1:
        # every adjoint is read before any is written
        seeds = [
            (var, _moved(sweep, var, seed, stmt.span) if seed and var.slot in read else seed)
            for var, seed in seeds
        ]
    bars = tuple(seed or zero_like(var, sweep.facts.of(var)) for var, seed in seeds)
    y, y_bar = Op("tuple", stmt.targets), Op("tuple", bars)
    lines = match_.adjoints(y, y_bar, _wanted(sweep, match_.operands), still)
    _by_rule(sweep, stmt.targets[0], lines, match_, stmt.span)


def _unpack_whole(sweep: Sweep, stmt: Assign, seeds: list[tuple[Var, Var | None]]) -> None:
    value = stmt.value
    match_ = find(value, sweep.fact)
    by_rule = match_ is not None and not _is_left_to_twin(sweep, match_, value)
    if match_ is not None and match_.several and by_rule:
        _unpack_by_rule(sweep, stmt, match_, seeds)
        return
    targets = tuple(target for target, _ in seeds)
    given = tuple(seed for _, seed in seeds)
    solved = solvers.back(sweep, value, targets, given, stmt.span)
    if solved is not None:
        contribute_all(sweep, solved, "", stmt.span)
        return
    if isinstance(value, Call) and sweep.callee is not None:
        pairs = sweep.callee.reverse(sweep, value, targets, given, stmt.span, unpack=True)  # type: ignore[attr-defined]
        if pairs is not None:
            contribute_all(sweep, pairs, "", stmt.span)
            return
        raise missing_rule(value, stmt.span)
    owner = value if isinstance(value, Var) else None
    if owner is None and isinstance(value, Op) and value.op == "index":
        raise Unsupported(
            "unpacking a row is not differentiated",
            stmt.span,
            "Give the row a name first, then unpack that.",
        )
    if owner is None:
        raise missing_rule(value, stmt.span)
    for position, (target, seed) in enumerate(seeds):
        if seed is not None and target in sweep.active:
            read_element(sweep, owner, Const(position), seed, stmt.span)
