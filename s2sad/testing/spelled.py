"""Which spellings of a rule a user can write here, and the names that they are written with."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators import printed
from s2sad.operators.modules import MISSING

KNOWN = ("np", "math", "scipy")


def exists(pattern: Expr) -> bool:
    """Tell whether a user can write it: this NumPy has it, and it is not a printed function."""
    values = [node.data.value for node in nodes(pattern) if node.op == "global"]
    return not any(value is MISSING or printed.name_of(value) for value in values)


def with_plain_names(expr: Expr) -> tuple[Expr, dict[str, Any]]:
    """Return an expression that calls functions of users by one word, and what its names mean."""
    space: dict[str, Any] = {"np": np, "math": math, "scipy": sys.modules.get("scipy")}

    def plain(node: Expr) -> Expr | None:
        if node.op != "global" or node.data.text.split(".")[0] in KNOWN:
            return None
        name = node.data.text.rpartition(".")[2]
        space[name] = node.data.value
        return global_(name, node.data.value)

    return rebuilt(expr, plain), space
