"""What an object does that is of one of several classes: `class_name` says of which."""

# mypy: ignore-errors


def call_of_class(name, method, other, owner, *args, **kwargs):
    """Return what a method gives if the object is of the class of that `name`, else what `other` gives."""
    if owner.class_name == name:
        found = method(owner, *args, **kwargs)
    else:
        found = other(owner, *args, **kwargs)
    return found


def raise_missing(owner, *args, **kwargs):
    """Raise what Python raises where a class has no such attribute."""
    raise AttributeError("an object of this class has no such attribute")


def is_of(owner, names):
    """Tell whether an object is of a class of one of some names."""
    return owner.class_name in names
