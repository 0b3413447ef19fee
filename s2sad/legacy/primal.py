"""A function becomes a primal Program that is ready to be differentiated.

normalise -> facts -> specialise -> aliases told or refused -> dead code -> activity -> prepare
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from s2sad.api.shared import argument_of
from s2sad.ir.errors import AliasError, InternalError, S2sadError, Span, Unsupported, gather
from s2sad.legacy.activity import active_values, flow, varied_values
from s2sad.legacy.answers import TELLING, confirmed, settled_tests, waits_for_a_call
from s2sad.legacy.belonging import changed_and_read
from s2sad.legacy.conflicts import conflicts, written_params
from s2sad.legacy.copies import without_handed_copies
from s2sad.legacy.counting import refuse_counting
from s2sad.legacy.desugar import ALL, EVERYTHING
from s2sad.legacy.desugar.listable import may_make_dicts
from s2sad.legacy.desugar.names import KEYED, OWN_ROWS
from s2sad.legacy.desugar.opening import active_places
from s2sad.legacy.displays import as_arrays
from s2sad.legacy.even_powers import is_smooth, without_kinks
from s2sad.legacy.facts import Fact, Facts, infer
from s2sad.legacy.facts.device import is_on_device
from s2sad.legacy.fields import structures, ways_to_read, with_own_fields, written_fields
from s2sad.legacy.fitted import fitted
from s2sad.legacy.following import is_large
from s2sad.legacy.foreign import with_checks
from s2sad.legacy.grown import joined_unseen, with_lengths_named
from s2sad.legacy.inner import called_values, left_inside, refuse_lost, sees_rebound, taken_out
from s2sad.legacy.inside import with_functions
from s2sad.legacy.keys import refuse_keys
from s2sad.legacy.likely import likely, narrow, takes_parts_of_numbers
from s2sad.legacy.links import Answers, Question
from s2sad.legacy.modules.values import as_copies, as_values, is_value
from s2sad.legacy.normalise import normalise, wide
from s2sad.legacy.objects import unfolded
from s2sad.legacy.onepass import refuse_second_passes
from s2sad.legacy.overlap import overlapping
from s2sad.legacy.parts import apart
from s2sad.legacy.pieces import with_checks as with_pieces
from s2sad.legacy.prepare import prepare
from s2sad.legacy.program import Expr, Loop, Program, Var
from s2sad.legacy.refusals import alias, in_another_order
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.rows import answered, has_rows, with_rows
from s2sad.legacy.scope import Numbers, calls_unknown, numbers_after
from s2sad.legacy.shared import comes_from, shared_since
from s2sad.legacy.silence import fewer_echoes, silenced
from s2sad.legacy.solvers.shown import shown
from s2sad.legacy.specialise import specialised
from s2sad.legacy.stale import refuse_stale_reads
from s2sad.legacy.statics.defined import classes_read
from s2sad.legacy.storage import roots_of
from s2sad.legacy.texts import refuse_read_back
from s2sad.legacy.tidy import without_dead_code
from s2sad.legacy.together import pairs_of
from s2sad.legacy.traverse import goes_on_behind_a_break, statements
from s2sad.legacy.unseen import refuse_unseen
from s2sad.source.places import signature_place

ROUNDS = 12  # an answer may bring up a question, what is written out may be active inside

T = TypeVar("T")


@dataclass(frozen=True)
class Primal:
    """A primal Program made ready: what is known of its values, and which are active.

    `kinds` is what parameters were taken to be, which the text has to check. `written` are the
    parameters that the function writes to in place, also where nothing reads that later.
    """

    program: Program
    facts: Facts
    active: frozenset[Var]
    numbers: Numbers
    wrt: tuple[str, ...]
    kinds: dict[str, Fact] = field(default_factory=dict)
    function: Any = None
    written: frozenset[str] = frozenset()


def prepared(function: Any, wrt: tuple[str, ...], given: Mapping[str, Fact]) -> Primal:
    """Return the Program of a function, specialised to its arguments and ready to reverse."""
    refusal = None
    for known in ways_to_read(function, given):
        try:
            primal = _prepared(function, wrt, tuple(known.items()), is_on_device(), is_smooth())
            return replace(primal, numbers=primal.numbers.copy())
        except S2sadError as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


@by_rules(size=64)
def _prepared(
    function: Any,
    wrt: tuple[str, ...],
    known: tuple[tuple[str, Fact], ...],
    on_device: bool,
    smooth: bool,
) -> Primal:
    """Return what `prepared` does; gradient and tangent, first and second order, share it."""
    given = dict(known)
    program, facts = _without_aliases(function, wrt, given)
    written = _written(program, facts)
    varied = varied_values(program, wrt, facts.expr)
    refuse_unseen(program, varied)
    refuse_counting(program, function)
    refuse_second_passes(program, facts.of)
    refuse_read_back(program, varied, facts.of)
    refuse_keys(program, varied, facts.expr)
    living = without_dead_code(program)
    whole, program = program, taken_out(with_functions(living, facts.expr, program), program)
    refuse_lost(program, whole, varied_values(whole, wrt, facts.expr))
    numbers = numbers_after(program)
    program = fewer_echoes(without_dead_code(shown(program, numbers)))
    program = without_handed_copies(program)
    facts = infer(program, given)
    if smooth:
        program = without_kinks(program, numbers, facts.expr)
        facts = infer(program, given)
    active = active_values(program, wrt, facts.expr)

    def is_active(expr: Expr) -> bool:
        return any(var in active for var in flow(expr, facts.expr))

    suited = fitted(program, is_active)
    if suited != program:
        program = suited
        facts = infer(program, given)
        active = active_values(program, wrt, facts.expr)
    program = unfolded(program, active)
    program = as_arrays(program, numbers, facts.expr, is_active)
    program = apart(program, active, numbers, facts.expr)
    program = prepare(program, numbers, facts.expr, is_active)
    facts = infer(program, given)
    active = active_values(program, wrt, facts.expr)
    program = with_checks(program, active, facts.of)
    refuse_stale_reads(program)
    for stmt in statements(program.body):
        if isinstance(stmt, Loop) and goes_on_behind_a_break(stmt.body):
            raise InternalError(f"line {stmt.span.line}: something follows a break")
    named = with_lengths_named(program, active, facts, numbers)
    if named != program:
        program, facts = named, infer(named, given)
    return Primal(program, facts, active, numbers, wrt, function=function, written=written)


def _written(program: Program, facts: Facts) -> frozenset[str]:
    """Return the parameters that a function writes to; of objects the fields, where they are known."""
    fields = written_fields(program, facts.expr)
    owners = {argument_of(path) for path in fields}
    return frozenset(written_params(program) - owners) | fields


def as_used(
    function: Any, wrt: tuple[str, ...], given: Mapping[str, Fact], derive: Callable[[Primal], T]
) -> T:
    """Return what `derive` makes of a primal.

    Where that is refused because too little is known of arguments, they are taken to be what they
    are used as: arrays, positions, or numbers.
    """
    try:
        return _derived(function, wrt, given, derive)
    except S2sadError as error:
        if error.certain:
            raise
        problem = error
    tried: list[dict[str, Fact]] = [{}]
    for taken, kept_for in ((likely, S2sadError), (narrow, AliasError)):
        try:
            program = wide(function, in_parts=True)
        except S2sadError:
            break  # what a call gives may tell that it is not read
        if is_large(function):
            break
        kinds = {n: fact for n, fact in taken(program).items() if n not in given}
        if kinds in tried or problem.certain or not isinstance(problem, kept_for):
            continue
        tried.append(kinds)
        if taken is narrow and takes_parts_of_numbers(program, infer(program, {**given, **kinds})):
            continue
        try:
            primal = prepared(function, wrt, {**given, **kinds})
            return derive(replace(primal, kinds=kinds))
        except S2sadError as error:
            problem = error
    problem.certain = False  # of what arguments are taken to be, not of what a call gives
    raise problem


def _derived(
    function: Any, wrt: tuple[str, ...], given: Mapping[str, Fact], derive: Callable[[Primal], T]
) -> T:
    refusal = None
    for known in ways_to_read(function, given):
        try:
            primal = prepared(function, wrt, known)
            with refused_for_now(primal, given):
                return derive(primal)
        except S2sadError as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


@contextmanager
def refused_for_now(primal: Primal, given: Mapping[str, Fact]) -> Iterator[None]:
    """Let a refusal wait for a call where that may tell that its branch is not taken."""
    try:
        yield
    except S2sadError as error:
        error.certain &= _is_told(given) or not waits_for_a_call(primal.program)
        raise


def _without_aliases(
    function: Any, wrt: tuple[str, ...], given: Mapping[str, Fact]
) -> tuple[Program, Facts]:
    """Return the Program of a function in which no write is seen under another name."""
    try:
        return _separated(function, wrt, given)
    except RecursionError:
        raise Unsupported(
            f"{function.__name__} is nested too deeply, or calls itself",
            signature_place(function),
            hint="Split long expressions: give parts of them names. Write recursion as a loop.",
        ) from None
    except AliasError as error:
        refusal = error
    if not given and is_large(function):
        raise refusal
    keyed = [frozenset({ALL, KEYED})] if may_make_dicts(function) else []
    rows = [frozenset({OWN_ROWS})] if any(map(has_rows, given.values())) else []
    for places in (EVERYTHING, *keyed, *rows):
        with suppress(S2sadError):
            return _separated(function, wrt, given, places)
    raise refusal


def _separated(
    function: Any,
    wrt: tuple[str, ...],
    given: Mapping[str, Fact],
    places: frozenset[Span] | None = frozenset(),
) -> tuple[Program, Facts]:
    """Return the Program of a function in which no write is seen under another name.

    What is active is written out where it could be copied; so is what stands at `places`.
    """
    program, facts = _normalised(function, wrt, given, places)
    program = with_rows(with_pieces(program, facts), facts, places)
    own = with_own_fields(as_values(program, facts), facts.expr)
    if own != program:
        program, facts = own, infer(own, given)
    program, changed = specialised(program, facts)
    while changed:  # which function a name holds may be known now
        facts = infer(program, given)
        program, changed = specialised(program, facts)
    # before dead code goes: a write may be all that a name is for
    program = silenced(program, facts.of)
    roots, share = roots_of(program, facts.of), pairs_of(program, facts.of).may_share
    between = conflicts(program, roots, share)
    if any(is_value(facts.of(each.other)) for each in between):
        written = [each.update.old for each in between]
        program = as_copies(program, facts, lambda var: any(share(old, var) for old in written))
        facts = infer(program, given)
        roots, share = roots_of(program, facts.of), pairs_of(program, facts.of).may_share
        between = conflicts(program, roots, share)
    comes = comes_from(program) if between else {}
    found = [
        alias(each.update, each.other, shared_since(comes, each.update.old, each.other))
        for each in between
    ]
    found += map(in_another_order, overlapping(program, roots, share, facts.expr))
    found += changed_and_read(program, roots, facts.of)
    found += joined_unseen(program, facts)
    if found:
        raise gather(found)
    return program, facts


def _more_places(program: Program, facts: Facts, wrt: tuple[str, ...]) -> frozenset[Span]:
    """Return the places of what is to be written out.

    That is what is active, functions that are, and those that see other values from call to call.
    """
    active = active_values(program, wrt, facts.expr)
    called = {var.slot for var in called_values(program, active)}
    inside = {
        copied.place
        for var, copied in left_inside(program)
        if copied.place and (var.slot in called or sees_rebound(program, copied))
    }
    inside |= {*classes_read(program, active)}
    return active_places(program, facts, wrt) | inside


def _normalised(
    function: Any,
    wrt: tuple[str, ...],
    given: Mapping[str, Fact],
    places: frozenset[Span] | None,
) -> tuple[Program, Facts]:
    """Return the Program of a function in which writes are echoed as far as facts can tell."""
    known: Answers = {}
    program, facts = _lowered(function, given, known, places)
    begun: list[Any] = []
    left = ROUNDS
    while left := _rounds_left(left, begun, (known, places)):
        found = answered(program, facts, places)
        more = frozenset() if places is EVERYTHING else _more_places(program, facts, wrt) - places
        if not more and (found == known or not TELLING & set(found.values())):
            break
        known = found
        places = EVERYTHING if places is EVERYTHING else places | more
        program, facts = _lowered(function, given, known, places)
        left -= 1
    else:  # they went round in a circle: what the Program itself does not tell is not known
        while (told := confirmed(known, answered(program, facts, places))) != known:
            known = told
            program, facts = _lowered(function, given, known, places)
    return program, facts


def _rounds_left(left: int, begun: list[Any], state: Any) -> int:
    """Return how many rounds come to what `left` of them do: they may go round in a circle."""
    if state in begun:
        left %= len(begun) - begun.index(state)
        begun.clear()
    begun.append(state)
    return left


def _is_told(given: Mapping[str, Fact]) -> bool:
    """Tell whether it is known of all arguments what they are; those of called functions may wait."""
    return bool(given) and all(fact.kind != "unknown" for fact in given.values())


def _unproven(program: Program, facts: Facts, settled: Answers) -> set[Question]:
    """Return the tests of which a Program does not show that they come out as was taken.

    What was found of a Program that was refused half-way may not hold in all of the function.
    """
    now = settled_tests(program, facts) if settled else {}
    asked = {each.question for each in program.asked} & settled.keys()
    return {question for question in asked if now.get(question) != settled[question]}


def _lowered(
    function: Any, given: Mapping[str, Fact], known: Answers, places: frozenset[Span] | None
) -> tuple[Program, Facts]:
    """Return the Program of a function, and what is known of its values.

    Where it is refused, or calls what is not known, and tests of branches are settled by the facts
    of what could be read, those branches are taken: what is in the way may stand in another.
    """
    objects, settled, unproven = structures(given), dict[Question, str](), set[Question]()
    while True:
        asked = (*known.items(), *settled.items())
        refusal, program = None, None
        try:
            program = normalise(function, asked, places, objects, in_parts=True)
        except S2sadError as error:
            refusal, program = error, error.so_far
        is_asked = program and (program.asked or not refusal)
        facts = infer(program, given) if program and is_asked else Facts({})
        waits = given and program and any(map(calls_unknown, statements(program.body)))
        found = settled_tests(program, facts) if program and (refusal or waits) else {}
        more = _unproven(program, facts, settled) if refusal is None else set()
        unproven |= more
        if not more and found.keys() <= settled.keys() | unproven:
            if refusal is None:
                return program, facts
            if not _is_told(given) and program and waits_for_a_call(program):
                refusal.certain = False
            raise refusal
        settled = {q: way for q, way in {**settled, **found}.items() if q not in unproven}
