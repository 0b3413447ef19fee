"""Functions that are called often take the parts of a structure that they read, not the structure.

def rates(y, p):                            def rates(y, growth, death):
    return y * p["growth"] - p["death"]         return y * growth - death
rates(y, p); rates(z, p)                    rates(y, p["growth"], p["death"]); ...

They are differentiated by themselves then; else they would be put in place of each call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from keyword import iskeyword

from s2sad.analysis.callees import (
    called_from,
    is_shorter,
    is_value,
    reaches_itself,
    sites_of,
    size_of,
)
from s2sad.ir.expression import Expr, Variable, constant, is_own_call, name, subscript
from s2sad.ir.program import Function, Let, Parameter, Program, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Reference, Regions, Tuple, Type
from s2sad.ir.walk import (
    bind_counts,
    blocks,
    closed,
    expressions,
    nodes_in,
    read_counts,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
    with_nodes,
)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a function reads of a parameter at a place, each with the parameter that it becomes.

    `unpacked` is the statement that takes the whole apart, if there is one.
    """

    variable: Variable
    place: int
    parameters: Mapping[Expr, Parameter]
    unpacked: Statement | None = None

    def opened(self, function: Function) -> Function:
        """Return the function with parameters for the parts."""

        def change(statement: Statement) -> Statement | None:
            if statement is self.unpacked:
                return None
            return with_expressions(statement, lambda e: rebuilt(e, self._part))

        before, after = function.parameters[: self.place], function.parameters[self.place + 1 :]
        made = (*before, *self.parameters.values(), *after)
        return replace(function, parameters=made, body=rewritten(function.body, change))

    def _part(self, node: Expr) -> Expr | None:
        found = self.parameters.get(node) if node.op != "name" else None
        return None if found is None else name(found.variable, node.type).at(node.span)

    def handed(self, call: Expr) -> Expr:
        """Return a call of the function that hands on the parts."""
        whole = call.args[1 + self.place]
        parts = (
            rebuilt(read, lambda e: whole if e.op == "name" and e.data == self.variable else None)
            for read in self.parameters
        )
        before, after = call.args[: 1 + self.place], call.args[2 + self.place :]
        return call.with_args((*before, *parts, *after))


def with_parts_handed_over(program: Program, regions: Regions) -> Program:
    """Return a program whose functions take parts of structures, where its text is shorter so."""
    if not any(map(_held_by, program.functions.values())):
        return program
    opened, counts = _all_opened(program, regions, frozenset(program.functions))
    sites, functions = sites_of(opened), opened.functions
    # names in calls, and their adjoints, take lines
    shorter = {n for n in counts if is_shorter(size_of(n, functions), sites[n], counts[n])}
    wanted = closed(frozenset(shorter), lambda found: called_from(found, functions) & {*counts})
    return _all_opened(program, regions, wanted)[0] if wanted else program


def _all_opened(
    program: Program, regions: Regions, wanted: frozenset[str]
) -> tuple[Program, Counter[str]]:
    """Return a program whose functions take parts, as far as they can, and how many these are."""
    counts = Counter[str]()
    while True:
        before = program
        for called in sorted(wanted - {program.entry}):
            found = _parts_of(called, program, regions)
            for parts in found:
                program = _opened(program, called, parts)
                counts[called] += len(parts.parameters)
        if program is before:
            return program, counts


def _opened(program: Program, called: str, parts: _Parts) -> Program:
    def change(node: Expr) -> Expr | None:
        is_call = is_own_call(node) and node.args[0].data == called
        return parts.handed(node) if is_call else None

    functions = {**program.functions, called: parts.opened(program.functions[called])}
    changed = {n: replace(f, body=with_nodes(f.body, change)) for n, f in functions.items()}
    return replace(program, functions=changed)


def _held_by(function: Function) -> list[int]:
    """Return the places of the parameters that are structures."""
    parameters = enumerate(function.parameters)
    return [k for k, p in parameters if isinstance(p.type, Tuple | Reference)]


def _parts_of(called: str, program: Program, regions: Regions) -> list[_Parts]:
    """Return what a function reads of the structures that it is handed, the last first.

    Nothing if it does more, or may be handed what is no name: all its structures are taken apart.
    """
    function = program.functions[called]
    held = _held_by(function)
    if not held or not _only_reads(function) or not _is_only_called(called, program):
        return []
    if reaches_itself(called, program.functions):
        return []
    fresh = Fresh.of(function)  # two structures may have the same keys
    found = [_read_of(function, place, regions, fresh) for place in reversed(held)]
    parts = [each for each in found if each is not None]
    are_all = len(parts) == len(found)
    return parts if are_all and all(_may_be_taken_apart(called, p, program) for p in parts) else []


def _only_reads(function: Function) -> bool:
    summary = function.summary
    is_plain = summary is not None and summary.effect.is_pure and not summary.writes
    held = {p.variable for p in function.parameters if isinstance(p.type, Tuple | Reference)}
    is_own = function.custom is None and function.inner is None
    return is_own and is_plain and summary is not None and summary.returns.isdisjoint(held)


def _is_only_called(called: str, program: Program) -> bool:
    """Tell whether a function is met as the head of calls alone: no solver is handed it."""
    heads, names = Counter[bool](), 0
    for function in program.functions.values():
        for node in nodes_in(function.body):
            names += node.op == "function" and node.data == called
            heads[is_own_call(node) and node.args[0].data == called] += 1
    return heads[True] == names


def _read_of(function: Function, place: int, regions: Regions, fresh: Fresh) -> _Parts | None:
    """Return what a function reads of a parameter; None if it reads more than parts of it."""
    variable = function.parameters[place].variable
    whole = [each for each in statements(function.body) if _takes_apart(each, variable)]
    binds, reads = bind_counts(function.body), read_counts(function.body)[variable]
    if binds[variable]:
        return None
    if len(whole) == reads == 1 and isinstance(whole[0], Let):
        return _unpacked(whole[0], function.parameters[place], place, binds, regions)
    steps = [n for n in nodes_in(function.body) if _is_step(n, variable)]
    if len(steps) != reads or not all(is_value(step.type) for step in steps):
        return None
    type_ = function.parameters[place].type
    if isinstance(type_, Reference) and not _are_there(steps, type_, function, regions):
        return None
    others = {str(_key(n)) for n in nodes_in(function.body) if _is_part(n) and n not in steps}
    words = {step: _word(step) for step in steps}
    names = {
        step: word
        if word not in fresh.numbers and word not in others
        else f"{variable.name}_{word}"
        for step, word in words.items()
    }
    made = {step: Parameter(fresh.variable(called), step.type) for step, called in names.items()}
    return _Parts(variable, place, made)


def _unpacked(
    let: Let, parameter: Parameter, place: int, binds: Counter[Variable], regions: Regions
) -> _Parts | None:
    """Return the parts of a parameter that one statement takes apart: its names become parameters."""
    targets = let.target if isinstance(let.target, tuple) else ()
    types = _types_of(parameter.type, len(targets), regions)
    is_once = all(isinstance(t, Variable) and binds[t] == 1 for t in targets)
    if not is_once or types is None or not all(map(is_value, types)):
        return None
    base, made = name(parameter.variable, parameter.type), {}
    for k, (target, type_) in enumerate(zip(targets, types, strict=True)):
        made[subscript(base, constant(k), type_)] = Parameter(target, type_)
    return _Parts(parameter.variable, place, made, let)


def _takes_apart(statement: Statement, variable: Variable) -> bool:
    match statement:
        case Let(tuple(), Expr("name", data=whole)):
            return bool(whole == variable)
    return False


def _is_step(node: Expr, variable: Variable) -> bool:
    """Tell whether an expression is a part of a variable under a key that is written out."""
    return _is_part(node) and node.args[0].op == "name" and bool(node.args[0].data == variable)


def _is_part(node: Expr) -> bool:
    return node.op == "attribute" or (node.op == "subscript" and node.args[1].op == "constant")


def _key(step: Expr) -> Hashable:
    key: Hashable = step.data if step.op == "attribute" else step.args[1].data
    return key


def _word(step: Expr) -> str:
    """Return what a part is called: after its key."""
    key = str(_key(step))
    return key if key.isidentifier() and not iskeyword(key) else f"{step.args[0].data.name}_{key}"


def _are_there(steps: list[Expr], type_: Reference, function: Function, regions: Regions) -> bool:
    """Tell whether a caller can read what a function reads of a structure: no way may be without it."""
    if not _has_fields(type_, regions):
        return False
    plain = (expr for each in function.body if not blocks(each) for expr in expressions(each))
    always = {node for expr in plain for node in _evaluated(expr)}
    born = regions[type_.site].born
    return all(step in always or _key(step) in born for step in steps)


def _evaluated(expr: Expr) -> Iterator[Expr]:
    """Yield the parts of an expression that are evaluated whenever it is."""
    yield expr
    is_lazy = expr.op in ("conditional", "and", "or")
    for arg in () if expr.op == "comprehension" else expr.args[:1] if is_lazy else expr.args:
        yield from _evaluated(arg)


def _has_fields(type_: Reference, regions: Regions) -> bool:
    return type_.site in regions and regions[type_.site].kind == "fields"


def _types_of(type_: Type, count: int, regions: Regions) -> tuple[Type, ...] | None:
    """Return the types of the items of a structure that has so many."""
    if isinstance(type_, Reference) and _has_fields(type_, regions):
        fields = regions[type_.site].fields
        items = tuple(fields.values()) if list(fields) == list(range(len(fields))) else ()
    else:
        items = type_.items if isinstance(type_, Tuple) else ()
    return items if len(items) == count else None


def _may_be_taken_apart(called: str, parts: _Parts, program: Program) -> bool:
    """Tell whether each call hands over a name, or what is reached from one by keys that are written out."""
    for node in nodes_in(program.body):
        if is_own_call(node) and node.args[0].data == called:
            whole = node.args[1 + parts.place]
            while _is_part(whole):
                whole = whole.args[0]
            if whole.op != "name":
                return False
    return True
