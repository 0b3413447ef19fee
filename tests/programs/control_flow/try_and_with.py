"""`try` and `with`: what fails is known by a trial, what is raised comes through.

try: y = math.log(x)
except ValueError: y = 0.0
"""

from __future__ import annotations

import contextlib
import math
import warnings

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(5)
A = numbers(3, 3) + 3 * np.eye(3)


UNITS = {"m": 1.0, "km": 1e3}
PLANES = {"sx": (0, 1), "sy": (1, 2)}
LAWS = {"sin": np.sin, "cos": np.cos}


def in_metres(value, unit):
    try:
        factor = UNITS[unit]
    except KeyError:
        factor = float(unit)
    return value * factor


def plane_of(word):
    try:
        return PLANES[word.lower()]
    except (AttributeError, KeyError):
        return word


def law_of(word):
    try:
        law = LAWS[word]
    except KeyError:
        law = getattr(np, word)
    return law


def held_by_a_table(u):
    i, j = plane_of("SY")
    total = in_metres(u[i], "km") * 1e-3 + in_metres(u[j], "m") * u[0]
    return total + np.sum(law_of("cos")(u))


def read_for_what_it_raises(u):
    total = 1.0
    try:
        u[7]
    except IndexError:
        total = total * u[0]
    try:
        UNITS["mile"]
    except KeyError:
        total = total * 3.0
    try:
        u.shape[1]
    except IndexError:
        total = total + u[1]
    return total * np.sum(u)


def law_by_what_is_raised(u):
    try:
        law = np.sin
        u.shape[1]
    except IndexError:
        law = np.cos
    return np.sum(u * law(0.3))


def unpacked_for_what_it_raises(u):
    try:
        a, b = u
        total = a * b
    except ValueError:
        total = u[0] * 2.0
    return total * np.sum(u)


def raised_anew(x):
    try:
        y = math.log(x)
    except ValueError:
        raise RuntimeError("x must be positive") from None
    return y * x


def checked(x):
    if x > 5.0:
        raise KeyError("too large", x)
    assert x > -5.0, "too small"
    return math.sqrt(x) * x


def fallback(x):
    try:
        y = math.log(x)
    except ValueError:
        y = x * x
    return y * x


def returned_from_it(x):
    try:
        return math.log(x) * x
    except ValueError:
        return 0.5 * x


def returned_on_ways(x):
    try:
        if x > 10.0:
            return x
        else:
            return math.sqrt(x)
    except ValueError:
        pass
    return x**3


class Ellipsoid:
    def __init__(self, major, minor, name="", eccentricity=None):
        self.flattening = (major - minor) / major
        if eccentricity is None:
            eccentricity = np.sqrt(2 * self.flattening - self.flattening**2)
        self.eccentricity = eccentricity
        self.name = name
        self.major = major


def radius(latitude, ellipsoid=None):
    if ellipsoid is None:
        ellipsoid = Ellipsoid(3.0, 2.0, "round")
    return ellipsoid.major / np.sqrt(1 - (ellipsoid.eccentricity * np.sin(latitude)) ** 2)


def an_object_that_a_called_function_makes(x):
    try:
        r = radius(x)
    except TypeError:
        r = x
    return r * x


def with_else(x):
    try:
        y = math.sqrt(x)
    except ValueError:
        y = -x
    else:
        y = y * x
    return y


def else_of_what_may_return(x):
    try:
        y = math.sqrt(x)
        if y > 0.9:
            return y**3
    except ValueError:
        y = -x
    else:
        y = y * x + 1.0
    return y * x


def with_finally(x):
    n = 0
    try:
        y = math.log(x)
    except ValueError:
        y = x
    finally:
        n += 2
    return y * n


def only_finally(x):
    n = 0
    try:
        y = x * x
    finally:
        n += 1
    return y * n


def two_handlers(x, k):
    try:
        y = math.log(x) / k
    except ValueError:
        y = x * x
    except ZeroDivisionError:
        y = 3.0 * x
    return y * x


def one_raises(x, k):
    try:
        y = math.log(x) / k
    except ValueError as error:
        raise RuntimeError(str(error)) from error
    except (ZeroDivisionError, OverflowError):
        y = 3.0 * x
    return y * x


def told_what_failed(x):
    try:
        y = math.log(x)
    except ValueError as error:
        y = x * len(error.args)
    return y * x


def try_in_a_loop(u):
    s = 0.0
    for v in u:
        try:
            s += math.log(v)
        except ValueError:
            continue
        s = s * 1.5
    return s


def loop_inside(u):
    s = 1.0
    try:
        for v in u:
            s = s + math.sqrt(v + 0.5)
    except ValueError:
        s = np.sum(u * u)
    return s


def nested_try(x):
    try:
        try:
            y = math.log(x)
        except ValueError:
            y = math.sqrt(x)
    except ValueError:
        y = x * x
    return y * x


def names_of_its_own(x):
    t = x
    try:
        t = t * 2.0
        y = math.log(t)
    except ValueError:
        t = -x
        y = t * t
    return y * t


def own_names_in_a_loop(u):
    t, s = 1.0, 0.0
    for v in u:
        try:
            t = t * v
            t = t + math.log(v)
            s = math.sqrt(t * t + v)
        except ValueError:
            t = v * v
            s = s + t
    return s * t


def solved(a):
    try:
        s = np.linalg.solve(a, np.ones(3))
    except np.linalg.LinAlgError:
        s = np.zeros(3)
    return np.sum(s * s)


def factored(a):
    try:
        lower = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        return np.sum(a)
    return np.sum(np.log(np.diag(lower)))


def factored_or_not(u, c):
    return factored(np.outer(u, u) + c * np.eye(5))


def safe_log(x):
    try:
        return math.log(x)
    except ValueError:
        return -x


def try_called(x):
    return x * safe_log(x) + safe_log(-x)


def raised_by_hand(x):
    try:
        if x < 0.0:
            raise ValueError("negative")
        y = np.sqrt(x)
    except ValueError:
        y = x**2
    return y * x


def length_of_what_may_be_a_number(x):
    try:
        n = len(x)
    except TypeError:
        n = 1
    return np.sum(x * x) * n


def part_of_what_may_be_a_number(x):
    try:
        first = x[0]
    except (TypeError, IndexError):
        first = x
    try:
        n = x.shape[0]
    except AttributeError:
        n = 2
    return np.sum(first * x * n)


def items_of_what_may_be_a_number(x):
    try:
        iter(x)
    except TypeError:
        x = [x]
    s = 0.0
    for q in x:
        s += q * q
    return s


def set_in_what_may_be_a_number(x):
    try:
        x[abs(x) < 0.2] = 0.0
    except TypeError:
        if abs(x) < 0.2:
            x = 0.0
    return np.sum(x * x)


def set_by_its_flags_in_what_may_be_a_number(x):
    y = x * 2.0
    try:
        y[y > 1.0] = 2.0 - y[y > 1.0]
    except TypeError:
        if y > 1.0:
            y = 2.0 - y
    return np.sum(y * x)


def set_by_named_flags_in_what_may_be_a_number(x):
    y = x * 2.0
    z = 1.0
    try:
        far = y > 1.0
        z = 3.0 * y
        y[far] = 2.0 - y[far]
    except (IndexError, KeyError):
        z = 0.0
    except TypeError:
        if y > 1.0:
            y = 2.0 - y
    return np.sum(y * x * z)


def bound_side_by_side_before_it_fails(x):
    try:
        low, high = 0.1 * x, x + 1.0
        y = math.log(x) + low
    except ValueError:
        y = low * high
    return y * x


def bound_before_it_fails_in_any_way(x):
    try:
        low, high = 0.1 * x, math.exp(x)
        y = math.log(x) + low
    except Exception:
        y = low * high
    return y * x


def try_suppressed(x):
    y = x
    with contextlib.suppress(ValueError, ZeroDivisionError):
        y = math.log(x)
    return y * x


def silenced(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.sqrt(x)
    return y * x


def quiet(u):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.where(u > 0, np.sqrt(np.abs(u)), 0.0)
    return y.sum()


def seen_how_far(x):
    y = x
    try:
        y = x * x
        z = math.sqrt(y - 10.0)
    except ValueError:
        z = y
    return y * z


def changed_in_place(u):
    v = u.copy()
    try:
        v[0] = 2.0 * v[1]
        v[1] = math.sqrt(v[2] - 10.0)
    except ValueError:
        v[2] = 0.0
    return np.sum(v * v)


def left_in_the_middle(x):
    try:
        if x > 0.0:
            return x * x
        y = math.sqrt(x)
    except ValueError:
        y = x
    return y


def errors_of_numpy(x):
    with np.errstate(all="raise"):
        try:
            y = np.log(x)
        except FloatingPointError:
            y = x * x
    return y * x


def warned(x):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            y = np.log(x)
    except RuntimeWarning:
        y = x * x
    return y * x


def raised_again(x):
    try:
        y = math.log(x)
    except ValueError:
        if x < -5.0:
            raise
        y = x
    return y


def drawn(x):
    rng = np.random.default_rng(3)
    try:
        y = x * rng.normal()
    except ValueError:
        y = x
    return y * rng.normal()


def appended(u):
    found = []
    for x in u:
        try:
            root = math.sqrt(x)
            found.append(root * x)
            found.append(math.log(x - 0.5))
        except ValueError:
            found.append(x * x)
    return sum(found) * found[0]


def continued_past_a_finally(u):
    s = 0.0
    for k in range(len(u)):
        try:
            if k == 1:
                continue
            s += math.sqrt(u[k] ** 2 + k)
        finally:
            s *= 1.1
    return s


def broken_off_past_a_finally(u):
    w = u.copy()
    for k in range(3):
        try:
            w[k] = w[k] * 2.0
            if k == 1:
                break
        finally:
            w[k] = w[k] ** 2
    else:
        w[0] = 3.0 * w[0]
    return np.sum(w)


def loop_under_a_finally(u):
    old = np.seterr(all="ignore")
    try:
        v = np.zeros(3)
        for k in range(3):
            v[k] = u[k] ** 2
            if v[k] > 9.0:
                return v[k]
        return np.sum(v)
    finally:
        np.seterr(**old)


def loop_that_raises_another(u):
    w = u.copy()
    try:
        for k in range(2):
            w[k] = w[k + 1] * w[k]
    except IndexError as error:
        raise ValueError("too short") from error
    return np.sum(w)


def returned_before_a_finally(u):
    held = {"v": u[0]}

    def doubled():
        try:
            return held["v"] * 2.0
        finally:
            held["v"] = held["v"] * u[1]

    return doubled() * held["v"]


def finally_in_a_finally(u):
    def first_of(w):
        try:
            for q in w:
                try:
                    if q > 0.5:
                        return q * q
                finally:
                    w[0] = w[0] + q
            return w[0]
        finally:
            w[1] = w[1] * 2.0

    v = u.copy()
    return first_of(v) * np.sum(v)


ARRAY_OR_NUMBER = (
    *(length_of_what_may_be_a_number, part_of_what_may_be_a_number),
    *(items_of_what_may_be_a_number, set_in_what_may_be_a_number),
    *(set_by_its_flags_in_what_may_be_a_number, set_by_named_flags_in_what_may_be_a_number),
)
FINALLY = (
    *(continued_past_a_finally, broken_off_past_a_finally, loop_under_a_finally),
    *(loop_that_raises_another, returned_before_a_finally, finally_in_a_finally),
)
OF_A_NUMBER = (
    *(fallback, returned_from_it, returned_on_ways, with_else, with_finally, told_what_failed),
    *(
        else_of_what_may_return,
        nested_try,
        names_of_its_own,
        try_called,
        raised_by_hand,
        try_suppressed,
    ),
)
REFUSABLE = (seen_how_far, left_in_the_middle, errors_of_numpy, raised_again, drawn)


def deleted_before(u):
    x = u[0]
    v = x * 2.0
    del x
    try:
        w = x * u[2]
    except NameError:
        w = u[1]
    return v * w


def without_a_value(u):
    if u[0] > 5.0:
        y = u[1]
    try:
        v = y * 2.0
    except UnboundLocalError:
        v = u[2]
    return v


def deleted_before_anything_is_handled(u):
    x = u[0]
    del x
    try:
        w = x * u[2]  # noqa: F821
    except Exception:
        w = u[1]
    return w


def key_that_is_not_there(u):
    d = {"a": u[0]}
    try:
        d["b"]
    except KeyError:
        d["b"] = u[1]
    return d["a"] * d["b"]


def names_that_have_values(u):
    try:
        x = np.asarray(u)
        y = x[0] * x
    except NameError:
        y = None
    else:
        y = y * 2.0
    return np.sum(y * x)


def name_or_value(u):
    try:
        r = math.sqrt(u[0])
    except (NameError, ValueError):
        r = u[1]
    return r * u[0]


def item_set_in_what_may_be_a_number(u):
    y = np.hypot(u[0], u[1])
    i = np.isclose(y, 0.0)
    try:
        y[i] = np.cos(y[i])
    except TypeError:
        if not i:
            y = y * u[2]
    return y**2


def item_set_on_one_way(u):
    y = np.sin(u[0])
    i = y > 0.0
    try:
        if i.any():
            y[i] = -y[i]
    except TypeError:
        if i:
            y = -y * u[1]
    return y


def set_in_a_loop(u):
    for k in range(int(10.0 * abs(u[0]))):
        y = u[k % 3]
    try:
        z = y * 2.0
    except NameError:
        z = u[1]
    return z


def set_in_an_earlier_pass(u):
    for k in range(int(10.0 * abs(u[0]))):
        try:
            y = y * u[k % 3]
        except NameError:
            y = u[1]
    return y


def set_where_nothing_failed(u):
    with contextlib.suppress(ValueError):
        y = math.log(u[0])
    try:
        z = y * 2.0
    except NameError:
        z = u[1]
    return z


def raised_as_if_it_had_no_value(u):
    try:
        if u[0] < 1.0:
            raise NameError("none")
        z = u[2]
    except NameError:
        z = u[1]
    return z * u[0]


SEEN = (
    *(names_that_have_values, name_or_value, item_set_in_what_may_be_a_number),
    item_set_on_one_way,
)
UNSEEN = (
    set_in_a_loop,
    set_in_an_earlier_pass,
    set_where_nothing_failed,
    raised_as_if_it_had_no_value,
    deleted_before,
    without_a_value,
    deleted_before_anything_is_handled,
    key_that_is_not_there,
)


def keys_and_items_that_are_not_there(u):
    s, d, xs = u[0], {"a": u[1]}, [u[2], u[3] * u[0]]
    for k in range(3):
        try:
            s += d["b"]
        except KeyError:
            s *= u[k]
        try:
            s += xs[2]
        except IndexError:
            s += xs[1]
    try:
        first, _, last = (u[0], u[1])
    except ValueError:
        first = last = u[4]
    try:
        r = d["c"]
    except (KeyError, IndexError):
        r = d.setdefault("c", u[1] * s)
    finally:
        s = s * u[0]
    return s * d["c"] * r + first * last


def finished_within_a_try(x, most):
    total = x
    try:
        if x > most:
            raise ValueError("too far")
        p = np.arctan(total)
        try:
            p = p * (0.5 * total - x * x)
        finally:
            p += 0.3 * x
        total = total * p
    except ValueError:
        total = total + x * x
    return np.sin(total)


def with_its_length(v):
    size = np.sqrt(np.sum(v * v))
    if size > 1e-10:
        return v / size, size
    raise ValueError("no direction")


def angle_by_the_length(u, angle=None):
    if angle is None:
        try:
            u, angle = with_its_length(u)
        except ValueError:
            return 0.5
    return np.sum(np.sin(angle) * u**3)


def added_to_after_the_block_may_be_left(u):
    """In forward mode both terms of the tangent were added before what raises."""
    s = u[0]
    try:
        s = s * 1.5
        t = math.sqrt(u[1] - 0.8)  # noqa: F841
        s += u[2]
    except ValueError:
        pass
    return s


def raised_from_what_was_caught(u):
    """The name of the inner handler was read before the trial of the outer block, and refused."""
    try:
        try:
            x = math.log(u[2] - 0.5)
        except ValueError as error:
            raise RuntimeError("negative") from error
    except RuntimeError:
        x = u[0] * u[1]
    return x * u[1]


PROGRAMS = (
    *(
        Entry(function, (x,), note=f"{x}")
        for x in (0.7, -0.7)
        for function in (bound_side_by_side_before_it_fails, bound_before_it_fails_in_any_way)
    ),
    *(
        Entry(raised_from_what_was_caught, (np.array([0.4, 0.7, x]),), note=f"{x}")
        for x in (0.2, 0.9)
    ),
    *(
        Entry(added_to_after_the_block_may_be_left, (np.array([0.4, x, 0.2]),), note=f"{x}")
        for x in (0.7, 0.9)
    ),
    *(Entry(function, (0.7,)) for function in OF_A_NUMBER),
    *(Entry(function, (-0.7,), note="failing") for function in OF_A_NUMBER),
    *(Entry(function, (0.7,)) for function in (raised_anew, only_finally, silenced)),
    *(
        Entry(function, (0.7, k), wrt=(0,), note=f"{k}")
        for function in (two_handlers, one_raises)
        for k in (0, 2)
    ),
    Entry(two_handlers, (-0.7, 2), note="negative"),
    *(
        Entry(function, (U,))
        for function in (try_in_a_loop, own_names_in_a_loop, loop_inside, quiet, appended)
    ),
    *(Entry(function, (U,)) for function in FINALLY),
    Entry(loop_inside, (np.abs(U),), note="whole"),
    *(Entry(function, (0.7,)) for function in ARRAY_OR_NUMBER),
    *(Entry(function, (U,), note="array") for function in ARRAY_OR_NUMBER),
    *(Entry(solved, (a,), note=note) for a, note in ((A, ""), (A + A.T, "symmetric"))),
    Entry(factored_or_not, (U, 2.0), wrt=(0, 1)),
    Entry(factored_or_not, (U, -2.0), wrt=(0, 1), note="indefinite"),
    *(Entry(function, (0.7,), may_refuse=True) for function in REFUSABLE),
    *(Entry(function, (-0.7,), may_refuse=True, note="failing") for function in REFUSABLE),
    *(Entry(function, (U,), may_refuse=True) for function in (changed_in_place, *UNSEEN)),
    Entry(held_by_a_table, (U,)),
    Entry(an_object_that_a_called_function_makes, (0.7,)),
    *(Entry(function, (U,)) for function in SEEN),
    Entry(item_set_on_one_way, (-U,), note="other"),
    Entry(read_for_what_it_raises, (U,)),
    Entry(angle_by_the_length, (U,)),
    Entry(keys_and_items_that_are_not_there, (U,)),
    Entry(law_by_what_is_raised, (U,), may_refuse=True),
    Entry(unpacked_for_what_it_raises, (U,), may_refuse=True),
    Entry(warned, (0.7,)),
    *(Entry(finished_within_a_try, (0.7, most), note=f"{most}") for most in (1.0, 0.5)),
)
