"""The functions that run a loop by its schedule are read from templates/loops.py as statements.

body("strides", words)      the statements of that function, with words put in for its names

A name of a template is a variable, an expression, or several: *state stands for as many as there are.
What is asked of a word that is None is left out: `if done: break`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from s2sad.ir.errors import InternalError, S2sadError
from s2sad.ir.expression import Expr, Pattern, Variable, name
from s2sad.ir.program import Block, Break, For, If, Let, Note, RegionOp, Return, Statement, While
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Number
from s2sad.operators.reading import LOOPS, texts
from s2sad.operators.trees import BINARY, Reader

CHANGES = frozenset({"append", "pop"})
Word = Variable | Expr | tuple[Expr, ...] | None
Words = Mapping[str, Word]


@dataclass(frozen=True, slots=True)
class _Where:
    """The file of templates, for what is wrong in it."""

    names: Mapping[str, Any] = field(default_factory=dict)
    is_own: bool = True

    def error(self, problem: str, node: Any = None, hint: str = "") -> S2sadError:
        """Return what is wrong in the text."""
        return InternalError(f"templates/{LOOPS}:{getattr(node, 'lineno', 1)}: {problem}")


def body(template: str, words: Words) -> Block:
    """Return the statements of a template, with words in the place of its names."""
    reader = _Loop(words, Reader(_Where(), frozenset(words)))
    return reader.block(_templates()[template].body)


@cache
def _templates() -> Mapping[str, ast.FunctionDef]:
    tree = ast.parse(texts()[LOOPS])
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


@dataclass(frozen=True, slots=True)
class _Loop:
    words: Words
    reader: Reader

    def block(self, nodes_: Iterable[ast.stmt]) -> Block:
        """Return the statements of a block."""
        return tuple(made for node in nodes_ for made in self.statement(node))

    def statement(self, node: ast.stmt) -> Iterator[Statement]:
        """Yield the statement of a node; none where it is about a word that is None."""
        match node:
            case ast.Assign([target], value):
                if not self.is_left_out(value):
                    yield from self.bound(self.pattern(target), value)
            case ast.AugAssign(target, op, value):
                left = self.expression(target)
                right = self.expression(value)
                whole = Expr("binary", (left, right), BINARY[type(op)], Number("int64"))
                yield Let(left.data, whole, spelled=BINARY[type(op)])
            case ast.Expr(ast.Constant(value)):
                yield Note(str(value))
            case ast.Expr(value):
                yield from self.bound(None, value)
            case ast.If(test, inner, orelse):
                if not self.is_left_out(test):
                    yield If(self.expression(test), self.block(inner), self.block(orelse))
            case ast.For(target, over, inner):
                pattern = self.pattern(target)
                yield For(pattern, self.expression(over), self.block(inner))
            case ast.While(test, inner):
                yield While(self.expression(test), self.block(inner))
            case ast.Break():
                yield Break()
            case ast.Return(value) if value is not None:
                yield Return(self.expression(value))
            case _:
                raise self.reader.where.error("is no statement of a loop", node)

    def bound(self, target: Pattern, value: ast.expr) -> Iterator[Statement]:
        """Yield the statement that binds a value, unless nobody reads it."""
        made = self.expression(value)
        called = made.args[0] if made.op == "call" else None
        if called is not None and called.op == "attribute" and called.data in CHANGES:
            yield RegionOp(target, called.args[0], called.data, made.args[1:])
        elif target is not None:
            yield Let(target, made)

    def is_left_out(self, test: ast.expr) -> bool:
        """Tell whether a test is about a word that is None."""
        named = (n.id for n in ast.walk(test) if isinstance(n, ast.Name))
        return any(self.words.get(n, ()) is None for n in named)

    # ------------------------------------------------------------------------ words

    def pattern(self, node: ast.expr) -> Pattern:
        """Return what a target binds; of one name alone that name."""
        match node:
            case ast.Name(id=named):
                return self.variable(self.words[named])
            case ast.Starred(ast.Name(id=named)):
                return self.tuple_of(self.several(named))
            case ast.List(items):
                return tuple(v for item in items for v in self.parts(item))
            case ast.Tuple(items) if len(items) == 1:
                return self.pattern(items[0])
            case ast.Tuple(items):
                return self.tuple_of(v for item in items for v in self.parts(item))
        raise self.reader.where.error("is no target of a loop", node)

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

    def variable(self, word: Word) -> Variable | None:
        if isinstance(word, Expr) and word.op == "name":
            return word.data  # type: ignore[no-any-return]
        return word if isinstance(word, Variable) else None

    def expression(self, node: ast.expr) -> Expr:
        """Return the tree of an expression, with words in the place of its names."""
        return self.put_in(self.reader.expression(node))

    def put_in(self, expr: Expr) -> Expr:
        if expr.op == "name":
            return self.word(expr)
        args = tuple(part for arg in expr.args for part in self.spliced(arg))
        if expr.op == "tuple" and len(args) == 1 and expr.args[0].op == "starred":
            return args[0]
        return Expr(expr.op, args, expr.data, expr.type, expr.known)

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
