"""The functions of the standard library, of NumPy and of SciPy go through the transformer.

python -m tests.corpus --modules statistics scipy.stats --count 200
"""
