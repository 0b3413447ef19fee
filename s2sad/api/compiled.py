"""Emitted text as a running function whose tracebacks and debugger show that text.

made = compiled(derivative)
made.function(W, m, d)
made.filename            # '<s2sad misfit_grad 3f2a90c1>', known to linecache
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from s2sad.ir.records import dataclass, field
from s2sad.source.files import run_text


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A function and the name under which linecache holds its text.

    `written` are the parameters that the primal writes to in place; `called` are the names that this
    text has for seeds and tangents, where they are others.
    """

    function: Callable[..., Any]
    filename: str
    written: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)

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
