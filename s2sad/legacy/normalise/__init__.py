"""A function's syntax becomes a Program: one operation a statement, every value numbered.

def f(x):                          x%1 = 2.0 * x@0
    y = np.sin(2.0 * x)            y@1 = np.sin(x%1)
    return y * y                   result = y@1 * y@1
"""

from __future__ import annotations

import inspect
from typing import Any

import gast

from s2sad.ir.errors import GivesRecord, GoesFar, S2sadError, Span, Unsupported
from s2sad.legacy import conditional  # it adds to the expressions that are known
from s2sad.legacy.behind import as_operation, function_of, object_of, seen_through
from s2sad.legacy.calls import lower_call, writes_and_recurs
from s2sad.legacy.desugar import ALL, EVERYTHING, Names, desugared
from s2sad.legacy.desugar.chosen import chosen
from s2sad.legacy.desugar.defaults import with_defaults
from s2sad.legacy.desugar.factories import gives_function
from s2sad.legacy.desugar.heaps import without_heaps
from s2sad.legacy.desugar.holders import made_apart
from s2sad.legacy.desugar.iterators import without_iterators
from s2sad.legacy.desugar.keyed import is_of_keys, without_keys
from s2sad.legacy.desugar.methods import with_owners
from s2sad.legacy.desugar.names import KEYED, LATE
from s2sad.legacy.desugar.nones import is_of_ways, without_nones
from s2sad.legacy.desugar.queues import without_queues
from s2sad.legacy.exits import structure
from s2sad.legacy.generators import listed_inside, mark_consumed
from s2sad.legacy.into import stored
from s2sad.legacy.links import Question
from s2sad.legacy.lower import (
    inline,
    lower,
    operand,
    operation,
)
from s2sad.legacy.namespaces import as_numpy, without_lookups
from s2sad.legacy.normalise import (  # they add to the statements that are known
    adding,
    blocks,
    effects,
    importing,
)
from s2sad.legacy.normalise.lazy import refuse_late, refuse_returned
from s2sad.legacy.normalise.lists import is_list_method
from s2sad.legacy.normalise.params import params_of
from s2sad.legacy.normalise.statements import every
from s2sad.legacy.normalise.stores import write
from s2sad.legacy.program import NONE, Call, Expr, Op, Program, Ref
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.rules import is_added
from s2sad.legacy.scope import ListOfObjects, Numbers, Scope, block_of
from s2sad.legacy.spelt import with_first_places
from s2sad.legacy.statics import functions, lowering, records, using
from s2sad.legacy.statics.appending import mark
from s2sad.legacy.statics.entering import Given, entered
from s2sad.legacy.statics.kinds import Function, Method
from s2sad.legacy.statics.resolving import resolved
from s2sad.legacy.statics.results import laid_out, refuse_functions
from s2sad.legacy.traverse import expressions, is_atom, statements, walk
from s2sad.source.names import assigned_names
from s2sad.source.remade import refuse_nonlocal
from s2sad.source.text import Source, source_of, span


@by_rules()
def normalise(
    function: Any,
    answers: tuple[tuple[Question, str], ...] = (),
    opened: frozenset[Span] | None = frozenset(),
    given: Given = (),
    in_parts: bool = False,
) -> Program:
    """Return the Program of a Python function; all its problems in one error.

    A function that returns a dict or an object that it makes is refused with GivesRecord, unless
    it is wanted `in_parts`: then the Program returns them as a tuple, and has a layout.

    `given` are the structures of those parameters that are objects with fields, and texts.

    `answers` are to what an earlier Program of the function `asked`. Syntax at the places
    `opened` is written out, not copied; None opens all that can be.
    """
    try:
        return _normalised(function, answers, opened, given, in_parts)
    except GoesFar:
        raise
    except S2sadError as error:
        refusal = error
    if opened is not EVERYTHING:
        # what was not opened may be all that is in the way
        try:
            return _normalised(function, answers, opened | {ALL}, given, in_parts)
        except S2sadError as error:
            # it has seen more, and tells better what is in the way; other kinds mean other things
            refusal = error if type(error) is type(refusal) else refusal
        if is_of_keys(refusal):
            try:
                return _normalised(function, answers, opened | {ALL, KEYED}, given, in_parts)
            except S2sadError:
                pass
        if is_of_ways(refusal):
            try:
                return _normalised(function, answers, opened | {ALL, LATE}, given, in_parts)
            except S2sadError:
                pass
    if refusal.has_displays:
        # objects in a display have names of their own, which allows less than a list of objects
        opens = opened if opened is EVERYTHING else opened | {ALL}
        try:
            return _normalised(function, answers, opens, given, in_parts, True)
        except S2sadError:
            pass
    raise refusal


@by_rules()
def _normalised(
    function: Any,
    answers: tuple[tuple[Question, str], ...],
    opened: frozenset[Span] | None,
    given: Given,
    in_parts: bool,
    in_columns: bool = False,
) -> Program:
    """Return the Program of a function, lowered again where a list turns out to hold objects."""
    lists: dict[str, Any] = {}
    while True:
        try:
            numbers = Numbers(lists=dict(lists), in_columns=in_columns)
            return _lowered(function, answers, opened, given, in_parts, numbers)
        except ListOfObjects as found:
            lists[found.slot] = found.kind


def _lowered(
    function: Any,
    answers: tuple[tuple[Question, str], ...],
    opened: frozenset[Span] | None,
    given: Given,
    in_parts: bool,
    numbers: Numbers,
) -> Program:
    source = source_of(function)
    refuse_returned(source)
    refuse_nonlocal(source.tree, source)
    scope = Scope(
        source,
        source.locals,
        numbers,
        on_call=_call,
        on_static=_static_call,
        on_record=_of_record,
        on_value=function_of,
        on_function=functions.taken,
        on_object=object_of,
        active_calls=(function,),
        opened=opened,
    )
    scope.held.answers = dict(answers)
    params = params_of(source, scope)
    for name, whole in given:
        entered(name, whole, scope, source.tree)
    where = span(source, source.tree)
    try:
        result = lower_body(source, scope)
    except S2sadError as refusal:
        tests = tuple(scope.held.tests)
        refusal.so_far = Program(
            source.tree.name, params, block_of(scope.out), NONE, where, "", tests
        )
        refusal.has_displays = numbers.displayed
        raise
    refuse_functions(result, scope, source.tree)
    layout = None
    if any(scope.record(part) is not None for part in walk(result)):
        layout, parts = laid_out(result, scope, source.tree) if in_parts else (None, ())
        if layout is None:
            raise gives_record(function)
        result = Op("tuple", tuple(parts))
    doc = gast.get_docstring(source.tree) or ""
    body = block_of(scope.out)
    asked = (*scope.held.asked.values(), *scope.held.asked_of_ways, *scope.held.tests)
    program = Program(source.tree.name, params, body, result, where, doc, asked, layout)
    _refuse_hidden_writes(function, program)
    return program


def gives_record(function: Any) -> GivesRecord:
    """Return the refusal of what a function returns."""
    source = source_of(function)
    return GivesRecord(
        f"{source.tree.name} returns a dict or an object that it makes",
        span(source, source.tree),
        "Return a tuple of its parts.",
    )


def _refuse_hidden_writes(function: Any, program: Program) -> None:
    """Refuse a function that calls itself and writes to what it is given: that call does, too."""
    from s2sad.legacy.conflicts import written_params  # storage stands after this in the pipeline

    for stmt in statements(program.body):
        for expr in expressions(stmt):
            for part in walk(expr):
                called = part.func if isinstance(part, Call) else None
                if isinstance(called, Ref) and called.value is function:
                    if written_params(program):
                        raise writes_and_recurs(function, stmt.span)
                    return


def _refuse_generator(source: Source) -> None:
    """Refuse a function that returns no value of its own but yields several, one by one."""
    if source.function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
        raise Unsupported(
            f"{source.tree.name} is a generator: what it yields depends on who asks for it",
            span(source, source.tree),
            "Return a list of the values, or write its loop where they are used.",
        )


def _call(call: Call, node: Any, scope: Scope, nested: bool) -> Expr:
    if is_added(call):
        return call
    plain = as_numpy(call, node, scope)
    if plain is not None:
        return plain
    call = seen_through(with_first_places(call), node, scope)
    operation = as_operation(call)
    if isinstance(operation, Op) and any(scope.record(part) for part in operation.args):
        return using.operated(operation, node, scope, nested, lower_body)
    found = using.used(call, node, scope, nested, lower_body, wide)
    if found is not None:
        return found
    made = functions.in_place_of(call, node, scope, nested, lower_body)
    if made is not None:
        return made
    if operation is not call:
        return operation
    given_back = stored(call, node, scope, nested, write)
    if given_back is not None:
        return given_back
    return lower_call(call, node, scope, nested, lower_body, wide)


def _of_record(thing: Expr, node: Any, scope: Scope, nested: bool) -> Expr:
    """Return what is read of a record, or what an operator gives for one."""
    if isinstance(thing, Op):
        return using.operated(thing, node, scope, nested, lower_body)
    if isinstance(node, gast.Assign):
        return using.unpacked(thing, node, scope, lower_body)
    if isinstance(node, gast.Attribute):
        return using.attribute(thing, node.attr, node, scope, nested, lower_body)
    return using.item(thing, node, scope, nested, lower_body)


def _static_call(node: Any, scope: Scope, nested: bool) -> Expr | None:
    """Return what a call gives where what is called has its structure known."""
    made = using.not_made_here(node, scope) or lowering.of_super(node, scope, nested, lower_body)
    if made is not None:
        return made
    static = scope.static(node.func.id) if isinstance(node.func, gast.Name) else None
    if isinstance(static, Method):
        return lower(functions.of_owner(static, node, scope), scope, inline if nested else operand)
    if isinstance(static, Function):
        return functions.called(static, node, scope, nested, lower_body)
    return None


def wide(function: Any, in_parts: bool = False) -> Program:
    """Return the Program of a function with as little copied as can be."""
    try:
        return normalise(function, (), EVERYTHING, in_parts=in_parts)
    except (GivesRecord, GoesFar):
        raise
    except S2sadError:  # where all is written out, there is no more to see
        return _normalised(function, (), frozenset(), (), in_parts)


@by_rules()
def _simplified(
    function: Any,
    source: Source,
    own: frozenset[str],
    opened: frozenset[Span] | None,
    first_temp: int,
) -> tuple[list[Any], frozenset[str]]:
    """Return the statements of a function in simpler syntax, and the names that they assign.

    A function may be lowered in many places: nothing changes these statements.
    """
    body = source.tree.body
    if body and isinstance(body[0], gast.Expr) and gast.get_docstring(source.tree) is not None:
        body = body[1:]
    body = with_owners(body, source)
    names = Names(source, own, opened, first_temp)
    mark_consumed(source.tree, names)
    body = made_apart(without_iterators(listed_inside(body, names), names), names)
    plain = without_queues(without_heaps(without_lookups(body, source), names), names)
    plain = without_keys(plain, names)
    plain = with_defaults(without_nones(plain, names), names)
    plain = chosen(plain, names)
    body = structure(desugared(plain, names), set(own))
    mark(body, frozenset(arg.id for arg in source.tree.args.args))
    return body, frozenset(assigned_names(body))


def lower_body(source: Source, scope: Scope) -> Expr:
    """Lower the statements of a function into `scope` and return what it returns."""
    _refuse_generator(source)
    refuse_late(source)
    body, assigned = _simplified(
        source.function, source, scope.locals, scope.opened, scope.first_temp
    )
    scope.locals = scope.locals | assigned
    result: Expr = NONE
    if body and isinstance(body[-1], gast.Return):
        *body, last = body
        every(body, scope)
        scope.called_after = "result"
        scope.changing = functions.changing(last, scope)
        scope.at = scope.span(last)
        last = resolved(last, scope)
        if is_list_method(last.value, "pop", scope):
            last = _popped_first(last, scope)
        if last.value is not None:
            result = _result(last.value, scope)
    else:
        every(body, scope)
    return result


def _popped_first(last: Any, scope: Scope) -> Any:
    """Take an item that is returned off its list in a statement of its own."""
    scope.locals |= {"result%p"}
    stored = gast.copy_location(gast.Name("result%p", gast.Store(), None, None), last)
    every([gast.copy_location(gast.Assign([stored], last.value, None), last)], scope)
    read = gast.copy_location(gast.Name("result%p", gast.Load(), None, None), last)
    return gast.copy_location(gast.Return(read), last)


def _result(node: Any, scope: Scope) -> Expr:
    if scope.suffix and gives_function(scope.source.tree):
        made = functions.handed_on(node, "result", scope)
        if made is not None:
            return functions.standing_for(made, scope)
    value = operation(node, scope)
    if isinstance(value, Op) and value.op == "tuple":
        return Op("tuple", tuple(_part_of_result(part, node, scope) for part in value.args))
    return _part_of_result(value, node, scope)


def _part_of_result(value: Expr, node: Any, scope: Scope) -> Expr:
    record = scope.record(value)
    if record is not None:
        return records.standing_for(record, scope)
    if isinstance(value, Op) and value.op in ("tuple", "list"):
        parts = tuple(_part_of_result(part, node, scope) for part in value.args)
        value = records.row(Op(value.op, parts), scope, node)
    return value if is_atom(value) else scope.temp(value, node)


__all__ = [
    "adding",
    "blocks",
    "conditional",
    "effects",
    "importing",
    "lower_body",
    "normalise",
    "wide",
]
