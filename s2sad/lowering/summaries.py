"""What a call of a function of the program does: which of its parameters it reads, writes, returns.

def step(u, c):           reads {u, c}, writes {u}, returns {}
    u[:-1] += c * u[1:]
    return np.sum(u)
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping

from s2sad.ir.expression import Expr, Pattern, Variable, constant, is_own_call, text_of_call
from s2sad.ir.program import (
    Copied,
    Effect,
    For,
    Function,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Summary,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import pattern_renamed, with_variables
from s2sad.ir.spelling import expression
from s2sad.ir.types import (
    Array,
    Code,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    Type,
    Unknown,
)
from s2sad.ir.walk import bound, bound_in, nodes, read_in, read_variables, statements, variables
from s2sad.lowering.module_names import counted

DISPLAYS = frozenset({"tuple", "list", "set", "conditional", "and", "or", "starred"})
MADE = frozenset({"tuple", "list", "set", "dict", "record", "comprehension"})
COPIES = (list, dict, sorted, copy.copy, copy.deepcopy)
# stands for all objects of modules
MODULE = Variable("<module>")
Shares = Callable[[Expr], tuple[int, ...]]


@dataclass(slots=True)
class Roots:
    """The parameters that variables may be or be a part of, and those of what they hold.

    xs = [u]; xs.append(c)      xs is no parameter, and holds u and c: neither is written to
    """

    are: dict[Variable, set[Variable]]
    hold: dict[Variable, set[Variable]]

    def all_of(self, variable: Variable) -> set[Variable]:
        """Return what a variable may be or hold."""
        return self.are.get(variable, set()) | self.hold.get(variable, set())


def summary(function: Function, shares: Shares) -> Summary:
    """Return what a call of a function does to what it is handed.

    It is refused where it writes to an object of the module under another name: row = ROWS[0]; row += 1.
    """
    parameters = frozenset(p.variable for p in function.parameters)
    function = _with_rebound(function)
    made = list(statements(function.body))
    roots = _roots(made, _held_in(function, made), shares)
    written: set[Variable] = set()
    deep = bound_in(function.body)
    foreign = False
    for statement, base, is_deep in _written(made):
        found = _reached(base, roots, shares) if is_deep else _itself(base, roots, shares)
        # under its own name it is told apart from a record that nobody reads, later
        if MODULE in found and not any(node.op == "global" for node in nodes(base)):
            raise counted(expression(base), statement.span)
        written |= found & parameters
        deep |= found if is_deep or base.op != "name" else found - {base.data}
        foreign |= _is_foreign(base, shares)
    returned = [_reached(s.value, roots, shares) for s in made if isinstance(s, Return)]
    returns = frozenset().union(*returned) & parameters
    reads = frozenset(v for s in made for v in read_in(s))
    effect = _effect(function, made, frozenset(written), frozenset(written - deep), foreign)
    return Summary(reads & parameters, frozenset(written), returns, effect)


def _with_rebound(function: Function) -> Function:
    """Return a function whose parameters have another name from where they are given a new value.

    v = v.copy(); v[0] = 1.0        what is written to is not what the function was handed
    """
    body = function.body
    for variable in (p.variable for p in function.parameters):
        lets = (k for k, s in enumerate(body) if isinstance(s, Let) and variable in bound(s))
        at = next(lets, None)
        if at is not None and isinstance(let := body[at], Let):
            new = {variable: replace(variable, name=f"<{variable.name}>")}
            let = replace(let, target=pattern_renamed(let.target, new))
            body = (*body[:at], let, *(with_variables(s, new) for s in body[at + 1 :]))
    return replace(function, body=body)


def _held_in(function: Function, made: list[Statement]) -> frozenset[Variable]:
    """Return the parameters that may be memory: all but numbers that stay numbers."""
    grown = bound_in(function.body)
    grown |= {s.target.data for s in made if isinstance(s, Store) and s.target.op == "name"}
    every = ((p.variable, p.type) for p in function.parameters)
    return frozenset(v for v, t in every if v in grown or not isinstance(t, Number))


def with_own_functions(shares: Shares, functions: Mapping[str, Function]) -> Shares:
    """Return what tells which operands a result shares memory with; of own functions, too."""

    def shares_of(expr: Expr) -> tuple[int, ...]:
        if not is_own_call(expr):
            return shares(expr)
        called = functions.get(expr.args[0].data)
        if called is None or called.summary is None:
            return tuple(range(1, len(expr.args)))
        returns = called.summary.returns
        return tuple(k for k, p in enumerate(called.parameters, 1) if p.variable in returns)

    return shares_of


def effect_of(function: Function) -> Effect:
    """Return the effect of a call of a function."""
    return Effect() if function.summary is None else function.summary.effect


def _effect(
    function: Function,
    made: list[Statement],
    written: frozenset[Variable],
    shallow: frozenset[Variable],
    foreign: bool,
) -> Effect:
    inner = [s.effect for s in made if isinstance(s, Let)]
    places = [(place, p.variable) for place, p in enumerate(function.parameters)]
    return Effect(
        frozenset(place for place, variable in places if variable in written),
        foreign or any(e.writes_all for e in inner) or any(isinstance(s, Copied) for s in made),
        any(e.draws for e in inner),
        any(e.prints for e in inner),
        any(e.raises for e in inner) or any(isinstance(s, Raise) for s in made),
        shallow=frozenset(place for place, variable in places if variable in shallow),
    )


# ---------------------------------------------------------------------------- memory


def _roots(made: list[Statement], parameters: frozenset[Variable], shares: Shares) -> Roots:
    """Return the parameters that each variable may be, or be a part of."""
    roots = Roots({p: {p} for p in parameters}, {p: {p} for p in parameters})
    edges = [edge for statement in made for edge in _edges(statement)]
    before = -1
    while before != (before := _size(roots)):
        for target, expr, is_held in edges:
            if not is_held:
                roots.are.setdefault(target, set()).update(_itself(expr, roots, shares))
            held = roots.hold.setdefault(target, set())
            held |= _reached(expr, roots, shares) if is_held else _held(expr, roots, shares)
            for variable in _names(expr):  # what is put into one name is in the other, too
                roots.hold.setdefault(variable, set()).update(held)
    return roots


def _size(roots: Roots) -> int:
    return sum(map(len, (*roots.are.values(), *roots.hold.values())))


def _edges(statement: Statement) -> Iterator[tuple[Variable, Expr, bool]]:
    """Yield (variable, value, whether it holds that or is it) for what a statement does."""
    match statement:
        case Let(target, value):
            yield from _bound(target, value)
        case For(target, domain):
            yield from _bound((target,), domain)
        case RegionOp(target, base, _, args):
            yield from _bound((target,), base)
            yield from ((v, arg, True) for v in read_variables(base) for arg in args)
        case Store(target, _, value) if not _copies(target):
            yield from ((variable, value, True) for variable in read_variables(target))


def _copies(target: Expr) -> bool:
    """Tell whether what is stored is copied: into an array, not into a list or object."""
    base = target if target.op == "name" else target.args[0]
    return isinstance(base.type, Array | Numeric)


def _bound(target: Pattern, value: Expr) -> Iterator[tuple[Variable, Expr, bool]]:
    """Yield what is bound: a name is a value, the names of a pattern are parts of it."""
    if isinstance(target, Variable):
        yield target, value, False
        return
    if isinstance(target, tuple) and _is_written_out(value, len(target)):
        for each, item in zip(target, value.args, strict=True):
            yield from _bound(each, item)
        return
    part = Expr("subscript", (value, constant(0)), None, Unknown())
    yield from ((variable, part, False) for variable in variables(target))


def _is_written_out(value: Expr, length: int) -> bool:
    """Tell whether a value is a tuple or list of so many items, each of which stands there."""
    is_display = value.op in ("tuple", "list") and len(value.args) == length
    return is_display and all(item.op != "starred" for item in value.args)


def _names(expr: Expr) -> Iterator[Variable]:
    """Yield the lists, dicts and objects that a value may be, or be an item of."""
    match expr.op:
        case "name" if isinstance(expr.type, Number | Array | Numeric | Other):
            return
        case "name":
            yield expr.data
        case "subscript" | "attribute" | "starred":
            yield from _names(expr.args[0])
        case "conditional":
            yield from _names(expr.args[1])
            yield from _names(expr.args[2])


def _itself(expr: Expr, roots: Roots, shares: Shares) -> set[Variable]:
    """Return the parameters whose memory a value may be, apart from what it holds."""
    if expr.op in MADE or is_no_memory(expr.type):
        return set()
    match expr.op:
        case "name":
            return roots.are.get(expr.data, set())
        case "global":
            return _of_module(expr)
        case "conditional":
            arms = expr.args[1:]
            return {root for arm in arms for root in _itself(arm, roots, shares)}
        case "call" if _is_copy(expr):
            return set()
        case "subscript" if _is_part_of_list(expr):
            return set()
    return _reached(expr, roots, shares)


def _is_copy(expr: Expr) -> bool:
    """Tell whether a call makes a new list or dict: dict(d), xs.copy()."""
    function = expr.args[0]
    if function.op == "attribute":
        return function.data == "copy" and not expr.args[1:]
    return function.op == "global" and any(function.data.value is each for each in COPIES)


def _is_part_of_list(expr: Expr) -> bool:
    """Tell whether an expression is a slice of a list, which is a new one."""
    return isinstance(expr.args[0].type, Reference | Sequence) and expr.args[1].op == "slice"


def is_no_memory(type_: Type) -> bool:
    """Tell whether a value is a number or text, or a tuple of them."""
    if isinstance(type_, Tuple):
        return all(map(is_no_memory, type_.items))
    return isinstance(type_, Number | Other)


def _held(expr: Expr, roots: Roots, shares: Shares) -> set[Variable]:
    """Return the parameters whose memory a value may hold."""
    if expr.op == "name":
        return roots.hold.get(expr.data, set())
    return _reached(expr, roots, shares)


def _reached(expr: Expr, roots: Roots, shares: Shares) -> set[Variable]:
    """Return the parameters that the memory of a value, or of what it holds, may belong to."""
    if is_no_memory(expr.type):
        return set()
    if expr.op == "name":
        return roots.all_of(expr.data)
    if expr.op == "global":
        return _of_module(expr)
    if expr.op in DISPLAYS:
        return {root for part in expr.args for root in _reached(part, roots, shares)}
    if expr.op == "subscript" and is_own_call(expr.args[0]):  # one of several results
        return _reached(expr.args[0], roots, shares)
    is_told = isinstance(expr.type, Array | Numeric) or is_own_call(expr)
    parts = _shared(expr, shares) if is_told else None
    if parts is not None:
        return {root for part in parts for root in _reached(part, roots, shares)}
    found = _of_module(expr) if expr.op in ("subscript", "attribute") else set()
    for variable in read_variables(expr):
        found |= roots.all_of(variable)
    return found


def _of_module(expr: Expr) -> set[Variable]:
    """Return what stands for the objects of modules, where an expression is a part of one."""
    while expr.args and expr.op in ("subscript", "attribute"):
        expr = expr.args[0]
    return {MODULE} if _is_data(expr) else set()


def _is_data(expr: Expr) -> bool:
    """Tell whether an expression is an object of a module that may be changed: no function of it."""
    return expr.op == "global" and not isinstance(expr.type, Code | Number | Other)


def _shared(expr: Expr, shares: Shares) -> list[Expr] | None:
    """Return the operands that an array may be part of; None where only the whole is known."""
    if expr.op in ("comprehension", "record", "copied"):
        return None
    is_method = expr.op == "call" and expr.args[0].op == "attribute"
    operands = (expr.args[0].args[0], *expr.args[1:]) if is_method else expr.args
    shared = [operands[place] for place in shares(expr)]
    if text_of_call(expr).startswith("np."):  # an array that NumPy makes of a list is a new one
        return [each for each in shared if not isinstance(each.type, Reference | Sequence)]
    return shared


def _written(made: list[Statement]) -> Iterator[tuple[Statement, Expr, bool]]:
    """Yield statements with what they write to, and whether to what it holds as well."""
    for statement in made:
        match statement:
            case Store(target) if target.op == "name":
                yield statement, target, False
            case Store(target, op):  # xs[k] += c writes to the array that is there
                base = target.args[0]
                is_deep = op != "=" and not isinstance(base.type, Array | Numeric)
                yield statement, base, is_deep
            case RegionOp(_, base):
                yield statement, base, False
            case Let(effect=effect, value=value) if not effect.is_pure:
                args = value.args[1:]
                for place in (place for place in effect.writes if place < len(args)):
                    yield statement, args[place], place not in effect.shallow
                if effect.writes_owner and value.args[0].op == "attribute":
                    yield statement, value.args[0].args[0], True


def _is_foreign(base: Expr, shares: Shares) -> bool:
    """Tell whether a value may be part of an object of a module: not what a function makes anew."""
    if base.op == "call" and isinstance(base.type, Array | Numeric):
        return any(_is_foreign(part, shares) for part in _shared(base, shares) or ())
    return any(map(_is_data, nodes(base)))
