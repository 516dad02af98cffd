"""Progressive meters as pure arithmetic."""

from houseway.meters.ledger import Ledger
from houseway.meters.meter import Meter

__all__ = ["Ledger", "Meter"]
