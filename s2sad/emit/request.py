"""What a text is made for: the function, the kind of derivative, and what examples have shown.

Request("misfit_grad", "grad", ("W", "m"), source, context)
"""

from __future__ import annotations

from s2sad.ir.records import dataclass
from s2sad.source import Source
from s2sad.types import Context

FORWARD = frozenset({"jvp", "tangent", "directional", "hvp", "second"})
MATRICES = frozenset({"jacobian", "hessian", "laplacian"})


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    `name` is what the function of the text is called. `mode` is "grad", "value_and_grad", "vjp",
    "jvp" (value and tangent), "tangent", "directional" (along many directions), "hvp" (the Hessian
    times tangents), "second" (derivative by a number), one of MATRICES, or "primal", the function itself. `sweep` is the mode of the
    sweep that a matrix calls. `context` knows what examples have shown, or that there are none.
    `notes` are sentences of the header. `first` is what was differentiated before:
    "Gradient", or "Value and gradient". `arrays` is the module of the text's arrays.
    """

    name: str
    mode: str
    wrt: tuple[str, ...]
    source: Source
    context: Context
    notes: tuple[str, ...] = ()
    sweep: str = ""
    first: str = ""
    arrays: str = "numpy"

    @property
    def is_forward(self) -> bool:
        """Tell whether tangents are carried along, or adjoints back."""
        return (self.sweep or self.mode) in FORWARD

    @property
    def is_second(self) -> bool:
        """Tell whether a gradient is differentiated again."""
        return bool(self.first) or (self.sweep or self.mode) in ("hvp", "second")
