"""What each of SciPy's solvers solves: what is solved for, what is read of it, what its derivative is.

TASKS["optimize.brentq"]     Task("root", ...): a number x, at which f(x, *args) is 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2sad.ir.records import dataclass
from s2sad.scipy.texts import flows, integrals, roots, systems

NUMBER, VECTOR, EITHER, FLOW = "number", "vector", "either", "flow"
Text = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Task:
    """A problem: the name of what solves it, and the texts of its derivative.

    `unknown` tells what is solved for: a number, a vector, either (as the start is), or a flow. The
    texts are those for numbers, then those for vectors. `attribute` is what is read of the object
    that is found, `is_first` tells that it comes first in a tuple. `ends` are arguments of the
    solver that the solution depends on, beside those of the function.
    """

    word: str
    unknown: str
    number: tuple[Text, Text] | None = None
    vector: tuple[Text, Text] | None = None
    attribute: str = ""
    is_first: bool = False
    ends: tuple[str, ...] = ()
    solves: bool = False

    @property
    def letter(self) -> str:
        """Return what the texts call what is found."""
        return "y" if self.solves or self.unknown == FLOW else "x"

    def texts(self, is_number: bool) -> tuple[Text, Text] | None:
        """Return how what is found is differentiated in reverse and forward; None: not at all."""
        return self.number if is_number else self.vector


ROOT = roots.root_reverse, roots.root_forward
SYSTEM = systems.system_reverse, systems.system_forward
MINIMUM = systems.minimum_reverse, systems.minimum_forward
BRACKETED = Task("root", NUMBER, ROOT)
STATES = flows.flow_reverse, flows.flow_forward
TASKS: Mapping[str, Task] = {
    "integrate.odeint": Task("flow", FLOW, None, STATES),
    "integrate.solve_ivp": Task("flow", FLOW, None, STATES, "y"),
    **{f"optimize.{n}": BRACKETED for n in ("brentq", "brenth", "ridder", "bisect", "toms748")},
    "optimize.newton": Task("root", EITHER, ROOT),
    "optimize.root_scalar": Task("root", NUMBER, ROOT, attribute="root"),
    "optimize.fixed_point": Task(
        "fixed_point",
        EITHER,
        (roots.fixed_reverse, roots.fixed_forward),
        (systems.fixed_reverse, systems.fixed_forward),
    ),
    "optimize.fsolve": Task("root", VECTOR, None, SYSTEM),
    "optimize.root": Task("root", VECTOR, None, SYSTEM, "x"),
    "optimize.minimize": Task("minimum", VECTOR, None, MINIMUM, "x"),
    "optimize.minimize_scalar": Task(
        "minimum", NUMBER, (roots.lowest_reverse, roots.lowest_forward), attribute="x"
    ),
    "optimize.least_squares": Task(
        "fit", VECTOR, None, (systems.fit_reverse, systems.fit_forward), "x"
    ),
    "optimize.curve_fit": Task("minimum", VECTOR, None, MINIMUM),
    "integrate.quad": Task(
        "integral",
        NUMBER,
        (integrals.integral_reverse, integrals.integral_forward),
        is_first=True,
        ends=("a", "b"),
        solves=True,
    ),
    "integrate.quad_vec": Task(
        "integral",
        NUMBER,
        (integrals.vector_reverse, integrals.vector_forward),
        is_first=True,
        ends=("a", "b"),
        solves=True,
    ),
}
