"""A Python function in, the source of its derivative out.

df = s2sad.grad(f)
df(x)
print(df.source)
"""

from typing import Any

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
from s2sad.legacy.api import (
    directional,
    elementwise_grad,
    explain,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    laplacian,
    show,
    sparse_hessian,
    sparse_jacobian,
    value_and_grad,
    vjp,
)
from s2sad.legacy.check import check_grad
from s2sad.legacy.custom import custom_derivative, no_grad, on_adjoint, stop_gradient
from s2sad.legacy.given_rules import register_rules, rule_for, rules_from, unregister_rules
from s2sad.legacy.schedules.kinds import Binomial, Disk, Every, Recompute
from s2sad.legacy.schedules.marked import checkpointed

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
    "rule_for",
    "rules_from",
    "show",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "unregister_rules",
    "value_and_grad",
    "vjp",
]


def __getattr__(name: str) -> Any:
    # what only tests call is imported when it is asked for
    if name == "testing":
        import s2sad.testing

        return s2sad.testing
    raise AttributeError(f"module 's2sad' has no attribute {name!r}")
