"""Functions with the adjoints that were written for them by hand, not with a look at what is emitted."""

from tests.benchmarks.experts import fields, fits, geometry, motion, networks, solvers
from tests.benchmarks.experts.case import Case

CASES: tuple[Case, ...] = tuple(
    case for module in (fits, networks, solvers, fields, motion, geometry) for case in module.CASES
)
__all__ = ["CASES", "Case"]
