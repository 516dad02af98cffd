"""The record searched, replayed, exported, reported and verified."""
