"""Solvers and objects of SciPy: implicit differentiation."""
