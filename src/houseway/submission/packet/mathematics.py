"""The mathematical report: the PAR sheet of every wager offered, and the published holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from houseway.documents.charts import picture_svg
from houseway.drawing.layout.inscriptions import odds_text
from houseway.errors import Refused
from houseway.law import Chapter, Rules
from houseway.law.hand_names import hand_name, listed_hands, outcome_words
from houseway.maths.confidence import intervals
from houseway.maths.figures import decimal, exact, percent, root
from houseway.maths.game import MATHS
from houseway.maths.par import table_entries
from houseway.maths.reconcile import Finding, printed, reconcile
from houseway.maths.sheet import Entry, is_chosen
from houseway.maths.volatility import volatility
from houseway.money import cents, odds, spoken
from houseway.submission.packet.checklist import meter_name
from houseway.submission.packet.holds import column_text, columns_text, hold_of, name_of


def mathematics(rules: Rules) -> dict[str, Any]:
    """Every wager with its outcomes, true odds, payout odds, house advantage and strategy."""
    wagers = []
    entries: list[Entry] = []
    for wager, group in groupby(table_entries(rules), key=lambda one: one.wager):
        # what was chosen first, other readings of the text after it
        ours = sorted(group, key=lambda entry: not is_chosen(rules, entry))
        wagers.append(_wager(rules, wager, ours))
        entries += ours
    return {
        "summary": [_summary(rules, entry, entries) for entry in _first_of_each(entries)],
        "wagers": wagers,
        "published": published(rules.chapter, rules),
        "readings": [
            [", ".join(one.clauses), one.finds, one.reading] for one in rules.chapter.errata
        ],
    }


def _first_of_each(entries: Any) -> list[Entry]:
    """One line for each wager and paytable; what else the figures depend on is shown with the
    wager.
    """
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        found.setdefault((entry.wager, entry.paytable), entry)
    return list(found.values())


def _summary(rules: Rules, entry: Entry, entries: Sequence[Entry]) -> list[str]:
    hold = hold_of(rules, entry)
    assert hold is not None
    same = [e for e in entries if (e.wager, e.paytable) == (entry.wager, entry.paytable)]
    which = columns_text(rules.chapter, hold.open_columns) if _differ(rules, same) else ""
    spread = entry.shown_spread
    return [
        f"{hold.name}{f', {which}' if which else ''}", _paytable(entry), f"{hold.percent}%",
        root(spread.variance), percent(spread.hit_frequency, 3) + "%", entry.clause,
    ]  # fmt: skip


def _differ(rules: Rules, entries: Sequence[Entry]) -> bool:
    """Whether the difference between these entries matters."""
    return len({hold.edge for hold in (hold_of(rules, e) for e in entries) if hold}) > 1


def _wager(rules: Rules, wager: str, entries: list[Entry]) -> dict[str, Any]:
    first = entries[0]
    tables: dict[str, Entry] = {}
    for entry in entries:
        tables.setdefault(entry.paytable, entry)
    strategy = first.strategy
    # where a wager has several entries the figures are those of the first
    which = _paytable(first) if len(tables) > 1 else ""
    if not which and _differ(rules, entries):
        hold = hold_of(rules, first)
        which = columns_text(rules.chapter, hold.open_columns) if hold else ""
    return {
        "wager": wager,
        "name": name_of(rules, wager),
        "figures": [*([["For", which]] if which else []), *_figures(rules, first)],
        "tables": [_outcomes(rules, entry, several=len(tables) > 1) for entry in tables.values()],
        "volatility": _over_many_rounds(rules, first, which),
        "variations": _variations(rules, entries) if _differ(rules, entries) else None,
        "strategy": strategy.says if strategy else "",
        "alternatives": [
            [one.says, f"{decimal(Fraction(one.house_edge) * 100, 4)}%",
             f"+{decimal(Fraction(one.cost) * 100, 4)}%"]
            # two ways that come to the same, as where the dealer plays by the same hand, are one
            for one in {one.house_edge: one for one in reversed(strategy.alternatives)}.values()
        ][::-1] if strategy else [],
        "charts": _charts(rules) if strategy else "",
        "notes": list(first.notes),
    }  # fmt: skip


def _charts(rules: Rules) -> str:
    """The charts of the best play, where the game's strategy is more than a sentence."""
    picture = MATHS.of(rules.chapter).strategy(rules).picture
    return picture_svg(picture) if picture.charts is not None else ""


def _figures(rules: Rules, entry: Entry) -> list[list[str]]:
    hold = hold_of(rules, entry)
    assert hold is not None
    rows = [["House advantage", f"{percent(hold.edge, 6)}%"], ["exactly", _short(hold.edge)]]
    if hold.at:
        rows.append(["with the meters", "just reset"])
    spread = entry.shown_spread
    if entry.varies:
        if spread.staked != 1:
            rows.append(["Element of risk", f"{percent(spread.element_of_risk, 6)}%"])
        rows.append(["Hit frequency", f"{percent(spread.hit_frequency, 4)}%"])
        rows.append(["Standard deviation", _grouped(root(spread.variance))])
        told = volatility(spread, entry.outcomes, entry.deals)
        index = ", ".join(f"{_grouped(value)} at {level}" for level, value in told.index.items())
        rows.append(["Volatility index", index])
        shape = f"{_grouped(told.skewness)}; excess kurtosis {_grouped(told.excess_kurtosis)}"
        rows.append(["Skewness", shape])
        most = decimal(Fraction(told.maximum_payout), 2)
        rows.append(["Most that one unit wins", _grouped(most)])
    if entry.progressive is not None:
        out = entry.progressive.out()
        rows.append(["Fixed return", f"{out['fixed_return_percent']}%"])
        for name, meter in out["meters"].items():
            tier = meter_name(rules, name).partition(", ")[2]
            which = f"The {tier} meter" if tier else "The meter"
            often = true_odds(Fraction(meter.probability))
            rows.append([f"{which} pays", f"{often} against"])
            even = cents(meter.break_even_dollars)
            rows.append(["and breaks even at", spoken(even)])
        if "long_run" in out:
            run = out["long_run"]
            rows.append(["Long-run return", f"{run.long_run_return_percent}%, {run.says}"])
    return rows


def _short(number: Fraction) -> str:
    """A fraction if it is short enough to read, otherwise its approximate value."""
    text = exact(number)
    return text if len(text) <= 60 else f"a fraction of {len(text)} digits, in the packet's data"


#: above this number of deals, a probability is easier to read than a count
_COUNTABLE = 10**15


def _outcomes(rules: Rules, entry: Entry, *, several: bool) -> dict[str, Any]:
    rows = []
    paid = 0
    names = [one.outcome for one in entry.outcomes]
    hands = [part.strip() for one in entry.outcomes for part in (one.hand or "").split(",")]
    for one in entry.outcomes:
        if not one.envy:  # an award for another player's hand comes beside one's own
            paid += one.ways
        name = outcome_words(one.outcome, names)
        name = name[:1].upper() + name[1:]
        # of a meter: at what it shows just reset
        net = one.net if one.net is not None else one.shown
        back = None if net is None else Fraction(one.ways, entry.deals) * net
        rows.append(
            [f"{name}{f': {listed_hands(one.hand, hands, hand_name)}' if one.hand else ''}", _pays(one.pays),
             *_often(one.ways, entry.deals), "" if back is None else f"{percent(back, 4)}%",
             one.clause]
        )  # fmt: skip
    if paid < entry.deals:
        lost = entry.deals - paid
        back = -Fraction(lost, entry.deals)
        rows.append(["All other hands", "lost", *_often(lost, entry.deals),
                     f"{percent(back, 4)}%", ""])  # fmt: skip
    return {
        "title": _title(rules, entry, several=several),
        "often": "Combinations" if entry.deals < _COUNTABLE else "",
        "rows": rows,
    }


def _often(ways: int, deals: int) -> tuple[str, str, str]:
    """How often an outcome occurs: combinations, probability and true odds."""
    chance = Fraction(ways, deals)
    return f"{ways:,}" if deals < _COUNTABLE else "", f"{percent(chance, 6)}%", true_odds(chance)


def _title(rules: Rules, entry: Entry, *, several: bool) -> str:
    """What a table of outcomes shows, and of how many combinations where they can be printed."""
    which = _paytable(entry)
    parts = [name_of(rules, entry.wager), which if several else "", "every outcome"]
    if entry.deals < _COUNTABLE:
        parts.append(f"of {entry.deals:,} combinations")
    return ", ".join(filter(None, parts))


def _paytable(entry: Entry) -> str:
    """A paytable as it is called; the one for a number of players by that number."""
    players = entry.columns.get("players")
    if str(players) == entry.paytable:
        return f"{players} player{'s' if players != 1 else ''}"
    if str(entry.columns.get("decks")) == entry.paytable:
        return f"{entry.paytable} decks"
    if entry.paytable in _PLAIN:
        return _PLAIN[entry.paytable]
    if entry.paytable.islower():
        return f"the table of {entry.clause}"
    return f"Paytable {entry.paytable}"


#: tables that the chapter gives no letter or number
_PLAIN = {"standard": "", "minimum": "the least allowed", "own": "the house’s own", "any": ""}


def _over_many_rounds(rules: Rules, entry: Entry, which: str) -> dict[str, Any] | None:
    """What the house keeps over many rounds: the interval in which it lies in 95 of 100 cases."""
    if entry.spread is None:
        return None
    rows = [
        [f"{one.rounds:,}", f"{_rounded(one.hold_low_percent)} to {_rounded(one.hold_high_percent)}",
         _chance(Fraction(one.house_behind))]
        for one in intervals(entry.spread)
        if one.confidence == "95%"
    ]  # fmt: skip
    head = ["Rounds", "Share of the initial wagers kept", "Chance that the players are ahead"]
    wager = ", ".join(filter(None, (name_of(rules, entry.wager), which)))
    title = f"{wager}: what the house keeps over many rounds, in 95 of 100 cases"
    return {"title": title, "head": head, "rows": rows} if rows else None


def _chance(chance: Fraction) -> str:
    """A probability in percent; one that would round to zero is shown as small."""
    return "under 0.01%" if chance < Fraction(1, 20_000) else f"{percent(chance, 2)}%"


def _grouped(number: str) -> str:
    """A decimal number with its thousands grouped."""
    whole, point, rest = number.partition(".")
    return re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", whole) + point + rest


def _rounded(percentage: str) -> str:
    return f"{decimal(Fraction(percentage), 2)}%"


def _pays(text: str) -> str:
    """A payout as posted; the outcome of several wagers in words."""
    try:
        return odds_text(odds(text))
    except Refused:
        # each wager stays on one line with its odds
        parts = text.replace("_", " ").split(", ")
        return ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)


def true_odds(chance: Fraction) -> str:
    """The odds against, as "x to 1"."""
    if chance == 0:
        return "never"
    against = (1 - chance) / chance
    whole = against.denominator == 1
    return f"{against.numerator:,} to 1" if whole else f"{float(against):,.2f} to 1"


def _variations(rules: Rules, entries: list[Entry]) -> dict[str, Any]:
    """The hold by what else it depends on: by the players along a row where they matter."""
    holds = [hold for hold in (hold_of(rules, entry) for entry in entries) if hold is not None]
    by_row: dict[tuple[str, ...], dict[str, str]] = {}
    across: dict[str, None] = {}
    down: dict[str, None] = {}
    for hold in holds:
        players = str(hold.columns.get("players", ""))
        rest = {key: value for key, value in hold.columns.items() if key != "players"}
        across[players] = None
        down |= dict.fromkeys(rest)
        told = tuple(_cell(rules.chapter, name, value) for name, value in rest.items())
        by_row.setdefault(told, {})[players] = f"{percent(hold.edge, 3)}%"
    names = [_heading(key) for key in down]
    if list(across) == [""]:
        head = [*names, "House advantage"]
    else:
        head = [*names, *(f"{n} player{'s' if n != '1' else ''}" for n in across)]
    rows = [[*key, *(cells.get(n, "") for n in across)] for key, cells in by_row.items()]
    by = [name[:1].lower() + name[1:] for name in names]
    by += ["number of players"] if list(across) != [""] else []
    return {"head": head, "rows": rows, "left": len(names), "by": " and ".join(by)}


def _cell(law: Chapter, column: str, value: Any) -> str:
    return column_text(law, column, value).removeprefix("at ").removesuffix(" decks")


def _heading(column: str) -> str:
    return _HEADINGS.get(column) or column.replace("_", " ").capitalize()


_HEADINGS = {"dealer_soft_22": "A dealer’s soft 22"}


def published(law: Chapter, rules: Rules) -> list[dict[str, Any]]:
    """Each hold that the agency published beside the exact ones over all its printed paytables."""
    return [_published(rules, found) for found in reconcile(law)]


def _published(rules: Rules, found: Finding) -> dict[str, Any]:
    hold = found.hold
    said = hold.low if hold.low == hold.high else f"{hold.low} to {hold.high}"
    low, high = f"{printed(found.low, hold.low)}%", f"{printed(found.high, hold.high)}%"
    smallest = found.explanations[0] if found.explanations else ()
    return {
        "wager": name_of(rules, hold.wager),
        "where": hold.where,
        "published": said,
        "exact": low if low == high else f"{low} to {high}",
        "agrees": found.agrees,
        "explained": "; ".join(map(str, smallest)).replace("_", " "),
        "searched": found.searched,
    }
