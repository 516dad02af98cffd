"""What identifies an edition of a chapter, and how a newer one states its differences."""
