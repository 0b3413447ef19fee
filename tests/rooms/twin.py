"""A function run by its text with the type of every value beside it: each must be true.

found = run(heat, (np.ones(10), 0.1))
found.wrong          [] or the expressions whose value is not of the type that was inferred
found.known          how many values had a type, of how many
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import operator
import textwrap
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Variable, attribute, constant, global_, name, subscript
from s2sad.ir.types import UNKNOWN, Reference, Region, Sequence, Tuple, Type
from s2sad.types import Context, Fails, Mismatch, infer, type_of
from s2sad.types.elementwise import BINARY as BINARY_FUNCTIONS
from s2sad.types.elementwise import COMPARE as COMPARE_FUNCTIONS
from s2sad.types.elementwise import UNARY as UNARY_FUNCTIONS
from s2sad.types.reading import without_length
from s2sad.types.subscripts import item_of, joined
from tests.rooms.typed import BINARY, COMPARE, UNARY, contradiction

MOST_STEPS = 20_000
MOST_CALLS = 12


class Stopped(Exception):
    """The text has what is not run here."""


class Left(Exception):
    """A return; `value` and its type."""

    def __init__(self, twin: Twin):
        self.twin = twin


class Broken(Exception):
    """A break."""


class Continued(Exception):
    """A continue."""


@dataclass(slots=True)
class Twin:
    """A value and its typed node."""

    value: Any
    node: Expr


@dataclass(slots=True)
class Found:
    """What became of a run."""

    wrong: list[str] = field(default_factory=list)
    fails: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    typed: int = 0
    stopped: str = ""
    context: Context | None = None


def run(function: FunctionType, args: tuple[Any, ...]) -> Found:
    """Return what became of a run of a function on its example."""
    context = Context()
    for _ in range(40):
        found = Found(context=context)
        context.regions.clear()
        values = copy.deepcopy(args)
        try:
            tree, cells = _tree(function)
            names = [a.arg for a in tree.args.args]
            twins = [
                Twin(v, name(Variable(n), type_of(v, n, context)))
                for n, v in zip(names, values, strict=False)
            ]
            Run(context, found).call(function, tree, cells, twins, {})
        except Mismatch as mismatch:
            if not context.assumptions.learn(mismatch):
                found.stopped = f"not learnt: {mismatch}"
                return found
            continue
        except Stopped as stopped:
            found.stopped = str(stopped)
        except (Broken, Continued, Left):
            found.stopped = "way out"
        except Exception as error:
            found.stopped = f"{type(error).__name__}: {error}"
        return found
    found.stopped = "lengths do not settle"
    return found


def _tree(function: FunctionType) -> tuple[ast.FunctionDef, dict[str, Any]]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        raise Stopped("no source") from None
    if not isinstance(tree, ast.FunctionDef) or tree.args.vararg or tree.args.kwarg:
        raise Stopped("a signature that is not plain")
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(tree)):
        raise Stopped("a generator")
    cells = dict(inspect.getclosurevars(function).nonlocals)
    return tree, {**vars(builtins), **function.__globals__, **cells}


class Run:
    """One run: the values of names, and the types of them."""

    def __init__(self, context: Context, found: Found):
        self.context = context
        self.found = found
        self.steps = 0
        self.depth = 0
        self.sites = 0

    def call(
        self,
        function: FunctionType,
        tree: ast.FunctionDef,
        outer: dict[str, Any],
        args: list[Twin],
        named: dict[str, Twin],
    ) -> Twin:
        """Return what a function of the text returns."""
        self.depth += 1
        if self.depth > MOST_CALLS:
            raise Stopped("calls too deep")
        names = [a.arg for a in (*tree.args.args, *tree.args.kwonlyargs)]
        frame = Frame(self, {}, outer)
        args = [frame.stored(twin) for twin in args]
        env = dict(zip([a.arg for a in tree.args.args], args, strict=False)) | named
        signature = inspect.signature(function)
        for each in names:
            if each not in env:
                env[each] = self.known(signature.parameters[each].default)
        frame.env = env
        try:
            frame.block(tree.body)
        except Left as left:
            return left.twin
        finally:
            self.depth -= 1
        return self.known(None)

    def known(self, value: Any) -> Twin:
        """Return a value that belongs to the text."""
        if isinstance(value, list | dict) or not _is_plain(value):
            return Twin(value, name(Variable("_"), UNKNOWN))
        return Twin(value, infer(constant(value), self.context))

    def checked(self, twin: Twin, text: ast.AST) -> Twin:
        """Return a twin after a look at whether the type is true of the value."""
        wrong = contradiction(twin.node.type, twin.value, self.context)
        if twin.node.known is not None and not wrong:
            wrong = _differs(twin.node.known.value, twin.value)
        shown = ast.unparse(text)[:100]
        if wrong:
            self.found.wrong.append(f"{shown}: {wrong}")
            return Twin(twin.value, name(Variable("_"), UNKNOWN))
        if twin.node.type == UNKNOWN:
            operands = twin.node.args
            if operands and all(arg.type != UNKNOWN for arg in operands):
                self.found.unknown.append(shown)
        else:
            self.found.typed += 1
        return twin


def _is_plain(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex | str | type(None) | np.generic | tuple)


def _differs(known: Any, value: Any) -> str:
    if type(known) is not type(value):
        return f"known {known!r}, not {value!r}"
    if isinstance(known, np.iinfo):  # two of one dtype are two objects
        known, value = known.dtype, value.dtype
    try:
        same = known is value or bool(np.all(known == value)) or known != known
    except Exception:
        return ""
    return "" if same else f"known {known!r}, not {value!r}"


class Frame:
    """The names of one call."""

    def __init__(self, run: Run, env: dict[str, Twin], outer: dict[str, Any]):
        self.run = run
        self.env = env
        self.outer = outer

    # ------------------------------------------------------------------ statements

    def block(self, body: list[ast.stmt]) -> None:
        """Run statements."""
        for statement in body:
            self.run.steps += 1
            if self.run.steps > MOST_STEPS:
                raise Stopped("too many steps")
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Run one statement."""
        match node:
            case ast.Assign(targets=targets, value=value):
                twin = self.read(value)
                for target in targets:
                    self.bind(target, twin)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self.bind(target, self.read(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self.augmented(target, op, self.read(value))
            case ast.Expr(value=value):
                self.read(value)
            case ast.Return(value=value):
                raise Left(self.read(value) if value else self.run.known(None))
            case ast.If(test=test, body=body, orelse=orelse):
                self.block(body if self.read(test).value else orelse)
            case ast.For(target=target, iter=domain, body=body, orelse=[]):
                self.loop(target, self.read(domain), body)
            case ast.While(test=test, body=body, orelse=[]):
                while self.read(test).value:
                    try:
                        self.block(body)
                    except Continued:
                        continue
                    except Broken:
                        break
            case ast.Break():
                raise Broken
            case ast.Continue():
                raise Continued
            case ast.Pass():
                return
            case ast.Assert(test=test):
                self.read(test)
            case _:
                raise Stopped(type(node).__name__)

    def loop(self, target: ast.expr, domain: Twin, body: list[ast.stmt]) -> None:
        """Run a loop."""
        item = item_of(domain.node.type, self.run.context)
        for value in domain.value:
            self.bind(target, Twin(value, name(Variable("_"), item)))
            try:
                self.block(body)
            except Continued:
                continue
            except Broken:
                break

    def stored(self, twin: Twin) -> Twin:
        """Return a value as a name holds it: lists are memory."""
        if not isinstance(twin.value, list):
            return Twin(twin.value, twin.node.typed(kept(twin.node.type), twin.node.known))
        if isinstance(twin.node.type, Reference):
            return twin
        item = item_of(twin.node.type, self.run.context)
        self.run.sites += 1
        site = f"list {self.run.sites}"
        self.run.context.regions[site] = Region(site, "list", kept(item))
        return Twin(twin.value, name(Variable("_"), Reference(site)))

    def bind(self, target: ast.expr, twin: Twin) -> None:
        """Bind a target to a value."""
        match target:
            case ast.Name(id=text):
                twin = self.stored(twin)
                self.env[text] = Twin(twin.value, _named(text, twin.node))
                self.run.checked(self.env[text], target)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if any(isinstance(part, ast.Starred) for part in parts):
                    raise Stopped("starred target")
                values = list(twin.value)
                type_ = twin.node.type
                for k, part in enumerate(parts):
                    inner = item_of(type_, self.run.context)
                    if isinstance(type_, Tuple) and k < len(type_.items):
                        inner = type_.items[k]
                    self.bind(part, Twin(values[k], name(Variable("_"), inner)))
            case ast.Subscript(value=base, slice=index):
                owner = self.read(base)
                owner.value[self.read(index).value] = twin.value
                self.widened(owner, twin)
            case ast.Attribute():
                raise Stopped("a store to an attribute")

    def widened(self, owner: Twin, *items: Twin) -> None:
        """Have the region of a list hold items of more types."""
        if not isinstance(owner.node.type, Reference):
            return
        regions = self.run.context.regions
        region = regions.get(owner.node.type.site)
        if region is None or region.kind != "list":
            self.forget(owner)
            return
        types = [kept(item.node.type) for item in items]
        held = types if region.item == UNKNOWN and not owner.value[:-1] else [region.item, *types]
        regions[region.site] = Region(region.site, "list", joined(tuple(held)))

    def forget(self, *twins: Twin) -> None:
        """Forget what regions hold that a call may write to."""
        for twin in twins:
            if isinstance(twin.node.type, Reference):
                region = self.run.context.regions.get(twin.node.type.site)
                if region is not None and region.kind == "fields":
                    fields = dict.fromkeys(region.fields, UNKNOWN)
                    new = Region(region.site, "fields", fields=fields, cls=region.cls)
                    self.run.context.regions[region.site] = new

    def augmented(self, target: ast.expr, op: ast.operator, value: Twin) -> None:
        """Run an augmented assignment."""
        old = self.read(ast.parse(ast.unparse(target), mode="eval").body)
        symbol = BINARY.get(type(op))
        if symbol is None or isinstance(old.value, list):
            raise Stopped("an augmented list")
        if isinstance(old.value, np.ndarray):
            result = getattr(operator, "i" + BINARY_FUNCTIONS[symbol].__name__)(
                old.value, value.value
            )
            if isinstance(target, ast.Subscript):
                self.bind(target, Twin(result, old.node))
            return
        made = Expr("binary", (old.node, value.node), symbol)
        new = BINARY_FUNCTIONS[symbol](old.value, value.value)
        self.bind(target, self.run.checked(Twin(new, self.inferred(made, target)), target))

    # ------------------------------------------------------------------ expressions

    def inferred(self, node: Expr, text: ast.AST) -> Expr:
        """Return a node with its type; what is said to fail has none."""
        try:
            return infer(node, self.run.context)
        except Fails as fails:
            self.run.found.fails.append(f"{ast.unparse(text)[:100]}: {fails}")
            return name(Variable("_"), UNKNOWN)

    def read(self, node: ast.expr) -> Twin:
        """Return the value and the type of an expression."""
        self.run.steps += 1
        if self.run.steps > MOST_STEPS:
            raise Stopped("too many steps")
        made = self.made(node)
        if made is None:
            return self.evaluated(node)
        return self.run.checked(made, node)

    def evaluated(self, node: ast.expr) -> Twin:
        """Return the value of what has no type here."""
        names = {**self.outer, **{k: t.value for k, t in self.env.items()}}
        value = eval(compile(ast.Expression(node), "<twin>", "eval"), names)
        return Twin(value, name(Variable("_"), UNKNOWN))

    def of(self, value: Any, node: Expr, text: ast.AST) -> Twin:
        """Return a value with the type of its node."""
        return Twin(value, self.inferred(node, text))

    def made(self, node: ast.expr) -> Twin | None:
        """Return an expression of what it is made of; None if its kind is not known."""
        match node:
            case ast.Constant(value=value):
                return self.of(value, constant(value), node)
            case ast.Name(id=text):
                return self.env.get(text) or self.of_module(text, node)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                a, b = self.read(left), self.read(right)
                symbol = BINARY[type(op)]
                value = BINARY_FUNCTIONS[symbol](a.value, b.value)
                return self.of(value, Expr("binary", (a.node, b.node), symbol), node)
            case ast.UnaryOp(op=op, operand=operand):
                a, symbol = self.read(operand), UNARY[type(op)]
                value = UNARY_FUNCTIONS[symbol](a.value)
                return self.of(value, Expr("unary", (a.node,), symbol), node)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
                a, b = self.read(left), self.read(right)
                symbol = COMPARE[type(op)]
                value = COMPARE_FUNCTIONS[symbol](a.value, b.value)
                return self.of(value, Expr("compare", (a.node, b.node), (symbol,)), node)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if any(isinstance(part, ast.Starred) for part in parts):
                    return None
                twins = [self.read(part) for part in parts]
                is_tuple = isinstance(node, ast.Tuple)
                op = "tuple" if is_tuple else "list"
                values = [twin.value for twin in twins]
                made = Expr(op, tuple(twin.node for twin in twins))
                return self.of(tuple(values) if is_tuple else values, made, node)
            case ast.Slice(lower=lower, upper=upper, step=step):
                none = ast.Constant(None)
                twins = [self.read(part or none) for part in (lower, upper, step)]
                value = slice(*(twin.value for twin in twins))
                return self.of(value, Expr("slice", tuple(t.node for t in twins)), node)
            case ast.Subscript(value=base, slice=index):
                a, b = self.read(base), self.read(index)
                return self.of(a.value[b.value], subscript(a.node, b.node), node)
            case ast.Attribute(value=base, attr=named):
                return self.attribute(node, self.read(base), named)
            case ast.Call():
                return self.call(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.read(body if self.read(test).value else orelse)
        return None

    def of_module(self, text: str, node: ast.expr) -> Twin:
        """Return an object of the module."""
        value = self.outer[text]
        if isinstance(value, list | dict | np.ndarray):
            return Twin(value, name(Variable(text), UNKNOWN))
        return self.of(value, global_(text, value), node)

    def attribute(self, node: ast.expr, base: Twin, named: str) -> Twin:
        """Return an attribute."""
        value = getattr(base.value, named)
        if base.node.op == "global":
            return self.of(value, global_(f"{base.node.data.text}.{named}", value), node)
        return self.of(value, attribute(base.node, named), node)

    def call(self, node: ast.Call) -> Twin | None:
        """Return what a call returns."""
        if any(isinstance(a, ast.Starred) for a in node.args) or any(
            k.arg is None for k in node.keywords
        ):
            return None
        called = self.read(node.func)
        args = [self.read(arg) for arg in node.args]
        named = {k.arg or "": self.read(k.value) for k in node.keywords}
        function = called.value
        if isinstance(function, FunctionType) and not _is_library(function):
            try:
                tree, outer = _tree(function)
            except Stopped:
                tree = None
            if tree is not None:
                return self.run.call(function, tree, outer, args, named)
        value = function(*(a.value for a in args), **{k: t.value for k, t in named.items()})
        owner = getattr(function, "__self__", None)
        if infer(called.node, self.run.context).known is None or not _is_library(function):
            for each in list(self.env.values()):
                self.forget(each)
        if isinstance(owner, list):
            self.changed(node, args)
        operands = (called.node, *(a.node for a in args), *(t.node for t in named.values()))
        return self.of(value, Expr("call", operands, tuple(named)), node)

    def changed(self, node: ast.Call, args: list[Twin]) -> None:
        """Widen what a list holds where a method puts something in."""
        assert isinstance(node.func, ast.Attribute)
        if node.func.attr in ("append", "insert"):
            self.widened(self.read(node.func.value), args[-1])
        elif node.func.attr not in ("pop", "copy", "index", "count", "reverse", "clear"):
            raise Stopped("a list that is changed")


def kept(type_: Type) -> Type:
    """Return the type of what is held somewhere: lists in it may change."""
    match type_:
        case Tuple(_, cls) | Sequence(_, cls) if cls is list:
            return UNKNOWN
        case Tuple(items, cls):
            return Tuple(tuple(map(kept, items)), cls)
        case Sequence(item, cls, length):
            return Sequence(kept(item), cls, length)
    return without_length(type_)


def _named(text: str, node: Expr) -> Expr:
    made = name(Variable(text), node.type)
    return made.typed(node.type, node.known)


def _is_library(function: FunctionType) -> bool:
    return (function.__module__ or "").startswith(("numpy", "scipy", "math"))
