"""Functions that are written for a solver, as texts that can be read like any other.

misfit_of(line)    def line_misfit(p, xdata, ydata):
                       return 0.5 * np.sum(np.square(line(xdata, p[0], p[1]) - ydata))
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import count
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.legacy.pulled import called_name
from s2sad.source.files import run_text
from s2sad.source.fresh import free
from s2sad.source.text import signature_of

_numbers = count()  # texts of one name are told apart


def written(text: str, name: str, used: Mapping[str, Any]) -> FunctionType:
    """Return the function of a text, in which these names are used."""
    space: dict[str, Any] = {"np": np, **used}
    run_text(text, f"<s2sad {name} {next(_numbers)}>", space)
    made: FunctionType = space[name]
    return made


@cache
def misfit_of(function: FunctionType, weighted: bool = False) -> FunctionType:
    """Return what scipy.optimize.curve_fit makes as small as it can: half a sum of squares.

    What is `weighted` is divided by sigma, the standard deviations.
    """
    name = called_name(function)
    called = free(name, {"p", "xdata", "ydata", "sigma", "np"})
    further = "".join(f", p[{at}]" for at in range(len(signature_of(function).parameters) - 1))
    missed = f"{called}(xdata{further}) - ydata"
    given = "p, xdata, ydata"
    refused = ""
    if weighted:
        missed, given = f"({missed}) / sigma", f"{given}, sigma"
        refused = """    if np.ndim(sigma) > 1:
        raise ValueError("sigma is differentiated as standard deviations, not as a matrix")
"""
    text = f'''def {name}_misfit({given}):
    """Return half the sum of the squares of what {name} misses ydata by."""
{refused}    return 0.5 * np.sum(np.square({missed}))
'''
    return written(text, f"{name}_misfit", {called: function})
