"""What a player may put down and decide now: areas, wagers with their limits, choices as commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import msgspec

from houseway.cards import Card
from houseway.drawing.pieces.chips import CHIPS, Chip
from houseway.floor.live_table import Live
from houseway.law import Rules
from houseway.law.procedure import chosen
from houseway.money import Cents, dollars, spoken
from houseway.present import PRESENTATION
from houseway.table import NextStep, legal, next_steps, rules_of
from houseway.table.commands import COMMANDS
from houseway.table.procedure.deciding import hand_asked
from houseway.table.state import key, wager_of


def open_areas(live: Live, seat: int) -> tuple[str, ...]:
    """The areas where a seat may wager now."""
    if not legal(live.state, "player", seat, of=("place_wager",)):
        return ()
    rules = rules_of(live.state)
    mine = {wager_of(name)[0] for name in live.state.boxes[seat - 1].wagers}
    return tuple(
        wager.id
        for wager in rules.chapter.wagers.values()
        if wager.made == "before_deal"
        and rules.offers(wager.id)
        and (not wager.needs or any(other in mine for other in wager.needs))
    )


def useful_chips(rules: Rules) -> list[Chip]:
    """Chips that a wager at this table can be made of, the smallest first."""
    most = max((limit.max for limit in rules.limits.values() if limit.max), default=CHIPS[0].worth)
    return [chip for chip in reversed(CHIPS) if rules.chip_unit <= chip.worth <= most]


def wagers(live: Live, seat: int, opens: tuple[str, ...]) -> list[dict[str, Any]]:
    """Each wager that may be made or stands, with its limits and how it may change."""
    rules, box = rules_of(live.state), live.state.boxes[seat - 1]
    back = bool(legal(live.state, "player", seat, of=("take_back_wager",)))
    found = []
    hands = tuple(PRESENTATION.of(rules.chapter).common_hands(rules, {})) or (0,)
    for hand, wager in ((hand, wager) for hand in hands for wager in rules.chapter.wagers.values()):
        amount = sum(
            held
            for name, held in box.wagers.items()
            if wager_of(name)[0] == wager.id and hand in (0, wager_of(name)[1])
        )
        if not amount and (wager.made != "before_deal" or not rules.offers(wager.id)):
            continue
        found.append(
            {
                **rules.remembering(_about_wager)(wager.id),
                "id": key(wager.id, hand),
                "hand": hand,
                "amount": amount,
                "open": wager.id in opens,
                "back": back and key(wager.id, hand) in box.layout,
            }
        )
    return found


def _about_wager(rules: Rules, id: str) -> Mapping[str, Any]:
    """What the rules say of a wager: its name and clause, its limits, its only stakes."""
    wager, limit = rules.chapter.wagers[id], rules.limits.get(id)
    return {
        "name": wager.name,
        "clause": wager.clause,
        "says": wager.says,
        "least": dollars(limit.min) if limit and limit.min else "",
        "most": dollars(limit.max) if limit and limit.max else "",
        "limits": limits_of(rules, id),
        "stakes": tuple(map(dollars, rules.stakes(id))),
    }


def limits_of(rules: Rules, wager: str) -> str:
    """The least and the most that may be wagered, in words."""
    limit = rules.limits.get(wager)
    least, most = (limit.min, limit.max) if limit else (None, None)
    if least and most:
        return f"{spoken(least)} to {spoken(most)}"
    return f"from {spoken(least)}" if least else f"up to {spoken(most)}" if most else ""


#: decisions of every game that are made with a button, after the game's own
_LABELS = {"cut": "Cut the cards", "decline_cut": "No cut"}

#: keys that do something else at the table; no decision has one of them
BET_KEYS = {
    "1 to 9": "choose a chip", "u": "undo the last chip", "c": "clear my bets", "x": "double my bets",
    "r": "repeat my last bets", "g": "deal", "a": "repeat my last bets and deal",
}  # fmt: skip
#: a hand that is laid in two
SET_KEYS = {"s": "set the hands as they lie", "w": "let the house set them"}
PAGE_KEYS = {
    "v": "switch between my seat and the whole table", "b": "fold the panel away, or open it",
    "m": "sound on or off", "space": "skip animations", "?": "show these keys",
}  # fmt: skip


@cache
def decision_keys(names: tuple[str, ...]) -> dict[str, str]:
    """A key for each decision: the first letter that is free, from the beginning of its name."""
    taken = {key for key in (*BET_KEYS, *PAGE_KEYS) if len(key) == 1}
    found: dict[str, str] = {}
    for name in names:
        letters = [*name.replace("_", ""), *"abcdefghijklmnopqrstuvwxyz"]
        key = next(letter for letter in letters if letter not in taken)
        taken.add(key)
        found[name] = key
    return found


def decisions(rules: Rules) -> Mapping[str, str]:
    """Every decision that the rules of a table know, in the order of its buttons."""
    return rules.remembering(_decisions)()


def _decisions(rules: Rules) -> Mapping[str, str]:
    known = chosen(rules.chapter.procedure, rules.options)
    own = PRESENTATION.of(rules.chapter).decisions
    return {**{name: label for name, label in own.items() if name in known}, **_LABELS}


def slots(rules: Rules) -> Mapping[str, int]:
    """The place on the rail of each decision of a game: one of at most four, always the same."""
    return rules.remembering(_slots)()


def _slots(rules: Rules) -> Mapping[str, int]:
    own = [name for name in decisions(rules) if name not in _LABELS]
    most = min(4, max(2, len(own)))
    return {name: at % most + 1 for names in (own, _LABELS) for at, name in enumerate(names)}


def key_list(rules: Rules) -> list[tuple[str, str]]:
    """Every key of the table page, and what it does."""
    named = decisions(rules)
    keys = decision_keys(tuple(named))
    sets = SET_KEYS if PRESENTATION.of(rules.chapter).arrangement else {}
    return [
        *sets.items(),
        *((key, named[name]) for name, key in keys.items()),
        *BET_KEYS.items(),
        *PAGE_KEYS.items(),
    ]


def again_bets(live: Live, seat: int) -> dict[str, Cents]:
    """The wagers of a seat's last round that are made before the deal."""
    law = rules_of(live.state).chapter
    return {
        name: amount
        for name, amount in live.last_bets.get(seat, {}).items()
        if (known := law.wagers.get(wager_of(name)[0])) is not None and known.made == "before_deal"
    }


def arrangement(
    live: Live, seat: int, held: Sequence[Card | None], steps: Sequence[NextStep]
) -> dict[str, Any] | None:
    """The decision that lays a seat's hand in two, if it is open: its prompt, parts and names.

    The names are those of both parts, for each choice of cards in the second.
    """
    table, rules = live.state, rules_of(live.state)
    game = PRESENTATION.of(rules.chapter)
    way, cards = game.arrangement, [one for one in held if one is not None]
    if way is None or not legal(table, "player", seat, of=(way.command,)):
        return None
    (_, _, first), (_, _, second) = way.parts
    if len(cards) != first + second:
        return None
    names = {}
    for chosen_cards in combinations(cards, second):
        others = [one for one in cards if one not in chosen_cards]
        parts = game.hand_name(rules, others), game.hand_name(rules, chosen_cards)
        names[" ".join(sorted(map(str, chosen_cards)))] = parts
    return {
        "command": way.command,
        "best": {"command": way.command, "seat": seat, **{field: [] for _, field, _ in way.parts}},
        "says": next((step.says for step in steps if step.command == way.command), ""),
        "cards": tuple(map(str, cards)),
        "parts": [
            {"label": label, "field": field, "size": size, "cards": laid}
            for (label, field, size), laid in zip(
                way.parts, (cards[:first], cards[first:]), strict=True
            )
        ],
        "names": names,
    }


def choices(live: Live, seat: int) -> list[dict[str, Any]]:
    """The decisions open to a seat, each as the command that makes it."""
    table = live.state
    box, rules = table.boxes[seat - 1], rules_of(table)
    open_ = legal(table, "player", seat)
    says = {step.command: step for step in next_steps(table) if step.seat in (0, seat)}
    found = []
    game, hand = PRESENTATION.of(rules.chapter), hand_asked(table, seat)
    named = decisions(rules)
    keys = decision_keys(tuple(named))
    places = slots(rules)
    for name, label in named.items():
        if name not in open_:
            continue
        fields: dict[str, Any] = {"command": name, "seat": seat}
        if hand:
            label = f"{label} hand {hand}"
        cost = game.cost(rules, box, name, hand)
        if "amount" in COMMANDS[name].__struct_fields__:
            fields["amount"] = dollars(cost)
        if name == "cut":
            fields["depth"] = len(table.piles["shoe"]) // 2
        if cost:
            label = f"{label} ${dollars(cost)}" if not hand else f"{label} for ${dollars(cost)}"
        step = says.get(name)
        found.append(
            {
                "command": msgspec.json.encode(fields).decode(),
                "name": name,
                "slot": places[name],
                "key": keys[name],
                "label": label,
                "says": step.says if step else "",
                "clause": step.clause if step else "",
                "short": cost > live.racks.get(seat, 0),
            }
        )
    return _spread(found, rules)


def _spread(found: list[dict[str, Any]], rules: Rules) -> list[dict[str, Any]]:
    """Two decisions that have no place of their own among the four take two each."""
    names, most = list(decisions(rules)), max(slots(rules).values())
    others = all(names.index(one["name"]) >= most for one in found)
    for at, one in enumerate(found):
        wide = len(found) == 2 and most == 4 and others
        one["slot"] = 2 * at + 1 if wide else one["slot"]
        one["places"] = (one["slot"], one["slot"] + 1) if wide else (one["slot"],)
    return found
