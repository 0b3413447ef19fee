"""Functions that solvers are given take numbers and arrays: dicts and tuples are handed over in parts.

def rate(y, t, p):                     def rate(y, t, p_k, p_w):
    return -p["k"] * y + p["w"]            return -p_k * y + p_w

odeint(rate, y0, t, args=(p,))         odeint(rate, y0, t, args=(p["k"], p["w"]))

Where p is handed on as a whole, the function puts it together again first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from s2sad.ir.expression import Expr, Fields, Variable, attribute, constant, name, subscript
from s2sad.ir.program import Block, Function, Let, Parameter
from s2sad.ir.records import replace
from s2sad.ir.renaming import numbered
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple, Type
from s2sad.ir.walk import bound_in, nodes_in, reached, read_in, statements, with_nodes
from s2sad.lowering.functions import with_summary
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.made_for_solvers import Given, free_name
from s2sad.lowering.typing import typed
from s2sad.lowering.values import BY_PLACE, Demand

VALUES = Number | Array | Numeric | Other
Parts = Mapping[Any, Any]  # by field, key or position: the name of a part, or the parts of that


def opened(m: Machine, given: Given) -> Given:
    """Return a function that is handed the parts of dicts and tuples, down to numbers and arrays."""
    of = m.functions[given.name]
    count = given.count
    if all(isinstance(e.type, VALUES) for e in given.handed):
        return given
    opening = _Opening(m, of)
    for parameter, whole in zip(of.parameters[count:], given.handed, strict=True):
        opening.take(parameter, whole)
    made = replace(
        of,
        name=free_name(m, of.name),
        parameters=(*of.parameters[:count], *opening.parameters),
        body=opening.body(of.body),
    )
    m.texts[made.name] = of
    m.functions[made.name] = with_summary(m, made)
    return replace(given, name=made.name, handed=tuple(opening.handed), free=())


class _Opening:
    """The parts that a function is handed in place of its parameters."""

    def __init__(self, m: Machine, of: Function):
        self.m = m
        self.parameters: list[Parameter] = []
        self.handed: list[Expr] = []
        self.parts: dict[Variable, Parts] = {}
        self.wholes: dict[Variable, Expr] = {}
        self.bound = bound_in(of.body)
        # what nobody reads of an object is not handed over
        self.fields = _fields_read(of, m.functions)
        self.taken = {v.name for v in (*self.bound, *(p.variable for p in of.parameters))}

    def take(self, parameter: Parameter, handed: Expr) -> None:
        """Take one argument: as it is, or its parts."""
        variable = parameter.variable
        if isinstance(parameter.type, VALUES):
            self.parameters.append(parameter)
            self.handed.append(handed)
            return
        parts = self.parts_of(variable.name, parameter.type, handed)
        self.wholes[variable] = self.whole(parameter.type, parts)
        if variable not in self.bound:
            self.parts[variable] = parts

    def body(self, body: Block) -> Block:
        """Return a body that reads the parts; what it still reads whole is put together first."""

        def part(node: Expr) -> Expr | None:
            found = self.found(node)
            return found if isinstance(found, Expr) else None

        made = with_nodes(body, part)
        read = {variable for each in statements(made) for variable in read_in(each)}
        wholes = {v: whole for v, whole in self.wholes.items() if v in read}
        return (*(Let(v, whole, self.m.span) for v, whole in wholes.items()), *made)

    def found(self, node: Expr) -> Any:
        """Return what an expression reads of the parameters: a part, or the parts of one."""
        if node.op == "name":
            return self.parts.get(node.data)
        if node.op == "attribute":
            return _slot(self.found(node.args[0]), node.data)
        if node.op == "subscript" and node.args[1].op == "constant":
            return _slot(self.found(node.args[0]), node.args[1].data)
        return None

    def parts_of(self, called: str, type_: Type, handed: Expr) -> Any:
        """Return the parts of a value, each of which becomes a parameter."""
        if isinstance(type_, VALUES):
            return self.part(called, type_, handed)
        if isinstance(type_, Tuple):
            fields = getattr(type_.cls, "_fields", range(len(type_.items)))
            slots = dict(zip(fields, type_.items, strict=True))
            is_object = type_.cls is not None
        else:
            slots, is_object = self.slots(called, type_)
        step = attribute if is_object else _item
        return {
            key: self.parts_of(f"{called}_{key}", held, step(handed, key, held))
            for key, held in slots.items()
        }

    def slots(self, called: str, type_: Type) -> tuple[dict[Any, Type], bool]:
        """Return what memory holds by key or field, and whether it is an object."""
        kept = self.m.memory.of(type_) if isinstance(type_, Reference) else None
        if isinstance(type_, Reference) and kept is not None and kept.kind == "list":
            if type_.site in self.m.context.by_place:
                raise Demand((BY_PLACE, type_.site))
        if kept is None or kept.kind != "fields":
            raise refusal(self.m, f"{called}, which a function that a solver is given reads")
        is_object = kept.cls not in (dict, list)
        read = {k: held.type for k, held in kept.slots.items() if not is_object or k in self.fields}
        return read, is_object

    def part(self, called: str, type_: Type, handed: Expr) -> Expr:
        """Return the name of a part, which is a parameter of its own."""
        every = numbered(re.sub(r"\W", "_", called), 1)
        wanted = next(each for each in every if each not in self.taken)
        self.taken.add(wanted)
        variable = Variable(wanted)
        self.parameters.append(Parameter(variable, type_))
        self.handed.append(handed)
        return name(variable, type_)

    def whole(self, type_: Type, parts: Any) -> Expr:
        """Return what puts the parts of a value together."""
        if isinstance(parts, Expr):
            return parts
        if isinstance(type_, Tuple):
            pairs = zip(type_.items, parts.values(), strict=True)
            return Expr("tuple", tuple(self.whole(t, part) for t, part in pairs), None, type_)
        assert isinstance(type_, Reference)
        kept = self.m.memory.of(type_)
        values = {key: self.whole(kept.slots[key].type, part) for key, part in parts.items()}
        if kept.cls is list:
            return Expr("list", tuple(values.values()), None, type_)
        if kept.cls is not dict:
            return Expr("record", tuple(values.values()), Fields(kept.cls, tuple(values)), type_)
        items = (Expr("item", (typed(self.m, constant(k)), v)) for k, v in values.items())
        return Expr("dict", tuple(items), None, type_)


def _fields_read(function: Function, functions: Mapping[str, Function]) -> set[str]:
    """Return the names of the attributes that a function reads, or one that it calls."""
    every = reached({**functions, function.name: function}, function.name).values()
    read = (node for each in every for node in nodes_in(each.body))
    return {node.data for node in read if node.op == "attribute"}


def _item(whole: Expr, key: Any, type_: Type) -> Expr:
    return subscript(whole, constant(key), type_)


def _slot(parts: Any, key: Any) -> Any:
    """Return what stands in a slot; a position counts those of a named tuple, too."""
    if not isinstance(parts, Mapping):
        return None
    if key not in parts and type(key) is int and -len(parts) <= key < len(parts):
        return list(parts.values())[key]
    return parts.get(key)
