"""`houseway simulate`."""
