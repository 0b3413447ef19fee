"""A primal Program becomes one that computes value and tangent together.

    y = np.sin(x)        y_dot = np.cos(x) * x_dot
                         y = np.sin(x)

Each active value has a tangent of the same version, of the value's whole shape.
"""

from s2sad.legacy.forward.state import Tangents
from s2sad.legacy.forward.sweep import tangent_program

__all__ = ["Tangents", "tangent_program"]
