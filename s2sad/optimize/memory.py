"""Which variables may share memory, and what a statement reads and changes of it.

    v = u[1:]; v += w        {u, v} is one class, w another; `v += w` reads the contents of both
                             classes and changes that of {u, v}

Two variables are in one class if the memory of one may be derived from that of the other, by
whatever way: nothing is proved about order, so the answer holds at every place of the function.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np

from s2sad.analysis.containers import is_of_module
from s2sad.analysis.sharing_names import SharingNames, by_tokens
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Role,
    Variable,
    index_parts,
    keywords,
    name,
    positional,
    root_of,
)
from s2sad.ir.program import (
    Block,
    Copied,
    Effect,
    For,
    Function,
    Let,
    Program,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Summary,
)
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Code, Number, Numeric, Other, Type
from s2sad.ir.walk import (
    SHAPE_ATTRIBUTES,
    blocks,
    bound,
    expressions,
    name_nodes,
    read_variables,
    reads,
    statements,
    variables,
)
from s2sad.types.samples import is_numeric


@dataclass(frozen=True, slots=True)
class Content:
    """What is in the memory of a class of variables, which one of them stands for."""

    root: Variable

    def __hash__(self) -> int:
        return self.root.hashed + 1


@dataclass(frozen=True, slots=True)
class Pushed:
    """How many values are on a stack."""

    stack: Variable

    def __hash__(self) -> int:
        return self.stack.hashed + 2


@dataclass(frozen=True, slots=True)
class World:
    """What calls that draw, print or raise are kept in order by."""


WORLD = World()
# stands for every object of a module that could be written
MODULE = Variable("<module>")
Token = Variable | Content | Pushed | World
Tokens = frozenset[Token]
Contents = frozenset[Content]
NOTHING: Tokens = frozenset()
N = TypeVar("N")
F = TypeVar("F")


@dataclass(slots=True)
class Memory:
    """The classes of variables of a function that may share memory.

    What statements and expressions read and change is found once: `facts` holds it by the identity
    of the node, with the node itself, so that the identity stays its own.
    """

    roots: Mapping[Variable, Variable]
    numbers: frozenset[Variable]
    summaries: Mapping[str, Summary | None]
    held: dict[Variable, Content | None] = field(default_factory=dict)
    facts: dict[tuple[str, int], tuple[object, Any]] = field(default_factory=dict)

    def content(self, variable: Variable) -> Content | None:
        """Return the contents of a variable's memory; None if it is a number."""
        if variable not in self.held:
            root = self.roots.get(variable, variable)
            self.held[variable] = None if variable in self.numbers else Content(root)
        return self.held[variable]

    def sources(self, expr: Expr) -> frozenset[Variable]:
        """Return the variables whose memory the value of an expression may share."""
        return self.once("sources", expr, _all_sources)

    def contents(self, expr: Expr) -> frozenset[Content]:
        """Return the contents of all memory that the value of an expression may share."""
        found = (self.content(variable) for variable in self.sources(expr))
        return frozenset(content for content in found if content is not None)

    def once(self, what: str, node: N, find: Callable[[N, Memory], F]) -> F:
        """Return what is found of a node in this memory; it is looked for once."""
        key = what, id(node)
        if key not in self.facts:
            self.facts[key] = node, find(node, self)
        found: F = self.facts[key][1]
        return found


def sharing_names(function: Function, memory: Memory) -> SharingNames:
    """Return which variables may share memory at each statement of a function."""

    def of_name(variable: Variable) -> Contents:
        content = memory.content(variable)
        return frozenset() if content is None else frozenset({content})

    return SharingNames(function.body, by_tokens(of_name, memory.contents))


# ---------------------------------------------------------------------------- classes


class _Classes:
    """Sets of variables that are merged: union-find."""

    def __init__(self) -> None:
        self.parents: dict[Variable, Variable] = {}

    def find(self, variable: Variable) -> Variable:
        root = variable
        while (parent := self.parents.get(root, root)) != root:
            root = parent
        while (parent := self.parents.get(variable, variable)) != root:
            self.parents[variable] = root
            variable = parent
        return root

    def merge(self, *groups: frozenset[Variable] | tuple[Variable, ...]) -> None:
        members = [variable for group in groups for variable in group]
        for variable in members[1:]:
            first, other = self.find(members[0]), self.find(variable)
            if first != other:
                self.parents[other] = first


def memory_of(function: Function, program: Program) -> Memory:
    """Return which variables of a function may share memory."""
    summaries = {name: each.summary for name, each in program.functions.items()}
    return memory_with(function, summaries)


def memory_with(function: Function, summaries: Mapping[str, Summary | None]) -> Memory:
    """Return the same where it is known what the functions of the program do."""
    numbers = _numbers(function)
    classes = _Classes()
    known = Memory({}, numbers, summaries)
    # a caller may hand over one array twice, but for adjoints that are the function's own
    given = (p.variable for p in function.parameters if p.variable.role is not Role.ADJOINT)
    classes.merge(tuple(v for v in given if v not in numbers))
    for statement in statements(function.body):
        _merge_of(statement, known, classes)
    members = list(classes.parents)
    return Memory({each: classes.find(each) for each in members}, numbers, summaries)


def _numbers(function: Function) -> frozenset[Variable]:
    """Return the variables that hold nothing but numbers, wherever they are read."""
    numbers = {p.variable for p in function.parameters if isinstance(p.type, Number)}
    others = {p.variable for p in function.parameters} - numbers
    for statement in statements(function.body):
        for expr in expressions(statement):
            for node in name_nodes(expr):
                (numbers if _is_number(node.type) else others).add(node.data)
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            (numbers if _is_number(statement.value.type) else others).add(statement.target)
    return frozenset(numbers - others)


def _is_number(type_: Type) -> bool:
    return isinstance(type_, Number | Code) or (
        isinstance(type_, Other) and type_.cls in (str, type(None), slice, bool, int, float, bytes)
    )


def _merge_of(statement: Statement, memory: Memory, classes: _Classes) -> None:
    """Merge the classes that a statement may make share memory."""
    match statement:
        case Let(target, value):
            _merge_pattern(target, value, memory, classes)
            if not statement.effect.is_pure:
                _merge_written(value, statement.effect, memory, classes)
        case For(target, domain):
            _merge_items(target, domain, memory, classes)
        case Store(target, "=", value) if not _is_plain_array(target):
            classes.merge(memory.sources(target), memory.sources(value))
        case RegionOp(target, base, _, args):
            given = frozenset().union(*map(memory.sources, args))
            made = frozenset(variables(target)) - memory.numbers
            classes.merge(memory.sources(base), given, made)
        case Save(stack, value):
            classes.merge((stack,), memory.sources(value))
        case Restore(Variable() | tuple() as target, stack):
            classes.merge((stack,), frozenset(variables(target)) - memory.numbers)
        case Restore(Expr() as target, stack) if not _is_plain_array(target):
            classes.merge((stack,), memory.sources(target))
        case Copied():
            read = frozenset().union(*map(memory.sources, statement.reads))
            classes.merge(read, frozenset(statement.writes) - memory.numbers)


def _is_plain_array(target: Expr) -> bool:
    """Tell whether what is stored goes, as numbers, into an array."""
    base = target if target.op == "name" else target.args[0]
    return isinstance(base.type, Array | Numeric) and not base.type.dtype.startswith("O")


def _merge_pattern(target: Pattern, value: Expr, memory: Memory, classes: _Classes) -> None:
    if isinstance(target, tuple) and value.op in ("tuple", "list"):
        plain = not any(arg.op == "starred" for arg in value.args)
        if plain and len(target) == len(value.args):
            for part, arg in zip(target, value.args, strict=True):
                _merge_pattern(part, arg, memory, classes)
            return
    classes.merge(frozenset(variables(target)) - memory.numbers, memory.sources(value))


def _merge_items(target: Pattern, domain: Expr, memory: Memory, classes: _Classes) -> None:
    """Merge what a loop binds with what it goes over: zip and enumerate part by part."""
    function = domain.args[0].data.text if _is_builtin(domain) else ""
    over = positional(domain) if function else ()
    if function == "reversed" and len(over) == 1:
        _merge_items(target, over[0], memory, classes)
    elif function == "zip" and isinstance(target, tuple) and len(target) == len(over):
        for part, each in zip(target, over, strict=True):
            _merge_items(part, each, memory, classes)
    elif function == "enumerate" and isinstance(target, tuple) and len(target) == 2:
        _merge_items(target[1], over[0], memory, classes)
    elif function != "range":
        classes.merge(frozenset(variables(target)) - memory.numbers, memory.sources(domain))


def _is_builtin(expr: Expr) -> bool:
    return expr.op == "call" and expr.args[0].op == "global"


def _merge_written(value: Expr, effect: Effect, memory: Memory, classes: _Classes) -> None:
    """Merge what a call may put into what it writes: lists and objects keep what they are given."""
    given = value.args[1:] if value.op == "call" else value.args
    if effect.writes_all or not all(_holds_numbers(value.args, k) for k in effect.writes):
        classes.merge(*map(memory.sources, given))


def _holds_numbers(args: tuple[Expr, ...], place: int) -> bool:
    at = place + 1
    return at < len(args) and isinstance(args[at].type, Array | Numeric | Number)


# ---------------------------------------------------------------------------- what is shared

# the result of these shares no memory with an operand
FRESH_METHODS = frozenset(
    "copy sum mean prod std var min max dot cumsum cumprod tolist item argmax argmin argsort "
    "nonzero any all round clip take trace tobytes flatten repeat".split()
)
FRESH_FUNCTIONS = frozenset(
    "zeros ones empty full zeros_like ones_like empty_like full_like arange linspace eye identity "
    "sum mean prod std var min max amin amax dot vdot inner outer tensordot matmul cumsum cumprod "
    "roll concatenate stack vstack hstack column_stack where tile repeat array copy argmax argmin "
    "argsort sort clip tril triu kron cross convolve interp bincount norm inv solve det".split()
)
FRESH_BUILTINS = frozenset("len abs int float bool complex range round isinstance".split())


def _all_sources(expr: Expr, memory: Memory) -> frozenset[Variable]:
    return frozenset(_sources(expr, memory.numbers, memory.summaries))


def _sources(
    expr: Expr, numbers: frozenset[Variable], summaries: Mapping[str, Summary | None]
) -> Iterator[Variable]:
    def of(*args: Expr) -> Iterator[Variable]:
        for arg in args:
            yield from _sources(arg, numbers, summaries)

    if _is_number(expr.type):
        return
    match expr.op:
        case "name":
            if expr.data not in numbers:
                yield expr.data
        case "global":
            if is_of_module(expr):
                yield MODULE
        case "constant" | "function" | "compare" | "formatted":
            return
        case "unary" | "binary":
            if not all(is_numeric(arg.type) for arg in expr.args):
                yield from of(*expr.args)
        case "conditional":
            yield from of(*expr.args[1:])
        case "attribute":
            if expr.data not in SHAPE_ATTRIBUTES:
                yield from of(*expr.args)
        case "subscript":
            if not _gathers(expr):
                yield from of(expr.args[0])
        case "call":
            yield from of(*_shared_args(expr, summaries))
        case _:
            yield from of(*expr.args)


def _gathers(expr: Expr) -> bool:
    """Tell whether a subscript copies: an array is one of its positions."""
    base, index = expr.args
    parts = index_parts(index)
    is_array = isinstance(base.type, Array)
    return is_array and any(_is_positions(part) for part in parts)


def _is_positions(part: Expr) -> bool:
    return part.op == "list" or (isinstance(part.type, Array) and part.type.rank > 0)


def _shared_args(expr: Expr, summaries: Mapping[str, Summary | None]) -> tuple[Expr, ...]:
    """Return the arguments of a call whose memory the result may share."""
    function, rest = expr.args[0], expr.args[1:]
    if function.op == "function":
        return rest
    if function.op == "attribute" and function.args[0].op != "global":
        is_array = isinstance(function.args[0].type, Array | Numeric)
        fresh = is_array and function.data in FRESH_METHODS
        return () if fresh else (*function.args, *rest)
    out = keywords(expr).get("out")
    if function.op != "global":
        return expr.args
    last = function.data.text.rpartition(".")[2]
    if isinstance(function.data.value, np.ufunc) or _is_method_of_ufunc(function.data.value):
        return () if out is None else (out,)
    is_builtin = getattr(builtins, last, None) is function.data.value
    if last in (FRESH_BUILTINS if is_builtin else FRESH_FUNCTIONS):
        return () if out is None else (out,)
    return rest


def _is_method_of_ufunc(value: object) -> bool:
    return isinstance(getattr(value, "__self__", None), np.ufunc)


# ---------------------------------------------------------------------------- reads, changes


def read_tokens(expr: Expr, memory: Memory, content: bool = True) -> Tokens:
    """Return what the value of an expression depends on."""
    if not content:
        return _tokens(reads(expr, False), memory)
    return memory.once("reads", expr, _content_tokens)


def _content_tokens(expr: Expr, memory: Memory) -> Tokens:
    return _tokens(reads(expr), memory)


def _tokens(found: tuple[tuple[Variable, bool], ...], memory: Memory) -> Tokens:
    tokens: set[Token] = set()
    for variable, with_content in found:
        tokens.add(variable)
        held = memory.content(variable) if with_content else None
        if held is not None:
            tokens.add(held)
        if variable.role is Role.SAVED:
            tokens.add(Pushed(variable))
    return frozenset(tokens)


def place_tokens(target: Expr, memory: Memory) -> Tokens:
    """Return what decides which place is stored to: its root, its subscripts, not what is there."""
    if target.op == "name":
        return frozenset({target.data})
    if target.op not in ("subscript", "attribute"):
        return read_tokens(target, memory)
    found = place_tokens(target.args[0], memory)
    return found.union(*(read_tokens(arg, memory) for arg in target.args[1:]))


def statement_reads(statement: Statement, memory: Memory) -> Tokens:
    """Return what a statement itself depends on; not what its blocks do."""
    return memory.once("own reads", statement, _statement_reads)


def _statement_reads(statement: Statement, memory: Memory) -> Tokens:
    match statement:
        case Let(_, value, _, effect):
            found = read_tokens(value, memory)
            return found if effect.is_pure else found | _world(effect)
        case Store(target, op, value):
            found = place_tokens(target, memory) | read_tokens(value, memory)
            return found if op == "=" else found | memory.contents(target)
        case Restore(target, stack):
            place: Tokens = frozenset({stack, Pushed(stack)})
            held = memory.content(stack)
            place |= NOTHING if held is None else {held}
            return place | place_tokens(target, memory) if isinstance(target, Expr) else place
        case Save(stack, value):  # a name is put there by reference
            content = value.op != "name"
            return read_tokens(value, memory, content) | {stack, Pushed(stack)}
    return NOTHING.union(*(read_tokens(expr, memory) for expr in expressions(statement)))


def _world(effect: Effect) -> Tokens:
    ordered = effect.draws or effect.prints or effect.raises or effect.writes_all
    return frozenset({WORLD}) if ordered else NOTHING


def statement_changes(statement: Statement, memory: Memory) -> Tokens:
    """Return what a statement itself may change; not what its blocks do."""
    return memory.once("own changes", statement, _statement_changes)


def _statement_changes(statement: Statement, memory: Memory) -> Tokens:
    found: Tokens = frozenset(bound(statement))
    match statement:
        case Let(_, value, _, effect) if not effect.is_pure:
            return found | _world(effect) | written_by(value, effect, memory)
        case Let(Variable() as target) if statement.spelled != "=":
            return found | memory.contents(name(target))
        case Store(target):
            rebound = frozenset({target.data}) if target.op == "name" else frozenset()
            return found | rebound | memory.contents(_base(target))
        case RegionOp(_, base):
            return found | memory.contents(base) | read_variables(base) & {root_of(base)}
        case Return(value):  # the caller may write to what is returned
            return found | memory.contents(value)
        case Save(stack):
            return found | {Pushed(stack)}
        case Restore(Expr() as target, stack):
            return found | memory.contents(_base(target)) | {Pushed(stack)}
        case Restore(_, stack):
            return found | {Pushed(stack)}
        case Copied():
            held: frozenset[Token] = frozenset().union(*map(memory.contents, statement.reads))
            return found | held | {WORLD}
    return found


def written_by(value: Expr, effect: Effect, memory: Memory) -> frozenset[Content]:
    """Return the contents that a call with an effect writes."""
    args = value.args[1:]
    function = value.args[0]
    of = memory.contents(function.args[0]) if function.op == "attribute" else frozenset()
    if effect.writes_all:
        held = {memory.content(MODULE), *map(memory.content, read_variables(value))}
        return frozenset(content for content in held if content is not None)
    written = (memory.contents(args[place]) for place in effect.writes if place < len(args))
    return frozenset().union(of if effect.writes or effect.writes_owner else (), *written)


def _base(target: Expr) -> Expr:
    """Return what holds the place that is stored to."""
    return target if target.op == "name" else target.args[0]


def changes(block: Block, memory: Memory) -> Tokens:
    """Return what the statements of a block, however deep, may change."""
    return NOTHING.union(*(changes_of(each, memory) for each in block))


def changes_of(statement: Statement, memory: Memory) -> Tokens:
    """Return what a statement and those in its blocks may change."""
    if not blocks(statement):
        return statement_changes(statement, memory)
    return memory.once("changes", statement, _all_changes)


def _all_changes(statement: Statement, memory: Memory) -> Tokens:
    inside = (changes(block, memory) for block in blocks(statement))
    return statement_changes(statement, memory).union(*inside)


def touched_by(statement: Statement, memory: Memory) -> Tokens:
    """Return all that a statement and those in its blocks read or change."""
    return memory.once("touched", statement, _all_touched)


def _all_touched(statement: Statement, memory: Memory) -> Tokens:
    inside = (touched_by(each, memory) for block in blocks(statement) for each in block)
    own = statement_reads(statement, memory), statement_changes(statement, memory)
    return own[0].union(own[1], *inside)
