"""Counts that no paytable changes: bulk hand rankings, tallies and their cache."""
