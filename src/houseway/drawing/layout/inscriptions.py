"""What the felt and the signs say: the chapter's own phrases, and the operator's payout odds.

Every number comes from the paytables in force. A wager that simply wins is said in a line ("Ante
and Play pay 1 to 1"); the rest is a small table for each wager.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from houseway.law import (
    DOWN_UNDER,
    MD,
    PRIME,
    SAIGON,
    Paytable,
    Rules,
    cites,
    names_of,
)
from houseway.law.hand_names import HAND_NAMES, hand_name
from houseway.law.required import in_force
from houseway.money import Odds, spoken
from houseway.present.game import PRESENTATION


@dataclass(frozen=True, slots=True)
class Panel:
    """A small table of payouts: a title, headings where it has several columns, rows."""

    wager: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: of its tables
    clauses: tuple[str, ...]


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


def tables_in_force(rules: Rules) -> dict[str, tuple[Paytable, ...]]:
    """The paytables that pay under these rules, by wager, in the order of the text."""
    found: dict[str, list[Paytable]] = {}
    law, game = rules.chapter, PRESENTATION.of(rules.chapter)
    for data in law.paytable_data:
        wager = data.wager
        bonus = law.bonuses.get(wager)
        option = law.options.get(wager)
        chosen = rules.options.get(wager)
        if wager in game.unposted or not rules.offers(bonus.beside if bonus else wager):
            continue
        if option and chosen in ("none", False):
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
    law, game, tables = rules.chapter, PRESENTATION.of(rules.chapter), tables_in_force(rules)
    # what depends on the hands of others is a column beside the wager that it belongs to
    envies = {bonus.beside: bonus.id for bonus in law.about.bonuses if bonus.all_hands}
    even: dict[str, list[str]] = {}
    extra: dict[str, str] = {}
    panels: list[Panel] = []
    for wager, several in tables.items():
        if wager in envies.values():
            continue
        first = several[0]
        hands = [hand for hand in first.pays if hand not in said]
        if len(several) == 1 and "win" in first.pays:
            if wager not in said:
                pays = odds_text(first["win"].odds)
                even.setdefault(pays, []).append(law.line_name(wager))
                for hand in hands:
                    if hand != "win":
                        extra[pays] = f"; {hand_name(hand)} pays {odds_text(first[hand].odds)}"
            continue
        envy = tables.get(envies[wager], ()) if wager in envies else game.awards(rules, wager)
        panels.append(_panel(rules, wager, several, envy))
    lines = tuple(
        Phrase(f"pays-{at}", f"{_listed(names)} {'pay' if len(names) > 1 else 'pays'} {pays}"
               f"{extra.get(pays, '')}", _payouts_clause(rules))
        for at, (pays, names) in enumerate(even.items(), 1)
    )  # fmt: skip
    return lines, tuple(panels)


def _payouts_clause(rules: Rules) -> str:
    return next((i.clause for i in rules.chapter.about.inscriptions if i.id == "payouts"), "")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _panel(
    rules: Rules, wager: str, tables: tuple[Paytable, ...], envy: tuple[Paytable, ...]
) -> Panel:
    title, game = rules.chapter.line_name(wager), PRESENTATION.of(rules.chapter)
    if tables[0].id.isdigit() and len(tables) > 1:
        return _by_players(wager, title, tables)
    cases = [table for table in tables if (wager, table.id) in game.cases]
    columns = [table for table in tables if table not in cases]
    hands = list(dict.fromkeys(hand for table in columns for hand in table.pays))
    head: tuple[str, ...] = ()
    if len(columns) > 1:
        columns.sort(key=lambda table: (wager, table.id) not in game.columns)
        others = game.columns.get((wager, "*"), "")
        head = ("", *(game.columns.get((wager, t.id), others or t.id) for t in columns))
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
        (game.cases[wager, table.id], odds_text(pay.odds))
        for table in cases
        for pay in table.pays.values()
    ]
    clauses = dict.fromkeys(table.clause for table in (*tables, *envy))
    return Panel(wager, title, head, tuple(rows), tuple(clauses))


def _worth(paid: Odds) -> tuple[int, Fraction]:
    """The order of a posted table: meters, dollars, then odds, the highest first."""
    return ("meter", "dollars", "for", "to").index(paid.kind), -paid.value


def _by_players(wager: str, title: str, tables: tuple[Paytable, ...]) -> Panel:
    """A matrix by the number of players: a row for each, a column for each hand."""
    hands = list(tables[0].pays)
    return Panel(
        wager,
        title,
        ("Players", *(hand_name(hand, hands) for hand in hands)),
        tuple((table.id, *(odds_text(table[hand].odds) for hand in hands)) for table in tables),
        (tables[0].clause,),
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
            if hands := spared_by_limit(rules):
                first = HAND_NAMES[min(hands, key=len)]
                words += f", except a {first.lower()}"
        elif inscription.id == "qualifies" and not words.startswith("Dealer"):
            words = f"Dealer Plays with {words}"
        if words:
            found.append(Phrase(inscription.id, words, inscription.clause))
    return tuple(found)


def limits_text(rules: Rules) -> tuple[tuple[str, str, str], ...]:
    """The posted limits: wager, minimum, maximum.

    Beside them, the amounts of a progressive wager that the chapter names.
    """
    found = []
    for wager in rules.chapter.wagers if rules.limits else ():
        limit, stakes = rules.limits.get(wager), rules.stakes(wager)
        if not rules.offers(wager) or not (limit or stakes):
            continue
        low, high = (limit.min, limit.max) if limit else (None, None)
        allowed = [one for one in stakes if (low or one) <= one <= (high or one)]
        ends = (min(allowed), max(allowed)) if allowed else (low, high)
        least, most = (spoken(end) if end is not None else "" for end in ends)
        found.append((rules.chapter.line_name(wager), least, most))
    return tuple(found)


def spared_by_limit(rules: Rules) -> dict[str, str]:
    """The hands that a payout limit does not cover, of those that are paid here, with their names."""
    fact = rules.chapter.about.facts.get("payout_limit_spares")
    spared = fact.value if fact is not None and isinstance(fact.value, tuple) else ()
    return {
        hand: hand_name(hand, table.pays)
        for wager, tables in tables_in_force(rules).items()
        if wager in rules.chapter.options
        for table in tables
        for hand in table.pays
        if hand in spared
    }
