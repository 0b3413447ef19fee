"""What a user asks for is answered by the rooms: the text of a derivative for given arguments.

answer(Request(misfit, ("m",)), {"W": W, "m": m, "d": d})    Derivative(source, name, ...)
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from s2sad.analysis.cuts import dependence, may_narrow, narrowed
from s2sad.analysis.likely_ranks import operands_of
from s2sad.analysis.openings import leaves
from s2sad.api.argument_memory import memory_checks, refuse_one_array, written_paths
from s2sad.api.arrays import FUSED, place_in
from s2sad.api.elementwise import shape_message
from s2sad.api.lengths import asked_inside
from s2sad.api.pipeline import gradient_of, made_ready, tangent_of
from s2sad.api.request import Derivative, Gradient, Request, name_of
from s2sad.api.rounds import Derived
from s2sad.api.unexampled import SEED_MESSAGE, number_message
from s2sad.api.unsupported import refuse_objects, refuse_unsupported
from s2sad.emit.entry import message_of
from s2sad.emit.relied import asks_of
from s2sad.emit.request import FORWARD, MATRICES
from s2sad.emit.request import Request as TextRequest
from s2sad.emit.text import File, written
from s2sad.ir.errors import NoRule, NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, Role, Variable, called_object, is_of_libraries
from s2sad.ir.program import Check, Function, Let, Program
from s2sad.ir.records import replace
from s2sad.ir.remedies import refusal
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Code, Number, Numeric, Other, Reference, is_float
from s2sad.ir.walk import bound, closed, expressions, nodes_in, read_variables, reads, statements
from s2sad.operators.find import Known, find
from s2sad.operators.library import rules_in_force
from s2sad.operators.modules import takes_numbers
from s2sad.optimize import simplify
from s2sad.optimize.contractions import contracted
from s2sad.optimize.fused import fused
from s2sad.optimize.held import held_as_values
from s2sad.optimize.results import with_solutions
from s2sad.source.read import signature_place
from s2sad.types import entry_checks
from s2sad.types.assumptions import Mismatch
from s2sad.types.checks import read_of
from s2sad.types.plain import are_real


def answer(asked: Request, examples: Mapping[str, Any] | None) -> Derivative:
    """Return the derivative for arguments like these, or for any; NotYet where it cannot be done."""
    form, made = _of_first_sweep(asked, examples)
    refuse_unsupported(made.primal, made.context)
    refuse_one_array(made, examples)
    if asked.aux:
        refuse_objects(made.primal)
    asks = examples is None or not _is_of_numbers(made.primal)
    checked = _checked(made, asks, asked.arrays == "numpy")
    program = simplify(with_solutions(checked), made.context, asked.reassociate)
    request = TextRequest(
        name_of(asked),
        form,
        asked.wrt,
        made.source,
        made.context,
        (*((asked.note,) if asked.note else ()), *_notes(made)),
        first=_subject(asked.first),
        arrays=asked.arrays,
    )
    if asked.form in MATRICES:
        from s2sad.api.matrices import matrix

        program = matrix(asked.form, program, made.primal, request, asked.single)
        request = replace(request, mode=asked.form, sweep=form)
    file = _for_arrays(program, request, asked.arrays, made.primal)
    messages = frozenset({message_of(program, request)} - {""}) | {number_message(made.primal)}
    messages |= frozenset(asked_inside(program)) - frozenset(asked_inside(made.primal))
    if examples is None:
        messages |= {SEED_MESSAGE, shape_message(made.primal, asked.wrt)}
    written_to = written_paths(made.primal, made.ready)
    held = file.objects, file.text_of, file.bindings, file.lines
    return Derivative(file.source, request.name, messages, written_to, *held)


def _subject(first: Gradient | None) -> str:
    """Return what the header says was differentiated before."""
    if first is None:
        return ""
    return "Gradient" if first.form == "grad" else "Value and gradient"


def _for_arrays(program: Program, request: TextRequest, arrays: str, primal: Program) -> File:
    """Return the file for the arrays of a module."""
    if arrays == "numpy":
        return written(contracted(program), request)
    if rules_in_force():
        raise NotYet(f"rules of your own for the arrays of {arrays}")
    from s2sad.emit.modules.moved import moved
    from s2sad.emit.modules.placed import placed

    program = placed(held_as_values(program))
    if arrays in FUSED:
        program = fused(program, request.name, request.context)
    plain = Array | Number | Numeric | Other | Code
    holders = not all(isinstance(p.type, plain) for p in program.function.parameters)
    file = written(program, request)
    if file.bindings or any(not isinstance(value, type) for value, _ in file.objects.values()):
        raise NotYet(f"an object of the module that may be changed, for the arrays of {arrays}")
    return replace(file, lines=moved(file.lines, arrays, partial(place_in, primal), holders))


def _of_first_sweep(asked: Request, args: Mapping[str, Any] | None) -> tuple[str, Derived]:
    """Return the sweep that is supported, and its form."""
    *first, last = asked.sweeps(args is None)
    for form in first:
        try:
            return form, _derived(asked, form, args)
        except NotYet:
            continue
    return last, _derived(asked, last, args)


def _derived(asked: Request, form: str, args: Mapping[str, Any] | None) -> Derived:
    """Return the derivative of a form."""
    asked = replace(asked, form=form)
    if form == "directional" and args is None:
        raise _unknown_axes(asked)
    try:
        return tangent_of(asked, args) if form in FORWARD else gradient_of(asked, args)
    except NotYet as fault:
        raise _at_the_root(fault, asked, args) from None


# pages of refusals that may have another cause
VAGUE = ("/syntax.md", "/aliases.md", "/loops.md")


def _at_the_root(fault: NotYet, asked: Request, args: Mapping[str, Any] | None) -> NotYet:
    """Return the refusal of a function without a rule, where the sweep forwards meets one.

    The reverse sweep comes to what is made of its result first, and refuses that.
    """
    if not refusal(fault).page.endswith(VAGUE):
        return fault
    try:
        tangent_of(replace(asked, form="jvp", first=None), args)
    except Refused as found:
        is_cause = isinstance(found.error, NoRule) and found.error.certain
        return found if is_cause else fault
    except NotYet:
        return fault
    return fault


def _unknown_axes(asked: Request) -> Unsupported:
    error = Unsupported(
        "how many axes an argument has decides about the text for many directions at once",
        signature_place(asked.function),
        "Give examples of all arguments: like=(...).",
    )
    error.certain = False
    return error


def _notes(made: Derived) -> tuple[str, ...]:
    """Return what the text says of values that only decide what is computed, as bisection does."""
    zero = {True: "its derivative is 0", False: "their derivatives are 0"}
    return tuple(f"{said[0].upper()}{said[1:]}: {zero[one]}." for said, one in tests_alone(made))


def tests_alone(made: Derived) -> list[tuple[str, bool]]:
    """Return what depends on arguments through tests alone, in words, each with whether it is one."""
    with suppress(NotYet, Mismatch):  # what reverse mode alone refuses, or asks of lengths
        inert = _inert(made)
        narrows = any(may_narrow(each.body) for each in made.primal.functions.values())
        if not inert and not narrows:
            return []
        derivation = made.derivation
        ready = derivation.prepared if derivation else made.ready
        ready = ready or made_ready(made.primal, made.context)
        regions = {**made.context.regions, **made.primal.regions}
        given = ready.function.body, ready.memory

        def parts(argument: Variable) -> frozenset[Variable]:
            return frozenset(leaves(argument, ready.openings))

        alone = [a for a in inert if dependence(*given, parts(a), regions).by_tests_alone]
        if alone:
            names = ", ".join(argument.name for argument in alone)
            return [(f"the result depends on {names} through tests alone", len(alone) == 1)]
        wrt = _arguments(made)
        varying = frozenset[Variable]().union(*map(parts, wrt))
        found = {v.name: v for v in narrowed(*given, varying, regions)} if narrows else {}
        if found:
            one = len(found) == 1
            values = "value" if one else "values"
            depends = f"depend{'s' if one else ''} on {', '.join(map(str, wrt))}"
            return [(f"the {values} of {' and '.join(found)} {depends} through tests alone", one)]
    return []


def _inert(made: Derived) -> list[Variable]:
    """Return the arguments with which nothing varies in a derivative."""
    derivation = made.derivation
    if derivation is not None:
        parts, active = derivation.prepared.openings, derivation.world.active
        return [a for a in derivation.arguments if active.isdisjoint(leaves(a, parts))]
    lines = (each for s in statements(made.program.function.body) for each in expressions(s))
    read = {variable for expr in lines for variable, content in reads(expr) if content}
    return [v.of for v in _tangents(made) if v not in read and v.of is not None]


def _arguments(made: Derived) -> list[Variable]:
    """Return the arguments that a derivative is taken with respect to."""
    if made.derivation is not None:
        return list(made.derivation.arguments)
    return [v.of for v in _tangents(made) if v.of is not None]


def _tangents(made: Derived) -> list[Variable]:
    parameters = made.program.function.parameters
    return [p.variable for p in parameters if p.variable.role is Role.TANGENT]


def _checked(made: Derived, asks: bool, of_numpy: bool) -> Program:
    """Return the derivative with what it assumes of its arguments as its checks."""
    classes = [r.cls for r in made.context.regions.values() if r.cls is not None]
    found = asks_of(made.source, classes)
    more = found.kinds, found.fields, of_numpy
    asks = asks or found.lengths
    checks = entry_checks(made.primal, made.context, *more) if asks else _real_check(made)
    every = (*made.primal.checks, *checks, *memory_checks(made, of_numpy))
    return replace(made.program, checks=every)


def _is_of_numbers(primal: Program) -> bool:
    """Tell whether a function computes with numbers alone: its text decides nothing by ranks."""
    takes = (parameter.type for parameter in primal.function.parameters)
    if not all(isinstance(type_, Number | Other) for type_ in takes):
        return False  # of tuples, dicts, objects and functions more than ranks is asked
    # what lists and objects hold has adjoints that are added to in place: two arrays may be one
    if any(map(_adds_to_what_has_names, primal.functions.values())):
        return False
    every = list(nodes_in(primal.body))
    if any(map(_takes_together, every)):
        return False  # of an array np.sum(x) is a number, and its slopes are no sums
    return not any(isinstance(n.type, Array | Numeric | Reference) for n in every)


def _takes_together(node: Expr) -> bool:
    """Tell whether a function or method of arrays does not go element by element."""
    if node.op != "call" or takes_numbers(called_object(node)):
        return False
    is_method = node.args[0].op == "attribute"
    return is_method or (is_of_libraries(node.args[0]) and not operands_of(node))


def _adds_to_what_has_names(function: Function) -> bool:
    """Tell whether `x += 1.0` may be of an argument, or of what has a second name.

    An array, even one without axes, would be written to under both.
    """
    lets = [each for each in statements(function.body) if isinstance(each, Let)]
    names = [let for let in lets if let.value.op in ("name", "conditional", "and", "or")]
    given = closed(
        frozenset(parameter.variable for parameter in function.parameters).union(
            *(read_variables(let.value) for let in names)
        ),
        lambda found: (v for let in names if found & read_variables(let.value) for v in bound(let)),
    )
    return any(not given.isdisjoint(_added_to(let)) for let in lets)


def _added_to(let: Let) -> frozenset[Variable]:
    """Return the variables of what `x += e` of the user's adds to: its operator is all of the statement."""
    value = let.value
    is_whole = let.span is not None and value.span == let.span
    is_added = value.op == "binary" and (let.spelled != "=" or is_whole)
    return read_variables(value.args[0]) if is_added else frozenset()


def _real_check(made: Derived) -> tuple[Check, ...]:
    """Return the check of a function of numbers alone: rules of real numbers hold for no complex ones."""
    known = Known(made.context.regions)
    numbers = [read_of(p) for p in made.primal.function.parameters if is_float(p.type)]
    if not numbers or all(_holds_for_complex(node, known) for node in nodes_in(made.primal.body)):
        return ()
    test = are_real(numbers)
    return (Check(test, f"made for real {', '.join(map(expression, numbers))}"),)


def _holds_for_complex(node: Expr, known: Known) -> bool:
    """Tell whether an operation has one rule for real and complex numbers, or raises for complex ones."""
    if node.op == "call":
        called = called_object(node)
        if takes_numbers(called) or called in (range, len, float):
            return True
        found = find(node, known)
        return found is not None and found.rule.holomorphic
    return node.op in ("name", "constant", "global", "binary", "unary", "tuple", "attribute")
