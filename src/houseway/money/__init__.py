"""Chips, odds and exact amounts."""

from houseway.money.amount import Cents, cents, dollars, exactly, signed, spoken
from houseway.money.odds import Odds, odds, payout

__all__ = ["Cents", "Odds", "cents", "dollars", "exactly", "odds", "payout", "signed", "spoken"]
