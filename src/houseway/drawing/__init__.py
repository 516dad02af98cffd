"""The felt as SVG: one drawing of every table, from the empty layout to a round in play."""
