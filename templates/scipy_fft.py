"""SciPy's cosine and sine transforms of whole axes; linear.

The orthonormal ones are turned round by their inverses; of the others the first or the last
element has a weight of its own (the definitions in SciPy's reference of dct and dst).
"""

FAMILY = "linear"

# ---------------------------------------------------------------------------- orthonormal


EACH = "each:inverse dct:idct idct:dct dst:idst idst:dst"


def each_ortho(
    x: shapes((4,), (3, 5)), type: sample(1, 3, 4) = 2, n: none = None, axis: integer = -1
):
    y = fft.each(x, type, n, axis, norm="ortho")
    x_bar = fft.inverse(y_bar, type, axis=axis, norm="ortho")


EACH = "each:inverse dctn:idctn idctn:dctn dstn:idstn idstn:dstn"


def each_ortho(x: shapes((4,), (3, 5)), type: sample(3) = 2, s: none = None, axes=None):
    y = fft.each(x, type, s, axes, norm="ortho")
    x_bar = fft.inverse(y_bar, type, axes=axes, norm="ortho")


# ---------------------------------------------------------------------------- others


EACH = """
each:kind:back
dct:_cosine_bar:False idct:_cosine_bar:True dst:_sine_bar:False idst:_sine_bar:True
"""


def each(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3, 4) = 2,
    n: none = None,
    axis: integer = -1,
    norm: sample("backward", "forward") = None,
):
    y = fft.each(x, type, n, axis, norm)
    x_bar = kind(y_bar, back, type, axis, norm)


EACH = """
each:kind:back
dctn:_cosine_bar:False idctn:_cosine_bar:True dstn:_sine_bar:False idstn:_sine_bar:True
"""


def each(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    s: none = None,
    axes: sample(0, (0,)) = None,
    norm: sample("backward", "forward") = None,
):
    y = fft.each(x, type, s, axes, norm)
    x_bar = kind(y_bar, back, type, axes, norm)


# ---------------------------------------------------------------------------- differentiated again


EACH = """
each:turned:kind:back
dct:dctn:_cosine_bar:false idct:idctn:_cosine_bar:true
dst:dstn:_sine_bar:false idst:idstn:_sine_bar:true
"""


def each_again(
    g: shapes((4,), (3, 5)),
    inverse: back,
    type: sample(1, 2, 3, 4),
    axes: sample(0, None),
    norm: sample(None),
):
    y = kind(g, inverse, type, axes, norm)
    g_bar = fft.turned(y_bar, type, axes=axes, norm=norm)
