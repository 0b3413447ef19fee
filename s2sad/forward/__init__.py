"""A Program becomes the one of its value and tangent: forward mode."""

from s2sad.forward.many import along_many
from s2sad.forward.tangent import tangent
from s2sad.forward.world import Tools

__all__ = ["Tools", "along_many", "tangent"]
