"""Progressive meters as pure arithmetic."""

from houseway.meters.ledger import Ledger, Terms, check_split, percent
from houseway.meters.meter import Meter

__all__ = ["Ledger", "Meter", "Terms", "check_split", "percent"]
