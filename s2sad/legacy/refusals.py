"""Why a derivative is refused, in words that point at the user's line and say what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import AliasError, NoRule, S2sadError, Span, UnknownFunction, Unsupported
from s2sad.legacy.facts import UNKNOWN, Fact
from s2sad.legacy.into import ORDERING, PLACES
from s2sad.legacy.program import (
    Attr,
    Call,
    Const,
    Expr,
    Op,
    Opaque,
    Pop,
    Ref,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.rules import is_known
from s2sad.legacy.traverse import walk
from s2sad.legacy.twins import may_have_twin

STOP = "give the function a derivative (s2sad.custom_derivative), or stop it: s2sad.stop_gradient."
AXES = "Give it its axes where it\nbegins: x[None, :], np.reshape(x, (1, -1)), np.zeros((0, n)). Or give examples: like=(...)."

Ask = Callable[[Expr], Fact]


def missing_rule(value: Expr, span: Span, fact: Ask = lambda expr: UNKNOWN) -> S2sadError:
    """Return the error for an operation that no template describes; `fact` tells of operands."""
    what = _what(value)
    if isinstance(value, Opaque) and any(
        k.arg is None for k in getattr(value.node, "keywords", ())
    ):
        return starred(span)
    if isinstance(value, Opaque):
        return Unsupported(
            f"{what} is not differentiated",
            span,
            "It depends on what you differentiate with respect to, and reaches the result.\n"
            "Write it with plain assignments, lists and loops.",
        )
    if any(_is_complex(part, fact) for part in walk(value)):
        return Unsupported(
            "complex numbers are not differentiated",
            span,
            "Calculate with the real and the imaginary part.",
        )
    if isinstance(value, Call) and isinstance(value.func, Attr):
        owner, name = value.func.value, value.func.name
        if isinstance(owner, Ref) and isinstance(owner.value, ModuleType):
            return Unsupported(
                f"the module {owner.value.__name__} has no {name}",
                span,
                "Is its name misspelt, or does another version of the module have it?",
            )
    if isinstance(value, Call) and isinstance(value.func, Var | Op):
        return _unknown_function(value.func, span)
    hint = f"It depends on what you differentiate with respect to, and reaches the result.\n\
Add a rule (docs/rules.md), {STOP}"
    if isinstance(value, Call) and value.keywords:
        names = ", ".join(name for name, _ in value.keywords)
        hint = f"No template takes these arguments (keywords given: {names}).\n{hint}"
    if _is_of_a_stack(value, fact):
        hint = (
            f"It is differentiated for one matrix at a time: call it in a loop over the stack, or use\n\
np.linalg, whose functions take stacks.\n{hint}"
        )
    lists = [part.slot for part in walk(value) if isinstance(part, Var) and _is_list(part, fact)]
    if lists and isinstance(value, Op):
        hint = f"{lists[0]} is a list here: pass np.array({lists[0]}).\n{hint}"
    held = _owner(value)
    if isinstance(held, Var) and isinstance(value, Call) and fact(held).kind == "unknown":
        what = _of_a_module(what, held)
    if held is not None and fact(held).kind == "record":
        hint = (
            "Of objects inside a list, tuple or dict that is an argument nothing is differentiated:\n\
hand their fields over in lists of numbers, or as arrays."
        )
    elif held is not None:
        hint = f"Where it is of an argument, give examples of all: like=(...).\n{hint}"
    open_ = _of_unknown_rank(value, fact) if is_known(value) else []
    told = list(dict.fromkeys(base(name) for name in open_ if not is_temp(name)))
    if told:
        error = NoRule(
            f"{what} has no derivative rule for {_listed(told)}, whose number of axes is not known",
            span,
            f"It may change from pass to pass, or hang on another value. {AXES}",
        )
    else:
        error = NoRule(f"{what} has no derivative rule", span, hint)
    error.follows = bool(open_)
    # a call tells what its arguments are, and which keys a dict has
    of_unknown = held is not None and fact(held).kind in ("unknown", "dict")
    may_fit = is_known(value) or may_have_twin(value) or _joins(value) or _draws_of(value, fact)
    error.certain = not (may_fit or of_unknown)
    return error


def _of_unknown_rank(value: Expr, fact: Ask) -> list[str]:
    """Return the operands of which it is not known how many axes they have, or what they hold."""
    operands = (part for part in walk(value) if isinstance(part, Var))
    return list(dict.fromkeys(var.slot for var in operands if _may_be_any_array(fact(var))))


def _may_be_any_array(fact: Fact) -> bool:
    if fact.kind == "list" and fact.items:
        return _may_be_any_array(fact.items[0])
    return fact.kind in ("array", "unknown") and fact.rank is None and fact.value is None


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _of_a_module(what: str, held: Var) -> str:
    """Return what is called, of which object: arrays may have no such method, where NumPy has."""
    name = what.removeprefix("the method .").removesuffix("()")
    if hasattr(np.ndarray, name) or not callable(getattr(np, name, None)):
        return what
    return f"{what} of {base(held.slot)}, which may be a module that is not known here,"


def _owner(value: Expr) -> Expr | None:
    """Return what an attribute is read of, or a method called of."""
    func = value.func if isinstance(value, Call) else value
    return func.value if isinstance(func, Attr) else None


def starred(span: Span) -> Unsupported:
    """Return the refusal of a call with `*` or `**` of something; arguments may tell what it holds."""
    error = Unsupported(
        "this call cannot be followed: what is starred is not known here",
        span,
        "Write its arguments out. Of a tuple, list or dict that is an argument give an example: like=(...).",
    )
    error.certain = False
    return error


def _draws_of(value: Expr, fact: Ask) -> bool:
    """Tell whether a draw is from what may be an array: rng.choice(x), np.random.permutation(x)."""
    match value:
        case Call(Attr(_, name), (drawn, *_)) | Call(Ref(name), (drawn, *_)):
            drawing = name.rpartition(".")[2] in ("choice", "permutation")
            return drawing and fact(drawn).kind == "unknown"
    return False


def _joins(value: Expr) -> bool:
    """Tell whether an operation is np.r_[...] or np.c_[...], which join what has a rank."""
    match value:
        case Op("index", (Ref("np.r_" | "np.c_"), _)):
            return True
    return False


def _is_complex(part: Expr, fact: Ask) -> bool:
    if isinstance(part, Const):
        return isinstance(part.value, complex)
    return isinstance(part, Var) and fact(part).dtype.startswith("complex")


def _unknown_function(func: Expr, span: Span) -> S2sadError:
    """Return the error for a call of what may be one function or another."""
    problem = "which function is called here is not known when the derivative is made"
    if isinstance(func, Var) and not is_temp(func.slot):
        problem = f"which function {base(func.slot)} is, is not known when the derivative is made"
    return UnknownFunction(
        problem,
        span,
        "Choose between functions with an `if` around their calls.",
    )


def _is_of_a_stack(value: Expr, fact: Ask) -> bool:
    """Tell whether a function of scipy.linalg is given a stack of what it has rules for."""
    match value:
        case Call(Ref(text), args) if text.startswith("scipy.linalg."):
            return is_known(value) and any((fact(each).rank or 0) > 1 for each in args)
    return False


def _is_list(var: Var, fact: Ask) -> bool:
    return fact(var).kind in ("list", "tuple") and not is_temp(var.slot)


_SYNTAX = {
    "Await": "`await`",
    "ClassDef": "class",
    "Dict": "dict",
    "DictComp": "dict",
    "GeneratorExp": "generator",
    "JoinedStr": "f-string",
    "Lambda": "lambda",
    "ListComp": "comprehension",
    "NamedExpr": "assignment expression",
    "Set": "set",
    "SetComp": "set",
    "Starred": "starred argument",
    "With": "`with`",
    "Yield": "`yield`",
    "YieldFrom": "`yield`",
}


def _what(value: Expr) -> str:
    match value:
        case Call(Ref(text, target)):
            module = getattr(target, "__module__", None)
            short = text if not text.startswith("np.") else "numpy." + text[3:]
            return short if "." in short or not module else f"{short}"
        case Call(Attr(_, name)):
            return f"the method .{name}()"
        case Attr(_, name):
            return f"the attribute .{name}"
        case Op(op):
            return {"list": "a list display", "tuple": "a tuple", "dict": "a dict"}.get(
                op, f"the operator {op}"
            )
        case Opaque(node):
            general = "statement" if isinstance(node, gast.stmt) else "expression"
            return f"this {_SYNTAX.get(type(node).__name__, general)}"
    return "this expression"


def no_rule(
    match: Any, missing: Sequence[str], span: Span, fact: Ask = lambda expr: UNKNOWN
) -> S2sadError:
    """Return the error for an argument whose derivative a template does not give.

    Where nothing is known of the argument, another template may fit what a call gives.
    """
    names = ", ".join(missing)
    error = NoRule(
        f"the rule {match.rule.name} has no derivative with respect to {names}",
        span,
        f"The argument {names} depends on what you differentiate with respect to.",
    )
    error.certain = all(fact(match.bound[each]).kind != "unknown" for each in missing)
    return error


def not_differentiated(value: Expr, span: Span, name: str = "") -> S2sadError:
    """Return the error for copied syntax that would have to be differentiated."""
    target = f", which sets {name}," if name else ""
    error = Unsupported(
        f"{_what(value)}{target} is not differentiated",
        span,
        "It depends on what you differentiate with respect to. Write it with plain statements.",
    )
    # a display is copied where its parts may be arrays, which more facts may rule out
    error.certain = not (_is_of_array(value) or _is_display(value))
    return error


def _is_display(value: Expr) -> bool:
    return isinstance(value, Op) and value.op in ("list", "tuple")


def _is_of_array(value: Expr) -> bool:
    """Tell whether copied syntax calls a method that is followed where it is known to be an array's."""
    call = getattr(value.node, "value", None) if isinstance(value, Opaque) else None
    method = getattr(getattr(call, "func", None), "attr", "")
    return method in ORDERING or method in PLACES


def alias(update: Update | Pop, other: Var, since: Span | None) -> S2sadError:
    """Return the error for a write that another name of the same array would see.

    `since` is the place where the second name was made.
    """
    written, seen = base(update.old.slot), base(other.slot)
    if written == seen:
        problem = (
            f"{written} is written in place while an earlier value or a part of it is still read"
        )
    elif is_temp(other.slot):
        problem = f"{written} is written in place while a part of it is still read"
    else:
        problem = f"{written} and {seen} may be one array, and {written} is written in place here"
    return AliasError(
        problem,
        update.span,
        f"{seen} is read after this line and would have changed with it.\n"
        "Make them two arrays: copy with .copy() where the second name is made"
        + (f", in line {since.line}: {since.text()}" if since else "."),
    )


def in_another_order(update: Update) -> S2sadError:
    """Return the error for a store that reads the memory it writes with other steps."""
    name = base(update.old.slot)
    return AliasError(
        f"{name} is read and written here in different steps, and NumPy's result depends on which "
        "element it takes first",
        update.span,
        "Copy what is read: add .copy() to it.",
    )
