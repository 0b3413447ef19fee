"""Operations on displays of any length: rules made to measure, which no template can spell.

np.stack((a, b))    ->    part_0_bar = y_bar[0] ; part_1_bar = y_bar[1]
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.expression import Expr
from s2sad.ir.types import Region, Site
from s2sad.operators.match import Match


def find(expr: Expr, regions: Mapping[Site, Region]) -> Match | None:
    """Return the rule of an operation that takes any number of operands."""
    return None


def is_known(expr: Expr) -> bool:
    """Tell whether there is such a rule for some operands of a function."""
    return False
