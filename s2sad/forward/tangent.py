"""A Program becomes the one of its value and tangent, in one forward sweep.

def pendulum(theta, k):          def pendulum_jvp(theta, k, theta_dot, k_dot):
    a = k * np.sin(theta)            a_dot = k_dot * np.sin(theta) + k * np.cos(theta) * theta_dot
    return a                         a = k * np.sin(theta)
                                     return a, a_dot
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cache, partial

import numpy as np

from s2sad.analysis.activity import activity, arguments, may_vary
from s2sad.analysis.callees import refuse_marked_memory
from s2sad.analysis.containers import is_container, is_of_module
from s2sad.analysis.exits import is_left
from s2sad.analysis.layout import copied_where_last_read, reshaped_and_written
from s2sad.analysis.memory import Memory, effects, types_of
from s2sad.analysis.module_state import remembered_in
from s2sad.analysis.pointers import Shares
from s2sad.analysis.shifts import cancelling_calls, shifts
from s2sad.analysis.strictness import Strictness, strictness
from s2sad.analysis.summaries import summary, with_own_functions
from s2sad.analysis.writes import as_stores
from s2sad.forward.control import turn_block
from s2sad.forward.push import push
from s2sad.forward.statements import both
from s2sad.forward.stores import with_named_places
from s2sad.forward.whole import guarded
from s2sad.forward.world import Callee, Code, Tools, World
from s2sad.forward.zeros import NONE, zero, zero_of_argument
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.ir.expression import (
    Expr,
    Variable,
    call,
    called_object,
    constant,
    copy_of,
    deep_copy_of,
    global_,
    is_own_call,
    name,
)
from s2sad.ir.program import REVERSE_SWEEP, Block, Function, Let, Parameter, Program, Return, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.remedies import counted, in_one_report
from s2sad.ir.renaming import Fresh, free_name
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import bound, nodes_in, reached, statements, with_nodes
from s2sad.operators import printed
from s2sad.types import join

Key = tuple[str, frozenset[Variable], bool]


def tangent(
    program: Program, wrt: tuple[str, ...], tools: Tools, with_value: bool = True
) -> Program:
    """Return the program f_jvp(args, tangents) -> (value, tangent) of a program.

    It takes the tangent x_dot of each argument of `wrt`, in that order, after the arguments.
    Without its value it gives the tangent alone.
    Raises NotYet for what has no tangent yet, at the user's line.
    """
    maker = Maker(program, tools)
    with in_one_report(maker.missing):
        entry = maker.entry(wrt, with_value)
    every = {**program.functions, **maker.made, entry.name: entry}
    pairs = frozenset(callee.name for callee in maker.asked.values() if callee.both)
    facts = {**program.facts, "pairs": pairs | ({entry.name} if with_value else frozenset())}
    return replace(program, functions=reached(every, entry.name), entry=entry.name, facts=facts)


COPIED_BESIDE = global_("_copied_beside", printed.function("_copied_beside"))


@dataclass(slots=True)
class Maker:
    """The tangents of the functions of one program, each made once for what is active."""

    program: Program
    tools: Tools
    made: dict[str, Function] = field(default_factory=dict)
    asked: dict[Key, Callee] = field(default_factory=dict)
    missing: list[S2sadError] = field(default_factory=list)

    @property
    def functions(self) -> Mapping[str, Function]:
        """Return the functions of the primal."""
        return self.program.functions

    def entry(self, wrt: tuple[str, ...], with_value: bool) -> Function:
        """Return the tangent of the function that is called first."""
        function = self.program.function
        moving = arguments(function, wrt)
        if not any(isinstance(s, Return) for s in statements(function.body)):
            raise NotYet("a function without a result", function.span)
        world, function = self._world(function, frozenset(moving))
        world.returns, world.gives_value = True, with_value
        world.strict = cache(partial(_strictness, function, world.memory))
        dots = [world.dot(v) for v in moving]
        copied = (p.variable for p in function.parameters if _is_copied(p, world.memory))
        world.in_rows = self._in_rows(function, frozenset(copied), world)
        refuse_marked_memory(function, world.is_memory)
        start = (
            *self._numbers(function, moving, world),
            *_copies(function, moving, world),
            *_zeros(function, frozenset(moving), world, zero_of_argument),
        )
        return self._finished(function, self._name(function.name), dots, start, world)

    def _numbers(
        self, function: Function, moving: tuple[Variable, ...], world: World
    ) -> Iterator[Let]:
        """Yield tangents of numbers as numbers, where lists or objects may hold them.

        An array without axes is one, too: what is added to an item of a list would be added to it.
        """
        types = {p.variable: p.type for p in function.parameters}
        for variable in moving if self.program.regions else ():
            type_ = types[variable]
            if isinstance(type_, Number) and type_.dtype == "float64":
                dot = world.dot(variable)
                made = call(global_("float", float), name(dot, type_), type_=type_)
                yield Let(dot, made)

    def _cancelling(self, function: Function) -> frozenset[Expr]:
        """Return the calls by which the function that this is the gradient of does not vary."""
        is_first = function.name == self.program.entry
        found: frozenset[Expr] = self.program.facts.get("cancelling", frozenset())
        return found if is_first else frozenset()

    def ask(self, called: str, moving: frozenset[Variable], in_try: bool) -> Callee:
        """Return the tangent of a function, these parameters having tangents."""
        key = (called, moving, in_try)
        if key not in self.asked:
            self._make(key)
        return self.asked[key]

    def _make(self, key: Key) -> None:
        called, moving, in_try = key
        function = self.functions[called]
        world, function = self._world(function, moving)
        world.in_try = in_try
        gives_its_own = gives_part_of_its_own(function, world.memory)
        world.keeps_apart = not gives_its_own and not gives_new_memory(function, self.tools.shares)
        world.in_rows = self._in_rows(function, frozenset(), world)
        refuse_marked_memory(function, world.is_memory)
        world.returns = _varies(function, world)
        dots = tuple(p.variable for p in function.parameters if p.variable in moving)
        dots = tuple(v for v in dots if v in world.active)
        callee = Callee(self._name(called), dots, world.returns)
        self.asked[key] = callee
        # a recursion finds its name taken
        self.made[callee.name] = replace(function, summary=None)
        start = _zeros(function, frozenset(dots), world, zero)
        tangents = [world.dot(v) for v in dots]
        self.made[callee.name] = self._finished(function, callee.name, tangents, start, world)

    def _world(self, function: Function, moving: frozenset[Variable]) -> tuple[World, Function]:
        function = with_named_places(as_stores(function, self.tools.infer))
        regions = self.program.regions
        shares = with_own_functions(self.tools.shares, self.functions)
        found = effects(function, types_of(function, join), shares, regions)
        changed = copied_where_last_read(function, found)
        if changed is not function:
            function = changed
            found = effects(function, types_of(function, join), shares, regions)
        _refuse_written_globals(function, found, remembered_in(self.program))
        # those of a gradient have no summary yet: the reverse of a pass adds to what it is handed
        summed_up = function.summary or summary(function, shares, join, regions)
        known = activity(function.body, found, moving, regions, summed_up.writes, self.functions)
        fresh = Fresh.of(function)
        fresh.know(Variable(called) for called in (*self.functions, *dir(builtins)))
        named = dict(found.points_to)
        memory = replace(found, points_to=named)
        world = World(self.tools, self, memory, named, known, regions, fresh, push)
        world.changes_numbers = any(map(_changes_numbers, self.functions.values()))
        world.given = frozenset(p.variable for p in function.parameters)
        world.iterators = frozenset(_iterators(function))
        found_here = shifts(function)
        still = cancelling_calls(function, found_here) | self._cancelling(function)
        world.shifts = found_here | {id(n) for n in nodes_in(function.body) if n in still}
        # what does not vary by an extreme is not hidden by it
        body = with_nodes(function.body, lambda n: constant(0.0, n.type) if n in still else None)
        without = replace(function, body=body)
        world.guarded = guarded(without, self.functions, found, known, regions)
        return world, function

    def _in_rows(
        self, function: Function, copied: frozenset[Variable], world: World
    ) -> frozenset[Variable]:
        """Return the variables whose tangents have to lie in memory as they do."""

        def is_written(expr: Expr) -> bool:
            return world.is_moving(expr) and world.is_memory(expr)

        def is_new(expr: Expr) -> bool:
            return expr.op != "name" and not is_own_call(expr) and not world.memory.sites(expr)

        return reshaped_and_written(function, is_written, is_new, copied)

    def _name(self, called: str) -> str:
        return free_name(f"{called}_jvp", self.functions.keys() | self.made.keys())

    def _finished(
        self, function: Function, called: str, dots: list[Variable], start: Block, world: World
    ) -> Function:
        body = turn_block(function.body, world)
        if world.returns and not is_left(function.body):
            body = (*body, Return(both(NONE, NONE) if world.gives_value else NONE))
        types = {p.variable: p.type for p in function.parameters}
        more = [Parameter(d, types[d.of] if d.of is not None else types[d]) for d in dots]
        parameters = (*function.parameters, *more)
        made = replace(function, name=called, parameters=parameters, body=(*start, *body))
        made = replace(made, doc=_doc(function) if world.returns else "")
        shares = with_own_functions(self.tools.shares, {**self.functions, **self.made})
        return replace(made, summary=summary(made, shares, join, self.program.regions))


def _strictness(function: Function, memory: Memory) -> Strictness:
    """Return what is strict in a function that gives a number, or the gradient of one."""
    ends = [s for s in statements(function.body) if isinstance(s, Return)]
    is_number = all(isinstance(end.value.type, Number) for end in ends)
    is_asked = is_number or REVERSE_SWEEP in function.body
    return strictness(function.body, memory) if is_asked else Strictness()


def _is_own_tangent(value: Expr) -> bool:
    """Tell whether the tangent of a new value is new, too: that of 0.0 + u may be u's own."""
    if value.op in ("binary", "unary"):
        return value.data not in "+-" or (value.op == "unary" and value.data == "-")
    return value.op == "call" and not isinstance(called_object(value), np.ufunc)


def gives_new_memory(function: Function, shares: Shares) -> bool:
    """Tell whether a function gives arrays that it makes, each of them once.

    Nobody else has a name for these: their tangents may be memory of their own.
    """
    values: dict[Variable, list[Expr]] = {}
    for each in statements(function.body):
        for target in bound(each):
            is_let = isinstance(each, Let) and target == each.target
            made = each.value if isinstance(each, Let) and is_let else NONE
            values.setdefault(target, []).append(made)

    def is_new(part: Expr) -> bool:
        if part.op != "name" or part.data not in values:
            return False
        made = values[part.data]
        return all(_is_own_tangent(v) and not shares(v) for v in made)

    for each in statements(function.body):
        if isinstance(each, Return):
            parts = each.value.args if each.value.op == "tuple" else (each.value,)
            arrays = [part for part in parts if not isinstance(part.type, Number)]
            names = [part.data for part in arrays]
            if not all(map(is_new, arrays)) or len(set(names)) < len(names):
                return False
    return True


def gives_part_of_its_own(function: Function, found: Memory) -> bool:
    """Tell whether a function gives one array, a view perhaps, of memory that it makes itself."""
    ends = [each for each in statements(function.body) if isinstance(each, Return)]
    if len(ends) != 1 or not isinstance(ends[0].value.type, Array):
        return False
    writes = function.summary is None or function.summary.writes
    return not writes and all(site[0] == "made" for site in found.sites(ends[0].value))


def _refuse_written_globals(function: Function, found: Memory, remembered: Set[str]) -> None:
    """Refuse to write to an object of the module: it is the user's, if it does not remember."""
    for node in nodes_in(function.body):
        if node.op == "global" and node.data.text in remembered:
            continue
        if is_of_module(node) and found.sites(node) & found.written:
            raise counted(expression(node), node.span)


def _changes_numbers(function: Function) -> bool:
    """Tell whether a function changes in place what may be a number or an array: x += y."""
    stores = (each.target for each in statements(function.body) if isinstance(each, Store))
    return any(target.op == "name" and isinstance(target.type, Numeric) for target in stores)


def _doc(function: Function) -> str:
    """Return what the tangent of a function that is called says of itself."""
    called = re.sub(r"_\d+$", "", function.name)
    return (
        f"Value and tangent of {called}({', '.join(p.variable.name for p in function.parameters)})."
    )


ITERATORS = (iter, zip, map, filter, enumerate, reversed)


def _iterators(function: Function) -> Iterator[Variable]:
    """Yield the variables that name an iterator."""
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            value = statement.value
            is_generator = value.op == "comprehension" and value.data == "generator"
            if is_generator or called_object(value) in ITERATORS:
                yield statement.target


def _varies(function: Function, world: World) -> bool:
    """Tell whether a function returns anything that may vary."""
    found = (s for s in statements(function.body) if isinstance(s, Return))
    return any(may_vary(s.value.type, world.regions) for s in found)


def _zeros(
    function: Function,
    moving: frozenset[Variable],
    world: World,
    of: Callable[[Expr, Code], Expr],
) -> Block:
    """Return the tangents of parameters that have one, and are not told it."""
    made = []
    for parameter in function.parameters:
        variable = parameter.variable
        if variable in moving or variable not in world.active:
            continue
        code = Code(world, function.span)
        zeros = of(name(variable, parameter.type), code)
        made.append(Let(world.dot(variable), zeros))
        if not world.is_written(variable):
            world.zero.add(variable)
    return tuple(made)


def _copies(function: Function, moving: tuple[Variable, ...], world: World) -> Iterator[Let]:
    """Yield copies of the arguments that are written: they are the user's."""
    for parameter in function.parameters:
        variable, type_ = parameter.variable, parameter.type
        if not _is_copied(parameter, world.memory):
            continue
        yield Let(variable, _copy(name(variable, type_)))
        if variable in moving:
            dot = world.dot(variable)
            yield Let(dot, _copied_beside(name(dot, type_), name(variable, type_)))


def _is_copied(parameter: Parameter, found: Memory) -> bool:
    """Tell whether an argument, or what it holds, is written to."""
    is_written = bool(found.reach(parameter.variable) & found.written)
    return is_written and not isinstance(parameter.type, Number)


def _copied_beside(dot: Expr, value: Expr) -> Expr:
    """Return a copy of a tangent: arrays that are apart have tangents that are, given one twice, too."""
    if not is_container(value.type):
        return _copy(dot)
    return call(COPIED_BESIDE, dot, value, type_=value.type)


def _copy(value: Expr) -> Expr:
    return copy_of(value) if isinstance(value.type, Array) else deep_copy_of(value)
