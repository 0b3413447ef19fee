"""Which spellings of a rule a user can write here, and the names that they are written with."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from s2sad.legacy.program import Expr, Ref
from s2sad.legacy.templating import PRINTED_FUNCTION
from s2sad.legacy.traverse import transform, walk

KNOWN = ("np", "math", "scipy")


def exists(pattern: Expr) -> bool:
    """Tell whether a user can write it: this NumPy has it, and it is not a printed function."""
    refs = [part for part in walk(pattern) if isinstance(part, Ref)]
    return not any(
        type(ref.value) is object or (isinstance(ref.value, str) and ref.value == PRINTED_FUNCTION)
        for ref in refs
    )


def with_plain_names(expr: Expr) -> tuple[Expr, dict[str, Any]]:
    """Return an expression that calls functions of users by one word, and what its names mean."""
    space: dict[str, Any] = {"np": np, "math": math, "scipy": sys.modules.get("scipy")}

    def plain(part: Expr) -> Expr:
        if not isinstance(part, Ref) or part.text.split(".")[0] in KNOWN:
            return part
        name = part.text.rpartition(".")[2]
        space[name] = part.value
        return Ref(name, part.value)

    return transform(expr, plain), space
