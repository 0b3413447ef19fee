"""SciPy's cosine and sine transforms of whole axes; linear.

The orthonormal ones are turned round by their inverses; of the others the first or the last
element has a weight of its own (the definitions in SciPy's reference of dct and dst).
"""

FAMILY = "linear"

# ---------------------------------------------------------------------------- orthonormal


def dct_ortho(
    x: shapes((4,), (3, 5)), type: sample(1, 3, 4) = 2, n: none = None, axis: integer = -1
):
    y = fft.dct(x, type, n, axis, norm="ortho")
    x_bar = fft.idct(y_bar, type, axis=axis, norm="ortho")


def dctn_ortho(x: shapes((4,), (3, 5)), type: sample(3) = 2, s: none = None, axes=None):
    y = fft.dctn(x, type, s, axes, norm="ortho")
    x_bar = fft.idctn(y_bar, type, axes=axes, norm="ortho")


def idct_ortho(
    x: shapes((4,), (3, 5)), type: sample(1, 3, 4) = 2, n: none = None, axis: integer = -1
):
    y = fft.idct(x, type, n, axis, norm="ortho")
    x_bar = fft.dct(y_bar, type, axis=axis, norm="ortho")


def idctn_ortho(x: shapes((4,), (3, 5)), type: sample(3) = 2, s: none = None, axes=None):
    y = fft.idctn(x, type, s, axes, norm="ortho")
    x_bar = fft.dctn(y_bar, type, axes=axes, norm="ortho")


def dst_ortho(
    x: shapes((4,), (3, 5)), type: sample(1, 3, 4) = 2, n: none = None, axis: integer = -1
):
    y = fft.dst(x, type, n, axis, norm="ortho")
    x_bar = fft.idst(y_bar, type, axis=axis, norm="ortho")


def dstn_ortho(x: shapes((4,), (3, 5)), type: sample(3) = 2, s: none = None, axes=None):
    y = fft.dstn(x, type, s, axes, norm="ortho")
    x_bar = fft.idstn(y_bar, type, axes=axes, norm="ortho")


def idst_ortho(
    x: shapes((4,), (3, 5)), type: sample(1, 3, 4) = 2, n: none = None, axis: integer = -1
):
    y = fft.idst(x, type, n, axis, norm="ortho")
    x_bar = fft.dst(y_bar, type, axis=axis, norm="ortho")


def idstn_ortho(x: shapes((4,), (3, 5)), type: sample(3) = 2, s: none = None, axes=None):
    y = fft.idstn(x, type, s, axes, norm="ortho")
    x_bar = fft.dstn(y_bar, type, axes=axes, norm="ortho")


# ---------------------------------------------------------------------------- others


def dct(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3, 4) = 2,
    n: none = None,
    axis: integer = -1,
    norm: sample("backward", "forward") = None,
):
    y = fft.dct(x, type, n, axis, norm)
    x_bar = _cosine_bar(y_bar, False, type, axis, norm)


def dctn(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    s: none = None,
    axes: sample(0, (0,)) = None,
    norm: sample("backward", "forward") = None,
):
    y = fft.dctn(x, type, s, axes, norm)
    x_bar = _cosine_bar(y_bar, False, type, axes, norm)


def idct(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3, 4) = 2,
    n: none = None,
    axis: integer = -1,
    norm: sample("backward", "forward") = None,
):
    y = fft.idct(x, type, n, axis, norm)
    x_bar = _cosine_bar(y_bar, True, type, axis, norm)


def idctn(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    s: none = None,
    axes: sample(0, (0,)) = None,
    norm: sample("backward", "forward") = None,
):
    y = fft.idctn(x, type, s, axes, norm)
    x_bar = _cosine_bar(y_bar, True, type, axes, norm)


def dst(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3, 4) = 2,
    n: none = None,
    axis: integer = -1,
    norm: sample("backward", "forward") = None,
):
    y = fft.dst(x, type, n, axis, norm)
    x_bar = _sine_bar(y_bar, False, type, axis, norm)


def dstn(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    s: none = None,
    axes: sample(0, (0,)) = None,
    norm: sample("backward", "forward") = None,
):
    y = fft.dstn(x, type, s, axes, norm)
    x_bar = _sine_bar(y_bar, False, type, axes, norm)


def idst(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3, 4) = 2,
    n: none = None,
    axis: integer = -1,
    norm: sample("backward", "forward") = None,
):
    y = fft.idst(x, type, n, axis, norm)
    x_bar = _sine_bar(y_bar, True, type, axis, norm)


def idstn(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    s: none = None,
    axes: sample(0, (0,)) = None,
    norm: sample("backward", "forward") = None,
):
    y = fft.idstn(x, type, s, axes, norm)
    x_bar = _sine_bar(y_bar, True, type, axes, norm)


# ---------------------------------------------------------------------------- differentiated again


def dct_again(
    g: shapes((4,), (3, 5)),
    inverse: false,
    type: sample(1, 2, 3, 4),
    axes: sample(0, None),
    norm: sample(None),
):
    y = _cosine_bar(g, inverse, type, axes, norm)
    g_bar = fft.dctn(y_bar, type, axes=axes, norm=norm)


def idct_again(
    g: shapes((4,), (3, 5)),
    inverse: true,
    type: sample(1, 2, 3, 4),
    axes: sample(0, None),
    norm: sample(None),
):
    y = _cosine_bar(g, inverse, type, axes, norm)
    g_bar = fft.idctn(y_bar, type, axes=axes, norm=norm)


def dst_again(
    g: shapes((4,), (3, 5)),
    inverse: false,
    type: sample(1, 2, 3, 4),
    axes: sample(0, None),
    norm: sample(None),
):
    y = _sine_bar(g, inverse, type, axes, norm)
    g_bar = fft.dstn(y_bar, type, axes=axes, norm=norm)


def idst_again(
    g: shapes((4,), (3, 5)),
    inverse: true,
    type: sample(1, 2, 3, 4),
    axes: sample(0, None),
    norm: sample(None),
):
    y = _sine_bar(g, inverse, type, axes, norm)
    g_bar = fft.idstn(y_bar, type, axes=axes, norm=norm)
