"""What a function is called with, by which its text is rewritten (rewriting.py)."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from s2sad.ir.records import dataclass, field, replace
from s2sad.source.trees import nodes_of


@dataclass(frozen=True, slots=True)
class Partial:
    """A function that is given some of its arguments: so many by position, and these by name."""

    function: Any
    count: int
    keywords: tuple[str, ...]

    @property
    def __name__(self) -> str:
        return str(self.function.__name__)


# *args and **kwargs stay what they are
AS_IT_IS = -1


@dataclass(frozen=True, slots=True)
class Fit:
    """What a function is called with: functions by parameter, how many more, which keywords.

    `constants` are values of parameters that are given once for all, `defaults` those that a call
    may give another, by name. `names` are what *args holds is called, as far as that is known.
    """

    functions: Mapping[str, Any]
    more: int
    keywords: tuple[str, ...]
    constants: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    empty: frozenset[str] = frozenset()

    def for_text(self, tree: Any) -> Fit:
        """Return the same for one text: a function whose parameter is given another is assigned.

        kernel = kernel or np.exp        kernel = kernel_given; kernel = kernel or np.exp
        """
        names = (part for part in nodes_of(tree) if isinstance(part, ast.Name))
        stored = {part.id for part in names if not isinstance(part.ctx, ast.Load)}
        again = {
            param: value
            for param, value in self.functions.items()
            if param in stored and not isinstance(value, Partial)
        }
        kept = {param: value for param, value in self.functions.items() if param not in again}
        return replace(self, functions=kept, constants={**self.constants, **again})
