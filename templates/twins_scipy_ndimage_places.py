"""Twins of what SciPy gives between the elements of an image, by splines of orders 0, 1 and 3."""

FAMILY = "twin"


def map_coordinates(
    input: shapes((4, 5)),
    coordinates: (inner, shapes((2, 6))),
    *,
    order: sample(0, 1) = 3,
    mode: sample("nearest", "mirror", "reflect", "wrap", "grid-wrap") = "constant",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.map_coordinates(input, coordinates, order=order, mode=mode, cval=cval)
    twin = _between(input, coordinates, order, mode, cval)


def map_two_coordinates(
    input: shapes((4, 5)),
    a: (inner, shapes((6,))),
    b: (inner, shapes((6,))),
    *,
    order: sample(1) = 3,
    mode: sample("nearest") = "constant",
    cval=0.0,
):
    y = ndimage.map_coordinates(input, [a, b], order=order, mode=mode, cval=cval)
    y = ndimage.map_coordinates(input, (a, b), order=order, mode=mode, cval=cval)
    twin = _between_two(input, a, b, order, mode, cval)


def affine_transform(
    input: shapes((4, 5)),
    matrix: (probability, shapes((2, 2))),
    offset: sample(0.3, (0.1, 0.2)) = 0.0,
    *,
    output_shape: sample((3, 4)) = None,
    order: sample(1) = 3,
    mode: sample("nearest", "reflect") = "constant",
    cval: sample(0.5) = 0.0,
):
    """Of a square matrix."""
    y = ndimage.affine_transform(
        input, matrix, offset, output_shape=output_shape, order=order, mode=mode, cval=cval
    )
    twin = _transformed(input, matrix, offset, output_shape, order, mode, cval)


def rotate(
    input: shapes((4, 5)),
    angle: (positive, shapes(())),
    *,
    reshape: sample(False) = True,
    order: sample(1) = 3,
    mode: sample("nearest", "mirror") = "constant",
    cval: sample(0.5) = 0.0,
):
    """Of images of two axes."""
    y = ndimage.rotate(input, angle, reshape=reshape, order=order, mode=mode, cval=cval)
    twin = _turned(input, angle, reshape, order, mode, cval)


def shift_that_varies(
    input: shapes((4, 5), (4, 5)),
    shift: (probability, shapes((), (2,))),
    *,
    order: sample(1) = 3,
    mode: sample("nearest", "mirror") = "constant",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.shift(input, shift, order=order, mode=mode, cval=cval)
    twin = _moved(input, shift, order, mode, cval)
