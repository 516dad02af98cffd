"""Houseway: regulated table games, settled clause by clause, with exact odds.

>>> import houseway
>>> rules = houseway.choose("md-three-card-poker", {"pair_plus": "B"})
>>> dealt = houseway.deal(
...     rules,
...     dealer="Qh 7d 2c",
...     seats={3: {"wagers": {"ante": "10.00", "pair_plus": "5.00"},
...                "cards": "As Ks Qs", "decision": "play"}},
... )
>>> settled = houseway.settle(dealt)
>>> for line in settled.seat(3).lines:
...     print(line.wager, line.result, houseway.dollars(line.paid), line.clause)
ante win 10.00 11.D(3)(d)(ii)
play win 10.00 11.D(3)(d)(ii)
ante_bonus bonus 50.00 12.B(1)(a)
pair_plus win 200.00 12.D(2)(a)
>>> houseway.par(rules).find("pair_plus").house_edge
Fraction(308, 5525)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houseway.cards import Card, card, cards
    from houseway.errors import Refused
    from houseway.game_api.notation import deal
    from houseway.game_api.round import Line, Round, Seat, SeatResult, Settlement
    from houseway.game_api.round_json import read_round
    from houseway.game_api.settle import settle
    from houseway.law import CHAPTERS, Chapter, Rules, chapter, choose, read_rules
    from houseway.maths.par import par
    from houseway.maths.strategy import strategy
    from houseway.money import Odds, cents, dollars, odds

    __version__: str

#: where each name lives; imported when it is first used, so that the command line starts at once
_PLACES = {
    "houseway.cards": ("Card", "card"),
    "houseway.game_api.notation": ("deal",),
    "houseway.game_api.round": ("Line", "Round", "Seat", "SeatResult", "Settlement"),
    "houseway.game_api.round_json": ("read_round",),
    "houseway.game_api.settle": ("settle",),
    "houseway.law": ("CHAPTERS", "Chapter", "Rules", "chapter", "choose", "read_rules"),
    "houseway.maths.par": ("par",),
    "houseway.maths.strategy": ("strategy",),
    "houseway.money": ("Odds", "cents", "dollars", "odds"),
    "houseway.errors": ("Refused",),
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "CHAPTERS", "Card", "Chapter", "Line", "Odds", "Refused", "Round", "Rules", "Seat",
    "SeatResult", "Settlement", "__version__", "card", "cards", "cents", "chapter", "choose",
    "deal", "dollars", "odds", "par", "read_round", "read_rules", "settle", "simulate", "strategy",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    value: Any
    if name == "__version__":
        from importlib.metadata import version

        value = version("houseway")
    elif name in ("cards", "simulate"):
        value = import_module(f"houseway.{name}")  # packages that can be called
    elif name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
    else:
        raise AttributeError(f"module 'houseway' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
