"""What is a number on the host is an array without axes on a device: it stays a value there.

    s += a               ->    s = s + a              s may be another name's array
    a = u[0]; u[0] = c   ->    a = u[0].copy(); ...   u[0] is a view there
    for x in u:          ->    for x in u: x = x.copy()

Nothing changes where the arrays that elements are read from are never written to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Pattern, Variable, copy_of, name, object_of, positional
from s2sad.ir.program import (
    Block,
    Copied,
    For,
    Function,
    Let,
    Program,
    RegionOp,
    Return,
    Save,
    Statement,
    Store,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Number, Numeric, is_number
from s2sad.ir.walk import expressions, nodes, rewritten, statements, with_expressions
from s2sad.operators.slopes import is_vector
from s2sad.optimize.memory import Content, Memory, Tokens, memory_of, statement_changes

DISPLAYS = frozenset({"tuple", "list", "set", "dict", "item", "starred", "record"})
GOING_OVER = (list, tuple, sorted, iter, next, map, filter, min, max, zip, enumerate, reversed)
# of these, what a loop goes over is told part by part
LOOPED = {zip, enumerate, reversed}


def held_as_values(program: Program) -> Program:
    """Return a program whose numbers stay values where they are arrays without axes.

    Raises NotYet where it cannot be told what is a number.
    """
    memories = {n: memory_of(f, program) for n, f in program.functions.items()}
    written = {n: _written(f, memories[n]) for n, f in program.functions.items()}
    some = any(isinstance(token, Content) for each in written.values() for token in each)
    others = some and len(memories) > 1
    functions = {}
    for named, function in program.functions.items():
        held = _Held(memories[named], written[named], others)
        functions[named] = replace(function, body=rewritten(function.body, held.statement))
    return replace(program, functions=functions)


def _written(function: Function, memory: Memory) -> Tokens:
    """Return what the statements of a function write to."""
    stays = (s for s in statements(function.body) if not isinstance(s, Return))
    return frozenset(token for s in stays for token in statement_changes(s, memory))


@dataclass(slots=True)
class _Held:
    """The statements of one function, as they are on a device.

    `written` is what the function writes to; `others` tells that its callers may write, too.
    """

    memory: Memory
    written: Tokens
    others: bool

    def statement(self, statement: Statement) -> Statement | Block:
        """Return a statement whose numbers are values."""
        for node in _numbers_of_any_rank(statement):
            raise NotYet("what may be a number or an array, on a device", node.span)
        for node in (n for e in expressions(statement) for n in nodes(e)):
            if node.op == "attribute" and node.data == "flat":
                raise NotYet("elements by .flat on a device", node.span)
        match statement:
            case Let(target, value):
                if isinstance(target, tuple) and self.is_written(value) and is_vector(value):
                    return replace(statement, value=_copy(value))
                spelled = "=" if is_number(value.type) else statement.spelled
                return replace(statement, value=self.kept(value), spelled=spelled)
            case Store(target, op, value) if not _is_array(target):
                return self.stored(statement, target, op, value)
            case RegionOp() | Save():
                return with_expressions(statement, self.kept)
            case Return(value):
                return replace(statement, value=self.returned(value))
            case For(target, domain, body):
                own = Number("float64", True)
                copies = tuple(Let(v, _copy(name(v, own))) for v in self.views(target, domain))
                return replace(statement, domain=self.gone_over(domain), body=(*copies, *body))
            case Copied(_, reads) if any(map(self.is_written, reads)):
                raise NotYet("a statement that is not read, of arrays that are written to")
        return statement

    def stored(self, statement: Store, target: Expr, op: str, value: Expr) -> Statement:
        """Return a store to a list or an object, which holds its numbers as they are."""
        value = self.kept(value)
        if op == "=":
            return replace(statement, value=value)
        if isinstance(target.type, Array) and target.type.lengths:
            return statement
        if not is_number(target.type):
            raise NotYet("a sum in place of what may be a number", statement.span)
        made = Expr("binary", (target, value), op, target.type, None, statement.span)
        if target.op == "name":
            return Let(target.data, made, statement.span)
        return replace(statement, op="=", value=made)

    # ------------------------------------------------------------------------ expressions

    def kept(self, expr: Expr) -> Expr:
        """Return an expression whose value may be kept: what is a view on a device is copied."""
        return self.with_copies(expr, self.is_written)

    def returned(self, expr: Expr) -> Expr:
        """Return a result: what it is a view of may be written to by the caller."""
        return self.with_copies(expr, lambda _: True)

    def with_copies(self, expr: Expr, wants: Callable[[Expr], bool]) -> Expr:
        def parts(first: int) -> Expr:
            rest = (self.with_copies(arg, wants) for arg in expr.args[first:])
            return expr.with_args([*expr.args[:first], *rest])

        match expr.op:
            case "subscript" if is_number(expr.type) and _is_array(expr.args[0]):
                return _copy(expr) if wants(expr.args[0]) else expr
            case "conditional":
                return parts(1)
            case "and" | "or":
                return parts(0)
            case "comprehension":
                return self.comprehension(expr, wants)
            case "call":
                return self.called(expr, wants)
        if expr.op in DISPLAYS:
            return parts(0)
        return expr

    def called(self, expr: Expr, wants: Callable[[Expr], bool]) -> Expr:
        """Return a call: a function of the program keeps what it is handed."""
        function = expr.args[0]
        value = object_of(function)
        if value in GOING_OVER and any(is_vector(a) and wants(a) for a in expr.args[1:]):
            raise NotYet(f"{function.data.text} of an array that is written to", expr.span)
        if function.op != "function" and value not in (min, max):
            return expr
        return expr.with_args([function, *(self.with_copies(a, wants) for a in expr.args[1:])])

    def comprehension(self, expr: Expr, wants: Callable[[Expr], bool]) -> Expr:
        """Return a comprehension, whose items are kept."""
        over = (g.args[0] for g in expr.args if g.op == "generator")
        if any(is_vector(part) and wants(part) for domain in over for part in _parts(domain)):
            raise NotYet("a comprehension over an array that is written to", expr.span)
        return expr.with_args([self.with_copies(expr.args[0], wants), *expr.args[1:]])

    def gone_over(self, domain: Expr) -> Expr:
        """Return what a loop goes over, in which the items of a display are kept."""
        if domain.op == "call" and domain.args[0].op == "global":
            return domain.with_args([domain.args[0], *map(self.gone_over, domain.args[1:])])
        return self.kept(domain) if domain.op in DISPLAYS else domain

    # ------------------------------------------------------------------------ what is written

    def is_written(self, expr: Expr) -> bool:
        """Tell whether the array of an expression is written to somewhere."""
        return self.others or not self.memory.contents(expr).isdisjoint(self.written)

    def gives_elements(self, over: Expr) -> bool:
        """Tell whether elements of what is written to are gone over: those of u, and of zip(*A)."""
        if over.op == "starred":
            return isinstance(over.args[0].type, Array) and self.is_written(over.args[0])
        return is_vector(over) and self.is_written(over)

    def views(self, target: Pattern, domain: Expr) -> Iterator[Variable]:
        """Yield the variables of a loop that are elements of arrays which are written to."""
        if domain.op == "call" and domain.args[0].op == "global":
            function, over = domain.args[0].data.value, positional(domain)
            if function is reversed:
                yield from self.views(target, over[0])
            elif function is enumerate and isinstance(target, tuple):
                yield from self.views(target[1], over[0])
            elif function is zip and isinstance(target, tuple) and len(target) == len(over):
                for part, each in zip(target, over, strict=True):
                    yield from self.views(part, each)
            elif function in LOOPED and any(map(self.gives_elements, over)):
                raise NotYet("a loop over arrays that are written to", domain.span)
        elif is_vector(domain) and self.is_written(domain):
            if not isinstance(target, Variable):
                raise NotYet("a loop over an array that is written to", domain.span)
            yield target


def _numbers_of_any_rank(statement: Statement) -> Iterator[Expr]:
    """Yield what is stored to in place and may be a number or an array."""
    if isinstance(statement, Store) and isinstance(statement.target.type, Numeric):
        yield statement.target
    if isinstance(statement, Let) and isinstance(statement.value.type, Numeric):
        parts = nodes(statement.value)
        yield from (n for n in parts if n.op == "subscript" or statement.spelled != "=")


def _parts(domain: Expr) -> tuple[Expr, ...]:
    return (domain, *domain.args[1:]) if domain.op == "call" else (domain,)


def _is_array(expr: Expr) -> bool:
    """Tell whether an expression is an array, be it without axes, or a part of one."""
    base = expr.args[0] if expr.op == "subscript" else expr
    return any(isinstance(each.type, Array) for each in (expr, base))


def _copy(expr: Expr) -> Expr:
    """Return a copy of an array; a number of NumPy's has the method, too."""
    return copy_of(expr).at(expr.span)
