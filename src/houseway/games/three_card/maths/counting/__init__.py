"""Hands of the three-card games, counted."""
