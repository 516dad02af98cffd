"""Several wagers or seats together: covariances and joint figures."""
