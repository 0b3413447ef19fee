"""A function is lowered again until its derivative can be made: each round knows more than the one before.

derived(f, args, make, wrt)     what make(primal, context) gives, once nothing is missing any more

What turned out in a round: lengths that are equal, lines of a library that are lowered in place of
a call, derivatives of what a solver is given, ranks of arguments of which there is no example.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from s2sad.analysis.callees import reaches_itself
from s2sad.analysis.ends import refuse_between, without_unread
from s2sad.analysis.likely_ranks import compared_with_data, likely_ranks
from s2sad.analysis.lists_of_parts import with_regions_of_parts
from s2sad.analysis.module_state import without_records
from s2sad.analysis.openings import with_built_results
from s2sad.analysis.prepare import Prepared
from s2sad.analysis.realness import with_real_operands
from s2sad.analysis.unread_fields import without_unread_fields
from s2sad.api.inner import with_inner
from s2sad.api.libraries import (
    at_call_of_library,
    follow,
    follow_alike,
    follow_entries,
    follow_unknown,
)
from s2sad.api.unexampled import (
    Asked,
    Implied,
    any_types,
    asked_ranks,
    general_forms,
    refuse_copied,
    refuse_keys,
)
from s2sad.api.variadic import fixed
from s2sad.checkpoint.gradient import Derivation
from s2sad.emit.kinds import relied_on
from s2sad.ir.errors import ArgumentError, NotYet, Refused, S2sadError, Span, Underived, Unfollowed
from s2sad.ir.program import Program
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.remedies import unfit
from s2sad.ir.types import Number, Reference, Site, Type, types_in
from s2sad.ir.verify import refuse_unbound
from s2sad.ir.walk import statements, writes
from s2sad.lowering.lower import lower
from s2sad.operators.find import is_ruled
from s2sad.source.owners import library_of, reading
from s2sad.source.read import Source, read
from s2sad.types import Context, Fails, Mismatch, type_of

PRINTED = "<s2sad printed"  # where the lines of twins stand
ROUNDS = 40
MOST_PEELED = 4  # loops, one after the other


@dataclass(frozen=True, slots=True)
class Derived:
    """A derivative with the program that it was made from, and what was assumed.

    `derivation` says how a gradient was made; a tangent has none. `ready` is the primal as it was
    made ready for reverse mode: a tangent has it where arguments are written to that hold more, or
    views that hang on a layout.
    """

    source: Source
    primal: Program
    program: Program
    context: Context
    derivation: Derivation | None = None
    ready: Prepared | None = None


# examples, in the order of the parameters or by their names
Arguments = Sequence[Any] | Mapping[str, Any]
# a program with how it was made, as far as that is known
Made = tuple[Program, Derivation | None, Prepared | None]
Make = Callable[[Program, Context], Made]


def derived(
    function: Callable[..., Any],
    args: Arguments | None,
    make: Make,
    wrt: tuple[str, ...] = (),
    known: frozenset[str] = frozenset(),
) -> Derived:
    """Return what is made of a function, lowered again until nothing is missing.

    The numbers of the examples that are `known` are those that it is made for.
    What a function of a library calls in it is taken as it stands first; where that cannot be done,
    the library is read as if it were the user's.
    """
    if args is not None:
        function = fixed(
            function, tuple(args.values()) if isinstance(args, Mapping) else tuple(args)
        )
    asked = _Asked(read(function), make, wrt, known)
    try:
        return _of_libraries(asked, args)
    except (NotYet, S2sadError) as fault:
        found = _with_peeled_loops(asked, args, fault)
        if found is None:
            raise
        return found


def _with_peeled_loops(
    asked: _Asked, args: Arguments | None, fault: NotYet | S2sadError
) -> Derived | None:
    """Return what is made where some loops are peeled; None where that fails, too."""
    for _ in range(MOST_PEELED):
        loop = asked.next_peeled(fault)
        if loop is None:
            return None
        asked = replace(asked, peeled=asked.peeled | {loop})
        try:
            return _of_libraries(asked, args)
        except (NotYet, S2sadError) as other:
            fault = other
    return None


def _of_libraries(
    asked: _Asked, args: Arguments | None, read: frozenset[str] = frozenset()
) -> Derived:
    """Return what is made of a function, and of lines of its libraries where that needs them."""
    try:
        with reading(read):
            return asked.of(args)
    except NotYet as fault:
        called = (asked.source.function, *asked.followed)
        libraries = {name for each in called if (name := library_of(each))} - read
        if not libraries:
            raise
        try:
            return _of_libraries(replace(asked, followed={}), args, read | libraries)
        except S2sadError as cause:
            raise (fault if isinstance(fault, Refused) else cause) from None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is made of a function; `followed` are calls for which other lines are lowered.

    `loops` are those that it has, of which some are `peeled`: their first pass stands apart.
    """

    source: Source
    make: Make
    wrt: tuple[str, ...]
    known: frozenset[str]
    followed: dict[Hashable, Exception] = field(default_factory=dict)
    peeled: frozenset[Any] = frozenset()
    loops: dict[Any, bool] = field(default_factory=dict)
    lowered: list[Program] = field(default_factory=list)
    split_lists: set[Site] = field(default_factory=set)
    keeps_lists: bool = False

    def next_peeled(self, fault: NotYet | S2sadError) -> Any:
        """Return the loop that is to be peeled next, None where there is none.

        It is the one that is refused, or that begins with a number: the last before what is refused.
        """
        line = 0 if fault.span is None else fault.span.line
        open_ = [loop for loop in self.loops if loop not in self.peeled and _line(loop)]
        refused = [loop for loop in open_ if _line(loop) == line]
        is_within = any(_line(loop) == line for loop in self.peeled)
        if is_within:  # what is bound in that loop is refused, and loops stand in it
            refused += sorted((loop for loop in open_ if _line(loop) > line), key=_line)[:1]
        begun = sorted((loop for loop in open_ if self.loops[loop]), key=_line)
        before = [loop for loop in begun if _line(loop) <= line]
        return next(iter((*refused, *reversed(before), *begun)), None)

    def of(self, args: Arguments | None) -> Derived:
        """Return what is made of it; what is refused where lists are split keeps them whole."""
        try:
            return self.made(args)
        except (NotYet, S2sadError) as fault:
            if not self.split_lists:
                raise
            try:
                return replace(self, split_lists=set(), keeps_lists=True).made(args)
            except (NotYet, S2sadError):
                raise fault from None

    def made(self, args: Arguments | None) -> Derived:
        """Return what is made of it for examples, or for any arguments."""
        if args is None:
            return self.of_any()
        named = _by_name(self.source, args)
        context, kinds = self.read(named)
        try:
            return self.of_kinds(kinds, context, tuple(named))
        except S2sadError as fault:
            if not context.opened:
                return self.of_lengths(named, context, fault)
            context, kinds = self.read(named)
            context.by_place.clear()  # lists stay lists of one kind of items
            return self.of_kinds(kinds, context, tuple(named))
        except NotYet as fault:
            return self.of_lengths(named, context, fault)

    def of_lengths(
        self, named: Mapping[str, Any], before: Context, fault: NotYet | S2sadError
    ) -> Derived:
        """Return what is made where the examples decide what is asked of lengths."""
        if not before.tests_lengths:
            raise fault
        context, kinds = self.read(named)
        context.decides_lengths = True
        try:
            return self.of_kinds(kinds, context, tuple(named))
        except (NotYet, S2sadError):
            raise fault from None

    def context(self, **words: Any) -> Context:
        """Return a context of this function and its loops."""
        words = {"followed": self.followed, **words}
        words |= {"split_lists": self.split_lists, "keeps_lists": self.keeps_lists}
        return Context(peeled=self.peeled, loops=self.loops, **words)

    def read(self, named: Mapping[str, Any]) -> tuple[Context, list[Type]]:
        """Return the types of examples, with the context that they are read in."""
        options = {name: named[name] for name in self.known}
        context = self.context(options=options)
        return context, [type_of(value, name, context) for name, value in named.items()]

    def of_any(self) -> Derived:
        """Return what is made where nothing is assumed of the arguments, or little.

        What is refused where nothing is asked of them is refused for good.
        """
        faults: list[Exception] = []
        others: list[Derived] = []  # for defaults of another kind, or of which a way raises
        for asked in asked_ranks(self.source, self.wrt, lambda: next(iter(self.lowered), None)):
            followed = self.followed
            if asked.ranks or asked.counts:
                followed = _without_rules(followed)
            try:
                context = self.context(has_examples=False, followed=followed)
                made = self.of_likely(self.of_ranks(asked, context), asked)
                is_like = asked.counts or not self.asks_other_defaults(made.program)
                if is_like and not (asked.presumes and made.context.fails):
                    return made
                others.append(made)
            except NotYet as fault:
                faults.append(fault)
            except S2sadError as error:
                if not (asked.ranks or asked.counts):
                    raise
                faults.append(error)
            self.followed.update(followed)
        if others:
            return others[0]
        raise faults[0]

    def of_likely(self, made: Derived, asked: Asked) -> Derived:
        """Return what is made for likely ranks where that needs fewer general forms."""
        forms = general_forms(made.program)
        if not forms:
            return made
        is_number = made.context.asks_number
        is_number = is_number or isinstance(made.primal.facts.get("result"), Number)
        likely, free = likely_ranks(made.primal, is_number)
        compared = compared_with_data(made.primal.function, free)
        asked = replace(asked.also(likely), presumes=True, fit=free, compared=compared)
        context = self.context(has_examples=False, followed=_without_rules(self.followed))
        with suppress(NotYet, S2sadError):
            other = self.of_ranks(asked, context)
            assumed = other.context.assumptions
            is_apart = bool(assumed.apart)  # its adjoint is one display
            if not assumed.is_unsure and general_forms(other.program) < forms + is_apart:
                return other
        return made

    def asks_other_defaults(self, program: Program) -> bool:
        """Tell whether a text asks for a float where the default of an argument is a whole number."""
        relied = {variable.name for variable in relied_on(program, self.wrt)}
        own = inspect.signature(self.source.function).parameters
        return any(type(own[name].default) is int for name in relied & own.keys() - {*self.wrt})

    def of_ranks(self, asked: Asked, context: Context) -> Derived:
        """Return what is made where the arguments are asked for these ranks."""
        names = tuple(inspect.signature(self.source.function).parameters)
        kinds = any_types(self.source, self.wrt, asked, context)
        try:
            return self.of_kinds(kinds, context, names, refuse_copied if asked.presumes else None)
        except Implied as found:
            implied = found.ranks
        again = partial(
            Context,
            has_examples=False,
            followed=_without_rules(context.followed),
            solved=context.solved,
            split_lists=self.split_lists,
            keeps_lists=self.keeps_lists,
        )
        if any(implied.values()):
            with suppress(NotYet, S2sadError):  # of arrays more has to be known than of any values
                return self.of_ranks(asked.also(implied), again())
        numbers = {name: rank for name, rank in implied.items() if not rank}
        return self.of_ranks(asked.also(numbers), again(asks_implied=False))

    def of_kinds(
        self,
        kinds: Sequence[Type],
        context: Context,
        names: tuple[str, ...],
        check: Callable[[Program], None] | None = None,
    ) -> Derived:
        """Return what is made for these kinds of arguments: each round knows more."""
        for _ in range(ROUNDS):
            with at_call_of_library(context), _or_as_functions(context):
                primal = _lowered(self.source, kinds, context, names)
            self.lowered.append(primal)
            if context.has_examples:
                refuse_shared(primal, self.wrt, context)
            else:
                refuse_keys(primal)
            if check is not None:
                check(primal)
            found = _made(self.make, self.source, primal, context)
            if found is not None:
                return self.with_stored(found)
        raise NotYet("a function of so many kinds of values", None)

    def with_stored(self, made: Derived) -> Derived:
        """Note which arguments arrays are made of that what varies is put into.

        Such a store may be gone from the text, as it does not need its numbers.
        """
        alone = not made.context.has_examples
        stored = relied_on(made.program, self.wrt, stores_alone=alone)
        both = (
            replace(p, facts={**p.facts, "stored": stored}) for p in (made.primal, made.program)
        )
        primal, program = both
        return replace(made, primal=primal, program=program)


def _without_rules(followed: Mapping[Hashable, Exception]) -> dict[Hashable, Exception]:
    """Return the calls followed that have no rule: of arrays of a known rank one may fit."""
    return {key: fault for key, fault in followed.items() if not is_ruled(key)}


# ---------------------------------------------------------------------------- one round


def _lowered(
    source: Source, kinds: Sequence[Type], context: Context, names: tuple[str, ...]
) -> Program:
    """Return a program with the gradients that it takes inside, and the derivatives they ask for."""
    for _ in range(ROUNDS):
        try:
            with _assuming(context):
                primal = lower(source, kinds, context, names)
            try:
                return _with_inner(primal, context)
            except NotYet as fault:
                if not follow_entries(fault, primal, context):
                    raise
        except Unfollowed as fault:
            follow(fault, context)
        except Underived as missing:
            context.solved.update(missing.asked)
        except Mismatch as mismatch:
            _learn_lengths(mismatch, context, None)
    raise NotYet("a function of so many kinds of values")


@contextmanager
def _assuming(context: Context) -> Iterator[None]:
    """Let arguments be taken for such as stretch nothing: of derivatives nothing follows for them."""
    context.assumptions.is_lowered = True
    try:
        yield
    finally:
        context.assumptions.is_lowered = False


def _with_inner(primal: Program, context: Context) -> Program:
    """Return a program with the gradients that it takes inside."""
    refuse_unbound(primal)
    primal = with_built_results(without_unread_fields(without_unread(primal)))
    refuse_between(primal)
    primal = with_regions_of_parts(with_real_operands(without_records(primal)))
    if all(each.inner is None for each in primal.functions.values()):
        return primal
    return with_inner(primal, context)


def _made(make: Make, source: Source, primal: Program, context: Context) -> Derived | None:
    """Return what is made of a program; None where the next round knows more."""
    made = None
    with _learning(primal, context), at_call_of_library(context), _or_as_functions(context):
        made = make(primal, context)
    if made is None:
        return None
    program, derivation, ready = made
    return Derived(source, primal, refuse_unbound(program), context, derivation, ready)


@contextmanager
def _learning(primal: Program, context: Context) -> Iterator[None]:
    """Note in the context what was missing; raise what no further round would help."""
    span = primal.function.span
    try:
        yield
    except Unfollowed as fault:
        follow(fault, context)
        follow_alike(primal, context)
    except Underived as missing:
        context.solved.update(missing.asked)
    except NotYet as fault:
        if not (follow_entries(fault, primal, context) or _run_in_place(fault, primal, context)):
            follow_unknown(fault, primal, context)
    except Mismatch as mismatch:
        _learn_lengths(mismatch, context, span)
    except Fails as fault:
        raise Refused(unfit(str(fault), span)) from None


def _run_in_place(fault: NotYet, primal: Program, context: Context) -> bool:
    """Have functions that call themselves run where they are called; tell whether some were not.

    So are twins, and what they call: of what one call is given more is known than of all together.
    """
    functions = primal.functions
    found = [f for n, f in functions.items() if reaches_itself(n, functions)]
    found = found or [f for f in functions.values() if f.span and f.span.path.startswith(PRINTED)]
    sites: dict[Hashable, Exception] = {
        (f.span.function, f.span.line): fault for f in found if f.span is not None
    }
    if sites.keys() <= context.in_place.keys():
        return False
    context.in_place |= sites
    return True


@contextmanager
def _or_as_functions(context: Context) -> Iterator[None]:
    """Refuse what cannot be run where it is called for the reason why it is no function."""
    try:
        yield
    except NotYet:
        for fault in context.in_place.values():
            raise fault from None
        raise


def _learn_lengths(mismatch: Mismatch, context: Context, span: Span | None) -> None:
    """Assume that lengths are equal, or refuse the arguments."""
    if not context.assumptions.learn(mismatch, None):
        raise Refused(unfit(f"lengths differ: {mismatch}", span)) from None


# ---------------------------------------------------------------------------- arguments


def refuse_shared(primal: Program, wrt: tuple[str, ...], context: Context) -> None:
    """Refuse arguments of which an object is reached in two ways, if it is written or varies."""
    kinds = {p.variable.name: p.type for p in primal.function.parameters}
    held = [t for r in context.regions.values() for t in (*r.fields.values(), r.item)]
    counts = Counter(site for type_ in (*kinds.values(), *held) for site in _sites(type_))
    shared = {site for site, count in counts.items() if count > 1}
    if not shared:
        return
    varies = any(site for name in wrt for site in _sites(kinds.get(name)))
    is_written = any(map(writes, statements(primal.body)))
    if varies or is_written:
        why = "it is written to" if is_written else "its derivative is that of both"
        raise ArgumentError.refused(
            f"two parts of the arguments are one object, and {why}",
            primal.function.span,
            "Give each an object of its own: copy.deepcopy(...).",
        )


def _sites(type_: Type | None) -> Iterator[object]:
    every = () if type_ is None else types_in(type_)
    yield from (each.site for each in every if isinstance(each, Reference))


def _line(loop: Any) -> int:
    """Return the line of the user's at which a loop stands; 0 where it is none of the user's."""
    return loop[2] if isinstance(loop, tuple) and isinstance(loop[2], int) else 0


def _by_name(source: Source, args: Arguments) -> Mapping[str, Any]:
    if isinstance(args, Mapping):
        return args
    return dict(zip(argument_names(source, args), args, strict=True))


def argument_names(source: Source, args: Sequence[Any]) -> list[str]:
    """Return what positional arguments are called: of `*rest`, rest_1, rest_2, ..."""
    spec = source.tree.args
    named = [a.id for a in (*spec.posonlyargs, *spec.args)]
    if spec.vararg:
        named += [f"{spec.vararg.id}_{k + 1}" for k in range(len(args) - len(named))]
    return named[: len(args)]
