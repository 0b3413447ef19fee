"""Turns a function object into its source: text, gast tree, comments, and what its names mean.

source = source_of(f)
resolve_dotted(source, node_of("np.sin"))    ("np.sin", <ufunc 'sin'>)
locals_of(source.tree)                       frozenset({"x", "total"})
"""

from s2sad.legacy.parse.functions import FUNCTION_TYPES, Tabulated, is_function, name_of
from s2sad.legacy.parse.imports import canonical, held_as, is_same
from s2sad.legacy.parse.jitted import python_of
from s2sad.legacy.parse.remade import namespace, refuse_nonlocal, remade
from s2sad.legacy.parse.scopes import (
    WRITING_FUNCTIONS,
    assigned_names,
    bound_in,
    bound_names,
    changed_by_call,
    changed_names,
    free_names,
    is_bound,
    locals_of,
    reads_of,
    rebound_names,
    root_of,
)
from s2sad.legacy.parse.source import (
    MISSING,
    Comment,
    Source,
    resolve,
    resolve_dotted,
    signature_of,
    source_of,
    span,
)
from s2sad.legacy.parse.surely import surely_bound

__all__ = [
    "FUNCTION_TYPES",
    "MISSING",
    "WRITING_FUNCTIONS",
    "Comment",
    "Source",
    "Tabulated",
    "assigned_names",
    "bound_in",
    "bound_names",
    "canonical",
    "changed_by_call",
    "changed_names",
    "free_names",
    "held_as",
    "is_bound",
    "is_function",
    "is_same",
    "locals_of",
    "name_of",
    "namespace",
    "python_of",
    "reads_of",
    "rebound_names",
    "refuse_nonlocal",
    "remade",
    "resolve",
    "resolve_dotted",
    "root_of",
    "signature_of",
    "source_of",
    "span",
    "surely_bound",
]
