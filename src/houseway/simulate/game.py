# ruff: noqa: ARG002  a default body ignores what other games look at
"""The simulation part of a game: what a family provides so that its rounds can be simulated.

A family registers a `SimulationGame` as its part `simulation`. The least that it provides is

- `strategies`, the names of the ways to play that it knows, the best one first;
- `strategy`, which turns such a name, or a user's own file, into what the game decides by;
- `play_round`, which deals one round from shuffled cards and decides it by that strategy.

With these three, the game can be simulated: every round is settled by the game's rules part, about
ten thousand rounds a second. To simulate millions of rounds, a game overrides `kernel` and
returns a `CompiledKernel` (`houseway.simulate.kernels.kernel`); `play_round` is then not needed, but
makes a good twin for its tests. Everything else has a default that suits a game of whole hands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.cards import Card, standard_deck
from houseway.errors import Refused
from houseway.game_api.registry import Part
from houseway.game_api.round import Round
from houseway.law import Chapter, Rules
from houseway.money import Cents

if TYPE_CHECKING:
    from houseway.simulate.kernels.decision_kernel import DecisionKernel
    from houseway.simulate.kernels.kernel import Kernel
    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.results.exact import Exact, Ways


@dataclass(frozen=True)
class Positions:
    """The hands of a round that are wagered on, in the order of the seats."""

    #: wagers in cents
    stakes: list[dict[str, Cents]]
    #: the player of each, and the number of the hand it is on
    owners: list[int]
    on_hand: list[int]


class SimulationGame(ABC):
    """The simulation part of a game, with defaults for what most games do alike."""

    #: the strategies known by name, the best one first
    strategies: tuple[str, ...] = ("optimal",)

    # How it is played

    @abstractmethod
    def strategy(self, rules: Rules, name: str, /) -> Any:
        """Return what the game decides by, for one of `strategies` or a user's own file.

        The result is only handed to the other methods. `houseway.simulate.strategies` reads users'
        files and asks their functions.
        """

    def play_round(
        self, plan: Plan, rules: Rules, strategy: Any, draw: Callable[[], Card], /
    ) -> Round:
        """Deal one round from shuffled cards, decide every hand of it, and return it unsettled.

        Seat n of the round has the wagers of position n - 1 (`plan.stakes`), and its meters show
        `plan.meters`.
        """
        raise _not_here(rules.chapter, "simulation in plain Python", "chapter")

    def cards(self, rules: Rules, /) -> Sequence[Card]:
        """Return the cards that every round is dealt from."""
        return list(standard_deck()) * int(rules.options.get("decks", 1))

    def kernel(self, plan: Plan, rules: Rules, strategy: Any, *, round_by_round: bool) -> Kernel:
        """Make a plan ready to be played; by default one round after the other by `play_round`.

        A kernel that keeps no net results of single rounds may be used unless `round_by_round`.
        """
        from houseway.simulate.kernels.plain_kernel import PlainKernel

        return PlainKernel.of(self, plan, rules, strategy)

    def decisions(self, rules: Rules, /) -> Mapping[str, Any]:
        """Return strategies that always decide one way, for a game with one decision in a round.

        They are named for the decision. With them a kernel says what each decision brings.
        """
        return {}

    def decision_kernel(
        self,
        rules: Rules,
        wagers: Mapping[str, Cents],
        seats: int,
        moves: Sequence[str],
        hints: Sequence[str],
        /,
    ) -> DecisionKernel | None:
        """Return a kernel for many seats, for a game with several decisions in a round.

        `moves` and `hints` are what a seat at a live table has, in the same order.
        """
        return None

    # What a plan may say

    def positions(self, rules: Rules, stakes: list[dict[str, Cents]], /) -> Positions:
        """Return the hands that these players wager on; by default one each."""
        each = list(range(len(stakes)))
        return Positions(stakes, each, list(each))

    def check_coupon(
        self, rules: Rules, stakes: Sequence[Mapping[str, Cents]], coupon: Mapping[str, Cents], /
    ) -> None:
        """Refuse coupons, by the wager they lie beside, that some position could not use."""
        raise _not_here(rules.chapter, "match play coupon", "coupon")

    def check_cover(self, rules: Rules, cover: int, /) -> None:
        """Refuse a cover card at this depth."""
        raise _not_here(rules.chapter, "shoe with a cover card", "cover")

    def check_insures(self, rules: Rules, /) -> None:
        """Refuse a plan in which players always insure."""
        raise _not_here(rules.chapter, "insurance", "insure")

    # What is said about the results

    def stake_of(self, playing: Playing, position: int, wager: str, /) -> Cents:
        """Return the stake that a wager's figures are per unit of; 0 where it is not made.

        A wager is named by its id or as on the PAR sheet; a bonus counts per unit of the wager it is paid beside.
        """
        law, stakes = playing.rules.chapter, playing.plan.stakes[position]
        for made, amount in stakes.items():
            if wager in (made, law.wagers[made].entry):
                return amount
        bonus = law.bonuses.get(wager)
        return stakes.get(bonus.beside, 0) if bonus else 0

    def made_in(self, playing: Playing, wager: str, /) -> Fraction:
        """Return the fraction of rounds in which a wager is made; 1 unless it is offered only at
        times.
        """
        return Fraction(1)

    def needed(self, playing: Playing, /) -> Cents:
        """Return what the first position must be able to put up to play a round to its end."""
        return playing.kernel.most_staked(0)

    def exact(self, playing: Playing, position: int, wager: str, /) -> Exact | None:
        """Return what a wager is worth exactly, in units of its stake, as it is played.

        None if mathematics has no single number. By default it is the figure of the PAR sheet, which
        holds for wagers that no decision touches and for the first of `strategies`.
        """
        from houseway.simulate.results.exact import of_par_sheet

        law = playing.rules.chapter
        decided = {one.entry for one in law.wagers.values() if one.made == "on_decision"}
        if wager in decided and playing.plan.strategy != self.strategies[0]:
            return None
        return of_par_sheet(playing, position, wager)

    def taken_by_limit(self, playing: Playing, stakes: Mapping[str, Cents], /) -> Ways | None:
        """Return what the payout limit takes from a position with these wagers, by amount.

        The amounts in cents with the number of deals in which each is taken, and how many deals
        there are in all; None if they were not counted.
        """
        return None

    def fresh_plan(self, playing: Playing, /) -> Plan | None:
        """Return the plan to play beside this one where only that has exact figures.

        A shoe that is dealt down to a cover card has none: its plan is played from fresh shoes too,
        and the difference is reported as the cut-card effect.
        """
        return None


SIMULATION = Part("simulation", SimulationGame)


def _not_here(law: Chapter, what: str, field: str) -> Refused:
    return Refused("not_in_this_game", f"{law.id} has no {what}", field=field)
