"""Fields of objects that are set and never read are left out: names, numbers and counters of objects.

body.name = f"b{n}"      nothing, where no line reads the name of a body
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from s2sad.ir.expression import Expr, object_of
from s2sad.ir.program import Copied, Function, Program, Return, Statement, Store, Try
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Reference, Region, Regions, Site, Type, types_in
from s2sad.ir.walk import own_nodes, rewritten, statements

# what goes through its items, and reads no field of them
OF_ITEMS = (list, tuple, zip, enumerate, reversed, len, iter, next, range, sum)


def without_unread_fields(program: Program) -> Program:
    """Return a program that sets no field of its own objects which nobody reads."""
    every = statements(program.body)
    own = {
        s for s, r in program.regions.items() if r.kind == "fields" and r.cls not in (dict, list)
    }
    if not own or any(isinstance(each, Copied) for each in every):
        return program
    kept = {s for s, r in program.regions.items() if r.is_parameter}
    own -= kept | _reached(_seen_outside(program, every), program.regions)
    read = {node.data for each in every for node in _read(each) if node.op == "attribute"}
    tried = [s for each in every if isinstance(each, Try) for s in statements(each.body)]
    read |= {_set_in(each, own) for each in tried}  # what they are set to may fail
    unread = {_set_in(each, own) for each in every} - read - {None}
    if not unread:
        return program
    regions = {
        site: _without(each, unread) if site in own else each
        for site, each in program.regions.items()
    }

    def kept_of(function: Function) -> Function:
        body = rewritten(function.body, lambda s: None if _set_in(s, own) in unread else s)
        return replace(function, body=body)

    return without_unread_fields(replace(program, regions=regions).mapped(kept_of))


def _without(region: Region, unread: set[Any]) -> Region:
    fields = {key: type_ for key, type_ in region.fields.items() if key not in unread}
    return replace(region, fields=fields, born=region.born - unread)


def _set_in(each: Statement, own: set[Site]) -> Any:
    """Return which field of such objects a statement gives a value: it changes none in place."""
    if not isinstance(each, Store) or each.target.op != "attribute":
        return None
    of = each.target.args[0].type
    is_own = isinstance(of, Reference) and of.site in own
    return each.target.data if is_own and _is_new(each) else None


def _is_new(store: Store) -> bool:
    """Tell whether a store puts another value into its place: `o.a *= 2` of an array writes to that."""
    return store.op == "=" or isinstance(store.target.type, Number)


def _read(each: Statement) -> Iterator[Expr]:
    """Yield the nodes that a statement reads: not the field that it sets."""
    target = each.target if isinstance(each, Store) and _is_new(each) else None
    return (node for node in own_nodes(each) if node is not target or node.op != "attribute")


def _seen_outside(program: Program, every: list[Statement]) -> list[Type]:
    """Return the types of what is returned, or handed to functions that may read any field."""
    found = [s.value.type for s in statements(program.function.body) if isinstance(s, Return)]
    for node in (n for each in every for n in own_nodes(each)):
        if node.op == "call" and node.args[0].op != "function":
            if not any(object_of(node.args[0]) is each for each in OF_ITEMS):
                found += [arg.type for arg in node.args]
        elif node.op in ("compare", "formatted"):
            found += [arg.type for arg in node.args]
    return found


def _reached(types: Iterable[Type], regions: Regions) -> set[Site]:
    """Return the regions that values of some types are, or hold."""
    found: set[Site] = set()
    waiting = list(types)
    while waiting:
        for each in types_in(waiting.pop()):
            if isinstance(each, Reference) and each.site not in found:
                found.add(each.site)
                region = regions.get(each.site)
                waiting += (
                    [] if region is None else [region.item, region.key, *region.fields.values()]
                )
    return found
