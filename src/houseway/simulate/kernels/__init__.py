"""Simulation kernels: what they share, and the plain one."""
