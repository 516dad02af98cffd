"""Printing to a terminal: tables that fit its width, colors, shell completion."""
