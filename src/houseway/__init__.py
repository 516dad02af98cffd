"""Houseway: regulated table games, from the text of the rule to the settled chip.

>>> import houseway
>>> rules = houseway.choose("md-three-card-poker", {"pair_plus": "B"})
>>> round = houseway.deal(
...     rules,
...     dealer="Qh 7d 2c",
...     seats={3: {"wagers": {"ante": "10.00", "pair_plus": "5.00"},
...                "cards": "As Ks Qs", "decision": "play"}},
... )
>>> settled = houseway.settle(round)
>>> for line in settled.seat(3).lines:
...     print(line.wager, line.result, houseway.dollars(line.paid), line.clause)
ante win 10.00 11.D(3)(d)(ii)
play win 10.00 11.D(3)(d)(ii)
ante_bonus bonus 50.00 12.B(1)(a)
pair_plus win 200.00 12.D(2)(a)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houseway.cards import Card, card, cards
    from houseway.errors import Refused
    from houseway.game_api.notation import deal
    from houseway.game_api.round import Line, Round, Seat, SeatResult, Settlement
    from houseway.game_api.settle import settle
    from houseway.law import CHAPTERS, Chapter, Rules, chapter, choose, read_rules
    from houseway.money import Odds, cents, dollars, odds

#: where each name lives; imported when it is first used, so that the command line starts at once
_PLACES = {
    "houseway.cards": ("Card", "card", "cards"),
    "houseway.game_api.notation": ("deal",),
    "houseway.game_api.round": ("Line", "Round", "Seat", "SeatResult", "Settlement"),
    "houseway.game_api.settle": ("settle",),
    "houseway.law": ("CHAPTERS", "Chapter", "Rules", "chapter", "choose", "read_rules"),
    "houseway.money": ("Odds", "cents", "dollars", "odds"),
    "houseway.errors": ("Refused",),
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "CHAPTERS", "Card", "Chapter", "Line", "Odds", "Refused", "Round", "Rules", "Seat",
    "SeatResult", "Settlement", "card", "cards", "cents", "chapter", "choose", "deal", "dollars",
    "odds", "read_rules", "settle",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'houseway' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_WHERE[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
