"""Pages on what was recorded: rounds, the log of the floor, who did what."""
