"""The text that answers a request, as a function that runs, or the refusal that its reader sees.

text_for(request, examples)     ->     Derivative("def misfit_grad(W, m, d): ...", "misfit_grad", ...)

made = compiled(derivative)
made.function(W, m, d)
made.filename            # '<s2sad misfit_grad 3f2a90c1>', known to linecache
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FunctionType, ModuleType
from typing import Any

from s2sad.api.answer import answer
from s2sad.api.arrays import as_examples
from s2sad.api.request import GRADIENTS, SECOND, Derivative, Gradient, Request, known_of, name_of
from s2sad.emit.comments import Line
from s2sad.ir.errors import InternalError, NoRule, NotYet, Refused, S2sadError, Unsupported, placed
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.remedies import refusal
from s2sad.operators.in_force import using
from s2sad.source.files import run_text
from s2sad.source.read import signature_place

# a variable of the environment: an error that is none of s2sad's is raised as it is
RAISES_FAULTS = "S2SAD_RAISES_FAULTS"

DEEPEST = 10_000
TANGENTS = frozenset({"jvp", "tangent", "directional"})


def text_for(request: Request, examples: Mapping[str, Any] | None) -> Derivative:
    """Return the derivative for arguments like these, or for any; S2sadError where it is refused.

    A mistake of s2sad's own is an InternalError, or raised as it is where RAISES_FAULTS is set.
    What is refused is tried once more for the whole numbers of the examples alone.
    """
    try:
        return _text_for(request, examples)
    except InternalError:
        raise
    except S2sadError:
        known = _whole_numbers(request, examples)
        with suppress(S2sadError):  # it is refused for the first reason
            if known:
                return _text_for(replace(request, known=known), examples)
        raise


def _text_for(request: Request, examples: Mapping[str, Any] | None) -> Derivative:
    try:
        with _deep(), _uncollected():
            return _made(request, examples)
    except (NotYet, S2sadError, RecursionError) as error:
        fault: Exception = error
    except Exception as error:
        if RAISES_FAULTS in os.environ:
            raise
        fault = error
    refused = _refusal(fault, examples is not None)
    # what is nested too deeply to be read is nested too deeply to be shown
    if not isinstance(fault, RecursionError) and not isinstance(refused, InternalError):
        below = request.function if request.inner is None else request.inner.request.function
        refused = placed(refused, signature_place(below))
    raise refused


def _whole_numbers(request: Request, examples: Mapping[str, Any] | None) -> frozenset[str]:
    """Return the arguments that are whole numbers, if no text was made for these numbers yet."""
    code = getattr(request.function, "__code__", None)
    if examples is None or request.known or request.inner is not None or code is None:
        return frozenset()
    if request.function.__name__ in code.co_names:  # it would be run call by call
        return frozenset()
    given = (name for name, value in examples.items() if type(value) is int)
    return frozenset(given) - frozenset(request.wrt)


@contextmanager
def _deep() -> Iterator[None]:
    """Let trees be gone through that are deeper than Python's own functions call each other.

    A sum of a thousand terms is such a tree.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let no garbage collection go through what a derivation makes.

    Nearly all of it is trees, which are gone once nobody refers to them: looking for cycles among
    them again and again took a third of the time. What cycles hold is collected afterwards.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _made(request: Request, examples: Mapping[str, Any] | None, smooth: bool = False) -> Derivative:
    """Return the derivative that the rooms make; a `smooth` one can be differentiated again.

    A gradient that has no rule in one sweep more is written out, and read.
    """
    like = None if examples is None else as_examples(examples)
    below = request if request.inner is None else request.inner.request
    kept = request.schedules or below.schedules
    request = replace(request, name=name_of(request), smooth=smooth, schedules=kept)
    with using(request.rules):
        asked = _of_plain_function(request, examples)
        try:
            return answer(asked, like)
        except (NotYet, NoRule):
            if request.inner is None or request.form in SECOND or not _is_of_gradient(request):
                raise
        return answer(replace(request, function=_written_out(request.inner, examples)), like)


def _refusal(error: Exception, is_known: bool) -> S2sadError:
    """Return what a user sees of what the rooms do not do."""
    if isinstance(error, RecursionError):
        return Unsupported(
            "a function that calls itself or leads too deep is not differentiated",
            hint="Write it as a loop.",
        )
    if isinstance(error, S2sadError):
        return error
    if not isinstance(error, NotYet):
        return InternalError(f"a mistake of s2sad's own: {type(error).__name__}: {error}")
    refused = refusal(error)
    # of arguments of which nothing is known, some may be supported
    refused.certain = refused.certain and (is_known or isinstance(error, Refused))
    return refused


def _of_plain_function(request: Request, examples: Mapping[str, Any] | None) -> Request:
    """Return what is asked of a plain function: of a gradient that of the function below it."""
    if request.inner is None:
        return request
    if not _is_of_gradient(request):
        return replace(request, function=_written_out(request.inner, examples))
    inner, form = request.inner.request, request.form
    of = inner.function
    if isinstance(of, type(request.inner)):
        of = _written_out(of, examples)
    request = replace(request, function=of)
    if form in TANGENTS:
        return replace(request, first=Gradient(inner.wrt, inner.single, inner.form))
    # a Hessian is symmetric: pulled back is as good as pushed forward
    return replace(request, form={"vjp": "hvp", "grad": "second"}.get(form, form))


def _written_out(derivative: Any, examples: Mapping[str, Any] | None) -> Callable[..., Any]:
    """Return the function of the text of a derivative, which is differentiated again."""
    own, given = None, derivative.request.given
    if examples is not None:
        own = {name: value for name, value in examples.items() if name not in derivative.extra}
        given = known_of(own)
    text = _made(derivative.asked_for(given), own, smooth=True)
    made: Callable[..., Any] = derivative.running(text).function
    return made


def _is_of_gradient(request: Request) -> bool:
    """Tell whether a derivative of a gradient is made of the function below it, in one sweep more."""
    inner, form = request.inner.request, request.form
    if inner.form not in GRADIENTS or inner.aux or request.aux:
        return False
    if form == "jvp":
        return True
    if form in ("vjp", "grad"):
        alone = request.single and inner.single and request.wrt == inner.wrt
        return bool(alone and inner.form == "grad")
    return form in SECOND | TANGENTS and inner.form == "grad"


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A function and the name under which linecache holds its text.

    `written` are the parameters that the primal writes to in place; `called` are the names that this
    text has for seeds and tangents, where they are others; `lines` are those of the text.
    """

    function: Callable[..., Any]
    filename: str
    written: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)
    lines: Sequence[Line] = ()

    def words(self, keywords: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the keywords of a call as this text has them."""
        if not self.called:
            return keywords
        return {self.called.get(name, name): value for name, value in keywords.items()}


def compiled(
    source: str,
    name: str,
    bindings: Mapping[str, object],
    live: Mapping[str, tuple[object, str]],
    defaults: Mapping[str, Any] | None = None,
) -> Compiled:
    """Run `source` as a module in which `bindings` are defined and return its function `name`.

    The constants `live` are then the objects themselves, not what the text has for them; so are the
    `defaults` of parameters.
    """
    digest = hashlib.sha256(source.encode()).hexdigest()[:8]
    filename = f"<s2sad {name} {digest}>"
    module = ModuleType(filename)
    module.__dict__.update(bindings)
    run_text(source, filename, module.__dict__)
    _put_live(module.__dict__, {own: value for own, (value, _) in live.items()})
    _put_defaults(module.__dict__[name], defaults or {})
    return Compiled(module.__dict__[name], filename)


def _put_live(space: dict[str, Any], live: Mapping[str, object]) -> None:
    """Let names, and the defaults that were made of them, be the objects themselves."""
    own = {id(space[name]): value for name, value in live.items()}
    for each in space.values():
        if isinstance(each, FunctionType) and each.__defaults__:
            each.__defaults__ = tuple(own.get(id(value), value) for value in each.__defaults__)
        if isinstance(each, FunctionType) and each.__kwdefaults__:
            each.__kwdefaults__ = {k: own.get(id(v), v) for k, v in each.__kwdefaults__.items()}
    space.update(live)


def _put_defaults(function: FunctionType, live: Mapping[str, Any]) -> None:
    """Let parameters that have a default have that of the user's function: it may be changed."""
    code, given = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(given) : code.co_argcount]
    if given:
        function.__defaults__ = tuple(live.get(n, v) for n, v in zip(names, given, strict=True))
    if function.__kwdefaults__:
        function.__kwdefaults__ = {n: live.get(n, v) for n, v in function.__kwdefaults__.items()}


def raised_in(error: BaseException, filename: str) -> bool:
    """Tell whether `error` was raised by the text `filename` itself, not by what it called."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename == filename
