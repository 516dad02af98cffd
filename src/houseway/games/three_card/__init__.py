"""Three Card Poker (Maryland, Massachusetts) and Three Card Prime."""
