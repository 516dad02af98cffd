"""Exact mathematics of Down Under Blackjack."""
