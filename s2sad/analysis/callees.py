"""Which of the user's own functions are differentiated as functions: their calls stay calls.

    a = step(u, c)          step stays, if it is long and called often, or calls itself
    b = step(a, c)
    n = norm(b)             norm is put in place of its call

A function that stays only computes: it writes to nothing that it is handed, draws and prints
nothing. It gives new values. One that calls itself may be handed lists and objects, and may give what
it was handed; of the others, adjoints of a list or object as a whole would be longer than the text
without the call. All others are put in place of their calls.

Functions that were lowered several times from one text, for values of other kinds, are one again:
step(u: np.float64) serves for step(u: float), too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from s2sad.analysis.containers import is_container
from s2sad.ir.errors import NoRule, NotYet, Span, Underived, Unsupported
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import (
    Block,
    Custom,
    Function,
    Inner,
    Let,
    Program,
    Restore,
    Return,
    Save,
    Statement,
)
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh, with_variables
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Join, Number, Numeric, Other, Tuple, Type
from s2sad.ir.walk import (
    bound,
    called_in,
    closed,
    nodes,
    nodes_in,
    own_nodes,
    statements,
    with_nodes,
)
from s2sad.operators.marks import is_marked

# lines of the text, as measured over many: the reverse of a statement has two and a half of them
REVERSE = 2.5
READS = 4.0  # names that a statement reads for which this holds
WIDTH = 79  # what stands on one line; in place of a call a longer sum has a line for each term
AROUND = 4  # the first lines of a function and of its derivative, and their returns


def kept_functions(program: Program) -> frozenset[str]:
    """Return the functions that are differentiated by themselves."""
    functions = program.functions
    computing = {name for name, each in functions.items() if only_computes(each)}
    recursive = {name for name in computing if reaches_itself(name, functions)}
    values = {n for n in computing if all(is_value(p.type) for p in functions[n].parameters)}
    pure = {name for name in values if not _gives_argument(functions[name])}
    sites = sites_of(program)
    often = {n for n in pure if is_shorter(size_of(n, functions), sites[n])}
    for_items = pure & {n for each in functions.values() for n in _called_for_items(each)}
    given = _with_derivatives(functions, values)
    return frozenset(recursive | often | for_items | given | _hooks(functions))


def _hooks(functions: Mapping[str, Function]) -> set[str]:
    """Return the functions that are handed on: to a solver, or for adjoints to go through."""
    every = (node for each in functions.values() for node in nodes_in(each.body))
    return {arg.data for n in every if n.op == "call" for arg in n.args[1:] if arg.op == "function"}


def refuse_marked_memory(function: Function, is_written: Callable[[Expr], bool]) -> None:
    """Refuse marks on memory that is written: under its other names it would have none."""
    for node in nodes_in(function.body):
        if is_marked(node) and is_written(node.args[1]):
            raise NotYet("a mark on an array that is written in place", node.span or function.span)


def _with_derivatives(functions: Mapping[str, Function], values: set[str]) -> set[str]:
    """Return the functions that were given derivatives: these are called, whatever they are."""
    found = {name for name, each in functions.items() if each.custom is not None}
    for name in found - values:
        function = functions[name]
        held = [p.variable.name for p in function.parameters if not is_value(p.type)]
        does = f"reads {held[0]}, no number or array" if held else "does more than compute"
        raise NotYet(f"{name} has a derivative of its own, and {does}", function.span)
    return found


def _called_for_items(function: Function) -> Iterator[str]:
    """Yield the functions that comprehensions call: they have no place for statements."""
    for node in nodes_in(function.body):
        if node.op == "comprehension":
            yield from (inner.data for inner in nodes(node) if inner.op == "function")


def only_computes(function: Function) -> bool:
    """Tell whether a call of a function can be taken for an operation: values from values."""
    summary = function.summary
    if summary is None or summary.writes or not summary.effect.is_pure:
        return False
    if not all(is_value(p.type) or is_container(p.type) for p in function.parameters):
        return False
    ends = [s for s in statements(function.body) if isinstance(s, Return)]
    return bool(ends) and all(is_value(end.value.type) for end in ends)


def _gives_argument(function: Function) -> bool:
    """Tell whether a function may give back memory that it was handed."""
    held = {p.variable for p in function.parameters if not isinstance(p.type, Number | Other)}
    return function.summary is None or bool(function.summary.returns & held)


def is_call_of(expr: Expr, kept: frozenset[str]) -> bool:
    """Tell whether an expression is a call of one of these functions."""
    return is_own_call(expr) and expr.args[0].data in kept


def is_value(type_: Type) -> bool:
    """Tell whether what is of a type is a value, or a tuple of values: a number, an array, a text."""
    if isinstance(type_, Tuple):
        return type_.cls is None and all(map(is_value, type_.items))
    return isinstance(type_, Number | Array | Numeric | Other)


def reaches_itself(name: str, functions: Mapping[str, Function]) -> bool:
    """Tell whether a function calls itself, or another one that calls it."""
    return name in _reached(name, functions)


def _reached(start: str, functions: Mapping[str, Function]) -> frozenset[str]:
    """Return the functions that a function calls, or that they call."""
    return closed(called_from((start,), functions), lambda found: called_from(found, functions))


def called_from(callers: Iterable[str], functions: Mapping[str, Function]) -> frozenset[str]:
    """Return the functions that some functions call themselves."""
    known = (functions[each] for each in callers if each in functions)
    return frozenset(inner for each in known for inner in called_in(each))


def sites_of(program: Program) -> Counter[str]:
    """Return how often each function is called in the text of those that are reached."""
    functions = program.functions
    callers = {program.entry, *_reached(program.entry, functions)}
    return Counter(
        name for each in callers & functions.keys() for name in called_in(functions[each])
    )


def size_of(name: str, functions: Mapping[str, Function]) -> float:
    """Return how many statements a function has with all that it calls; long ones count for more."""
    own = {name, *_reached(name, functions)}
    every = (s for each in own if each in functions for s in statements(functions[each].body))
    return sum(map(_size_of_statement, every))


def _size_of_statement(statement: Statement) -> float:
    """Return how many statements one counts for: by what it reads, and by the lines that it takes."""
    every = tuple(own_nodes(statement))
    # of what a statement reads, as many adjoints are added to
    reads = sum(node.op == "name" for node in every)
    is_long = isinstance(statement, Let | Return) and len(simple(statement)) > WIDTH
    terms = sum(node.op == "binary" and node.data in ("+", "-") for node in every)
    return max(1.0, reads / READS, terms + 1.0 if is_long else 0.0)


def is_shorter(size: float, sites: int, more: float = 0.0) -> bool:
    """Tell whether a function with its derivative is shorter than both in place of each call.

    `more` are lines that each call takes beside its own, for arguments that are many.
    """
    apart = (2 + REVERSE) * size + AROUND + (3 + more) * sites
    return apart < (1 + REVERSE) * size * sites


# ---------------------------------------------------------------------------- given derivatives


def called_by_user(function: Function) -> str:
    """Return what the user calls a function: lowering may have given it a number."""
    return function.name if function.span is None else function.span.function


def refuse_other_rank(
    given: str, argument: str, found: Type, wanted: Type, span: Span | None
) -> None:
    """Refuse a derivative that has another number of axes than the value that it belongs to."""
    ranks = [each.rank if isinstance(each, Array) else 0 for each in (found, wanted)]
    if all(isinstance(each, Array | Number) for each in (found, wanted)) and ranks[0] != ranks[1]:
        raise Unsupported(
            f"what {given} gives for {argument} has {ranks[0]} axes, and {argument} has {ranks[1]}",
            span,
            "Give each the shape of what it belongs to.",
        )


def derivative_of(
    custom: Custom, mode: str, functions: Mapping[str, Function], by: Collection[int]
) -> str:
    """Return the function that stands for a derivative by some arguments, "" without one.

    It is made once it is asked for.
    """
    called = custom.reverse if mode == "reverse" else custom.forward
    if custom.asked is not None and not (called and set(by) <= set(custom.varying or ())):
        raise Underived(custom.asked, mode, by)
    if called and functions[called].inner is not None:
        raise Underived(called, "inner")
    return called


def refuse_still(place: int, function: Function, expr: Expr, span: Span | None) -> None:
    """Refuse an argument that varies where what a solver finds is taken for constant in it."""
    custom = function.custom
    if custom is None or custom.may_vary is None or place in custom.may_vary:
        return
    argument = function.parameters[place].variable.name
    raise NoRule.refused(
        f"what the solver finds has no derivative with respect to {argument}",
        expr.span or span,
        f"Give {argument} a value that does not depend on what you differentiate with respect to.",
    )


def has_rule(expr: Expr) -> bool:
    """Tell whether a call of an own function is differentiated by a rule of the user's."""
    head = expr.args[0]
    return head.op == "function" and head.known is not None


# ---------------------------------------------------------------------------- twins

Twin = tuple[tuple[Any, ...], Block, Custom | None, Inner | None]
Functions = Mapping[str, Function]


def merged_twins(program: Program, join: Join) -> Program:
    """Return a program in which one of several functions of the same text stands for them.

    It is one that takes what the others take; where there is none they stay apart.
    """

    def general(group: Sequence[Function]) -> Function | None:
        rows = zip(*([p.type for p in f.parameters] for f in group), strict=True)
        wanted = [reduce(lambda a, b: a and join(a, b), row) for row in rows]
        fits = (f for f in group if [p.type for p in f.parameters] == wanted)
        return next(fits, None)

    return replace(program, functions=without_twins(program.functions, program.entry, general))


def twin_of(function: Function, functions: Functions, join: Join) -> str:
    """Return a function of the same text that takes what this one takes; itself without one."""
    types = [p.type for p in function.parameters]
    for name, other in functions.items():
        if other is not function and _key(other) == _key(function):
            theirs = [p.type for p in other.parameters]
            if [join(a, b) for a, b in zip(types, theirs, strict=True)] == theirs:
                return name
    return function.name


def without_twins(
    functions: Functions,
    entry: str,
    choose: Callable[[Sequence[Function]], Function | None] = lambda group: group[0],
) -> Functions:
    """Return functions of which no two that are alike but in their types are left."""
    while True:
        groups: dict[Twin, list[Function]] = {}
        for name, function in functions.items():
            if name != entry:
                groups.setdefault(_key(function), []).append(function)
        gone: dict[str, str] = {}
        for group in groups.values():
            kept = choose(group) if len(group) > 1 else None
            if kept is not None:
                gone |= {each.name: kept.name for each in group if each is not kept}
        if not gone:
            return functions
        left = {name: each for name, each in functions.items() if name not in gone}
        functions = {name: calling(each, gone) for name, each in left.items()}


def _key(function: Function) -> Twin:
    numbers = _numbered_anew(function)
    parameters = tuple(numbers[p.variable] for p in function.parameters)
    body = tuple(with_variables(statement, numbers) for statement in function.body)
    stacks = tuple(
        numbers[s.stack] for s in statements(function.body) if isinstance(s, Save | Restore)
    )
    return (*parameters, *stacks), body, function.custom, function.inner


def _numbered_anew(function: Function) -> dict[Variable, Variable]:
    """Return the variables of a function by their names, numbered in the order of the text."""
    fresh = Fresh()
    found: dict[Variable, Variable] = {}

    def note(variable: Variable) -> Variable:
        if variable not in found:
            of = None if variable.of is None else note(variable.of)
            found[variable] = fresh.variable(variable.name, variable.role, of)
        return found[variable]

    for parameter in function.parameters:
        note(parameter.variable)
    for statement in statements(function.body):
        for variable in bound(statement):
            note(variable)
        if isinstance(statement, Save | Restore):
            note(statement.stack)
        for node in own_nodes(statement):
            if node.op == "name":
                note(node.data)
    return found


def calling(function: Function, names: Mapping[str, str]) -> Function:
    """Return a function that calls others in place of some."""

    def change(node: Expr) -> Expr | None:
        called = names.get(node.data) if node.op == "function" else None
        return None if called is None else replace(node, data=called)

    custom = function.custom
    if custom is not None:
        reverse, forward = (names.get(each, each) for each in (custom.reverse, custom.forward))
        custom = replace(custom, reverse=reverse, forward=forward)
    inner = function.inner
    if inner is not None:
        inner = replace(inner, of=names.get(inner.of, inner.of))
    body = with_nodes(function.body, change)
    return replace(function, body=body, custom=custom, inner=inner)
