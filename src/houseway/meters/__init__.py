"""Progressive meters as pure arithmetic."""

from houseway.meters.meter import Meter

__all__ = ["Meter"]
