"""A function becomes a Program by partial evaluation: code is evaluated, data is computed.

def f(u, n):                       def f(u, n):
    step = make_step(0.1)              for _ in range(n):
    for _ in range(n):      ->             u = u + 0.1 * np.sin(u)
        u = step(u)                    return np.sum(u)
    return np.sum(u)

Lowering begins again where a choice has to be taken that it did not know: this loop is unrolled,
this argument is known, this list is a structure. The choices only grow, so it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from s2sad.ir.errors import NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, Known, Variable, name
from s2sad.ir.program import (
    Check,
    For,
    Function,
    Let,
    Parameter,
    Program,
    RegionOp,
    Statement,
    Store,
)
from s2sad.ir.records import replace
from s2sad.ir.remedies import unfit
from s2sad.ir.types import Code as CodeType
from s2sad.ir.types import Type, is_integer, types_in, with_lengths
from s2sad.ir.walk import nodes_in, reached, rewritten, with_nodes
from s2sad.lowering import (
    attributes,
    binding,
    calls,
    displays,
    execute,
    exits,
    functions,
    items,
    iterate,
    lazies,
    lifting,
    methods,
    models,
    operations,
    reflection,
    targets,
    ways,
)
from s2sad.lowering import evaluate as expressions
from s2sad.lowering.machine import Scope, State, named
from s2sad.lowering.memory import NOWHERE, UNSET, Memory, add_regions, as_regions
from s2sad.lowering.module_names import enter_module
from s2sad.lowering.peeling import PEELED
from s2sad.lowering.results import refuse_stale, result_of
from s2sad.lowering.typing import item_type, region_with
from s2sad.lowering.values import (
    BY_PLACE,
    Again,
    Cell,
    Choice,
    Closure,
    Data,
    Demand,
    Unjoinable,
    Value,
    literal,
)
from s2sad.source.read import Source, read, span_of
from s2sad.source.trees import yields
from s2sad.types import Context, Mismatch, join
from s2sad.types.structure import is_value, option_text

ROUNDS = 80
FUEL = 60_000  # statements that one lowering may make
IN_PLACE = 2_000  # where functions that call themselves are run in place


class Machine(State):
    """The state of a lowering, with all that the parts of the interpreter ask of each other.

    An expression holds expressions, a call runs statements, a loop over an object of the user's
    calls its methods: each part needs all others. So each asks the machine.
    """

    __slots__ = ()

    evaluate = expressions.evaluate
    evaluate_whole = expressions.whole
    run = execute.block
    assign = targets.assign
    loop = iterate.loop
    call = calls.call
    called = calls.called
    call_method = methods.of_data
    call_global = models.call
    lift = lifting.lift
    to_data = lifting.to_data
    parts_of = items.parts_of
    item = items.item
    find = attributes.find
    attribute = attributes.attribute
    listed = iterate.listed
    at_once = lazies.at_once
    binary = operations.binary
    truth = operations.truth
    tested = operations.tested


def lower(
    source: Source,
    arguments: Sequence[Type],
    context: Context,
    names: tuple[str, ...] | None = None,
) -> Program:
    """Return the program of a function for arguments of these types.

    They come in the order of the parameters, or for those of these names: rest_1 is of `*rest`.

    `context` is the one in which `type_of` has read the types from examples: it knows the memory
    that they refer to, and the options in them. Options (flags, texts, None) are taken to be as
    in the examples, whole numbers where a choice asks for them: each is a Check of the program.

    Raises NotYet for what is not lowered yet, at the user's line; what is inactive and cannot be
    lowered stands in the program as it was written (Copied).
    """
    try:
        return _settled(source, arguments, context, names, False)
    except NotYet as fault:
        try:
            return _settled(source, arguments, context, names, True)
        except NotYet:
            raise fault from None


def _settled(
    source: Source,
    arguments: Sequence[Type],
    context: Context,
    names: tuple[str, ...] | None,
    copies: bool,
) -> Program:
    """Lower until no other choice is asked for; `copies`: what cannot be lowered is copied."""
    choices: frozenset[Choice] = frozenset((PEELED, site) for site in context.peeled)
    effects: dict[str, Any] = {}
    results: dict[str, Any] = {}
    memory = Memory(join)
    for _ in range(ROUNDS):
        memory.begin()
        m = Machine(context, choices, memory, copies, effects=effects, results=results)
        m.fuel = IN_PLACE if context.in_place else FUEL
        try:
            return _lowered(m, source, arguments, names)
        except Again:
            continue
        except Mismatch as mismatch:
            if not context.assumptions.learn(mismatch, m.span):
                raise Refused(unfit(f"lengths differ: {mismatch}", m.span)) from None
            memory = Memory(join)
        except Demand as demand:
            if demand.choice in choices:
                raise NotYet(
                    "what would have to be known on one way and not on another", m.span
                ) from None
            if demand.choice[0] == BY_PLACE and demand.choice[1] in context.by_place:
                site = demand.choice[1]
                context.regions[site] = context.by_place.pop(site)
                context.opened.add(site)
            if demand.choice[0] in ("keys", "structure", "result", BY_PLACE):
                memory = Memory(join)
            choices |= {demand.choice}
        except Unjoinable as fault:
            raise fault.refusal(m.span) from None
        except RecursionError:
            raise NotYet("a recursion that is too deep", m.span) from None
    raise NotYet("a function of so many kinds of values", None)


def _lowered(
    m: Machine, source: Source, arguments: Sequence[Type], names: tuple[str, ...] | None
) -> Program:
    resolve = m.context.assumptions.resolve
    regions = {site: region_with(each, resolve) for site, each in m.context.regions.items()}
    add_regions(m.memory, regions, m.context.options, m.context.opened)
    arguments = [with_lengths(type_, resolve) for type_ in arguments]
    m.frame = 1
    closure = reflection.closure_of(m, source.entered.function)
    m.heap[1] = Cell("frame", {}, None, None, None, closure)
    if yields(closure.node):
        raise Unsupported(
            f"{closure.name} is a generator: what it yields is computed as it is asked for",
            span_of(closure.path, closure.name, closure.node),
            "Differentiate a function that calls it, and returns a number or an array.",
        )
    if isinstance(closure.node, gast.AsyncFunctionDef):
        span = span_of(closure.path, closure.name, closure.node)
        raise Unsupported(
            f"{closure.name} is an async function",
            span,
            "Write a plain function that computes the value.",
        )
    m.span = span_of(closure.path, closure.name, closure.node)
    enter_module(m)
    m.count = 2  # the frame of the function itself
    called = reflection.closure_of(m, source.function)
    entry, variables, checks = _entry(m, called, arguments, names)
    closure, entry = _entered(m, called, entry, variables)
    result = _run(m, closure, entry, variables)
    closure = replace(closure, name=called.name)
    return _program(m, closure, result, arguments, variables, checks)


def _entered(
    m: Machine, closure: Closure, entry: dict[str, Value], variables: list[Variable]
) -> tuple[Closure, dict[str, Value]]:
    """Return what a function stands for that does nothing but call another, with its parameters."""
    if closure.original is None or read(closure.original).called is None:
        return closure, entry
    m.heap[2] = Cell("frame", entry, None, None, None, closure, {v.name: v for v in variables})
    m.frame, m.contexts = 2, [Scope("function", True, 2)]
    function, args, keywords = calls.handed(m, closure.node.body[-1].value)
    if not isinstance(function, Closure):
        return closure, entry  # it has a rule of its own
    bound = binding.bind(m, function, args, keywords)
    rest = function.node.args.vararg
    if rest is not None and displays.is_plain(m, bound[rest.id]) and args:
        bound[rest.id] = named(m, m.to_data(bound[rest.id]), rest.id)  # one tuple, as in Python
    return _entered(m, function, bound, variables)


def _entry(
    m: Machine, closure: Closure, arguments: Sequence[Type], names: tuple[str, ...] | None
) -> tuple[dict[str, Value], list[Variable], list[Check]]:
    """Return the parameters with their values, and what is taken of them."""
    spec = closure.node.args
    params = [a.id for a in (*spec.posonlyargs, *spec.args)]
    only = {a.id for a in spec.kwonlyargs}
    given: list[Value] = []
    keywords: dict[str, Value] = {}
    variables: list[Variable] = []
    checks: list[Check] = []
    for place, type_ in enumerate(arguments):
        wanted = (params if names is None else names)[place]
        variable = Variable(wanted)
        m.used.add(wanted)
        variables.append(variable)
        choice = ("known", ((closure.name, closure.node.lineno), wanted))
        value = _argument(m, type_, variable, choice, checks)
        if wanted in only:
            keywords[wanted] = value
        else:
            given.append(value)
    bound = binding.bind(m, closure, given, keywords)
    return bound, variables, checks


def _argument(
    m: Machine, type_: Type, variable: Variable, choice: Choice, checks: list[Check]
) -> Value:
    path, expr = variable.name, name(variable, type_)
    if isinstance(type_, CodeType):
        found = m.lift(type_.value, None, path)
        return Data(expr) if isinstance(found, Data) else found
    if path in m.context.options:
        checks.append(_check(m, expr, m.context.options[path]))
        return literal(m.context.options[path])
    if not is_integer(type_):
        return Data(expr)
    if choice in m.choices and path in m.context.assumptions.sizes:
        value = m.context.assumptions.sizes[path]
        checks.append(_check(m, expr, value))
        return Data(expr.typed(type_, Known(value)), frozenset({choice}))
    return Data(expr, frozenset({choice}))


def _check(m: Machine, expr: Expr, value: Any) -> Check:
    test = replace(is_value(expr, value), span=m.span)
    return Check(test, f"made for {option_text(str(expr.data), value)}", m.span)


def _run(m: Machine, closure: Closure, entry: dict[str, Value], variables: list[Variable]) -> Scope:
    """Run the body of the function; return its context with the results."""
    names = {v.name: v for v in variables}
    m.heap[2] = Cell("frame", entry, None, None, None, closure, names)
    m.frame = 2
    context = Scope("function", True, 2)
    m.contexts = [context]
    if isinstance(closure.node, gast.Lambda):
        exits.leave(m, "return", m.evaluate_whole(closure.node.body))
        return context
    way = m.run(closure.node.body, is_whole=True)
    if isinstance(way, ways.Mixed):
        raise NotYet("a function that is left in mixed ways", m.span)
    return context


def _program(
    m: Machine,
    closure: Closure,
    context: Scope,
    arguments: Sequence[Type],
    variables: list[Variable],
    checks: list[Check],
) -> Program:
    main = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in closure.name).strip("_")
    main = main or "function"
    while main in m.texts or main in m.ever or main in m.functions:
        main += "_"
    pairs = zip(variables, arguments, strict=True)
    params = tuple(Parameter(variable, type_) for variable, type_ in pairs)
    span = span_of(closure.path, closure.name, closure.node)
    made = Function(main, params, tuple(m.block), span, _doc(closure))
    m.functions[main] = functions.with_summary(m, made)
    functions.with_free_variables(m)
    facts = {
        "result": result_of(m, context).type,
        "copied": tuple(m.copied),
        "taken": dict(m.taken),
        "marks": dict(m.marks),
        "arguments": {site: frozenset(r.fields) for site, r in m.context.regions.items()},
        "remembering": frozenset(_remembering(m)),
    }
    regions = as_regions(m.memory, m.context.sized)
    refuse_stale(_remembering(m), m.functions)
    made_of = {n: _without_unset(m, f) for n, f in reached(m.functions, main).items()}
    return Program(made_of, main, regions, tuple(checks), {}, facts)


def _without_unset(m: Machine, function: Function) -> Function:
    """Return a function in which what no run computes is a number: what is read where nothing is put.

    Loops over what nothing is put into are left out: they have no passes.
    """

    def as_number(node: Expr) -> Expr | None:
        return node.typed(NOWHERE) if node.type is UNSET else None

    def of_number(statement: Statement) -> Statement | None:
        match statement:
            case For(_, over) | RegionOp(None, _, "update" | "extend", (over,)):
                # what is not known is equal to it
                is_empty = any(each is UNSET for each in types_in(item_type(m, over.type)))
                return None if is_empty else statement
            case Store(Expr("name", type=type_, data=variable) as target, op, value, span):
                if type_ is UNSET:  # x += e of a number binds x anew
                    both = Expr("binary", (target, value), op, UNSET, None, span)
                    return Let(variable, both, span, spelled=op)
        return statement

    body = rewritten(function.body, of_number)
    if all(node.type is not UNSET for node in nodes_in(body)):
        return replace(function, body=body)
    return replace(function, body=with_nodes(body, as_number))


def _remembering(m: Machine) -> dict[str, Closure]:
    """Return the functions that remember results, each with the function of the user's that it is of."""
    made = {n: c for n, c in m.texts.items() if n in m.functions and isinstance(c, Closure)}
    return {n: c for n, c in made.items() if c.remembers}


def _doc(closure: Closure) -> str:
    if isinstance(closure.node, gast.Lambda):
        return ""
    return gast.get_docstring(closure.node) or ""
