"""Down Under Blackjack."""
