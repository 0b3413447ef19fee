"""The reverse of blocks, branches and loops: which adjoints have a value on which way.

for k in range(n):          u_bar = np.zeros_like(u)
    s += u[k]               for k in reversed(range(n)):
                                u_bar[k] += s_bar
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.analysis.containers import is_container, is_display, is_made, slots, stepped
from s2sad.analysis.exits import leaves_pass
from s2sad.analysis.places import Place, is_within
from s2sad.analysis.pointers import Sites
from s2sad.analysis.points_to import bindings
from s2sad.analysis.terms import is_cheap, is_held_twice, reads_set
from s2sad.ir.errors import ArgumentError, NotYet, Refused, Span
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    calls,
    deep_copy_of,
    global_,
    name,
    positional,
)
from s2sad.ir.program import (
    Block,
    Break,
    Copied,
    For,
    If,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    is_gone_through,
    read_variables,
    reads_shape_only,
    statements,
    with_blocks,
)
from s2sad.operators.missing import refuse_set
from s2sad.reverse.calculus import number, shape
from s2sad.reverse.containers import turn_made_result, turn_operation, turn_seed
from s2sad.reverse.contribute import begin, is_lasting, root, spread, value_of, zero_again
from s2sad.reverse.pull import gathered
from s2sad.reverse.shadows import companions, lifted
from s2sad.reverse.statements import turn_let, turn_store
from s2sad.reverse.structures import zeros_of
from s2sad.reverse.sweep import Step, Steps
from s2sad.reverse.world import Code, Contribution, World

WHOLE = Number("int64")
State = frozenset[Variable]
Simple = Let | Store | RegionOp


@dataclass(frozen=True, slots=True)
class Turned:
    """The steps of a statement or block, the adjoints that have a value before it, and the easy
    shadows that have to be there."""

    steps: Steps
    state: State
    wanted: frozenset[Variable] = field(default_factory=frozenset)


def turn_block(block: Block, place: Place, state: State, world: World) -> Turned:
    """Turn a block back, from its last statement to its first."""
    steps: list[Step] = []
    above: set[Variable] = set()
    made = {seed.of for seed in world.seeds}  # a shadow that is handed over is there
    world = replace(world, divisors=set(), block=block)
    for position in reversed(range(len(block))):
        turned = turn_statement(block[position], (*place, position), state, world)
        state = turned.state
        wanted = _with_bases(turned.wanted, world)
        mine = [v for v in _by_depth(wanted, world) if world.home(v) == place and v not in made]
        above |= {v for v in wanted if world.home(v) != place}
        made |= set(mine)
        if mine:
            steps.append(Step(old=tuple(_shadow_let(v, world) for v in mine)))
        steps.extend(reversed(turned.steps))
    return Turned(tuple(reversed(steps)), state, frozenset(above))


def _with_bases(wanted: Iterable[Variable], world: World) -> frozenset[Variable]:
    """Return easy shadows with those that they are parts of."""
    found: set[Variable] = set()
    for variable in wanted:
        while variable not in found:
            found.add(variable)
            if root(variable, world) == variable:
                break
            value = value_of(variable, world)
            while value.op != "name":
                value = value.args[0]
            variable = value.data
    return frozenset(found)


def _by_depth(wanted: Iterable[Variable], world: World) -> list[Variable]:
    """Return easy shadows, those that others are parts of first."""
    return sorted(wanted, key=lambda v: (len(_with_bases((v,), world)), v.name, v.number))


def _shadow_let(variable: Variable, world: World) -> Let:
    """Return the statement that makes an easy shadow: zeros, or a part of another shadow."""
    bar = world.bar(variable)
    if root(variable, world) == variable:
        return Let(bar.data, zeros_of(world.read(variable), world))
    return Let(bar.data, lifted(value_of(variable, world), world))


def turn_statement(statement: Statement, place: Place, state: State, world: World) -> Turned:
    """Turn one statement back."""
    match statement:
        case Let() | Store():
            return _turn_simple(statement, state, world)
        case If():
            return _turn_if(statement, place, state, world)
        case For() | While():
            return _turn_loop(statement, place, state, world)
        case With() | Try() if is_gone_through(statement):
            body, *raising = blocks(statement)
            inner = turn_block(body, (*place, 0), state, world)
            others = (tuple(map(_plain_step, block)) for block in raising)
            step = Step(replace(statement, body=()), (inner.steps, *others))
            return Turned((step,), inner.state, inner.wanted)
        case Return():
            return _turn_return(statement, state, world)
        case Break() | Raise():
            return Turned((Step(statement),), state)
        case Copied():
            if set(statement.writes) & world.active:
                raise statement.fault
            return Turned((Step(statement),), state)
        case RegionOp():
            return _turn_simple(statement, state, world)
        case Try():
            return _turn_inactive(statement, state, world)
    raise NotYet(f"this `{type(statement).__name__.lower()}`", statement.span)


def _turn_return(end: Return, state: State, world: World) -> Turned:
    """Start the reverse sweep: the adjoint of the result is 1, or what comes in as the seed."""
    code = Code(replace(world, statement=end), set(state), end.span)
    if world.seeds:
        _seed_parts(end.value.args, code)
    elif world.seed is None:
        if shape(end.value) != ():
            raise Refused(_no_number(end.span))
        spread(gathered(end.value, number(1.0), code), code)
    else:
        spread(_seeded(end.value, name(world.seed, end.value.type), code), code)
    terms, known = _term_steps(code)
    if world.value is not None:
        kept = _kept_apart(_named(world.kept_result(end.value), known), world)
        terms.append(Step(Let(world.value, kept, end.span)))
    return Turned((*terms, Step(old=tuple(code.lines))), frozenset(code.state), _wanted(code))


def _seed_parts(parts: tuple[Expr, ...], code: Code) -> None:
    """Hand on the seeds of the parts of a result, but those that are shadows themselves."""
    world = code.world
    pairs = list(zip(parts, world.seeds, strict=True))
    own = {part.data for part, seed in pairs if part.op == "name" and seed.of == part.data}
    code.state |= {v for v in own if world.is_easy(v)}
    others = [(part, name(seed, part.type)) for part, seed in pairs if part.data not in own]
    spread([c for part, seed in others for c in gathered(part, seed, code)], code)


def _no_number(span: Span | None) -> ArgumentError:
    """Return the refusal of a gradient of what is not known to be a number."""
    name = "the function" if span is None else span.function
    error = ArgumentError(
        f"{name} returns what may be no number, and grad takes a real scalar",
        span,
        "Make it one: float(...), np.sum(...). Or use s2sad.vjp with a seed of the result's shape.",
    )
    error.certain, error.follows = False, True
    return error


def _seeded(value: Expr, seed: Expr, code: Code) -> list[Contribution]:
    """Return what a seed contributes: one for each part of a result that is written out."""
    if is_display(value):
        found: list[Contribution] = []
        for step, part in slots(value):
            found += _seeded(part, stepped(seed, step).typed(part.type), code)
        return found
    if is_made(value):
        turn_made_result(value, seed, code)
    elif not is_container(value.type):
        return gathered(value, seed, code)
    elif code.world.is_active(value):
        turn_seed(value, seed, code)
    return []


def _kept_apart(value: Expr, world: World) -> Expr:
    """Return a result that the reverse sweep cannot change: memory that is written is copied."""
    if is_display(value) or value.op in ("item", "starred"):
        return value.with_args(_kept_apart(arg, world) for arg in value.args)
    if not world.memory.inside(world.memory.sites(value)) & world.memory.written:
        return value
    if is_container(value.type):
        return deep_copy_of(value)
    return world.calculus.copy(value)


def _turn_inactive(statement: Try, state: State, world: World) -> Turned:
    """Leave a try as it is: it only tells whether something fails."""
    if bound_in((statement,)) & world.active:
        raise NotYet("a try", statement.span)
    for each in statements((statement,)):
        if any(v in world.active for v in world.memory.holders(world.memory.written_by(each))):
            raise NotYet("a try that changes what varies", statement.span)
    return Turned((_plain_step(statement),), state)


def _plain_step(statement: Statement) -> Step:
    """Return the step of a statement that nothing has to be turned back of."""
    inner = blocks(statement)
    empty: tuple[Block, ...] = tuple(() for _ in inner)
    steps = tuple(tuple(_plain_step(each) for each in block) for block in inner)
    return Step(with_blocks(statement, empty), steps)


def _turn_simple(statement: Simple, state: State, world: World) -> Turned:
    code = Code(replace(world, statement=statement), set(state), statement.span)
    reads_new = False
    if isinstance(statement, Let):
        reads_new = turn_let(statement, code)
    elif isinstance(statement, RegionOp):
        turn_operation(statement, code)
    else:
        turn_store(statement, code)
    return Turned(_simple_steps(statement, code, reads_new), frozenset(code.state), _wanted(code))


def _wanted(code: Code) -> frozenset[Variable]:
    return frozenset(code.wanted)


def _simple_steps(statement: Simple, code: Code, reads_new: bool) -> Steps:
    """Return the terms that are named before a statement, the statement, and its shadows."""
    world = code.world
    steps, known = _term_steps(code)
    _note_shared_terms(statement, code)
    known = {v: held for v, held in known.items() if not is_held_twice(v, statement)}
    statement = _with_terms(statement, known)
    lines, kept = tuple(code.lines), tuple(code.kept)
    new, old = ((*kept, *lines), ()) if reads_new else (kept, lines)
    beside = companions(statement, world)
    if beside is None:
        steps.append(Step(statement, (), new, old))
    else:
        steps.append(Step(statement, (), (), old))
        steps.append(Step(beside, (), new, ()))
    return tuple(steps)


def _term_steps(code: Code) -> tuple[list[Step], dict[Expr, Expr]]:
    """Return the steps that name terms of a statement before it, and the names by the terms."""
    steps: list[Step] = []
    known: dict[Expr, Expr] = {}
    for value, variable in sorted(code.terms.items(), key=lambda item: _size(item[0])):
        steps.append(Step(Let(variable, _named(value, known), code.span)))
        known[value] = name(variable, value.type)
    return steps, known


def _note_shared_terms(statement: Simple, code: Code) -> None:
    """Note the terms that are written memory: np.ravel(w), or of what is bound, np.tanh(w)[::-1]."""
    memory = code.world.memory
    for value, variable in code.terms.items():
        if memory.sites(value) & memory.written:
            code.world.shared[variable] = memory.sites(value)
    if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
        return
    mine = memory.points_to.get(statement.target)
    if mine is None or not mine & memory.written:
        return
    for value in _shared(statement.value, world=code.world):
        if value in code.terms:
            code.world.shared[code.terms[value]] = mine


def _shared(value: Expr, world: World) -> Iterable[Expr]:
    """Yield the parts of an expression whose memory its value may share."""
    yield value
    for position in world.memory.shares(value):
        arg = value.args[position]
        yield from _shared(arg.args[0] if arg.op == "attribute" and not position else arg, world)


def _with_terms(statement: Simple, known: dict[Expr, Expr]) -> Simple:
    """Return a statement with the names of its terms in place of them."""
    if not known:
        return statement
    if isinstance(statement, RegionOp):
        return replace(statement, args=tuple(_named(arg, known) for arg in statement.args))
    if isinstance(statement, Let):
        return replace(statement, value=_named(statement.value, known), spelled="=")
    return replace(statement, value=_named(statement.value, known))


def _named(expr: Expr, known: dict[Expr, Expr]) -> Expr:
    if expr in known:
        return known[expr]
    return expr.with_args(_named(arg, known) for arg in expr.args)


def _size(expr: Expr) -> int:
    return 1 + sum(_size(arg) for arg in expr.args)


# ---------------------------------------------------------------------------- branches


def _turn_if(branch: If, place: Place, state: State, world: World) -> Turned:
    before, code = _test_before(branch, state, world)
    blocks = (branch.body, branch.orelse)
    paths = ((*place, 0), (*place, 1))
    asks = _asks_values(branch.test, world)
    while True:
        names = dict(world.fresh.numbers)
        arms = [
            turn_block(b, p, frozenset(code.state), replace(world, arms=(*world.arms, (p, asks))))
            for b, p in zip(blocks, paths, strict=True)
        ]
        world.reads.join(*((p, asks) for p in paths))
        shared = [{v for v in arm.state if _lives_outside(v, paths, world)} for arm in arms]
        odd = shared[0] ^ shared[1]
        begun = {v for v in odd if v not in code.state}
        roots = {v for arm in arms for v in arm.state if world.is_easy(v)} - code.state
        fresh = begun | {v for v in roots if _lives_outside(v, paths, world)}
        if not fresh:
            break
        _forget_names(names, world)
        _begin_all(fresh, code)
    inner: list[Steps] = []
    for arm in arms:
        lost = [v for v in _ordered(odd) if v not in arm.state and not world.is_easy(v)]
        inner.append((*_zeroed_step(lost, branch, world), *arm.steps))
    wanted = frozenset(code.wanted).union(*(arm.wanted for arm in arms))
    test = _test_of(branch, before)
    step = Step(replace(branch, test=test, body=(), orelse=()), tuple(inner))
    steps = (*before, step, *_begin_step(code))
    return Turned(steps, frozenset(shared[0] | shared[1]), wanted)


def _asks_values(test: Expr, world: World) -> bool:
    """Tell whether a test asks for more than the numbers of passes."""
    return any(v not in world.reads.counters for v in read_variables(test))


def _begin_step(code: Code) -> Steps:
    """Return what is run before the blocks of a compound statement are turned back."""
    return (Step(old=tuple(code.lines)),) if code.lines else ()


def _zeroed_step(
    lost: list[Variable],
    statement: Statement,
    world: World,
    alike: frozenset[Variable] = frozenset(),
) -> Steps:
    """Return the step at the start of a block that lets adjoints be zero there.

    Those of `alike` have the shape that they have later in the block.
    """
    if not lost:
        return ()
    code = Code(world, set(), statement.span)
    for variable in lost:
        zero_again(variable, code, variable in alike)
    return (Step(old=tuple(code.lines)),)


def _of_one_shape(loop: For | While, place: Place, world: World) -> frozenset[Variable]:
    """Return the variables that all passes of a loop bind in one shape, and that are not there before."""
    values: dict[Variable, list[Expr]] = {}
    for each in statements(loop.body):
        for variable, value in bindings(each):
            values.setdefault(variable, []).append(value)
    uses = world.memory.uses
    shapes = {v: {shape(value) for value in found} for v, found in values.items()}
    own = {v for v, found in shapes.items() if len(found) == 1 and all(map(is_lasting, found))}
    earlier = {v for v in own for block in uses.bound.get(v, ()) if is_within(place, block)}
    return frozenset(own - earlier - uses.parameters)


def _test_before(branch: If, state: State, world: World) -> tuple[Steps, Code]:
    """Return the step that names a test whose operands the branch may change, or which is costly."""
    code = Code(world, set(state), branch.span)
    changed = may_change((*branch.body, *branch.orelse), world)
    is_there = is_cheap(branch.test) and not reads_set(branch.test)
    if is_there and not _reads_changed(branch.test, changed, world):
        return (), code
    taken = world.fresh.variable("taken", Role.TERM)
    return (Step(Let(taken, _truth(branch.test), branch.span)),), code


def _truth(test: Expr) -> Expr:
    """Return a test as it is now: a list that is named is another one when items have been appended."""
    if test.op in ("and", "or"):
        return test.with_args(map(_truth, test.args))
    if isinstance(test.type, Number) or test.op in ("compare", "unary"):
        return test
    return call(global_("bool", bool), test, type_=Number("bool"))


def _test_of(branch: If, before: Steps) -> Expr:
    if not before:
        return branch.test
    let = before[0].statement
    assert isinstance(let, Let) and isinstance(let.target, Variable)
    return name(let.target, branch.test.type)


def may_change(block: Block, world: World) -> frozenset[object]:
    """Return the variables and sites of memory that a block may change."""
    return world.memory.changed_by(tuple(statements(block)))


def _reads_changed(expr: Expr, changed: frozenset[object], world: World) -> bool:
    return bool(read_variables(expr) & changed) or bool(_sites_read(expr, world) & changed)


def _sites_read(expr: Expr, world: World) -> Sites:
    """Return the memory that an expression reads: of a length or a shape not what is in it."""
    memory = world.memory
    if expr.op == "name":
        return memory.inside(memory.points_to.get(expr.data, frozenset()))
    if reads_shape_only(expr):
        array = expr.args[0 if expr.op == "attribute" else 1]
        if array.op == "name" and isinstance(array.type, Array | Numeric):
            return frozenset()
    if calls(expr, len) and expr.args[1].op == "name" and is_container(expr.args[1].type):
        return memory.points_to.get(expr.args[1].data, frozenset())
    return frozenset().union(*(_sites_read(arg, world) for arg in expr.args))


def _lives_outside(variable: Variable, paths: tuple[Place, ...], world: World) -> bool:
    owner = world.owner(variable)
    return not any(is_within(owner, path) for path in paths)


def _ordered(found: Iterable[Variable]) -> list[Variable]:
    return sorted(found, key=lambda v: (v.name, v.number))


def _forget_names(names: dict[str, int], world: World) -> None:
    """Let names be free again that code used which is written anew; adjoints keep theirs."""
    world.fresh.numbers.clear()
    world.fresh.numbers.update(names)
    world.fresh.know(world.bars.values())


# ---------------------------------------------------------------------------- loops


def _begin_all(fresh: set[Variable], code: Code) -> None:
    """Let adjoints have a value before a statement: easy shadows are asked for, others begin."""
    numbers = [v for v in fresh if isinstance(code.world.bar(v).type, Number)]
    for variable in (*_ordered(numbers), *_ordered(fresh.difference(numbers))):
        if code.world.is_easy(variable):
            code.state.add(variable)
            code.wanted[variable] = None
        else:
            begin(variable, code)


def _turn_loop(loop: For | While, place: Place, state: State, world: World) -> Turned:
    inside = ((*place, 0),)
    code = Code(world, set(state), loop.span)
    while True:
        names = dict(world.fresh.numbers)
        start = frozenset(code.state)
        inner = start - world.carried
        world.carried.update(inner)
        turned = turn_block(loop.body, inside[0], start, world)
        world.carried.difference_update(inner)
        fresh = {v for v in turned.state if _lives_outside(v, inside, world)} - code.state
        if not fresh:
            break
        _forget_names(names, world)
        _begin_all(fresh, code)
    # what a pass binds anew has no adjoint before it
    own = frozenset(bound(loop)) if isinstance(loop, For) else frozenset()
    lost = [v for v in _ordered(start) if v not in turned.state - own]
    if any(world.is_easy(v) for v in lost):
        raise NotYet("memory that a loop makes anew and that is there before it", loop.span)
    alike = _of_one_shape(loop, place, world) if lost else frozenset()
    body = (*_zeroed_step(lost, loop, world, alike), *turned.steps)
    wanted = frozenset(code.wanted) | turned.wanted
    steps = _loop_steps(loop, body, world)
    return Turned((*steps, *_begin_step(code)), start, wanted)


def _is_cheap_end(end: Expr) -> bool:
    """Tell whether an end of a range is written again: a few numbers, or the least of some."""
    several = positional(end) if calls(end, min) else ()
    return is_cheap(end) or (len(several) > 1 and all(map(is_cheap, several)))


def _loop_steps(loop: For | While, body: Steps, world: World) -> Steps:
    """Return a loop with what tells the reverse sweep how often it ran."""
    before: list[Step] = []
    if isinstance(loop, For):
        is_turned = any(step.is_turned for step in body)
        is_range = calls(loop.domain, range)
        if not is_turned and not is_range and not world.is_active(loop.domain):
            return (Step(replace(loop, body=()), (body,)),)
        if not is_range or not isinstance(loop.target, Variable):
            refuse_set(loop.domain, loop.span, "a loop over this set")
            raise NotYet("a loop over this", loop.domain.span or loop.span)
        changed = may_change(loop.body, world)
        if _reads_changed(loop.domain, changed, world) or not all(
            map(_is_cheap_end, loop.domain.args)
        ):
            steps = world.fresh.variable("steps", Role.TERM)
            before.append(Step(Let(steps, loop.domain, loop.span)))
            loop = replace(loop, domain=name(steps, loop.domain.type))
        if not any(map(leaves_pass, loop.body)):
            return (*before, Step(replace(loop, body=()), (body,)))
    passes = world.fresh.variable("passes", Role.TERM)
    count = name(passes, WHOLE)
    more = Expr("binary", (count, number(1)), "+", WHOLE)
    before.append(Step(Let(passes, number(0), loop.span)))
    counted = (Step(Let(passes, more, loop.span, spelled="+")), *body)
    return (*before, Step(replace(loop, body=()), (counted,), passes=passes))
