"""Down Under Blackjack solved."""
