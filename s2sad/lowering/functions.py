"""Functions of the user's: a Function of the program, made for what is known of the arguments, or
the body in place of the call.

f(u, 2)           Function f(u, n), called
f(np.sin, u)      Function f(u) with np.sin in it
counter(x)        gives a closure: its body is run where it is called
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from s2sad.analysis.summaries import Shares, effect_of, summary, with_own_functions
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, Known, Variable, name
from s2sad.ir.program import PURE, Function, Parameter, Store
from s2sad.ir.records import replace
from s2sad.ir.renaming import numbered
from s2sad.ir.types import (
    UNKNOWN,
    Number,
    Numeric,
    Reference,
    Sequence,
    Tuple,
    Type,
    Unknown,
    is_float,
    types_in,
    with_parts,
)
from s2sad.ir.types import Code as CodeType
from s2sad.ir.walk import bound_in, expressions, nodes, read_variables, with_nodes
from s2sad.ir.walk import statements as statements_in
from s2sad.lowering import demands, evaluation_order, packed, reflection, ways
from s2sad.lowering.machine import (
    EXIT,
    MODULE,
    Heap,
    Machine,
    Own,
    Scope,
    burn,
    forked,
    fresh,
    global_expr,
    mentioned,
    new_cell,
    refusal,
    stable,
)
from s2sad.lowering.memory import as_regions, counted
from s2sad.lowering.results import assumed_result, result_of, settle_result
from s2sad.lowering.typing import without_lengths
from s2sad.lowering.values import (
    Bound,
    Box,
    Cell,
    Closure,
    Code,
    Data,
    Demand,
    Fixed,
    Lazy,
    Packed,
    Ref,
    Tup,
    Unjoinable,
    Value,
    Variables,
    held_in,
    is_made_inside,
    is_option,
    kept,
    literal,
    origins_of,
    word_of,
    written_out,
)
from s2sad.operators.printed import name_of
from s2sad.source.outside import Same
from s2sad.source.owners import distribution, is_of_prelude, is_own_file
from s2sad.source.read import span_of
from s2sad.source.trees import parameters
from s2sad.types import join, shares

NESTED = 3  # calls of one function inside of each other that are told apart by their lengths
NESTED_TUPLES = 8  # tuples inside of each other that a function of the program is handed
# calls inside of each other, of one function or run where they stand; of these a third where
# nothing is known of their ends
DEPTH = 60
OF_A_CALL = 10  # statements that a call counts as that is run where it stands
Bindings = dict[str, Value]


def enter(m: Machine, closure: Closure, bound: Bindings) -> int:
    """Make the frame of a call."""
    if _site(closure) in m.context.in_place:
        _ask_for_all(m, closure, bound)
        bound = {p: written_out(v) if isinstance(v, Data) else v for p, v in bound.items()}
    slots = {param: stable(m, value, param) for param, value in bound.items()}
    # what a function of the prelude makes for one call is not what it makes for another
    caller = (m.span, m.heap[m.frame].site) if is_of_prelude(closure.path) else None
    cell = Cell("frame", slots, None, caller, closure.frame, closure, entered=_entered(m, closure))
    return new_cell(m, cell).id


def _entered(m: Machine, closure: Closure) -> Span | None:
    """Return the call of the user's that leads to a function of another library than his own."""
    called = m.span
    if called is None or is_own_file(closure.path):
        return None
    is_entry = called.entered is None and distribution(called.path) != distribution(closure.path)
    return called.of_user() if is_entry else called.entered


# ---------------------------------------------------------------------------- in place


def inlined(m: Machine, closure: Closure, bound: Bindings) -> Value:
    """Run the body of a function here."""
    if len(m.contexts) > (DEPTH if m.context.has_examples else DEPTH // 3):
        raise refusal(m, f"{closure.name}, which calls itself and is written out at each call,")
    burn(m, OF_A_CALL)
    place = enter(m, closure, bound)
    outer, m.frame = m.frame, place
    context = Scope("function", False, place)
    m.contexts.append(context)
    try:
        if isinstance(closure.node, gast.Lambda):
            result: Value = m.evaluate(closure.node.body)
        else:
            result = _run(m, closure, place, context)
    finally:
        m.frame = outer
        m.contexts.pop()
    result = kept(result)
    _forget(m, place, result)
    return result


def _ask_for_all(m: Machine, closure: Closure, bound: Bindings) -> None:
    """Ask for what a call is handed that others end, and for what the functions around it hold."""
    values, frame = list(bound.values()), closure.frame
    while frame is not None:
        values += m.heap[frame].slots.values()
        frame = m.heap[frame].parent
    demands.demand_open(m, origins_of(values), "structure", "known", "unroll")


def _run(m: Machine, closure: Closure, place: int, context: Scope) -> Value:
    way = ways.without(m.run(closure.node.body, is_whole=True), ways.Exit("return", context))
    if way is not None and not isinstance(way, ways.Mixed):
        m.leaving = way
        return Data(literal(None).expr.typed(UNKNOWN))  # nothing is done with it any more
    return m.heap[place].slots.get("<result>", literal(None))


def _forget(m: Machine, place: int, result: Value) -> None:
    """Take the frame of a call off the heap, unless something made in it still refers to it."""
    values = [v for at, cell in m.heap.items() if at != place for v in cell.slots.values()]
    parents = [cell.parent for at, cell in m.heap.items() if at != place]
    classes = map(Code, m.made)
    if place in parents or any(_refers(v, place) for v in (result, *classes, *values)):
        return
    m.heap = {at: cell for at, cell in m.heap.items() if at != place}


def _refers(value: Any, place: int) -> bool:
    """Tell whether a value holds a frame."""
    match value:
        case Closure() if value.frame == place:
            return True
        case Ref():
            return value.id == place
        case Lazy(extra=tuple() as frames) if place in frames:
            return True
        case Code(obj=type() as cls) if cls.__module__ == "__made__":
            boxes = (v for base in cls.__mro__ for v in vars(base).values() if isinstance(v, Box))
            return any(_refers(box.value, place) for box in boxes)
    return any(_refers(part, place) for part in held_in(value))


# ---------------------------------------------------------------------------- functions of the program


def own(m: Machine, closure: Closure, bound: Bindings) -> Value | None:
    """Call a function of the program that is made for these arguments; None: it has to be inlined."""
    found, bound = made(m, closure, bound)
    return None if found is None else called(m, found, closure, bound)


def made(
    m: Machine, closure: Closure, bound: Bindings, beside_objects: bool = False
) -> tuple[Own | None, Bindings]:
    """Return a function of the program that is made for these arguments, and them as it takes them.

    Without a function it has to be inlined. Of known objects it reads the fields as those of what
    is around it, where it may be made beside these.
    """
    site = _site(closure)
    owner = next(iter(bound.values()), None)
    if isinstance(owner, Ref) and _calls_its_own_object(closure):
        held = (v for v in m.heap[owner.id].slots.values() if isinstance(v, Data))
        demands.demand_open(m, origins_of(held), "structure")
        beside_objects = True
    elif site in m.context.in_place:
        return None, bound
    if name_of(closure.original):
        leaves = (leaf for given in bound.items() for leaf in _leaves(*given))
        m.choices |= {("known", (site, name)) for name, value in leaves if _is_plain(value)}
    for param, value in bound.items():
        asked = ("known", (site, param)) in m.choices
        if isinstance(value, Data) and asked and value.known is None:
            if _is_of_floats(value.type):
                continue  # it has as many as were asked for
            if not demands.can_be_known(m, value):
                return None, bound
            demands.need(m, value)
    is_general = ("general", site) in m.choices
    if any(_nests(value, NESTED_TUPLES) for value in bound.values()):
        if is_general and site in m.making:
            raise RecursionError  # each call is handed the last one's in one more tuple
        return None, bound
    if is_general:  # a recursion changes lengths in each call
        bound = _retyped(bound, lambda type_, _: without_lengths(type_))
    is_counted = not is_general and ("numbers", site) not in m.choices
    numbers = counted if is_counted else _of_any_number
    bound = _retyped(bound, numbers)
    forms = tuple(
        (param, ("object", _held_at(m, value.id)))
        if beside_objects and isinstance(value, Ref)
        else (param, _form(m, site, param, value))
        for param, value in bound.items()
    )
    if any(form is None for _, form in forms):
        return None, bound
    key = (Same(closure.node), Same(closure.original), forms, _around(m, closure))
    if key not in m.own:
        if is_counted and any(_differ_in_numbers(key, other) for other in m.own):
            raise Demand(("numbers", site))
        if not _made(m, closure, bound, site, key):
            return None, bound
    return m.own[key], bound


def _is_of_floats(type_: Type) -> bool:
    """Tell whether a tuple is of so many floats and arrays: they decide nothing."""
    return isinstance(type_, Tuple) and all(map(is_float, type_.items))


def _calls_its_own_object(closure: Closure) -> bool:
    """Tell whether a method calls itself, and that of its own object alone: self.cycle(e, r)."""
    params = parameters(closure.node)
    calls = [n.func for n in gast.walk(closure.node) if isinstance(n, gast.Call)]
    same = [f.value for f in calls if isinstance(f, gast.Attribute) and f.attr == closure.name]
    return bool(same) and all(getattr(each, "id", "") == params[0] for each in same)


def _retyped(bound: Bindings, change: Callable[[Type, Known | None], Type]) -> Bindings:
    """Return arguments, and the parts of those that are tuples, with changed types."""

    def retyped(value: Value) -> Value:
        if isinstance(value, Tup):
            return replace(value, parts=tuple(map(retyped, value.parts)))
        if not isinstance(value, Data):
            return value
        return replace(value, expr=value.expr.typed(change(value.type, value.known), value.known))

    return {param: retyped(value) for param, value in bound.items()}


def _of_any_number(type_: Type, _: Known | None = None) -> Type:
    """Return a type that says nothing of what whole numbers count."""
    if isinstance(type_, Tuple):
        return with_parts(type_, _of_any_number)
    is_literal = isinstance(type_, Number) and type_.length is not None and type_.length.is_literal
    return replace(type_, length=None) if is_literal else type_


def _differ_in_numbers(a: Any, b: Any) -> bool:
    """Tell whether two functions of the program are one, made for different whole numbers."""
    if isinstance(a, Number | Tuple) and isinstance(b, Number | Tuple):
        return _of_any_number(a) == _of_any_number(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_differ_in_numbers, a, b))
    return bool(a == b)


def _leaves(param: str, value: Value) -> Iterator[tuple[str, Value]]:
    """Yield what of an argument is no tuple, as its parameter is called, f or f_0, f_1."""
    if isinstance(value, Tup):
        for k, part in enumerate(value.parts):
            yield from _leaves(f"{param}_{k}", part)
    else:
        yield param, value


def _is_plain(value: Value) -> bool:
    """Tell whether a value is a number, a flag or a text that is known, as axes are."""
    return _is_written(value) and not isinstance(value.known.value, tuple)


def _is_written(value: Value) -> bool:
    """Tell whether a value is known, and what a function can be made for: plain, or a tuple."""
    known = value.known if isinstance(value, Data) else None
    return known is not None and isinstance(known.value, int | float | str | tuple)


def _site(closure: Closure) -> tuple[str, int]:
    return (closure.name, closure.node.lineno)


def _made(m: Machine, closure: Closure, bound: Bindings, site: Any, key: Any) -> bool:
    """Make a function of the program; tell whether that was possible."""
    if m.making.count(site) >= NESTED and ("general", site) not in m.choices:
        raise Demand(("general", site))
    if m.making.count(site) >= DEPTH:
        raise RecursionError
    m.own[key] = None
    saved = _saved(m)
    m.making.append(site)
    try:
        m.own[key] = _function(m, closure, bound, site, key)
        return True
    except (NotYet, Unjoinable):
        m.own[key] = None
        return False
    except RecursionError:
        if m.making.count(site) == 1:
            _ask_for_numbers(m, bound, site)
        raise
    finally:
        m.making.pop()
        _restore(m, saved)


def _ask_for_numbers(m: Machine, bound: Bindings, site: Any) -> None:
    """Ask that the numbers that a recursion is handed at first be known: one of them may end it."""
    for param, value in (leaf for given in bound.items() for leaf in _leaves(*given)):
        wanted = ("known", (site, param))
        if _is_written(value) and wanted not in m.choices:
            raise Demand(wanted)


def _nests(value: Value | Type, depth: int) -> bool:
    """Tell whether tuples are in each other more than so many deep."""
    parts: tuple[Any, ...] = ()
    match value:
        case Tup():
            parts = value.parts
        case Data():
            parts = (value.type,)
        case Tuple():
            parts = value.items
    return depth < 0 or any(_nests(part, depth - isinstance(value, Tup | Tuple)) for part in parts)


def _saved(m: Machine) -> tuple[Any, ...]:
    return (m.heap, m.block, m.used, m.frame, m.contexts, m.leaving, m.yielding, m.span)


def _restore(m: Machine, saved: tuple[Any, ...]) -> None:
    m.heap, m.block, m.used, m.frame, m.contexts, m.leaving, m.yielding, m.span = saved


def called(m: Machine, found: Own, closure: Closure, bound: Bindings) -> Value:
    """Return the call of a function of the program."""
    function = Expr("function", (), found.name)
    exprs = (*handed(m, closure, bound), *found.free)
    result = found.result
    if found.is_begun:
        m.early.add(found.name)
    type_, known = (UNKNOWN, None) if result is None else (result.type, result.known)
    if isinstance(type_, CodeType) and found.effect.is_pure:
        return m.lift(type_.value, None, "function")
    call = Expr("call", (function, *exprs), (), type_, None, m.span)
    made = evaluation_order.made_call(m, call, found.effect)
    if known is not None:
        evaluation_order.as_statement(m, made)
        return literal(known.value)
    return made


def _form(m: Machine, site: Any, param: str, value: Value) -> Any:
    """Return what of an argument a function is made for; None: it has to be inlined."""
    match value:
        case Data(known=Known(value=known)) if is_option(known):
            return "is", type(known), known
        case Data(expr=Expr(op="global", data=of)) if _is_put_in(m, value):
            return "global", Same(of.value)
        case Fixed(known=Known(value=known)):
            return "is", repr(known)
        case Data():
            if value.known is not None and ("known", (site, param)) in m.choices:
                return ("is", repr(value.known.value)) if _is_written(value) else None
            return "data", _form_of_type(m, value.type)
        case Code():
            return "code", Same(value.obj)
        case Closure():
            return "closure", Same(value.node), Same(value.original), _around(m, value)
        case Tup():
            named = enumerate(value.parts)
            parts = tuple(_form(m, site, f"{param}_{k}", part) for k, part in named)
            keys = value.keys if isinstance(value, Packed) else ()
            return None if None in parts else ("tuple", value.cls, keys, parts)
        case Bound():
            parts = (_form(m, site, param, value.func), _form(m, site, param, value.owner))
            data = isinstance(value.owner, Data)
            return None if None in parts or data else ("bound", parts)
    return None


def _form_of_type(m: Machine, type_: Type) -> Any:
    if isinstance(type_, CodeType):
        return "code", Same(type_.value)
    return Reference(m.memory.find(type_.site)) if isinstance(type_, Reference) else type_


def handed(m: Machine, closure: Closure, bound: Bindings) -> list[Expr]:
    """Return what a function of the program is handed in a call."""
    site = _site(closure)
    leaves = (leaf for given in bound.items() for leaf in _leaves(*given))
    data = [(name, value) for name, value in leaves if isinstance(value, Data)]
    return [value.expr for name, value in data if _is_handed(m, name, value, site)]


def is_handed(m: Machine, closure: Closure, param: str, value: Data) -> bool:
    """Tell whether a function of the program has a parameter for an argument."""
    return _is_handed(m, param, value, _site(closure))


def _is_handed(m: Machine, param: str, value: Data, site: Any) -> bool:
    """Tell whether a function of the program has a parameter for data: not for what is known."""
    if value.known is None:
        return not _is_put_in(m, value)
    if isinstance(value, Fixed):
        return False
    return not (is_option(value.known.value) or ("known", (site, param)) in m.choices)


def _is_put_in(m: Machine, value: Data) -> bool:
    """Tell whether an argument is an object of a module with fields: named in the function itself."""
    return value.expr.op == "global" and reflection.is_object(m, value)


def _parameter(
    m: Machine, param: str, value: Value, site: Any, names: list[tuple[Variable, Type]]
) -> Value:
    """Return what a parameter holds inside; add the variables that it is handed in."""
    if isinstance(value, Tup):
        own = isinstance(value, Variables)
        wishes = (
            p.expr.data.name if own and p.expr.op == "name" else f"{param}_{k}"
            for k, p in enumerate(value.parts)
        )
        pairs = zip(wishes, value.parts, strict=True)
        made = tuple(_parameter(m, wish, p, site, names) for wish, p in pairs)
        whole = replace(value, parts=made)
        if not isinstance(whole, Packed):
            return whole
        m.choices |= {("structure", (site, param))}
        return stable(m, packed.built(m, whole, (site, param)), param)
    if not isinstance(value, Data):
        return value
    if not _is_handed(m, param, value, site):
        return value if value.known is None else literal(value.known.value)
    variable = fresh(m, param)
    names.append((variable, value.type))
    return Data(name(variable, value.type), frozenset({("known", (site, param))}))


def _function(m: Machine, closure: Closure, bound: Bindings, site: Any, key: Any) -> Own:
    """Make a function of the program for these arguments."""
    saved = _saved(m)
    printed = _name(m, closure, bound)
    m.texts[printed] = closure
    m.own[key] = Own(printed, (), assumed_result(m, printed), m.effects.get(printed, PURE), True)
    # methods of a class that was made on the way read what is around the class
    has_frame = closure.frame is not None or bool(m.made)
    inside = has_frame or any(isinstance(v, Ref) or is_made_inside(v) for v in bound.values())
    around: Heap = forked(m.heap) if inside else {p: c for p, c in m.heap.items() if p == MODULE}
    around = {EXIT: Cell("frame", {}), **around}
    m.heap = forked(around)
    m.block, m.used = [], {printed, *(m.used if inside else ())}
    m.contexts, m.leaving, m.yielding = [], None, None
    names: list[tuple[Variable, Type]] = []
    slots = {param: _parameter(m, param, v, site, names) for param, v in bound.items()}
    classes = len(m.made)
    context = _body(m, closure, slots)
    if any(place in around for place, _ in context.missing):
        raise refusal(m, "a function that asks whether an object around it has a field")
    if not context.results:
        raise refusal(
            m, "a function that always raises"
        )  # written out: what follows is not reached
    result = result_of(m, context)
    parts = [part for each in context.results for part in types_in(each.type)]
    if any(isinstance(part, CodeType) for part in parts):
        raise refusal(m, "a function that gives a function")
    if any(isinstance(part, Sequence) and hasattr(part.cls, "__next__") for part in parts):
        raise refusal(m, "a function that gives what is gone through later")
    if len(m.made) > classes and reflection.holds_objects(m, result.type):
        raise refusal(m, "an object of a class made inside that is returned")
    free = _free(m, [v for v, _ in names], around) if inside else ()
    parameters = [Parameter(v, t) for v, t in names] + [Parameter(e.data, e.type) for e in free]
    place = span_of(closure.path, closure.name, closure.node)
    doc = gast.get_docstring(closure.node) or ""
    made = Function(printed, tuple(parameters), tuple(m.block), place, doc)
    made = with_summary(m, made)
    _restore(m, saved)
    _finish(m, made, result)
    return Own(printed, free, result, m.effects[printed])


def shares_of(m: Machine) -> Shares:
    """Return what tells which operands the result of an expression shares memory with."""
    return with_own_functions(lambda expr: shares(expr, m.context), m.functions)


def with_summary(m: Machine, made: Function) -> Function:
    """Return a function with what its calls do."""
    regions = {**m.context.regions, **as_regions(m.memory, m.context.sized)}
    return replace(made, summary=summary(made, shares_of(m), join, regions))


def _finish(m: Machine, made: Function, result: Data) -> None:
    """Add a function to the program; begin again where what it calls of itself was taken for another."""
    effect = effect_of(made)
    before = m.effects.get(made.name, PURE)
    m.effects[made.name] = effect
    if made.name in m.early:
        effect = m.effects[made.name] = effect.joined(before)
        if effect != before:
            raise Demand(("effect", made.name, effect))
        settle_result(m, made, result.type)
    m.functions[made.name] = made


def with_free_variables(m: Machine) -> None:
    """Hand on the free variables of functions that were called while they were being made."""
    changed = True
    while changed:
        changed = False
        for made in list(m.functions.values()):
            new = _handing_on(m, made)
            if new is not made:
                m.functions[made.name] = with_summary(m, new)
                changed = True


def _handing_on(m: Machine, made: Function) -> Function:
    """Return a function whose calls hand on all that the functions called are handed."""
    missing: dict[Variable, Parameter] = {}
    own = {p.variable for p in made.parameters} | bound_in(made.body)

    def change(node: Expr) -> Expr | None:
        if node.op != "call" or node.args[0].op != "function":
            return None
        called = m.functions.get(node.args[0].data)
        more = () if called is None else called.parameters[len(node.args) - 1 :]
        if not more:
            return None
        missing.update({p.variable: p for p in more if p.variable not in own})
        return replace(node, args=(*node.args, *(name(p.variable, p.type) for p in more)))

    body = with_nodes(made.body, change)
    if body == made.body:
        return made
    free = [missing[variable] for variable in sorted(missing, key=str)]
    return replace(made, parameters=(*made.parameters, *free), body=body)


def _body(m: Machine, closure: Closure, slots: Bindings) -> Scope:
    """Run the body of a function of the program; return its context with the results."""
    names = {
        param: value.expr.data
        for param, value in slots.items()
        if isinstance(value, Data) and value.expr.op == "name"
    }
    caller = (m.span, None) if is_of_prelude(closure.path) else None
    entered = _entered(m, closure)
    cell = Cell("frame", slots, None, caller, closure.frame, closure, names, entered=entered)
    place = new_cell(m, cell).id
    m.frame = place
    context = Scope("function", True, place)
    m.contexts = [context]
    way = m.run(closure.node.body, is_whole=True)
    if way is None:
        context.results.append(literal(None))
    elif isinstance(way, ways.Mixed):
        raise refusal(m, "a function that is left in mixed ways")
    return context


def _around(m: Machine, closure: Closure) -> Any:
    """Return what a function reads from the frames around it."""
    found: list[Any] = []
    place = closure.frame
    while place is not None:
        found += _held_at(m, place)
        place = m.heap[place].parent
    return tuple(found)


def _held_at(m: Machine, place: int) -> tuple[Any, ...]:
    """Return what a frame or an object holds."""
    forms = (
        (key, (value.expr, value.type) if isinstance(value, Data) else Same(value))
        for key, value in m.heap[place].slots.items()
    )
    return tuple((place, key, form) for key, form in forms)


def _free(m: Machine, params: list[Variable], around: Heap) -> tuple[Expr, ...]:
    """Return the variables of the function around that a function reads: it is handed them."""
    block = tuple(m.block)
    bound = bound_in(block)
    # `v += 1` binds v anew where it is no array: it may be a number
    stores = (s.target for s in statements_in(block) if isinstance(s, Store))
    maybe = (t for t in stores if isinstance(t.type, Number | Numeric | Unknown))
    given = bound.union(target.data for target in maybe if target.op == "name")
    for place, cell in around.items():
        now = m.heap[place].slots
        is_changed = now.keys() != cell.slots.keys() or any(
            now[k] is not v for k, v in cell.slots.items()
        )
        if is_changed or any(given.intersection(mentioned(v)) for v in cell.slots.values()):
            raise refusal(m, "a function that writes to what is around it")
    bound = bound | set(params)
    read = {
        node.data: node
        for statement in statements_in(block)
        for expr in expressions(statement)
        for node in _outer_names(expr)
    }
    return tuple(read[variable] for variable in sorted(read.keys() - bound, key=str))


def _outer_names(expr: Expr) -> list[Expr]:
    """Return the names of an expression that are not bound by a comprehension in it."""
    outer = read_variables(expr)
    return [node for node in nodes(expr) if node.op == "name" and node.data in outer]


def _name(m: Machine, closure: Closure, bound: Bindings) -> str:
    """Return the user's name of a function; methods get that of their class before it."""
    found = closure.name
    first = next(iter(bound.values()), None)
    if closure.owner is not None or (first is not None and reflection.is_object(m, first)):
        cls = None if first is None else reflection.class_or_union(m, first)
        word = closure.name.strip("_")
        named = isinstance(cls, type) and cls is not type
        found = f"{cls.__name__.lstrip('_')}_{word}" if named else word
    found = "".join(c for c in found if c not in "<>")
    return next(each for each in numbered(found, 1) if each not in m.ever and each not in m.texts)


# ---------------------------------------------------------------------------- functions as data


def as_data(m: Machine, value: Value) -> Data:
    """Return a function of the user's as data: only one that stands in a module can be."""
    if isinstance(value, Closure) and value.frame is None and value.original is not None:
        if not value.cells:
            m.copied.append(value.name)
            expr = global_expr(m, value.name, value.original)
            return Data(replace(expr, known=Known(value.original)))
    if isinstance(value, Closure):
        raise refusal(m, "a function made inside, as data")
    raise refusal(m, f"{word_of(value)} as data")
