"""A random source on trial: a battery of statistical tests, and a verdict on all of them together."""
