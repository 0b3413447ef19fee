"""SciPy's Fourier transforms: the rules of NumPy's, under SciPy's names."""

LIKE = "fft.py np.fft:fft a:x"
