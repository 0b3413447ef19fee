"""A Program becomes its adjoint, as if no value were lost."""
