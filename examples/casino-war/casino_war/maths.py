"""The mathematics of Casino War, exact for any number of decks.

The first two cards tie in `4d - 1` of `52d - 1` cases for `d` decks, whatever the first card is. The
cards of a war come from what is left: two fewer of the rank that tied. Burned cards are not seen and
change nothing. A player and the dealer are alike, so each has the higher card equally often.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from casino_war.settlement import SURRENDER, WAR, seat_lines
from houseway.cards import ACE, KING, TWO, Card
from houseway.game_api.round import Line, Seat
from houseway.law import Chapter, Rules, choose
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.entries import alternative, by_table
from houseway.maths.figures import Spread
from houseway.maths.game import EdgeReader, MathsGame
from houseway.maths.joint.covariance import WagerModel
from houseway.maths.par import Asked
from houseway.maths.sheet import Entry, Outcome, StrategyOut
from houseway.maths.strategy_view import Picture, StrategyView, plain_remarks
from houseway.maths.wagers import Outcomes
from houseway.money import Cents

RANKS, OF_A_RANK = 13, 4
STAKE = 100
#: with how many ranks a player goes to war who always decides so
WARS = {WAR: RANKS, SURRENDER: 0}


class Ways(NamedTuple):
    """In how many deals the cards come to each result. The four cards of a war are dealt always."""

    #: the first card is higher than the dealer's, or lower; both are equally many
    higher: int
    #: the first cards tie, and the player's second is higher, or lower
    war_higher: int
    #: the first cards tie, and the second ones tie too
    war_tie: int

    @property
    def ties(self) -> int:
        return 2 * self.war_higher + self.war_tie

    @property
    def total(self) -> int:
        return 2 * self.higher + self.ties


def ways(decks: int) -> Ways:
    """Count the deals of four cards, two each, from so many decks."""
    cards, of_each = 52 * decks, OF_A_RANK * decks
    after = (cards - 2) * (cards - 3)  # the second two cards, after any first two
    first_ties = cards * (of_each - 1)
    war_ties = (RANKS - 1) * of_each * (of_each - 1) + (of_each - 2) * (of_each - 3)
    return Ways(
        (cards * (cards - 1) - first_ties) // 2 * after,
        first_ties * (after - war_ties) // 2,
        first_ties * war_ties,
    )


class Result(NamedTuple):
    """One result of the ante: an example of it as the rules settle it, and its number of deals."""

    name: str
    cards: tuple[Card, ...]
    dealer: tuple[Card, ...]
    decision: str | None
    ways: int

    def lines(self, rules: Rules, *beside: str) -> list[Line]:
        """What the rules say to an ante of `STAKE`, and as much on each wager beside it."""
        seat = Seat(1, dict.fromkeys(("ante", *beside), STAKE), self.cards, self.decision)
        return list(seat_lines(rules, seat, self.dealer))

    def net(self, rules: Rules, wager: str) -> Fraction:
        """What one unit on the ante, with all that belongs to it, or on another wager brings."""
        ante = sum(line.net for line in self.lines(rules))
        if wager == "ante":
            return Fraction(ante, STAKE)
        return Fraction(sum(line.net for line in self.lines(rules, wager)) - ante, STAKE)


_LOW, _HIGH, _TOP = (Card(OF_A_RANK * rank) for rank in (TWO, KING, ACE))


def results(decks: int, wars: int) -> tuple[Result, ...]:
    """Every result of the ante for a player who goes to war with `wars` of the thirteen ranks."""
    found, gives_up = ways(decks), RANKS - wars

    def war(mine: Card, dealer: Card, name: str, ways: int) -> Result:
        return Result(name, (_HIGH, mine), (_HIGH, dealer), WAR, ways * wars // RANKS)

    every = (
        Result("higher", (_HIGH,), (_LOW,), None, found.higher),
        war(_TOP, _LOW, "war_higher", found.war_higher),
        war(_LOW, _LOW, "war_tie", found.war_tie),
        war(_LOW, _TOP, "war_lower", found.war_higher),
        Result("surrender", (_HIGH,), (_HIGH,), SURRENDER, found.ties * gives_up // RANKS),
        Result("lower", (_LOW,), (_HIGH,), None, found.higher),
    )
    return tuple(result for result in every if result.ways)


def ante_spread(rules: Rules, wars: int) -> Spread:
    """What the ante brings to such a player, in units of the ante."""
    counted: dict[Fraction, int] = {}
    staked = 0
    for result in results(rules["decks"], wars):
        lines = result.lines(rules)
        net = Fraction(sum(line.net for line in lines), STAKE)
        counted[net] = counted.get(net, 0) + result.ways
        staked += result.ways * sum(line.stake for line in lines)
    total = ways(rules["decks"]).total
    return Spread(counted, total, Fraction(staked, total * STAKE))


def tie_outcomes(decks: int) -> Outcomes:
    """What the Tie wager may come to."""
    found = ways(decks)
    return Outcomes(((("tie",), found.ties), ((), found.total - found.ties)), found.total)


def worth_of_tie(rules: Rules, decision: str) -> Fraction:
    """What a tied ante is worth to its player, in units of the ante."""
    tied = [one for one in results(rules["decks"], WARS[decision]) if one.decision is not None]
    brought = sum(one.ways * sum(line.net for line in one.lines(rules)) for one in tied)
    return Fraction(brought, STAKE * sum(one.ways for one in tied))


def best_decision(rules: Rules) -> str:
    """What to do with a tie."""
    return max((WAR, SURRENDER), key=partial(worth_of_tie, rules))


class ByResult(WagerModel):
    """A wager of a seat by the results of the deal, which decide all its wagers."""

    def __init__(self, ways: Sequence[int], nets: Sequence[Fraction]) -> None:
        self.ways, self.nets = ways, nets

    def mean(self) -> Fraction:
        return self._mean(self.nets)

    def square(self) -> Fraction:
        return self.product(self)

    def product(self, other: WagerModel) -> Fraction:
        assert isinstance(other, ByResult)
        return self._mean([a * b for a, b in zip(self.nets, other.nets, strict=True)])

    def _mean(self, nets: Sequence[Fraction]) -> Fraction:
        whole = sum((w * net for w, net in zip(self.ways, nets, strict=True)), Fraction(0))
        return whole / sum(self.ways)


class CasinoWar(MathsGame):
    """The ante is settled on the cards, the Tie wager on the first two."""

    def entries(self, asked: Asked, wager: Wager) -> Iterable[Entry]:
        for rules in _variants(asked, wager):
            if wager.settled_on == "cards":
                yield _ante(rules, wager)
            else:
                for entry in by_table(asked, wager, tie_outcomes(rules["decks"])):
                    yield _with_columns(entry, decks=rules["decks"])

    def edge_reader(
        self, law: Chapter, wager: str, players: int | None = None, decks: int | None = None
    ) -> EdgeReader | None:
        if wager not in law.wagers or law.wagers[wager].settled_on != "first_cards":
            return None
        return partial(wagers.edge, tie_outcomes(decks or choose(law)["decks"]))

    def row_names(self, law: Chapter, wager: str) -> Collection[str] | None:
        return ("tie",) if wager in ("tie", "war_bonus") else None

    def models(
        self, rules: Rules, meters: Mapping[str, Cents]
    ) -> tuple[Mapping[str, WagerModel], Mapping[str, str]]:
        found = results(rules["decks"], WARS[best_decision(rules)])
        counts = [result.ways for result in found]
        models: dict[str, WagerModel] = {}
        for wager in rules.chapter.about.wagers:
            if rules.offers(wager.id) and wager.made == "before_deal":
                models[wager.id] = ByResult(counts, [one.net(rules, wager.id) for one in found])
        return models, {id: rules.table(id).id for id in models}

    def strategy(self, rules: Rules) -> StrategyView:
        wager = next(one for one in rules.chapter.about.wagers if one.settled_on == "cards")
        strategy = _strategy(rules)
        picture = Picture(
            f"{rules.chapter.about.game}: what to do with a tie",
            strategy.says,
            "What each decision brings after a tie, per unit of ante.",
            worth=tuple((_SAYS[one], worth_of_tie(rules, one)) for one in (WAR, SURRENDER)),
        )
        return StrategyView(
            wager.id,
            rules.table(wager.id).id,
            strategy,
            picture,
            lead=f"\n{strategy.says}",
            remarks=plain_remarks(picture, strategy),
        )


_SAYS = {WAR: "go to war", SURRENDER: "surrender"}


def _variants(asked: Asked, wager: Wager) -> Iterator[Rules]:
    """The chosen rules, or those for every number of decks and, for the ante, every bonus."""
    if asked.rules is not None:
        yield asked.rules
        return
    options = ("decks", "war_bonus") if wager.settled_on == "cards" else ("decks",)
    choices = ([choice.value for choice in asked.law.options[one].choices] for one in options)
    for values in sorted(product(*choices), key=lambda values: values[0]):
        yield choose(asked.law, dict(zip(options, values, strict=True)))


def _ante(rules: Rules, wager: Wager) -> Entry:
    wars = WARS[best_decision(rules)]
    rows = []
    for result in results(rules["decks"], wars):
        lines = result.lines(rules)
        net = Fraction(sum(line.net for line in lines), STAKE)
        pays = next((line.odds for line in reversed(lines) if line.odds), None)
        rows.append(Outcome(result.name, pays or "lost", result.ways, net, lines[-1].clause))
    table = rules.table(wager.id)
    return Entry(
        wager.entry,
        table.id,
        ante_spread(rules, wars),
        rows,
        ways(rules["decks"]).total,
        table.clause,
        {"decks": rules["decks"], "war_bonus": rules["war_bonus"]},
        _strategy(rules),
    )


def _strategy(rules: Rules) -> StrategyOut:
    best = best_decision(rules)
    other = SURRENDER if best == WAR else WAR
    edge = ante_spread(rules, WARS[best]).edge
    return StrategyOut(
        f"After a tie, always {_SAYS[best]}.",
        {"after_a_tie": best},
        [
            alternative(
                f"always_{other}",
                f"always {_SAYS[other]}",
                ante_spread(rules, WARS[other]).edge,
                edge,
            )
        ],
    )


def _with_columns(entry: Entry, **columns: int) -> Entry:
    return replace(entry, columns={**entry.columns, **columns})


GAME: MathsGame = CasinoWar()
