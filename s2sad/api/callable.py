"""A derivative as a function: the text for what it is called with, derived once and cached.

df = DerivativeFunction(request)     # derives the text that is right for any arguments
df(x, W, b)                          # runs the text for an array x, an array W and a float b
"""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sad.api.arguments import (
    bind,
    check_arguments,
    check_directions,
    check_tangent,
    refuse_other_facts,
    refuse_shared,
    refuse_unlike_items,
)
from s2sad.api.arrays import check_modules, of_plain
from s2sad.api.display.progress import deriving
from s2sad.api.display.short import is_full, shortened
from s2sad.api.put_in import instead, with_held
from s2sad.api.request import (
    GRADIENTS,
    NOT_FOLLOWED,
    Derivative,
    Given,
    Request,
    bottom,
    known_of,
    name_of,
)
from s2sad.api.results import as_it_raises, mode_for, result_of
from s2sad.api.saved import saved_text, write_made
from s2sad.api.signatures import (
    by_name,
    derivative_signature,
    docstring,
    extra_parameters,
    lasting_defaults,
    most_positional,
    names_in_order,
    renamed,
)
from s2sad.api.structure import behind_classes, classes_of
from s2sad.api.texts import Compiled, compiled, raised_in, text_for
from s2sad.emit.request import MATRICES
from s2sad.ir.errors import ArgumentError, S2sadError, Span, UnknownFunction, for_any_arguments
from s2sad.ir.records import dataclass, replace
from s2sad.operators.in_force import Added, added, watch
from s2sad.source.digest import SCRIPT, Texts, carried, files_behind, unpacked
from s2sad.source.given import is_put_in, refitted
from s2sad.source.outside import Place, changed, outside
from s2sad.source.owners import importable
from s2sad.source.read import parameter_place, read, result_place
from s2sad.types.kinds import exact_kind

if TYPE_CHECKING:
    from s2sad.api.display.nonfinite import NonFinite

# distinct sets of argument shapes that are remembered before the fast table starts again
_REMEMBERED = 1024
# texts for arguments of the same kinds that hold other things
_ALTERNATIVES = 8


@dataclass(slots=True)
class Text:
    """A text, and the function that runs it once it is called."""

    derivative: Derivative
    run: Compiled | None = None


class DerivativeFunction:
    """A derivative that is called like the function it was made from."""

    __name__: str
    __qualname__: str

    def __init__(self, request: Request):
        self.request = request
        self.__name__ = name_of(request)
        self.__qualname__ = renamed(request.function.__qualname__, self.__name__)
        self.__module__ = request.function.__module__
        self._lock = threading.RLock()
        self._exact: dict[tuple[Any, ...], Compiled] = {}
        # for arguments of the same kinds, the last one first
        self._texts: dict[tuple[Any, ...], list[Text]] = {}
        # the arguments from which texts that are not derived yet are to be made
        self._examples: dict[Given | None, Mapping[str, Any]] = {}
        self._note_examples()
        self._seen: tuple[Place, ...] = outside(bottom(self))
        self._kinds: frozenset[type] = frozenset()
        self.extra = extra_parameters(request, self._for_examples())
        self.__doc__ = docstring(request, self.extra)
        self._sign()
        watch(self)  # last: what is refused is never told of other rules

    @property
    def primal(self) -> Any:
        """The function that this is the derivative of; of a second derivative, the first."""
        function: Callable[..., Any] = self.request.function
        return function

    @property
    def __wrapped__(self) -> Any:
        """The text as a function: `inspect.getsource(df)` and IPython's `df??` show its source."""
        try:
            with self._lock:
                run = [texts[0].run for texts in self._texts.values() if texts and texts[0].run]
                return (run[-1] if run else self.emitted(self.request.given)).function
        except S2sadError:  # nothing is derived before it is called
            return self.primal

    def _note_examples(self) -> None:
        if self.request.examples is not None:
            self._examples[self.request.given] = self.request.examples

    def _sign(self) -> None:
        self.__signature__ = derivative_signature(self.request, self.extra)
        self._most = most_positional(self.__signature__)
        self._order = names_in_order(self.__signature__)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            for read, name, value in self._seen:
                if read(name) is not value:
                    self.forget()
                    break
            args, keywords = self._named(args, keywords)
            key, made = self._running_for(args, keywords)
            if made.written:
                refuse_shared(self._given(args, keywords), made.written, self._seen, self._place)
            try:
                return made.function(*args, **made.words(keywords))
            except ValueError as error:
                if not self._assumed(error, made):
                    raise
            return self._without_assumptions(key, args, keywords)
        except S2sadError as error:  # what lies between is nothing to its reader
            refusal = as_it_raises(error, bottom(self), lambda: self._given(args, keywords))
            if is_full(error):
                raise refusal  # noqa: B904
            raise shortened(refusal) from None

    def _running_for(
        self, args: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], Compiled]:
        """Return what tells arguments from others, and the text that runs for them."""
        key = tuple(map(exact_kind, args))
        if keywords:
            key += (*keywords, *map(exact_kind, keywords.values()))
        return key, self._exact.get(key) or self._specialised(key, args, keywords)

    def _given(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """Return the function's own arguments by name; by hand, as every call asks for them."""
        if self._order:
            bound = {**dict(zip(self._order, args, strict=False)), **keywords}
        else:
            bound = self.__signature__.bind(*args, **keywords).arguments
        return {name: value for name, value in bound.items() if name not in self.extra}

    @property
    def __s2sad_derives__(self) -> tuple[Any, ...] | None:
        # what a function that calls it takes it for; None where more is asked than a gradient
        r = self.request
        special = r.aux or r.schedules or r.reassociate or not _in_force(r)
        if special or r.form not in GRADIENTS or isinstance(r.function, DerivativeFunction):
            return None
        return r.function, r.form, r.wrt, r.single

    @property
    def source(self) -> str:
        """The whole text; `save` writes it without numbers of lines, and says how it was made."""
        return self.shown.source

    @property
    def shown(self) -> Derivative:
        """The text that is shown: that for the examples, else that for any arguments."""
        with self._lock:
            if any(text.derivative.is_outdated for text in self._every()):
                self.forget()
            with for_any_arguments(self.request.given):
                return self.derivative(self.request.given)

    @property
    def graph(self) -> Any:
        """The dataflow graph of the function: see `Graph`."""
        from s2sad.api.display.graph import graph_of

        self._renew()
        return graph_of(bottom(self), self.request.examples, self.request.wrt)

    def save(
        self, path: str | os.PathLike[str], *, force: bool = False, lines: bool = False
    ) -> Path:
        """Write the text to a file that runs on its own and return its path.

        Above its imports it says how it was made; comments name statements of the function, with
        the numbers of their lines if `lines` is true. A file that holds something else, or that
        was edited since, is overwritten with `force` alone, and the source of the function, or of
        one that it calls, never: ArgumentError.
        """
        self.refuse_unreachable()
        sources = [Path(read(bottom(self)).path), *files_behind(bottom(self))]
        text = saved_text(self, Path(path), lines=lines)
        return write_made(Path(path), text, force=force, sources=sources)

    def refuse_unreachable(self) -> None:
        """Raise if the text uses objects that a file of its own could not import."""
        if unreachable := self.derivative(self.request.given).bindings:
            raise ArgumentError(
                f"{self.__name__} cannot be saved: it uses {', '.join(sorted(unreachable))}",
                hint="A file can only hold numbers, short arrays and functions that write to nothing "
                "outside them. Pass it as an argument.",
            )

    def derivative(self, given: Given | None, mode: str = "") -> Derivative:
        """Return the derivative for arguments of which `given` is known, None for any at all.

        The mode is that of the request, unless the shapes of arguments decide.
        """
        return self._text(given, mode).derivative

    def _text(self, given: Given | None, mode: str = "", anew: bool = False) -> Text:
        """Return the last text for such arguments; those before it are kept if one is made anew."""
        mode = mode or self.request.mode
        with self._lock:
            self._renew()
            texts = self._texts.setdefault((given, mode, added()), [])
            if anew or not texts:
                asked, examples = self.asked_for(given, mode), self._examples.get(given)
                with deriving(self.__name__):
                    texts.insert(0, Text(text_for(asked, examples)))
                self._examples.pop(given, None)  # what is refused is asked for again
                del texts[_ALTERNATIVES:]
                for old in [*self._texts][1:-_REMEMBERED]:  # for functions that are made anew
                    del self._texts[old]
            return texts[0]

    def _every(self) -> list[Text]:
        """Return all texts that were made."""
        with self._lock:
            return [text for texts in self._texts.values() for text in texts]

    def asked_for(self, given: Given | None, mode: str = "") -> Request:
        """Return what is asked for where this is known of the arguments."""
        whole = self.request.function
        inner = whole if isinstance(whole, DerivativeFunction) else None
        mode = mode or self.request.mode
        return replace(self.request, given=given, mode=mode, inner=inner, rules=self.rules)

    def emitted(self, given: Given | None, mode: str = "", anew: bool = False) -> Compiled:
        """Return the derivative for `given` as a running function."""
        with self._lock:
            text = self._text(given, mode, anew)
            if text.run is None:
                text.run = self.running(text.derivative)
            return text.run

    def running(self, text: Derivative) -> Compiled:
        """Return a text of this derivative as a running function."""
        last = lasting_defaults(self.request, self.__signature__)
        made = compiled(text.source, text.name, text.bindings, text.live, last)
        # the user's own names may be in the way of a tangent's
        primal = self.__signature__.parameters.keys() - self.extra.keys()
        own = [name for name in inspect.signature(made.function).parameters if name not in primal]
        called = {a: b for a, b in zip(self.extra, own, strict=False) if a != b}
        return replace(made, written=text.written, called=called, lines=text.lines)

    @property
    def rules(self) -> tuple[Added, ...]:
        """The rules that were given with it, and with what it is a derivative of."""
        inner = self.request.function
        below = inner.rules if isinstance(inner, DerivativeFunction) else ()
        return (*self.request.rules, *(each for each in below if each not in self.request.rules))

    def forget(self) -> None:
        """Derive anew when called next: there are other rules, or what the function reads is new."""
        with self._lock:
            for made in (self._exact, self._texts, self._examples):
                made.clear()
            self._note_examples()
            self.request = replace(self.request, function=refitted(self.request.function))
            self._seen = outside(bottom(self))
            self._kinds = frozenset()
            if isinstance(self.request.function, DerivativeFunction):
                self.request.function._renew()  # its signature has the defaults
            self._sign()

    def _renew(self) -> None:
        if changed(self._seen):
            self.forget()

    def __repr__(self) -> str:
        return f"<s2sad derivative {self.__module__}.{self.__qualname__}{self.__signature__}>"

    def first_nonfinite(self, *args: Any, **keywords: Any) -> NonFinite | None:
        """Return the first value of either sweep that is no finite number, None where all are finite.

        Called like the derivative itself, whose text is run once more, every operation looked at.
        Printed, it names the line of the text, that of the function, and the operands. Raises what
        the derivative raises, but for divisions by zero and the like, which are told.
        """
        from s2sad.api.display.nonfinite import first_nonfinite

        self._renew()
        args, keywords = self._named(args, keywords)
        _, made = self._running_for(args, keywords)
        for text in (made, None):
            made = text or self.emitted(None)
            words = made.words(keywords)
            try:
                return first_nonfinite(made.function, made.lines, bottom(self), args, words)
            except ValueError as error:
                if text is None or str(error) not in self._assumptions():
                    raise
        return None

    def _repr_html_(self) -> str:
        from s2sad.api.display.notebook import derivative_html

        return derivative_html(self)

    def __copy__(self) -> DerivativeFunction:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> DerivativeFunction:
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        function = self.request.function
        if isinstance(function, DerivativeFunction):
            return DerivativeFunction, (self.request,)
        found = importable(function.__module__, function.__qualname__)
        if found is self:
            return str(function.__qualname__)
        # what a script defines can be pickled by value: its text goes along
        if found is not function and function.__module__ != SCRIPT:
            raise ArgumentError(
                f"{self.__name__} cannot be pickled: {function.__qualname__} of module "
                f"{function.__module__} is not what an import finds under that name",
                hint="Define it at the top of a module, under its own name.",
            )
        texts = carried(function)
        return (restored, (self.request, texts)) if texts else (DerivativeFunction, (self.request,))

    def _named(
        self, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Give their names to seeds and tangents that follow all of the function's own arguments."""
        if len(args) <= self._most:
            return args, keywords
        own, last = args[: self._most], args[self._most :]
        if len(last) != len(self.extra) or any(name in keywords for name in self.extra):
            return args, keywords
        return own, {**keywords, **dict(zip(self.extra, last, strict=True))}

    def _for_examples(self) -> Derivative | None:
        """Return the derivative for the examples; that for any arguments is made when asked for."""
        if self.request.given is None:
            if isinstance(self.request.function, FunctionType):
                read(self.request.function)
            return None
        try:
            return self.derivative(self.request.given)
        except S2sadError as error:  # the kinds of arguments may cure what is not certain
            if getattr(error, "certain", True):
                raise
        return None

    def _specialised(
        self, key: tuple[Any, ...], args: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> Compiled:
        bound = bind(
            self.__name__,
            self.__signature__,
            args,
            keywords,
            by_name(self.__signature__, self.extra),
        )
        check_modules(bound, self.request.arrays, self._place)
        if self.request.form == "directional":
            check_arguments(bound, self.request.wrt, {}, self._place)
            check_directions(bound, self.extra, self._place)
        else:
            check_arguments(bound, self.request.wrt, self.extra, self._place)
        own = {name: value for name, value in bound.items() if name not in self.extra}
        self._look_behind(own.values())
        if self.request.form == "vjp":
            self._check_seed(own, bound)
        functions = {name: value for name, value in own.items() if is_put_in(value)}
        if functions:
            return self._remember(key, with_held(self, functions, own))
        given = known_of(own)
        refuse_other_facts(own, self.request.examples or {}, self.__name__, self._place)
        options = {name: value for name, value in own.items() if isinstance(value, str)}
        mode = self._mode_for(own)
        if not self._texts.get((given, mode, added())):
            self._examples[given] = own
        if options and self._depends_on(given, mode):
            return self._remember(key, with_held(self, options, own))
        for name in self.request.wrt if mode == "reverse" else ():
            refuse_unlike_items(own[name], name, partial(self._place, name))
        try:
            made = self.emitted(given, mode)
        except S2sadError as error:
            made = instead(self, own, error)
        if np.memmap in map(type, own.values()):
            made = replace(made, function=partial(of_plain, made.function))
        return self._remember(key, made)

    def _look_behind(self, values: Iterable[Any]) -> None:
        """Have what stands behind the classes of arguments looked at by later calls, too."""
        kinds = classes_of(values) - self._kinds
        if kinds:
            self._seen += behind_classes(kinds)
            self._kinds |= kinds

    def _mode_for(self, own: dict[str, Any]) -> str:
        """Return the mode that takes fewer sweeps, where that is left to the shapes."""
        request = self.request
        if request.form not in MATRICES:
            return request.mode
        return mode_for(request, {name: own[name] for name in request.wrt}, self._result(own))

    def _depends_on(self, given: Given, mode: str) -> bool:
        """Tell whether what is called depends on an option, so that it has to be put in."""
        try:
            self.derivative(given, mode)
        except UnknownFunction:
            return True
        return False

    def _check_seed(self, own: dict[str, Any], bound: Mapping[str, Any]) -> None:
        (seed,) = self.extra
        place = partial(result_place, self.request.function)
        check_tangent(seed, bound[seed], "the result", self._result(own), place)

    def _result(self, own: dict[str, Any]) -> Any:
        # the text never needs the result itself: once for each set of shapes, find out what it is
        return result_of(self.request.function, own)

    def _remember(self, key: tuple[Any, ...], made: Compiled) -> Compiled:
        with self._lock:
            if len(self._exact) >= _REMEMBERED:
                self._exact.clear()
            self._exact[key] = made
        return made

    def _place(self, name: str) -> Span | None:
        return parameter_place(self.request.function, name)

    def _assumed(self, error: ValueError, made: Compiled) -> bool:
        return raised_in(error, made.filename) and str(error) in self._assumptions()

    def _assumptions(self) -> frozenset[str]:
        own = frozenset[str]().union(*(text.derivative.messages for text in self._every()))
        inner = self.request.function
        return own | inner._assumptions() if isinstance(inner, DerivativeFunction) else own

    def _for_others(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Iterator[Compiled]:
        """Yield the texts to try where the one for arguments of these kinds asks for more.

        What objects and containers hold is no part of their kinds, and a text may rely on it: those
        that were made before come first, then one for these arguments, then the one for any.
        """
        own = self._given(args, keywords)
        given = known_of(own)
        with self._lock:
            before = self._texts.get((given, self.request.mode, added()), ())
            yield from [text.run for text in before if text.run is not None]
            self._examples[given] = own
        try:
            yield self.emitted(given, anew=True)
        except S2sadError as error:
            yield instead(self, own, error)
        yield self.emitted(None)

    def _without_assumptions(
        self, key: tuple[Any, ...], args: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> Any:
        problem = ""
        for made in self._for_others(args, keywords):
            self._remember(key, made)
            try:
                return made.function(*args, **made.words(keywords))
            except ValueError as error:
                if not self._assumed(error, made):
                    raise
                problem = str(error)
        raise ArgumentError(
            f"{self.__name__} is not made for these arguments: {problem}",
            hint="Make an array of it: np.asarray(...), or .toarray()."
            if problem.endswith(NOT_FOLLOWED)
            else "Give arguments of the ranks and lengths that it is made for.",
        )


# ---------------------------------------------------------------------------- names


def restored(request: Request, texts: Texts) -> DerivativeFunction:
    """Return a pickled derivative; its function has its text again, if it came by value."""
    unpacked(request.function, texts)
    return DerivativeFunction(request)


def _in_force(request: Request) -> bool:
    """Tell whether the rules of a derivative are in force where it is asked for."""
    known = {id(rule) for each in added() for rule in each.rules}
    return all(id(rule) in known for each in request.rules for rule in each.rules)
