"""Each game as pure functions."""
