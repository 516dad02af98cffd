"""Exact mathematics of Saigon 5 Card."""
