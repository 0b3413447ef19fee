"""What a user asks for is answered by the rooms: the text of a derivative for given arguments.

answer(Question(misfit, ("m",), "grad"), {"W": W, "m": m, "d": d})    Answer(source, name, ...)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import FunctionType
from typing import Any

from s2sad.analysis.cuts import dependence
from s2sad.analysis.openings import leaves, opening_of
from s2sad.analysis.prepare import Prepared
from s2sad.api.arrays import FUSED, place_in
from s2sad.api.elementwise import shape_message
from s2sad.api.matrices import matrix
from s2sad.api.pipeline import Gradient, gradient_of, tangent_of
from s2sad.api.rounds import Derived
from s2sad.api.unexampled import SEED_MESSAGE, number_message
from s2sad.api.unsupported import every_node, refuse_in_forward, refuse_objects, refuse_unsupported
from s2sad.emit.constants import constant_text
from s2sad.emit.entry import message_of
from s2sad.emit.modules.moved import moved
from s2sad.emit.relied import asks_of
from s2sad.emit.request import FORWARD, MATRICES, Request
from s2sad.emit.text import File, written
from s2sad.ir.errors import NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, Variable, attribute
from s2sad.ir.program import Check, Program
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Code, Number, Numeric, Other
from s2sad.operators.library import rules_in_force
from s2sad.operators.schedules import Schedules
from s2sad.optimize import simplify
from s2sad.optimize.fused import fused
from s2sad.optimize.held import held_as_values
from s2sad.optimize.results import with_solutions
from s2sad.source.places import signature_place
from s2sad.source.text import signature_of
from s2sad.types import Context, entry_checks
from s2sad.types.checks import read_of

PLAIN = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}


@dataclass(frozen=True, slots=True)
class Question:
    """A function, with respect to what, and in which form.

    Forms are "grad", "value_and_grad" and "vjp" in reverse mode, "elementwise" (of each
    element of the result by its own of the argument), too; "jvp", "tangent" (of the result
    alone) and "directional" (along many directions) in forward mode, "hvp" (the Hessian times
    tangents), "hessian" and "laplacian" in both, "jacobian" in that of `mode`. `single` tells that
    one argument was asked for by itself, whose adjoint comes in no tuple. `arrays` is the module of
    the text's arrays; `schedules` are those of loops that keep few of their states. `first` is a
    gradient that is taken before, of which this is the tangent; form "second" is the second
    derivative by a number. With `reassociate` sums and products may be rounded in another way; `note`
    is what the text says besides. A `smooth` derivative has no kinks where the function has none.
    """

    function: Callable[..., Any]
    wrt: tuple[str, ...]
    form: str
    name: str
    single: bool = True
    mode: str = ""
    arrays: str = "numpy"
    has_aux: bool = False
    schedules: Schedules | None = None
    first: Gradient | None = None
    reassociate: bool = False
    note: str = ""
    smooth: bool = False

    def sweeps(self, for_any: bool) -> tuple[str, ...]:
        """Return the forms of a sweep that it can be made of, the first that is supported.

        Directions at once have an axis more than an argument, of which the text has to know the rank.
        """
        if self.form not in MATRICES:
            return (self.form,)
        if self.form != "jacobian":
            return ("hvp",)
        if self.mode == "reverse":
            return ("vjp",)
        return ("tangent",) if for_any else ("directional", "tangent")


@dataclass(frozen=True, slots=True)
class Answer:
    """A text, the function to call in it, and what it says where it is not made for an argument.

    `written` are the parameters that the function itself writes to in place. `live` are the
    classes, and the constants that may be changed where they stand, with their texts, which
    `text_of` gives. `bindings` are what no text gives.
    """

    source: str
    name: str
    messages: frozenset[str]
    written: frozenset[str]
    live: Mapping[str, tuple[object, str]] = field(default_factory=dict)
    text_of: Callable[[object], str | None] = constant_text
    bindings: Mapping[str, object] = field(default_factory=dict)


def answer(question: Question, examples: Mapping[str, Any] | None) -> Answer:
    """Return the derivative for arguments like these, or for any; NotYet where it cannot be done."""
    _refuse_signature(question, examples)
    form, made = _of_first_sweep(question, examples)
    refuse_unsupported(made.primal, made.context)
    if question.has_aux:
        refuse_objects(made.primal)
    asks = examples is None or not _is_of_numbers(made.primal)
    program = simplify(with_solutions(_checked(made, asks)), made.context, question.reassociate)
    request = Request(
        question.name,
        form,
        question.wrt,
        made.source,
        made.context,
        (*((question.note,) if question.note else ()), *_notes(made)),
        first=_subject(question.first),
    )
    if question.form in MATRICES:
        program = matrix(question.form, program, made.primal, request, question.single)
        request = replace(request, mode=question.form, sweep=form)
    file = _for_arrays(program, request, question.arrays, made.primal)
    source = file.source
    messages = frozenset({message_of(program, request)} - {""}) | {number_message(made.primal)}
    if examples is None:
        messages |= {SEED_MESSAGE, shape_message(made.primal, question.wrt)}
    held = file.objects, file.text_of, file.bindings
    return Answer(source, question.name, messages, _written(made), *held)


def _subject(first: Gradient | None) -> str:
    """Return what the header says was differentiated before."""
    if first is None:
        return ""
    return "Gradient" if first.form == "grad" else "Value and gradient"


def _for_arrays(program: Program, request: Request, arrays: str, primal: Program) -> File:
    """Return the file for the arrays of a module."""
    if arrays == "numpy":
        return written(program, request)
    if rules_in_force():
        raise NotYet(f"rules of your own for the arrays of {arrays}")
    program = held_as_values(program)
    if arrays in FUSED:
        program = fused(program, request.name, request.context or Context())
    plain = Array | Number | Numeric | Other | Code
    holders = not all(isinstance(p.type, plain) for p in program.function.parameters)
    file = written(program, request)
    if file.bindings or any(not isinstance(value, type) for value, _ in file.objects.values()):
        raise NotYet(f"an object of the module that may be changed, for the arrays of {arrays}")
    return replace(file, source=moved(file.source, arrays, partial(place_in, primal), holders))


def _of_first_sweep(question: Question, args: Mapping[str, Any] | None) -> tuple[str, Derived]:
    """Return the sweep that is supported, and its form."""
    *first, last = question.sweeps(args is None)
    for form in first:
        try:
            return form, _derived(question, form, args)
        except NotYet:
            continue
    return last, _derived(question, last, args)


def _derived(question: Question, form: str, args: Mapping[str, Any] | None) -> Derived:
    """Return the derivative of a form."""
    if form in FORWARD:
        if form == "directional" and args is None:
            raise _unknown_axes(question)
        asked = question.wrt, form, question.single
        more = question.first, question.schedules, question.smooth
        made = tangent_of(question.function, args, *asked, *more)
        refuse_in_forward(made.primal)
        return made
    return gradient_of(
        question.function,
        args,
        question.wrt,
        form,
        question.single,
        question.has_aux,
        question.schedules,
        question.smooth,
    )


def _unknown_axes(question: Question) -> Unsupported:
    error = Unsupported(
        "how many axes an argument has decides about the text for many directions at once",
        signature_place(question.function),
        "Give examples of all arguments: like=(...).",
    )
    error.certain = False
    return error


def _notes(made: Derived) -> tuple[str, ...]:
    """Return what the text says of arguments that only decide what is computed, as bisection does."""
    derivation = made.derivation
    if derivation is None:
        return ()
    ready, alone = derivation.prepared, []
    for argument in derivation.arguments:
        parts = frozenset(leaves(argument, ready.openings))
        if not parts & derivation.world.active:
            regions = {**made.context.regions, **made.primal.regions}
            found = dependence(ready.function.body, ready.memory, parts, regions)
            alone += [argument.name] if found.by_tests_alone else []
    if not alone:
        return ()
    said = "its derivative is 0" if len(alone) == 1 else "their derivatives are 0"
    return (f"The result depends on {', '.join(alone)} through tests alone: {said}.",)


def _checked(made: Derived, asks: bool) -> Program:
    """Return the derivative with what it assumes of its arguments as its checks."""
    classes = [r.cls for r in made.context.regions.values() if r.cls is not None]
    found = asks_of(made.source, classes)
    checks = entry_checks(made.primal, made.context, found.kinds, found.fields) if asks else ()
    return replace(made.program, checks=(*made.primal.checks, *checks, *_layout_checks(made)))


def _layout_checks(made: Derived) -> Iterator[Check]:
    """Yield the checks that arrays lie in one piece, where a view would else be a copy."""
    ready = made.ready
    if ready is None:
        return
    for parameter in ready.function.parameters:
        if parameter.variable in ready.in_rows:
            whole = place_of(parameter.variable, made.primal, ready)
            test = attribute(attribute(whole, "flags"), "c_contiguous", Number("bool"))
            yield Check(test, f"made for {expression(whole)}, which has to lie in one piece")


def _is_of_numbers(primal: Program) -> bool:
    """Tell whether a function computes with numbers alone: its text decides nothing by ranks."""
    takes = (parameter.type for parameter in primal.function.parameters)
    if not all(isinstance(type_, Number | Other) for type_ in takes):
        return False  # of tuples, dicts, objects and functions more than ranks is asked
    return not any(isinstance(n.type, Array | Numeric) for n in every_node(primal))


def _refuse_signature(question: Question, examples: Mapping[str, Any] | None) -> None:
    function = question.function
    if not isinstance(function, FunctionType):
        raise NotYet("what is no plain function")
    kinds = {p.kind for p in signature_of(function).parameters.values()}
    if kinds <= PLAIN:
        return
    is_open = examples is None or question.form in FORWARD | MATRICES
    is_variadic = is_open and inspect.Parameter.VAR_POSITIONAL in kinds
    if is_variadic or inspect.Parameter.VAR_KEYWORD in kinds:
        raise Refused(
            Unsupported(
                "*args and **kwargs are not differentiated",
                signature_place(function),
                "Name the arguments in the signature.",
            )
        )


def _written(made: Derived) -> frozenset[str]:
    return written_paths(made.primal, made.ready)


def written_paths(primal: Program, ready: Prepared | None) -> frozenset[str]:
    """Return the paths of what a program writes to: `u`, `p.w`, `p['w']`, `p.` for other fields."""
    summary = primal.function.summary
    if summary is None:
        return frozenset()
    if ready is None:
        return frozenset(v.name for v in summary.writes)
    found = set()
    for parameter in primal.function.parameters:
        if parameter.variable in summary.writes:
            for variable, place in places(parameter.variable, read_of(parameter), ready):
                path = expression(place).replace('"', "'")
                if opening_of(variable, ready.openings) is not None:
                    found.add(f"{path}.")
                elif variable in ready.written:
                    found.add(path)
    return frozenset(found)


def places(variable: Variable, whole: Expr, ready: Prepared) -> Iterator[tuple[Variable, Expr]]:
    """Yield a parameter and the parts that it was opened to, each with how it is reached."""
    yield variable, whole
    opening = opening_of(variable, ready.openings)
    if opening is None:
        return
    for key, part in opening.parts.items():
        yield from places(part.data, opening.part(whole, key, part.type), ready)


def place_of(wanted: Variable, primal: Program, ready: Prepared) -> Expr:
    """Return how a parameter, or a part of one, is reached: u, p.w."""
    found = (
        place
        for parameter in primal.function.parameters
        for variable, place in places(parameter.variable, read_of(parameter), ready)
        if variable == wanted
    )
    return next(found)
