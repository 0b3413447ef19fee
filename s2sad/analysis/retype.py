"""Types that lowering did not know, found once own functions stand in place of their calls.

value = self_items[k]        value: Unknown       ->    Number
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from s2sad.analysis.loops import domain_item
from s2sad.analysis.memory import types_of
from s2sad.ir.errors import S2sadError
from s2sad.ir.expression import Expr, Pattern, Variable
from s2sad.ir.program import For, Function, RegionOp, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import UNKNOWN, Array, Number, Other, Reference, Region, Site, Tuple, Type
from s2sad.ir.walk import nodes_in, own_nodes, rewritten, statements, with_expressions, with_nodes
from s2sad.types import Fails

MOST_ROUNDS = 4
ITEM, KEY = object(), object()  # what a list or mapping holds, and under which keys
SAME_KIND = frozenset({"+", "-", "*"})  # of two numbers, or arrays, of one kind
COPIED = frozenset({"copy.copy", "copy.deepcopy", "deepcopy"})
TAKING = frozenset({"pop", "popitem", "del", "remove", "discard", "clear"})
LEFT = frozenset({"global", "constant", "function", "comprehension", "generator", "slice"})


def retyped(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
    regions: dict[Site, Region],
) -> Function:
    """Return a function with types where they were not known; what regions hold is found, too."""
    function = _in_rounds(function, infer, join, regions)
    is_plain = all(isinstance(p.type, Number | Array | Other) for p in function.parameters)
    if not is_plain or not _count(function):  # of containers names may be rebound to arrays
        return function
    return _assumed(function, infer, join, regions)


def agreed(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
    regions: Mapping[Site, Region],
) -> Function:
    """Return a function whose names and items are floats wherever one of their values is.

    What was taken for a whole number, where its default is one, would not vary.
    """
    while True:
        made = _agreed_once(function, infer, types_of(function, join), regions)
        if made is function:
            return made
        function = made


def _agreed_once(
    function: Function,
    infer: Callable[[Expr], Expr],
    types: Mapping[Variable, Type],
    regions: Mapping[Site, Region],
) -> Function:
    def held(node: Expr) -> Type:
        return types.get(node.data, UNKNOWN) if node.op == "name" else _slot(node, regions)

    def is_other(node: Expr) -> bool:
        is_whole = isinstance(node.type, Number) and node.type.dtype[0] in "iu"
        return is_whole and getattr(held(node), "dtype", " ")[0] in "fc"

    if not any(map(is_other, nodes_in(function.body))):
        return function

    def change(node: Expr) -> Expr | None:
        if is_other(node):
            return node.typed(held(node))
        is_whole = getattr(node.type, "dtype", "f")[0] in "iu" and node.op in ("binary", "unary")
        return infer(node) if is_whole else None

    return replace(function, body=with_nodes(function.body, change))


def _slot(node: Expr, regions: Mapping[Site, Region]) -> Type:
    """Return the type of what a container holds at a place."""
    if node.op not in ("subscript", "attribute") or not isinstance(node.args[0].type, Reference):
        return UNKNOWN
    region = regions.get(node.args[0].type.site)
    if region is None or region.kind != "fields":
        return UNKNOWN if region is None or node.op == "attribute" else region.item
    key = node.data if node.op == "attribute" else node.args[1].data
    return region.fields.get(key, UNKNOWN) if isinstance(key, str | int) else UNKNOWN


def _assumed(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
    regions: dict[Site, Region],
) -> Function:
    """Return a function in which what depends on itself is what the rest of it is.

    total = step(total)     a number at first, so that a step of a number is a number: it is one

    Each round begins with the function as it was and what the last round found, until nothing
    changes. It holds if all has been found: nothing was taken for what it is not.
    """
    before, made = dict(regions), function
    taken = types_of(function, join, True)
    for _ in range(2 * MOST_ROUNDS):
        made = _retyped_by(function, taken, infer, regions)
        last, held = taken, dict(regions)
        taken = types_of(made, join, True)
        regions.update(before)
        refine(made, regions, join, True)
        if (taken, regions) == (last, held):
            plainly = dict(before)
            refine(made, plainly, join)
            if (types_of(made, join), plainly) == (taken, regions):
                return made
            break
    regions.update(before)
    return function


def _in_rounds(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
    regions: dict[Site, Region],
) -> Function:
    for _ in range(MOST_ROUNDS):
        is_new = refine(function, regions, join)
        unknown = _count(function)
        if not unknown:
            return function
        function = _retyped_by(function, types_of(function, join), infer, regions)
        if _count(function) == unknown and not is_new:
            return function
    return function


def _retyped_by(
    function: Function,
    types: Mapping[Variable, Type],
    infer: Callable[[Expr], Expr],
    regions: Mapping[Site, Region],
) -> Function:
    """Return a function with types of what is made of variables and regions of these types."""
    retyper = _Retyper(dict(types), infer, regions)
    for statement in statements(function.body):
        match statement:
            case For(target=target, domain=domain):
                retyper.bind(target, domain_item(domain, regions))
            case RegionOp(target=target, base=Expr(type=Reference(site)), method="pop"):
                retyper.bind(target, regions[site].item if site in regions else None)
    return replace(function, body=rewritten(function.body, retyper.statement))


def _count(function: Function) -> int:
    """Return how many values there are of which nothing is known."""
    return sum(map(_is_open, nodes_in(function.body)))


def _is_open(expr: Expr) -> bool:
    return _is_unknown(expr.type) and expr.op not in LEFT


def _is_unknown(type_: Type) -> bool:
    """Tell whether nothing is known of a value, or of an item of a tuple."""
    if isinstance(type_, Tuple):
        return any(map(_is_unknown, type_.items))
    return type_ == UNKNOWN


@dataclass(slots=True)
class _Retyper:
    types: dict[Variable, Type]
    infer: Callable[[Expr], Expr]
    regions: Mapping[Site, Region]

    def statement(self, statement: Statement) -> Statement:
        if not any(map(_is_open, own_nodes(statement))):
            return statement
        return with_expressions(statement, self.expression)

    def expression(self, expr: Expr) -> Expr:
        if expr.op == "comprehension":
            return self.comprehension(expr)
        if expr.op in LEFT:
            return expr
        if expr.op == "name":
            known = self.types.get(expr.data, UNKNOWN)
            return expr.typed(known) if _is_unknown(expr.type) and known != UNKNOWN else expr
        made = expr.with_args(self.expression(arg) for arg in expr.args)
        if not _is_unknown(made.type) or any(
            a.type == UNKNOWN for a in made.args if a.op == "name"
        ):
            return made
        kept = self.of_container(made)
        if kept != UNKNOWN:
            return made.typed(kept)
        try:
            return self.infer(made)
        except (Fails, S2sadError):
            return made

    def comprehension(self, expr: Expr) -> Expr:
        """Return a comprehension with types for what it binds."""
        element, *generators = expr.args
        made = []
        for generator in generators:
            domain = self.expression(generator.args[0])
            self.bind(generator.data, domain_item(domain, self.regions))
            tests = (self.expression(test) for test in generator.args[1:])
            made.append(generator.with_args((domain, *tests)))
        return expr.with_args((self.expression(element), *made))

    def bind(self, pattern: Pattern, type_: Type | None) -> None:
        match pattern:
            case Variable() if type_ is not None:
                if _is_unknown(self.types.get(pattern, UNKNOWN)):
                    self.types[pattern] = type_
            case tuple() if isinstance(type_, Tuple) and len(type_.items) == len(pattern):
                for part, item in zip(pattern, type_.items, strict=True):
                    self.bind(part, item)

    def of_container(self, expr: Expr) -> Type:
        """Return the type of a copy of a container."""
        if expr.op != "call" or expr.data:
            return UNKNOWN
        function, *args = expr.args
        is_copied = function.op == "global" and function.data.text in COPIED and len(args) == 1
        return args[0].type if is_copied else UNKNOWN


# ---------------------------------------------------------------------------- regions


def refine(
    function: Function,
    regions: dict[Site, Region],
    join: Callable[[Type, Type], Type | None],
    assumes: bool = False,
) -> bool:
    """Find out what containers hold from what is put into them; tell whether anything is new."""
    puts: dict[tuple[Site, object], list[Type]] = {}
    for statement in statements(function.body):
        for site, key, type_ in _put(statement):
            if not assumes or not _is_unknown(type_):
                puts.setdefault((site, key), []).append(type_)
    changed = False
    for site, region in list(regions.items()):
        new = _refined(region, puts, join)
        if new != region:
            regions[site] = new
            changed = True
    return changed


def _refined(
    region: Region,
    puts: Mapping[tuple[Site, object], list[Type]],
    join: Callable[[Type, Type], Type | None],
) -> Region:
    def known(type_: Type, key: object) -> Type:
        found = puts.get((region.site, key), [])
        if not _is_unknown(type_) or not found or any(map(_is_unknown, found)):
            return type_
        made: Type | None = found[0]
        for other in found[1:]:
            made = None if made is None else made if made == other else join(made, other)
        return UNKNOWN if made is None else made

    if region.is_parameter:
        return region
    if region.kind == "fields":
        fields = {key: known(type_, key) for key, type_ in region.fields.items()}
        return replace(region, fields=fields)
    return replace(region, item=known(region.item, ITEM), key=known(region.key, KEY))


def _put(statement: Statement) -> Iterator[tuple[Site, object, Type]]:
    """Yield what a statement puts into containers: where, under which key, and its type."""
    for node in own_nodes(statement):
        if isinstance(node.type, Reference):
            yield from _made(node, node.type.site)
    match statement:
        case Store(target=target, op=op, value=value) if target.args:
            base = target.args[0].type
            if isinstance(base, Reference):
                step = target.data if target.op == "attribute" else target.args[1].data
                stored = value.type if op == "=" or op in SAME_KIND else UNKNOWN
                yield base.site, step, stored
                yield base.site, ITEM, stored
                if op == "=" and target.op == "subscript":
                    yield base.site, KEY, target.args[1].type
        case RegionOp(base=base, method=method, args=args) if isinstance(base.type, Reference):
            if method in ("append", "insert"):
                yield base.type.site, ITEM, args[-1].type
            elif method == "setdefault" and len(args) > 1:
                yield base.type.site, ITEM, args[1].type
                yield base.type.site, KEY, args[0].type
            elif args and method not in TAKING:
                yield base.type.site, ITEM, UNKNOWN


def _made(node: Expr, site: Site) -> Iterator[tuple[Site, object, Type]]:
    match node.op:
        case "list":
            for arg in node.args:
                yield site, ITEM, UNKNOWN if arg.op == "starred" else arg.type
        case "dict":
            for item in node.args:
                is_one = item.op == "item"
                yield site, ITEM, item.args[1].type if is_one else UNKNOWN
                yield site, KEY, item.args[0].type if is_one else UNKNOWN
                if is_one:
                    yield site, item.args[0].data, item.args[1].type
        case "record":
            for named, value in zip(node.data.names, node.args, strict=True):
                yield site, named, value.type
        case "comprehension" if node.args[0].op == "item":
            yield site, KEY, node.args[0].args[0].type
            yield site, ITEM, node.args[0].args[1].type
        case "comprehension":
            yield site, ITEM, node.args[0].type
        case "name" | "subscript" | "attribute" | "conditional":
            return
        case _:
            yield site, ITEM, UNKNOWN
