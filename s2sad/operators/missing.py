"""What a user is told of an operation that no rule describes, or not for what varies.

no_rule(np.union1d(u, 2))      numpy.union1d has no derivative rule
no_slope(match, ("k",))        the rule jv has no derivative with respect to v
"""

from __future__ import annotations

import builtins
import inspect
import math
import re
from collections.abc import Sequence
from types import FunctionType

import numpy as np

from s2sad.ir.errors import (
    NoRule,
    NoSource,
    NotYet,
    Refused,
    S2sadError,
    Span,
    UnknownFunction,
    Unsupported,
)
from s2sad.ir.expression import (
    Expr,
    Global,
    Role,
    called_object,
    calls,
    is_own_call,
    keywords,
    object_of,
)
from s2sad.ir.records import replace
from s2sad.ir.spelling import listed
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple, Unknown
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators.effects import overwrites
from s2sad.operators.find import find, followed, has_rule, unsupported
from s2sad.operators.match import Match
from s2sad.source.optional import known_name
from s2sad.source.read import read

VARIES = "It depends on what you differentiate with respect to, and reaches the result."
STOP = "give the function a derivative (s2sad.custom_derivative), or stop it: s2sad.stop_gradient."
RULE = f"{VARIES}\nAdd a rule (s2sad.register_rules), {STOP}"
PLAIN = f"{VARIES}\nWrite it with plain assignments, lists and loops."
AXES = (
    "It may come from a file, change from pass to pass, or hang on another value. Write float(x)\n"
    "of a number, or make it an argument. Give it its axes where it begins: x[None, :],\n"
    "np.reshape(x, (1, -1)), np.zeros((0, n)). Or give examples: like=(...)."
)
ELEMENTS = "Loop over elements or places: for v in x.ravel(), for place in np.ndindex(x.shape)."
WINDOWS = "Take windows by np.lib.stride_tricks.sliding_window_view(x, n)[::step], or by x[places]."
DECORATED = (
    "A decorator that checks arguments asks for it: call the function that it decorates,\n"
    "f.__wrapped__(x), or differentiate that."
)
OWN = "If it has a derivative,\nstate it: s2sad.custom_derivative of a function of your own around the call."
FIELDS = "Of an array with named fields keep each in an array of its own, or all in a dict."
# classes of arrays that are refused, the modules that make them, and what to write instead
NOT_PLAIN: tuple[tuple[type, str, str], ...] = (
    (
        np.ma.MaskedArray,
        "numpy.ma",
        "Choose by np.where, or by where=: np.sum(x, where=x > 0.0).",
    ),
    (
        np.matrix,
        "numpy.matrixlib",
        "Use plain arrays, with two axes where there were none: X[None, :]. Write A @ B for a product.",
    ),
    (
        np.recarray,
        "numpy.rec",
        FIELDS,
    ),
)
# what is written without the name of a function
SYNTAX = {"dict": "dict", "comprehension": "comprehension", "formatted": "f-string"}
OPERATORS = ("binary", "unary", "compare")
MODULES = (np, np.linalg, np.fft, np.random, math, builtins)


def no_rule(expr: Expr, span: Span | None) -> S2sadError:
    """Return the refusal of an operation that no rule describes."""
    span = expr.span or span
    if _has_rule_for_reals(expr):
        problem = f"{_what(expr)} of complex numbers is not differentiated"
        return Unsupported(problem, span, "Calculate with the real and the imaginary part.")
    if expr.op == "call" and expr.args[0].op == "name":
        return _unknown_function(expr.args[0], span)
    if (no_plain := _of_no_plain_array(expr, span)) is not None:
        return no_plain
    special = _of_function(expr, span) if expr.op == "call" else None
    if special is not None:
        return special
    if (found := set_in(expr)) is not None:
        return of_set(found, span)
    if expr.op in SYNTAX:
        return Unsupported(f"this {SYNTAX[expr.op]} is not differentiated", span, PLAIN)
    open_ = _of_unknown_rank(expr) if has_rule(expr) else []
    if open_:
        names = listed([n for n in open_ if _stands_in(n, span)] or ["this"], "or")
        problem = (
            f"{_what(expr)} has no derivative rule for {names}, whose number of axes is not known"
        )
        error = NoRule(problem, span, AXES)
    else:
        error = NoRule(f"{_what(expr)} has no derivative rule", span, _hint(expr))
    error.follows = bool(open_)
    error.certain = not (open_ or has_rule(expr) or _is_of_unknown(expr))
    return error


def may_change(call: Expr, changed: str, span: Span | None) -> NoRule:
    """Return the refusal of a function without a rule that is handed what belongs to the module."""
    problem = f"{_what(call)} has no derivative rule: it may change {changed}, which belongs to the module"
    hint = (
        f"Where it is given nothing that varies, hand it a copy: {changed}.copy().\nOtherwise add"
    )
    return NoRule(problem, call.span or span, f"{hint} a rule (s2sad.register_rules), {STOP}")


def no_rule_for(called: str, what: str, span: Span | None) -> NoRule:
    """Return the refusal of a function that has rules, though not for what it is given here."""
    hint = f"Pass an array: np.array([...]).\n{RULE}"
    return NoRule(f"{_full(called)} has no derivative rule for {what}", span, hint)


def by_key_that_varies(expr: Expr, span: Span | None) -> S2sadError:
    """Return the refusal of np.mgrid[0:x:5j]: what an object of a library gives for a key."""
    span = expr.span or span
    joined = next(
        (
            n
            for n in nodes(expr)
            if n.op == "global" and any(n.data.value is each for each in (np.r_, np.c_))
        ),
        None,
    )
    if joined is not None:
        what = f"{joined.data.text} has no derivative rule for what it joins, whose number of axes is not known"
        return NoRule(what, span, AXES)
    return Unsupported(
        "what this subscript gives depends on a key that varies",
        span,
        "Call a function of the key instead, which can be followed.",
    )


def no_slope(match: Match, missing: Sequence[str], span: Span | None) -> NoRule:
    """Return the refusal of an argument that varies, of which a rule gives no derivative."""
    names = ", ".join(missing)
    error = NoRule(
        f"the rule {match.rule.name} has no derivative with respect to {names}",
        match.expr.span or span,
        f"The argument {names} depends on what you differentiate with respect to. {OWN}",
    )
    error.certain = not any(isinstance(match.bound[n].type, Unknown) for n in missing)
    return error


def _of_no_plain_array(expr: Expr, span: Span | None) -> NoRule | None:
    """Return the refusal of an operation that makes or takes an array whose operators are its own."""
    for node in nodes(expr):
        for cls, module, hint in NOT_PLAIN:
            if _makes(node, cls, module):
                what = (
                    f"an array of {cls.__module__}.{cls.__name__}" if not node.args else _what(node)
                )
                error = NoRule(f"{what} has no derivative rule", node.span or span, hint)
                error.follows = not node.args  # what made it is the cause
                return error
    return None


def _makes(node: Expr, cls: type, module: str) -> bool:
    """Tell whether a node is an array of a class, or calls a function that makes one."""
    if isinstance(node.type, Other) and node.type.cls is not None:
        return issubclass(node.type.cls, cls)
    if node.op != "call" or (function := called_object(node)) is None:
        return False
    return function is cls or str(getattr(function, "__module__", "")).startswith(module)


def set_in(expr: Expr) -> Expr | None:
    """Return the set that an expression makes or reads."""
    return next(filter(is_set, nodes(expr)), None)


def is_set(expr: Expr) -> bool:
    """Tell whether an expression makes a set, or names one."""
    if expr.op == "set" or (expr.op == "comprehension" and expr.data == "set"):
        return True
    return isinstance(expr.type, Other) and expr.type.cls in (set, frozenset)


def of_set(found: Expr, span: Span | None, what: str = "this set") -> Unsupported:
    """Return the refusal of a set that varies: equal items would be one, and their tangents too."""
    hint = "Put what varies into a list or a tuple."
    problem = f"{what} is not differentiated: a set has no order"
    return Unsupported(problem, found.span or span, hint)


def refuse_set(expr: Expr, span: Span | None, what: str = "this set") -> None:
    """Refuse the set that an expression makes or reads, if there is one."""
    if (found := set_in(expr)) is not None:
        raise Refused(of_set(found, span, what))


def _has_rule_for_reals(expr: Expr) -> bool:
    """Tell whether an operation would have a rule, were its complex operands real."""
    is_complex = any(map(_as_real, nodes(expr)))
    return is_complex and find(rebuilt(expr, _as_real)) is not None


def _as_real(node: Expr) -> Expr | None:
    """Return a complex operand as a real one, None of any other."""
    type_ = node.type
    if not isinstance(type_, Number | Array | Numeric) or not type_.dtype.startswith("complex"):
        return None
    digits = int(type_.dtype.removeprefix("complex"))
    return node.typed(replace(type_, dtype=f"float{digits // 2}"))


def _of_function(call: Expr, span: Span | None) -> S2sadError | None:
    """Return the refusal of a function that cannot be read, or of an argument that it writes to."""
    if (unseen := overwriting(call, span)) is not None:
        return unseen
    if "out" in (call.data or ()):
        hint = "Assign the result: y[...] = np.multiply(a, b)."
        return Unsupported("out= is not differentiated", span, hint)
    return _without_source(called_object(call), span)


def overwriting(call: Expr, span: Span | None) -> Unsupported | None:
    """Return the refusal of a call that may use the memory of an argument, None of another."""
    words = [*overwrites(call)] if call.op == "call" else []
    if not words:
        return None
    problem = f"{words[0]}= lets {_what(call)} write where it is not seen"
    return Unsupported(problem, call.span or span, "Leave it out.")


def refused_effect(call: Expr, reason: str, span: Span | None) -> NotYet:
    """Return the refusal of a call that may write, or draw: of one that is not known, that it has no rule."""
    if (unseen := overwriting(call, span)) is not None:
        return Refused(unseen)
    if (no_plain := _of_no_plain_array(call, span)) is not None:
        return Refused(no_plain)
    if call.op == "call" and not is_own_call(call) and not has_rule(call):
        return followed(Refused(no_rule(call, span)), call)
    return unsupported(reason, call, span)


def _without_source(function: object, span: Span | None) -> NoSource | None:
    """Return the refusal of a function of Python's whose text cannot be had."""
    if not isinstance(function, FunctionType):
        return None
    try:
        read(function)
    except NoSource as error:
        return NoSource(error.problem, span, error.hint)
    return None


def _unknown_function(function: Expr, span: Span | None) -> UnknownFunction:
    problem = "which function is called here is not known when the derivative is made"
    if function.data.role is Role.PRIMAL:
        problem = (
            f"which function {function.data.name} is, is not known when the derivative is made"
        )
    return UnknownFunction(
        problem, span, "Choose between functions with an `if` around their calls."
    )


def _hint(expr: Expr) -> str:
    """Return what to do about an operation, the most particular first."""
    if calls(expr, np.nditer):
        return ELEMENTS
    if calls(expr, np.lib.stride_tricks.as_strided):
        return WINDOWS
    if calls(expr, inspect.signature):
        return DECORATED
    owner = _owner(expr)
    if owner is not None and not isinstance(owner.type, Array | Numeric):
        return f"Where it is of an argument, give examples of all: like=(...).\n{RULE}"
    if expr.op in OPERATORS:
        kinds = (Tuple, SequenceType, Reference)
        lists = [a.data.name for a in expr.args if a.op == "name" and isinstance(a.type, kinds)]
        return f"{lists[0]} is a list here: pass np.array({lists[0]}).\n{RULE}" if lists else RULE
    dtype = keywords(expr).get("dtype", expr) if expr.op == "call" else expr
    if object_of(dtype) is object:
        return "Keep arrays of several lengths, or other objects, in a list: parts = [a, b]."
    if dtype is not expr and dtype.op == "list":
        return FIELDS
    if expr.op == "call" and expr.data:
        return (
            f"No template takes these arguments (keywords given: {', '.join(expr.data)}).\n{RULE}"
        )
    return RULE


def _what(expr: Expr) -> str:
    """Return what an operation is called in a message."""
    if expr.op == "attribute":
        return f"the attribute .{expr.data}"
    if expr.op == "call" and expr.args[0].op == "global":
        return _of_library(expr.args[0].data)
    if expr.op == "call" and expr.args[0].op == "attribute":
        return _method(expr.args[0])
    if expr.op == "call" and expr.args[0].op == "call":
        return f"a call of what {_what(expr.args[0])} gives"
    if expr.op in OPERATORS:
        return f"the operator {expr.data if isinstance(expr.data, str) else ' '.join(expr.data)}"
    return {"list": "a list display", "tuple": "a tuple"}.get(expr.op, "this expression")


def _of_library(function: Global) -> str:
    """Return the full name of a function of a library; of any other the user's own."""
    known = known_name(function.text, function.value)
    if known is not None:
        return known
    written = function.text.rpartition(".")[2]
    for name in (written, getattr(function.value, "__name__", written)):
        for module in MODULES:
            if vars(module).get(name) is function.value:
                return name if module is builtins else f"{module.__name__}.{name}"
    return _full(function.text)


def _full(text: str) -> str:
    return f"numpy.{text[3:]}" if text.startswith("np.") else text


def _method(function: Expr) -> str:
    """Return what a method is called: of what may be a module, if arrays have none of that name."""
    (owner,), called = function.args, function.data
    may_be_module = owner.op == "name" and isinstance(owner.type, Unknown | Numeric)
    if may_be_module and not hasattr(np.ndarray, called) and callable(getattr(np, called, None)):
        return f"the method .{called}() of {owner.data.name}, which may be a module that is not known here,"
    return f"the method .{called}()"


def _owner(expr: Expr) -> Expr | None:
    """Return what an attribute is read of, or a method called of."""
    function = expr.args[0] if expr.op == "call" else expr
    return function.args[0] if function.op == "attribute" else None


def _of_unknown_rank(expr: Expr) -> list[str]:
    """Return the variables among the operands whose number of axes is not known."""
    kinds = ((n, getattr(n.type, "type", n.type)) for n in nodes(expr) if n.op == "name")
    open_ = (n for n, kind in kinds if isinstance(kind, Numeric | Unknown))  # None aside
    names = list(dict.fromkeys(n.data.name for n in open_))
    if names or expr.op not in OPERATORS:
        return names
    return ["this" for each in expr.args if isinstance(each.type, Unknown)][:1]


def _stands_in(called: str, span: Span | None) -> bool:
    """Tell whether a variable is one of the user's: temporaries stand in no line."""
    return span is not None and re.search(rf"\b{re.escape(called)}\b", span.text()) is not None


def _is_of_unknown(expr: Expr) -> bool:
    owner = _owner(expr)
    return owner is not None and isinstance(owner.type, Unknown | Reference)
