"""Rounds by the million: compiled kernels, runs on many machines, and a random source on trial."""
