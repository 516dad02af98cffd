"""The documents of a Rules Submission."""
