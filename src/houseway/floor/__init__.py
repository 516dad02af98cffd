"""The floor: tables, people and play money on the record. Clocks and chance live here."""
