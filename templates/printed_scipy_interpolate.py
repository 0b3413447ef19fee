"""Twins of SciPy's interpolation."""

import numpy as np
import scipy.interpolate
import scipy.linalg
import scipy.spatial


def _inside(xnew, x, bounds_error):
    """Take no place beyond the points of an interpolant, if that is an error."""
    if bounds_error and np.any((xnew < np.min(x)) | (xnew > np.max(x))):
        raise ValueError("a value in x_new is beyond the interpolation range")


def _interp1d(xnew, x, z, bounds_error):
    """Twin of scipy.interpolate.interp1d(x, z)(xnew), linear."""
    _inside(xnew, x, bounds_error)
    order = np.argsort(x, kind="stable")
    x, z = x[order], np.take(z, order, axis=-1)
    i = np.clip(np.searchsorted(x, xnew), 1, len(x) - 1)
    left = np.take(z, i - 1, axis=-1)
    slope = (np.take(z, i, axis=-1) - left) / (x[i] - x[i - 1])
    return slope * (xnew - x[i - 1]) + left


def _interp1d_filled(xnew, x, z, fill_value):
    """Twin of scipy.interpolate.interp1d with values for what lies outside."""
    pair = fill_value if isinstance(fill_value, tuple) else (fill_value, fill_value)
    inside = np.where(xnew < np.min(x), pair[0], _interp1d(xnew, x, z, False))
    return np.where(xnew > np.max(x), pair[1], inside)


def _interp1d_steps(xnew, x, z, kind, bounds_error):
    """Twin of scipy.interpolate.interp1d that holds the value of a point."""
    _inside(xnew, x, bounds_error)
    order = np.argsort(x, kind="stable")
    x, z = x[order], np.take(z, order, axis=-1)
    if kind == "nearest":
        i = np.searchsorted(0.5 * x[1:] + 0.5 * x[:-1], xnew)
    elif kind == "previous":
        i = np.searchsorted(x, xnew, side="right") - 1
    else:
        i = np.searchsorted(x, xnew)
    return np.take(z, np.clip(i, 0, len(x) - 1), axis=-1)


def _interp1d_steps_filled(xnew, x, z, kind, fill_value):
    """Twin of scipy.interpolate.interp1d that holds values, with others outside."""
    pair = fill_value if isinstance(fill_value, tuple) else (fill_value, fill_value)
    held = _interp1d_steps(xnew, x, z, kind, False)
    inside = np.where(xnew < np.min(x), pair[0], held)
    return np.where(xnew > np.max(x), pair[1], inside)


def _interp1d_steps_beyond(xnew, x, z, kind):
    """Twin of scipy.interpolate.interp1d that holds values, also beyond its ends."""
    held = _interp1d_steps(xnew, x, z, kind, False)
    if kind == "previous":
        return np.where(xnew < np.min(x), np.nan, held)
    return np.where(xnew > np.max(x), np.nan, held) if kind == "next" else held


def _hermite(xnew, x, z, slopes, nu):
    """Return the nu-th derivative at xnew of cubics that have these slopes at x."""
    i = np.clip(np.searchsorted(x, xnew, side="right") - 1, 0, len(x) - 2)
    step, t = x[i + 1] - x[i], xnew - x[i]
    if np.ndim(z) > 1:
        rest = (1,) * (np.ndim(z) - 1)
        step = np.reshape(step, np.shape(step) + rest)
        t = np.reshape(t, np.shape(t) + rest)
    chord = (z[i + 1] - z[i]) / step
    bend = (3.0 * chord - 2.0 * slopes[i] - slopes[i + 1]) / step
    twist = (slopes[i] + slopes[i + 1] - 2.0 * chord) / step**2
    if nu == 0:
        return z[i] + t * (slopes[i] + t * (bend + t * twist))
    if nu == 1:
        return slopes[i] + t * (2.0 * bend + 3.0 * t * twist)
    if nu == 2:
        return 2.0 * bend + 6.0 * t * twist
    return 6.0 * twist if nu == 3 else 0.0 * twist


def _hermite_integral(a, b, x, z, slopes):
    """Return the integral from a to b of cubics that have these slopes at x."""
    step = np.diff(x)
    if np.ndim(z) > 1:
        step = np.reshape(step, np.shape(step) + (1,) * (np.ndim(z) - 1))
    whole = 0.5 * step * (z[:-1] + z[1:]) + step**2 * (slopes[:-1] - slopes[1:]) / 12.0
    before = np.concatenate((np.zeros_like(whole[:1]), np.cumsum(whole, axis=0)))
    start = _hermite_from_start(a, x, z, slopes, before)
    return _hermite_from_start(b, x, z, slopes, before) - start


def _hermite_from_start(xnew, x, z, slopes, before):
    """Return the integral from the first point on, `before` being that up to points."""
    i = np.clip(np.searchsorted(x, xnew, side="right") - 1, 0, len(x) - 2)
    step, t = x[i + 1] - x[i], xnew - x[i]
    chord = (z[i + 1] - z[i]) / step
    bend = (3.0 * chord - 2.0 * slopes[i] - slopes[i + 1]) / step
    twist = (slopes[i] + slopes[i + 1] - 2.0 * chord) / step**2
    bent = slopes[i] / 2.0 + t * (bend / 3.0 + t * twist / 4.0)
    return before[i] + t * (z[i] + t * bent)


def _cubic_spline(xnew, x, z, ends, nu):
    """Twin of scipy.interpolate.CubicSpline(x, z, bc_type=ends)(xnew, nu)."""
    if ends == "periodic":
        xnew = x[0] + (xnew - x[0]) % (x[-1] - x[0])
    return _hermite(xnew, x, z, _cubic_slopes(x, z, ends), nu)


def _cubic_interp1d(xnew, x, z, bounds_error):
    """Twin of scipy.interpolate.interp1d(x, z, kind="cubic")(xnew)."""
    _inside(xnew, x, bounds_error)
    order = np.argsort(x, kind="stable")
    return _cubic_spline(xnew, x[order], z[order], "not-a-knot", 0)


def _cubic_integral(a, b, x, z, ends):
    """Twin of scipy.interpolate.CubicSpline(x, z, bc_type=ends).integrate(a, b)."""
    if ends == "periodic":
        _inside(np.array([a, b]), x, True)
    return _hermite_integral(a, b, x, z, _cubic_slopes(x, z, ends))


def _cubic_slopes(x, z, ends):
    """Return the slopes at x of the cubic spline through z."""
    n = len(x)
    step = _steps(x)
    steps = step
    if np.ndim(z) > 1:
        steps = np.reshape(step, (n - 1,) + (1,) * (np.ndim(z) - 1))
    chord = np.diff(z, axis=0) / steps
    if ends == "periodic":
        return _periodic_slopes(step, steps, chord)
    if ends == "not-a-knot" and n < 4:
        raise ValueError("the derivative of a not-a-knot spline needs four points")
    band, side = np.zeros((3, n), x.dtype), np.zeros(np.shape(z), z.dtype)
    band[1, 1:-1] = 2.0 * (step[:-1] + step[1:])
    band[0, 2:] = step[:-1]
    band[2, :-2] = step[1:]
    side[1:-1] = 3.0 * (steps[1:] * chord[:-1] + steps[:-1] * chord[1:])
    start, stop = (ends, ends) if isinstance(ends, str) else ends
    first = _cubic_end(step[0], step[1], chord[0], chord[1], start, 1.0)
    last = _cubic_end(step[-1], step[-2], chord[-1], chord[-2], stop, -1.0)
    band[1, 0], band[0, 1], side[0] = first
    band[1, -1], band[2, -2], side[-1] = last
    return scipy.linalg.solve_banded((1, 1), band, side)


def _steps(x):
    """Return the steps between points, which increase."""
    step = np.diff(x)
    if np.any(step <= 0.0):
        raise ValueError("x must be strictly increasing")
    return step


def _cubic_end(step, next_step, chord, next_chord, end, sign):
    """Return the equation for the slope at an end: two factors, and the right side.

    `sign` is that of the step from the end.
    """
    if end == "not-a-knot":
        both = step + next_step
        side = (step + 2.0 * both) * next_step * chord + step**2 * next_chord
        return next_step, both, side / both
    if isinstance(end, str):
        end = (2, 0.0) if end == "natural" else (1, 0.0)
    order, value = end
    if order == 1:
        return 1.0, 0.0, value + 0.0 * chord
    return 2.0, 1.0, 3.0 * chord - 0.5 * sign * step * value


def _periodic_slopes(step, steps, chord):
    """Return the slopes of a spline that goes on at its start where it ends."""
    n = len(step)
    before, chord_before = np.roll(step, 1), np.roll(chord, 1, axis=0)
    matrix = np.diag(2.0 * (step + before))
    row = np.arange(n)
    matrix[row, (row - 1) % n] += step
    matrix[row, (row + 1) % n] += before
    steps_before = np.roll(steps, 1, axis=0)
    side = 3.0 * (steps * chord_before + steps_before * chord)
    slopes = np.linalg.solve(matrix, side)
    return np.concatenate((slopes, slopes[:1]))


def _pchip(xnew, x, z, nu):
    """Twin of scipy.interpolate.PchipInterpolator (Fritsch and Butland 1984)."""
    if len(x) < 3:
        raise ValueError("the derivative of a monotone spline needs three points")
    step = _steps(x)
    chord = np.diff(z) / step
    left, right = chord[:-1], chord[1:]
    rising = left * right > 0.0
    a, b = 2.0 * step[1:] + step[:-1], step[1:] + 2.0 * step[:-1]
    left, right = np.where(rising, left, 1.0), np.where(rising, right, 1.0)
    inner = (a + b) / (a / left + b / right)
    slopes = np.zeros(len(x), z.dtype)
    slopes[1:-1] = np.where(rising, inner, 0.0)
    slopes[0] = _pchip_end(step[0], step[1], chord[0], chord[1])
    slopes[-1] = _pchip_end(step[-1], step[-2], chord[-1], chord[-2])
    return _hermite(xnew, x, z, slopes, nu)


def _pchip_end(first, second, near, far):
    """Return a monotone spline's slope at an end, from two steps and two chords."""
    slope = ((2.0 * first + second) * near - first * far) / (first + second)
    if slope * near <= 0.0:
        return 0.0 * near
    if near * far <= 0.0 and abs(slope) > 3.0 * abs(near):
        return 3.0 * near
    return slope


def _akima(xnew, x, z, nu):
    """Twin of scipy.interpolate.Akima1DInterpolator(x, z)(xnew, nu) (Akima 1970)."""
    n = len(x)
    if n < 3:
        raise ValueError("the derivative of Akima's spline needs three points")
    chord = np.zeros(n + 3, z.dtype)
    chord[2:-2] = np.diff(z) / _steps(x)
    chord[1] = 2.0 * chord[2] - chord[3]
    chord[0] = 2.0 * chord[1] - chord[2]
    chord[-2] = 2.0 * chord[-3] - chord[-4]
    chord[-1] = 2.0 * chord[-2] - chord[-3]
    change = np.abs(np.diff(chord))
    before, after = change[:-2], change[2:]
    total = before + after
    bent = total > 1e-9 * np.max(total)
    mixed = (after * chord[1:-2] + before * chord[2:-1]) / np.where(bent, total, 1.0)
    slopes = np.where(bent, mixed, 0.5 * (chord[3:] + chord[:-3]))
    inside = (xnew >= x[0]) & (xnew <= x[-1])
    return np.where(inside, _hermite(xnew, x, z, slopes, nu), np.nan)


def _within(x, knots):
    """Return where x is between the first and the last of the knots."""
    return (x >= knots[0]) & (x <= knots[-1])


def _around(x, knots, degree):
    """Return the knots on both sides of x; beyond the ends the first or last two."""
    i = np.searchsorted(knots, x, side="right")
    i = np.clip(i, degree + 1, len(knots) - degree - 1)
    return knots[i - 1], knots[i]


def _surface_slope(a, b, s, dx, dy):
    """Return s.ev(a, b, dx, dy), up to the degree."""
    return _up_to_degree(s.ev, s.tck, s.degrees, a, b, dx, dy)


def _bisplev_slope(a, b, tck, dx, dy):
    """Return bisplev(a, b, tck, dx, dy), up to the degree."""

    def at(a, b, dx, dy):
        return scipy.interpolate.bisplev(a, b, tck, dx, dy)

    return _up_to_degree(at, tck, tck[3:], a, b, dx, dy)


def _up_to_degree(at, knots, degrees, a, b, dx, dy):
    """Return at(a, b, dx, dy); one of the degree is constant between knots."""
    if dx > degrees[0] or dy > degrees[1]:
        return np.zeros(np.broadcast(a, b).shape)
    if dx == degrees[0]:
        ends = _around(a, knots[0], dx)
        low, high = [_along_b(at, knots[1], degrees[1], x, b, dx - 1, dy) for x in ends]
        return (high - low) / (ends[1] - ends[0])
    return _along_b(at, knots[1], degrees[1], a, b, dx, dy)


def _along_b(at, knots, degree, a, b, dx, dy):
    """Return at(a, b, dx, dy); one of the degree by b is constant between knots."""
    if dy == degree:
        ends = _around(b, knots, dy)
        low, high = [at(a, y, dx, dy - 1) for y in ends]
        return (high - low) / (ends[1] - ends[0])
    return at(a, b, dx, dy)


def _on_grid(xi, points, values, bounds_error=True):
    """Twin of scipy.interpolate.RegularGridInterpolator(points, values)(xi)."""
    if np.ndim(values) != len(points):
        raise ValueError("the derivative on a grid is that of numbers")
    xi = np.reshape(xi, (-1, len(points))) if np.ndim(xi) < 2 else xi
    return _between_corners(xi, points, values, bounds_error)


def _on_grid_filled(xi, points, values, fill_value):
    """Twin of RegularGridInterpolator(..., bounds_error=False, fill_value=...)(xi)."""
    found = _on_grid(xi, points, values, False)
    inside = np.array(True)
    for k, each in enumerate(points):
        inside = inside & (xi[..., k] >= min(each)) & (xi[..., k] <= max(each))
    return np.where(inside, found, fill_value)


def _on_grid_apart(a, b, points, values, bounds_error):
    """Twin of scipy.interpolate.RegularGridInterpolator(points, values)((a, b))."""
    rows = np.stack(np.broadcast_arrays(a, b), axis=-1)
    return _at_places(rows, points, values, bounds_error)


def _on_grid_at(a, b, points, values, bounds_error):
    """Twin of scipy.interpolate.RegularGridInterpolator(points, values)([a, b])."""
    return _between_corners(np.array([[a, b]]), points, values, bounds_error)


def _in_space(a, b, c, points, values, bounds_error):
    """Twin of scipy.interpolate.RegularGridInterpolator(points, values)((a, b, c))."""
    rows = np.stack(np.broadcast_arrays(a, b, c), axis=-1)
    return _at_places(rows, points, values, bounds_error)


def _at_places(rows, points, values, bounds_error):
    """Return values at places, each a row; of one place a number."""
    if np.ndim(rows) > 1:
        return _between_corners(rows, points, values, bounds_error)
    found = _between_corners(np.stack([rows]), points, values, bounds_error)
    return np.reshape(found, ())


def _between_corners(xi, points, values, bounds_error):
    """Return values at places xi (..., k), linear between the points of a grid."""
    for k in range(len(points)):
        _inside(xi[..., k], points[k], bounds_error)
    flat, total = np.ravel(values), np.zeros_like(xi[..., 0])
    for corner in range(2 ** len(points)):
        weight, place = np.ones_like(xi[..., 0]), np.zeros(np.shape(xi)[:-1], int)
        for k in range(len(points)):
            line = np.asarray(points[k])
            last, is_falling = len(line) - 2, line[0] > line[-1]
            line = line[::-1] if is_falling else line
            low = np.searchsorted(line, xi[..., k], side="right") - 1
            low = np.clip(low, 0, last)
            share = (xi[..., k] - line[low]) / (line[low + 1] - line[low])
            upper = (corner >> k) % 2
            weight = weight * (share if upper else 1.0 - share)
            row = last + 1 - (low + upper) if is_falling else low + upper
            place = place * (last + 2) + row
        total = total + weight * flat[place]
    return total


def _polynomial_through(xi, yi, x):
    """Twin of scipy.interpolate.barycentric_interpolate(xi, yi, x), by Newton."""
    xi, slopes = np.asarray(xi), np.asarray(yi)
    value, product = slopes[0] + 0.0 * x, 1.0
    for k in range(1, len(xi)):
        slopes = (slopes[1:] - slopes[:-1]) / (xi[k:] - xi[:-k])
        product = product * (x - xi[k - 1])
        value = value + slopes[0] * product
    return value


def _griddata_bar(y_bar, points, xi):
    """Return what the values at scattered points receive: shares of the corners."""
    corners, shares = _corners_and_shares(np.asarray(points), xi)
    return np.bincount(
        np.ravel(corners), np.ravel(shares * np.reshape(y_bar, (-1, 1))), len(points)
    )


def _corners_and_shares(points, xi):
    """Return the corners around each place, and how much each counts there."""
    if isinstance(xi, tuple):
        xi = np.stack(np.broadcast_arrays(*xi), axis=-1)
    places = np.reshape(xi, (-1, np.shape(points)[-1]))
    mesh = scipy.spatial.Delaunay(points)
    found = mesh.find_simplex(places)
    turn = mesh.transform[found]
    shares = np.einsum("ijk,ik->ij", turn[:, :-1], places - turn[:, -1])
    shares = np.column_stack((shares, 1.0 - np.sum(shares, axis=1)))
    shares[found < 0] = 0.0
    return mesh.simplices[found], shares


def _of_values(basis, y_bar):
    """Return the adjoint of the values that a spline, linear in them, goes through."""
    axes = tuple(range(np.ndim(basis) - 1))
    return np.tensordot(basis, y_bar, (axes, axes))
