"""The solver of Down Under Blackjack."""
