"""Which parameters a function writes to, be it read or not.

def scale(y, c):            {"y"}
    y[:] = c * y
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.following import goes_far
from s2sad.legacy.program import Program
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.through import written_through
from s2sad.source.installed import is_installed, is_of_the_system
from s2sad.source.text import signature_of, source_of
from s2sad.source.trees import nodes_of

Normalise = Callable[[Any], Program]


def is_left_alone(function: Any) -> bool:
    """Tell whether nothing is asked of what a function does."""
    return is_of_the_system(function) or goes_far(function)


@by_rules(meanwhile=lambda function, normalise: seems_to_write(function))
def written_by(function: Any, normalise: Normalise) -> frozenset[str]:
    """Return the parameters of a function that it writes to."""
    from s2sad.legacy.conflicts import written_params  # storage stands after this in the pipeline

    if is_left_alone(function):
        return seems_to_write(function)
    try:
        return written_params(normalise(function))
    except (S2sadError, RecursionError):
        return seems_to_write(function) | _writes_through(function)


def _writes_through(function: Any) -> frozenset[str]:
    """Return the parameters that a function which cannot be normalised hands to what writes."""
    if is_installed(function):
        return frozenset()  # a library's is not asked for more than it shows
    try:
        source = source_of(function)
    except S2sadError:
        return frozenset()
    found = written_through(source.tree.body, source, shown_writes, source.locals)
    return found & {*signature_of(source.function).parameters}


def shown_writes(function: FunctionType) -> frozenset[str]:
    """Return the parameters of a function that it writes to; of a library's, what its text shows."""
    from s2sad.legacy.normalise import wide  # it stands after this in the pipeline

    return seems_to_write(function) if is_installed(function) else written_by(function, wide)


def seems_to_write(function: Any) -> frozenset[str]:
    """Return the parameters that a function which cannot be normalised stores into."""
    try:
        tree = source_of(function).tree
    except S2sadError:
        return frozenset()
    return params_stored_into(tree)


def params_stored_into(tree: Any) -> frozenset[str]:
    """Return the parameters in a function's syntax whose objects that itself writes to.

    They are looked for once: a function may be called in each line of another.
    """
    found: frozenset[str] | None = getattr(tree, "s2sad_stored_into", None)
    if found is None:
        own = (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)
        stored = {name for part in nodes_of(tree) for name in _stored_into(part)}
        found = tree.s2sad_stored_into = frozenset({arg.id for arg in own} & stored)
    return found


def _stored_into(node: Any) -> Iterator[str]:
    """Yield the names whose object a syntax node writes to."""
    targets = [node.target] if isinstance(node, gast.AugAssign) else []
    if isinstance(node, gast.Subscript | gast.Attribute) and isinstance(node.ctx, gast.Store):
        targets.append(node.value)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        targets += [node.func.value] if node.func.attr in MUTATING else []
    for target in targets:
        while isinstance(target, gast.Subscript | gast.Attribute):
            target = target.value
        if isinstance(target, gast.Name):
            yield target.id


MUTATING = frozenset(
    "append extend insert remove pop clear sort reverse fill put itemset resize setfield "
    "partition update setdefault popitem add discard".split()
)
