"""Puts a value that has a name of ours where it is used, and leaves the name out.

    t_1 = dt * u_bar                                  nu_bar += np.sum(lap * (dt * u_bar))
    nu_bar += np.sum(lap * t_1)

A name goes if it is used once, or costs nothing to say again; if nothing in between changes what
the value reads; and if the line that it goes to stays one that is read at a glance. Names of the
user's stay.
"""

from __future__ import annotations

from typing import Protocol, TypeGuard

import numpy as np

from s2sad.analysis.containers import is_container, is_held
from s2sad.checkpoint.needs import of_one_shape
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    calls,
    copied,
    copy_of,
    index_parts,
    is_positions,
    name,
    root_of,
    text_of_call,
)
from s2sad.ir.program import (
    For,
    Function,
    If,
    Let,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.spelling import expression
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import (
    blocks,
    expressions,
    mentions,
    nodes,
    read_variables,
    reads_shape_only,
    statements,
    with_expressions,
    written_to,
)
from s2sad.optimize.memory import Content, Memory, Token, changes, place_tokens, read_tokens
from s2sad.optimize.tree import Node, Tree

MADE = frozenset({Role.TERM, Role.PLACE, Role.ADJOINT, Role.TANGENT})
LINE = 80  # columns of a line that is read at a glance
OF_TWO_LINES = 64  # the same where it belongs to two lines of the user's
STORED = 50  # and is added to an element, which may be one of a display
SHORT = 18  # columns of a place that is said again rather than named


class Build(Protocol):
    """Makes a node anew by the table of rewrites, if it is of a derivative."""

    def __call__(self, expr: Expr, before: Expr | None = None) -> Expr:
        """Return the node; `before` is what it was made from, if something was put into it."""


def inline_temporaries(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function in which values stand where they are used; `build` makes each node anew."""
    found = _Substitution(Tree(function, memory), memory, build)
    for node in found.tree.nodes:
        value = None if node.is_gone else found.value_of(node)
        if value is not None:
            found.put(value)
    body = found.tree.body()
    return function if body is function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class Value:
    """A value that is to go to its uses: what it is called, and what it depends on."""

    node: Node
    variable: Variable
    expr: Expr
    needs: frozenset[Token]
    is_free: bool
    is_absorbed: bool
    line: tuple[str, int] | None


class _Substitution:
    """One walk over a function, from its start to its end."""

    def __init__(self, tree: Tree, memory: Memory, build: Build):
        self.tree = tree
        self.memory = memory
        self.build = build
        self.written = frozenset(token for token in tree.changed if isinstance(token, Content))
        every, parameters = statements(tree.function.body), tree.function.parameters
        self.alike = of_one_shape(every, (p.variable for p in parameters))

    def value_of(self, node: Node) -> Value | None:
        """Return the value that a statement names, if it may go elsewhere."""
        statement = node.statement
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return None
        variable, expr = statement.target, _as_filled(statement.target, statement.value)
        if variable.role not in MADE or statement.spelled != "=" or not statement.effect.is_pure:
            return None
        often = len(self.tree.uses.get(variable, ()))
        if self.tree.definitions[variable] != 1 or not often:
            return None
        most = 1 if is_container(expr.type) else 2  # an object that is read twice has a name
        is_near = is_place(expr) and often <= most and len(expression(expr)) <= SHORT
        is_free = is_atom(expr) or is_near
        is_free = is_free or is_negative(expr, often)
        is_free = is_free or (variable.role is Role.TERM and often < 3 and _is_short(expr))
        is_free = is_free or (often < 4 and _is_of_elements(expr) and not self.is_saved(variable))
        absorbed = is_absorbed(expr) or (_is_scaled(expr) and not is_free)
        if often > 1 and not (is_free or absorbed):
            return None
        span = statement.span
        line = None if span is None else (span.path, span.line)
        needs = dependencies(expr, self.memory)
        if absorbed and calls(expr, np.full_like):
            needs -= self.alike & {like.data for like in expr.args[1:2]}
        return Value(node, variable, expr, needs, is_free or absorbed, absorbed, line)

    def is_saved(self, variable: Variable) -> bool:
        """Tell whether a value goes on a list of what is saved."""
        return any(isinstance(use.statement, Save) for use in self.tree.uses[variable])

    def put(self, value: Value) -> None:
        """Let a value stand in all its uses, or leave it as it is."""
        changed: list[tuple[Node, Statement]] = []
        for use in dict.fromkeys(self.tree.uses[value.variable]):
            new = self.put_in(use, value) if self.reaches(value, use) else None
            if new is None:
                return
            is_left = any(n == value.expr for e in expressions(new) for n in nodes(e))
            if value.is_absorbed and is_left and not _goes_back(value, use.statement):
                return
            changed.append((use, new))
        for use, new in changed:
            self.tree.restate(use, new)
        let, left = value.node.statement, None
        if isinstance(let, Let) and mentions(value.expr, value.variable):
            left = replace(let, value=let.value.args[2])  # the number has the name
        self.tree.restate(value.node, left)

    def reaches(self, value: Value, use: Node) -> bool:
        """Tell whether nothing changes what a value needs on the way to its use."""
        around = list(use.outwards(value.node.home))
        if around and mentions(value.expr, value.variable):
            return True
        if not around or around[-1].start < value.node.start:
            return False
        start = value.node.end
        for outer in reversed(around):
            if self.tree.changes_between(start, outer.start, value.needs):
                return False
            if outer is use:
                break
            if not self.may_enter(outer, value):
                return False
            start = outer.start_of_block_with(around)
        is_loop = isinstance(use.statement, While) or _goes_through(use.statement, value.variable)
        return not is_loop or self.may_enter(use, value)

    def may_enter(self, outer: Node, value: Value) -> bool:
        """Tell whether a value may stand inside a branch, or in every pass of a loop."""
        if isinstance(outer.statement, If):
            return True
        if not isinstance(outer.statement, For | While) or not is_atom(value.expr):
            return False
        return not self.tree.changes_between(outer.start, outer.end, value.needs)

    def put_in(self, node: Node, value: Value) -> Statement | None:
        """Return a statement with the value where its name was; None where that is not right."""
        statement = node.statement
        match statement:
            case If():
                columns = len(expression(statement.test)) + len(expression(value.expr))
                if not value.is_free and columns > LINE:
                    return None
                return replace(statement, test=substituted(statement.test, value, self.build))
            case For() | While():
                return with_expressions(statement, lambda e: substituted(e, value, self.build))
        if blocks(statement) or not _may_stand_in(statement, value, self.memory):
            return None
        new = with_expressions(statement, lambda e: substituted(e, value, self.build))
        if isinstance(new, Store) and new.value == value.expr and _is_plain_store(new):
            new = replace(new, value=_stored(value.expr))
        if is_scatter(new):
            new = replace(new, value=new.value.with_args(map(_stored, new.value.args)))
        if isinstance(new, Let):
            new = respelled(new, statement)
        if new.span is None and isinstance(new, Store):
            new = replace(new, span=value.node.statement.span)
        owned = self.owned(new, statement)
        if owned is None or value.is_free or _is_readable(new, value):
            return owned
        return owned if len(simple(new)) <= min(LINE, len(simple(statement))) else None

    def owned(self, new: Statement, before: Statement) -> Statement | None:
        """Return a statement that holds memory of its own where it did: `x_bar = 1.0 * y` held no y."""
        if is_scatter(new) or (isinstance(new, Store) and _is_plain_store(new)):
            return new  # it copies what it stores
        held = [self.memory.contents(each) for each in expressions(before)]
        shared = [self.memory.contents(each) for each in expressions(new)]
        if all(now <= then for now, then in zip(shared, held, strict=True)):
            return new
        if not isinstance(new, Let) or not isinstance(new.target, Variable):
            return None
        own = self.memory.content(new.target)
        if self.written.isdisjoint(shared[0] | ({own} if own is not None else set())):
            return new
        if not isinstance(new.value.type, Array) or new.spelled != "=":
            return None
        return replace(new, value=copy_of(new.value))


# ---------------------------------------------------------------------------- what may go where


def is_atom(expr: Expr) -> bool:
    """Tell whether an expression is one word: a variable or a literal."""
    if expr.op == "unary":
        return expr.args[0].op == "constant"
    return expr.op in ("name", "constant", "global")


def is_negative(expr: Expr, often: int) -> bool:
    """Tell whether an expression is a name or an element with a minus, which products hand on."""
    if expr.op != "unary" or expr.data != "-":
        return False
    if not isinstance(expr.type, Array | Number | Numeric):
        return False
    inner = expr.args[0]
    is_element = isinstance(inner.type, Number) and often < 3 and len(expression(inner)) <= SHORT
    return inner.op == "name" or (is_element and is_place(inner))


def _is_short(expr: Expr) -> bool:
    """Tell whether a value is a name and a literal: i + 1, lat / 2.0."""
    is_sum = expr.op == "binary" and expr.data in ("+", "-", "*", "/")
    return is_sum and {each.op for each in expr.args} == {"name", "constant"}


def _is_of_elements(expr: Expr) -> bool:
    """Tell whether a value is computed of two elements of the primal: h[i] - c[j]."""
    if expr.op != "binary" or not isinstance(expr.type, Number):
        return False
    places = all(each.op == "subscript" and is_place(each) for each in expr.args)
    return places and all(v.role is Role.PRIMAL for v in read_variables(expr))


def is_absorbed(expr: Expr) -> bool:
    """Tell whether arithmetic makes a value a part of itself: 1 / n of a factor, ones of an array."""
    match expr:
        case Expr("binary", (Expr("constant", data=1.0), below), "/"):
            return below.op == "name" and isinstance(expr.type, Number)
    if expr.op != "call" or expr.data or not isinstance(expr.type, Array | Numeric):
        return False
    last = expr.args[-1]
    return calls(expr, np.ones_like) or (calls(expr, np.full_like) and is_atom(last))


def _is_scaled(expr: Expr) -> bool:
    """Tell whether a value is 0.5 * c, a part of what reads it where that has a literal, too."""
    match expr:
        case Expr("binary", (Expr("constant"), factor), "*"):
            return factor.op == "name" and isinstance(expr.type, Number)
    return False


def _as_filled(variable: Variable, expr: Expr) -> Expr:
    """Return a value; of an array that is filled with a number, by the name of the array as its own."""
    number = expr.args[2] if calls(expr, np.full_like) and not expr.data else expr
    if number is expr or is_atom(number) or mentions(expr, variable):
        return expr
    named = expr.with_args((*expr.args[:2], name(variable, number.type)))
    return named if isinstance(number.type, Number) else expr


def _stored(value: Expr) -> Expr:
    """Return what is stored or added to a place in memory: it needs no memory of its own."""
    is_filled = (
        calls(value, np.full_like) and not value.data and isinstance(value.args[2].type, Number)
    )
    return value.args[2] if is_filled else copied_place(value) or value


def is_scatter(statement: Statement) -> TypeGuard[Let]:
    """Tell whether a statement adds to chosen elements, of which one may be named twice."""
    return isinstance(statement, Let) and text_of_call(statement.value) == "np.add.at"


def is_place(expr: Expr) -> bool:
    """Tell whether an expression is a place in memory: names, subscripts and attributes."""
    if expr.op == "subscript":
        return is_place(expr.args[0]) and all(map(_is_plain_index, index_parts(expr.args[1])))
    if expr.op == "attribute":
        return is_place(expr.args[0])
    return expr.op == "name"


def _is_plain_index(part: Expr) -> bool:
    """Tell whether a subscript is a position or a slice, so that an array gives a view."""
    if part.op == "slice":
        return True
    is_simple = part.op in ("name", "constant", "unary", "binary")
    return is_simple and not (isinstance(part.type, Numeric) or is_positions(part))


def is_view(expr: Expr) -> bool:
    """Tell whether an expression is a name of memory, or a part of an array that shares its own."""
    if expr.op == "name":
        return True
    return (
        is_place(expr) and isinstance(expr.type, Array) and expr.type.rank > 0 and _of_array(expr)
    )


def is_item(expr: Expr) -> bool:
    """Tell whether an expression is what a container holds: the same object whenever it is read."""
    if not is_place(expr) or not is_held(expr.type):
        return False
    while expr.op in ("subscript", "attribute"):
        expr = expr.args[0]
        if not is_container(expr.type):
            return False
    return True


def _of_array(expr: Expr) -> bool:
    """Tell whether every step of a place leads from an array into the same memory."""
    if expr.op == "name":
        return isinstance(expr.type, Array)
    if expr.op == "attribute" and expr.data not in ("T", "real", "imag"):
        return False
    return isinstance(expr.args[0].type, Array) and _of_array(expr.args[0])


def dependencies(expr: Expr, memory: Memory) -> frozenset[Token]:
    """Return what must not change between a value's own place and its use.

    What is a name of memory, or a view, shows what is there now in both places.
    """
    return place_tokens(expr, memory) if is_view(expr) else read_tokens(expr, memory)


def copied_place(expr: Expr) -> Expr | None:
    """Return the array of which an expression is a copy: u[1:] of u[1:].copy()."""
    base = copied(expr)
    return base if base is not None and isinstance(base.type, Array) else None


def _may_stand_in(statement: Statement, value: Value, memory: Memory) -> bool:
    """Tell whether a statement may hold the value itself: it is not written to there."""
    variable, expr = value.variable, value.expr
    if isinstance(statement, Return) and not is_atom(expr) and variable.role is not Role.TANGENT:
        return False
    target = getattr(statement, "target", None)
    if isinstance(statement, Store | Restore) and isinstance(target, Expr):
        if root_of(target) == variable and not is_view(expr):
            return target.op != "name" and is_item(expr)
        is_users = expr.op == "name" and expr.data.role is Role.PRIMAL
        if root_of(target) == variable and variable.role is Role.ADJOINT and is_users:
            return False  # nobody looks for an adjoint under the name of a value
        if target.op == "name" and target.data == variable:
            if expr.op == "attribute" or not isinstance(target.type, Array):
                return False  # `A.T += e` would set an attribute; of a number it binds a name
    if isinstance(statement, RegionOp) and root_of(statement.base) == variable:
        return expr.op == "name" or is_item(expr)
    if isinstance(statement, Let) and not statement.effect.is_pure and not is_view(expr):
        written = changes((statement,), memory)
        if not written.isdisjoint(memory.contents(expr)) or memory.content(variable) in written:
            return False
    return all(_fits(e, value) for e in expressions(statement))


def _goes_back(value: Value, statement: Statement) -> bool:
    """Tell whether a value goes to where the user wrote it: the item np.zeros(n) of a list."""
    target = written_to(statement)
    is_users = target is not None and target.role is Role.PRIMAL
    return is_users and value.variable.role is Role.TERM and _is_of_its_line(value, statement)


def _is_of_its_line(value: Value, statement: Statement) -> bool:
    span = getattr(statement, "span", None)
    return span is None or value.line is None or (span.path, span.line) == value.line


def _goes_through(statement: Statement, variable: Variable) -> bool:
    """Tell whether a loop reads a variable anew for each pass: zip(d, (d_dot[key] for key in d))."""
    if not isinstance(statement, For):
        return False
    inner = (node for node in nodes(statement.domain) if node.op == "comprehension")
    return any(mentions(node, variable) for node in inner)


def _is_plain_store(statement: Store) -> bool:
    """Tell whether numbers go into an array: NumPy reads all of them before it writes."""
    target = statement.target
    if statement.op != "=" and isinstance(target.type, Array) and target.type.rank:
        return True  # what is added to an item of a list goes into its memory
    return target.op != "attribute" and isinstance(
        target.type if target.op == "name" else target.args[0].type, Array
    )


def _fits(expr: Expr, value: Value) -> bool:
    """Tell whether no use asks only for a shape, or stands in a loop of a comprehension."""
    if is_atom(value.expr):
        return not any(
            node.op == "comprehension" and _shadows(node, value.expr) for node in nodes(expr)
        )
    is_sum = value.expr.op in ("binary", "unary", "compare", "conditional")
    for node in nodes(expr):
        if is_sum and node.op == "subscript" and node.args[0].data == value.variable:
            return False  # (2.0 * (s - c))[:, None]
        inside = node.op == "comprehension" or (reads_shape_only(node) and not is_place(value.expr))
        if inside and mentions(node, value.variable):
            return False
    return True


def _shadows(comprehension: Expr, atom: Expr) -> bool:
    from_loop = {str(g.data) for g in comprehension.args if g.op == "generator"}
    return atom.op == "name" and str(atom.data) in from_loop


def _is_readable(statement: Statement, value: Value) -> bool:
    """Tell whether the line that a value has gone to is still read at a glance."""
    if is_atom(value.expr):
        return True
    if _goes_back(value, statement):
        return True
    same = _is_of_its_line(value, statement)
    limit = OF_TWO_LINES if isinstance(statement, Let) else STORED
    return len(simple(statement)) <= (LINE if same or is_place(value.expr) else limit)


def respelled(new: Let, old: Statement) -> Let:
    """Return a Let as `x op= e` only where its value still is x op e."""
    if new.spelled == "=" or not isinstance(old, Let):
        return new
    first = new.value.args[:1]
    kept = new.value.op == "binary" and new.value.data == new.spelled
    kept = kept and bool(first) and first[0].op == "name" and first[0].data == old.target
    return new if kept else replace(new, spelled="=")


# ---------------------------------------------------------------------------- putting in


def substituted(expr: Expr, value: Value, build: Build) -> Expr:
    """Return an expression with a value where its name was, each node above it made anew."""
    if not mentions(expr, value.variable):
        return expr
    if expr.op == "name":
        return value.expr
    args = tuple(
        _operand(expr, arg, value, build) if mentions(arg, value.variable) else arg
        for arg in expr.args
    )
    return build(expr.with_args(args), expr)


def _operand(parent: Expr, arg: Expr, value: Value, build: Build) -> Expr:
    """Return an operand; what is only computed with needs no copy."""
    of = copied_place(value.expr) if arg.op == "name" else None
    consumes = parent.op in ("unary", "binary", "compare")
    return of if of is not None and consumes else substituted(arg, value, build)
