"""Parameters that are tuples, lists, dicts or objects are opened: each part is a parameter of its own.

def f(p, dt):                    def f(p_a, p_w, dt):        p is {"a": p_a, "w": p_w}
    return p["a"] * dt               return p_a * dt

The derivative takes p all the same: it reads the parts at its start, and gives them back together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.ir.expression import Expr, Variable, attribute, constant, name, subscript
from s2sad.ir.program import Block, Function, Let, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import renamed_in, with_variables
from s2sad.ir.types import Tuple, Type
from s2sad.ir.walk import bound, read_variables, rewritten, statements


@dataclass(frozen=True, slots=True)
class Opening:
    """A parameter and what stands for its parts; `cls` is dict, list, tuple, or the class of an object."""

    variable: Variable
    whole: Type
    cls: type | None
    parts: Mapping[Any, Expr]  # typed names

    def part(self, whole: Expr, key: Any, type_: Type) -> Expr:
        """Return a part of what was handed over."""
        if self.cls in (dict, list):
            return subscript(whole, constant(key), type_)
        if isinstance(self.whole, Tuple) and not is_named(self.whole):
            return subscript(whole, constant(key), type_)
        return attribute(whole, self.field(key), type_)

    def readings(self) -> Iterator[Let]:
        """Yield the statements that read its parts."""
        whole = name(self.variable, self.whole)
        for key, part in self.parts.items():
            yield Let(part.data, self.part(whole, key, part.type))

    def field(self, key: Any) -> str:
        """Return the name of a field; those of named tuples are numbered."""
        return str(self.cls._fields[key] if is_named(self.whole) else key)  # type: ignore[union-attr]


def is_named(type_: Type) -> bool:
    """Tell whether a type is that of named tuples."""
    return isinstance(type_, Tuple) and hasattr(type_.cls, "_fields")


def readings(openings: tuple[Opening, ...], read: frozenset[Variable]) -> tuple[Let, ...]:
    """Return the statements that read the parts of the parameters that somebody reads."""
    made: list[Let] = []
    wanted = set(read)
    for opening in reversed(openings):
        lets = [let for let in opening.readings() if let.target in wanted]
        wanted |= {variable for let in lets for variable in read_variables(let.value)}
        made = [*_at_once(opening, lets), *made]
    return tuple(made)


def _at_once(opening: Opening, lets: list[Let]) -> list[Let]:
    """Return one statement for several that unpack a tuple or a list: a, b = p."""
    if not isinstance(opening.whole, Tuple) and opening.cls is not list:
        return lets
    if len(lets) < 2 or len(lets) < len(opening.parts):
        return lets
    targets = tuple(let.target for let in lets)
    return [Let(targets, name(opening.variable, opening.whole))]


def with_users_names(
    function: Function, openings: tuple[Opening, ...]
) -> tuple[Function, tuple[Opening, ...]]:
    """Return a function whose opened parts have the names that the user binds them to.

    W, b = params      W = params[0], not params_0 = params[0]
    """
    times = Counter(v for each in statements(function.body) for v in bound(each))
    times.update(p.variable for p in function.parameters)
    alike = Counter(v.name for v in times)
    copied = {part.data: part.data for each in openings for part in each.parts.values()}
    names: dict[Variable, Variable] = {}
    for statement in statements(function.body):
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            continue
        second, part = statement.target, copied.get(statement.value.data)
        if statement.value.op != "name" or part is None or times[second] + times[part] > 2:
            continue
        copied[second] = part
        if part not in names and alike[second.name] == 1:
            names[part] = second
    if not names:
        return function, openings
    taken = frozenset(names.values())

    def renamed(statement: Statement) -> Statement | Block:
        is_copy = isinstance(statement, Let) and statement.target in taken
        return () if is_copy else with_variables(statement, names)

    parameters = tuple(
        replace(p, variable=names.get(p.variable, p.variable)) for p in function.parameters
    )
    body = rewritten(function.body, renamed)
    return replace(function, parameters=parameters, body=body), tuple(
        replace(each, parts={k: renamed_in(part, names) for k, part in each.parts.items()})
        for each in openings
    )


def leaves(variable: Variable, openings: tuple[Opening, ...]) -> Iterator[Variable]:
    """Yield the parameters that a parameter was opened to, down to the last."""
    opening = opening_of(variable, openings)
    if opening is None:
        yield variable
        return
    for part in opening.parts.values():
        yield from leaves(part.data, openings)


def opening_of(variable: Variable, openings: tuple[Opening, ...]) -> Opening | None:
    """Return what a parameter was opened to, None if it was left whole."""
    return next((o for o in openings if o.variable == variable), None)
