"""Functions of templates are read as statements: how a loop is run by its schedule, or a list changed.

body("strides", words)      the statements of that function, with words put in for its names

A name of a template is a variable, an expression, or several: *state stands for as many as there are.
What is asked of a word that is None is left out: `if done: break`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Pattern, Variable, name
from s2sad.ir.program import (
    Block,
    Break,
    For,
    If,
    Let,
    Note,
    RegionOp,
    Return,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass
from s2sad.ir.types import Number
from s2sad.operators.reading import Text, parameters, words_in
from s2sad.operators.texts import LOOPS, texts
from s2sad.operators.trees import SYMBOLS, Reader

CHANGES = frozenset({"append", "clear", "insert", "pop"})
Word = Pattern | Expr | tuple[Expr, ...]
Words = dict[str, Any]


def body(template: str, words: Words) -> Block:
    """Return the statements of a template for loops, with words in the place of its names."""
    return Statements(LOOPS, words).made(template)


@cache
def _templates(file: str) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(texts()[file])
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


@cache
def marks_of(file: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the templates of a file by name, with the words that stand at their parameters."""
    return {
        named: {each.name: words_in(each.note) for each in parameters(node)}
        for named, node in _templates(file).items()
    }


@cache
def _own_names(template: ast.FunctionDef) -> frozenset[str]:
    """Return what a template calls its parameters, and what it binds."""
    bound = {n.id for n in ast.walk(template) if isinstance(n, ast.Name) and _is_bound(n)}
    return frozenset({*bound, *(each.arg for each in template.args.args)})


def _is_bound(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


@dataclass(slots=True)
class Statements:
    """Statements as the templates of a file say, with words for their names."""

    file: str
    words: Words
    span: Span | None = None
    reader: Reader | None = None

    def made(self, template: str) -> Block:
        """Return the statements of a template."""
        node = _templates(self.file)[template]
        self.reader = Reader(Text(self.file), _own_names(node) | frozenset(self.words))
        return self.block(node.body)

    def typed(self, expr: Expr) -> Expr:
        """Return a node with its type, where a class knows any."""
        return expr

    def declare(self, target: ast.expr, kind: str | None, value: Expr | None) -> None:
        """Note what is bound to a value of some kind, or, without a kind, to its items by a loop."""

    def block(self, nodes_: Iterable[ast.stmt]) -> Block:
        """Return the statements of a block."""
        return tuple(made for node in nodes_ for made in self.statement(node))

    def statement(self, node: ast.stmt) -> Iterator[Statement]:
        """Yield the statement of a node; none where it is about a word that is None."""
        match node:
            case ast.Assign([target], value):
                if not self.is_left_out(value):
                    yield from self.bound(target, self.expression(value))
            case ast.AnnAssign(target, ast.Name(id=kind), None):
                self.declare(target, kind, None)
            case ast.AnnAssign(target, ast.Name(id=kind), ast.expr() as value):
                made = self.expression(value)
                self.declare(target, kind, made)
                yield from self.bound(target, made)
            case ast.AugAssign(target, op, value):
                left = self.expression(target)
                right = self.expression(value)
                whole = Expr("binary", (left, right), SYMBOLS[type(op)], Number("int64"))
                yield Let(left.data, whole, spelled=SYMBOLS[type(op)])
            case ast.Delete([ast.Subscript(base, key)]):
                yield RegionOp(
                    None, self.expression(base), "del", (self.expression(key),), self.span
                )
            case ast.Expr(ast.Constant(value)):
                yield Note(str(value))
            case ast.Expr(value):
                if not self.is_left_out(value):
                    yield from self.alone(value)
            case ast.If() | ast.For() | ast.While():
                yield from self.around(node)
            case ast.Break():
                yield Break()
            case ast.Return(value) if value is not None:
                yield Return(self.expression(value))
            case _:
                raise self.error("is no statement of a template", node)

    def alone(self, value: ast.expr) -> Iterator[Statement]:
        """Yield the statement of a call, or the statements of another template that is called."""
        match value:
            case ast.Call(ast.Name(id=called), args) if called in _templates(self.file):
                before = self.words, self.reader
                named = (each.arg for each in _templates(self.file)[called].args.args)
                self.words = dict(zip(named, map(self.expression, args), strict=True))
                yield from self.made(called)
                self.words, self.reader = before
            case _:
                yield from self.bound(None, self.expression(value))

    def around(self, node: ast.If | ast.For | ast.While) -> Iterator[Statement]:
        """Yield a statement that holds others."""
        over = node.iter if isinstance(node, ast.For) else node.test
        if self.is_left_out(over):
            return
        head = self.expression(over)
        match node:
            case ast.If(_, inner, orelse):
                yield If(head, self.block(inner), self.block(orelse), self.span)
            case ast.For(target, _, inner):
                self.declare(target, None, head)
                yield For(self.pattern(target), head, self.block(inner), self.span)
            case ast.While(_, inner):
                yield While(head, self.block(inner), self.span)

    def bound(self, target: ast.expr | None, made: Expr) -> Iterator[Statement]:
        """Yield the statement that binds or stores a value, unless nobody reads it."""
        if isinstance(target, ast.Subscript):
            yield Store(self.expression(target), "=", made, self.span)
            return
        pattern = None if target is None else self.pattern(target)
        called = made.args[0] if made.op == "call" else None
        if called is not None and called.op == "attribute" and called.data in CHANGES:
            yield RegionOp(pattern, called.args[0], called.data, made.args[1:], self.span)
        elif pattern is not None:
            yield Let(pattern, made, self.span)

    def is_left_out(self, test: ast.expr) -> bool:
        """Tell whether a test is about a word that is None."""
        named = (n.id for n in ast.walk(test) if isinstance(n, ast.Name))
        return any(self.words.get(n, ()) is None for n in named)

    def error(self, problem: str, node: ast.AST) -> Exception:
        """Return what is wrong in a template."""
        return Text(self.file).error(problem, node)

    # ------------------------------------------------------------------------ words

    def pattern(self, node: ast.expr) -> Pattern:
        """Return what a target binds; of one name alone that name."""
        match node:
            case ast.Name(id=named):
                word: Any = self.words[named]
                pattern: Pattern = word.data if isinstance(word, Expr) else word
                return pattern
            case ast.Starred(ast.Name(id=named)):
                return self.tuple_of(self.several(named))
            case ast.List(items):
                return tuple(v for item in items for v in self.parts(item))
            case ast.Tuple(items) if len(items) == 1:
                return self.pattern(items[0])
            case ast.Tuple(items):
                return self.tuple_of(v for item in items for v in self.parts(item))
        raise self.error("is no target of a template", node)

    def tuple_of(self, parts: Iterable[Variable]) -> Pattern:
        found = tuple(parts)
        return found[0] if len(found) == 1 else found or Variable("_")

    def parts(self, node: ast.expr) -> tuple[Variable, ...]:
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Name):
            return self.several(node.value.id)
        made = self.pattern(node)
        return (made,) if isinstance(made, Variable) else ()

    def several(self, named: str) -> tuple[Variable, ...]:
        found = self.words[named]
        assert isinstance(found, tuple)
        return tuple(each.data for each in found)

    def expression(self, node: ast.expr) -> Expr:
        """Return the tree of an expression, with words in the place of its names."""
        assert self.reader is not None
        return self.put_in(self.reader.expression(node))

    def put_in(self, expr: Expr) -> Expr:
        if expr.op == "name":
            return self.word(expr)
        args = tuple(part for arg in expr.args for part in self.spliced(arg))
        if expr.op == "tuple" and len(args) == 1 and expr.args[0].op == "starred":
            return args[0]
        return self.typed(Expr(expr.op, args, expr.data, expr.type, expr.known))

    def spliced(self, arg: Expr) -> tuple[Expr, ...]:
        """Return what stands for a part of an expression: several for *state, none for None."""
        if arg.op == "starred":
            found = self.words[arg.args[0].data.name]
            assert isinstance(found, tuple)
            return found
        if arg.op == "name" and self.words[arg.data.name] is None:
            return ()
        return (self.put_in(arg),)

    def word(self, hole: Expr) -> Expr:
        found = self.words[hole.data.name]
        if isinstance(found, Variable):
            return name(found)
        assert isinstance(found, Expr)
        return found
