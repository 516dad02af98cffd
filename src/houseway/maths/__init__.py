"""Exact distributions, optimal strategy, PAR sheets and the reconciliation of published holds."""
