"""Computer players and the system's dealer."""
