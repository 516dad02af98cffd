"""The game families, one package each."""
