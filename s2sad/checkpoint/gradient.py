"""The gradient of a program: prepared, turned back, planned and joined.

gradient(program, ("u",), tools) -> Program with the function f_grad
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from s2sad.analysis.activity import activity, arguments
from s2sad.analysis.callees import kept_functions, merged_twins, twin_of
from s2sad.analysis.common_subexpressions import may_repeat, with_common_subexpressions_named
from s2sad.analysis.given_back import with_written_given_back
from s2sad.analysis.memory import Memory, memory, returned, types_of
from s2sad.analysis.openings import leaves, readings
from s2sad.analysis.parted import with_parts_handed_over
from s2sad.analysis.pass_lengths import with_lengths_of_passes
from s2sad.analysis.pointers import Shares
from s2sad.analysis.prepare import Prepared, prepared, prepared_again
from s2sad.analysis.shifts import cancelling_calls
from s2sad.analysis.summaries import with_own_functions
from s2sad.analysis.terms import elementwise_operands
from s2sad.checkpoint.asking import asking_number, asking_seed
from s2sad.checkpoint.join import join
from s2sad.checkpoint.kept import Kept
from s2sad.checkpoint.ownership import owned
from s2sad.checkpoint.plan import plan
from s2sad.checkpoint.results import results
from s2sad.checkpoint.scheduled import (
    Loops,
    Marks,
    loop_spans,
    returned_names,
    scheduled_loops,
    with_loops,
)
from s2sad.checkpoint.shared import with_values_shared
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, Variable, call, is_own_call, name
from s2sad.ir.program import REVERSE_SWEEP, Block, Function, Let, Parameter, Program, Return
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.remedies import in_one_report
from s2sad.ir.renaming import free_name, with_read_names
from s2sad.ir.types import UNKNOWN, Number, Numeric, Optional, Region, Site, Tuple, Type, Unknown
from s2sad.ir.walk import reached, read_in, statements
from s2sad.operators.schedules import Schedules
from s2sad.reverse.adjoint import adjoint
from s2sad.reverse.calculus import FLOAT, Calculus
from s2sad.reverse.rules import TableRules
from s2sad.reverse.sweep import Adjoint, Steps
from s2sad.reverse.world import Callees, World
from s2sad.types import without_passes
from s2sad.types.assumptions import Different


@dataclass(frozen=True, slots=True)
class Tools:
    """What the rooms before give: types, sharing of memory, rules and costs.

    `regions` are those that types are inferred with; what they hold may be found out later.
    `gives_number` tells whether the result is one number for the example, where types do not, and
    `assumes_number` that types do as ranks were chosen for it to be one: that is asked, too;
    `asks_number` is what the text says where it is none, as it asks when it runs; `asks_seed`
    what it says of a seed that has another shape than the result.
    `different` are positions of arguments that are taken for different where something is stored there.
    `assumes` tells that what is mixed element by element is taken for equally long, and asked to be.
    `schedules` are what is asked of loops; those that were met are noted in `loops`, those that keep
    states by one in `kept`, by the names of the functions that run them.
    """

    infer: Callable[[Expr], Expr]
    shares: Shares
    join: Callable[[Type, Type], Type | None]
    rules: TableRules
    cost: Callable[[Expr], str]
    regions: dict[Site, Region]
    gives_number: Callable[[], bool] = lambda: False
    assumes_number: bool = False
    asks_number: str = ""
    asks_seed: str = ""
    assumes: bool = False
    schedules: Schedules | None = None
    loops: dict[Span, None] = field(default_factory=dict)
    kept: dict[str, Kept] = field(default_factory=dict)
    different: Different = field(default_factory=Different)


@dataclass(frozen=True, slots=True)
class Derivation:
    """A gradient with what it was made from, which the replay verifier reads, and its `kept` loops."""

    program: Program
    prepared: Prepared
    adjoint: Adjoint
    world: World
    arguments: tuple[Variable, ...]
    single: bool
    kept: Mapping[str, Kept] = field(default_factory=dict)


def gradient(
    program: Program,
    wrt: tuple[str, ...],
    tools: Tools,
    form: str = "grad",
    single: bool = True,
    has_aux: bool = False,
) -> Derivation:
    """Return the program of a derivative with respect to these arguments; of one, not in a tuple.

    `form` is "grad", "value_and_grad", which returns (value, gradient), or "vjp", which takes the
    adjoint of the result as its last argument, `seed`. With `single` False one adjoint comes in a
    tuple all the same. With `has_aux` the function returns (value, aux), of which the value is
    differentiated, and aux comes back, too.
    """
    tools = with_own_calls(tools, program)
    program = with_parts_handed_over(merged_twins(program, tools.join), tools.regions)
    program = _called_once(program, tools.join)
    program = given_back(program, tools)
    if tools.schedules is not None or program.facts.get("marks"):
        program = program.mapped(with_read_names)  # _ is what a schedule throws away
    tools = with_own_calls(tools, program)
    callees = Callees(program.functions, partial(_memory, tools=tools))
    asked = _Asked(arguments(program.function, wrt), form, single, has_aux)
    with in_one_report(callees.missing):
        made = _derived(program, asked, tools, callees)
        callees_made = _with_callees(program, tools, callees)
    functions = {**callees_made, made.program.entry: made.program.function}
    kept = reached(functions, made.program.entry)
    program = replace(made.program, functions=kept)
    return replace(made, program=program, kept=dict(tools.kept))


def given_back(program: Program, tools: Tools) -> Program:
    """Return a program whose functions that call themselves only compute, as far as they can."""

    return with_written_given_back(program, partial(_memory, tools=tools))


def _memory(function: Function, tools: Tools) -> Memory:
    return memory(function, types_of(function, tools.join), tools.shares, tools.regions)


def _called_once(program: Program, join: Callable[[Type, Type], Type | None]) -> Program:
    """Return a program whose first function is called by no other: one that calls itself is called.

    def f(x, n): ... f(x, n - 1) ...        def f_first(x, n): return f(x, n)
    """
    first = program.function
    again = twin_of(first, program.functions, join)
    if again not in kept_functions(program):
        return program
    head = Expr("function", (), again)
    args = (name(p.variable, p.type) for p in first.parameters)
    body = (Return(call(head, *args, type_=program.facts["result"])),)
    made = replace(first, name=f"{first.name}_first", body=body)
    functions = {**program.functions, made.name: made}
    return replace(program, functions=functions, entry=made.name)


def with_own_calls(tools: Tools, program: Program) -> Tools:
    """Return tools that know what own functions give: their derivatives give new values."""
    known = with_own_functions(tools.shares, program.functions)

    def shares(expr: Expr) -> tuple[int, ...]:
        is_derived = is_own_call(expr) and expr.args[0].data not in program.functions
        return () if is_derived else known(expr)

    return replace(tools, shares=shares)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a function: with respect to what, in which form, and under which name."""

    arguments: tuple[Variable, ...]
    form: str
    single: bool
    has_aux: bool = False
    name: str = ""
    doc: str = ""
    seeds: tuple[str, ...] = ()
    handed: tuple[Variable, ...] = ()


def _with_callees(program: Program, tools: Tools, callees: Callees) -> dict[str, Function]:
    """Return the functions of a program with the derivatives that calls asked for.

    These may ask for more: a function that calls itself asks for its own. One is made again where a
    later call hands it an adjoint that leaves out more.
    """
    functions = {**program.functions, **callees.made}
    made: dict[str, tuple[bool, bool]] = {}
    while missing := [
        key
        for key, called in callees.asked.items()
        if called not in functions or made.get(called) not in (None, callees.leaves_out(called))
    ]:
        for key in missing:
            called = callees.asked[key]
            made[called] = callees.leaves_out(called)
            functions[called] = _derivative_of_callee(program, *key, called, tools, callees)
        functions |= callees.made
    return functions


def _derivative_of_callee(
    program: Program,
    name: str,
    positions: tuple[int, ...],
    called: str,
    tools: Tools,
    callees: Callees,
) -> Function:
    """Return the function that pulls the adjoint of a call's result back to its arguments."""
    function = program.functions[name]
    variables = tuple(p.variable for p in function.parameters)
    shown = function.span.function if function.span is not None else name
    seed = _seed_name(function, "out_bar")
    doc = f"Pull {seed} back through {shown}({', '.join(v.name for v in variables)})."
    asked = _Asked(tuple(variables[k] for k in positions), "vjp", True, False, called, doc)
    alone = replace(program, entry=name)
    return _derived(alone, asked, tools, callees).program.function


def _derived(program: Program, asked: _Asked, tools: Tools, callees: Callees) -> Derivation:
    """Return the derivative of the entry function of a program, alone."""
    ready = prepared(program, tools.infer, tools.shares, tools.join, tools.regions)
    arguments, form = asked.arguments, asked.form
    parts = tuple(leaf for a in arguments for leaf in leaves(a, ready.openings))
    ready = _with_common_subexpressions_named(ready, frozenset((*parts, *asked.handed)), tools)
    ready = _with_lengths(ready, tools)
    function, aux = _parted(ready.function) if asked.has_aux else (ready.function, None)
    ready = replace(ready, function=function)
    if form != "vjp":
        ready = _of_number(ready, tools)
    tools = replace(tools, asks_seed="") if asked.name else tools
    made = _swept(program, ready, parts, asked, tools, callees, aux)
    loops = _scheduled(made, ready, tools, program.facts.get("marks", {}))
    if not loops:
        return made
    if aux is not None:
        raise NotYet("a schedule for loops of what gives (value, aux)", function.span)

    def derived_step(step: Function, kept: Kept) -> Function:
        alone = replace(program, functions={**program.functions, step.name: step}, entry=step.name)
        seeds = tuple(f"{v.name}_bar" for v in returned_names(step))
        wrt = (*kept.received, *kept.varying_outside)
        doc = "Pull adjoints back through one pass, from what it began with."
        inner = _Asked(wrt, "vjp", True, False, kept.names.step_back, doc, seeds, kept.shadowed)
        return _derived(alone, inner, tools, callees).program.function

    tools = replace(tools, shares=_new_from_loops(tools.shares, callees))
    again = partial(
        prepared_again, ready, shares=tools.shares, join=tools.join, regions=tools.regions
    )
    ready, kept = with_loops(ready, loops, made.world.active, again, derived_step, callees)
    tools.kept.update(kept)
    return _swept(program, ready, parts, asked, tools, callees)


def _with_lengths(ready: Prepared, tools: Tools) -> Prepared:
    """Return a function in which lengths of single passes are known; variables have none of these."""
    body = with_lengths_of_passes(ready.function.body, ready.memory, tools.infer, tools.assumes)
    if body is ready.function.body:
        return ready
    made = prepared_again(ready, body, tools.shares, tools.join, tools.regions)
    types = {v: without_passes(type_) for v, type_ in made.memory.types.items()}
    return replace(made, memory=replace(made.memory, types=types))


def _with_common_subexpressions_named(
    ready: Prepared, wrt: frozenset[Variable], tools: Tools
) -> Prepared:
    """Return a function in which what varies and is computed twice has a name."""
    function, found, regions = ready.function, ready.memory, tools.regions
    if not may_repeat(function.body):  # most do not: what varies need not be found out
        return ready
    active = activity(function.body, found, wrt, regions)
    body = with_common_subexpressions_named(function, found, active, regions)
    if body is function.body:
        return ready
    return prepared_again(ready, body, tools.shares, tools.join, regions)


def _scheduled(made: Derivation, ready: Prepared, tools: Tools, marks: Marks) -> Loops:
    """Return the loops of a function that save values in their passes and have a schedule."""
    function = ready.function
    tools.loops.update(dict.fromkeys(loop_spans(function)))
    if tools.schedules is None and not marks:
        return []
    asked = tools.schedules or Schedules()
    parameters = tuple(p.variable for p in function.parameters)
    decided = plan(made.adjoint.steps, made.prepared.memory, parameters, tools.cost)
    return scheduled_loops(function, made.adjoint.steps, decided, asked, marks, made.world.active)


def _new_from_loops(shares: Shares, callees: Callees) -> Shares:
    """Return what tells that loops with schedules, and their reverse, give memory of their own."""

    def shares_of(expr: Expr) -> tuple[int, ...]:
        is_loop = is_own_call(expr) and expr.args[0].data in callees.made
        return () if is_loop else shares(expr)

    return shares_of


def _swept(
    program: Program,
    ready: Prepared,
    parts: tuple[Variable, ...],
    asked: _Asked,
    tools: Tools,
    callees: Callees,
    aux: Expr | None = None,
) -> Derivation:
    """Return the derivative of a function that is ready; `aux` is what it gives beside its value."""
    arguments, form = asked.arguments, asked.form
    wish = "out_bar" if asked.name else "seed"
    is_seeded = form == "vjp" and not asked.seeds
    both, world = adjoint(
        ready.function,
        parts,
        ready.memory,
        tools.regions,
        Calculus(tools.infer),
        tools.rules,
        _seed_name(program.function, wish) if is_seeded else "",
        form == "value_and_grad",
        callees,
        aux,
        asked.seeds,
        asked.handed,
        Different() if asked.name else tools.different,
        callees.leaves_out(asked.name),
    )
    known = {**ready.memory.points_to, **world.shared}
    remembered = replace(ready.memory, points_to=known).with_shadows(world.bars)
    ready = replace(ready, memory=remembered)
    parameters = tuple(p.variable for p in ready.function.parameters)
    both = replace(both, steps=with_values_shared(both.steps, remembered, parameters, tools.cost))
    single = asked.single and len(arguments) == 1
    made = joined(program, ready, both.steps, world, arguments, single, tools)
    cancelling = cancelling_calls(ready.function, world.shifts)
    made = replace(made, facts={**made.facts, "cancelling": cancelling})
    if asked.name:
        function = replace(made.function, name=asked.name, doc=asked.doc)
        made = replace(made, functions={asked.name: function}, entry=asked.name)
    return Derivation(made, ready, both, world, arguments, single)


def _seed_name(function: Function, wish: str) -> str:
    """Return what the seed is called: seed_2 beside a parameter that is called seed."""
    return free_name(wish, {p.variable.name for p in function.parameters})


def _parted(function: Function) -> tuple[Function, Expr]:
    """Return a function that gives its value alone, and what it gave beside it."""
    end = returned(function)
    if end is None or end.value.op != "tuple" or len(end.value.args) != 2:
        raise NotYet("a result that is not written (value, aux)", function.span)
    value, aux = end.value.args
    return replace(function, body=(*function.body[:-1], replace(end, value=value))), aux


def _of_number(ready: Prepared, tools: Tools) -> Prepared:
    """Return a function whose result is known to be a number, if it is one for the example."""
    function, types = ready.function, ready.memory.types
    end = returned(function)
    type_ = UNKNOWN if end is None else end.value.type
    inner = type_.type if isinstance(type_, Optional) else type_
    perhaps = inner is not type_ and isinstance(inner, Number)
    is_open = perhaps or isinstance(inner, Unknown | Numeric) or tools.assumes_number
    if end is None or not is_open:
        return ready
    if not tools.gives_number():
        return ready
    number = end.value.typed(inner if perhaps else FLOAT)
    asked = (asking_number(number, tools.asks_number),) if tools.asks_number else ()
    last = replace(end, value=number)
    body = function.body[:-1]
    match body[-1:]:
        case (Let(Variable() as target, value) as named,) if target == end.value.data:
            value = _as_number(value)
            body = (*body[:-1], replace(named, value=value))
            types = {**types, target: value.type}
    function = replace(function, body=(*body, *asked, last))
    return replace(ready, function=function, memory=replace(ready.memory, types=types))


def _as_number(value: Expr) -> Expr:
    """Return a value that turns out to be a number as one: so are the operands of all elements."""
    if not isinstance(value.type, Numeric) or not elementwise_operands(value):
        return value
    return value.with_args(map(_as_number, value.args)).typed(FLOAT)


def joined(
    program: Program,
    ready: Prepared,
    steps: Steps,
    world: World,
    arguments: tuple[Variable, ...],
    single: bool,
    tools: Tools,
) -> Program:
    """Return the gradient that steps come to: saved, joined, and given in the structure of arguments."""
    function = ready.function
    parameters = tuple(p.variable for p in function.parameters)
    decided = plan(steps, ready.memory, parameters, tools.cost)
    types = dict(ready.memory.types)
    types |= {b: types[v] for v, b in world.bars.items() if v in types}
    sweeps = join(steps, decided, types, world.fresh)
    asking = _asking_seed(function, world, tools)
    reverse = (*asking, *sweeps.reverse, results(arguments, ready, world, single))
    body = owned(sweeps.forward, reverse, ready.memory, world, tools.shares)
    start = len(sweeps.forward)
    body = (*body[:start], REVERSE_SWEEP, *body[start:])
    body = (*_readings(body, ready), *body)
    name_ = f"{function.name}_{'vjp' if world.seed else 'grad'}"
    seeds = [Parameter(variable, type_) for variable, type_ in world.seeds.items()]
    seeds += [] if world.seed is None else [Parameter(world.seed)]
    every = (*program.function.parameters, *seeds)
    made = replace(function, name=name_, parameters=every, body=body, doc="")
    return replace(program, functions={made.name: made}, entry=made.name)


def _asking_seed(function: Function, world: World, tools: Tools) -> Block:
    """Return what asks whether a seed has the shape of the result, which has a name then."""
    end = returned(function)
    if world.seed is None or not tools.asks_seed or end is None:
        return ()
    if isinstance(end.value.type, Tuple) and end.value.op != "tuple":  # None on some ways
        return ()
    return (asking_seed(name(world.seed), end.value, tools.asks_seed),)


def _readings(body: Block, ready: Prepared) -> Block:
    """Return the statements that read the parts of opened parameters, as far as they are read."""
    if not ready.openings:
        return ()
    found = (v for s in statements(body) for v in read_in(s))
    return readings(ready.openings, frozenset(found))
