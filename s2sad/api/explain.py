"""What users call to see how a derivative is made, and what it takes.

print(s2sad.explain(misfit, like=(W, m, d)))
print(s2sad.show(misfit, "lowering"))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from s2sad.api.derive import request_for
from s2sad.api.display.short import short
from s2sad.api.options import Like, Rules, Wrt
from s2sad.api.texts import text_for
from s2sad.ir.errors import NotYet
from s2sad.ir.records import replace
from s2sad.ir.remedies import refusal
from s2sad.operators.schedules import Checkpoint

if TYPE_CHECKING:
    from s2sad.api.display.explanation import Explanation


@short
def explain(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> Explanation:
    """Return what the gradient keeps, saves and computes again for arguments, and its peak.

    Printed it is a table; `rows` and `peak` (in bytes, None where a loop's passes are not known
    before it runs, or no `like` is given) are for programs. What the arguments take is left out.
    For a text of another array module, `waits` are the lines that wait for the device.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def steps(u):
        ...     for _ in range(100):
        ...         u = u + 0.1 * np.sin(u)
        ...     return np.sum(u)
        >>> s2sad.explain(steps, like=(np.ones(1000),)).peak > 100 * 8000
        True
        >>> s2sad.explain(steps, like=(np.ones(1000),), checkpoint="sqrt").peak < 40 * 8000
        True
    """
    from s2sad.api.answer import tests_alone
    from s2sad.api.display.explanation import explained, measured

    kept: dict[str, Any] = {"checkpoint": checkpoint, "memory": memory}
    request = request_for("grad", function, wrt, like, rules=rules, arrays=arrays, **kept)
    try:
        found = measured(request, request.examples)
        told = explained(found)
    except NotYet as fault:
        raise refusal(fault) from None
    alone = (
        f"the result depends on {name} through tests alone" for name in tests_alone(found.made)
    )
    return replace(told, notes=tuple(alone))


@short
def show(
    function: Callable[..., Any],
    after: str,
    *,
    wrt: Wrt = None,
    mode: str = "reverse",
    like: Like = None,
    rules: Rules = None,
) -> str:
    """Return the function as it stands after a room on its way to its derivative.

    Rooms are "lowering", "analysis", "reverse", "checkpoint", "optimize" and "emit", which gives the
    text of the derivative; with `mode="forward"` they are "lowering", "forward", "optimize" and
    "emit". What comes back is a file that runs: of the function until its derivative is made.

    Raises:
        ArgumentError: a room that there is not.
        Unsupported: a function that the rooms do not take so far.

    Example:
        >>> def squares(x):
        ...     return np.sum(x * x)
        >>> print(s2sad.show(squares, "optimize", like=(np.ones(3),)))
        def squares_grad(x):
            # reverse sweep
            x_bar = 2.0 * x
            return x_bar
        <BLANKLINE>
    """
    form = "jvp" if mode == "forward" else "grad"
    request = request_for(form, function, wrt, like, mode=mode, rules=rules)
    if after == "emit":
        return text_for(request, request.examples).source
    from s2sad.api.stages import stage

    return stage(request, after)
