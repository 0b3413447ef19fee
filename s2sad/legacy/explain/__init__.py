"""What a gradient keeps, computes again and saves, in bytes, and what its peak of memory will be.

print(s2sad.explain(f, like=args, checkpoint="sqrt"))
"""

from s2sad.legacy.explain.peak import explained

__all__ = ["explained"]
