"""The command line: one module for each command, or for a few that are alike.

    s2sad grad model.py:misfit --wrt W,m --check -o misfit_grad.py
    s2sad hessian model.py:misfit --wrt m

The module of a command has `run(options)`, which returns the exit status. Its row in COMMANDS and its
options (in `main.py`) are all that the command line knows of it before it is run, so that help and
mistakes cost nothing. It stands on the public functions, as a user's own program would.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """The module of a command, and what it does in a few words."""

    module: str
    purpose: str


COMMANDS = {
    "grad": Command("derivatives", "write the gradient of a scalar function"),
    "value-and-grad": Command("derivatives", "write the value together with the gradient"),
    "vjp": Command("derivatives", "write adjoints pulled back from a seed"),
    "jvp": Command("derivatives", "write the value and its tangent along a direction"),
    "jacobian": Command("derivatives", "write the Jacobian"),
    "hessian": Command("derivatives", "write the Hessian of a scalar function"),
    "hvp": Command("derivatives", "write the product of the Hessian with a direction"),
    "directional": Command("derivatives", "write the derivatives along many directions at once"),
    "explain": Command("views", "print what a gradient keeps, and its peak of memory"),
    "show": Command("views", "print a function as it stands after a stage"),
    "graph": Command("views", "print the dataflow of a gradient in the language of Graphviz"),
    "check": Command("check", "tell which saved derivatives are out of date or edited"),
    "verify": Command("verify", "compare a derivative written by hand with its function"),
    "embed": Command("embed", "refresh the derivatives between markers of a script"),
    "help": Command("refusal", "print the page about a refusal"),
    "report": Command("views", "write a page about a function and its gradient"),
    "debug": Command("views", "find the first value that is no finite number"),
    "why": Command("views", "say where a zero derivative is cut off"),
}
