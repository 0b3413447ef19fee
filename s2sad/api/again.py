"""A derivative is differentiated again: printed functions in it that have no rule become its own.

y_bar * _others(a, None)     ->    y_bar * _others_here(a), and the Function _others_here(a)
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from s2sad.analysis.callees import calling
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, called_object, is_own_call, positional
from s2sad.ir.program import Block, Function, Let, Program, Return
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import free_name
from s2sad.ir.spelling import expression
from s2sad.ir.types import UNKNOWN, Reference, Tuple, Type
from s2sad.ir.walk import nodes_in, rebuilt, statements, with_nodes
from s2sad.lowering.lower import lower
from s2sad.operators import printed
from s2sad.operators.binding import names_of
from s2sad.operators.library import of_rule, rules_in_force
from s2sad.source.files import run_text
from s2sad.source.read import read
from s2sad.types import Context

MISSING = object()


def with_printed(program: Program, context: Context) -> Program:
    """Return a program in which printed functions that are to be followed are its own.

    So are those of the user's that stand for a derivative in a rule.
    """
    has_pairs = any(rule.pair is not None for rule in rules_in_force())
    if not has_pairs and not any(printed.name_of(key) for key in context.followed):
        return program
    making = _Making(context, dict(program.functions))
    for named, function in program.functions.items():
        making.functions[named] = making.changed(function)
    return replace(program, functions=making.functions)


@dataclass(slots=True)
class _Making:
    """The functions of a program, while printed ones are added to them."""

    context: Context
    functions: dict[str, Function]
    made: dict[Any, tuple[tuple[str, ...], Expr]] = field(default_factory=dict)

    def changed(self, function: Function) -> Function:
        """Return a function that calls printed ones as the program's own."""
        types = dict(_types_of(function))

        def change(node: Expr) -> Expr | None:
            called = called_object(node)
            if called is None or node.data:
                return None
            is_followed = printed.name_of(called) and called in self.context.followed
            if not is_followed and not of_rule(called):
                return None
            args = [_typed(arg, types) for arg in node.args]
            return self.call(node.with_args(args), called)

        while True:
            body = with_nodes(function.body, change)
            found = _given_by_calls(body, types)
            if not found:
                return replace(function, body=body)
            types |= found

    def call(self, node: Expr, called: FunctionType) -> Expr:
        """Return the call of a printed function as one of the program's own."""
        names = names_of(node.args[0])
        given = dict(zip(names, positional(node), strict=False))
        values = {n: _written_out(a) for n, a in given.items()}
        open_ = {n: a for n, a in given.items() if values[n] is MISSING}
        fixed = {n: value for n, value in values.items() if n not in open_}
        if any(isinstance(arg.type, Reference) for arg in open_.values()):
            raise NotYet("a list or an object that a printed function is handed", node.span)
        key = called, tuple((n, a.type) for n, a in open_.items()), repr(fixed)
        if key not in self.made:
            self.made[key] = self._lowered(called, open_, fixed)
        params, value = self.made[key]
        operands = {param: open_[param] for param in params}
        return rebuilt(value, lambda n: operands[n.data.name] if n.op == "name" else None)

    def _lowered(
        self, called: FunctionType, open_: Mapping[str, Expr], fixed: Mapping[str, Any]
    ) -> tuple[tuple[str, ...], Expr]:
        """Add a function for arguments of these types; return its parameters, and how it is called."""
        handed = (f"{name}={name}" if fixed else name for name in open_)
        words = [*handed, *(f"{name}={value!r}" for name, value in fixed.items())]
        named = f"{called.__name__}_at"
        space: dict[str, Any] = {called.__name__: called}
        text = (
            f"def {named}({', '.join(open_)}):\n    return {called.__name__}({', '.join(words)})\n"
        )
        run_text(text, f"<s2sad {named} {len(self.made)}>", space)
        program = lower(read(space[named]), [a.type for a in open_.values()], self.context)
        program = self._renamed(program)
        entry = program.function
        self.functions |= program.functions
        (last,) = entry.body[-1:]
        if len(entry.body) == 1 and isinstance(last, Return):
            del self.functions[entry.name]
            return tuple(open_), last.value
        function = Expr("function", (), entry.name)
        operands = (Expr("name", (), p.variable, p.type) for p in entry.parameters)
        type_ = program.facts["result"]
        return tuple(open_), Expr("call", (function, *operands), (), type_)

    def _renamed(self, program: Program) -> Program:
        """Return a program whose functions have names that no other has."""
        names = {named: self._free(named) for named in program.functions}
        functions = {
            names[named]: replace(calling(function, names), name=names[named])
            for named, function in program.functions.items()
        }
        return replace(program, functions=functions, entry=names[program.entry])

    def _free(self, named: str) -> str:
        # a rule may print the function itself
        named = f"{named}_here" if named in printed.names() else named
        return free_name(named, self.functions)


def _written_out(arg: Expr) -> Any:
    """Return the value of an argument that is written out, [0, 2] or (0, -1); MISSING of others."""
    try:
        return ast.literal_eval(expression(arg))
    except (ValueError, SyntaxError, TypeError):
        return MISSING


def _types_of(function: Function) -> Mapping[Variable, Type]:
    """Return the types of variables, as some of their names or what binds them tell."""
    known = {n.data: n.type for n in nodes_in(function.body) if n.op == "name"}
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.value.type, Tuple):
            targets = statement.target if isinstance(statement.target, tuple) else ()
            pairs = zip(targets, statement.value.type.items, strict=False)
            known |= {v: type_ for v, type_ in pairs if isinstance(v, Variable)}
    return known


def _given_by_calls(body: Block, types: Mapping[Variable, Type]) -> Mapping[Variable, Type]:
    """Return the types of variables that calls of the program's own give, where they are new."""
    lets = [each for each in statements(body) if isinstance(each, Let) and is_own_call(each.value)]
    return {
        let.target: let.value.type
        for let in lets
        if isinstance(let.target, Variable)
        and types.get(let.target, UNKNOWN) == UNKNOWN != let.value.type
    }


def _typed(arg: Expr, types: Mapping[Variable, Type]) -> Expr:
    """Return an argument with the type of the variable that it is."""
    return arg.typed(types[arg.data]) if arg.op == "name" and arg.data in types else arg
