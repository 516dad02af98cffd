"""Saigon 5 Card."""
