"""Houseway: regulated table games, from the text of the rule to the settled chip."""
