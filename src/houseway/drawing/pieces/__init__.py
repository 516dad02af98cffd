"""Cards, chips and devices."""
