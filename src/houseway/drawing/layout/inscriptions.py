"""What the felt and the signs say: the chapter's own phrases, and the operator's payout odds.

Every number comes from the paytables in force. A wager that simply wins is said in a line ("Ante
and Play pay 1 to 1"); the rest is a small table for each wager.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from houseway.law import (
    DOWN_UNDER,
    MD,
    PRIME,
    SAIGON,
    Chapter,
    Pay,
    Paytable,
    Rules,
    cites,
    names_of,
)
from houseway.money import Odds, odds, spoken

#: the hands and results of the paytables, as a player calls them
HAND_NAMES = {
    "super_royal": "Super royal",
    "super_royal_diamonds": "Super royal, diamonds",
    "six_card_royal": "Six-card royal",
    "six_card_royal_diamonds": "Six-card royal, diamonds",
    "royal_flush": "Royal flush",
    "royal_flush_joker": "Royal flush, joker",
    "five_aces": "Five aces",
    "straight_flush": "Straight flush",
    "four_of_a_kind": "Four of a kind",
    "full_house": "Full house",
    "flush": "Flush",
    "straight": "Straight",
    "three_of_a_kind": "Three of a kind",
    "two_pair": "Two pair",
    "pair": "Pair",
    "high_card": "High card",
    "mini_royal": "A-K-Q suited",
    "mini_royal_spades": "A-K-Q of spades",
    "same_color": "Your three one color",
    "same_color_both": "All six one color",
    "suited_match": "Suited match",
    "unsuited_match": "Unsuited match",
    "blackjack": "Blackjack",
    "point_count_5": "point count of 5",
    "win": "Win",
}
#: payouts that come without a stake of their own, by the name players know
_OTHER_NAMES = {"ante_bonus": "Ante Bonus", "bad_beat": "Bad Beat Bonus", "envy": "Envy Bonus"}
#: a hand that another of the same table sets apart: "the other suits"
_APART = {
    "super_royal": ("super_royal_diamonds", "Super royal, other suits"),
    "six_card_royal": ("six_card_royal_diamonds", "Six-card royal, other suits"),
    "mini_royal": ("mini_royal_spades", "A-K-Q of other suits"),
    "royal_flush": ("royal_flush_joker", "Royal flush, no joker"),
}
#: column headings where one wager has several tables in force
_COLUMNS = {("pair_bonus", "not_2"): "4th card not a 2", ("pair_bonus", "*"): "4th card a 2"}
#: a whole table that is one case of its wager
_CASES = {("play", "not_qualified"): "Dealer does not qualify"}
#: payouts that belong to a coupon or a procedure and are not posted as odds
_UNPOSTED = frozenset({"coupon", "even_money"})


@dataclass(frozen=True, slots=True)
class Panel:
    """A small table of payouts: a title, headings where it has several columns, rows."""

    wager: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand on the felt, with the clause that asks for them."""

    id: str
    words: str
    clause: str


def odds_text(paid: Odds) -> str:
    """Odds as they are posted: "1,000 to 1", "$100,000", "100% of meter"."""
    if paid.kind == "dollars":
        return spoken(int(paid.value))
    first, _, rest = paid.text.partition(" ")
    return f"{int(first):,} {rest}" if first.isdigit() else paid.text


def hand_name(hand: str, beside: Iterable[str] = ()) -> str:
    """The name of a hand in a table that also pays these others."""
    apart = _APART.get(hand)
    if apart and apart[0] in beside:
        return apart[1]
    return HAND_NAMES.get(hand, hand.replace("_", " ").capitalize())


def wager_name(law: Chapter, wager: str) -> str:
    found = law.wagers.get(wager)
    return found.name if found else _OTHER_NAMES.get(wager, wager.replace("_", " ").title())


def in_force(rules: Rules, when: str) -> bool:
    """Whether what a chapter asks for under an option is asked for under these rules."""
    return not when or rules[when] not in ("none", False)


def tables_in_force(rules: Rules) -> dict[str, tuple[Paytable, ...]]:
    """The paytables that pay under these rules, by wager, in the order of the text."""
    found: dict[str, list[Paytable]] = {}
    for data in rules.chapter.paytable_data:
        wager = data.wager
        offered = rules.offers(wager) if wager in rules.chapter.wagers else True
        if wager == "envy":
            offered = rules.offers("progressive")
        option = rules.chapter.options.get(wager)
        chosen = rules.options.get(wager)
        if not offered or wager in _UNPOSTED or (option and chosen in ("none", False)):
            continue
        if data.decks is not None and data.decks != rules["decks"]:
            continue
        choices = {choice.value for choice in option.choices} if option else set()
        if data.id in choices and data.id != chosen:
            continue
        table = rules.own_tables.get(wager) or rules.chapter.paytables[wager, data.id]
        kept = found.setdefault(wager, [])
        if table not in kept:
            kept.append(table)
    for wager, table in rules.own_tables.items():
        found.setdefault(wager, [table])
    return {wager: tuple(tables) for wager, tables in found.items()}


@cites(MD, "2.B(5)")
@cites(PRIME, "679a.2(b)(4)")
@cites(SAIGON, "680a.2(b)(5)")
@cites(DOWN_UNDER, "685a.2(b)(6)")
def payouts(rules: Rules) -> tuple[tuple[Phrase, ...], tuple[Panel, ...]]:
    """Every payout in force: lines for what simply wins, a panel for each other wager."""
    said = {inscription.id for inscription in rules.chapter.about.inscriptions}
    tables = tables_in_force(rules)
    even: dict[str, list[str]] = {}
    extra: dict[str, str] = {}
    panels: list[Panel] = []
    for wager, several in tables.items():
        if wager == "envy":
            continue
        first = several[0]
        hands = [hand for hand in first.pays if hand not in said]
        if len(several) == 1 and "win" in first.pays:
            if wager not in said:
                pays = odds_text(first["win"].odds)
                even.setdefault(pays, []).append(wager_name(rules.chapter, wager))
                for hand in hands:
                    if hand != "win":
                        extra[pays] = f"; {hand_name(hand)} pays {odds_text(first[hand].odds)}"
            continue
        envy = tables.get("envy", ()) if wager == "progressive" else ()
        if wager == "five_card_progressive":
            envy = _five_card_envy(rules)
        panels.append(_panel(rules, wager, several, envy))
    lines = tuple(
        Phrase(f"pays-{at}", f"{_listed(names)} {'pay' if len(names) > 1 else 'pays'} {pays}"
               f"{extra.get(pays, '')}", _payouts_clause(rules))
        for at, (pays, names) in enumerate(even.items(), 1)
    )  # fmt: skip
    return lines, tuple(panels)


def _five_card_envy(rules: Rules) -> tuple[Paytable, ...]:
    """The awards that the Rules Submission names, a column for each stake."""
    awards = rules.options.get("five_card_envy")
    if not isinstance(awards, dict):
        return ()
    clause = rules.chapter.options["five_card_envy"].clause
    stakes = dict.fromkeys(stake for by_stake in awards.values() for stake in by_stake)
    return tuple(
        Paytable(
            "envy",
            stake,
            clause,
            {hand: Pay(odds(by[stake]), clause) for hand, by in awards.items() if stake in by},
        )
        for stake in stakes
    )


def _payouts_clause(rules: Rules) -> str:
    return next((i.clause for i in rules.chapter.about.inscriptions if i.id == "payouts"), "")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _panel(
    rules: Rules, wager: str, tables: tuple[Paytable, ...], envy: tuple[Paytable, ...]
) -> Panel:
    title = wager_name(rules.chapter, wager)
    clause = tables[-1].clause
    if tables[0].id.isdigit() and len(tables) > 1:
        return _by_players(wager, title, tables)
    cases = [table for table in tables if (wager, table.id) in _CASES]
    columns = [table for table in tables if table not in cases]
    hands = list(dict.fromkeys(hand for table in columns for hand in table.pays))
    head: tuple[str, ...] = ()
    if len(columns) > 1:
        columns.sort(key=lambda table: (wager, table.id) not in _COLUMNS)
        head = (
            "",
            *(_COLUMNS.get((wager, t.id), _COLUMNS.get((wager, "*"), t.id)) for t in columns),
        )
    if envy:
        columns = [*columns, *envy]
        stakes = [
            f"Envy, ${t.id.removesuffix('.00')}" if t.id[0].isdigit() else "Envy" for t in envy
        ]
        head = ("", "Pays", *stakes)
    # the highest first; of two that pay alike, the rarer
    hands.sort(
        key=lambda hand: (
            _worth(next(t[hand].odds for t in columns if t.get(hand))),
            -len(names_of(hand)),
        )
    )
    rows = [
        (
            hand_name(hand, hands),
            *(odds_text(table[hand].odds) if table.get(hand) else "" for table in columns),
        )
        for hand in hands
    ]
    rows += [
        (_CASES[wager, table.id], odds_text(pay.odds))
        for table in cases
        for pay in table.pays.values()
    ]
    return Panel(wager, title, head, tuple(rows), clause)


def _worth(paid: Odds) -> tuple[int, Fraction]:
    """The order of a posted table: meters, dollars, then odds, the highest first."""
    return ("meter", "dollars", "for", "to").index(paid.kind), -paid.value


def _by_players(wager: str, title: str, tables: tuple[Paytable, ...]) -> Panel:
    """A matrix by the number of players: a row for each, a column for each hand."""
    hands = list(tables[0].pays)
    return Panel(
        wager,
        title,
        ("Hands dealt", *(hand_name(hand, hands) for hand in hands)),
        tuple((table.id, *(odds_text(table[hand].odds) for hand in hands)) for table in tables),
        tables[0].clause,
    )


@cites(MD, "2.B(5)")
@cites(PRIME, "679a.2(b)(4)", "679a.2(b)(5)")
@cites(SAIGON, "680a.2(b)(6)")
@cites(DOWN_UNDER, "685a.2(b)(4)", "685a.2(b)(4)(i)", "685a.2(b)(4)(ii)", "685a.2(b)(4)(iii)")
@cites(DOWN_UNDER, "685a.2(b)(4)(iv)")
def phrases(rules: Rules) -> tuple[Phrase, ...]:
    """The phrases the chapter prescribes, and its payout limit, as they stand on the felt."""
    found = []
    for inscription in rules.chapter.about.inscriptions:
        if not in_force(rules, inscription.when):
            continue
        words = inscription.words
        if inscription.id == "payout_limit":
            limit = spoken(int(rules["payout_limit"]))
            words = f"Payout limit {limit} for each player in a round"
        elif inscription.id == "qualifies" and not words.startswith("Dealer"):
            words = f"Dealer Plays with {words}"
        if words:
            found.append(Phrase(inscription.id, words, inscription.clause))
    return tuple(found)


def limits_text(rules: Rules) -> tuple[tuple[str, str, str], ...]:
    """The posted limits: wager, minimum, maximum."""
    return tuple(
        (
            wager_name(rules.chapter, wager),
            spoken(limit.min) if limit.min is not None else "",
            spoken(limit.max) if limit.max is not None else "",
        )
        for wager, limit in rules.limits.items()
        if rules.offers(wager)
    )
