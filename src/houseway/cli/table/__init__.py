"""A live table in the terminal and on standard input and output."""
