"""Single paytables: their rows, their edge, and those that favor the player."""
