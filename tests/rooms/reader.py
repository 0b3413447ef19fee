"""A small reader of functions for the tests of analysis, reverse and checkpoint.

It knows plain statements, arrays and numbers, and types them by running them on tiny arrays: it
stands where the room `lowering` stands, so that these rooms are tested by themselves.
"""

import ast
import builtins
import inspect
import itertools
import textwrap
import warnings
from dataclasses import replace

import numpy as np

from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, Variable, constant, global_, name
from s2sad.ir.program import (
    Break,
    Continue,
    For,
    Function,
    If,
    Let,
    Parameter,
    Program,
    Raise,
    RegionOp,
    Return,
    Store,
    Summary,
    While,
)
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Other,
    Reference,
    Region,
    Sequence,
    Tuple,
)
from s2sad.ir.walk import statements

PRIMES = ((7, 11, 13, 17, 19), (23, 29, 31, 37, 41))
BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
COMPARE = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
}
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not", ast.Invert: "~"}
rng = np.random.default_rng(0)


class Types:
    """Types by running: two sets of distinct lengths, read back as lengths of symbols."""

    def __init__(self, args, names):
        self.symbols, self.cache, self.regions = {}, {}, {}
        sizes = {}
        self.types = []
        for arg, called in zip(args, names, strict=True):
            if isinstance(arg, np.ndarray):
                lengths = []
                for axis, size in enumerate(arg.shape):
                    if size == 1:
                        lengths.append(Length((), 1))
                        continue
                    symbol = sizes.setdefault(size, f"{called}{axis}")
                    self.symbols.setdefault(symbol, len(self.symbols))
                    lengths.append(Length.of(symbol))
                self.types.append(Array(str(arg.dtype), tuple(lengths)))
            else:
                self.types.append(Number(str(np.asarray(arg).dtype)))

    def sizes(self, k):
        return {s: PRIMES[k][at] for s, at in self.symbols.items()}

    def sample(self, type_, k):
        match type_:
            case Number(dtype):
                if dtype == "bool":
                    return True
                return 2 + k if dtype[0] in "iu" else float(rng.uniform(0.4, 0.9))
            case Array(dtype, lengths):
                if None in lengths:
                    raise NotYet("a length that is not known")
                shape = tuple(n.value(self.sizes(k)) for n in lengths)
                if dtype == "bool":
                    return rng.uniform(size=shape) > 0.5
                if dtype[0] in "iu":
                    return np.arange(int(np.prod(shape))).reshape(shape) % 2
                return rng.uniform(0.4, 0.9, shape)
            case Tuple(items):
                return tuple(self.sample(item, k) for item in items)
            case Sequence(_, cls) if cls is range:
                return range(2)
        return None

    def length(self, a, b):
        if a == b:
            return Length((), a)
        one, two = self.sizes(0), self.sizes(1)
        for s in self.symbols:
            for factor in (1, 2, 3):
                if a - factor * one[s] == b - factor * two[s]:
                    return Length.of(s) * factor + (a - factor * one[s])
        for s, t in itertools.combinations_with_replacement(self.symbols, 2):
            if a - one[s] * one[t] == b - two[s] * two[t]:
                return Length.of(s) * Length.of(t) + (a - one[s] * one[t])
            if a - one[s] - one[t] == b - two[s] - two[t]:
                return Length.of(s) + Length.of(t) + (a - one[s] - one[t])
        return None

    def of(self, a, b):
        if isinstance(a, np.ndarray) and a.ndim:
            lengths = tuple(self.length(m, n) for m, n in zip(a.shape, b.shape, strict=True))
            return Array(str(a.dtype), lengths)
        if isinstance(a, np.ndarray):
            return Array(str(a.dtype), ())
        if isinstance(a, (bool, int, float, complex, np.generic)):
            return Number(str(np.asarray(a).dtype))
        if isinstance(a, tuple):
            return Tuple(tuple(self.of(x, y) for x, y in zip(a, b, strict=True)))
        if isinstance(a, range):
            return Sequence(Number("int64"), range)
        return Other(type(a))

    def infer(self, expr):
        if expr.op in ("name", "constant", "global", "function"):
            return expr
        of_lists = [a for a in expr.args if isinstance(a.type, Reference)]
        if of_lists:
            return replace(expr, type=self.of_list(expr, of_lists[0].type))
        key = (
            expr.op,
            repr(expr.data),
            tuple(
                (
                    a.type,
                    a
                    if a.op
                    in ("constant", "global", "slice", "tuple", "unary", "attribute", "binary")
                    else None,
                )
                for a in expr.args
            ),
        )
        if key not in self.cache:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    values = [self.run(expr, k) for k in (0, 1)]
                type_ = self.of(*values)
            except NotYet:
                type_ = UNKNOWN
            except Exception as error:
                raise NotYet(f"types: {type(error).__name__} {error}", expr.span) from None
            self.cache[key] = type_
        return replace(expr, type=self.cache[key])

    def of_list(self, expr, reference):
        item = self.regions[reference.site].item
        if expr.op == "subscript":
            return item
        if expr.op == "call" and expr.args[0].data.text in ("sum", "len"):
            return item if expr.args[0].data.text == "sum" else Number("int64")
        raise NotYet("types: a list", expr.span)

    def run(self, expr, k):
        """Run a node on samples of its operands' types."""
        return once(expr, [self.operand(a, k) for a in expr.args])

    def operand(self, expr, k):
        if expr.op == "constant":
            return expr.data
        if expr.op == "global":
            return expr.data.value
        if expr.op in ("slice", "tuple", "list"):
            return once(expr, [self.operand(a, k) for a in expr.args])
        if expr.op == "attribute":
            return getattr(self.operand(expr.args[0], k), expr.data)
        if expr.op == "binary" and isinstance(expr.type, Number) and expr.type.dtype[0] in "iu":
            return once(expr, [self.operand(a, k) for a in expr.args])
        if expr.op == "unary" and expr.args[0].op == "constant":
            return -expr.args[0].data
        return self.sample(expr.type, k)

    def shares(self, expr):
        if expr.op not in ("subscript", "attribute", "call"):
            return ()
        found = []
        try:
            values = [self.operand(a, 0) for a in expr.args]
            if expr.op == "call" and expr.args[0].op == "attribute":
                base = self.operand(expr.args[0].args[0], 0)
                values[0] = getattr(base, expr.args[0].data)
            else:
                base = None
            result = once(expr, values)
        except Exception:
            return tuple(range(len(expr.args)))
        for k, value in enumerate([base if base is not None else values[0], *values[1:]]):
            if isinstance(value, np.ndarray) and isinstance(result, np.ndarray):
                if np.may_share_memory(value, result):
                    found.append(k)
        return tuple(found)


def once(expr, a):
    match expr.op:
        case "binary":
            return eval(f"x {expr.data} y", {"x": a[0], "y": a[1]})
        case "unary":
            return eval(f"{expr.data} x", {"x": a[0]})
        case "compare":
            return eval(f"x {expr.data[0]} y", {"x": a[0], "y": a[1]})
        case "and":
            return a[0] and a[1]
        case "or":
            return a[0] or a[1]
        case "conditional":
            return a[1]
        case "slice":
            return slice(*a)
        case "subscript":
            return a[0][a[1]]
        case "tuple":
            return tuple(a)
        case "list":
            return list(a)
        case "attribute":
            return getattr(a[0], expr.data)
        case "call":
            n = len(a) - len(expr.data)
            return a[0](*a[1:n], **dict(zip(expr.data, a[n:], strict=True)))
    raise NotYet(expr.op)


class Reader:
    """A function's tree as a Program."""

    def __init__(self, function, args):
        tree, space = parsed(function)
        self.types = Types(args, [a.arg for a in tree.args.args])
        self.functions, self.count, self.env = {}, 0, {}
        self.function(tree, space, self.types.types, tree.name)
        functions = {n: self.functions[n] for n in reversed(self.functions)}
        self.program = Program(functions, tree.name, self.types.regions)

    def function(self, tree, space, types, called):
        outer = self.env, getattr(self, "space", None), getattr(self, "result", None)
        self.env, self.space, self.result = {}, space, None
        parameters = []
        for arg, type_ in zip(tree.args.args, types, strict=True):
            self.env[arg.arg] = type_
            parameters.append(Parameter(Variable(arg.arg), type_))
        body = self.block(tree.body)
        changes = any(isinstance(s, Store | RegionOp) for s in statements(body))
        summary = Summary(writes=frozenset(p.variable for p in parameters if changes))
        self.functions[called] = Function(called, tuple(parameters), body, summary=summary)
        result = self.result
        self.env, self.space, self.result = outer
        return result

    def span(self, node):
        return Span("f", "f", node.lineno)

    def block(self, body):
        return tuple(new for s in body for new in self.statement(s))

    def statement(self, s):
        span = self.span(s)
        match s:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=b, attr="append"), args=[v])):
                base, arg = self.expr(b), self.expr(v)
                self.put(base.type.site, arg.type)
                yield RegionOp(None, base, "append", (arg,), span)
            case ast.Return(value=v):
                value = self.expr(v)
                self.result = value.type
                yield Return(value, span)
            case ast.Assign(targets=[t], value=v):
                yield from self.assign(t, self.expr(v), span)
            case ast.AugAssign(target=t, op=op, value=v):
                yield self.update(t, BINARY[type(op)], self.expr(v), span)
            case ast.If(test=t, body=a, orelse=b):
                test, env = self.expr(t), dict(self.env)
                then = self.block(a)
                left, self.env = self.env, env
                otherwise = self.block(b)
                self.env = self.joined(left, self.env)
                yield If(test, then, otherwise, span)
            case ast.For(target=t, iter=i, body=b, orelse=[]):
                domain = self.expr(i)
                yield self.loop(lambda: self.pass_(t, domain, b, span))
            case ast.While(test=t, body=b, orelse=[]):
                yield self.loop(lambda: While(self.expr(t), self.block(b), span))
            case ast.Break():
                yield Break(span)
            case ast.Continue():
                yield Continue(span)
            case ast.Raise(exc=e):
                yield Raise(self.expr(e), span)
            case _:
                raise NotYet(ast.unparse(s), span)

    def loop(self, made):
        while True:
            env = dict(self.env)
            loop = made()
            self.env = self.joined(env, self.env)
            if self.env == env:
                return loop

    def pass_(self, target, domain, body, span):
        pattern = self.pattern(target, item(domain.type, domain))
        return For(pattern, domain, self.block(body), span)

    def pattern(self, target, type_):
        if isinstance(target, ast.Name):
            self.env[target.id] = type_
            return Variable(target.id)
        items = type_.items if isinstance(type_, Tuple) else [item(type_, None)] * len(target.elts)
        return tuple(self.pattern(t, i) for t, i in zip(target.elts, items, strict=True))

    def joined(self, a, b):
        made = {}
        for key in {**a, **b}:
            x, y = a.get(key, b.get(key)), b.get(key, a.get(key))
            made[key] = join(x, y)
        return made

    def assign(self, target, value, span):
        match target:
            case ast.Name(id=n):
                self.env[n] = value.type
                yield Let(Variable(n), value, span)
            case ast.Tuple():
                yield Let(self.pattern(target, value.type), value, span)
            case _:
                yield Store(self.expr(target), "=", value, span)

    def update(self, target, op, value, span):
        place = self.expr(target)
        if place.op == "name" and isinstance(place.type, Number):
            new = self.types.infer(Expr("binary", (place, value), op, span=span))
            self.env[target.id] = new.type
            return Let(place.data, new, span, spelled=op)
        return Store(place, op, value, span)

    def expr(self, n):
        made = self.node(n)
        return replace(made, span=self.span(n)) if hasattr(n, "lineno") else made

    def node(self, n):
        f, infer = self.expr, self.types.infer
        match n:
            case ast.Constant(value=v):
                if isinstance(v, (bool, int, float)):
                    return constant(v, Number(str(np.asarray(v).dtype)))
                return constant(v)
            case ast.Name(id=x):
                if x in self.env:
                    return name(Variable(x), self.env[x])
                value = self.space[x] if x in self.space else getattr(builtins, x)
                return global_(x, value)
            case ast.BinOp(left=a, op=op, right=b):
                return infer(Expr("binary", (f(a), f(b)), BINARY[type(op)], span=self.span(n)))
            case ast.UnaryOp(op=op, operand=a):
                return infer(Expr("unary", (f(a),), UNARY[type(op)]))
            case ast.BoolOp(op=op, values=vs):
                word = "and" if isinstance(op, ast.And) else "or"
                parts = tuple(map(f, vs))
                type_ = parts[0].type
                for part in parts[1:]:
                    type_ = join(type_, part.type)
                return Expr(word, parts, None, type_)
            case ast.Compare(left=a, ops=ops, comparators=bs):
                parts = (f(a), *map(f, bs))
                return infer(Expr("compare", parts, tuple(COMPARE[type(o)] for o in ops)))
            case ast.IfExp(test=t, body=a, orelse=b):
                arms = f(a), f(b)
                type_ = join(arms[0].type, arms[1].type)
                return Expr("conditional", (f(t), *arms), None, type_)
            case ast.Attribute(value=v, attr=a):
                base = f(v)
                if base.op == "global":
                    return global_(f"{base.data.text}.{a}", getattr(base.data.value, a))
                return infer(Expr("attribute", (base,), a))
            case ast.Subscript(value=v, slice=s):
                return infer(Expr("subscript", (f(v), f(s)), span=self.span(n)))
            case ast.Slice(lower=a, upper=b, step=c):
                parts = tuple(constant(None) if x is None else f(x) for x in (a, b, c))
                return Expr("slice", parts, None, Other(slice))
            case ast.Tuple(elts=es):
                made = tuple(map(f, es))
                return Expr("tuple", made, None, Tuple(tuple(m.type for m in made)))
            case ast.List(elts=es):
                items = tuple(map(f, es))
                site = (n.lineno, n.col_offset)
                for made in items:
                    self.put(site, made.type)
                return Expr("list", items, None, Reference(site))
            case ast.Call():
                return self.call(n)
        raise NotYet(ast.unparse(n), self.span(n))

    def call(self, n):
        function = self.expr(n.func)
        args = tuple(self.argument(a) for a in n.args)
        words = {k.arg: self.expr(k.value) for k in n.keywords}
        if function.op == "global" and inspect.isfunction(function.data.value):
            if function.data.value.__module__.split(".")[0] not in ("numpy", "math"):
                return self.own(function.data.value, args, n)
        made = Expr("call", (function, *args, *words.values()), tuple(words), span=self.span(n))
        if function.op == "global" and function.data.text in ("zip", "enumerate", "reversed"):
            return made
        if function.op == "attribute":
            base = function.args[0]
            samples = [self.types.sample(base.type, k) for k in (0, 1)]
            found = []
            for k in (0, 1):
                values = [self.types.operand(a, k) for a in (*args, *words.values())]
                plain = values[: len(args)]
                rest = dict(zip(words, values[len(args) :], strict=True))
                found.append(getattr(samples[k], function.data)(*plain, **rest))
            return replace(made, type=self.types.of(*found))
        return self.types.infer(made)

    def argument(self, n):
        if isinstance(n, ast.List):
            return Expr("list", tuple(map(self.argument, n.elts)), None, Other(list))
        return self.expr(n)

    def put(self, site, type_):
        old = self.types.regions.get(site)
        item_ = type_ if old is None else join(old.item, type_)
        self.types.regions[site] = Region(site, "list", item_)

    def own(self, function, args, n):
        tree, space = parsed(function)
        self.count += 1
        called = f"{tree.name}_{self.count}"
        result = self.function(tree, space, [a.type for a in args], called)
        return Expr("call", (Expr("function", (), called), *args), (), result, None, self.span(n))


def parsed(function):
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if tree.decorator_list:
        raise NotYet("a decorator")
    return tree, function.__globals__


def item(type_, domain):
    match type_:
        case Array(dtype, lengths):
            return Array(dtype, lengths[1:]) if len(lengths) > 1 else Number(dtype)
        case Sequence(inner):
            return inner
        case Tuple(items):
            return items[0]
    if domain is not None and domain.op == "call":
        plain = domain.args[1 : len(domain.args) - len(domain.data)]
        if domain.args[0].data.text == "enumerate":
            return Tuple((Number("int64"), item(plain[0].type, plain[0])))
        if domain.args[0].data.text == "zip":
            return Tuple(tuple(item(p.type, p) for p in plain))
    return UNKNOWN


def join(a, b):
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(str(np.result_type(a.dtype, b.dtype)))
    if isinstance(a, Array) and isinstance(b, Array) and a.rank == b.rank:
        lengths = tuple(m if m == n else None for m, n in zip(a.lengths, b.lengths, strict=True))
        return Array(str(np.result_type(a.dtype, b.dtype)), lengths)
    return UNKNOWN


def read(function, args):
    """Return a Program for a function, and how its expressions are typed."""
    try:
        reader = Reader(function, args)
    except NotYet:
        raise
    except Exception as error:
        raise NotYet(f"reader: {type(error).__name__} {error}") from None
    return reader.program, reader.types
