"""What templates/containers.py says of lists and dicts, as statements with names and types.

spelled_out("pop", {"xs": xs, "place": k, "result": x}, ...)     position = range(len(xs))[k]
                                                                 x = xs.pop(position)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from s2sad.analysis.containers import dict_types, is_dict, whole
from s2sad.analysis.loops import WHOLE, domain_item, item_type
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Role, name
from s2sad.ir.program import Block, Let, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import UNKNOWN, Number, Other, Region, Sequence, Site, Tuple, Type
from s2sad.operators.reading import CONTAINERS
from s2sad.operators.statements import Statements, Words

POSITION = Number("uint64")  # it is not negative
# what is named for a statement alone: the text may do without
TERMS = frozenset({"each", "again", "order"})
GIVEN: Mapping[object, Type] = {
    len: WHOLE,
    min: WHOLE,
    max: WHOLE,
    range: Sequence(WHOLE, range),
    "index": WHOLE,
    "indices": Sequence(WHOLE, tuple),
}
TYPES: Mapping[str, Type] = {"binary": WHOLE, "compare": Number("bool"), "slice": Other(slice)}


def spelled_out(
    template: str,
    words: Words,
    item: Type,
    fresh: Fresh,
    regions: Mapping[Site, Region],
    span: Span | None,
) -> Block:
    """Return what a template says of a container of some items."""
    return SpelledOut(CONTAINERS, words, span, None, fresh, regions, item).made(template)


@dataclass(slots=True)
class SpelledOut(Statements):
    """Statements about containers; where it is not known what one holds, it is an `item`."""

    fresh: Fresh = field(default_factory=Fresh)
    regions: Mapping[Site, Region] = field(default_factory=dict)
    item: Type = UNKNOWN

    def declare(self, target: ast.expr, kind: str | None, value: Expr | None) -> None:
        """Give a name that is new its type."""
        type_ = self.of_kind(kind, value)
        if isinstance(target, ast.Tuple):
            types = type_.items if isinstance(type_, Tuple) else (UNKNOWN, self.item)
            for part, each in zip(target.elts, types, strict=True):
                self.name(part, each)
        else:
            self.name(target, type_)

    def name(self, target: ast.expr, type_: Type) -> None:
        """Let a name of a template be a variable, if it is new."""
        if isinstance(target, ast.Name) and target.id not in self.words:
            role = Role.TERM if target.id in TERMS else Role.PRIMAL
            self.words[target.id] = name(self.fresh.variable(target.id, role), type_)

    def of_kind(self, kind: str | None, value: Expr | None) -> Type:
        """Return the type of a name of some kind; what a loop binds has none."""
        match kind, value:
            case None, Expr():
                return domain_item(value, self.regions) or self.item
            case "Position", _:
                return POSITION
            case "Items", _:
                return Sequence(self.item, list)
        return UNKNOWN if value is None else value.type

    def bound(self, target: ast.expr | None, made: Expr) -> Iterator[Statement]:
        """Yield the statement that binds a value: a display is of the type of its name."""
        named = target.id if isinstance(target, ast.Name) else ""
        if made.op == "list" and named:
            made = made.typed(self.words[named].type)
        for each in Statements.bound(self, target, made):
            is_result = named == "result" and isinstance(each, Let)
            yield replace(each, span=made.span) if is_result else each  # it stands where it did

    def typed(self, expr: Expr) -> Expr:
        """Return a node with its type."""
        match expr:
            case Expr(op="unary", data="-", args=(Expr(op="constant", data=number),)):
                return whole(-number)
            case Expr(op="call", args=(function, *args)):
                return expr.typed(self.given(function, args))
            case Expr(op="subscript", args=(base, index)):
                return expr.typed(base.type if index.op == "slice" else self.item_of(base))
        return expr.typed(TYPES.get(expr.op, expr.type))

    def given(self, function: Expr, args: list[Expr]) -> Type:
        """Return the type of what a function gives."""
        called = function.data if function.op == "attribute" else function.data.value
        if called is not list:
            return GIVEN.get(called, UNKNOWN)
        is_keys = is_dict(args[0].type, self.regions)
        key, _ = dict_types(args[0].type, self.regions)
        return Sequence(key if is_keys else self.item_of(args[0]), list)

    def item_of(self, base: Expr) -> Type:
        """Return the type of what stands in a container."""
        if is_dict(base.type, self.regions):
            return dict_types(base.type, self.regions)[1] or self.item
        return item_type(base.type, self.regions) or self.item
