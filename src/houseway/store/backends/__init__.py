"""Where a record is kept: SQLite, PostgreSQL or memory."""
