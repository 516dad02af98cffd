"""The web casino: pages and commands over HTTP, views over server-sent events."""
