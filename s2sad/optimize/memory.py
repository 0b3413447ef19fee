"""Which variables may share memory, and what a statement reads and changes of it.

    v = u[1:]; v += w        {u, v} is one class, w another; `v += w` reads the contents of both
                             classes and changes that of {u, v}

Two variables are in one class if the memory of one may be derived from that of the other, by
whatever way: nothing is proved about order, so the answer holds at every place of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, TypeVar

from s2sad.analysis.containers import is_held
from s2sad.analysis.places import placed
from s2sad.analysis.pointers import Pointers, Site, Sites, may_contain
from s2sad.analysis.points_to import find_points_to
from s2sad.analysis.sharing_names import SharingNames, by_tokens
from s2sad.ir.expression import Expr, Role, Variable, is_own_call, name, root_of
from s2sad.ir.program import (
    Block,
    Copied,
    Effect,
    Function,
    Let,
    Program,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Code, Number, Other, Regions, Type, Unknown
from s2sad.ir.walk import blocks, bound, expressions, name_nodes, read_variables, reads, statements
from s2sad.types import Context, shares


@dataclass(frozen=True, slots=True)
class Content:
    """What is in the memory of variables that may share some: classes are numbered."""

    number: int


@dataclass(frozen=True, slots=True)
class Pushed:
    """How many values are on a stack."""

    stack: Variable


@dataclass(frozen=True, slots=True)
class World:
    """What calls that draw, print or raise are kept in order by."""


WORLD = World()
# stands for every object of a module that could be written
MODULE = Variable("<module>")
MODULE_SITE: Site = ("global", MODULE.name)
NO_SITES: Sites = frozenset()
Token = Variable | Content | Pushed | World
Tokens = frozenset[Token]
Contents = frozenset[Content]
NOTHING: Tokens = frozenset()
N = TypeVar("N")
F = TypeVar("F")
# by functions of the program: the positions of the arguments that a result may share memory with
GivenBack = Mapping[str, frozenset[int]]
NONE_KNOWN: GivenBack = {}


@dataclass(slots=True)
class Memory:
    """The classes of variables of a function that may share memory, and of the sites of it.

    What statements and expressions read and change is found once: `facts` holds it by the identity
    of the node, with the node itself, so that the identity stays its own.
    """

    found: Pointers
    classes: Mapping[Site, Content]
    regions: Regions
    numbers: frozenset[Variable]
    given_back: GivenBack
    held: dict[Variable, Content | None] = field(default_factory=dict)
    facts: dict[tuple[str, int], tuple[object, Any]] = field(default_factory=dict)

    def content(self, variable: Variable) -> Content | None:
        """Return the contents of a variable's memory; None if it is a number."""
        if variable not in self.held:
            sites = self.found.points_to.get(variable, NO_SITES)
            known = next((self.of_site(site) for site in sites), None)
            own = known or Content(-1 - len(self.held))
            self.held[variable] = None if variable in self.numbers else own
        return self.held[variable]

    def of_site(self, site: Site) -> Content:
        """Return the contents of a piece of memory: of all objects of modules, the same."""
        return self.classes[MODULE_SITE if site[0] == "global" else site]

    def sites(self, expr: Expr) -> Sites:
        """Return the memory that the value of an expression may share."""
        return self.once("sites", expr, lambda e, memory: memory.found.sites(e))

    def contents(self, expr: Expr) -> frozenset[Content]:
        """Return the contents of all memory that the value of an expression may share, or lead to."""
        return self.once(
            "contents", expr, lambda e, _: frozenset(map(self.of_site, self.found.reached(e)))
        )

    def once(self, what: str, node: N, find: Callable[[N, Memory], F]) -> F:
        """Return what is found of a node in this memory; it is looked for once."""
        key = what, id(node)
        if key not in self.facts:
            self.facts[key] = node, find(node, self)
        found: F = self.facts[key][1]
        return found


def sharing_names(function: Function, memory: Memory) -> SharingNames:
    """Return which variables may share memory at each statement of a function."""
    return memory.once("sharing names", function, _sharing_names)


def _sharing_names(function: Function, memory: Memory) -> SharingNames:
    def of_name(variable: Variable) -> Contents:
        content = memory.content(variable)
        return frozenset() if content is None else frozenset({content})

    return SharingNames(function.body, by_tokens(of_name, memory.contents))


# ---------------------------------------------------------------------------- classes


def is_alone(variable: Variable, memory: Memory, stack: Variable | None = None) -> bool:
    """Tell whether no other variable may refer to what one does, nor any container, nor the caller.

    A `stack` may, on which it is saved.
    """
    mine = memory.content(variable)
    sites = memory.found.points_to.get(variable, NO_SITES)
    others = (v for v in memory.found.points_to if v not in (variable, stack))
    is_own = all(site[0] == "made" for site in sites)
    return mine is not None and is_own and all(memory.content(v) != mine for v in others)


def memory_of(function: Function, program: Program) -> Memory:
    """Return which variables of a function may share memory."""
    return memory_with(function, program.regions)


@dataclass(slots=True)
class Latest:
    """Which variables may share memory in the function that was asked for last."""

    program: Program
    given_back: GivenBack = NONE_KNOWN
    body: Block | None = None
    memory: Memory | None = None

    def of(self, function: Function) -> Memory:
        """Return the same as `memory_of`, at once where the statements are those of the last time."""
        if self.memory is None or self.body is not function.body:
            memory = memory_with(function, self.program.regions, self.given_back)
            self.body, self.memory = function.body, memory
        return self.memory


def memory_with(function: Function, regions: Regions, given_back: GivenBack = NONE_KNOWN) -> Memory:
    """Return the same, by what is known of lists, dicts and objects, and of called functions."""
    numbers = _numbers(function)
    context = Context(regions=dict(regions))

    def shared(expr: Expr) -> tuple[int, ...]:
        if is_own_call(expr) and expr.args[0].data in given_back:
            return tuple(sorted(given_back[expr.args[0].data]))
        return expr.fact("shared", lambda e: shares(e, context))

    every = placed(function.body)
    types: dict[Variable, Type] = {v: Unknown() for _, s in every for v in bound(s)}
    types |= {p.variable: p.type if is_held(p.type) else Unknown() for p in function.parameters}
    types |= dict.fromkeys(numbers, Number("float64"))
    found, _ = find_points_to(function, every, types, shared, regions)
    points_to = {**found.points_to, MODULE: frozenset({MODULE_SITE})}
    # a caller may hand over one array twice, but for adjoints that are the function's own
    given = (p.variable for p in function.parameters if p.variable.role is not Role.ADJOINT)
    groups = [NO_SITES.union(*(points_to.get(v, NO_SITES) for v in given)), *points_to.values()]
    groups += [held | {site} for site, held in found.items.items()]
    pointers = replace(found, points_to=points_to)
    return Memory(pointers, _classes(groups), regions, numbers, given_back)


def given_back(function: Function, memory: Memory) -> frozenset[int] | None:
    """Return the positions of the arguments that a function may give back, or parts of them.

    None where two results may share memory, or one may be an object of the module.
    """
    results = [each.value for each in statements(function.body) if isinstance(each, Return)]
    reached = NO_SITES
    for result in results:
        parts = result.args if result.op == "tuple" else (result,)
        sites = [memory.found.reached(each) for each in parts]
        found = NO_SITES.union(*sites)
        if len(found) < sum(map(len, sites)) or any(may_contain(each.type) for each in parts):
            return None
        reached |= found
    if any(site[0] not in ("made", "parameter") for site in reached):
        return None
    given = (p.variable for p in function.parameters)
    own: set[object] = {site[1] for site in reached if site[0] == "parameter"}
    own.update(memory.found.holders_among(given, reached))
    return frozenset(k for k, p in enumerate(function.parameters, 1) if p.variable in own)


def _classes(groups: Iterable[Set[Site]]) -> dict[Site, Content]:
    """Return the classes of sites: what is in one group is of one class."""
    parents: dict[Site, Site] = {}

    def root(site: Site) -> Site:
        while (parent := parents.setdefault(site, site)) != site:
            parents[site] = parents[parent]
            site = parent
        return site

    for group in groups:
        known = (MODULE_SITE if site[0] == "global" else site for site in group)
        first, *rest = [root(site) for site in known] or [MODULE_SITE]
        parents.update(dict.fromkeys(rest, first))
    numbers: dict[Site, Content] = {}
    return {s: numbers.setdefault(root(s), Content(len(numbers))) for s in tuple(parents)}


def _numbers(function: Function) -> frozenset[Variable]:
    """Return the variables that hold nothing but numbers, wherever they are read."""
    numbers = {p.variable for p in function.parameters if isinstance(p.type, Number)}
    others = {p.variable for p in function.parameters} - numbers
    for statement in statements(function.body):
        for node in (n for expr in expressions(statement) for n in name_nodes(expr)):
            (numbers if _is_number(node.type) else others).add(node.data)
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            (numbers if _is_number(statement.value.type) else others).add(statement.target)
    return frozenset(numbers - others)


def _is_number(type_: Type) -> bool:
    return isinstance(type_, Number | Code) or (
        isinstance(type_, Other) and type_.cls in (str, type(None), slice, bool, int, float, bytes)
    )


# ---------------------------------------------------------------------------- reads, changes


def read_tokens(expr: Expr, memory: Memory, content: bool = True) -> Tokens:
    """Return what the value of an expression depends on."""
    if not content:
        return _tokens(reads(expr, False), memory)
    return memory.once("reads", expr, lambda e, memory: _tokens(reads(e), memory))


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
    written = memory.found.written_by(statement)
    found: Tokens = frozenset(bound(statement)) | frozenset(map(memory.of_site, written))
    match statement:
        case Let(effect=effect) if not effect.is_pure:
            module = (MODULE_SITE,) if effect.writes_all else ()
            return found | _world(effect) | frozenset(map(memory.of_site, module))
        case Let(Variable() as target) if statement.spelled != "=":
            return found | memory.contents(name(target))
        case Store(Expr(op="name", data=variable)):
            return found | {variable}
        case RegionOp(_, base):
            return found | read_variables(base) & {root_of(base)}
        case Return(value):  # the caller may write to what is returned
            return found | memory.contents(value)
        case Save(stack) | Restore(_, stack):
            return found | {Pushed(stack)}
        case Copied():
            held: frozenset[Token] = frozenset().union(*map(memory.contents, statement.reads))
            return found | held | {WORLD}
    return found


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
