"""Which seeds and tangents would be cut off if they held whole numbers.

u_dot = t_dot.copy()          t_dot: what is written to u_dot would be an integer
u_dot[0] = u_dot[1] / 3
v_dot = 0.5 * t_dot           here it would not: half an integer is a float
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.expression import Expr, Variable, is_own_call, keywords, positional
from s2sad.ir.program import For, Let, Program, RegionOp, Restore, Save, Statement, Store
from s2sad.ir.types import Array
from s2sad.ir.walk import expressions, nodes, nodes_in, reads_shape_only, statements, variables
from s2sad.operators import printed

# a function, and one of its parameters
Seen = tuple[str, Variable]


def is_cut_off(parameter: Variable, program: Program) -> bool:
    """Tell whether floats are written to what would hold integers if a parameter did.

    What is not known to be a float is taken to be as whole as what it is computed from.
    """
    return _is_cut_off(parameter, program.entry, program, set())


def _is_cut_off(parameter: Variable, name: str, program: Program, seen: set[Seen]) -> bool:
    """Tell so of a parameter of one of the functions; `seen` are those that are looked at."""
    if (name, parameter) in seen:
        return False
    seen.add((name, parameter))
    body = program.functions[name].body
    whole = {parameter}
    while grown := {v for s in statements(body) for v in _whole_after(s, whole)} - whole:
        whole |= grown
    written = any(_is_written_to(s, whole) for s in statements(body))
    if written or any(_is_made_like(node, whole) for node in nodes_in(body)):
        return True
    handed = (pair for node in nodes_in(body) for pair in _handed_on(node, whole, program))
    return any(_is_cut_off(inner, called, program, seen) for called, inner in handed)


def _handed_on(node: Expr, whole: set[Variable], program: Program) -> Iterator[Seen]:
    """Yield the parameters of own functions that are handed whole numbers."""
    if not is_own_call(node):
        return
    called = program.functions[node.args[0].data]
    given = [*zip((p.variable for p in called.parameters), positional(node), strict=False)]
    named = {str(p.variable): p.variable for p in called.parameters}
    given += [(named[word], arg) for word, arg in keywords(node).items() if word in named]
    yield from ((called.name, inner) for inner, arg in given if may_be_whole(arg, whole))


def _whole_after(statement: Statement, whole: set[Variable]) -> Iterator[Variable]:
    """Yield what a statement makes of whole numbers."""
    match statement:
        case Let(target, value) if may_be_whole(value, whole):
            yield from variables(target)
        case For(target, domain) if may_be_whole(domain, whole):
            yield from variables(target)
        case Store(target, _, value) if may_be_whole(value, whole):
            base = _base(target)
            if not isinstance(base.type, Array):  # an array keeps its kind, a list does not
                yield from _named(base)
        case RegionOp(target, base, _, args):
            if any(may_be_whole(arg, whole) for arg in args):
                yield from _named(_base(base))
            if may_be_whole(base, whole):
                yield from variables(target)
        case Save(stack, value) if may_be_whole(value, whole):
            yield stack
        case Restore(Variable() | tuple() as target, stack) if stack in whole:
            yield from variables(target)


def may_be_whole(expr: Expr, whole: set[Variable]) -> bool:
    """Tell whether a value may hold whole numbers where some variables do."""
    if expr.op == "name":
        return expr.data in whole
    if expr.op == "binary" and (expr.data == "/" or any(map(_is_float, expr.args))):
        return False
    if expr.op == "subscript":
        return may_be_whole(expr.args[0], whole)
    if reads_shape_only(expr) and not _is_like(expr):
        return False
    return any(may_be_whole(arg, whole) for arg in expr.args)


def _is_float(expr: Expr) -> bool:
    if expr.op == "unary":
        return _is_float(expr.args[0])
    return expr.op == "constant" and isinstance(expr.data, float)


def _is_written_to(statement: Statement, whole: set[Variable]) -> bool:
    """Tell whether elements are written. What is added to all of an array is refused by NumPy."""
    match statement:
        case Store(target):
            return any(v in whole for v in _named(_base(target)))
        case Let(effect=effect) if effect.writes or effect.writes_owner or effect.writes_all:
            return any(may_be_whole(expr, whole) for expr in expressions(statement))
    return False


def _is_made_like(node: Expr, whole: set[Variable]) -> bool:
    """Tell whether something that holds floats is made like whole numbers."""
    if node.op != "call" or node.args[0].op != "global":
        return False
    text = node.args[0].data.text
    fills = text.endswith("full_like")
    makes = text in printed.names() and "_like(" in printed.source(text)
    return (fills or makes) and any(may_be_whole(arg, whole) for arg in node.args[1:])


def _is_like(expr: Expr) -> bool:
    return expr.op == "call" and str(expr.args[0].data.text).endswith("_like")


def _base(target: Expr) -> Expr:
    while target.op in ("subscript", "attribute"):
        target = target.args[0]
    return target


def _named(base: Expr) -> Iterator[Variable]:
    yield from (n.data for n in nodes(base) if n.op == "name")
