"""The operator table: what is said of functions beside their rules, one row for those of which the same is said.

    free cheap lengthy costly            a pure function: it gives a view or a shape; takes one pass over its
                                         operands; one at ten times the price of a product; more than one
    writes state prints draws raises     what a function does beside giving a value: it writes to its first
                                         argument or its own array, or sets how NumPy behaves, ...

A function that a template spells is pure, and cheap unless its row says otherwise: what has neither a
template nor one of these words does anything. The other words are what types and analyses ask:

    again                             does no more where it is done twice
    absolute, adds, logarithm, power, product, sums    what it computes: sizes, a sum in place, ...
    apart                             gives of several arrays what it gives of each
    as_longer                         is as long as the longer of two vectors
    asks_dtype, asks_kind, finiteness, imaginary    what it asks of numbers
    beside, joins                     puts items along a new axis, arrays one behind the other
    choices                           gives tuples of the items that it is given
    chooses, guards, larger, smaller    takes some elements, and leaves out others
    combines                          takes elements of its operands together, though it broadcasts
    content_shape, told_shape         its shape depends on what numbers it is given; is told
    converts, copies, displays        gives an array of what it is given, be it a list
    counts, dtype, order, places      which arguments are whole numbers, a dtype, an order, an item or axis
    creates, new, filled, like, zeros, ones, unset    memory of its own: of a shape, like an array; of 0, 1, nothing yet
    cuts_off, drops, splits           gives nothing of too little; drops axes of length 1; cuts along an axis
    differs_complex, real_result      has another derivative where it is complex; is never complex
    distinct                          gives positions that name no element twice; those _of_vector do; those of
                                      its results that are used _together do, or _each alone; _numbers that
                                      are different
    elementwise, flat, nowhere_negative    as a ufunc; does not vary with what it is given; 0 or more
    in_rows, in_order, reshapes       lies in rows, or in the order asked for; is perhaps a view of another shape
    itself                            gives an array of at least so many axes as it is
    keeps_kind, takes_numbers, reduces    kinds and ranks of operands
    linear                            in the argument at this place: literals and signs of it stand outside
    like_second, rank_of_first        of printed functions: the type of an argument is that of the result
    makes, of_host                    arrays of what may be none; numbers, wherever arrays are
    many, price                       its form in forward.families; how api.display.costs counts it
    no_draw, returns_out              methods of sources: they draw nothing; return what they are handed
    not_probed, pivots                calls what it is handed, or reads memory or files; exchanges rows
    orders, sorts, rearranges, scatters    moves elements; zeros beside those that it takes
    overflows                         is infinite of a number of some hundreds
    partial, total, of_some           is defined for some numbers only; raises for none; has no value,
                                      or no slope, of nothing
    perhaps_complex, real_or_refused  is complex of some real numbers; raises where it would be
    read_only, rewritten              a view that may not be written; what rewrites read
    skips_nan                         leaves out what is nan, as missing
    shape_attribute                   is an attribute of arrays, too
    strict                            is not finite where any number that it is given is not
    stretches                         gives all that it is given in the shape that they broadcast to
    subset                            gives of its first argument no number more often than it holds it
    takes_display, takes_several      lists, as they are: in rules; of arrays
    written_out                       has a rule for lists that are known item by item
"""

ROWS = """
choices free: itertools.combinations itertools.combinations_with_replacement itertools.permutations
    itertools.product
free: callable issubclass hasattr type id iter enumerate zip reversed np.rollaxis
    np.broadcast_shapes np.flipud np.fliplr np.rot90 np.matrix_transpose np.permute_dims
    np.isfortran np.promote_types np.common_type np.isdtype np.finfo
    np.iinfo np.ndindex np.may_share_memory np.shares_memory np.typename np.mintypecode
    np.ndenumerate np.lib.stride_tricks.broadcast_to np.broadcast np.unstack np.geterr
    np.linalg.matrix_transpose np.linalg.diagonal np.base_repr np.binary_repr
    np.lib.array_utils.normalize_axis_index np.lib.array_utils.normalize_axis_tuple math.isnan
    math.isfinite math.isinf cmath.isnan cmath.isfinite cmath.isinf np.ndarray.reshape
    np.ndarray.transpose np.ndarray.swapaxes
    np.ndarray.squeeze np.ndarray.view np.ndarray.diagonal np.ndarray.item np.ndarray.real
    np.ndarray.tolist np.ndarray.T np.ndarray.mT np.ndarray.shape np.ndarray.ndim np.ndarray.size
    np.ndarray.dtype np.ndarray.flat np.ndarray.itemsize np.ndarray.nbytes np.ndarray.strides
    np.ndarray.flags np.ndarray.base np.ndarray.imag
cheap: all any bin bytes chr complex dict divmod filter format frozenset hash hex list map oct ord
    repr round set tuple bytearray memoryview object ascii sorted math.comb math.factorial
    math.frexp math.gcd math.isqrt math.lcm math.ldexp math.nextafter math.perm math.remainder
    math.ulp math.prod math.dist math.sumprod math.cbrt np.array_equiv np.array2string
    np.array_repr np.array_str np.asmatrix np.bartlett np.blackman np.hamming np.hanning np.bmat
    np.mask_indices np.isin np.isneginf np.isposinf np.isreal np.nanargmax np.nanargmin
    np.ravel_multi_index np.unravel_index np.packbits np.unpackbits np.fromstring
    np.format_float_positional np.datetime_as_string np.datetime_data np.busday_count
    np.busday_offset np.is_busday np.busdaycalendar np.format_float_scientific np.row_stack
    np.fft.fftfreq np.fft.rfftfreq np.isnat np.require np.polynomial.polynomial.polyadd
    np.polynomial.polynomial.polysub np.polynomial.polynomial.polymul
    np.polynomial.polynomial.polymulx np.polynomial.polynomial.polydiv
    np.polynomial.polynomial.polyder np.polynomial.polynomial.polyint
    np.polynomial.polynomial.polyline np.polynomial.polynomial.polypow
    np.polynomial.polynomial.polytrim np.polynomial.polynomial.polyval2d
    np.polynomial.polynomial.polyval3d np.polynomial.polynomial.polygrid2d
    np.polynomial.polynomial.polygrid3d np.polynomial.polynomial.polyvander
    np.polynomial.polynomial.polyvander2d np.polynomial.polynomial.polyvander3d
    np.polynomial.polynomial.polyfromroots np.polynomial.polynomial.polyvalfromroots
    np.polynomial.polynomial.polycompanion copy.copy copy.deepcopy np.add.reduce
    np.multiply.reduce np.maximum.reduce np.minimum.reduce np.fmax.reduce np.fmin.reduce
    np.add.accumulate np.multiply.accumulate
lengthy overflows: np.exp2 np.expm1 np.sinh
lengthy: np.logaddexp np.logaddexp2 np.cbrt np.arctan np.arctan2 np.tanh np.arcsinh np.sinc
    scipy.special.erf scipy.special.erfc scipy.special.gammaln scipy.special.expit
    scipy.special.ndtr
lengthy strict: np.sin np.cos np.tan
costly strict: np.tensordot np.kron
costly: np.einsum_path np.lexsort np.sort_complex
    np.histogram np.histogram2d np.histogramdd np.interp np.polyfit
    np.poly np.gradient np.vecdot np.matvec np.vecmat np.i0
    np.polynomial.polynomial.polyfit np.ndarray.dot np.ndarray.argsort np.ndarray.argpartition
    np.ndarray.searchsorted np.ndarray.choose
costly combines: np.cross
costly of_some: np.median np.percentile np.quantile
writes: np.put np.put_along_axis setattr delattr np.ndarray.sort np.ndarray.fill
    np.ndarray.partition np.ndarray.put np.ndarray.resize np.ndarray.setfield np.ndarray.setflags
    np.ndarray.itemset np.ndarray.byteswap
writes draws: np.random.shuffle
state: np.random.seed np.random.set_state np.random.set_bit_generator
state again: np.seterr np.seterrcall np.setbufsize np.set_printoptions warnings.simplefilter
    warnings.filterwarnings warnings.resetwarnings
prints: print warnings.warn logging.debug logging.info logging.warning logging.error open input
    np.save np.savez np.savez_compressed np.savetxt np.load np.loadtxt np.genfromtxt np.fromfile
    np.fromregex np.memmap np.show_config np.show_runtime np.info np.get_printoptions
    np.geterrcall np.getbufsize np.get_include json.load json.loads logging.critical logging.log
    np.ndarray.tofile np.ndarray.dump np.ndarray.dumps
draws: np.random.default_rng np.random.get_state np.random.bytes np.random.get_bit_generator
    np.random.ranf np.random.sample np.random.Generator np.random.RandomState np.random.PCG64
    np.random.PCG64DXSM np.random.MT19937 np.random.Philox np.random.SFC64 np.random.SeedSequence
raises: next exit quit
cheap absolute differs_complex elementwise real_result strict: abs
cheap flat: bool str
cheap price=none real_result strict: float
cheap flat price=none: int
free flat: isinstance
free flat nowhere_negative real_result: len
cheap guards larger of_some takes_display: max
cheap guards of_some smaller takes_display: min
cheap power: pow
free counts=all flat: range
free counts=all: slice
cheap strict sums takes_display: sum
absolute strict total: math.fabs
logarithm strict: math.log math.log2 math.log10 math.log1p
power: math.pow
total: math.atan math.atan2 math.tanh math.asinh math.erf math.erfc math.floor math.ceil
    math.copysign math.hypot
strict total: math.sin math.cos
counts=from_1: itertools.islice
absolute differs_complex nowhere_negative real_result strict: np.abs np.absolute
adds: np.add np.subtract
of_some price=operand: np.amax np.amin
imaginary: np.angle
flat price=operand reduces: np.any np.all
counts=all creates in_rows makes price=none takes_numbers: np.arange
lengthy partial: np.arcsin np.arccos np.arccosh np.arctanh
flat of_some reduces: np.argmax np.argmin
costly distinct_of_vector flat places=1 sorts: np.argpartition
costly distinct_of_vector flat sorts: np.argsort
content_shape distinct_of_vector: np.argwhere
beside converts displays in_order keeps_kind makes many=array price=none strict subset
    takes_display: np.array
free many=along:ary:first splits=uneven: np.array_split
free copies in_order itself=0 order=2 takes_display: np.asanyarray
free beside converts in_order itself=0 makes many=same order=2 price=none strict subset
    takes_display: np.asarray
free copies price=none reshapes takes_display: np.ascontiguousarray
free reshapes: np.asfortranarray
in_order price=none: np.astype
free apart itself=1: np.atleast_1d
free apart itself=2: np.atleast_2d
free apart itself=3: np.atleast_3d
content_shape makes: np.bincount
cheap takes_several written_out: np.linalg.multi_dot
costly takes_several written_out: np.block
free read_only stretches takes_several: np.broadcast_arrays
free many=broadcast read_only strict: np.broadcast_to
free asks_dtype: np.can_cast np.issubdtype
cheap chooses guards takes_several written_out: np.choose np.select
guards takes_numbers: np.clip
content_shape guards: np.compress np.extract
joins makes many=join price=none strict: np.concatenate
differs_complex elementwise strict: np.conj np.conjugate
costly as_longer: np.convolve np.correlate
copies in_order in_rows keeps_kind many=same price=none rearranges strict: np.copy
costly drops=first: np.cov np.corrcoef
price=operand: np.cumprod
many=along:a:flat price=operand reduces strict: np.cumsum
content_shape new places=1 subset: np.delete
makes read_only scatters: np.diag
cheap distinct_each distinct_together: np.diag_indices
distinct_each distinct_together: np.diag_indices_from
free many=matrix read_only: np.diagonal
cuts_off many=along:a:last strict: np.diff
costly many=dot product strict: np.dot
free splits=2: np.dsplit
joins: np.dstack
free of_host: np.dtype
costly: np.einsum
cheap creates dtype=1 filled flat in_rows makes order=2 price=none takes_numbers told_shape unset:
    np.empty
flat in_order like price=none unset: np.empty_like
lengthy nowhere_negative overflows: np.exp np.cosh
free many=along:a:flat strict: np.expand_dims
counts=all creates flat in_rows makes order=4 price=none takes_numbers: np.eye
absolute strict: np.fabs
content_shape distinct flat: np.flatnonzero
free many=along:m:all price=none rearranges strict subset: np.flip
takes_numbers: np.float32 np.float64
lengthy power: np.float_power
cheap not_probed: np.frombuffer np.from_dlpack np.fromiter
creates dtype=2 filled in_order in_rows makes many=fill order=3 price=none takes_numbers told_shape:
    np.full
in_order like makes many=fill price=none takes_numbers: np.full_like
counts=from_2 makes takes_numbers: np.geomspace np.logspace
guards: np.heaviside
free splits=1: np.hsplit
joins many=side price=none strict: np.hstack
cheap counts=all creates flat in_rows makes price=none: np.identity
elementwise imaginary: np.imag
cheap makes told_shape: np.indices
costly many=vectors product strict: np.inner
free asks_dtype content_shape flat: np.iscomplexobj np.isrealobj
finiteness flat: np.isnan np.isinf np.isfinite
free asks_kind of_host takes_numbers: np.isscalar
free asks_kind: np.ma.isMaskedArray np.ma.is_masked np.ma.getmask
free asks_kind: np.iterable sparse.issparse sparse.isspmatrix sparse.isspmatrix_csr
free: np.ix_
counts=from_2 in_rows makes takes_numbers: np.linspace
lengthy logarithm strict: np.log np.log2 np.log10 np.log1p
costly many=dot product rewritten strict: np.matmul
guards larger of_some price=operand reduces: np.max
guards larger: np.maximum np.fmax
many=along:a:all of_some price=operand reduces strict: np.mean
makes: np.meshgrid
guards of_some price=operand reduces smaller: np.min
free content_shape: np.min_scalar_type
guards smaller: np.minimum np.fmin
free many=axes places=1,2 rearranges strict: np.moveaxis
elementwise guards: np.nan_to_num
many=along:a:all skips_nan: np.nansum
costly skips_nan: np.nanmedian np.nanpercentile np.nanquantile
skips_nan: np.nanmean np.nanvar np.nanstd np.nanprod np.nanmax np.nanmin np.nancumsum np.nancumprod
free asks_kind flat of_host shape_attribute takes_numbers: np.ndim
content_shape distinct_together flat: np.nonzero
cheap creates dtype=1 filled flat in_rows makes ones order=2 price=none takes_numbers told_shape:
    np.ones
flat in_order like makes ones price=none: np.ones_like
costly in_rows many=outer rewritten strict: np.outer
new price=none: np.pad
price=none: np.append
costly orders places=1 sorts: np.partition
guards not_probed takes_several: np.piecewise
writes guards: np.place np.putmask np.copyto np.fill_diagonal
cheap content_shape: np.poly1d
lengthy partial power: np.power
price=operand reduces strict: np.prod
free many=ravel order=1 rearranges reshapes strict subset: np.ravel
free differs_complex elementwise real_result: np.real
content_shape counts=last in_rows many=along:a:flat price=none takes_numbers: np.repeat
free many=reshape order=2 rearranges reshapes strict: np.reshape
reshapes told_shape: np.resize
free asks_dtype of_host: np.result_type
many=along:a:flat price=none rearranges rewritten strict: np.roll
costly content_shape perhaps_complex: np.roots
flat takes_numbers: np.round np.isclose
costly flat: np.searchsorted np.digitize
free flat of_host shape_attribute takes_numbers: np.shape np.size
differs_complex flat: np.sign
costly orders sorts subset: np.sort
free many=along:ary:first splits=any: np.split
partial: math.acos math.asin math.acosh math.atanh
nowhere_negative partial strict: np.sqrt
nowhere_negative strict: np.square
free drops=any strict: np.squeeze
beside joins makes many=join price=none strict: np.stack
many=along:a:all price=operand reduces rewritten strict sums: np.sum
free many=axes places=1,2 rearranges rewritten strict: np.swapaxes
many=along:a:flat places=1: np.take
counts=from_1 price=none takes_numbers told_shape: np.tile
many=matrix: np.trace
free displays many=transpose rearranges strict: np.transpose
costly many=along:y:last: np.trapezoid
many=along:y:last: np.trapz
cheap makes: np.tri
cheap distinct_together: np.tril_indices np.tril_indices_from np.triu_indices np.triu_indices_from
content_shape: np.trim_zeros np.polymul np.polyadd np.polysub np.real_if_close np.find_common_type
    sparse.diags sparse.diags_array sparse.spdiags sparse.find
guards many=stack scatters: np.triu np.tril
costly content_shape: np.unique_all np.unique_counts np.unique_inverse np.histogram_bin_edges np.polydiv
costly content_shape distinct_numbers: np.setxor1d np.union1d
costly content_shape distinct_numbers subset: np.intersect1d np.setdiff1d np.unique np.unique_values
costly makes: np.vander
differs_complex nowhere_negative of_some price=operand real_result reduces strict: np.var np.std
costly differs_complex many=vectors product rewritten strict: np.vdot
not_probed: np.apply_along_axis np.apply_over_axes np.fromfunction np.nditer
    np.lib.format.open_memmap np.lib.npyio.DataSource np.lookfor np.source np.test
    np.set_string_function np.ndarray.getfield sparse.save_npz sparse.load_npz sparse.random
    sparse.random_array sparse.rand sparse_linalg.use_solver stats.norm.rvs np.vectorize
    np.frompyfunc
free splits=0: np.vsplit
joins price=none strict: np.vstack np.column_stack
chooses distinct_together elementwise guards rearranges rewritten takes_numbers: np.where
cheap creates dtype=1 filled flat in_rows makes order=2 price=none takes_numbers told_shape zeros:
    np.zeros
flat in_order like makes price=none scatters zeros: np.zeros_like
free not_probed: np.lib.stride_tricks.as_strided np.errstate np.printoptions warnings.catch_warnings
free read_only: np.lib.stride_tricks.sliding_window_view
order=0: np.ndarray.copy
order=1: np.ndarray.astype
in_rows: np.ndarray.flatten
free order=0: np.ndarray.ravel
perhaps_complex: np.linalg.eigvals np.linalg.eig
price=cubic: np.linalg.inv np.linalg.det np.linalg.slogdet np.linalg.cholesky
differs_complex price=operand real_result: np.linalg.norm
linear=1 many=solve price=cubic: np.linalg.solve
many=along:a:last: np.fft.fft np.fft.ifft np.fft.rfft np.fft.irfft
costly perhaps_complex: np.polynomial.polynomial.polyroots
returns_out: np.random.Generator.random np.random.Generator.standard_normal
    np.random.Generator.standard_exponential np.random.Generator.standard_gamma
    np.random.Generator.permuted
no_draw: np.random.Generator.shuffle np.random.Generator.spawn np.random.Generator.bit_generator
    np.random.Generator.__init__ np.random.RandomState.seed np.random.RandomState.get_state
    np.random.RandomState.set_state random.Random.getstate random.Random.setstate
pivots: linalg.lu_solve linalg._decomp_lu._lu_solve
linear=1: linalg.cho_solve linalg.solve_triangular linalg.solve
real_or_refused: linalg.sqrtm linalg.logm linalg.fractional_matrix_power
new: _matmul_bar_a _matmul_bar_b _dot_bar_a _dot_bar_b _expand _entries _spread_entries _cg _gmres
    _cg_of_entries _gmres_of_entries
rearranges: _put_bar _sort_bar
scatters: _quantile_bar _diagonal_bar _trim_bar _delete_bar
flat: _shadow_of _shadow_of_copy np.floor np.ceil np.rint np.trunc np.fix np.allclose
    np.array_equal np.floor_divide np.signbit np.count_nonzero
content_shape new: _spelled_out
like_second new scatters: _take_bar _along_bar
like_second: _of_labels
rank_of_first: _uncut
"""
