"""`houseway strategy`."""
