"""What is known of the values of a program: kind, dtype, symbolic shape.

facts = infer(program, {"W": fact_of_value(W, "W")})
facts.of(Var("r", 1))    ->    Fact('array', 'float64', (Dim('W@0.0'),))
"""

from s2sad.legacy.facts.describe import describe
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, Shape, Token, fact_of_value, same_shape
from s2sad.legacy.facts.inference import Facts, canonical, has_complex, infer, static
from s2sad.legacy.facts.lengths import Meeting
from s2sad.legacy.facts.mixing import is_complex
from s2sad.legacy.facts.shapes import broadcast

__all__ = [
    "UNKNOWN",
    "Dim",
    "Fact",
    "Facts",
    "Meeting",
    "Shape",
    "Token",
    "broadcast",
    "canonical",
    "describe",
    "fact_of_value",
    "has_complex",
    "infer",
    "is_complex",
    "same_shape",
    "static",
]
