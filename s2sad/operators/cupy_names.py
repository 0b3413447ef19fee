"""What CuPy has of NumPy and SciPy, by the list of names of CuPy 14.2, and what it takes for arrays.

Of NumPy it has all but a few, which are listed; of SciPy what is listed.
"""

from __future__ import annotations

from collections.abc import Mapping

VERSION = "14.2"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# by module: the functions that CuPy's module of that name lacks
LACKING: Mapping[str, frozenset[str]] = {
    "numpy": _names(
        "asmatrix block bmat einsum_path frompyfunc fromregex geomspace histogram_bin_edges "
        "insert isnat longdouble matrix matvec memmap nanpercentile nanquantile ndenumerate "
        "nditer polyder polydiv polyint seterr spacing unstack vecdot vecmat"
    ),
    "numpy.linalg": _names(
        "diagonal matrix_norm multi_dot outer svdvals tensordot trace vecdot vector_norm"
    ),
    "numpy.fft": frozenset(),
    "numpy.random": _names("MT19937 PCG64 PCG64DXSM Philox SFC64 SeedSequence get_state set_state"),
}

# by module: the keywords that CuPy's functions of the same name do not take
KEYWORDS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        "numpy.sum numpy.prod numpy.nansum numpy.nanprod numpy.max numpy.min numpy.amax "
        "numpy.amin numpy.nanmax numpy.nanmin".split(),
        _names("initial where"),
    ),
    **dict.fromkeys("numpy.mean numpy.nanmean numpy.all numpy.any".split(), _names("where")),
    **dict.fromkeys(
        "numpy.var numpy.std numpy.nanvar numpy.nanstd".split(), _names("where mean correction")
    ),
    **dict.fromkeys("numpy.sort numpy.argsort".split(), _names("order stable")),
    **dict.fromkeys("numpy.partition numpy.argpartition".split(), _names("kind order")),
    **dict.fromkeys("numpy.percentile numpy.quantile".split(), _names("weights")),
    **dict.fromkeys(
        "numpy.zeros_like numpy.ones_like numpy.empty_like numpy.full_like".split(), _names("subok")
    ),
    "numpy.clip": _names("min max"),
    "numpy.count_nonzero": _names("keepdims"),
    "numpy.linalg.cholesky": _names("upper"),
    "numpy.linalg.matrix_rank": _names("A hermitian rtol"),
    "numpy.linalg.pinv": _names("hermitian rtol"),
    "numpy.linalg.svd": _names("hermitian"),
    "numpy.take": _names("mode"),
}

# methods of arrays that CuPy's do not have
METHODS = _names("getfield resize setfield setflags to_device")

# by module of SciPy: what the module of that name in cupyx has
HAVING: Mapping[str, frozenset[str]] = {
    "scipy.special": _names(
        "bdtr bdtrc bdtri beta betainc betaincinv betaln binom boxcox boxcox1p cbrt chdtr chdtrc "
        "chdtri cosdg cosm1 cotdg digamma ellipeinc ellipj ellipk ellipkinc ellipkm1 entr erf "
        "erfc erfcinv erfcx erfinv exp1 exp10 exp2 expi expit expm1 expn exprel fdtr fdtrc fdtri "
        "gamma gammainc gammaincc gammainccinv gammaincinv gammaln gammasgn gdtr gdtrc huber i0 "
        "i0e i1 i1e inv_boxcox inv_boxcox1p j0 j1 k0 k0e k1 k1e kl_div lambertw log1p log_expit "
        "log_ndtr log_softmax loggamma logit logsumexp lpmv multigammaln nbdtr nbdtrc nbdtri ndtr "
        "ndtri pdtr pdtrc pdtri poch polygamma pseudo_huber psi radian rel_entr rgamma round "
        "shichi sici sinc sindg softmax sph_harm_y spherical_yn tandg wright_bessel xlog1py xlogy "
        "y0 y1 yn zeta zetac"
    ),
    "scipy.linalg": _names(
        "bandwidth block_diag circulant companion convolution_matrix dft expm fiedler "
        "fiedler_companion hadamard hankel helmert hilbert khatri_rao leslie lu lu_factor "
        "lu_solve solve_triangular toeplitz"
    ),
    "scipy.fft": _names(
        "dct dctn dst dstn fft fft2 fftfreq fftn fftshift fht hfft hfft2 hfftn idct idctn idst "
        "idstn ifft ifft2 ifftn ifftshift ifht ihfft ihfft2 ihfftn irfft irfft2 irfftn "
        "next_fast_len rfft rfft2 rfftfreq rfftn"
    ),
    "scipy.signal": _names(
        "chirp convolve convolve2d correlate correlate2d correlation_lags deconvolve detrend "
        "fftconvolve filtfilt firwin gausspulse hilbert hilbert2 istft lfilter lfiltic medfilt "
        "medfilt2d oaconvolve order_filter periodogram resample resample_poly savgol_filter "
        "sosfilt sosfiltfilt spectrogram stft upfirdn welch wiener"
    ),
    "scipy.ndimage": _names(
        "affine_transform convolve convolve1d correlate correlate1d gaussian_filter "
        "gaussian_filter1d gaussian_gradient_magnitude gaussian_laplace laplace map_coordinates "
        "maximum_filter maximum_filter1d median_filter minimum_filter minimum_filter1d prewitt "
        "rotate shift sobel spline_filter spline_filter1d uniform_filter uniform_filter1d zoom"
    ),
    "scipy.sparse": _names(
        "block_array block_diag bmat coo_array coo_matrix csc_array csc_matrix csr_array "
        "csr_matrix dia_array dia_matrix diags diags_array eye eye_array find hstack identity "
        "issparse isspmatrix kron kronsum rand random random_array spdiags spmatrix tril triu "
        "vstack"
    ),
    "scipy.sparse.linalg": _names(
        "LinearOperator SuperLU aslinearoperator bicgstab cg cgs eigsh factorized gmres lobpcg "
        "lsmr lsqr matrix_power minres norm spilu splu spsolve spsolve_triangular svds"
    ),
    "scipy.interpolate": _names(
        "Akima1DInterpolator BPoly BSpline BarycentricInterpolator CubicHermiteSpline "
        "CubicSpline KroghInterpolator PPoly PchipInterpolator RBFInterpolator "
        "RegularGridInterpolator UnivariateSpline barycentric_interpolate interp1d interpn "
        "krogh_interpolate make_interp_spline make_lsq_spline pchip_interpolate splantider splder"
    ),
    "scipy.stats": _names("boxcox_llf entropy trim_mean zmap zscore"),
}

# what belongs to the host
HOST = _names("errstate dtype finfo iinfo issubdtype newaxis")
# what kernels hold
FUSED = _names(
    "abs absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt ceil cos cosh deg2rad "
    "exp exp2 expm1 fabs floor fmax fmin hypot log log10 log1p log2 logaddexp maximum minimum "
    "negative power rad2deg reciprocal sign sin sinh sqrt square tan tanh where"
)
# functions of NumPy whose arguments are whole numbers: lengths and positions
OF_SHAPES = _names(
    "zeros ones empty full eye identity arange tri ndindex tril_indices triu_indices indices "
    "diag_indices mask_indices"
)
# those whose arguments after the first are
RESHAPING = _names("reshape resize broadcast_to tile repeat")
# those whose first argument is a list of arrays
JOINING = _names("array asarray asanyarray stack vstack dstack column_stack")
# those that are given limits and sequences, or ask for what is no array
OF_NO_ARRAY = _names(
    "linspace logspace ndim shape isscalar result_type concatenate hstack append einsum fromiter "
    "broadcast_shapes meshgrid isclose allclose array_equal can_cast promote_types errstate finfo "
    "iinfo issubdtype dtype ix_ c_ r_ s_ piecewise block"
)
# those that take a mode, by its name alone
OF_MODES = _names("convolve correlate")
# of these more than the first argument has to be an array, of all others the first
OF_ARRAYS: Mapping[str, int] = {
    **dict.fromkeys(
        _names(
            "dot outer inner vdot tensordot kron cross matmul convolve correlate searchsorted "
            "digitize trapezoid polyval isin take_along_axis linalg.solve"
        ),
        2,
    ),
    "interp": 3,
}
# the methods of a Generator that CuPy's has
DRAWS = _names(
    "beta binomial chisquare dirichlet exponential f gamma geometric hypergeometric integers "
    "logseries poisson power random standard_exponential standard_gamma standard_normal uniform"
)
UFUNC_METHODS_LACKING = _names("maximum.reduce minimum.reduce multiply.at divide.at power.at")


def has(module: str, name: str) -> bool:
    """Tell whether CuPy has a function of a module of NumPy's or SciPy's."""
    if module in LACKING:
        return name not in LACKING[module]
    return name in HAVING.get(module, ())


def refused_keywords(module: str, name: str) -> frozenset[str]:
    """Return the keywords of a function that CuPy's function of the same name does not take."""
    return KEYWORDS.get(f"{module}.{name}", frozenset())
