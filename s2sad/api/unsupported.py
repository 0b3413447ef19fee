"""What a lowered function may hold that would be differentiated wrongly: it is refused.

refuse_unsupported(primal, context)     in either mode
refuse_in_forward(primal)               tangents alone
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType

from s2sad.analysis.calls import inlined
from s2sad.analysis.comprehensions import held_in, named_values, with_own_names
from s2sad.analysis.containers import VIEWS
from s2sad.analysis.memory import memory, types_of
from s2sad.analysis.openings import holds_object
from s2sad.analysis.overlaps import may_overlap, refuse_overlaps
from s2sad.analysis.realness import parts_of_what_may_be_complex
from s2sad.analysis.summaries import effect_of
from s2sad.analysis.webs import webs
from s2sad.api.tools import tools_for
from s2sad.ir.errors import GivesRecord, NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, called_object, calls, object_of
from s2sad.ir.program import Function, Program, Raise, Return
from s2sad.ir.records import replace
from s2sad.ir.types import Other, Reference, Unknown, is_float, types_in
from s2sad.ir.walk import nodes, nodes_in, own_nodes, statements
from s2sad.operators import effects
from s2sad.operators.find import unless_read
from s2sad.operators.missing import no_rule
from s2sad.source.owners import stored_attribute
from s2sad.types import Context

# what they give is computed as it is gone through
LAZY = (map, filter, zip, enumerate, reversed, iter)
WITHOUT_TEXT = """Calculate with the value itself. To round it, use round(x, digits), of which the derivative is zero;
or stop the value: s2sad.stop_gradient."""
WITHOUT_PARTS = """A negative number to a fractional power is complex in Python, and so is the root of a matrix with
negative eigenvalues. Make it complex first: ((x + 0j) ** 0.5).imag; or w, V = np.linalg.eig(A)."""
# what of this package a function may name: the others say how it is to be differentiated
UNDERSTOOD = frozenset({"stop_gradient", "on_adjoint", "Entry"})


def refuse_unsupported(primal: Program, context: Context) -> None:
    """Refuse what either mode would differentiate wrongly; NotYet."""
    _refuse_marks(primal)
    _refuse_numbers_of_texts(primal)
    _refuse_numbers_of_bits(primal)
    _refuse_overlaps(primal, context)
    _refuse_draws_inside(primal)
    _refuse_slices_of_floats(primal)
    _refuse_imaginary_parts(primal)


def refuse_in_forward(primal: Program) -> None:
    """Refuse what has no tangent, or a wrong one; NotYet."""
    refuse_objects(primal)
    _refuse_foreign(primal)
    _refuse_changes_unseen(primal)


def refuse_unknown_result(primal: Program) -> None:
    """Refuse a result of which nothing is known, since a library gives it: it may vary; NotYet."""
    result = primal.facts.get("result")
    if result is not None and any(isinstance(each, Unknown) for each in types_in(result)):
        _refuse_foreign(primal)


def _refuse_marks(primal: Program) -> None:
    """Refuse what says in the text of the primal how it is to be differentiated."""
    for node in nodes_in(primal.body):
        if node.op != "global":
            continue
        module = str(stored_attribute(node.data.value, "__module__", "")).partition(".")[0]
        named = stored_attribute(node.data.value, "__name__", type(node.data.value).__name__)
        if module == "s2sad" and named not in UNDERSTOOD:
            raise NotYet(f"{named} in a function", node.span)


def _refuse_overlaps(primal: Program, context: Context) -> None:
    """Refuse `v[::2] = v[:3]`: what NumPy does depends on which element it takes first."""
    if any(map(may_overlap, statements(primal.body))):
        tools = tools_for(primal, context)
        for function in map(_of_webs, _functions_to_search(primal, tools.infer)):
            types = types_of(function, tools.join)
            refuse_overlaps(function, memory(function, types, tools.shares, tools.regions))


def _of_webs(function: Function) -> Function:
    """Return a function with a variable for each meaning of a name, where its ways can be told."""
    try:
        return webs(function)
    except NotYet:  # a `continue` within
        return function


def _functions_to_search(primal: Program, infer: Callable[[Expr], Expr]) -> Iterable[Function]:
    """Return a program as one function, or its functions one by one where some call themselves."""
    try:
        return (inlined(with_own_names(primal), infer),)
    except NotYet:
        return primal.functions.values()


def _refuse_numbers_of_texts(primal: Program) -> None:
    """Refuse a number that may be read off a text that was made of what varies."""
    every = list(nodes_in(primal.body))
    ratio = next((n for n in every if n.op == "attribute" and n.data == "as_integer_ratio"), None)
    if ratio is not None and _varies(ratio.args[0]):
        raise NotYet("as_integer_ratio of a value that varies", ratio.span)
    if not any(_is_text(n) and any(map(_varies, nodes(n))) for n in every):
        return
    raises = (s for s in statements(primal.body) if isinstance(s, Raise))
    shown = {id(node) for s in raises for node in own_nodes(s)}
    shown |= {id(node) for n in every if _prints(n) for node in nodes(n)}
    for node in every:
        if id(node) in shown or _makes_exception(node) or _looks_up(node):
            continue  # a message is read by nobody, and a text that is a key says where to look
        is_open = _varies(node) or isinstance(node.type, Unknown)
        if node.op == "call" and is_open:
            is_read = _is_of_floats(node) and node.args[0].op == "attribute"
            are_texts = is_read and isinstance(node.args[0].args[0].type, Unknown)
            if are_texts or any(_may_be_text(arg) for arg in node.args[1:]):
                what = "a number is read from the text of a value that varies"
                raise Unsupported.refused(what, node.span, WITHOUT_TEXT)


def _refuse_numbers_of_bits(primal: Program) -> None:
    """Refuse floats that are read off whole numbers which may be the bits of what varies."""
    views = [n for n in nodes_in(primal.body) if n.op == "call" and n.args[0].op == "attribute"]
    views = [n for n in views if n.args[0].data == "view" and len(n.args) > 1]
    if any(_varies(n.args[0].args[0]) and not _varies(n) for n in views):
        for node in views:
            if _varies(node) and not _varies(node.args[0].args[0]):
                what = "a number is read from the bits of a value that varies"
                raise Unsupported.refused(what, node.span, WITHOUT_TEXT)


def _makes_exception(node: Expr) -> bool:
    """Tell whether an exception is made, to be raised later: error = ValueError(f"{x} is too large")."""
    made = object_of(node.args[0] if node.op == "call" else node)
    return isinstance(made, type) and issubclass(made, BaseException)


def _looks_up(node: Expr) -> bool:
    """Tell whether a dict gives what it holds under a key: d.get(key, 0.0)."""
    method = node.args[0] if node.op == "call" else node
    is_lookup = method.op == "attribute" and method.data in ("get", "pop", "setdefault")
    return is_lookup and isinstance(method.args[0].type, Reference)


def _prints(node: Expr) -> bool:
    """Tell whether a call prints what it is given, and gives no numbers of it."""
    return node.op == "call" and effects.effect(node).prints and not _is_of_floats(node)


def _is_of_floats(call: Expr) -> bool:
    """Tell whether a call gives numbers of what it reads: float.fromhex(text), texts.astype(float)."""
    called = call.args[0]
    if called.op == "attribute":
        return called.data in ("astype", "view")
    return getattr(object_of(called), "__self__", None) is float


def _is_text(expr: Expr) -> bool:
    return isinstance(expr.type, Other) and expr.type.cls in (str, bytes)


def _may_be_text(expr: Expr) -> bool:
    return expr.known is None and (_is_text(expr) or isinstance(expr.type, Unknown))


def _varies(expr: Expr) -> bool:
    return is_float(expr.type) and expr.op != "constant"


def _refuse_draws_inside(primal: Program) -> None:
    """Refuse a comprehension that draws: it cannot be told which of its items are made."""
    for node in nodes_in(primal.body):
        if node.op == "comprehension":
            called = (n for n in nodes(node) if n.op == "call")
            if any(_may_draw(each, primal) for each in called):
                what = "this draws random numbers inside an expression or a test"
                hint = "Draw before, in a statement or a loop of its own."
                raise Unsupported.refused(what, node.span, hint)


def _refuse_slices_of_floats(primal: Program) -> None:
    """Refuse a slice that has a name, and bounds that may vary: who reads them is not seen."""
    for node in nodes_in(primal.body):
        if calls(node, slice) and any(map(_varies, node.args[1:])):
            raise NotYet("a slice of floats that has a name", node.span)


def _refuse_imaginary_parts(primal: Program) -> None:
    """Refuse an imaginary part that is 0 of some arguments alone."""
    for node in parts_of_what_may_be_complex(primal):
        what = "this may be complex as it runs: complex numbers are not differentiated"
        raise Unsupported.refused(what, node.span, WITHOUT_PARTS)


def _may_draw(call: Expr, primal: Program) -> bool:
    """Tell whether a call may draw; of an own function, whether it does more than compute."""
    function = primal.functions.get(call.args[0].data) if call.args[0].op == "function" else None
    if function is None:
        return effects.effect(call).draws
    return not replace(effect_of(function), raises=False).is_pure


def _refuse_foreign(primal: Program) -> None:
    """Refuse what a library makes that is not known: it may have operators of its own."""
    for region in primal.regions.values():
        if str(getattr(region.cls, "__module__", "")).startswith("scipy."):
            raise NotYet("an object of SciPy's", primal.function.span)
    for node in nodes_in(primal.body):
        made = called_object(node)
        if made is not None and isinstance(node.type, Unknown):
            if isinstance(made, type) and issubclass(made, BaseException):
                continue
            module = str(getattr(made, "__module__", None) or "builtins")
            root = module.partition(".")[0]
            is_ours = root in ("numpy", "s2sad") or root.startswith("<s2sad ")  # or of a text
            if is_ours or root in sys.stdlib_module_names:
                continue
            is_compiled = isinstance(made, BuiltinFunctionType) or "cython" in type(made).__name__
            if (root == "scipy" or is_compiled) and any(
                is_float(arg.type) for arg in node.args[1:]
            ):
                raise Refused(no_rule(node, node.span))
            what = f"what {root} makes here, which may have operators of its own,"
            raise unless_read(NotYet(what, node.span), made)


def _refuse_changes_unseen(primal: Program) -> None:
    """Refuse what is read later than it is written: shapes that change, generators that are kept."""
    for node in nodes_in(primal.body):
        if node.op != "call":
            continue
        function, *args = node.args
        if function.op == "attribute" and function.data == "resize":
            raise NotYet("an array whose shape changes", node.span)
        if function.op == "function" and any(map(_is_lazy, args)):
            raise NotYet("a generator that is handed to a function", node.span)
    for statement in statements(primal.body):
        if any(_is_lazy(part) for value in named_values(statement) for part in held_in(value)):
            raise NotYet("what is gone through later than it is named", statement.span)


def _is_lazy(expr: Expr) -> bool:
    """Tell whether a value is computed as it is gone through."""
    if expr.op == "comprehension":
        return bool(expr.data == "generator")
    if expr.op != "call":
        return False
    function = expr.args[0]
    if function.op == "attribute":
        return function.data in VIEWS and len(expr.args) == 1
    return any(object_of(function) is each for each in LAZY)


def refuse_objects(primal: Program) -> None:
    """Refuse a result that is an object of a class that does more than hold its fields."""
    ends = [s for s in statements(primal.function.body) if isinstance(s, Return)]
    for end in ends:
        if holds_object(end.value, primal.regions):
            name = primal.function.name if end.span is None else end.span.function
            problem = f"{name} returns a dict or an object that it makes"
            raise GivesRecord.refused(problem, end.span, "Return a tuple of its parts.")
