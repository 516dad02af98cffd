"""The floor: tables, people and play money on the record, and what the record shows and proves."""
