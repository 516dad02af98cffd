"""Checks of a Rules Submission against its chapter."""
