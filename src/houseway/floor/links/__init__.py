"""Linked progressives on the record."""
