"""A Program becomes its tangent Program."""
