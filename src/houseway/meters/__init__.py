"""Progressive meters as pure arithmetic."""
