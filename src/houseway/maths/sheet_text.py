"""The figures of a PAR sheet in words: one wording for the terminal, PDF, web page and workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from houseway.law.hand_names import HAND_NAMES, hand_words, listed_hands, outcome_words
from houseway.maths.confidence import LEVELS
from houseway.maths.figures import chance_text, decimal, percent
from houseway.maths.sheet import (
    AtMetersOut,
    MeterOut,
    OutcomeOut,
    PlayedOut,
    StakesOut,
    TogetherOut,
    WagerOut,
)
from houseway.money import cents, spoken

STAKES_HEAD = ("Played", "Loss per round", "Share of all wagers", "Std. dev.")
HOLD_HEAD = ("Rounds", *(f"Hold %, {level}%" for level in LEVELS), "House behind")
#: a longer count of combinations is in the data alone
MOST_DIGITS = 15
HIT_RATE = (
    "The hit rate is how often the player comes out ahead. The edge is a share of the initial wager, "
    "the element of risk a share of everything wagered in the round. A return is what comes back on "
    "one unit of the initial wager, less what was added after the deal; a loss of more than the "
    "initial wager is a negative return."
)


def fixed(fraction: str, places: int = 4) -> str:
    """A fraction as a percentage: "4.5155%"."""
    return f"{percent(Fraction(fraction), places)}%"


def words(id: str) -> str:
    """A paytable, an option or a meter in words: "A-K-Q suited" for the table `mini_royal`."""
    return hand_words(id) if id in HAND_NAMES else id.replace("_", " ")


def outcome_name(outcome: str, beside: Sequence[OutcomeOut]) -> str:
    """An outcome as it begins a line: "A-K-Q of other suits" where another row has the spades."""
    name = outcome_words(outcome, [row.outcome for row in beside])
    return name[:1].upper() + name[1:]


def _with_hands(row: OutcomeOut, beside: Sequence[OutcomeOut]) -> str:
    """An outcome with the hands that it is for: "Win (straight flush)"."""
    return outcome_name(row.outcome, beside) + (f" ({hands_of(row, beside)})" if row.hand else "")


def hands_of(row: OutcomeOut, beside: Sequence[OutcomeOut]) -> str:
    """The hands that an outcome is for, in words: "high card, pair, flush"."""
    return listed_hands(row.hand, [hand for one in beside for hand in one.hand.split(", ")])


def number(value: Fraction, places: int = 2) -> str:
    """A number with thousands separators: whole, or with a number of places."""
    text = decimal(value, 0 if value.denominator == 1 or abs(value) >= 1000 else places)
    whole, dot, rest = text.partition(".")
    return f"{int(whole):,}" + dot + rest if not text.startswith("-0") else text


def fair(meter: MeterOut | None) -> str:
    """At what amount a meter makes its wager fair."""
    if meter is None:
        return ""
    return meter.says or f"${float(meter.break_even_dollars):,.2f}"


def spread_rows(one: WagerOut) -> list[tuple[str, str]]:
    """How widely the results of an entry are spread: names and values."""
    found = one.volatility
    if found is None:
        return []
    most = Fraction(found.maximum_payout)
    paid = ""
    if one.stake:
        stake = cents(one.stake)
        paid = f" ({spoken(int(most * stake))} for {spoken(stake)})"
    skewed = f"{found.skewness}, {found.excess_kurtosis}"
    return [
        ("Return to player", fixed(one.return_to_player, 6)),
        *((("At these meters", _at_meters(one.at)),) if one.at is not None else ()),
        ("Volatility index", ", ".join(f"{v} ({level})" for level, v in found.index.items())),
        ("Skewness, excess kurtosis", skewed),
        ("Maximum payout", f"{most_paid(one)}{paid}"),
        ("Average bet multiplier", found.average_bet_multiplier),
        *(
            (
                "Top award",
                _top_award(
                    outcome_words(top.outcome, [row.outcome for row in one.outcomes]),
                    pays_text(top.pays),
                    Fraction(top.probability),
                ),
            )
            for top in found.top_awards
        ),
        *((("Normal curve", found.normal_says),) if found.normal_says else ()),
    ]


def _at_meters(at: AtMetersOut) -> str:
    """What the meters show while these figures hold: "major $10,000: house edge 41.2%, …"."""
    shown = ", ".join(
        f"{words(name.partition('.')[2] or 'meter')} {spoken(cents(amount))}"
        for name, amount in at.meters.items()
    )
    return (
        f"{shown}: house edge {fixed(at.house_edge, 6)}, standard deviation {at.standard_deviation}; "
        "hold and volatility are for meters that stay there"
    )


def most_paid(one: WagerOut) -> str:
    """The most that one unit can win beside the stake."""
    return f"{number(Fraction(one.volatility.maximum_payout))} to 1" if one.volatility else ""


def pays_text(pays: str) -> str:
    """What a row pays, dollars with thousands apart."""
    amount = pays.removeprefix("$")
    return f"${int(amount):,}" if amount != pays and amount.isdecimal() else pays


def _top_award(name: str, pays: str, chance: Fraction) -> str:
    against = number((1 - chance) / chance)
    return f"{name}, {pays}: odds {against} to 1 against, cycle {number(1 / chance)} rounds"


def hold_rows(one: WagerOut) -> list[tuple[str, ...]]:
    """The hold over each number of rounds, at each confidence level, under `HOLD_HEAD`."""
    found = one.volatility.hold if one.volatility is not None else []
    rows = []
    for rounds in dict.fromkeys(each.rounds for each in found):
        of = [each for each in found if each.rounds == rounds]
        cells = [
            f"{decimal(Fraction(each.hold_low_percent), 2)} to "
            f"{decimal(Fraction(each.hold_high_percent), 2)}"
            for each in of
        ]
        rows.append((f"{rounds:,}", *cells, _behind(Fraction(of[0].house_behind))))
    return rows


def _behind(chance: Fraction) -> str:
    """A chance that is known to within 1e-9: no more digits than that."""
    if chance <= Fraction(1, 10**8):
        return "under 1e-8"
    if chance >= Fraction(1, 1000):
        return chance_text(chance)
    often = round(1 / chance)
    return f"1 in {round(often, 2 - len(str(often))):,}"


def outcome_rows(one: WagerOut, places: int = 2) -> list[tuple[str, ...]]:
    """Outcome, what it pays, combinations, probability and return; last what is lost, then the sum."""
    counted = len(one.deals) <= MOST_DIGITS
    rows: list[tuple[str, ...]] = [
        (
            _with_hands(row, one.outcomes), pays_text(row.pays), f"{int(row.combinations):,}" if counted else "",
            chance_text(Fraction(row.probability), places), _back(row.back),
        )
        for row in one.outcomes
    ]  # fmt: skip
    if int(one.lost or 0):
        chance = Fraction(int(one.lost), int(one.deals))
        rows.append(
            ("Nothing", "lost", f"{int(one.lost):,}", chance_text(chance, places), "0.0000%")
        )
    deals = f"{int(one.deals):,}" if counted else ""
    return [*rows, ("Return to player", "", deals, "", fixed(one.return_to_player))]


def _back(fraction: str) -> str:
    """A return; one that four places would show as nothing has more."""
    if not fraction:
        return ""
    places = 4
    while places < 12 and Fraction(fraction) and not Fraction(fixed(fraction, places)[:-1]):
        places += 1
    return fixed(fraction, places)


def together_text(whole: TogetherOut, names: Mapping[str, str]) -> str:
    """Which wagers are taken together: "one unit on each of Ante and Play A, Prime standard"."""
    if not whole.stakes:
        listed = ", ".join(f"{names[name]} {words(table)}" for name, table in whole.wagers.items())
        return f"one unit on each of {listed}"
    return ", ".join(
        f"{spoken(cents(whole.stakes[name]))} on {names[name]} {words(table)}"
        for name, table in whole.wagers.items()
    )


def together_figures(whole: TogetherOut) -> str:
    """Their edge and deviation."""
    deviation, alone = (
        f"${float(one):,.2f}" if whole.stakes else one
        for one in (whole.standard_deviation, whole.if_independent)
    )
    return (
        f"edge {fixed(whole.house_edge)}, deviation {deviation} (it would be {alone} if they did not "
        "share cards)"
    )


def stakes_text(out: StakesOut, names: Mapping[str, str]) -> str:
    """Which wagers are made: "Ante and Play $10.00, Five-Card Progressive $1.00"."""
    return ", ".join(f"{names[name]} ${float(stake):,.2f}" for name, stake in out.stakes.items())


def stakes_rows(out: StakesOut) -> list[tuple[str, ...]]:
    """Rows under `STAKES_HEAD`: each wager played by its own best strategy, and all jointly."""
    rows = [_stakes_row("each wager alone", out.separately)]
    return rows if out.jointly is None else [*rows, _stakes_row("all jointly", out.jointly)]


def stakes_lines(out: StakesOut, names: Mapping[str, str]) -> list[str]:
    """How to play them jointly, what that gains, and what is assumed."""
    if out.jointly is None:
        return out.notes
    gains = "That gains nothing: it is also the best play of each wager alone."
    if Fraction(out.gain):
        shares = ", ".join(
            f"{float(share):.4f}% of {names[name]}" for name, share in out.gain_percent.items()
        )
        amount = f"${out.gain_dollars}" if float(out.gain_dollars) else "less than $0.0001"
        gains = f"That gains {amount} a round: {shares}."
    return [f"Jointly: {out.jointly.says}", gains, *out.notes]


def _stakes_row(name: str, played: PlayedOut) -> tuple[str, ...]:
    return (
        name,
        f"${float(played.expected_loss_dollars):,.4f}",
        fixed(played.house_edge),
        f"${float(played.standard_deviation):,.2f}",
    )


def hold_notes(entries: Sequence[WagerOut]) -> list[str]:
    """What is said once beside all tables of hold."""
    errors = {e.volatility.hold_error for e in entries if e.volatility is not None}
    says = {e.volatility.says for e in entries if e.volatility is not None and e.volatility.says}
    found = sorted(says)
    return [f"{one} No probability is wrong by more than {max(errors)}." for one in found]
