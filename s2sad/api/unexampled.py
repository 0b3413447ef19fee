"""A function without examples: what its parameters may be, and that a gradient is of a number.

def f(x, w):                           def f(x, w):
    return np.sin(x[0]) * w   ->           result = np.sin(x[0]) * w
                                           if np.ndim(result) != 0:
                                               raise ValueError("made for arguments ...")
                                           return result
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import FunctionType
from typing import Any

from s2sad.analysis.calls import inlined
from s2sad.analysis.guessed_ranks import guessed_ranks
from s2sad.analysis.ranks import Infer, proved_ranks
from s2sad.analysis.tuples import taken_apart
from s2sad.ir.errors import NotYet, S2sadError, Unsupported
from s2sad.ir.expression import Expr, name
from s2sad.ir.program import Copied, Function, Let, Program, Return
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.spelling import expression
from s2sad.ir.types import (
    Array,
    Numeric,
    Optional,
    Other,
    Reference,
    Tuple,
    Type,
    Unknown,
    is_float,
)
from s2sad.ir.walk import nodes_in, statements
from s2sad.operators import printed
from s2sad.source.owners import is_own
from s2sad.source.read import Source, read, signature_of, signature_place
from s2sad.types import Context
from s2sad.types.parts import Parts, free_parts, held_by, hints_of, with_named_parts
from s2sad.types.unexampled import Place, unexampled_type

# what a text says where a seed has another shape than the result
SEED_MESSAGE = "made for a seed of the result's shape"


class Implied(Exception):
    """Ranks that arguments have to have, as the result is to be a number."""

    def __init__(self, ranks: Mapping[str, int]):
        self.ranks = ranks


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text without examples asks for: ranks, by the paths of arguments and their parts.

    Where it `presumes`, it may ask for equal lengths, too; where it `counts`, for whole numbers in
    the place of defaults that are; where it `knows` these, for them alone. Arguments that `fit` may
    be anything that does not stretch arrays, those that are `compared` with data follow these.
    """

    ranks: Mapping[str, int]
    presumes: bool = False
    counts: bool = False
    knows: bool = False
    fit: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()

    def also(self, ranks: Mapping[str, int]) -> Asked:
        """Return what is asked for where these ranks are, too."""
        return replace(self, ranks={**self.ranks, **ranks})


def any_types(
    source: Source,
    wrt: tuple[str, ...],
    asked: Asked,
    context: Context,
) -> list[Type]:
    """Return the types of the parameters of a function of which there is no example."""
    made: list[Type] = []
    context.assumptions.may_fit, context.assumptions.compared = asked.fit, asked.compared
    context.assumptions.data = asked.fit - {*wrt}
    parts, hints = named_parts(source.entered), hints_of(source.function)
    for each in signature_of(source.function).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise Unsupported.refused(
                "*args and **kwargs are not differentiated",
                signature_place(source.function),
                "Name the arguments in the signature, or give examples: like=(...).",
            )
        place = Place(each.name, hints.get(each.name, each.annotation), each.default)
        how = (flag and each.name not in wrt for flag in (asked.counts, asked.knows))
        type_ = unexampled_type(place, parts, asked.ranks, context, asked.presumes, *how)
        made.append(type_)
        if each.name in wrt and not holds_floats(type_, context):
            whole = each.default is each.empty  # by its annotation, or by what it is used for
            taken = "taken for a whole number" if whole else f"by default {each.default!r}"
            raise NotYet(f"{each.name}, {taken}, without an example in like=")
    return made


def asked_ranks(
    source: Source, wrt: tuple[str, ...], lowered: Callable[[], Program | None]
) -> Iterator[Asked]:
    """Yield what a text may ask for, the least first; `lowered` gives the program of any arguments."""
    yield Asked({})
    parameters = signature_of(source.function).parameters
    counts = any(type(each.default) is int for each in parameters.values())
    if counts:
        yield Asked({}, counts=True)
    context = Context()
    kinds = any_types(source, wrt, Asked({}), context)
    pairs = zip(parameters, kinds, strict=True)
    free = [path for name, type_ in pairs for path in free_parts(type_, name, context)]
    found: list[Mapping[str, int]] = [{}]
    for guess in guessed_ranks(lowered(), free):
        if guess not in found:
            found.append(guess)
            yield Asked(guess, True, counts)
    if counts:
        yield Asked({}, counts=True, knows=True)


def holds_floats(type_: Type, context: Context) -> bool:
    """Tell whether an argument is of floats, or holds some."""
    if isinstance(type_, Reference):
        region = context.regions[type_.site]
        held = (region.item, *region.fields.values())
        return any(holds_floats(each, context) for each in held)
    if isinstance(type_, Tuple):
        return any(holds_floats(each, context) for each in type_.items)
    return is_float(type_)


@lru_cache(maxsize=16)
def named_parts(source: Source) -> Parts:
    """Return the tree of a function with names in the place of parts of its parameters."""
    helds = {name: held_by(hint) for name, hint in hints_of(source.function).items()}
    return with_named_parts(source.tree, helds, lambda called: _callee(source, called))


def _callee(source: Source, called: str) -> Any:
    """Return the definition of a function of the user's that stands under a name; None without one."""
    cell = source.cells.get(called)
    function = source.module.get(called) if cell is None else getattr(cell, "cell_contents", None)
    if not isinstance(function, FunctionType) or not is_own(function):
        return None
    try:
        return read(function).tree
    except S2sadError:
        return None


def refuse_arrays(primal: Program, context: Context, infer: Infer) -> None:
    """Raise Implied where the result has the shape of arguments, which are numbers then, or parts of them."""
    proved = proved_ranks(primal.function, True)
    proved = {**proved_ranks(_in_one(primal, infer), True), **proved}
    implied = {str(variable): rank for variable, rank in proved.items()}
    found = {name: rank for name, rank in implied.items() if not rank or context.asks_implied}
    own = {str(p.variable) for p in primal.function.parameters}
    for statement in statements(primal.function.body):
        if isinstance(statement, Return) and isinstance(statement.value.type, Numeric):
            token = statement.value.type.token  # the arguments that the result has the shape of
            if not isinstance(token, frozenset):
                continue
            if any(isinstance(shape, tuple) and shape for shape in token):
                raise NotYet("a result that has the axes of an argument", statement.span)
            if token <= own:
                found |= dict.fromkeys(token, 0)
    if found:
        raise Implied(found)


def _in_one(primal: Program, infer: Infer) -> Function:
    """Return a function with those that it calls in it, and its tuples taken apart, where that can be."""
    try:
        return taken_apart(inlined(primal, infer))
    except NotYet:
        return primal.function


def general_forms(program: Program) -> int:
    """Return how often a program calls printed functions, or adds to zeros: for any ranks, mostly."""
    general = printed.names() | {"np.zeros_like"}
    every = nodes_in(program.body)
    return sum(node.op == "global" and node.data.text in general for node in every)


def refuse_keys(primal: Program) -> None:
    """Refuse what is read by words, and is taken for a number or an array: it would raise for each."""
    own = {p.variable: p.type for p in primal.function.parameters}
    for node in nodes_in(primal.body):
        owner = node.args[0] if node.op == "subscript" else node
        kind = own.get(owner.data, owner.type) if owner.op == "name" else owner.type
        if owner is not node and isinstance(kind, Numeric | Array):
            index = node.args[1]
            if isinstance(index.type, Other) and index.type.cls is str:
                read = expression(node)
                raise NotYet(f"{read}, a word among keys, without an example: say like=", node.span)


def refuse_copied(primal: Program) -> None:
    """Refuse what could not be lowered: it may fail for arguments whose ranks are guessed."""
    for statement in statements(primal.body):
        if isinstance(statement, Copied):
            raise statement.fault


def number_message(primal: Program) -> str:
    """Return what a text says where the result is no number."""
    return f"made for arguments of which {primal.function.name} is a number"


def is_shape_known(primal: Program) -> bool:
    """Tell whether the entry of a text can ask for the shape of the result: that of arguments."""
    own = {str(p.variable) for p in primal.function.parameters}
    ends = [s.value.type for s in statements(primal.function.body) if isinstance(s, Return)]
    joined = primal.facts.get("result", Tuple(()))
    return all(_is_shape_known(type_, own) for type_ in (*ends, joined))


def _is_shape_known(type_: Type, own: set[str]) -> bool:
    match type_:
        case Unknown() | Optional():
            return False
        case Numeric(token=token):
            return isinstance(token, frozenset) and bool(token) and token <= own
        case Tuple(items):
            return all(_is_shape_known(item, own) for item in items)
    return True


def with_named_result(primal: Program) -> Program:
    """Return a program whose result has a name where it is returned at its end alone.

    Of a tuple of results each has one.
    """
    function = primal.function
    *body, last = function.body
    if not isinstance(last, Return):
        return primal
    fresh = Fresh.of(function)
    lets: list[Let] = []

    def named(value: Expr) -> Expr:
        if value.op == "name" or not isinstance(value.type, Numeric | Unknown | Optional):
            return value
        lets.append(Let(fresh.variable("result"), value, last.span))
        return name(lets[-1].target, value.type, last.span)  # type: ignore[arg-type]

    parts = last.value.op == "tuple"
    value = last.value.with_args(map(named, last.value.args)) if parts else named(last.value)
    made = replace(function, body=(*body, *lets, Return(value, last.span)))
    return primal.with_first(made)
