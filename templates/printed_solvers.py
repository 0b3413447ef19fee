"""What the derivatives of SciPy's solvers call, printed where they are used."""

import numpy as np
import scipy.integrate


def _jacobian(pull, x, *args):
    """Return the matrix of derivatives of a function, row by row."""
    return np.array([pull(x, *args, row) for row in np.eye(len(x))])


def _as_exact(method="RK45", rtol=1e-10, atol=1e-12, **others):
    """Return how a derivative is solved for: to an accuracy of 1e-10 or better."""
    # at 0 no part could ever be small enough that is 0 itself
    atol = np.clip(atol, 1e-16, 1e-12)
    return {"method": method, "rtol": min(rtol or 1e-10, 1e-10), "atol": atol}


def _times_of(fun, t_span, y0, args, t_eval, how):
    """Return the times of which scipy.integrate.solve_ivp gives the states."""
    if t_eval is not None:
        return np.asarray(t_eval)
    return scipy.integrate.solve_ivp(fun, t_span, y0, args=args, **how).t


def _flow_back(fun, pull, t_span, y0, args, times, y_bar, wrt, how):
    """Return the adjoints of y0 and of arguments, by the adjoint equation."""
    if len(times) != np.shape(y_bar)[1]:
        raise ValueError("the derivative was solved for in other steps")
    start = np.atleast_1d(np.asarray(y0, float))
    made = scipy.integrate.solve_ivp(
        fun,
        t_span,
        start,
        args=args,
        dense_output=True,
        **how,
    )
    n = len(start)
    slope = np.shape(fun(t_span[0], start, *args))  # () of one unknown

    def parts(t, seed):
        found = pull(t, made.sol(t), *args, np.reshape(seed, slope))
        return found if isinstance(found, tuple) else (found,)

    def rise(t, state):
        return -np.concatenate([np.ravel(part) for part in parts(t, state[:n])])

    shapes = [np.shape(start), *(np.shape(args[i]) for i in wrt)]
    state = np.zeros(sum(int(np.prod(shape)) for shape in shapes))
    for i in reversed(range(len(times))):
        state[:n] += y_bar[:, i]
        stop = times[i - 1] if i else t_span[0]
        if stop != times[i]:
            back = scipy.integrate.solve_ivp(rise, (times[i], stop), state, **how)
            if not back.success:
                raise ValueError(f"no adjoint was found: {back.message}")
            state = back.y[:, -1]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parted = zip(np.split(state, ends), shapes)
    found = [np.reshape(part, shape) for part, shape in parted]
    found = [np.reshape(found[0], np.shape(y0)), *found[1:]]
    found = [part if np.ndim(part) else float(part) for part in found]
    return tuple(found) if len(found) > 1 else found[0]


def _flow_ahead(push, t_span, y0, args, times, y0_dot, arg_dots, how):
    """Return the tangents of the states at some times, by the variational equation."""
    start = np.atleast_1d(np.asarray(y0, float))
    n = len(start)
    first = np.zeros(n) if y0_dot is None else np.atleast_1d(np.asarray(y0_dot, float))

    arg_dots = [dot for dot in arg_dots if dot is not None]

    def rise(t, both):
        value, moved = push(t, both[:n], *args, both[n:], *arg_dots)
        return np.concatenate([np.ravel(value), np.ravel(moved)])

    both = np.concatenate([start, first])
    made = scipy.integrate.solve_ivp(rise, t_span, both, t_eval=times, **how)
    if not made.success:
        raise ValueError(f"no tangent was found: {made.message}")
    return made.y[n:]


def _solve_ivp_back(
    fun,
    pull,
    t_span,
    y0,
    args,
    t_eval,
    y_bar,
    wrt=(),
    **how,
):
    """Return the adjoints of y0 and of args[i], i in wrt, of solve_ivp(...).y."""
    times = _times_of(fun, t_span, y0, args, t_eval, how)
    return _flow_back(fun, pull, t_span, y0, args, times, y_bar, wrt, _as_exact(**how))


def _solve_ivp_ahead(
    fun,
    push,
    t_span,
    y0,
    args,
    t_eval,
    y0_dot,
    arg_dots,
    **how,
):
    """Return the tangent of solve_ivp(...).y; at its ends where times are chosen."""
    times = _times_of(fun, t_span, y0, args, t_eval, how)
    how = _as_exact(**how)
    return _flow_ahead(push, t_span, y0, args, times, y0_dot, arg_dots, how)


def _time_first(function, tfirst):
    """Return a function of time and state, of one that may have the state first."""
    if tfirst:
        return function
    return lambda t, y, *rest: function(y, t, *rest)


def _odeint_back(func, pull, y0, t, args, y_bar, wrt=(), tfirst=False, **how):
    """Return the adjoints of y0 and of args[i], i in wrt, of odeint(...)."""
    func, pull = _time_first(func, tfirst), _time_first(pull, tfirst)
    span, how = (t[0], t[-1]), _as_exact("LSODA", **how)
    return _flow_back(func, pull, span, y0, args, t, np.transpose(y_bar), wrt, how)


def _odeint_ahead(func, push, y0, t, args, y0_dot, arg_dots, tfirst=False, **how):
    """Return the tangent of scipy.integrate.odeint(...)."""
    push = _time_first(push, tfirst)
    span, how = (t[0], t[-1]), _as_exact("LSODA", **how)
    return np.transpose(_flow_ahead(push, span, y0, args, t, y0_dot, arg_dots, how))
