"""Questions about memory: what a value may be part of, what it leads to, what a statement writes to.

row = A[i]           sites: what A refers to
pair = (u, xs)       reached: u, the list and all that it holds
row[0] += 1.0        written_by: what row refers to
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from s2sad.analysis.containers import is_container, is_deep_copy, is_display, is_held, is_made
from s2sad.ir.expression import Expr, Variable, object_of
from s2sad.ir.program import Let, RegionOp, Restore, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Code, Number, Numeric, Optional, Type, Unknown
from s2sad.ir.walk import operands
from s2sad.types.sharing import MAKERS, is_object

Site = tuple[object, ...]
Sites = frozenset[Site]
Shares = Callable[[Expr], tuple[int, ...]]
NOTHING: Sites = frozenset()
# what is gone through gives the items of what it is handed
ITERATING = (zip, enumerate, reversed, iter, list, tuple, sorted, filter)
METHODS = frozenset({"items", "values", "keys", "copy"})
PARTS = frozenset({"starred", "item"})


def may_contain(type_: Type) -> bool:
    """Tell whether a value may be a container: nothing is known of some."""
    inner = type_.type if isinstance(type_, Optional) else type_
    return isinstance(inner, Unknown) or is_object(inner) or is_container(inner)


@dataclass(frozen=True, slots=True)
class Pointers:
    """What variables may refer to, and what containers hold, by the sites that make memory.

    `arrays` are the sites that make arrays: no other memory, and nothing that holds some.
    """

    points_to: Mapping[Variable, Sites]
    items: Mapping[Site, Sites]
    shares: Shares
    arrays: Set[Site]

    def sites(self, expr: Expr) -> Sites:
        """Return what an expression's value may be part of; nothing if it is new memory."""
        if isinstance(expr.type, Number | Code):
            return NOTHING
        if expr.op == "name":
            return self.points_to.get(expr.data, NOTHING)
        if not is_held(expr.type) or expr.op == "comprehension" or is_made(expr):
            return NOTHING
        match expr.op:
            case "global":
                is_maker = isinstance(expr.data.value, MAKERS)
                return NOTHING if is_maker else frozenset({("global", expr.data.text)})
            case "conditional":
                return self.sites(expr.args[1]) | self.sites(expr.args[2])
            case "and" | "or":
                return self.all_sites(expr.args)
            case "subscript" | "attribute" if _is_new(expr.args[0]):
                return self.reached(expr.args[0])
            case "subscript" | "attribute" if may_contain(expr.args[0].type):
                return self.of_kind(self.items_in(expr.args[0]), expr.type)
        return NOTHING.union(*map(self.reached, self.shared(expr)))

    def of_kind(self, found: Sites, type_: Type) -> Sites:
        """Return those of some sites that a value of a type may be."""
        if isinstance(type_, Array):
            return self.arrays_in(found)
        return found - self.arrays if is_container(type_) else found

    def arrays_in(self, found: Sites) -> Sites:
        """Return those of some sites that may be arrays."""
        return frozenset(s for s in found if s in self.arrays or self.items.get(s) is None)

    def shared(self, expr: Expr) -> Iterator[Expr]:
        """Yield the operands that a value may share memory with: of a method, its owner as well."""
        for place in self.shares(expr):
            arg = expr.args[place]
            is_method = expr.op == "call" and not place and arg.op == "attribute"
            yield arg.args[0] if is_method else arg

    def all_sites(self, found: Iterable[Expr]) -> Sites:
        """Return what the values of some expressions may be part of."""
        return NOTHING.union(*map(self.sites, found))

    def items_in(self, base: Expr) -> Sites:
        """Return what a container holds; of what may be an array its own memory, too."""
        held = self.sites(base)
        return self.items_of(held) | (NOTHING if is_container(base.type) else held)

    @property
    def in_containers(self) -> Sites:
        """Return the memory that containers hold."""
        return NOTHING.union(*self.items.values())

    def items_of(self, held: Sites) -> Sites:
        """Return what containers hold; what is not known to hold others counts as part of it."""
        found = (self.items.get(s, frozenset({s})) for s in held)
        return NOTHING.union(*found)

    def inside(self, held: Iterable[Site]) -> Sites:
        """Return sites with all that they hold, however deep."""
        found = set(held)
        todo = list(found)
        while todo:
            more = self.items.get(todo.pop(), NOTHING) - found
            found |= more
            todo += more
        return frozenset(found)

    def holders_among(self, parameters: Iterable[Variable], found: Sites) -> Iterator[Variable]:
        """Yield the parameters that are some memory, or hold it in the end: xs, after xs.append(y)."""
        yield from (v for v in parameters if self.inside([("parameter", v)]) & found)

    def reached(self, expr: Expr) -> Sites:
        """Return all memory that a value may be or lead to."""
        if is_deep_copy(expr):
            return NOTHING
        if expr.op == "comprehension":
            return self.reached(expr.args[0])
        if is_display(expr) or expr.op in PARTS:
            return NOTHING.union(*map(self.reached, operands(expr)))
        if is_made(expr) or is_gone_through(expr):
            return self.inside(NOTHING.union(*map(self.elements, operands(expr))))
        return self.inside(self.sites(expr))

    def elements(self, domain: Expr) -> Sites:
        """Return what a value gives where it is gone through."""
        if domain.op == "starred":
            return self.reached(domain.args[0])
        if isinstance(domain.type, Array | Numeric):
            return self.sites(domain)
        if is_gone_through(domain) and domain.op == "call":
            return NOTHING.union(*map(self.elements, operands(domain)))
        if is_made(domain) or is_gone_through(domain):
            return self.reached(domain)
        return self.items_in(domain)

    def written_by(self, statement: Statement) -> Sites:
        """Return the memory that a statement itself writes to."""
        match statement:
            case Store(target, op):
                base = self.sites(stored_base(statement))  # xs[k] += u writes to what is there
                return base if op == "=" else base | self.sites(target)
            case RegionOp(_, base):
                return self.sites(base)
            case Restore(Expr() as target):
                return self.sites(target if target.op == "name" else target.args[0])
            case Let() if not statement.effect.is_pure:
                return self.written_by_call(statement)
        return NOTHING

    def written_by_call(self, let: Let) -> Sites:
        """Return the memory that a call writes in place, with what it holds where it goes deep."""
        args = let.value.args[1:]
        shallow = {id(args[k]) for k in let.effect.shallow if k < len(args)}
        found = (
            self.sites(each) if id(each) in shallow else self.reached(each)
            for each in written_operands(let)
        )
        return NOTHING.union(*found)


def _is_new(container: Expr) -> bool:
    """Tell whether a container is made where it stands: [u][0], list(zip(xs, ys))[0]."""
    return is_made(container) or is_gone_through(container)


def is_gone_through(expr: Expr) -> bool:
    """Tell whether a value gives items of what it is made of, one after the other: zip(xs, ys)."""
    if expr.op == "comprehension":
        return True
    if expr.op != "call":
        return False
    function = expr.args[0]
    if function.op == "attribute":
        return function.data in METHODS and may_contain(function.args[0].type)
    return any(object_of(function) is each for each in ITERATING)


def stored_base(store: Store) -> Expr:
    """Return what a store writes to: the array, list or object of which it changes a part."""
    return store.target if store.target.op == "name" else store.target.args[0]


def written_operands(let: Let) -> list[Expr]:
    """Return the operands that a call writes to: arguments, and the array or list of a method."""
    function, *args = let.value.args
    owners = function.args if function.op == "attribute" else ()
    if let.effect.writes_all:
        return [*owners, *args]
    written = [args[k] for k in let.effect.writes if k < len(args)]
    return [*written, *(owners if let.effect.writes_owner else ())]


def changed_places(statement: Statement) -> list[Expr]:
    """Return what a statement itself changes in place."""
    match statement:
        case Store():
            return [stored_base(statement)]
        case RegionOp(_, base):
            return [base]
        case Let() if not statement.effect.is_pure:
            return written_operands(statement)
    return []


def changed_names(statement: Statement) -> frozenset[Variable]:
    """Return the variables of which a statement changes what they name: objects of libraries, too."""
    return frozenset().union(*map(first_name, changed_places(statement)))


def first_name(place: Expr) -> frozenset[Variable]:
    """Return the variable that a place is a part of, or made from."""
    while place.args:
        place = place.args[0]
    return frozenset({place.data}) if place.op == "name" else frozenset()


def changes_something(statement: Statement) -> bool:
    """Tell whether a statement does more than bind names."""
    if isinstance(statement, Let):
        return not replace(statement.effect, raises=False).is_pure
    return isinstance(statement, Store | RegionOp)
