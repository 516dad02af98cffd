"""People: who they are, what they did, and their chips."""
