"""A Python function in, the source of its derivative out.

df = s2sad.grad(f)
df(x)
print(df.source)

What is asked for is imported then: the command line answers `--help`, and says what it was given
wrong, without NumPy or a derivative's machinery.
"""

import gc
import importlib
from typing import TYPE_CHECKING, Any

from s2sad.ir import errors
from s2sad.ir.errors import (
    AliasError,
    ArgumentError,
    InternalError,
    NoRule,
    NoSource,
    S2sadError,
    Unsupported,
)

if TYPE_CHECKING:
    from s2sad.api.check import check_grad
    from s2sad.api.display.page import report
    from s2sad.api.display.why import why
    from s2sad.api.explain import explain, show
    from s2sad.api.grad import directional, elementwise_grad, grad, hvp, jvp, value_and_grad, vjp
    from s2sad.api.jacobian import hessian, jacobian, laplacian, sparse_hessian, sparse_jacobian
    from s2sad.api.rules import register_rules, rule_for, rules_from, unregister_rules
    from s2sad.operators.custom import custom_derivative
    from s2sad.operators.marks import no_grad, on_adjoint, stop_gradient
    from s2sad.operators.schedules import Binomial, Disk, Every, Recompute, checkpointed

# where the names above stand: what type checkers are told, said once more for when it runs
HOMES = {
    "s2sad.api.display.page": "report",
    "s2sad.api.display.why": "why",
    "s2sad.api.explain": "explain show",
    "s2sad.api.grad": "directional elementwise_grad grad hvp jvp value_and_grad vjp",
    "s2sad.api.jacobian": "hessian jacobian laplacian sparse_hessian sparse_jacobian",
    "s2sad.api.check": "check_grad",
    "s2sad.operators.custom": "custom_derivative",
    "s2sad.operators.marks": "no_grad on_adjoint stop_gradient",
    "s2sad.api.rules": "register_rules rule_for rules_from unregister_rules",
    "s2sad.operators.schedules": "Binomial Disk Every Recompute checkpointed",
}

__version__ = "0.2.0"

__all__ = [
    "AliasError",
    "ArgumentError",
    "Binomial",
    "Disk",
    "Every",
    "InternalError",
    "NoRule",
    "NoSource",
    "Recompute",
    "S2sadError",
    "Unsupported",
    "check_grad",
    "checkpointed",
    "custom_derivative",
    "directional",
    "elementwise_grad",
    "errors",
    "explain",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "laplacian",
    "no_grad",
    "on_adjoint",
    "register_rules",
    "report",
    "rule_for",
    "rules_from",
    "show",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "unregister_rules",
    "value_and_grad",
    "vjp",
    "why",
]


_HOME = {name: module for module, names in HOMES.items() for name in names.split()}


def _imported(module: str) -> Any:
    """Import a module while the collector rests: what is imported stays, and is many objects."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        if collects:
            gc.enable()


def __getattr__(name: str) -> Any:
    if name == "testing":  # what only tests call
        return _imported("s2sad.testing")
    if name not in _HOME:
        raise AttributeError(f"module 's2sad' has no attribute {name!r}")
    found = getattr(_imported(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
