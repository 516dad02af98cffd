"""Commands for Rules Submissions."""
