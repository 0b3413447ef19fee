"""Dicts that are given to one another are made lists of together, or not at all.

new = {}         new[k] = f(p[k])         p = new
"""

from __future__ import annotations

from dataclasses import replace

import gast

from s2sad.legacy.desugar.defaults import Default, default_of
from s2sad.legacy.desugar.listable import Uses, copied, handed_over, makes_dict
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Node, parents_of


def as_lists(nodes: list[Node], names: Names) -> dict[str, Default | None]:
    """Return the names of dicts that two lists can stand for, and what they make under new keys."""
    made: dict[str, list[Node]] = {}
    for each in nodes:
        if makes_dict(each, names):
            made.setdefault(each.targets[0].id, []).append(each)
    given = [(pair, each) for each in nodes for pair in [handed_over(each, names)] if pair]
    uses = Uses(nodes, parents_of(nodes), names, _reached(made, [pair for pair, _ in given], names))
    while True:
        found: dict[str, Default | None] = {}
        for group in _groups(uses.dicts, [pair for pair, _ in given]):
            anew = any(pair[0] in group and copied(each.value, names) for pair, each in given)
            found |= _of_group(group, made, anew, uses)
        if found.keys() == uses.dicts:
            return found
        uses = replace(uses, dicts=frozenset(found))


def _reached(
    made: dict[str, list[Node]], given: list[tuple[str, str]], names: Names
) -> frozenset[str]:
    """Return the names that are given a dict, whether it is made for them or not."""
    found = set(made)
    while more := {t for t, other in given if other in found and names.is_local(t)} - found:
        found |= more
    return frozenset(found)


def _groups(dicts: frozenset[str], given: list[tuple[str, str]]) -> list[set[str]]:
    groups = [{each} for each in sorted(dicts)]
    for pair in given:
        both = [group for group in groups if not group.isdisjoint(pair)]
        if dicts.issuperset(pair) and len(both) == 2:
            groups = [group for group in groups if group not in both] + [both[0] | both[1]]
    return groups


def _of_group(
    group: set[str], made: dict[str, list[Node]], anew: bool, uses: Uses
) -> dict[str, Default | None]:
    """Return the names of dicts that are given to one another; none of them where one does not fit."""
    found: dict[str, Default | None] = {}
    kinds = {name: _defaults(name, group, made, uses) for name in group}
    for target, defaults in kinds.items():
        if len(defaults) > 1 and uses.is_looked_into(target):
            return {}  # which of them has been given to the name tells what is under a new key
        found[target] = next(iter(defaults.values())) if len(defaults) == 1 else None
    if anew and any(default is not None for default in found.values()):
        return {}
    own = {target: made.get(target, []) for target in group}
    if not all(uses.are_of_lists(each, own[each], found[each] is not None) for each in group):
        return {}
    if any(map(uses.are_grown, group)):
        if anew or not all(uses.grow_alone(each, own[each]) for each in group):
            return {}
    return found


def _defaults(
    target: str, group: set[str], made: dict[str, list[Node]], uses: Uses
) -> dict[str, Default | None]:
    """Return what the dicts that a name may hold make under new keys, by their text."""
    givers = {target}
    while more := uses.givers(givers) & group - givers:
        givers |= more
    own = [each for giver in sorted(givers) for each in made.get(giver, ())]
    return {_told(default): default for each in own for default in [default_of(each, uses.names)]}


def _told(default: Default | None) -> str:
    value = None if default is None else default.value
    return "" if value is None else str(gast.dump(value))
