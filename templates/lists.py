"""Lists and tuples of values: what one receives is a list with an adjoint for each value."""

FAMILY = "linear"
HOLOMORPHIC = """
sum_of_numbers sum_of_values sum_from mean_of_numbers copied copied_array
copied_value layers layers_of_vectors
array_of_numbers array_of_values stack rows columns concatenate end_to_end
one_below_another side_by_side same_values values_of_array
"""

# ---------------------------------------------------------------------------- sums


def sum_of_numbers(iterable: numbers):
    y = sum(iterable)
    y = math.fsum(iterable)
    y = np.sum(iterable)
    iterable_bar = [y_bar] * len(iterable)


def sum_of_values(iterable: values):
    y = sum(iterable)
    iterable_bar = _sum_bar(y_bar, iterable)


def sum_from(iterable: values, start: scalar):
    y = sum(iterable, start)
    iterable_bar = _sum_bar(y_bar, iterable)
    start_bar = np.sum(y_bar)
    y_dot = sum(iterable_dot)
    y_dot = start_dot


def mean_of_numbers(a: numbers):
    y = np.mean(a)
    a_bar = [y_bar / len(a)] * len(a)


def copied(x: holder):
    y = _copied(x)
    y = copy.deepcopy(x)
    y = copy.copy(x)
    x_bar = y_bar


def copied_array(x: shapes((3,), (2, 3))):
    y = _copied(x)
    x_bar = y_bar


def copied_value(x):
    y = copy.deepcopy(x)
    y = copy.copy(x)
    x_bar = y_bar


def product_of_numbers(iterable: numbers):
    y = math.prod(iterable)
    iterable_bar = list(y_bar * _others(np.array(iterable), None))
    y_dot = np.dot(_others(np.array(iterable), None), np.array(iterable_dot))


# ---------------------------------------------------------------------------- statistics


def mean_of_list(data: values):
    y = statistics.mean(data)
    y = statistics.fmean(data)
    data_bar = [y_bar / len(data)] * len(data)
    y_dot = np.mean(data_dot)


EACH = "each:count variance:(len(data)-1) pvariance:len(data)"


def each_of_list(data: values):
    y = statistics.each(data)
    centred = np.array(data) - np.mean(data)
    data_bar = list(2.0 * y_bar / count * centred)
    y_dot = 2.0 * np.dot(centred, np.array(data_dot)) / count


EACH = "each:count stdev:(len(data)-1) pstdev:len(data)"


def each_of_list(data: values):
    """Where all elements are equal the derivative is taken as 0."""
    y = statistics.each(data)
    centred = np.array(data) - np.mean(data)
    data_bar = list(y_bar / ((y + (y == 0.0)) * count) * centred)
    y_dot = np.dot(centred, np.array(data_dot)) / ((y + (y == 0.0)) * count)


def hypot_of_list(*x: (numbers, positive)):
    """At 0 the derivative is taken as 0."""
    y = math.hypot(*x)
    x_bar = list(y_bar / (y + (y == 0.0)) * np.array(x))
    y_dot = np.dot(np.array(x), np.array(x_dot)) / (y + (y == 0.0))


# ---------------------------------------------------------------------------- extremes


def extreme_of_values(iterable: values):
    """As the builtin: the first of equal values has it all."""
    y = max(iterable)
    y = min(iterable)
    y = max(*iterable)
    y = min(*iterable)
    iterable_bar = _first_bar(y_bar, iterable, y)
    y_dot = iterable_dot[iterable.index(y)]


def extreme_of_vector(iterable: (row, shapes((4,)))):
    """As the builtin: the first of equal values has it all."""
    y = max(iterable)
    y = min(iterable)
    y = max(*iterable)
    y = min(*iterable)
    hit = np.arange(len(iterable)) == np.argmax(np.equal(iterable, y))
    iterable_bar = np.where(hit, np.full_like(iterable, y_bar), 0.0)
    y_dot = iterable_dot[np.argmax(np.equal(iterable, y))]


def extreme_of_tuples(iterable: tuples):
    """As the builtin: tuples in the order of their items, the first of equal ones."""
    y = max(iterable)
    y = min(iterable)
    iterable_bar = _first_of_tuples_bar(y_bar, iterable, y)
    y_dot = iterable_dot[iterable.index(y)]


# ---------------------------------------------------------------------------- arrays of lists


def array_of_numbers(a: numbers):
    y = np.array(a)
    y = np.asarray(a)
    y = np.stack(a)
    y = np.hstack(a)
    a_bar = list(y_bar)


def array_of_values(a: nested):
    y = np.array(a)
    y = np.asarray(a)
    a_bar = _rows(y_bar, a)


def array_of_numbers_as(a: numbers, dtype: (float_type, sample(np.float64, float))):
    y = np.array(a, dtype)
    y = np.asarray(a, dtype)
    a_bar = list(y_bar)


def array_of_values_as(a: nested, dtype: (float_type, sample(np.float64, float))):
    y = np.array(a, dtype)
    y = np.asarray(a, dtype)
    a_bar = _rows(y_bar, a)


def stack(arrays: values, axis: integer = 0):
    y = np.stack(arrays, axis)
    arrays_bar = _rows(np.moveaxis(y_bar, axis, 0), arrays)


def rows(tup: vectors):
    y = np.vstack(tup)
    tup_bar = _rows(y_bar, tup)


def columns(tup: vectors):
    y = np.column_stack(tup)
    tup_bar = _rows(y_bar.T, tup)


def layers_of_vectors(tup: vectors):
    y = np.dstack(tup)
    tup_bar = _rows(y_bar[0].T, tup)


def layers(tup: matrices):
    y = np.dstack(tup)
    tup_bar = _rows(np.moveaxis(y_bar, 2, 0), tup)


def concatenate(arrays: values, axis: integer = 0):
    y = np.concatenate(arrays, axis)
    arrays_bar = _stretches(y_bar, arrays, axis)


def end_to_end(tup: vectors):
    y = np.hstack(tup)
    tup_bar = _stretches(y_bar, tup, 0)


def one_below_another(tup: matrices):
    y = np.vstack(tup)
    tup_bar = _stretches(y_bar, tup, 0)


def side_by_side(tup: matrices):
    y = np.hstack(tup)
    y = np.column_stack(tup)
    tup_bar = _stretches(y_bar, tup, 1)


# ---------------------------------------------------------------------------- lists of lists


def same_values(iterable: sequence):
    y = list(iterable)
    y = tuple(iterable)
    y = iterable.copy()
    iterable_bar = list(y_bar)


def repeated_values(iterable: values, times: (integer, sample(2))):
    y = iterable * times
    y = times * iterable
    iterable_bar = _repeated_bar(y_bar, iterable)


def values_of_array(iterable: shapes((4,), (3, 2))):
    y = iterable.tolist()
    y = list(iterable)
    y = tuple(iterable)
    iterable_bar = np.reshape(np.array(y_bar).astype(iterable.dtype), iterable.shape)


# ---------------------------------------------------------------------------- in order


def sorted_numbers(iterable: numbers, key=None, reverse=False):
    """As the builtin: equal values keep their order."""
    y = sorted(iterable, key=key, reverse=reverse)
    iterable_bar = _unsorted(y_bar, iterable, key, reverse)
    y_dot = _sorted_as(iterable_dot, iterable, key, reverse)


def sorted_vector(iterable: shapes((4,)), key=None, reverse=False):
    """As the builtin: equal values keep their order."""
    y = sorted(iterable, key=key, reverse=reverse)
    iterable_bar = np.array(_unsorted(y_bar, iterable, key, reverse)).astype(iterable.dtype)
    y_dot = _sorted_as(iterable_dot, iterable, key, reverse)


def sorted_tuples(iterable: tuples, key=None, reverse=False):
    """As the builtin: tuples in the order of their items, equal ones in their own."""
    y = sorted(iterable, key=key, reverse=reverse)
    iterable_bar = _unsorted(_copied(y_bar), iterable, key, reverse)
    y_dot = _sorted_as(iterable_dot, iterable, key, reverse)
