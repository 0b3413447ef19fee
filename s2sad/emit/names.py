"""Variables get their names: the user's own, and readable words that clash with nothing.

u_2 = u.copy()   u, if the argument is not read later      c_2 = 0.7 * c    c_new, if it is
u_bar_2          u_bar: the adjoint of that u              x_term           sin_theta

Two variables share a name only where neither is bound while the other is still to be read.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import count
from typing import Any

from s2sad.analysis.terms import word_of
from s2sad.emit.words import called_after, stem_of
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Pattern, Role, Variable, calls, positional
from s2sad.ir.program import For, Function, Let, Program, Restore, Save, Statement
from s2sad.ir.records import dataclass, field
from s2sad.ir.walk import (
    assigned,
    bound,
    expressions,
    nodes,
    own_nodes,
    read_variables,
    saved_values,
    statements,
    variables,
)
from s2sad.optimize.liveness import Liveness, stacks_of
from s2sad.optimize.memory import Token, memory_of

# how adjoints and tangents end, and how they do where the user's own names end so
ENDINGS = {"_bar": "_adj", "_dot": "_tan"}
# how what is saved ends
SAVED = ("_saved", "_old")


@dataclass(slots=True)
class _Naming:
    """The names of one function while they are chosen.

    `wishes` are the names that variables would like; only those that want one name are held
    against each other: `edges` has who is alive where a variable is bound, a bit for each of their
    `places` in the text. So has `chosen` who has a name, and `claimed` whom these are held against;
    of a wish, `numbered` has who has it with a number, and the last number.
    `owners` tells which wish a name was taken for. `restored` are what stacks give back, `spilled`
    what was saved for a term of the reverse sweep: both share one name where they can.
    """

    wishes: dict[Variable, str]
    reserved: frozenset[str]
    reverse: frozenset[Variable]
    places: Mapping[Variable, int]
    values: Mapping[Variable, list[Expr]] = field(default_factory=dict)
    restored: Mapping[Variable, Variable] = field(default_factory=dict)
    spilled: Mapping[Variable, Variable] = field(default_factory=dict)
    edges: dict[Variable, int] = field(default_factory=dict)
    names: dict[Variable, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, int] = field(default_factory=dict)
    claimed: dict[str, int] = field(default_factory=dict)
    numbered: dict[str, tuple[int, int]] = field(default_factory=dict)

    def choose(self, variable: Variable) -> None:
        """Choose the name of a variable: the first that is free where it is alive."""
        wish = self.wishes[variable]
        near, own = self.edges.get(variable, 0), 1 << self.places[variable]
        for name in self.candidates(variable):
            is_near = near & self.chosen.get(name, 0) or own & self.claimed.get(name, 0)
            if self.owners.get(name, wish) == wish and not is_near and name not in self.reserved:
                self.give(name, variable)
                return

    def give(self, name: str, variable: Variable) -> None:
        """Give a variable its name."""
        wish = self.wishes[variable]
        number = name.removeprefix(f"{wish}_")
        if number.isdecimal():
            bits, last = self.numbered.get(wish, (0, 1))
            bits |= 1 << self.places[variable]
            self.numbered[wish] = bits, max(last, int(number))
        self.owners[name] = wish
        self.names[variable] = name
        self.chosen[name] = self.chosen.get(name, 0) | 1 << self.places[variable]
        self.claimed[name] = self.claimed.get(name, 0) | self.edges.get(variable, 0)

    def candidates(self, variable: Variable) -> Iterator[str]:
        """Yield the names that a variable may have, the nicest first."""
        wish = self.wishes[variable]
        if self.spilled.get(variable) in self.names:
            yield self.names[self.spilled[variable]]
        if self.restored.get(variable) in self.names:
            yield self.names[self.restored[variable]] + SAVED[0]
        yield wish
        of = self.names.get(variable.of) if variable.of is not None else None
        if of is not None and variable.of is not None:
            own = variable.of.name
            is_later = variable.role is Role.ADJOINT and variable.of.number > 0
            if (of != own or is_later) and wish.startswith(own):
                yield (of if of != own else f"{own}_new") + wish.removeprefix(own)
        if variable in self.values:
            yield from self.words(variable, self.values[variable])
        if variable.role is Role.PRIMAL:
            yield f"{wish}_old" if variable in self.reverse else f"{wish}_new"
        yield from (f"{wish}_{number}" for number in count(self.first_number(variable)))

    def first_number(self, variable: Variable) -> int:
        """Return a number with which to begin: behind all that have one, where these are all alive."""
        bits, last = self.numbered.get(self.wishes[variable], (0, 1))
        return 2 if bits & ~self.edges.get(variable, 0) else last + 1

    def words(self, variable: Variable, values: list[Expr]) -> Iterator[str]:
        """Yield second words for a term, or for what is saved: sin_x_new, x_product, u_k_saved."""
        called = _called(variable, values, self.names)
        ending = next((e for e in SAVED if variable.name.endswith(e)), "")
        if called:
            yield called + ending
        elif not ending:
            yield f"{stem_of(variable)}_{word_of(values[0])}"


def names_of(
    function: Function,
    program: Program,
    reserved: Iterable[str],
    reverse: frozenset[Variable] = frozenset(),
) -> Mapping[Variable, str]:
    """Return the name of every variable of a function.

    `reserved` names belong to modules, functions and what is copied; `reverse` are the variables
    that are bound in the reverse sweep alone. Of the function that is called first the parameters
    keep their names: NotYet where one has a reserved name.
    """
    parameters = [p.variable for p in function.parameters]
    taken = frozenset(reserved) | frozenset(keyword.kwlist)
    clash = next((p for p in parameters if p.name in taken), None)
    is_entry = function.name == program.entry
    if clash is not None and is_entry:
        raise NotYet(f"a parameter that is called {clash.name}", function.span)
    order = [*dict.fromkeys([*parameters, *_in_text_order(function)])]
    values = _values_of_terms(function)
    places = {variable: place for place, variable in enumerate(order)}
    restored = _restored(function)
    spilled = _spilled(function)
    wishes = _wishes(order, values)
    wishes |= {variable: wishes[saved] for variable, saved in spilled.items()}
    naming = _Naming(wishes, taken, reverse, places, values, restored, spilled)
    naming.owners = {wish: wish for wish in naming.wishes.values()}
    naming.edges = _edges(function, program, naming.wishes, places)
    for parameter in parameters if is_entry else ():
        if parameter.role is not Role.TANGENT:
            naming.give(parameter.name, parameter)
    for parameter in parameters if is_entry else ():
        if parameter not in naming.names:  # a tangent, beside a name of the user's like its own
            naming.choose(parameter)
    own = [v for v in order if v.role is Role.PRIMAL]
    for variable in own:
        if variable not in naming.names:
            naming.choose(variable)
    others = [v for v in order if v not in naming.names]
    for variable in sorted(others, key=lambda v: _rank(v, naming)):
        naming.choose(variable)
    return naming.names


def _rank(variable: Variable, naming: _Naming) -> int:
    """Return when a variable is named: first what belongs to the plain names of the user's.

    What a stack gives back has its name before the stack.
    """
    if variable in naming.restored:
        return 3
    if variable.role is Role.TERM:
        return 2
    of = variable.of
    return 0 if of is not None and naming.names.get(of) == of.name else 1


def _restored(function: Function) -> dict[Variable, Variable]:
    """Return the variable that each stack gives back, where it is always the same."""
    found: dict[Variable, set[object]] = {}
    for statement in statements(function.body):
        if isinstance(statement, Restore):
            found.setdefault(statement.stack, set()).add(statement.target)
    return _of_one_variable(found)


def _spilled(function: Function) -> dict[Variable, Variable]:
    """Return, of terms that a stack gives back, the one term that is saved there."""
    saved: dict[tuple[Variable, int], set[object]] = {}
    for statement in statements(function.body):
        if isinstance(statement, Save):
            for place, part in enumerate(saved_values(statement)):
                value = part.data if part.op == "name" else None
                saved.setdefault((statement.stack, place), set()).add(value)
    found: dict[Variable, set[object]] = {}
    for stack, target in _taken_back(function):
        for place, variable in enumerate(variables(target)):
            found.setdefault(variable, set()).update(saved.get((stack, place), ()))
    terms = (each for each in _of_one_variable(found).items() if each[0] != each[1])
    return {term: of for term, of in terms if term.role is of.role is Role.TERM}


def _taken_back(function: Function) -> Iterator[tuple[Variable, Pattern]]:
    """Yield the stacks that values are taken back from, by statements and by loops, with what gets them."""
    for statement in statements(function.body):
        match statement:
            case Restore(target, stack) if not isinstance(target, Expr):
                yield stack, target
            case For(target, domain):
                beside = positional(domain) if calls(domain, zip) else (domain,)
                targets = target if calls(domain, zip) and isinstance(target, tuple) else (target,)
                for each, part in zip(targets, beside, strict=False):
                    if calls(part, reversed) and part.args[1].op == "name":
                        yield part.args[1].data, each


def _of_one_variable(found: Mapping[Variable, set[object]]) -> dict[Variable, Variable]:
    """Return what belongs to one variable alone."""
    alone = {key: next(iter(each)) for key, each in found.items() if len(each) == 1}
    return {key: each for key, each in alone.items() if isinstance(each, Variable)}


def _in_text_order(function: Function) -> Iterator[Variable]:
    for statement in statements(function.body):
        yield from bound(statement)
        if isinstance(statement, Save | Restore):
            yield statement.stack
        for node in own_nodes(statement):
            if node.op == "generator":
                yield from variables(node.data)
            elif node.op == "name":
                yield node.data


# ---------------------------------------------------------------------------- wishes


def _wishes(order: list[Variable], values: Mapping[Variable, list[Expr]]) -> dict[Variable, str]:
    """Return the name that each variable would like."""
    after = _after_values(values)
    wanted = {v: after.get(v) or _after_owner(v, after) for v in order}
    own = {v.name for v in order if v.role is Role.PRIMAL}
    for ending, other in ENDINGS.items():
        ours = {v for v, w in wanted.items() if v.role is not Role.PRIMAL and w.endswith(ending)}
        if any(wanted[v] in own for v in ours):
            wanted |= {v: wanted[v].removesuffix(ending) + other for v in ours}
    return {v: w if v.role is Role.PRIMAL else _apart(w, own) for v, w in wanted.items()}


def _after_owner(variable: Variable, after: Mapping[Variable, str]) -> str:
    """Return a name with that of the term that it belongs to: sin_x_saved."""
    of = variable.of
    if of is None or of not in after or not variable.name.startswith(of.name):
        return variable.name
    return after[of] + variable.name.removeprefix(of.name)


def _apart(wish: str, own: set[str]) -> str:
    """Return a wish that is none of the names that the user has given."""
    if wish not in own:
        return wish
    return "result_value" if wish == "value" else f"{wish}_value"


def _after_values(values: Mapping[Variable, list[Expr]]) -> dict[Variable, str]:
    """Return what terms of the primal are called after the values that they hold.

    What a rule names has a word of its own: the back substitution of a solve.
    """
    plain = {v: each for v, each in values.items() if v.role is Role.TERM}
    terms = {v: each for v, each in plain.items() if v.name.endswith("_term")}
    found = {v: _called(v, each, {}) for v, each in terms.items()}
    return {v: called for v, called in found.items() if called}


def _called(variable: Variable, values: list[Expr], names: Mapping[Variable, str]) -> str | None:
    called = {called_after(value, stem_of(variable), names) for value in values}
    found = called.pop() if len(called) == 1 else None
    return found if found and found.isidentifier() else None


def _values_of_terms(function: Function) -> dict[Variable, list[Expr]]:
    """Return the values that are given to terms of the primal, or saved under a name."""
    found: dict[Variable, list[Expr]] = {}
    for statement in statements(function.body):
        match statement:
            case Let(Variable() as variable, value) | Save(variable, value):
                is_derived = variable.name.endswith(tuple(ENDINGS))
                is_plain = variable.role is Role.TERM and not is_derived
                if is_plain or (variable.role is Role.SAVED and (value.op != "list" or value.args)):
                    found.setdefault(variable, []).append(value)
    return found


# ---------------------------------------------------------------------------- alive together


def _edges(
    function: Function,
    program: Program,
    wishes: Mapping[Variable, str],
    places: Mapping[Variable, int],
) -> dict[Variable, int]:
    """Return, of variables that want one name, which others are alive where each is bound."""
    groups: dict[str, set[Variable]] = {}
    for variable, wish in wishes.items():
        groups.setdefault(wish, set()).add(variable)
    edges: dict[Variable, int] = {}
    nobody: frozenset[Variable] = frozenset()
    last = dict.fromkeys(groups, (nobody, 0))  # few come and go between two statements

    def add(variable: Variable, *alive: Set[Any]) -> None:
        wish = wishes[variable]
        together = nobody.union(*(groups[wish] & names for names in alive))
        known, bits = last[wish]
        for other in known ^ together:
            bits ^= 1 << places[other]
        last[wish] = together, bits
        edges[variable] = (edges.get(variable, 0) | bits) & ~(1 << places[variable])

    def visit(statement: Statement, live: Set[Token]) -> None:
        made = assigned(statement)
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            if statement.value.op == "name":  # a copy does not overwrite what it copies
                live = live - {statement.value.data}
                made = tuple(v for v in made if v != statement.value.data)
        for variable in made:
            add(variable, live, frozenset(made))
        _add_inner(statement, add)

    memory = memory_of(function, program)
    sweep = Liveness(function, memory, visit=visit)
    _, live = sweep.block(function.body, sweep.at_exit)
    given = frozenset(p.variable for p in function.parameters)
    for variable in given:
        add(variable, live | given)
    for stack in stacks_of(function):
        add(stack, frozenset(wishes))
    return edges


def _add_inner(statement: Statement, add: Callable[[Variable, frozenset[Any]], None]) -> None:
    """Hold what a comprehension binds against all that its expression reads."""
    for expr in expressions(statement):
        inner = [v for node in nodes(expr) if node.op == "generator" for v in variables(node.data)]
        if inner:
            alive = read_variables(expr) | frozenset(inner)
            alive |= frozenset(n.data for n in nodes(expr) if n.op == "name")
            for variable in inner:
                add(variable, alive)
