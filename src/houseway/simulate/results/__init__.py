"""The results of a run: tallies, exact figures beside them, reports, charts and files."""
