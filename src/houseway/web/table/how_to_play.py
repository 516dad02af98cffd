"""How to play, in four small pictures, from the chapter's own data: wager, look, decide, be paid."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from houseway.cards import Card, SeededSource, deck_with_joker, shuffled, standard_deck
from houseway.drawing.layout.inscriptions import payouts, phrases
from houseway.drawing.pieces.chips import Chip, chip_id
from houseway.law import Rules
from houseway.law.procedure import chosen
from houseway.present import PRESENTATION
from houseway.web.table.player_choices import decisions, limits_of, useful_chips

#: what everybody knows how to do
_PLAIN = frozenset({"sit_down", "leave_seat", "place_wager", "take_back_wager", "stay_seated"})


@lru_cache(maxsize=64)
def how_to_play(rules: Rules) -> dict[str, Any]:
    """What a game is about, its wagers with their limits, a hand, the decisions, what is paid."""
    law = rules.chapter
    game = PRESENTATION.of(law)
    steps = chosen(law.procedure, rules.options)
    lines, panels = payouts(rules)
    elsewhere = {area.id for area in law.about.areas}
    hand = _example(rules)
    return {
        "says": law.about.says,
        "wagers": [
            (wager.name, wager.says, limits_of(rules, wager.id), wager.clause)
            for wager in law.wagers.values()
            if wager.made == "before_deal" and rules.offers(wager.id)
        ],
        "hand": hand,
        "chip": chip_id(_first_chip(rules)),
        "hand_name": game.hand_name(rules, hand),
        "choices": [label for name, label in decisions(rules).items() if not name.endswith("cut")],
        "decisions": [
            (step.says, step.clause)
            for name, step in steps.items()
            if step.role == "player"
            and step.kind not in ("irregularity", "rule")
            and name not in _PLAIN
            and not name.endswith("_cut")
        ],
        "lights": game.lights(rules),
        "rules": [p.words for p in phrases(rules) if p.id not in elsewhere],
        "pays": [line.words for line in lines],
        # the first row of a table is its best; all of them stand on the felt
        "panels": [(panel.title, *panel.rows[0][:2]) for panel in panels],
    }


def _first_chip(rules: Rules) -> Chip:
    """The largest chip that the least wager of the game can be made of."""
    least = min((limit.min for limit in rules.limits.values() if limit.min), default=0)
    chips = useful_chips(rules)
    return next((chip for chip in reversed(chips) if chip.worth <= least), chips[0])


def _example(rules: Rules) -> tuple[Card, ...]:
    """A hand as it may be dealt, the same every time."""
    law = rules.chapter
    deck = deck_with_joker() if law.number("deck_cards") > len(standard_deck()) else standard_deck()
    return tuple(shuffled(deck, SeededSource(5))[: law.number("hand_cards")])
