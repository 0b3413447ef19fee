"""Loops over ranges only: what a pass takes is a part of what the loop goes over.

for k, (x, w) in enumerate(zip(u, v)):      for k in range(len(u)):
    total += w * x                              x = u[k]
                                                w = v[k]
                                                total += w * x
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np

from s2sad.analysis.activity import made_of, may_vary
from s2sad.analysis.containers import (
    DISPLAYS,
    dict_of_view,
    dict_types,
    is_container,
    is_copy,
    is_dict,
    joined_types,
    whole,
)
from s2sad.ir.errors import NotYet, Refused, Unsupported
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Role,
    Variable,
    attribute,
    call,
    calls,
    global_,
    name,
    positional,
    subscript,
)
from s2sad.ir.program import (
    PURE,
    Block,
    Break,
    Copied,
    For,
    Function,
    Let,
    RegionOp,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import (
    Array,
    Length,
    Number,
    Numeric,
    Other,
    Reference,
    Regions,
    Sequence,
    Tuple,
    Type,
)
from s2sad.ir.walk import (
    assigned,
    bound,
    in_blocks,
    nodes,
    read_counts,
    read_variables,
    reads_shape_only,
    rebuilt,
    statements,
)
from s2sad.operators.guards import is_none, is_written_out, spelled
from s2sad.operators.missing import refuse_set
from s2sad.operators.table import calls_one

MOST_PASSES = 24
WHOLE = Number("int64")
Item = Callable[[Expr], Expr]
Parts = tuple[Expr, Item] | None  # how long a domain is, and its item at a position


def over_ranges(function: Function, regions: Regions) -> Function:
    """Return a function whose loops go over ranges, where what they go over can be indexed."""
    loops = _Loops(
        Fresh.of(function),
        regions,
        cache(lambda: made_of(function, frozenset(p.variable for p in function.parameters))),
        read_counts(function.body),
        _named_ranges(function),
    )
    return replace(function, body=loops.block(function.body))


def _named_ranges(function: Function) -> Mapping[Variable, Expr]:
    """Return the ranges that have names, and are of what stays as it is: rows = range(n)."""
    given = [p.variable for p in function.parameters]
    often = Counter(given) + Counter(v for s in statements(function.body) for v in assigned(s))
    lets = [s for s in function.body if isinstance(s, Let)]
    early = {v for v in (*given, *(v for let in lets for v in bound(let))) if often[v] == 1}
    return {
        let.target: let.value
        for let in lets
        if isinstance(let.target, Variable) and calls(let.value, range)
        if {let.target} | read_variables(let.value) <= early and _is_of_lengths(let.value)
    }


def _is_of_lengths(expr: Expr) -> bool:
    """Tell whether a value is computed of numbers and of lengths of arrays: of no memory."""
    if expr.op in ("name", "constant"):
        return isinstance(expr.type, Number)
    if reads_shape_only(expr):
        array = expr.args[0 if expr.op == "attribute" else 1]
        return array.op == "name" and isinstance(array.type, Array)
    is_known = expr.op == "call" and any(calls(expr, each) for each in (range, min, max))
    is_known = is_known or expr.op in ("binary", "unary", "subscript")
    return is_known and all(map(_is_of_lengths, expr.args[expr.op == "call" :]))


def length_of(expr: Expr) -> Expr:
    """Return len(expr)."""
    return call(global_("len", len), expr, type_=WHOLE)


def range_of(*bounds: Expr) -> Expr:
    """Return range(bounds)."""
    return call(global_("range", range), *bounds, type_=Sequence(WHOLE, range))


def _turned(domain: Expr) -> Expr:
    """Return reversed(range(a, b)) as range(b - 1, a - 1, -1)."""
    if not calls(domain, reversed) or len(domain.args) != 2:
        return domain
    inner = domain.args[1]
    if not calls(inner, range) or len(inner.args) not in (2, 3):
        return domain
    start, stop = (whole(0), *inner.args[1:])[-2:]
    return range_of(_less(stop, 1), _less(start, 1), whole(-1))


def _from_end(length: Expr) -> Expr:
    """Return range(n - 1, -1, -1)."""
    return range_of(_less(length, 1), whole(-1), whole(-1))


def _backwards(domain: Expr) -> Expr | None:
    """Return xs of reversed(xs), and of an array xs[::-1]; None of other domains."""
    if calls(domain, reversed) and len(domain.args) == 2:
        return domain.args[1]
    if domain.op != "subscript" or not isinstance(domain.args[0].type, Array):
        return None
    is_turned = domain.args[1].op == "slice" and spelled(domain.args[1].args[2]) == -1
    return domain.args[0] if is_turned and all(map(is_none, domain.args[1].args[:2])) else None


def turned_back(domain: Expr) -> Expr | None:
    """Return what range(b - 1, a - 1, -1) is backwards: range(a, b); None of another domain."""
    if not calls(domain, range) or len(domain.args) != 4 or domain.args[3] != whole(-1):
        return None
    last, before = (_one_more(bound) for bound in domain.args[1:3])
    if last is None or before is None:
        return None
    return range_of(last) if before == whole(0) else range_of(before, last)


def _one_more(number: Expr) -> Expr | None:
    if number.op == "constant" and type(number.data) is int:
        return whole(number.data + 1)
    is_less = number.op == "binary" and number.data == "-" and number.args[1] == whole(1)
    return number.args[0] if is_less else None


@dataclass(slots=True)
class _Loops:
    fresh: Fresh
    regions: Regions
    of_arguments: Callable[[], frozenset[Variable]]
    reads: Counter[Variable]
    ranges: Mapping[Variable, Expr]
    body: Block = ()  # of the loop that is asked about

    def block(self, block: Block) -> Block:
        return tuple(made for each in self.with_slices(block) for made in self.statement(each))

    def with_slices(self, block: Block) -> list[Statement]:
        """Return a block whose loops go over slices of lists that were named for them alone."""
        found: list[Statement] = []
        for statement in block:
            if isinstance(statement, For):
                domain = statement.domain
                while found and (part := self.slice_for(found[-1], statement)) is not None:
                    domain = rebuilt(domain, partial(_with_slice, part))
                    found.pop()
                statement = replace(statement, domain=domain)
            found.append(statement)
        return found

    def slice_for(self, made: Statement, loop: For) -> Let | None:
        """Return what names a slice of a list if nothing but the domain of a loop reads it."""
        if not isinstance(made, Let) or not isinstance(made.target, Variable):
            return None
        is_slice = made.value.op == "subscript" and is_copy(made.value)
        is_ours = made.target.role is Role.TERM and self.reads[made.target] == 1
        is_gone_over = name(made.target) in side_by_side(loop.domain)
        return made if is_slice and is_ours and is_gone_over else None

    def statement(self, statement: Statement) -> Iterator[Statement]:
        statement = in_blocks(statement, self.block)
        if isinstance(statement, For):
            domain = rebuilt(statement.domain, self.range_of)
            statement = replace(statement, domain=_turned(domain))
        if not isinstance(statement, For) or is_plain(statement):
            yield statement
            return
        before: list[Statement] = []
        self.body = statement.body
        if changes_domain(statement):
            yield from self.followed(statement)
            return
        if self.is_unrolled(statement):
            yield from self.unrolled(statement)
            return
        parts = self.backwards(statement.domain, before)
        is_backwards = parts is not None
        if parts is None:
            parts = self.parts(statement.domain, before)
        if parts is None:
            self.refuse_what_varies(statement)
            yield statement
            return
        length, item = parts
        yield from before
        yield self.over(
            statement, range_of(length) if not is_backwards else _from_end(length), item
        )

    def range_of(self, expr: Expr) -> Expr | None:
        """Return the range that a name stands for."""
        return self.ranges.get(expr.data) if expr.op == "name" else None

    def followed(self, loop: For) -> Iterator[Statement]:
        """Yield a loop over a list that it changes: it goes on as long as there is an item."""
        before: list[Statement] = []
        parts = self.parts(loop.domain, before)
        is_over_lists = all(self.is_list(each) for each in gone_over(loop.domain))
        is_over_lists = is_over_lists and not any(calls(n, reversed) for n in nodes(loop.domain))
        if parts is None or not is_over_lists:
            raise NotYet("a list that changes while it is gone through", loop.span)
        yield from before
        length, item = parts
        at = self.fresh.variable("at")
        place = name(at, WHOLE)
        more = Expr("binary", (place, whole(1)), "+", WHOLE)
        test = Expr("compare", (place, length), ("<",), Number("bool"))
        lets = bound_to_parts(loop.target, item(place), loop)
        step = Let(at, more, loop.span, spelled="+")
        yield Let(at, whole(0), loop.span)
        yield While(test, (*lets, step, *loop.body), loop.span)

    def is_list(self, held: Expr) -> bool:
        """Tell whether a value is a list, which is gone over by its positions."""
        region = self.regions.get(getattr(held.type, "site", None))
        return region is None or region.kind == "list"

    def refuse_what_varies(self, loop: For) -> None:
        """Refuse a loop that hands on what may vary in a way that nothing here follows."""
        holds = any(may_vary(node.type, self.regions) for node in nodes(loop.domain))
        if holds and not self.of_arguments().isdisjoint(read_variables(loop.domain)):
            refuse_set(loop.domain, loop.span, "a loop over this set")
            error = Unsupported(
                "a loop over this is not differentiated",
                loop.span,
                "Give what is iterated over a name, and loop over that or over range(len(...)).",
            )
            error.certain = False
            raise Refused(error)

    def is_unrolled(self, loop: For) -> bool:
        """Tell whether a loop goes over a tuple of items of several kinds."""
        items = _items_of_several_kinds(loop.domain)
        is_left = any(isinstance(s, Break) for s in statements(loop.body))
        return 0 < len(items) <= MOST_PASSES and not is_left

    def unrolled(self, loop: For) -> Iterator[Statement]:
        """Yield a loop written out pass by pass."""
        before: list[Statement] = []
        base = self.named(loop.domain, before)
        yield from before
        for place, type_ in enumerate(_items_of_several_kinds(loop.domain)):
            yield from bound_to_parts(loop.target, subscript(base, whole(place), type_), loop)
            yield from self.block(loop.body)

    def over(self, loop: For, domain: Expr, item: Item) -> For:
        """Return a loop over the positions of what the loop went over, in that domain.

        The counter is the user's own, if there is one: `for k, x in enumerate(u)`.
        """
        counter = self.fresh.counter()
        lets = tuple(bound_to_parts(loop.target, item(name(counter, WHOLE)), loop))
        match lets[:1]:
            case (Let(Variable() as own, value),) if value == name(counter, WHOLE):
                if not _binds(loop.body, own):
                    counter = own
                    lets = tuple(bound_to_parts(loop.target, item(name(own, WHOLE)), loop))[1:]
        return For(counter, domain, (*lets, *loop.body), loop.span)

    def backwards(self, domain: Expr, before: list[Statement]) -> Parts:
        """Return the parts of what is gone over from its end: zip(reversed(xs), ys[::-1])."""
        turned = positional(domain) if calls(domain, zip) else (domain,)
        plain = [_backwards(each) for each in turned]
        found = tuple(each for each in plain if each is not None)
        if not found or len(found) < len(plain) or not (len(found) == 1 or _surely_equal(found)):
            return None
        every = [self.parts(each, before) for each in found]
        if None in every:
            return None
        lengths, items = zip(*every, strict=True)
        return lengths[0], items[0] if len(items) == 1 else _together(*items)

    def parts(self, domain: Expr, before: list[Statement]) -> Parts:
        """Return the length of a domain, and its item at a position; None where it has none."""
        if calls(domain, enumerate) and len(domain.args) in (2, 3):
            return self._enumerated(domain, before)
        if calls(domain, zip) and all(a.op != "starred" for a in domain.args):
            return self._zipped(domain, before)
        if calls(domain, iter) and len(domain.args) == 2:
            return self.parts(domain.args[1], before)
        if calls(domain, reversed) and len(domain.args) == 2:
            return self._reversed(domain, before)
        if dict_of_view(domain) is not None or is_dict(domain.type, self.regions):
            return self._of_dict(domain, before)
        if calls(domain, np.ndindex) and isinstance(domain.type, Sequence):
            return self._of_positions(domain, domain.type.item, before)
        if calls(domain, np.ndenumerate) and isinstance(domain.args[1].type, Array):
            return self._of_elements(domain.args[1], _together, before)
        if domain.op == "attribute" and domain.data == "flat":
            return self._of_elements(domain.args[0], lambda place, element: element, before)
        item = item_type(domain.type, self.regions)
        if item is None:
            return None
        if self.is_left_alone(domain):
            return self.of_slice(domain, before)
        base = self.named(domain, before)
        return length_of(base), lambda k: subscript(base, k, item)

    def of_slice(self, domain: Expr, before: list[Statement]) -> Parts:
        """Return the parts of a slice: the items of the whole, some places further on."""
        ends, item = ends_of(domain), item_type(domain.type, self.regions)
        if ends is None or item is None:
            return None
        base = self.named(domain.args[0], before)
        return _less(length_of(base), sum(ends)), lambda k: subscript(base, _more(k, ends[0]), item)

    def shortest(self, args: tuple[Expr, ...], lengths: tuple[Expr, ...]) -> Expr:
        """Return the length of the shortest of what is gone through together: of zip(u, u[1:]) that of u[1:]."""
        if _surely_equal(args):
            return lengths[0]
        cuts = [_cut(arg) for arg in args]
        wholes = {None if cut is None else cut[0] for cut in cuts}
        if len(wholes) == 1 and None not in wholes:
            left_out = [cut[1] for cut in cuts if cut is not None]
            return lengths[left_out.index(max(left_out))]
        return call(global_("min", min), *lengths, type_=WHOLE)

    def is_left_alone(self, domain: Expr) -> bool:
        """Tell whether a slice is one of a list that the loop leaves alone: Ws[1:-1]."""
        if ends_of(domain) is None:
            return False
        base = domain.args[0]
        return self.is_list(base) and is_container(base.type) and not _may_write(self.body, base)

    def _enumerated(self, domain: Expr, before: list[Statement]) -> Parts:
        inner = self.parts(domain.args[1], before)
        if inner is None:
            return None
        length, item = inner
        start = domain.args[2] if len(domain.args) == 3 else whole(0)
        if start.data == 0:
            return length, _together(lambda k: k, item)
        start = start if start.op == "constant" else self.named(start, before)
        return length, _together(lambda k: Expr("binary", (k, start), "+", WHOLE), item)

    def _zipped(self, domain: Expr, before: list[Statement]) -> Parts:
        plain = positional(domain)
        shared = Counter(cut[0] for arg in plain if (cut := _cut(arg)) is not None)
        every = [
            self.of_slice(arg, before)
            if _is_slice_of_array(arg) and shared[arg.args[0]] > 1
            else self.parts(arg, before)
            for arg in plain
        ]
        found = [each for each in every if each is not None]
        if not found or len(found) < len(every):
            return None
        lengths, items = zip(*found, strict=True)
        return self.shortest(plain, lengths), _together(*items)

    def _reversed(self, domain: Expr, before: list[Statement]) -> Parts:
        inner = self.parts(domain.args[1], before)
        if inner is None:
            return None
        length, item = inner
        last = Expr("binary", (length, whole(1)), "-", WHOLE)
        return length, lambda k: item(Expr("binary", (last, k), "-", WHOLE))

    def _of_dict(self, domain: Expr, before: list[Statement]) -> Parts:
        """Return the parts of a dict: its keys are listed first."""
        base, word = domain, "keys"
        if domain.op == "call":
            base, word = domain.args[0].args[0], domain.args[0].data
        key, item = dict_types(base.type, self.regions)
        if item is None:
            return None
        base = self.named(base, before)
        listed = call(global_("list", list), base, type_=Sequence(key, list))
        held = self.fresh.named(listed, "keys", before, domain.span)

        def key_at(k: Expr) -> Expr:
            return subscript(held, k, key)

        def value_at(k: Expr) -> Expr:
            return subscript(base, key_at(k), item)

        given = {"keys": key_at, "values": value_at, "items": _together(key_at, value_at)}
        return length_of(held), given[word]

    def _of_positions(self, domain: Expr, position: Type, before: list[Statement]) -> Parts:
        """Return the parts of np.ndindex(shape): its positions are listed first."""
        listed = call(global_("list", list), domain, type_=Sequence(position, list))
        held = self.fresh.named(listed, "positions", before, domain.span, Role.TERM)
        return length_of(held), lambda k: subscript(held, k, position)

    def _of_elements(
        self, array: Expr, given: Callable[[Item, Item], Item], before: list[Statement]
    ) -> Parts:
        """Return the parts of u.flat, or of np.ndenumerate(u): the elements in their order."""
        if not isinstance(array.type, Array) or not array.type.lengths:
            return None
        held = self.named(array, before)
        ndindex = global_("np.ndindex", np.ndindex)
        position = Tuple((WHOLE,) * array.type.rank)
        found = self._of_positions(call(ndindex, attribute(held, "shape")), position, before)
        if found is None:
            return None
        length, place = found
        number = Number(array.type.dtype, True)
        return length, given(place, lambda k: subscript(held, place(k), number))

    def named(self, domain: Expr, before: list[Statement]) -> Expr:
        """Return a name for what a loop goes over, or begins at: the loop may rebind the user's."""
        if is_written_out(domain):
            return domain
        if domain.op == "name":
            return self.fresh.named(domain, domain.data.name, before, domain.span)
        is_chosen = calls(domain, list) and calls_one(domain.args[1], "choices")
        wanted = "choices" if is_chosen else "gone_through"
        wanted = "first" if isinstance(domain.type, Number) else wanted
        return self.fresh.named(domain, wanted, before, domain.span, Role.TERM)


def side_by_side(domain: Expr) -> Iterator[Expr]:
    """Yield what a domain goes through, item by item: of zip(xs, enumerate(ys)) xs and ys."""
    if any(calls(domain, each) for each in (zip, enumerate, reversed)):
        yield from (found for arg in domain.args[1:] for found in side_by_side(arg))
    else:
        yield domain


def _with_slice(made: Let, read: Expr) -> Expr | None:
    """Return the slice that a name stands for."""
    return made.value if read.op == "name" and read.data == made.target else None


def ends_of(domain: Expr) -> tuple[int, int] | None:
    """Return how many items a slice leaves out at the start and at the end of what it is one of."""
    if domain.op != "subscript" or domain.args[1].op != "slice":
        return None
    lower, upper, step = domain.args[1].args
    first, last = (0 if is_none(each) else spelled(each) for each in (lower, upper))
    if not is_none(step) or not (isinstance(first, int) and isinstance(last, int)):
        return None
    if first < 0 or last > 0:
        return None
    return None if last == 0 and not is_none(upper) else (first, -last)


def _is_slice_of_array(domain: Expr) -> bool:
    """Tell whether a slice is a view of an array with a name."""
    is_slice = ends_of(domain) is not None
    return is_slice and domain.args[0].op == "name" and isinstance(domain.args[0].type, Array)


def _cut(domain: Expr) -> tuple[Expr, int] | None:
    """Return what a slice is one of, and how many items it leaves out; a name leaves out none."""
    ends = ends_of(domain)
    if ends is not None and domain.args[0].op == "name":
        return domain.args[0], sum(ends)
    return (domain, 0) if domain.op == "name" else None


def _may_write(body: Block, held: Expr) -> bool:
    """Tell whether a body may write to a list, or to one of its kind."""
    site = getattr(held.type, "site", None)
    for statement in statements(body):
        if isinstance(statement, Store | RegionOp):
            base = statement.target if isinstance(statement, Store) else statement.base
            if any(getattr(each.type, "site", None) == site for each in nodes(base)):
                return True
        elif isinstance(statement, Copied) or not getattr(statement, "effect", PURE).is_pure:
            return True
    return False


def _more(number: Expr, count: int) -> Expr:
    return number if count == 0 else Expr("binary", (number, whole(count)), "+", WHOLE)


def _less(number: Expr, count: int) -> Expr:
    if number.op == "constant":
        return whole(number.data - count)
    return number if count == 0 else Expr("binary", (number, whole(count)), "-", WHOLE)


def _together(*items: Item) -> Item:
    """Return the tuple of several items at one position."""

    def at(k: Expr) -> Expr:
        found = tuple(item(k) for item in items)
        return Expr("tuple", found, None, Tuple(tuple(each.type for each in found)))

    return at


def is_plain(loop: For) -> bool:
    """Tell whether a loop goes over a range, forwards, with one name."""
    domain = loop.domain
    return isinstance(loop.target, Variable) and calls(domain, range)


def item_type(type_: Type, regions: Regions) -> Type | None:
    """Return the type of what stands at a position; None if positions are not what is asked for."""
    match type_:
        case Array(_, lengths) if lengths:
            return type_.row
        case Numeric():
            return replace(type_, token=None, lengths=None)
        case Sequence(item, cls) if cls in (tuple, range, list):
            return item
        case Tuple(items):
            return joined_types(list(items))
        case Reference(site) if site in regions and regions[site].kind == "list":
            return regions[site].item
        case Other(cls) if cls is str:
            return type_
    return None


def domain_item(domain: Expr, regions: Regions) -> Type | None:
    """Return the type of what a domain gives in each pass."""
    base = dict_of_view(domain)
    if base is None:
        return item_type(domain.type, regions)
    key, item = dict_types(base.type, regions)
    word = domain.args[0].data
    if word == "keys" or item is None:
        return key if word == "keys" else None
    return item if word == "values" else Tuple((key, item))


def _items_of_several_kinds(domain: Expr) -> tuple[Type, ...]:
    """Return the types of what a tuple holds, where they differ in kind."""
    items = domain.type.items if isinstance(domain.type, Tuple) else ()
    return () if joined_types(list(items)) is not None else items


def changes_domain(loop: For) -> bool:
    """Tell whether a loop changes how long a list is that it goes over."""
    over = (held.type for held in gone_over(loop.domain))
    sites = {type_.site for type_ in over if isinstance(type_, Reference)}
    changed = (s.base.type for s in statements(loop.body) if isinstance(s, RegionOp))
    return any(getattr(type_, "site", None) in sites for type_ in changed)


def gone_over(domain: Expr) -> Iterator[Expr]:
    """Yield the containers that a domain goes over as they are: no copies, no displays."""
    if domain.op == "call" and domain.args[0].op == "global" and not is_copy(domain):
        for arg in domain.args[1:]:
            yield from gone_over(arg)
    elif (base := dict_of_view(domain)) is not None:
        yield base
    elif domain.op not in DISPLAYS and not is_copy(domain):
        yield domain


def bound_to_parts(target: Pattern, value: Expr, loop: For) -> Iterator[Statement]:
    """Yield the statements that bind a target to an item, part by part where it is a tuple."""
    if target is None:
        return
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        for part, each in zip(target, value.args, strict=True):
            yield from bound_to_parts(part, each, loop)
        return
    yield Let(target, value, loop.span)


def _binds(body: Block, variable: Variable) -> bool:
    from_patterns = (s for s in body if isinstance(s, Let))
    return any(s.target == variable for s in from_patterns)


def _surely_equal(args: tuple[Expr, ...]) -> bool:
    lengths = [known_length(arg) for arg in args]
    return lengths[0] is not None and all(length == lengths[0] for length in lengths)


def known_length(expr: Expr) -> Length | None:
    """Return the length of an array, a tuple or a constant of the module; None where it is not known."""
    if isinstance(expr.type, Tuple):
        return Length((), len(expr.type.items))
    if expr.op == "global" and isinstance(expr.data.value, list | tuple):
        return Length((), len(expr.data.value))
    return expr.type.lengths[0] if isinstance(expr.type, Array) and expr.type.lengths else None
