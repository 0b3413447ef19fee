"""What a user is told of what the rooms do not differentiate: the problem, its line and a remedy.

NotYet("a generator that is sent values", span)     a generator that is sent values is not
                                                    differentiated ... Make a list of it ...

The page of the docs that claims the message says what to write instead: so does the hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from s2sad.ir.errors import (
    ArgumentError,
    NotYet,
    Refused,
    S2sadError,
    Span,
    Unfollowed,
    Unsupported,
    gather,
)
from s2sad.ir.pages import page_of

GENERAL = (
    "Write it with plain assignments, lists and loops, give it a derivative of your own\n"
    "(s2sad.custom_derivative), or stop it: s2sad.stop_gradient."
)

# where the page is too general: by a phrase of the reason
PARTICULAR = (
    (
        "whole numbers on some ways",
        "NumPy takes the kind of the first: return floats, 0.0 in place of 0.",
    ),
    ("sorted by a key", "Sort by np.argsort of the keys, and take the items in its order."),
    ("of a list", "Use an array, or make a new list: [f(item) for item in items]."),
    (
        "so many blocks",
        "Set a result in one `if ... elif ... else`, or call functions for its parts.",
    ),
    (
        "that may be changed, for the arrays of",
        "Hand it in as an argument: it is an array of the device then.",
    ),
    ("no value in this `try`", "Give it a value before the `try`."),
    ("carried by an exception", "Give it a name before the `raise`, and read that."),
    ("a way of its own", "Keep what varies in plain fields, which an __init__ sets."),
    ("of its own is not", "Take its parts by their names: p.a, p.b."),
    ("a tuple of parts of arrays", "Make each array by a call of its own."),
    ("a list made by", "Take its parts one by one, by their places: a[0], a[1]."),
    (
        "of imaginary parts",
        "Store to the numbers themselves: z[k] = z[k].real + 1j * y.",
    ),
    (
        "on some ways alone",
        "Let it be one on all ways: x = tuple(x), or np.array(x), before.",
    ),
    (
        "no array and no list",
        "Make it an array, np.array(a), or a list of what it is to hold, [a, b], before.",
    ),
    ("function as data", "Keep what it is given in a list, and call the function with that."),
    ("in place", "Make a new value: x = x + y."),
    ("within an expression", "Call it in a statement of its own."),
    ("is left", "Set a result or a flag on every way, and return at the end."),
    ("inside, by a list", "Take it by one array, or with s2sad.grad by all."),
    ("by a list whose length", "Write its items out, [W, b], or give an array that stacks them."),
    (
        "holds no float or array",
        "Hand over numbers and arrays of floats, or lists, tuples and dicts of them.",
    ),
    ("a parameter that is called", "Give it another name."),
    (
        "may have operators of its own",
        "Compute it outside, and hand in the numbers and arrays of it.",
    ),
    ("cannot be imported", "Install it; or compute what it gives outside, and hand that in."),
)
# by the page of the refusal
HINTS = {
    "aliases": "Make them two arrays: copy with .copy() where the second name is made.",
    "names-without-a-value": "Give it a value on every path before this line.",
    "what-a-function-reads": "Return what is to be kept, and keep it where the function is called.",
    "functions-made-inside": "Call it where it is made, or give it what it reads as arguments.",
    "calls-that-write": "Let it return a new value, and assign that.",
    "generators": "Make a list of it where it is made: [...], or list(...).",
    "try": "Test before what may fail, with an `if`, and compute outside of the `try`.",
    "with": "Leave what is differentiated outside the `with`.",
    "recursion": "Write the recursion as a loop.",
    "dicts": "Use keys that are written out, or a list.",
    "objects": "Take its fields one by one, or return a tuple of its parts.",
    "starred-arguments": "Write its arguments out.",
    "calls-that-do-not-fit": "Give it the arguments that it takes, by position.",
    "targets": "Write it as several assignments to names.",
    "loops": "Give what is iterated over a name, and loop over that or over range(len(...)).",
    "checkpoints": "Hand on numbers and arrays of one shape, each under a name of its own.",
    "one-matrix": "Return an array of floats whose shape is that of the arguments, or use s2sad.vjp.",
    "example-arguments": "Give examples of all arguments: like=(...).",
    "many-directions": "Take one direction at a time (s2sad.jvp), or reverse mode.",
    "custom-derivatives": "Let it compute with numbers and arrays alone, and return its values.",
    "solvers": "Write the arguments out: args=(a, b).",
    "derivatives-inside": "Differentiate a function of numbers and arrays that is defined in the module.",
}


def refusal(fault: NotYet) -> S2sadError:
    """Return what a user sees of what no way could do."""
    if isinstance(fault, Unfollowed):
        return refusal(fault.fault)
    if isinstance(fault, Refused):
        return fault.error
    problem = f"{fault.reason} is not differentiated"
    return Unsupported(problem, fault.span, _hint(problem))


def unfit(reason: str, span: Span | None, more: str = "") -> ArgumentError:
    """Return the refusal of arguments with which the function itself would raise."""
    called = "the function" if span is None else span.function
    problem = f"{called} does not take these arguments: {reason}"
    error = ArgumentError(problem, span, f"Called with them, it fails here.{more}")
    error.certain = False  # where arguments are guessed, others may do
    return error


def _hint(problem: str) -> str:
    for phrase, hint in PARTICULAR:
        if phrase in problem:
            return hint
    return HINTS.get(PurePosixPath(page_of(problem)).stem, GENERAL)


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


COUNTS = "Give it what it counts as an argument, and let it return that."


def counted(changed: str, span: Span | None) -> NotYet:
    """Return the refusal of what a function changes of its module, and reads."""
    function = "this function" if span is None else span.function
    told = f"{changed}, which belongs to the module, is changed here"
    problem = f"{told}: what {function} gives depends on how often it was called"
    return Unsupported.refused(problem, span, COUNTS)
