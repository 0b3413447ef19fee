"""Where a solver's derivative is written: the reverse sweep, or the forward program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.callee import Callees, Written
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Call, Expr, Op, Ref, Var
from s2sad.legacy.solvers.task import Task

NUMBER = Fact("float", "float64", (), weak=None)


@dataclass(frozen=True, slots=True)
class Work:
    """What is known where a derivative is written, and how a value gets a name there."""

    callees: Callees
    fact: Callable[[Expr], Fact]
    temp: Callable[[Expr], Var]
    unpacked: Callable[[Sequence[Fact], Expr], tuple[Var, ...]]
    active: frozenset[Var]
    span: Span

    def active_args(self, task: Task) -> list[tuple[str, Var]]:
        """Return the further arguments that vary, with the parameters that they are given to."""
        found = []
        for name, arg in zip(task.later, task.args, strict=False):
            if self.fact(arg).kind in ("tuple", "list", "dict"):
                raise Unsupported(
                    f"args= of {task.call.func.text} holds a {self.fact(arg).kind}",  # type: ignore[union-attr]
                    self.span,
                    "Write the arguments out: args=(a, b).",
                )
            if isinstance(arg, Var) and arg in self.active:
                found.append((name, arg))
        return found

    def derivative(
        self, task: Task, wrt: list[str], first: Mapping[str, Fact], seeded: bool
    ) -> Ref:
        """Return the function that gives the gradient of a task's function, or pulls back."""
        given = self.facts_of_parameters(task, first)
        function = task.function.value
        written: Written = self.callees.whole(function, tuple(wrt), given, seeded, self.span)
        return Ref(written.name, written)

    def facts_of_parameters(self, task: Task, first: Mapping[str, Fact]) -> dict[str, Fact]:
        """Return what is known of the parameters of a task's function."""
        pairs = zip(task.later, task.args, strict=False)
        args = {name: self.fact(arg) for name, arg in pairs}
        return {**first, **{name: replace(fact, value=None) for name, fact in args.items()}}

    def applied(self, function: Ref, *args: Expr) -> Call:
        """Return a call."""
        return Call(function, args)


def negative(value: Expr) -> Expr:
    """Return minus a value."""
    return value.args[0] if isinstance(value, Op) and value.op == "u-" else Op("u-", (value,))


def known(name: str, module: Any) -> Ref:
    """Return a function of NumPy's or SciPy's by its full name."""
    return Ref(name, getattr(module, name.rpartition(".")[2]))
