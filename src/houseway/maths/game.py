"""The mathematics part of a game: what PAR sheets, strategies and reports ask of a family.

A family derives a class from `MathsGame`, overrides what its games have, and registers an instance.
Wagers are told apart by what the chapter says of them, mostly `settled_on`, never by their id.
Nothing heavy is imported until a figure is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from houseway.errors import Refused
from houseway.game_api.registry import Part
from houseway.law import Chapter, Paytable, Rules
from houseway.law.chapter import Hold, Wager
from houseway.law.switches import Switch

if TYPE_CHECKING:
    from houseway.maths.joint.at_stakes import JointPlay
    from houseway.maths.joint.covariance import Together, WagerModel
    from houseway.maths.par import Asked
    from houseway.maths.progressive import Progressive
    from houseway.maths.reconcile import Finding
    from houseway.maths.sheet import Entry
    from houseway.maths.strategy_view import Removal, StrategyView
    from houseway.money import Cents

#: told how many steps are done, and of how many
Progress: TypeAlias = Callable[[int, int], None]
#: the name of something to be counted, and what counts it
Countable: TypeAlias = tuple[str, Callable[[], object]]
#: the name of a search for what explains a published hold, and what makes it
Search: TypeAlias = tuple[str, Callable[[Progress], object]]

#: the house edge of a paytable
EdgeReader: TypeAlias = Callable[[Paytable], Fraction]


class MathsGame(ABC):
    """The mathematics of one game. Only `entries` must be there; the rest has a default."""

    #: ids of printed tables that are paid beside the one that is chosen, and are no choice
    #: themselves
    fixed_tables: Collection[str] = ()
    #: what a wager is settled on where one result holds for everybody who made it
    decided_for_all: Collection[str] = ()
    #: what a wager is settled on where its figures depend on how many hands are dealt
    decided_by_hands_dealt: Collection[str] = ()
    #: what a wager is settled on where its entries take seconds each to work out
    slow: Collection[str] = ()

    # the PAR sheet

    @abstractmethod
    def entries(self, asked: Asked, wager: Wager) -> Iterable[Entry]:
        """The entries of a PAR sheet for a wager and what is figured with it; none if unknown."""

    def chosen_entry(self, asked: Asked, wager: Wager) -> Entry | None:
        """The one entry for the rules as they are chosen; None where there is not just one."""
        from houseway.maths.sheet import is_chosen

        assert asked.rules is not None
        found = [one for one in self.entries(asked, wager) if is_chosen(asked.rules, one)]
        return found[0] if len(found) == 1 else None

    def separate_entries(self, law: Chapter) -> int:
        """How many entries of `slow` wagers the chapter has, each counted by itself."""
        return 0

    def separate_entry(self, law: Chapter, number: int) -> Entry:
        """One of them; number 0 is that of the usual table."""
        raise Refused("no_figures", f"{law.id} has no entries that are counted separately")

    def edge_reader(
        self, law: Chapter, wager: str, players: int | None = None, decks: int | None = None
    ) -> EdgeReader | None:
        """What reads the house edge off a paytable of a wager or bonus, in microseconds.

        Everything else is as the chapter's defaults have it. None: the edge depends on more.
        """
        return None

    def row_names(self, law: Chapter, wager: str) -> Collection[str] | None:
        """The rows that a paytable of this wager or bonus can ever pay; None: any printed one."""
        return None

    # progressives

    def progressive(
        self, rules: Rules, wager: Wager, stake: Cents, others: int, *, beside_fold: bool
    ) -> Progressive:
        """A progressive as it is wagered at a table, with this number of other players' hands.

        With `beside_fold` it stands beside a wager whose fold may forfeit it.
        """
        raise Refused("no_figures", f"there are no exact figures for {wager.name}")

    # wagers taken together

    def models(
        self, rules: Rules, meters: Mapping[str, Cents]
    ) -> tuple[Mapping[str, WagerModel], Mapping[str, str]]:
        """Each wager of one seat by what it depends on, and the paytable that each has."""
        return {}, {}

    def limited(self, rules: Rules, stakes: Mapping[str, Cents]) -> Together | None:
        """Wagers at these stakes, by entry, as they are paid under the payout limit of the rules.

        A limit counts all wagers of a player together. None: nothing counts them.
        """
        return None

    def joint_play(
        self, rules: Rules, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]
    ) -> JointPlay:
        """Wagers at these stakes, by entry, and the best play of all that a decision touches."""
        from houseway.maths.joint.at_stakes import by_unit_models

        return by_unit_models(rules, stakes, meters)

    def joint_counts(self, rules: Rules, entries: Iterable[str]) -> Mapping[str, Any]:
        """The counts of deals from which joint figures of these entries are added up, at any stakes.

        Empty where figures at stakes follow from the joint figures of one unit on each wager.
        """
        return {}

    def option_notes(self, law: Chapter) -> Mapping[str, str]:
        """For options that are no column of the sheet: how each enters the figures, or why not."""
        return {}

    def left_out(self, rules: Rules) -> list[str]:
        """What is offered but not in the joint figures, and why."""
        return []

    def seat_covariance(self, rules: Rules, entry: Entry) -> Fraction:
        """The largest covariance of this wager at two seats, in units of both stakes.

        No covariance is more than the variance of one seat, which is the bound where none is known.
        """
        assert entry.spread is not None
        return entry.spread.variance

    # what is counted once and kept

    def missing(self, law: Chapter, rules: Rules | None = None) -> list[Countable]:
        """What would have to be counted now for the chapter, or for a table with these rules."""
        return []

    def missing_searches(self, law: Chapter) -> list[Search]:
        """The searches for published holds that would have to be made now."""
        return []

    # published holds

    def edges(
        self, law: Chapter, wager: Wager, switches: Sequence[Switch] = ()
    ) -> list[tuple[str, Fraction]]:
        """The edge of a wager under each of its paytables, with these switches thrown."""
        from houseway.maths.reconcile import edges_of

        return edges_of(law, wager, switches)

    def finding(self, law: Chapter, hold: Hold) -> Finding:
        """A published hold beside the exact one, and what would explain a difference."""
        from houseway.maths.reconcile import compare

        return compare(law, hold)

    # strategy

    def strategy(self, rules: Rules) -> StrategyView:
        """The best way to play the game's main wager, to be shown, drawn and printed."""
        raise Refused("no_strategy", f"no strategy is worked out for {rules.chapter.id}")

    def removal(self, rules: Rules) -> Removal:
        """What each card that leaves the shoe changes."""
        raise Refused("not_in_this_game", f"{rules.chapter.id} is not dealt from a shoe")

    def quick_edge(self, rules: Rules) -> Fraction | None:
        """The edge of the `slow` wager in less than a second: exact, or accurate to a few digits."""
        return None


MATHS = Part("maths", MathsGame)
