"""Expressions of tangents along many directions.

c_dot * x               c_dot[:, None] * x
x_dot[k]                x_dot[:, k]
[x_dot, 0.0]            [x_dot, np.zeros(directions)]
f(x_dot)                np.array([f(d) for d in x_dot]), where f has no form for many
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from s2sad.analysis.containers import whole
from s2sad.forward.axes import DIRECTIONS, NOTHING, along, lifted_type, rank_of
from s2sad.forward.domains import ZIP
from s2sad.forward.families import form_of
from s2sad.forward.world import Tools
from s2sad.forward.zeros import many_zeros
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    EVERYTHING,
    Expr,
    Pattern,
    Role,
    Variable,
    attribute,
    call,
    calls,
    is_own_call,
    keywords,
    name,
    positional,
    subscript,
)
from s2sad.ir.program import Function
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import renamed_in
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric, Reference, Sequence, Tuple, Type, Unknown
from s2sad.ir.walk import nodes, read_variables, reads_shape_only, variables
from s2sad.operators.algebra import Algebra, numpy_function
from s2sad.operators.guards import items_of
from s2sad.types import Fails, Mismatch

NUMERIC = Number | Array
ATOMS = frozenset({"name", "constant", "global", "function", "slice", "comprehension", "generator"})


@dataclass(frozen=True, slots=True)
class Lift:
    """What expressions are lifted with.

    `carriers` are the variables that have an axis of directions, `count` how many there are.
    `writes` tells that elements of arrays are written, `types` what is known of variables along
    one direction, `absent` are those that may be None.
    """

    tools: Tools
    carriers: frozenset[Variable]
    count: Variable
    functions: Mapping[str, Function]
    writes: bool
    types: Mapping[Variable, Type] = field(default_factory=dict)
    absent: frozenset[Variable] = frozenset()

    @property
    def algebra(self) -> Algebra:
        """Return the constructors of derivative expressions."""
        return Algebra(self.tools.infer)

    @property
    def directions(self) -> Expr:
        """Return how many directions there are."""
        return name(self.count, Number("int64", False, DIRECTIONS))

    def carries(self, expr: Expr) -> bool:
        """Tell whether a value has an axis of directions."""
        return bool(read_variables(expr) & self.carriers)

    def refuse(self, expr: Expr) -> NotYet:
        """Return the exception that says what has no form for many directions."""
        return NotYet(f"many directions at once in {expression(expr)}"[:70], expr.span)

    # ------------------------------------------------------------------ values that stay

    def kept(self, expr: Expr) -> Expr:
        """Return a tangent that is bound or handed on: zeros too, and no part of written memory."""
        if not self.carries(expr):
            return many_zeros(expr, self)
        made = self.operand(expr)
        is_part = expr.op == "subscript" and isinstance(expr.args[0].type, Array)
        if self.writes and isinstance(expr.type, Number) and is_part:
            return self.typed(call(attribute(made, "copy")), expr)
        return made

    def parts(self, expr: Expr, target: Pattern) -> Expr:
        """Return what several names are bound to: tangents in a tuple, or in a list of them."""
        if expr.op in ("tuple", "list"):
            each = zip(target, expr.args, strict=False) if isinstance(target, tuple) else ()
            typed = [self.typed_by(t, arg) for t, arg in each]
            return self.kept(expr.with_args(typed) if len(typed) == len(expr.args) else expr)
        return self.items(expr, target, False)

    def items(self, expr: Expr, target: Pattern, is_gone_through: bool = True) -> Expr:
        """Return a value whose items are bound to tangents: of an array, its axis comes later."""
        depth = _depth(target) + is_gone_through
        if isinstance(expr.type, Unknown):
            expr = self._told(expr)
        if isinstance(expr.type, Array):
            if depth > expr.type.rank:
                raise self.refuse(expr)
            made = self.operand(expr)
            if depth == expr.type.rank == 1:
                return attribute(made, "T")
            return Expr("call", (numpy_function("moveaxis"), made, whole(0), whole(depth)), ())
        if depth > 1 or not is_gone_through:
            self._refuse_arrays_in(expr, depth)
        return self.operand(expr)

    def _refuse_arrays_in(self, expr: Expr, depth: int) -> None:
        """Refuse a structure of which parts that are unpacked may be arrays."""
        found: Type = expr.type
        for _ in range(depth - 1):
            items = set(items_of(found, self.tools.known.regions))
            found = items.pop() if len(items) == 1 else Unknown()
        if not isinstance(found, Tuple | Sequence):
            raise self.refuse(expr)

    # ------------------------------------------------------------------ calls and domains

    def own(self, expr: Expr) -> Expr:
        """Return a call of an own function: it takes its tangents along many directions."""
        function = self.functions[expr.args[0].data]
        pairs = zip(expr.args[1:], function.parameters, strict=True)
        args = [self._argument(a, p.variable) for a, p in pairs]
        type_ = expr.type
        if isinstance(type_, Tuple) and len(type_.items) == 2:
            type_ = replace(type_, items=(type_.items[0], lifted_type(type_.items[1])))
        return expr.with_args((expr.args[0], *args)).typed(type_)

    def _argument(self, arg: Expr, parameter: Variable) -> Expr:
        if parameter.role is Role.TANGENT:
            return self.kept(arg)
        if self.carries(arg):
            raise self.refuse(arg)
        return arg

    def domain(self, domain: Expr, target: Pattern) -> Expr:
        """Return what a loop goes through: of an array of tangents item by item."""
        if not self.carries(domain):
            return domain
        if domain.op != "call" or domain.args[0].op != "global":
            return self.items(domain, target)
        function, args, named = domain.args[0], positional(domain), keywords(domain)
        match function.data.value:
            case builtins.zip if isinstance(target, tuple) and len(target) == len(args):
                parts = [self.domain(*pair) for pair in zip(args, target, strict=True)]
            case builtins.enumerate if isinstance(target, tuple) and len(target) == 2:
                parts = [self.domain(args[0], target[1]), *args[1:]]
            case builtins.reversed:
                parts = [self.domain(args[0], target)]
            case _:
                return self.items(domain, target)
        return replace(domain, args=(function, *parts, *named.values()), known=None)

    # ------------------------------------------------------------------ expressions

    def operand(self, expr: Expr) -> Expr:
        """Return a value as an operation reads it; with an axis of directions if it is a tangent."""
        if not self.carries(expr):
            return expr
        if isinstance(expr.type, Unknown):
            expr = self._told(expr)
        match expr.op:
            case "name":
                return expr.typed(lifted_type(expr.type))
            case "tuple" | "list":
                made = expr.with_args(map(self.kept, expr.args))
                return made.typed(lifted_type(expr.type))
            case "starred":
                return expr.with_args(map(self.operand, expr.args))
            case "dict" | "record":
                return expr.with_args(map(self.part, expr.args))
            case "comprehension":
                return self._comprehension(expr)
            case "subscript":
                return self._subscript(expr)
            case "attribute" if not hasattr(np.ndarray, expr.data):  # a field of an object
                made = expr.with_args(map(self.operand, expr.args))
                return made.typed(lifted_type(expr.type))
            case "conditional" if not isinstance(expr.type, Number):
                return self._conditional(expr)
            case "call" if is_own_call(expr):
                return self.own(expr)
        if reads_shape_only(expr) and not any(map(self.carries, expr.args[2:])):
            return self._shape(expr)
        if not isinstance(expr.type, NUMERIC):
            return self._of_container(expr)
        return self._numeric(expr)

    def _told(self, expr: Expr) -> Expr:
        """Return an expression along one direction with its type, where that can be found."""
        try:
            return self.inferred(expr)
        except (Fails, Mismatch):
            return expr

    def part(self, arg: Expr) -> Expr:
        """Return a part of a display of tangents."""
        if arg.op == "item":
            return arg.with_args((arg.args[0], self.kept(arg.args[1])))
        return self.kept(arg)

    def _conditional(self, expr: Expr) -> Expr:
        test, value, otherwise = expr.args
        if self.carries(test):
            return self._numeric(expr)
        made = expr.with_args((test, self.kept(value), self.kept(otherwise)))
        return made.typed(lifted_type(expr.type))

    def _comprehension(self, expr: Expr) -> Expr:
        if expr.data not in ("list", "generator") or expr.args[0].op == "item":
            raise self.refuse(expr)
        bound = {v for g in expr.args[1:] for v in variables(g.data)}
        more = frozenset(v for v in bound if v.role is Role.TANGENT)
        inner = replace(self, carriers=self.carriers | more)
        generators = []
        for each in expr.args[1:]:
            domain, *tests = each.args
            if any(map(inner.carries, tests)):
                raise self.refuse(expr)
            made = inner.domain(domain, each.data)
            if self.writes and isinstance(domain.type, Array):
                made = call(attribute(made, "copy"))
            generators.append(each.with_args((made, *tests)))
        return expr.with_args((inner.kept(expr.args[0]), *generators))

    def _subscript(self, expr: Expr) -> Expr:
        base, index = expr.args
        if self.carries(index):
            raise self.refuse(expr)
        if isinstance(base.type, Array):
            return self.checked(subscript(self.operand(base), along(index)), expr)
        if isinstance(base.type, Number):  # x_dot[()] of what may be an array
            return self.operand(base)
        if not _is_container(self._told(base)):
            raise self.refuse(expr)
        made = expr.with_args((self.operand(base), index))
        return made.typed(lifted_type(expr.type))

    def _shape(self, expr: Expr) -> Expr:
        """Return what is asked of the shape of a tangent along one direction."""
        if expr.op == "attribute" and expr.data == "dtype":
            return expr.with_args(map(self.operand, expr.args))
        if expr.op != "attribute" or expr.data != "shape":
            raise self.refuse(expr)
        rest = Expr("slice", (whole(1), NOTHING, NOTHING), None, EVERYTHING.type)
        return subscript(attribute(self.operand(expr.args[0]), "shape"), rest, expr.type)

    def _of_container(self, expr: Expr) -> Expr:
        """Return what is done to lists and dicts of tangents, done to those along many directions."""
        if isinstance(expr.type, Numeric) or (
            isinstance(expr.type, Unknown) and expr.op == "binary"
        ):
            raise self.refuse(expr)
        with suppress(NotYet):  # np.split
            form = form_of(expr, self) if expr.op == "call" else None
            if form is not None:
                return self.typed(form, expr)
        inner = [self.operand(arg) if self.carries(arg) else arg for arg in expr.args]
        carrying = [arg for arg in expr.args if self.carries(arg)]
        if not all(_is_container(arg) or arg.op == "attribute" for arg in carrying):
            raise self.refuse(expr)
        if expr.op == "binary" and any(a.op in ("list", "tuple") for a in expr.args):
            inner = [
                self.kept(a) if a.op in ("list", "tuple") else b
                for a, b in zip(expr.args, inner, strict=True)
            ]
        return expr.with_args(inner)

    # ------------------------------------------------------------------ numbers and arrays

    def _numeric(self, expr: Expr) -> Expr:
        if calls(expr, sum) and len(expr.args) == 2 and _is_container(self._told(expr.args[1])):
            # of no items it is a zero along each direction, no number
            start = Expr("call", (numpy_function("zeros"), self.directions), ())
            items = self.operand(expr.args[1])
            has_items = expr.args[1].op in ("list", "tuple") and expr.args[1].args
            started = (items,) if has_items or rank_of(expr.type) else (items, start)
            return self.typed(expr.with_args((expr.args[0], *started)), expr)
        with suppress(NotYet):
            form = form_of(expr, self)
            if form is not None:
                return self.checked(form, expr)
        return self.each(expr)

    def aligned(self, expr: Expr, rank: int) -> Expr:
        """Return an operand whose axes stand where those of a result of that rank do."""
        if not self.carries(expr):
            return expr
        made = self.operand(expr)
        missing = rank - rank_of(expr.type)
        if missing <= 0:
            return made
        added = (NOTHING,) * missing
        if made.op == "subscript" and rank_of(expr.type) == 0 and made.args[1].op == "tuple":
            parts = (*made.args[1].args, *added)  # c_dot[:, 0, None]
            return self.algebra.part(made.args[0], Expr("tuple", parts, None, Tuple(())))
        return self.algebra.part(made, Expr("tuple", (EVERYTHING, *added), None, Tuple(())))

    def each(self, expr: Expr) -> Expr:
        """Return what an operation gives for each direction in turn."""
        if self.writes and self.tools.shares(expr):
            raise self.refuse(expr)
        found = sorted(read_variables(expr) & self.carriers, key=str)
        types = {n.data: n.type for n in nodes(expr) if n.op == "name" and n.data in found}
        is_known = all(isinstance(types[v], NUMERIC) and v not in self.absent for v in found)
        if not is_known or any(node.op in ("comprehension", "function") for node in nodes(expr)):
            raise self.refuse(expr)
        single = {v: Variable(f"{v.name}_k", v.number, Role.TERM) for v in found}

        element = renamed_in(expr, single)
        domains = [name(v, lifted_type(types[v])) for v in found]
        domain, target = domains[0], single[found[0]]
        if len(found) > 1:
            domain = Expr("call", (ZIP, *domains), (), Sequence(Unknown(), zip))
            target = tuple(single[v] for v in found)  # type: ignore[assignment]
        generator = Expr("generator", (domain,), target)
        listed = Expr("comprehension", (element, generator), "list", Unknown())
        return self.typed(Expr("call", (numpy_function("array"), listed), ()), expr)

    def inferred(self, expr: Expr) -> Expr:
        """Return an expression with the types of what has been built anew."""
        if not isinstance(expr.type, Unknown) or expr.op in ATOMS:
            return self.known(expr) if expr.op == "name" else expr
        args = tuple(map(self.inferred, expr.args))
        return self.tools.infer(expr.with_args(args))

    def known(self, expr: Expr) -> Expr:
        """Return a name with its type, where only other places tell it."""
        if not isinstance(expr.type, Unknown) or expr.data not in self.types:
            return expr
        return expr.typed(self.types[expr.data])

    def typed_by(self, target: Pattern, value: Expr) -> Expr:
        """Return a value of which nothing is known with the type of what it is bound to."""
        type_ = self.types.get(target) if isinstance(target, Variable) else None
        is_open = isinstance(value.type, Unknown) and isinstance(type_, NUMERIC)
        return value.typed(type_) if is_open and type_ is not None else value

    def typed(self, made: Expr, expr: Expr) -> Expr:
        """Return an expression with the type that it has along many directions."""
        return Expr(made.op, made.args, made.data, lifted_type(expr.type), None, expr.span)

    def checked(self, made: Expr, expr: Expr) -> Expr:
        """Return an expression whose shape is known to be right; NotYet where it is another."""
        try:
            found = self.inferred(made.typed(Unknown())).type
            wanted = lifted_type(self.tools.infer(expr).type)
        except (Fails, Mismatch):
            raise self.refuse(expr) from None
        if isinstance(found, Array) and isinstance(wanted, Array) and found.rank == wanted.rank:
            pairs = zip(found.lengths, wanted.lengths, strict=True)
            if found.lengths[0] == DIRECTIONS and all(a == b or None in (a, b) for a, b in pairs):
                return self.typed(made, expr)
        if isinstance(found, Unknown) and any(n.op in ("starred", "list") for n in nodes(made)):
            return self.typed(made, expr)  # no probe runs there, and the shape is sure
        raise self.refuse(expr)


def _is_container(expr: Expr) -> bool:
    """Tell whether a value is surely no array: its parts are tangents, not directions."""
    is_known = isinstance(expr.type, Reference | Tuple | Sequence)
    return is_known or expr.op in ("list", "tuple", "dict", "record", "comprehension")


def _depth(target: Pattern) -> int:
    """Return how many times what is bound to a pattern is unpacked."""
    if not isinstance(target, tuple):
        return 0
    return 1 + max((_depth(part) for part in target), default=0)
