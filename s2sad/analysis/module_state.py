"""What a function changes of its module: a record that it never reads is left out, all else refused.

CALLS.append(k)            nobody in the function reads CALLS: left out, the module is left alone
self.calls += 1            and so is this
RATES[0] += 1.0            refused where RATES is read: the next call would give something else
TABLE[n] = value           stays where TABLE has no n yet: it remembers
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from s2sad.analysis.containers import is_of_module
from s2sad.analysis.remembering import is_item_store, remembering
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr
from s2sad.ir.program import Block, Function, Let, Program, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.spelling import expression
from s2sad.ir.walk import expressions, nodes, rewritten, statements
from s2sad.lowering.module_names import counted
from s2sad.operators.followed import followed

# an object of a module, told by its identity, and the attributes that lead to a part of it
Path = tuple[int, tuple[str, ...]]


def without_records(program: Program) -> Program:
    """Return a program that changes nothing of its module.

    Raises a refusal where it reads, too, what it changes.
    """
    every = [s for function in program.functions.values() for s in statements(function.body)]
    for statement in every:
        _refuse_taken(statement)
    otherwise = {p[0] for s in every for p, place in _writes(s) if not is_item_store(s)}
    kept = remembering(program) - otherwise
    written = [(p, place, s) for s in every for p, place in _writes(s) if p[0] not in kept]
    if not written:
        return program
    read = {path for statement in every for path in _reads(statement)}
    for path, place, statement in written:
        if not _is_plain(statement) or any(_meet(path, each) for each in read):
            raise _cause(counted(expression(place), statement.span), every)
    functions = {name: _without(each, kept) for name, each in program.functions.items()}
    return replace(program, functions=functions)


def _cause(fault: NotYet, every: list[Statement]) -> NotYet:
    """Return a fault, or what says that the lines of a function of a library tell more.

    Of a call of which nothing is known all is taken as written, and so of what calls it.
    """
    for statement in every:
        if isinstance(statement, Let) and statement.effect.writes_all:
            cause = followed(fault, statement.value)
            if cause is not fault:
                return cause
    return fault


def _refuse_taken(statement: Statement) -> None:
    """Refuse to take the next item of an iterator of the module: the next call takes another."""
    for node in (n for expr in expressions(statement) for n in nodes(expr)):
        if node.op != "call" or len(node.args) < 2 or node.args[0].op != "global":
            continue
        if node.args[0].data.value is next and node.args[1].op == "global":
            raise counted(expression(node.args[1]), statement.span)


def _without(function: Function, remembered: frozenset[int]) -> Function:
    def kept(statement: Statement) -> Block:
        is_record = any(path[0] not in remembered for path, _ in _writes(statement))
        return () if is_record else (statement,)

    return replace(function, body=rewritten(function.body, kept))


def _is_plain(statement: Statement) -> bool:
    """Tell whether a statement does nothing else than to change an object."""
    match statement:
        case Store():
            return True
        case RegionOp(target):
            return target is None
        case Let(target, value, _, effect):
            changes = replace(effect, raises=False, writes_owner=False, writes=frozenset())
            return target is None and changes.is_pure and value.args[0].op == "attribute"
    return False


def _writes(statement: Statement) -> Iterator[tuple[Path, Expr]]:
    """Yield what a statement changes of objects of a module, and the place as it is written."""
    for expr in _changed(statement):
        path = _path(expr)
        if path is not None:
            yield path, expr


def _changed(statement: Statement) -> Iterator[Expr]:
    """Yield the places that a statement changes."""
    match statement:
        case Store(target):
            yield target
        case RegionOp(_, base):
            yield base
        case Let(value=value, effect=effect):
            function, *args = value.args or (value,)
            if effect.writes_owner or effect.writes_all:
                yield from function.args[:1] if function.op == "attribute" else ()
            for place, arg in enumerate(args):
                if effect.writes_all:
                    yield from (node for node in nodes(arg) if is_of_module(node))
                elif place in effect.writes:
                    yield arg


def _reads(statement: Statement) -> Iterator[Path]:
    """Yield what a statement reads of objects of a module; not what it only changes."""
    changed = [expr for expr in _changed(statement) if _path(expr) is not None]
    for expr in expressions(statement):
        yield from _read_in(expr, changed)


def _read_in(expr: Expr, changed: list[Expr]) -> Iterator[Path]:
    """Yield the longest paths in an expression, those apart that are changed."""
    if any(expr is each for each in changed):
        yield from (path for index in _indices(expr) for path in _read_in(index, changed))
        return
    path = _chain(expr)
    if path is not None:
        yield path
        return
    for part in expr.args:
        yield from _read_in(part, changed)


def _indices(target: Expr) -> Iterator[Expr]:
    """Yield the positions in a place that is changed: i of self.rows[i]."""
    while target.args:
        yield from target.args[1:]
        target = target.args[0]


def _path(expr: Expr) -> Path | None:
    """Return the part of an object of a module that a place lies in: self.rows of self.rows[i]."""
    while expr.args and _chain(expr) is None and expr.op in ("subscript", "attribute"):
        expr = expr.args[0]
    return _chain(expr)


def _chain(expr: Expr) -> Path | None:
    """Return an object of a module, or an attribute of one that is reached by attributes alone."""
    words: list[str] = []
    while expr.op == "attribute":
        words.append(expr.data)
        expr = expr.args[0]
    if expr.op != "global" or isinstance(expr.data.value, ModuleType):
        return None
    if not (is_of_module(expr) or words):
        return None
    return id(expr.data.value), tuple(reversed(words))


def _meet(one: Path, other: Path) -> bool:
    """Tell whether one part of an object is, or belongs to, the other."""
    shared = min(len(one[1]), len(other[1]))
    return one[0] == other[0] and one[1][:shared] == other[1][:shared]
