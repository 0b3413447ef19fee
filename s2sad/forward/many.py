"""A forward sweep along one direction becomes one along many at once.

r_dot = c_dot * x         r_dot = c_dot[:, None] * x
return np.sum(r_dot)      return np.sum(r_dot, axis=1)

Every tangent gets an axis of directions in front; values stay what they are, so branches, loops and
all that is computed of values alone is computed once. An operation without a form for many
directions is applied to each in turn: np.array([f(d) for d in x_dot]).
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.forward.axes import DIRECTIONS, along, lifted_type, rank_of
from s2sad.forward.lifting import Lift
from s2sad.forward.world import Tools
from s2sad.forward.zeros import as_float
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Role, Variable, call, copy_of, global_, is_own_call, name
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    Parameter,
    Program,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Numeric, Optional, Reference, Sequence, Tuple, Type
from s2sad.ir.walk import (
    bound,
    closed,
    expressions,
    in_blocks,
    nodes,
    read_in,
    read_variables,
    statements,
    variables,
)


def along_many(program: Program, tools: Tools) -> Program:
    """Return the tangents of a program along many directions, from those along one.

    The tangents x_dot come along a first axis, and so does what is returned. Raises NotYet where
    that is not supported.
    """
    pairs: frozenset[str] = program.facts["pairs"]
    functions = {
        called: _lifted(each, called, program, tools, pairs)
        if any(p.variable.role is Role.TANGENT for p in each.parameters)
        else each
        for called, each in program.functions.items()
    }
    return replace(program, functions=functions)


def _lifted(
    function: Function, called: str, program: Program, tools: Tools, pairs: frozenset[str]
) -> Function:
    """Return one function along many directions."""
    count = Fresh.of(function).variable("directions", Role.TERM)
    lift = Lift(
        tools,
        _carriers(function),
        count,
        program.functions,
        _writes_arrays(function),
        _types(function),
        _absent(function),
    )
    sweep = _Sweep(lift, called in pairs)
    body = sweep.block(function.body)
    parameters = tuple(_parameter(p) for p in function.parameters)
    if any(count in read_variables(e) for s in statements(body) for e in expressions(s)):
        body = (Let(count, _length(function, parameters), function.span), *body)
    return replace(function, parameters=parameters, body=body)


def _parameter(parameter: Parameter) -> Parameter:
    if parameter.variable.role is not Role.TANGENT:
        return parameter
    return replace(parameter, type=lifted_type(parameter.type))


def _length(function: Function, parameters: tuple[Parameter, ...]) -> Expr:
    """Return how many directions there are, as a tangent tells that is an array or a number."""
    for parameter in parameters:
        if parameter.variable.role is Role.TANGENT and isinstance(parameter.type, Array):
            first = name(parameter.variable, parameter.type)
            return call(global_("len", len), first, type_=Number("int64", False, DIRECTIONS))
    raise NotYet("directions of what holds arrays", function.span)


def _carriers(function: Function) -> frozenset[Variable]:
    """Return the variables that hold tangents, or what is computed of them."""
    dots = frozenset(v for v in _variables(function) if v.role is Role.TANGENT)
    lets = [s for s in statements(function.body) if isinstance(s, Let)]
    pairs = [(s.target, read_variables(s.value)) for s in lets if isinstance(s.target, Variable)]
    return closed(dots, lambda found: {target for target, read in pairs if read & found})


def _types_read(function: Function) -> dict[Variable, list[Type]]:
    """Return the types under which variables are read or bound."""
    found: dict[Variable, list[Type]] = {p.variable: [p.type] for p in function.parameters}
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            found.setdefault(statement.target, []).append(statement.value.type)
        for expr in expressions(statement):
            for node in nodes(expr):
                if node.op == "name":
                    found.setdefault(node.data, []).append(node.type)
    return found


def _types(function: Function) -> dict[Variable, Type]:
    """Return the types of variables that are numbers, arrays or lists wherever they are read."""
    known: dict[Variable, Type] = {}
    for variable, found in _types_read(function).items():
        plain = {t for t in found if isinstance(t, Number | Array | Sequence)}
        if len(plain) == 1 and not any(isinstance(t, Numeric | Optional) for t in found):
            known[variable] = plain.pop()
    dots = {v: v.of for v in _variables(function) if v.role is Role.TANGENT and v.of is not None}
    return known | {
        v: as_float(known[of]) for v, of in dots.items() if of in known and v not in known
    }


def _absent(function: Function) -> frozenset[Variable]:
    """Return the variables that are None at first."""
    lets = (s for s in statements(function.body) if isinstance(s, Let))
    nothing = (s for s in lets if s.value.op == "constant" and s.value.data is None)
    return frozenset(v for s in nothing for v in bound(s))


def _variables(function: Function) -> Iterator[Variable]:
    yield from (p.variable for p in function.parameters)
    for statement in statements(function.body):
        yield from bound(statement)
        yield from read_in(statement)


def _writes_arrays(function: Function) -> bool:
    """Tell whether elements of arrays are written: a number of an array is then copied from it."""
    for statement in statements(function.body):
        if isinstance(statement, Store):
            target = statement.target
            base = target if target.op == "name" else target.args[0]
            if isinstance(base.type, Array):
                return True
        elif isinstance(statement, Let) and not statement.effect.is_pure:
            return True
    return False


@dataclass(slots=True)
class _Sweep:
    """The statements of a function while they are lifted; `is_pair` tells that it gives values, too."""

    lift: Lift
    is_pair: bool

    def block(self, block: Block) -> Block:
        """Return a block along many directions."""
        return tuple(made for statement in block for made in self.statement(statement))

    def statement(self, statement: Statement) -> Block:
        """Return a statement along many directions."""
        match statement:
            case Let():
                return (self.let(statement),)
            case Store():
                return (self.store(statement),)
            case RegionOp():
                return (self.region_op(statement),)
            case Return():
                return (replace(statement, value=self.result(statement.value)),)
            case For():
                return (self.loop(statement),)
            case If() | While() | With() | Try():
                self.plain(statement)
                return (in_blocks(statement, self.block),)
        self.plain(statement)
        return (statement,)

    def plain(self, statement: Statement) -> None:
        """Refuse a statement whose own expressions read tangents."""
        if any(map(self.lift.carries, expressions(statement))):
            raise NotYet("many directions at once in such a statement", statement.span)

    def let(self, let: Let) -> Let:
        targets = frozenset(bound(let))
        if not targets & self.lift.carriers and not self.lift.carries(let.value):
            return let
        if not let.effect.is_pure and not is_own_call(let.value):
            return self.effect(let)
        value = let.value
        if is_own_call(value):
            value = self.lift.own(value)
        elif isinstance(let.target, Variable):
            value = self.lift.kept(self.lift.typed_by(let.target, value))
        else:
            value = self.lift.parts(value, let.target)
        is_number = isinstance(let.value.type, Number)
        return replace(let, value=value, spelled="=" if is_number else let.spelled)

    def effect(self, let: Let) -> Let:
        """Return np.add.at(u_dot, k, v_dot) along many directions."""
        function, *args = let.value.args
        is_at = function.op == "global" and function.data.text.endswith(".at") and len(args) == 3
        if not is_at or let.value.data or not isinstance(args[0].type, Array):
            raise NotYet("many directions at once in a call that writes in place", let.span)
        base, index, value = args
        taken = Expr("subscript", (base, index))
        rank = rank_of(self.lift.tools.infer(taken).type)
        made = (function, self.lift.operand(base), along(index), self.lift.aligned(value, rank))
        return replace(let, value=replace(let.value, args=made))

    def store(self, store: Store) -> Store:
        lift, target = self.lift, store.target
        base = target if target.op == "name" else target.args[0]
        if not lift.carries(base):
            self.plain(store)
            return store
        if not isinstance(base.type, Array | Reference | Tuple | Sequence):
            raise NotYet("many directions at once of a store to what is not known", store.span)
        place = lift.operand(target)
        if not isinstance(base.type, Array):
            return self.slot(store, place)
        rank = rank_of(target.type)
        return replace(store, target=place, value=lift.aligned(store.value, rank))

    def slot(self, store: Store, place: Expr) -> Store:
        """Return a store into a list, dict or object; numbers there are rebound, not added to."""
        lift, target = self.lift, store.target
        if store.op == "=":
            return replace(store, target=place, value=lift.kept(store.value))
        if isinstance(target.type, Number):
            whole = Expr("binary", (target, store.value), store.op, target.type)
            return replace(store, target=place, op="=", value=lift.kept(whole))
        if not isinstance(target.type, Array):
            raise NotYet("many directions at once of a list that grows in place", store.span)
        return replace(store, target=place, value=lift.aligned(store.value, target.type.rank))

    def region_op(self, op: RegionOp) -> RegionOp:
        if not self.lift.carries(op.base):
            self.plain(op)
            return op
        args = tuple(self.lift.kept(a) if self._may_hold(a, op) else a for a in op.args)
        return replace(op, base=self.lift.operand(op.base), args=args)

    def _may_hold(self, arg: Expr, op: RegionOp) -> bool:
        """Tell whether an argument is put into a list of tangents, rather than a position or key."""
        has_place = op.method in ("insert", "setdefault", "pop", "del", "rotate")
        return not (has_place and arg is op.args[0])

    def result(self, value: Expr) -> Expr:
        if not self.is_pair:
            return self.lift.kept(value)
        if value.op != "tuple" or len(value.args) != 2:
            raise NotYet("many directions at once of such a result", value.span)
        primal, dot = value.args
        dot = self.lift.kept(dot)
        return Expr("tuple", (primal, dot), None, Tuple((primal.type, dot.type)))

    def loop(self, loop: For) -> For:
        domain = self.lift.domain(loop.domain, loop.target)
        copies = tuple(self.copies(loop)) if self.lift.carries(loop.domain) else ()
        return replace(loop, domain=domain, body=(*copies, *self.block(loop.body)))

    def copies(self, loop: For) -> Iterator[Let]:
        """Yield copies of numbers that a loop takes from an array: elements of it may be written."""
        inside = nodes(loop.domain)
        has_arrays = any(isinstance(n.type, Array) and self.lift.carries(n) for n in inside)
        if not self.lift.writes or not has_arrays:
            return
        for variable in variables(loop.target):
            if variable.role is not Role.TANGENT:
                continue
            type_ = self.lift.types.get(variable)
            if type_ is None:
                raise NotYet("many directions at once of what a loop takes", loop.span)
            if isinstance(type_, Number):
                item = name(variable, lifted_type(type_))
                yield Let(variable, copy_of(item), loop.span)
