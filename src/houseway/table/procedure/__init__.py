"""The commands of a table, in the order of a round, and its irregularities."""
