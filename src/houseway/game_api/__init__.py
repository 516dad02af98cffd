"""Rounds, settlements and payouts: what every game shares, and the registry of game families."""
