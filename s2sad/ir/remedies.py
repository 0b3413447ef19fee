"""What a user is told of what the rooms do not differentiate: the problem, its line and a remedy.

NotYet("a list that is sorted by a key", span)   ->   Unsupported: a list that is sorted by a key
                                                      is not differentiated ... Sort positions ...
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from s2sad.ir.errors import NotYet, Refused, S2sadError, Unfollowed, Unsupported, gather

PLAIN = (
    "Write it with plain assignments, lists and loops, give it a derivative of your own "
    "(s2sad.custom_derivative), or stop it: s2sad.stop_gradient."
)

# the first phrase that a reason holds says what to write instead
REMEDIES: tuple[tuple[str, str], ...] = (
    ("np.vectorize", "NumPy takes the kind of the first: return floats, 0.0 in place of 0."),
    ("sorted by a key", "Sort by np.argsort of the keys, and take the items in its order."),
    ("recursion", "Write it as a loop."),
    ("generator", "Make a list of what it yields, and go through that."),
    ("iterator", "Make a list of its items, and go through that."),
    ("gone through", "Make a list of its items, and go through that."),
    ("of the module", "Make it inside the function, or hand it over and return what is changed."),
    ("try", "Test before what may fail, with an `if`, and compute outside of the `try`."),
    ("many directions", "Take one direction at a time, or reverse mode."),
    ("schedule", "Let passes hand on numbers and arrays of one shape under names of their own."),
    ("return", "Set a result on every way, and return it at the end."),
    ("break or continue", "Put what follows under an `if`."),
    ("under two names", "Make a copy of one of them."),
    ("dict", "Use keys that are written out, or lists."),
    ("a list", "Use an array, or make a new list: [f(item) for item in items]."),
    ("in place", "Make a new value: x = x + y."),
)


def refusal(fault: NotYet) -> S2sadError:
    """Return what a user sees of what no way could do."""
    if isinstance(fault, Refused):
        return fault.error
    problem = f"{fault.reason} is not differentiated"
    return Unsupported(problem, fault.span, _remedy(fault.reason))


def _remedy(reason: str) -> str:
    return next((remedy for phrase, remedy in REMEDIES if phrase in reason), PLAIN)


@contextmanager
def in_one_report(missing: list[S2sadError]) -> Iterator[None]:
    """Refuse all that was found to be missing on the way, whatever else failed: it may follow."""
    try:
        yield
    except Unfollowed:
        raise
    except Refused as fault:
        raise Refused(gather((*missing, fault.error))) if missing else fault from None
    except Exception:
        if not missing:
            raise
    if missing:
        raise Refused(gather(missing))
