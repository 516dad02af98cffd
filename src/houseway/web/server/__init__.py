"""Starting and supervising the server; security and metrics."""
