"""`python -m houseway` is the command line."""

from houseway.cli import main

main()
