"""What a function changes of its module: a record that it never reads, a table of what it has computed.

CALLS.append(k)            nobody in the function reads CALLS: left out, the module is left alone
self.calls += 1            and so is this
RATES[0] += 1.0            refused where RATES is read: the next call would give something else
TABLE[n] = value           stays where TABLE has no n yet: it remembers

if n not in NODES:                      NODES gives the same in each call
    NODES[n] = leggauss(n)
return NODES[n]

What is kept may not hang on arguments that vary: it would be that of the first call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import ModuleType

from s2sad.analysis.activity import made_of, may_vary
from s2sad.analysis.containers import is_of_module
from s2sad.ir.errors import NotYet, Refused
from s2sad.ir.expression import Expr, Variable, calls
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    Function,
    If,
    Let,
    Program,
    RegionOp,
    Return,
    Statement,
    Store,
)
from s2sad.ir.records import replace
from s2sad.ir.remedies import counted
from s2sad.ir.spelling import expression
from s2sad.ir.types import Number
from s2sad.ir.walk import (
    blocks,
    bound_in,
    expressions,
    nodes,
    nodes_in,
    own_nodes,
    read_in,
    read_variables,
    rewritten,
    statements,
)
from s2sad.operators.effects import effect
from s2sad.operators.find import followed
from s2sad.operators.missing import may_change
from s2sad.source.owners import is_own_file

# an object of a module, told by its identity, and the attributes that lead to a part of it
Path = tuple[int, tuple[str, ...]]


def without_records(program: Program) -> Program:
    """Return a program that changes nothing of its module.

    Raises a refusal where it reads, too, what it changes.
    """
    every = statements(program.body)
    for statement in every:
        _refuse_taken(statement)
    otherwise = {p[0] for s in every for p, place in _writes(s) if not any(_stored(s))}
    kept = remembering(program) - otherwise
    written = [(p, place, s) for s in every for p, place in _writes(s) if p[0] not in kept]
    if not written:
        return program
    read = {path for statement in every for path in _reads(statement)}
    for path, place, statement in written:
        if not _is_plain(statement) or any(_meet(path, each) for each in read):
            raise _cause(_perhaps_changed(place, statement, program), every)
    return program.mapped(lambda each: _without(each, kept))


def _perhaps_changed(place: Expr, statement: Statement, program: Program) -> NotYet:
    """Return the refusal of a change, or of a function of a library that may have made it."""
    changed = expression(place)
    called = (program.functions[n.data].span for n in own_nodes(statement) if n.op == "function")
    inside = next((span for span in called if span and not is_own_file(span.path)), None)
    if inside is not None:  # lines of a library that a call of the user's leads to
        return counted(changed, inside)
    calls = (n for n in own_nodes(statement) if n.op == "call")
    unknown = next((n for n in calls if n.args[0].op == "global" and effect(n).writes_all), None)
    if unknown is not None:
        return Refused(may_change(unknown, changed, statement.span))
    return counted(changed, statement.span)


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
    for node in own_nodes(statement):
        if calls(node, next) and len(node.args) > 1 and node.args[1].op == "global":
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


# a dict of the module, by its identity, and a key that it does not have
Missing = tuple[int, Expr]


def remembering(program: Program) -> frozenset[int]:
    """Return the identities of the dicts that remember, and are not changed in another way."""
    found: dict[int, bool] = {}
    for function in program.functions.values():
        given = (p.variable for p in function.parameters if may_vary(p.type, program.regions))
        varying = made_of(function, frozenset(given))
        for dict_ in _asked_otherwise(function):
            found[dict_] = False
        for statement, missing in _under_tests(function.body, frozenset(), function):
            for dict_, key, value in _stored(statement):
                is_kept = (dict_, key) in missing and not read_variables(value) & varying
                found[dict_] = found.get(dict_, True) and is_kept
    return frozenset(each for each, is_kept in found.items() if is_kept)


def remembered_in(program: Program) -> frozenset[str]:
    """Return how the dicts that remember are written in a program."""
    kept = remembering(program)
    every = nodes_in(program.body)
    named = (node.data for node in every if node.op == "global")
    return frozenset(each.text for each in named if id(each.value) in kept) if kept else frozenset()


def _asked_otherwise(function: Function) -> Iterator[int]:
    """Yield the dicts of which more is asked than an item, or whether they have a key."""
    counts: Counter[int] = Counter()
    for node in nodes_in(function.body):
        if node.op == "global" and type(node.data.value) is dict:
            counts[id(node.data.value)] += 1
        is_test = node.op == "compare" and node.data in (("in",), ("not in",))
        held = node.args[1] if is_test else node.args[0] if node.op == "subscript" else None
        if held is not None and held.op == "global":
            counts[id(held.data.value)] -= 1
    yield from (each for each, count in counts.items() if count > 0)


def _does_nothing_else(branch: If, function: Function) -> bool:
    """Tell whether a branch only computes what it stores: nothing of it is read or changed behind it."""
    own = bound_in(branch.body)
    inside = statements(branch.body)
    read = Counter(v for s in inside for v in read_in(s))
    every = Counter(v for s in statements(function.body) for v in read_in(s))
    effects = [s.effect for s in inside if isinstance(s, Let)]
    draws = any(e.draws and not e.writes_all for e in effects)  # what is not known may do anything
    if branch.orelse or draws or any(every[v] != read[v] for v in own):
        return False
    return all(any(_stored(s)) or _names(s) <= own for s in inside if not _only_computes(s))


def _only_computes(statement: Statement) -> bool:
    if isinstance(statement, Let):
        return replace(statement.effect, raises=False, prints=False).is_pure
    return not isinstance(statement, Store | RegionOp | Copied | Return | Break | Continue)


def _names(statement: Statement) -> set[Variable]:
    """Return the variables that a statement names, but for numbers."""
    if not isinstance(statement, Let | Store | RegionOp):
        return {Variable("<left>")}
    every = (node for node in own_nodes(statement) if node.op == "name")
    return {node.data for node in every if not isinstance(node.type, Number)}


def _under_tests(
    block: Block, missing: frozenset[Missing], function: Function
) -> Iterator[tuple[Statement, frozenset[Missing]]]:
    """Yield statements with the keys that dicts lack there, as tests around them say."""
    for statement in block:
        yield statement, missing
        inner = list(blocks(statement))
        if isinstance(statement, If) and inner:
            alone = _does_nothing_else(statement, function)
            more = missing | (_lacking(statement.test) if alone else frozenset())
            yield from _under_tests(inner.pop(0), more, function)
        for each in inner:
            yield from _under_tests(each, missing, function)


def _lacking(test: Expr) -> frozenset[Missing]:
    """Return the key that a dict lacks where a test holds: k not in D."""
    is_absence = test.op == "compare" and test.data == ("not in",)
    if not is_absence or test.args[1].op != "global":
        return frozenset()
    return frozenset({(id(test.args[1].data.value), test.args[0])})


def _stored(statement: Statement) -> Iterator[tuple[int, Expr, Expr]]:
    """Yield the dict of the module that a statement stores to, with key and value."""
    if isinstance(statement, Store) and statement.target.op == "subscript":
        base, key = statement.target.args
        if base.op == "global" and type(base.data.value) is dict and statement.op == "=":
            yield id(base.data.value), key, statement.value
