"""Exact mathematics of the three-card games."""
