"""Functions that call themselves and write to what they are handed give it back as a value.

def corrected(u, f):                  def corrected(u, f):
    u[1:-1] += f[1:-1]                    u = u.copy()
    if len(u) > 3:                        u[1:-1] += f[1:-1]
        corrected(u[::2], f[::2])         if len(u) > 3:
                                              u_view = u[::2]
                                              u_view[...] = corrected(u_view, f[::2])
                                          return u

They only compute then, so that their calls can be differentiated as calls. A function that returns
something else gives both. One that may return what it was handed, or something else, gives that
alone, where nobody reads what was handed on: e = vcycle(np.zeros(n), r); u = vcycle(u, f). What may
share memory with another argument stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from s2sad.analysis.callees import reaches_itself
from s2sad.analysis.exits import is_left
from s2sad.analysis.memory import Memory
from s2sad.analysis.writes import EVERYTHING
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Variable, constant, copy_of, is_own_call, name, subscript
from s2sad.ir.program import PURE, Block, Function, Let, Program, Return, Statement, Store, Summary
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import NONE, Array
from s2sad.ir.walk import bound_in, nodes_in, rewritten, statements
from s2sad.types.plain import tuple_of

Remembered = Callable[[Function], Memory]


@dataclass(frozen=True, slots=True)
class _Form:
    """How a function gives back what it wrote: the positions, whether its result is the first of
    them, whether it gives a result beside them, or that alone."""

    places: tuple[int, ...]
    is_result: bool = False
    gives_both: bool = False
    gives_result: bool = False


def with_written_given_back(program: Program, remembered: Remembered) -> Program:
    """Return a program whose functions that call themselves write to nothing that they are handed."""
    forms = {n: f for n, each in program.functions.items() if (f := _form(n, program)) is not None}
    memories = {
        n: remembered(f)
        for n, f in program.functions.items()
        if forms and any(True for _ in _calls_in(f, forms))
    }
    if not forms or any(_mixes(program.functions[n], m, forms) for n, m in memories.items()):
        return program
    if any(_reads_later(program.functions[n], m, forms) for n, m in memories.items()):
        return program
    functions = {
        n: _calling(f, forms, memories[n]) if n in memories else f
        for n, f in program.functions.items()
    }
    made = {n: _giving_back(functions[n], form) for n, form in forms.items()}
    return replace(program, functions={**functions, **made})


# ---------------------------------------------------------------------------- which ones


def _form(called: str, program: Program) -> _Form | None:
    """Return how a function gives back what it wrote; None if it cannot, or writes to nothing."""
    function = program.functions[called]
    summary = function.summary
    if summary is None or not summary.writes or called == program.entry:
        return None
    if not reaches_itself(called, program.functions) or function.custom is not None:
        return None
    if replace(summary.effect, writes=frozenset()) != PURE:
        return None
    written = [p for p in function.parameters if p.variable in summary.writes]
    if not all(isinstance(p.type, Array) for p in written):
        return None
    return _form_of_result(function, summary, [p.variable for p in written])


def _form_of_result(
    function: Function, summary: Summary, written: Sequence[Variable]
) -> _Form | None:
    """Return how a function gives back what it wrote, by what it returns."""
    places = tuple(k for k, p in enumerate(function.parameters) if p.variable in written)
    ends = [s.value for s in statements(function.body) if isinstance(s, Return)]
    is_rebound = not bound_in(function.body).isdisjoint(written)
    if all(end.type == NONE for end in ends):
        return None if is_rebound else _Form(places)
    if not is_left(function.body):
        return None
    if is_rebound:
        return _Form(places, gives_result=True)
    if len(written) == 1 and all(e.op == "name" and e.data == written[0] for e in ends):
        return _Form(places, is_result=True)
    may_be_given = bool(summary.returns & summary.writes)
    return _Form(places, gives_both=not may_be_given, gives_result=may_be_given)


def _calls_in(function: Function, forms: Mapping[str, _Form]) -> Iterator[Expr]:
    """Yield the calls of functions that are to give back what they write."""
    every = nodes_in(function.body)
    return (node for node in every if is_own_call(node) and node.args[0].data in forms)


def _mixes(function: Function, memory: Memory, forms: Mapping[str, _Form]) -> bool:
    """Tell whether a call writes to what another of its arguments may share, or is no statement."""
    whole = {id(s.value) for s in statements(function.body) if isinstance(s, Let)}
    for node in _calls_in(function, forms):
        if id(node) not in whole:
            return True
        held = [memory.sites(arg) for arg in node.args[1:]]
        for place in forms[node.args[0].data].places:
            if any(held[place] & other for k, other in enumerate(held) if k != place):
                return True
    return False


def _reads_later(function: Function, memory: Memory, forms: Mapping[str, _Form]) -> bool:
    """Tell whether somebody may read what a call wrote to, where it gives its result alone."""
    parameters = {p.variable for p in function.parameters}
    lets = (s for s in statements(function.body) if isinstance(s, Let) and is_own_call(s.value))
    for let in lets:
        form = forms.get(let.value.args[0].data)
        if form is not None and form.gives_result:
            written = [let.value.args[1 + k] for k in form.places]
            if not all(
                not memory.sites(each)
                or (
                    (each.op == "name" and let.target == each.data)
                    and _is_alone(each, memory, parameters)
                )
                for each in written
            ):
                return True
    return False


def _is_alone(written: Expr, memory: Memory, parameters: set[Variable]) -> bool:
    """Tell whether nobody else holds the array that a name holds."""
    is_own = written.op == "name" and written.data not in parameters
    return is_own and not memory.is_shared(written.data)


# ---------------------------------------------------------------------------- both sides


def _giving_back(function: Function, form: _Form) -> Function:
    """Return a function that writes to copies of what it is handed, and gives these back."""
    written = [function.parameters[k] for k in form.places]
    given = [name(p.variable, p.type) for p in written]
    copies = tuple(Let(each.data, copy_of(each), function.span) for each in given)
    body = function.body

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Return) or form.is_result or form.gives_result:
            return statement
        own = [statement.value] if form.gives_both else []
        return replace(statement, value=tuple_of([*own, *given]))

    body = rewritten(body, change)
    if not is_left(body):
        body = (*body, Return(tuple_of(given), function.span))
    old = function.summary
    assert old is not None
    summary = Summary(frozenset(), old.returns - old.writes, PURE)
    return replace(function, body=(*copies, *body), summary=summary)


def _calling(function: Function, forms: Mapping[str, _Form], memory: Memory) -> Function:
    """Return a function that puts what its calls give back where it was."""
    fresh = Fresh.of(function)
    parameters = {p.variable for p in function.parameters}

    def change(statement: Statement) -> Statement | Block:
        if not isinstance(statement, Let) or not is_own_call(statement.value):
            return statement
        form = forms.get(statement.value.args[0].data)
        if form is None:
            return statement
        let = replace(statement, effect=PURE)
        if form.gives_result:
            return let
        if (
            len(form.places) == 1
            and not form.gives_both
            and (made := _rebinding(let, form, memory, parameters)) is not None
        ):
            return made
        return _with_stores(let, form, memory, fresh)

    return replace(function, body=rewritten(function.body, change))


def _rebinding(
    let: Let, form: _Form, memory: Memory, parameters: set[Variable]
) -> Statement | None:
    """Return the call where its result can be had in place of what was written; None if it cannot.

    u = corrected(u, f)         nobody else holds u's array
    """
    written = let.value.args[1 + form.places[0]]
    if not memory.sites(written) and form.is_result:
        return let  # what is made on the spot
    is_own = _is_alone(written, memory, parameters)
    if not is_own or let.target not in (None, written.data):
        return None
    return replace(let, target=written.data, value=let.value.typed(written.type))


def _with_stores(let: Let, form: _Form, memory: Memory, fresh: Fresh) -> Block:
    """Return a call with the names of what it writes to before it, and the stores behind it."""
    before: list[Statement] = []
    args = list(let.value.args)
    for k in form.places:
        args[1 + k] = _place(args[1 + k], before, memory, fresh, let.span)
    written = [args[1 + k] for k in form.places]
    news = [name(fresh.variable("new"), each.type) for each in written]
    result = name(fresh.variable("result"), let.value.type)
    given = [result, *news] if form.gives_both else news
    target = given[0].data if len(given) == 1 else tuple(each.data for each in given)
    called = Let(target, let.value.with_args(args).typed(tuple_of(given).type), let.span)
    stores = (
        Store(subscript(place, EVERYTHING, place.type), "=", new, let.span)
        for place, new in zip(written, news, strict=True)
    )
    value = written[0] if form.is_result else result if form.gives_both else constant(None)
    end = () if let.target is None else (Let(let.target, value, let.span),)
    return (*before, called, *stores, *end)


def _place(
    arg: Expr, before: list[Statement], memory: Memory, fresh: Fresh, span: Span | None
) -> Expr:
    """Return the name of what is written to."""
    if arg.op == "name":
        return arg
    return fresh.named(arg, "view" if memory.sites(arg) else "made", before, span)
