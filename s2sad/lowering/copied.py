"""A statement that is not lowered stands in the program as the user wrote it.

It has no derivative: it has to turn out inactive, or the function is refused there, with the
reason why it was not lowered.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, constant, global_, name
from s2sad.ir.program import Copied, Let
from s2sad.ir.types import Array, Number, Numeric, Other
from s2sad.lowering import evaluate as evaluating
from s2sad.lowering import methods, reflection
from s2sad.lowering.machine import Machine, closure_at, emit, slot_variable, unknown
from s2sad.lowering.module_names import fields_of_classes
from s2sad.lowering.reflection import refuse_unseen_reads
from s2sad.lowering.values import Code, Data, Value
from s2sad.operators.effects import OPERATORS_THAT_WRITE, RESULTS, effect
from s2sad.operators.table import method_row
from s2sad.source.trees import declared

LEAVES = (
    gast.Return,
    gast.Yield,
    gast.YieldFrom,
    gast.Nonlocal,
    gast.Global,
    gast.FunctionDef,
    gast.ClassDef,
    gast.Import,
    gast.ImportFrom,
)
LOOPS, OF_LOOPS = (gast.For, gast.While), (gast.Break, gast.Continue)
# what binds a name that is a plain text in the tree, and the field that holds it
BINDERS = dict.fromkeys((ast.MatchAs, ast.MatchStar, ast.ExceptHandler), "name")
BINDERS[ast.MatchMapping] = "rest"
# what makes a number of the run, or raises
CONVERTED = {"float": "float64", "int": "int64"}
CHANGES: frozenset[str] = frozenset().union(*methods.CHANGES.values())


def copy_statement(m: Machine, node: Any, fault: NotYet) -> None:
    """Add a statement as it stands; what it reads must be data or belong to a module."""
    nodes, plain = list(gast.walk(node)), gast.gast_to_ast(node)
    left = LEAVES if any(isinstance(n, LOOPS) for n in nodes) else (*LEAVES, *OF_LOOPS)
    if any(isinstance(n, left) for n in nodes):
        raise fault
    attributes = [n for n in nodes if isinstance(n, gast.Attribute)]
    if any(isinstance(n.value, gast.Call) and not isinstance(n.ctx, gast.Load) for n in attributes):
        raise fault  # what a call gives may last: type(self).count += 1
    given = fields_of_classes(m)
    has_calls = any(isinstance(n, gast.Call) for n in nodes)
    if given and (has_calls or any(n.attr in given for n in attributes)):
        raise fault  # it would see what a class held before the call
    read, written = _names(list(_names_outside(plain)), _captures(plain).values())
    if written & set(declared(closure_at(m).node)):
        raise fault
    reads = {wanted: _as_it_stands(m, wanted, fault) for wanted in sorted(read)}
    slots = m.heap[m.frame].slots
    before = {w: v.expr for w in sorted(written) if isinstance(v := slots.get(w), Data)}
    held = {**before, **reads}
    stored = [*_stored_into(nodes), *_handed_over(m, nodes)]
    changed = [held[each].type for each in stored if each in held]
    if any(reflection.may_hold_floats(m, each) for each in changed):
        raise fault  # what is stored there may vary
    if any(each not in slots for each in stored):
        raise fault  # what does not belong to this call may be read elsewhere
    if any(map(_is_of_floats, held.values())) and _changes_views(m, nodes):
        raise fault
    if any(wanted in slots and not isinstance(slots[wanted], Data) for wanted in written):
        raise fault
    targets = {wanted: slot_variable(m, (m.frame, wanted)) for wanted in sorted(written)}
    for wanted, expr in before.items():
        if expr != name(targets[wanted]):
            emit(m, Let(targets[wanted], expr, m.span))
    text = _text(plain, [*reads, *before], list(targets))
    exprs = (*reads.values(), *(name(targets[wanted]) for wanted in before))
    emit(m, Copied(text, exprs, tuple(targets.values()), fault, m.span))
    for expr in exprs:
        m.memory.leave_open(expr.type)
    for wanted, variable in targets.items():
        kind = None if wanted in slots else _converted(m, nodes, wanted)
        slots[wanted] = unknown(variable) if kind is None else Data(name(variable, kind))
    m.copied.append(f"{type(node).__name__}: {fault.reason}")


def _converted(m: Machine, nodes: list[Any], wanted: str) -> Number | None:
    """Return the type of a name that a statement gives what float() or int() makes, whatever it reads."""
    stored = [n for n in nodes if getattr(n, "id", "") == wanted and isinstance(n.ctx, gast.Store)]
    made = [
        n.value.func.id
        for n in nodes
        if isinstance(n, gast.Assign) and len(n.targets) == 1 and n.targets[0] in stored
        if isinstance(n.value, gast.Call) and isinstance(n.value.func, gast.Name)
    ]
    if len(made) < len(stored) or len(set(made)) != 1 or made[0] not in CONVERTED:
        return None
    found = evaluating.look_up(m, made[0])
    is_builtin = isinstance(found, Code) and found.obj is getattr(builtins, made[0])
    return Number(CONVERTED[made[0]]) if is_builtin else None


def _changes_views(m: Machine, nodes: list[Any]) -> bool:
    """Tell whether a statement has `row *= c` of a name that may be a part of an array."""
    slots = m.heap[m.frame].slots
    for node in nodes:
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            held = slots.get(node.target.id)
            if not (isinstance(held, Data) and isinstance(held.type, Number | Other)):
                return True
    return False


def _stored_into(nodes: list[Any]) -> Iterator[str]:
    """Yield the names of what a statement changes: B of B[1].ravel()[0] = x and B.append(x)."""
    for node in nodes:
        is_part = isinstance(node, gast.Subscript | gast.Attribute)
        is_method = isinstance(node, gast.Attribute) and _is_writer(node.attr)
        if is_method or (is_part and not isinstance(node.ctx, gast.Load)):
            base = node.value
            while not isinstance(base, gast.Name) and _inner(base) is not None:
                base = _inner(base)
            if isinstance(base, gast.Name):
                yield base.id


def _is_writer(word: str) -> bool:
    row = method_row(word)
    return word in CHANGES | OPERATORS_THAT_WRITE or (row is not None and row.writes_owner)


def _handed_over(m: Machine, nodes: list[Any]) -> Iterator[str]:
    """Yield the names in what calls are given that they may write to: a of np.copyto(a, e)."""
    for node in nodes:
        if isinstance(node, gast.Call):
            for each in _written_operands(m, node):
                yield from (n.id for n in gast.walk(each) if isinstance(n, gast.Name))


def _written_operands(m: Machine, node: gast.Call) -> list[Any]:
    named = {k.arg: k.value for k in node.keywords}
    operands = [*node.args, *named.values()]
    called = _words(node.func)
    value = evaluating.look_up(m, called[0]) if called else None
    if isinstance(node.func, gast.Attribute) and not isinstance(value, Code):
        return [each for key, each in named.items() if key in RESULTS]
    if not isinstance(value, Code) or None in named or any(map(evaluating.is_starred, operands)):
        return operands
    function = functools.reduce(
        lambda owner, word: getattr(owner, word, None), called[1:], value.obj
    )
    if function is None:  # it raises where the run comes by
        return operands
    made = (constant(each.value if isinstance(each, gast.Constant) else 0.0) for each in operands)
    found = effect(Expr("call", (global_(".".join(called), function), *made), tuple(named)))
    return operands if found.writes_all else [operands[k] for k in sorted(found.writes)]


def _words(function: Any) -> tuple[str, ...]:
    """Return the words of what is called by its name: np, add, at; none of other expressions."""
    if isinstance(function, gast.Name):
        return (function.id,)
    inner = _words(function.value) if isinstance(function, gast.Attribute) else ()
    return (*inner, function.attr) if inner else ()


def _inner(node: Any) -> Any:
    """Return what a part, an attribute or the result of a method belongs to."""
    return node.func if isinstance(node, gast.Call) else getattr(node, "value", None)


def _is_of_floats(expr: Expr) -> bool:
    return isinstance(expr.type, Array | Numeric) and expr.type.dtype[0] in "fc"


def _names_outside(node: Any, hidden: frozenset[str] = frozenset()) -> Iterator[ast.Name]:
    """Yield the names in a statement that no lambda in it binds."""
    if isinstance(node, ast.Lambda):
        spec = node.args
        every = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg)
        for default in (*spec.defaults, *spec.kw_defaults):
            yield from _names_outside(default, hidden)
        yield from _names_outside(node.body, hidden | {each.arg for each in every if each})
        return
    if isinstance(node, ast.Name) and node.id not in hidden:
        yield node
    for child in [] if node is None else ast.iter_child_nodes(node):
        yield from _names_outside(child, hidden)


def _captures(statement: Any) -> dict[Any, str]:
    """Return the nodes that bind a name by its text (`case [a, *b]`, `except E as e`), and it."""
    binding = (n for n in ast.walk(statement) if type(n) in BINDERS)
    return {n: held for n in binding if (held := getattr(n, BINDERS[type(n)])) is not None}


def _names(names: list[Any], captured: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the names that a statement reads from outside, and those that it sets."""
    written = {n.id for n in names if isinstance(n.ctx, ast.Store | ast.Del)} | set(captured)
    read = {n.id for n in names if isinstance(n.ctx, ast.Load)}
    own = {n for n in read if hasattr(builtins, n)}
    return read - written - own, written


def _as_it_stands(m: Machine, wanted: str, fault: NotYet) -> Expr:
    value: Value = evaluating.look_up(m, wanted)
    if isinstance(value, Data):
        if reflection.holds_objects(m, value.type):
            raise fault  # an object of the run has the fields of its class, and nothing else
        return value.expr
    if isinstance(value, Code):
        refuse_unseen_reads(m, value.obj)
        return reflection.code_expr(m, value)
    raise fault


def _text(statement: Any, reads: list[str], writes: list[str]) -> str:
    """Return the text of a statement with the names that it reads and sets in braces."""
    places = {wanted: place for place, wanted in enumerate([*reads, *writes])}
    for each in list(_names_outside(statement)):
        if each.id in places:
            each.id = f"\u27e8{places[each.id]}\u27e9"
    for node, wanted in _captures(statement).items():
        setattr(node, BINDERS[type(node)], f"\u27e8{places[wanted]}\u27e9")
    text = ast.unparse(ast.fix_missing_locations(statement))
    text = text.replace("{", "{{").replace("}", "}}")
    return text.replace("\u27e8", "{").replace("\u27e9", "}")
