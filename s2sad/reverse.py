"""A primal Program becomes its reverse sweep: each statement's adjoint, last statement first.

    y@1 = np.sin(x@0)        x~bar@1 = y~bar@1 * np.cos(x@0)

The sweep reads any primal value as if none were lost; `checkpoint` makes that true. Adjoints are
values like others: `x_bar += e` is an Update, so that what happens in place is decided later.
An adjoint always has the whole shape of its primal value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from s2sad.activity import flow
from s2sad.assume import assume_equal
from s2sad.contribute import reduced, zero_like
from s2sad.errors import InternalError, S2sadError, Span, Unsupported, gather
from s2sad.facts import Fact, Facts
from s2sad.prepare import backwards
from s2sad.program import (
    NONE,
    Assign,
    Block,
    Break,
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
    bar,
    base,
    defines,
    expressions,
    flat_targets,
    statements,
    substitute,
)
from s2sad.refusals import missing_rule, no_rule, not_differentiated
from s2sad.rules import find
from s2sad.scope import Numbers

Bars = dict[str, Var]
CONTAINERS = frozenset({"list", "tuple", "dict"})
PLUS = Ref("_plus", "printed")
TUPLE = Ref("tuple", tuple)


@dataclass
class Sweep:
    """The reverse sweep while it is written: adjoints alive, and the statements so far."""

    facts: Facts
    active: frozenset[Var]
    numbers: Numbers
    callee: object
    bars: Bars = field(default_factory=dict)
    out: list[Stmt] = field(default_factory=list)
    known: dict[Var, Fact] = field(default_factory=dict)
    problems: list[S2sadError] = field(default_factory=list)
    # messages of checks that the text makes on its way; None where it may assume nothing
    assumed: list[str] | None = None
    # slot -> a primal value whose shape the adjoint has
    shapes: dict[str, Var] = field(default_factory=dict)

    def fact(self, expr: Expr) -> Fact:
        """Return what is known of an expression over primal values and adjoints."""
        return self.facts.expr(expr, self.known)

    def new_bar(self, var: Var) -> Var:
        """Return a new adjoint of a primal value; it has that value's shape."""
        made = self.numbers.next(bar(var.slot))
        self.known[made] = self.facts.of(var)
        self.shapes[var.slot] = var
        return made

    def emit(self, stmt: Stmt) -> None:
        """Add a statement."""
        self.out.append(stmt)

    def temp(self, name: str, value: Expr, span: Span) -> Var:
        """Compute `value` into a new temporary."""
        made = self.numbers.temp(name)
        self.known[made] = self.fact(value)
        self.emit(Assign((made,), value, span))
        return made

    def take(self, var: Var) -> Var | None:
        """Remove and return the adjoint of what is being defined."""
        return self.bars.pop(var.slot, None)


def reverse_sweep(
    program: Program,
    facts: Facts,
    active: frozenset[Var],
    seeds: Sequence[tuple[Var, Expr]],
    numbers: Numbers,
    callee: object = None,
    assumed: list[str] | None = None,
) -> tuple[Block, Bars, Sweep]:
    """Return the reverse sweep of `program` and the adjoints of its parameters.

    `seeds` gives the adjoint of each returned value; a value returned twice has both added.
    """
    sweep = Sweep(facts, active, numbers, callee, assumed=assumed)
    for var, seed in seeds:
        contribute(sweep, var, seed, program.span)
    walk_back(sweep, program.body)
    if sweep.problems:
        raise gather(sweep.problems)
    return tuple(sweep.out), sweep.bars, sweep


def walk_back(sweep: Sweep, block: Block) -> None:
    """Write the adjoint statements of a block, last statement first."""
    for stmt in reversed(block):
        try:
            _adjoint(sweep, stmt)
        except S2sadError as problem:
            sweep.problems += problem.problems


def _adjoint(sweep: Sweep, stmt: Stmt) -> None:
    match stmt:
        case Assign(unpack=True):
            _unpack(sweep, stmt)
        case Assign():
            _assign(sweep, stmt)
        case Update():
            _update(sweep, stmt)
        case Pop():
            _pop(sweep, stmt)
        case Effect():
            _effect(sweep, stmt)
        case If():
            _branch(sweep, stmt)
        case Loop():
            _loop(sweep, stmt)
        case Break():
            return


# ---------------------------------------------------------------- contributions


def contribute(sweep: Sweep, var: Expr, value: Expr, span: Span) -> None:
    """Add `value`, which has the shape of `var`, to the adjoint of `var`."""
    if not isinstance(var, Var) or var not in sweep.active:
        return
    old = sweep.bars.get(var.slot)
    made = sweep.new_bar(var)
    if old is None:
        sweep.emit(Assign((made,), value, span))
    elif sweep.facts.of(var).kind in CONTAINERS:
        sweep.emit(Assign((made,), Call(PLUS, (old, value)), span))
    else:
        op, value = ("-", value.args[0]) if _is_negative(value) else ("+", value)
        sweep.emit(Update(made, old, None, op, value, span))
    sweep.bars[var.slot] = made


def _is_negative(value: Expr) -> bool:
    return isinstance(value, Op) and value.op == "u-"


def whole(sweep: Sweep, var: Var, span: Span) -> Var:
    """Return the adjoint of `var`, made of zeros if there is none yet."""
    if var.slot not in sweep.bars:
        made = sweep.new_bar(var)
        sweep.emit(Assign((made,), zero_like(var, sweep.facts.of(var)), span))
        sweep.bars[var.slot] = made
    return sweep.bars[var.slot]


def contribute_all(sweep: Sweep, pairs: Sequence[tuple[Var, Expr]], taken: str, span: Span) -> None:
    """Contribute to several values; what lands in the slot `taken` comes last, and at once."""
    own = [(var, value) for var, value in pairs if var.slot == taken]
    for var, value in pairs:
        if var.slot != taken:
            contribute(sweep, var, value, span)
    if own:
        total = own[0][1]
        for _, value in own[1:]:
            total = Op("+", (total, value))
        contribute(sweep, own[0][0], total, span)


# ---------------------------------------------------------------- assignments


def _assign(sweep: Sweep, stmt: Assign) -> None:
    if stmt.target not in sweep.active:
        sweep.bars.pop(stmt.target.slot, None)
        return
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
            _read_element(sweep, owner, key, seed, span)
        case _:
            match_ = find(value, sweep.fact)
            if match_ is None:
                _without_rule(sweep, target, value, seed, span)
                return
            if match_.constant:
                return
            lines = match_.adjoints(target, seed, wanted=_wanted(sweep, match_.operands))
            _by_rule(sweep, target, lines, match_, seed, span)


def _wanted(sweep: Sweep, operands: Mapping[str, Expr]) -> frozenset[str]:
    return frozenset(
        name
        for name, operand in operands.items()
        if any(var in sweep.active for var in flow(operand, sweep.fact))
    )


def _by_rule(sweep: Sweep, target: Var, lines: Sequence, match_, seed: Var, span: Span) -> None:  # type: ignore[no-untyped-def]
    missing = _wanted(sweep, match_.operands) - {line.target for line in lines if not line.local}
    if missing:
        raise no_rule(match_, sorted(missing), span)
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
    if isinstance(value, Call) and sweep.callee is not None:
        results = sweep.callee.reverse(sweep, value, (target,), (seed,), span)  # type: ignore[attr-defined]
        if results is not None:
            contribute_all(sweep, results, target.slot, span)
            return
    raise missing_rule(value, span)


def _read_element(sweep: Sweep, owner: Var, key: Expr, seed: Var, span: Span) -> None:
    if owner not in sweep.active:
        return
    old = whole(sweep, owner, span)
    made = sweep.new_bar(owner)
    if sweep.fact(seed).kind in CONTAINERS:
        total = Call(PLUS, (Op("index", (old, key)), seed))
        sweep.emit(Update(made, old, key, "=", total, span))
    else:
        op = "+" if _is_basic(sweep, key) else "add.at"
        sweep.emit(Update(made, old, key, op, seed, span))
    sweep.bars[owner.slot] = made


def _is_basic(sweep: Sweep, key: Expr) -> bool:
    """Tell whether a subscript names each element at most once, so that += adds them all."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    return all(_is_basic_part(sweep, part) for part in parts)


def _is_basic_part(sweep: Sweep, part: Expr) -> bool:
    if isinstance(part, Op) and part.op == "slice":
        return True
    if isinstance(part, Const):
        return True
    fact = sweep.fact(part)
    return fact.kind in ("int", "bool", "none", "str") or (fact.is_array and fact.dtype == "bool")


def _unpack(sweep: Sweep, stmt: Assign) -> None:
    seeds = [(target, sweep.take(target)) for target in stmt.targets]
    live = [(target, seed) for target, seed in seeds if seed is not None and target in sweep.active]
    if not live:
        return
    if not (isinstance(stmt.value, Op) and stmt.value.op in ("tuple", "list")):
        _unpack_whole(sweep, stmt, seeds)
        return
    sources = dict(zip(stmt.targets, stmt.value.args, strict=True))
    taken = {target.slot for target, _ in live}
    crossing = any(
        isinstance(sources[target], Var) and sources[target].slot in taken for target, _ in live
    )
    if crossing:
        # a swap: every adjoint is read before any is written
        live = [(target, _moved(sweep, target, seed, stmt.span)) for target, seed in live]
    for target, seed in live:
        contribute(sweep, sources[target], seed, stmt.span)


def _moved(sweep: Sweep, var: Var, seed: Var, span: Span) -> Var:
    made = sweep.temp(base(var.slot), seed, span)
    sweep.known[made] = sweep.facts.of(var)
    return made


def _unpack_whole(sweep: Sweep, stmt: Assign, seeds: list[tuple[Var, Var | None]]) -> None:
    value = stmt.value
    if isinstance(value, Call) and sweep.callee is not None:
        targets = tuple(target for target, _ in seeds)
        given = tuple(seed for _, seed in seeds)
        pairs = sweep.callee.reverse(sweep, value, targets, given, stmt.span)  # type: ignore[attr-defined]
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
            _read_element(sweep, owner, Const(position), seed, stmt.span)


# ---------------------------------------------------------------- writes in place


def _update(sweep: Sweep, stmt: Update) -> None:
    if stmt.new not in sweep.active:
        sweep.bars.pop(stmt.new.slot, None)
        return
    if stmt.op == "append":
        _append(sweep, stmt)
    elif stmt.index is None:
        _update_whole(sweep, stmt)
    else:
        _update_element(sweep, stmt)


def _update_whole(sweep: Sweep, stmt: Update) -> None:
    """`x op= e` has the adjoint of x = x op e, whether it writes or rebinds."""
    if stmt.op in "+-":
        seed = sweep.bars.get(stmt.new.slot)
        if seed is None:
            return
        if stmt.old not in sweep.active:
            sweep.bars.pop(stmt.new.slot)
        value: Expr = seed if stmt.op == "+" else Op("u-", (seed,))
        if isinstance(stmt.value, Var):
            value = reduced(value, sweep.facts.of(stmt.value), sweep.facts.of(stmt.new), stmt.value)
            contribute(sweep, stmt.value, value, stmt.span)
        _grown(sweep, stmt)
        return
    seed = sweep.take(stmt.new)
    if seed is not None:
        value = Op(stmt.op, (stmt.old, stmt.value))
        pull_back(sweep, stmt.new, value, seed, stmt.span)


def _grown(sweep: Sweep, stmt: Update) -> None:
    """A scalar that became an array (`total += x`): its adjoint is summed again."""
    seed = sweep.bars.get(stmt.old.slot)
    if seed is None or stmt.old not in sweep.active:
        return
    value = reduced(seed, sweep.facts.of(stmt.old), sweep.facts.of(stmt.new), stmt.old)
    if value is not seed:
        made = sweep.new_bar(stmt.old)
        sweep.emit(Assign((made,), value, stmt.span))
        sweep.bars[stmt.old.slot] = made


def _update_element(sweep: Sweep, stmt: Update) -> None:
    seed = sweep.bars.get(stmt.new.slot)
    if seed is None or stmt.index is None:
        return
    if not _is_basic(sweep, stmt.index):
        _refuse_positions(sweep, stmt)
    part: Expr = Op("index", (seed, stmt.index))
    if isinstance(stmt.value, Var) and stmt.value in sweep.active:
        held = sweep.fact(Op("index", (stmt.old, stmt.index)))
        g: Expr = part
        if stmt.value.slot == stmt.new.slot:
            g = sweep.temp(base(stmt.new.slot), part, stmt.span)
        g = reduced(g, sweep.facts.of(stmt.value), held, stmt.value)
        contribute(sweep, stmt.value, Op("u-", (g,)) if stmt.op == "-" else g, stmt.span)
    seed = sweep.bars[stmt.new.slot]
    if stmt.op == "=":
        made = sweep.new_bar(stmt.old)
        sweep.emit(Update(made, seed, stmt.index, "=", Const(0.0), stmt.span))
        sweep.bars[stmt.old.slot] = made
    if stmt.old not in sweep.active:
        sweep.bars.pop(stmt.old.slot)


def _refuse_positions(sweep: Sweep, stmt: Update) -> None:
    """Refuse a write at positions that may repeat: of equal ones only the last is written."""
    if isinstance(stmt.value, Var) and stmt.value in sweep.active:
        error = Unsupported(
            "a write at positions given by an array is not differentiated",
            stmt.span,
            "A position may be there twice. Loop over the positions, or write with a mask.",
        )
        error.certain = False
        raise error


# ---------------------------------------------------------------- lists


def _append(sweep: Sweep, stmt: Update) -> None:
    seed = sweep.bars.get(stmt.new.slot)
    if seed is None:
        return
    if not isinstance(stmt.value, Var):
        raise not_differentiated(stmt.value, stmt.span)
    item = sweep.numbers.next(bar(stmt.value.slot))
    sweep.known[item] = sweep.facts.of(stmt.value)
    left = sweep.new_bar(stmt.old)
    if stmt.value.slot not in sweep.bars:
        sweep.emit(Pop(item, left, seed, stmt.span))
        if stmt.value in sweep.active:
            sweep.bars[stmt.value.slot] = item
            sweep.shapes[stmt.value.slot] = stmt.value
    else:
        moved = sweep.numbers.temp(base(stmt.value.slot))
        sweep.known[moved] = sweep.facts.of(stmt.value)
        sweep.emit(Pop(moved, left, seed, stmt.span))
        contribute(sweep, stmt.value, moved, stmt.span)
    sweep.bars[stmt.old.slot] = left
    if stmt.old not in sweep.active:
        sweep.bars.pop(stmt.old.slot)


def _pop(sweep: Sweep, stmt: Pop) -> None:
    seed = sweep.take(stmt.target)
    if stmt.old not in sweep.active:
        return
    old = whole(sweep, stmt.new, stmt.span)
    value: Expr = seed if seed is not None else zero_like(stmt.target, sweep.facts.of(stmt.target))
    made = sweep.new_bar(stmt.old)
    sweep.emit(Update(made, old, None, "append", value, stmt.span))
    sweep.bars[stmt.old.slot] = made


def _effect(sweep: Sweep, stmt: Effect) -> None:
    if isinstance(stmt.value, Opaque):
        for name, var in stmt.value.writes:
            if var in sweep.active and sweep.bars.pop(var.slot, None) is not None:
                raise not_differentiated(stmt.value, stmt.span, name)
            sweep.bars.pop(var.slot, None)


# ---------------------------------------------------------------- branches


def _branch(sweep: Sweep, stmt: If) -> None:
    before, outer = dict(sweep.bars), sweep.out
    sides = []
    for block in (stmt.then, stmt.orelse):
        sweep.bars, sweep.out = dict(before), []
        walk_back(sweep, block)
        sides.append((sweep.bars, sweep.out, {slot: sweep.shapes[slot] for slot in sweep.bars}))
    sweep.out, sweep.bars = outer, {}
    merges = []
    for slot in dict.fromkeys([*sides[0][0], *sides[1][0]]):
        if any(None in (m.then, m.orelse) for m in stmt.merges if m.out.slot == slot):
            continue  # bound in one branch only: nothing before the branch holds it
        merge = _merged(sweep, stmt, slot, before, sides)
        if merge is None:
            continue
        if merge.then == merge.orelse:
            sweep.bars[slot] = merge.out
            continue
        merges.append(merge)
        sweep.bars[slot] = merge.out
    (_, then, _), (_, orelse, _) = sides
    if then or orelse:
        sweep.emit(If(stmt.test, tuple(then), tuple(orelse), tuple(merges), stmt.span, stmt.key))


def _merged(sweep: Sweep, stmt: If, slot: str, before: Bars, sides: list) -> Merge | None:  # type: ignore[type-arg]
    """Return the adjoint of `slot` at the start of a branch, zero where a side has none.

    None where what the slot holds there is not active: its adjoint ends here.
    """
    (a, _, _), (b, _, _) = sides
    if a.get(slot) == b.get(slot):
        return Merge(a[slot], a[slot], a[slot])
    entry = _entry(stmt, slot, before, sides)
    if entry not in sweep.active:
        return None
    made = []
    for bars, out, _ in sides:
        sweep.shapes[slot] = entry
        made.append(bars.get(slot) or _zero(sweep, slot, out, stmt.span))
    return Merge(sweep.new_bar(entry), *made)


def _entry(stmt: If, slot: str, before: Bars, sides: list) -> Var:  # type: ignore[type-arg]
    """Return the primal value that `slot` holds when the branch is entered."""
    inputs = [(m.then, m.orelse) for m in stmt.merges if m.out.slot == slot]
    for number, (bars, _, shapes) in enumerate(sides):
        if slot not in bars:
            continue
        if inputs and bars[slot] is before.get(slot):
            var = inputs[0][number]
            if var is not None:
                return var
        return shapes[slot]  # type: ignore[no-any-return]
    raise KeyError(slot)


def _zero(sweep: Sweep, slot: str, out: list[Stmt], span: Span) -> Var:
    shape = sweep.shapes[slot]
    made = sweep.new_bar(shape)
    out.append(Assign((made,), zero_like(shape, sweep.facts.of(shape)), span))
    return made


# ---------------------------------------------------------------- loops


def _loop(sweep: Sweep, loop: Loop) -> None:
    assumed, sweep.assumed = sweep.assumed, None  # a check in every pass would cost too much
    _loop_reversed(sweep, loop)
    sweep.assumed = assumed


def _loop_reversed(sweep: Sweep, loop: Loop) -> None:
    for each in loop.carried:
        if each.exit not in sweep.active:
            sweep.bars.pop(each.exit.slot, None)
    slots = _carried_slots(sweep, loop)
    inits = {slot: whole(sweep, var, loop.span) for slot, var in slots.items()}
    before, outer = dict(sweep.bars), sweep.out
    heads = {slot: sweep.new_bar(var) for slot, var in slots.items()}
    sweep.bars, sweep.out = {**before, **heads}, []
    walk_back(sweep, loop.body)
    items = _item_list(sweep, loop)
    carried_heads = {each.head.slot: each for each in loop.carried}
    ends = {}
    for slot, var in slots.items():
        start = var
        if slot in carried_heads:
            each = carried_heads[slot]
            # unbound before the first pass: what a pass leaves has the shape of what it finds
            start = each.head if each.init is not None else each.end
        if slot not in sweep.bars:
            sweep.shapes[slot] = start
            sweep.bars[slot] = _zero(sweep, slot, sweep.out, loop.span)
        ends[slot] = sweep.bars[slot]
    _nothing_missed(before, slots, sweep.bars, loop)
    body, sweep.out, sweep.bars = tuple(sweep.out), outer, before
    carried: list[Carried] = []
    if items is not None:
        carried.append(items)
        sweep.emit(Assign((items.init,), Op("list", ()), loop.span))  # type: ignore[arg-type]
    if not body:
        sweep.bars.update(inits)
        return
    for slot, var in slots.items():
        start = var
        if slot in carried_heads:
            start = carried_heads[slot].init or var
        exit_ = sweep.new_bar(start)
        carried.append(Carried(heads[slot], inits[slot], ends[slot], exit_))
        sweep.bars[slot] = exit_
        if slot in carried_heads and carried_heads[slot].init not in sweep.active:
            sweep.bars.pop(slot)
    sweep.emit(_mirror(loop, tuple(carried), body))
    if items is not None:
        _contribute_items(sweep, loop, items)


def _item_list(sweep: Sweep, loop: Loop) -> Carried | None:
    """Collect the adjoints of the items of a list in a list of their own, last item first."""
    owner = loop.iterable
    if not isinstance(owner, Var) or owner not in sweep.active:
        return None
    value = _item_bar(sweep, loop.targets, loop.span)
    slot = bar(owner.slot)
    if owner.slot in sweep.bars:
        slot = bar(sweep.numbers.temp(base(owner.slot)).slot)
    start, head, end, exit_ = (sweep.numbers.next(slot) for _ in range(4))
    for each in (start, head, end, exit_):
        sweep.known[each] = Fact("list")
    sweep.emit(Update(end, head, None, "append", value, loop.span))
    return Carried(head, start, end, exit_)


def _item_bar(sweep: Sweep, targets: object, span: Span) -> Expr:
    if isinstance(targets, tuple):
        return Op("tuple", tuple(_item_bar(sweep, part, span) for part in targets))
    assert isinstance(targets, Var)
    return sweep.take(targets) or zero_like(targets, sweep.facts.of(targets))


def _contribute_items(sweep: Sweep, loop: Loop, items: Carried) -> None:
    owner = loop.iterable
    assert isinstance(owner, Var)
    forward = Op("index", (items.exit, Op("slice", (NONE, NONE, Const(-1)))))
    is_list = sweep.facts.of(owner).kind == "list"
    contribute(sweep, owner, forward if is_list else Call(TUPLE, (forward,)), loop.span)


def _nothing_missed(before: Bars, slots: Mapping[str, Var], after: Bars, loop: Loop) -> None:
    """Check that the body contributed to no value from outside that is not handed on."""
    for slot, adjoint in before.items():
        if slot not in slots and after.get(slot) != adjoint:
            raise InternalError(f"the adjoint of {base(slot)} is lost in a loop", loop.span)


def _mirror(loop: Loop, carried: tuple[Carried, ...], body: Block) -> Loop:
    """Return the loop that runs `body` for the passes of `loop`, last pass first."""
    targets = loop.targets if loop.iterable is not None else ()
    return Loop(targets, backwards(loop), None, carried, body, False, loop.span, loop.key)


def _carried_slots(sweep: Sweep, loop: Loop) -> dict[str, Var]:
    """Return the slots that the reversed loop hands from pass to pass, with a value of each.

    These are the values from outside that the body reads, and what the loop carries itself.
    """
    carried = {each.head.slot: each for each in loop.carried}
    slots: dict[str, Var] = {}
    for slot, each in carried.items():
        if each.head in sweep.active or (slot in sweep.bars and each.exit in sweep.active):
            slots[slot] = each.exit
    made = {var for stmt in statements(loop.body) for var in _made(stmt)}
    made.update(flat_targets(loop.targets) if loop.iterable is not None else ())
    for var in _active_reads(sweep, loop.body):
        if var not in made and var.slot not in carried:
            slots.setdefault(var.slot, var)
    return slots


def _made(stmt: Stmt) -> tuple[Var, ...]:
    if not isinstance(stmt, Loop):
        return defines(stmt)
    heads = (each.head for each in stmt.carried)
    return (*defines(stmt), *heads, *flat_targets(stmt.targets or ()))


def _active_reads(sweep: Sweep, block: Block) -> list[Var]:
    found = []
    for stmt in statements(block):
        if isinstance(stmt, If | Loop | Effect):
            continue
        for expr in expressions(stmt):
            found += [var for var in flow(expr, sweep.fact) if var in sweep.active]
        if isinstance(stmt, Update):
            found += [stmt.old] if stmt.old in sweep.active else []
    for stmt in statements(block):
        if isinstance(stmt, If):
            found += [v for m in stmt.merges for v in (m.then, m.orelse) if v in sweep.active]
        if isinstance(stmt, Loop):
            found += [v for c in stmt.carried for v in (c.init, c.end) if v in sweep.active]
    return found
