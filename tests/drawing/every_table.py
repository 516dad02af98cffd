"""Every combination of the options that change a layout, for every chapter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from houseway.errors import Refused
from houseway.law import Rules, chapter, choose

#: options that change nothing on the felt: who may bet where, in what order is settled
UNSEEN = frozenset(
    {
        "adjacent_boxes", "chip_unit", "decks_in_play", "dealer_stack", "settlement",
        "several_meter_hits", "folded_hands_win_progressive", "match_play", "dealer_soft_22",
        "mid_shoe_entry", "stacks_of_four", "five_card_envy", "version",
    }
)  # fmt: skip

#: a table of the house's own that is as long as any
OWN_PAIR_PLUS = {
    "mini_royal": "200 to 1", "straight_flush": "40 to 1", "three_of_a_kind": "30 to 1",
    "straight": "6 to 1", "flush": "4 to 1", "pair": "1 to 1",
}  # fmt: skip


def values(chapter_id: str, option: str) -> list[Any]:
    """What an option may be; an amount where it takes one."""
    found = chapter(chapter_id).options[option]
    listed: list[Any] = [choice.value for choice in found.choices]
    if found.accepts == "amount":
        listed.append("250000.00")
    return listed


#: options that only change what stands on the dealer's strip
DEVICES = ("dealing", "shuffler")


def every_choice(chapter_id: str) -> Iterator[dict[str, Any]]:
    """Every combination of the options that can be seen on the felt."""
    unseen = UNSEEN.union(DEVICES)
    seen = [option for option in chapter(chapter_id).options if option not in unseen]
    for chosen in product(*(values(chapter_id, option) for option in seen)):
        yield dict(zip(seen, chosen, strict=True))


def every_table(chapter_id: str) -> Iterator[Rules]:
    """Rules for every combination that the chapter allows.

    What is not seen on the felt is chosen as the rest needs it; devices are multiplied in by
    `every_device`.
    """
    law = chapter(chapter_id)
    for options in every_choice(chapter_id):
        for option, value in list(options.items()):
            for choice in law.options[option].choices:
                if choice.value == value:
                    for other, allowed in choice.needs.items():
                        options.setdefault(other, allowed[0])
        try:
            yield choose(chapter_id, options)
        except Refused:
            continue


def every_device(chapter_id: str) -> Iterator[Rules]:
    """Rules for every way to shuffle and deal, on the plainest and on the fullest table."""
    for chosen in product(*(values(chapter_id, option) for option in DEVICES)):
        options = dict(zip(DEVICES, chosen, strict=True))
        try:
            yield choose(chapter_id, options)
            yield fullest(chapter_id, **options)
        except Refused:
            continue


def fullest(chapter_id: str, **more: Any) -> Rules:
    """Everything offered, with limits posted."""
    options = {
        "md-three-card-poker": {
            "six_card_bonus": "A", "progressive": "A", "five_card_progressive": "C",
        },
        "ma-three-card-poker": {
            "six_card_bonus": "TCP-6B1", "cover_all": True, "shuffler": "counting",
            "progressive": "1",
        },
        "pa-three-card-prime": {
            "prime": True, "pair_bonus": "A", "all_six": "E", "payout_limit": "250000.00",
        },
        "pa-saigon-5-card": {"bonus": "A", "payout_limit": "250000.00"},
        "pa-down-under-blackjack": {"match_the_dealer": True},
    }[chapter_id]  # fmt: skip
    first = "bet" if "down-under" in chapter_id else "ante"
    limits = {first: {"min": "5.00", "max": "500.00"}}
    return choose(chapter_id, {**options, **more}, limits=limits)
