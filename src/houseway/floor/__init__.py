"""The application: tables on the record, what the record shows, and what it proves."""
