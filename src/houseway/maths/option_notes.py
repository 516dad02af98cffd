"""Options that are no column of a PAR sheet: how each enters the figures, or why it does not."""

from __future__ import annotations

from houseway.law import Chapter
from houseway.maths.game import MATHS

#: what holds in every game that has the option
_SHARED = {
    "dealing": "Changes no figure: every order of the cards is equally likely however they are dealt.",
    "shuffler": "Changes no figure: every order of the cards is equally likely.",
    "decks_in_play": "Changes no figure: one deck or batch is in play in each round.",
    "dealer_stack": "Changes no figure: the dealer's cards are the same cards wherever they wait.",
    "adjacent_boxes": "Changes the figures of no wager. Two boxes of one player meet the same dealer: "
    "their results are correlated.",
    "chip_unit": "Changes no figure: every payout is made exactly.",
    "settlement": "Changes no figure: the order of settlement matters only where a meter or a payout "
    "limit is reached by two wagers of one round.",
    "stacks_of_four": "Changes no figure: every order of the cards is equally likely.",
    "payout_limit": "The rows of each wager are cut at the limit, at the stake shown, as if it were made "
    "alone; Together has all wagers of a seat, which the limit counts in the order of settlement.",
}


def option_notes(law: Chapter) -> dict[str, str]:
    """A sentence for each option of a chapter that chooses no paytable and is no column."""
    own = MATHS.of(law).option_notes(law)
    found = {}
    for name in law.options:
        says = own.get(name) or _SHARED.get(name)
        if says is not None:
            found[name] = says
    return found
