"""SciPy's log-sum-exp and softmax.

All elements at once, along axes, with the axes kept, and whatever the arguments turn out to be.
Of the logarithm of a sum, a receives its softmax; elements that are infinite share y_bar equally.
"""

FAMILY = "explicit"

# ---------------------------------------------------------------------------- logsumexp


def logsumexp(a, axis: none = None, b: none = None, keepdims: false = False):
    y = special.logsumexp(a, axis, b, keepdims)
    a_bar = y_bar * _softmax(a, None)
    y_dot = np.sum(_softmax(a, None) * a_dot)


def logsumexp_along(a: stacked, axis: integer, b: none = None, keepdims: false = False):
    y = special.logsumexp(a, axis, b, keepdims)
    a_bar = np.expand_dims(y_bar, axis) * _softmax(a, axis)
    y_dot = np.sum(_softmax(a, axis) * a_dot, axis=axis)


def logsumexp_kept(a: array, axis=None, b: none = None, *, keepdims: true):
    y = special.logsumexp(a, axis, b, keepdims)
    a_bar = y_bar * _softmax(a, axis)
    y_dot = np.sum(_softmax(a, axis) * a_dot, axis=axis, keepdims=True)


def logsumexp_any(a, axis=None, b: none = None, keepdims=False):
    y = special.logsumexp(a, axis, b, keepdims)
    a_bar = np.reshape(_expand(y_bar, a, axis, keepdims) * _softmax(a, axis), a.shape)
    y_dot = np.sum(_softmax(a, axis) * a_dot, axis=axis, keepdims=keepdims)


def logsumexp_weighted(
    a: shapes((4,), (3, 2)), axis=None, *, b: (positive, shapes((4,), (3, 2))), keepdims=False
):
    """Weights of a's shape. Where y is infinite: nan."""
    y = special.logsumexp(a, axis, b, keepdims)
    shares = np.exp(a - _expand(y, a, axis, keepdims))
    y_term_bar = _expand(y_bar, a, axis, keepdims) * shares
    a_bar = y_term_bar * b
    b_bar = y_term_bar
    y_dot = np.sum(shares * b * a_dot, axis=axis, keepdims=keepdims)
    y_dot = np.sum(shares * b_dot, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------------------- softmax


def softmax(x, axis=None):
    y = special.softmax(x, axis)
    y_term_bar = y_bar * y
    x_bar = y_term_bar - y * np.sum(y_term_bar, axis=axis, keepdims=True)
    y_dot = y * (x_dot - np.sum(y * x_dot, axis=axis, keepdims=True))


def log_softmax(x, axis=None):
    y = special.log_softmax(x, axis)
    x_bar = y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True)
    y_dot = x_dot - np.sum(np.exp(y) * x_dot, axis=axis, keepdims=True)


def softmax_again(a, axis: sample(None, 0, -1)):
    """The printed function, for a derivative that is differentiated again."""
    y = _softmax(a, axis)
    a_bar = y * (y_bar - np.sum(y * y_bar, axis=axis, keepdims=True))
    y_dot = y * (a_dot - np.sum(y * a_dot, axis=axis, keepdims=True))
