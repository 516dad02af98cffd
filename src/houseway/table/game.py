"""The table part of a game: what a family of games tells the table about its procedure.

The general procedure is in `table/procedure`. It asks the game wherever games differ. The default
bodies here are those of a game that is dealt in whole hands: every seat and the dealer get their
cards, each player decides once, the dealer's hand is shown, and the wagers are settled seat by
seat. A family overrides what differs and registers the actions of its own commands.

    GAME: TableGame = SaigonTable()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from houseway.cards import Card
from houseway.errors import Refused
from houseway.game_api.registry import Part
from houseway.game_api.round import Line, Seat, Settlement
from houseway.game_api.settle import settle_unchecked
from houseway.law import Rules
from houseway.law.chapter import Wager
from houseway.money import Cents
from houseway.table.actions import PHASES, Actions
from houseway.table.event_text import NAMES, PILES, PileName
from houseway.table.moment import Moment
from houseway.table.procedure import dealing, settling, shoe
from houseway.table.procedure.corrections import figure_again
from houseway.table.procedure.dealing import Deal
from houseway.table.procedure.deciding import undecided
from houseway.table.procedure.wagering import close_bets, decision_wager, one_hand
from houseway.table.round_building import (
    Cards,
    hands_in,
    one_hand_seat,
    round_of,
    settled_before_out,
)
from houseway.table.spans import MOMENTS
from houseway.table.state import OWN_STATES, Box, Due, OwnBox, OwnState, Table, seat_pile


class TableGame:
    """How one game is dealt, played and settled at a live table."""

    #: the actions of the game's own commands; one for a general command replaces it
    actions: ClassVar[Actions] = Actions()
    #: the phases of a round, in order
    round_line: ClassVar[tuple[str, ...]] = (
        "chips", "dealing", "stub", "deciding", "collecting", "revealing", "settling", "clearing",
    )  # fmt: skip
    #: the places on that line of the moments that spans refer to
    moments: ClassVar[Mapping[str, str]] = MOMENTS
    #: the words for the phases that only this game has
    phases: ClassVar[Mapping[str, str]] = {}
    #: names of wagers and outcomes that differ from their ids
    names: ClassVar[Mapping[str, str]] = {}
    #: names of the piles that only this game has, by the first part of their ids
    pile_names: ClassVar[Mapping[str, PileName]] = {}
    #: the cards that belong to no seat, and the dealer's, in the order in which they are picked up
    shared_piles: ClassVar[tuple[str, ...]] = ()
    dealer_piles: ClassVar[tuple[str, ...]] = ("dealer_stack", "dealer")
    #: piles whose cards nobody sees before they are turned, not even the dealer
    secret_piles: ClassVar[frozenset[str]] = frozenset()
    #: devices that only this game has
    devices: ClassVar[tuple[str, ...]] = ()
    #: what the house does for a player who lets the clock run out: the first that is open
    when_late: ClassVar[tuple[str, ...]] = ("decline_cut", "fold")
    #: the ways in which the game's own irregularities are reported: the fields, by command
    reports: ClassVar[Mapping[str, tuple[dict[str, Any], ...]]] = {}

    #: the game's own state of a table and of each box
    own_state: ClassVar[type[OwnState] | None] = None
    own_box: ClassVar[type[OwnBox] | None] = None

    def __init_subclass__(cls) -> None:
        PHASES.update(cls.phases)
        NAMES.update(cls.names)
        PILES.update(cls.pile_names)
        for own in (cls.own_state, cls.own_box):
            if own is not None:
                OWN_STATES[str(own.__struct_config__.tag)] = own  # type: ignore[union-attr]

    # the cards of a seat

    def hand_piles(self, seat: int, hand: int = 0) -> tuple[str, ...]:
        """The piles of a seat, or of one of its hands, in the order in which they are picked up."""
        return (seat_pile(seat),)

    def own_piles(self, seat: int) -> tuple[str, ...]:
        """The piles that the player of a seat may look at."""
        return self.hand_piles(seat)

    def box_piles(self, seat: int) -> dict[str, str]:
        """The piles of a seat by the field of `views.BoxView` that shows each; `more` has others."""
        return {"cards": seat_pile(seat)}

    def first_piles(self, seat: int) -> tuple[str, ...]:
        """The piles that are turned first when a hand is turned up; only one of them lies there."""
        return (seat_pile(seat),)

    def hand_size(self, now: Moment, seat: int) -> int:
        """How many cards a seat, or the dealer (seat 0), has when all are dealt to it."""
        return now.rules.chapter.number("hand_cards")

    def counted_piles(self, now: Moment, seat: int) -> tuple[str, ...]:
        """The piles that hold those cards."""
        return self.hand_piles(seat) if seat else self.dealer_piles

    def pile_size(self, now: Moment, place: str) -> int:
        """How many cards lie in a place of no seat when all are dealt."""
        return 0

    # wagers

    def check_hand(self, now: Moment, hand: int) -> None:
        """Refuse a wager on a hand that a seat does not have."""
        one_hand(hand)

    def first_hand(self, now: Moment) -> int:
        """The first hand that a seat may wager on; 0 where it has one."""
        return 0

    def check_wager(self, now: Moment, wager: Wager) -> None:
        """Refuse a wager that cannot be taken now."""

    def give_back_beside(self, now: Moment, seat: int, stake: str, clause: str) -> None:
        """Give back what lies beside a stake that is given back, such as a coupon."""

    def check_wagers(self, rules: Rules, wagers: Mapping[str, Cents]) -> None:
        """Refuse a combination of wagers on a hand when the bets are closed."""

    # the shoe

    def cut_offers(self, now: Moment) -> tuple[int, ...]:
        """The seats that are offered the cut, in order; the dealer cuts if all decline."""
        return shoe.cut_offers(now)

    def recut_offers(self, now: Moment) -> tuple[int, ...]:
        """The seats that are offered the cut when the floorperson orders another."""
        return shoe.recut_offers(now)

    def after_cut_in_round(self, now: Moment) -> None:
        """Called when the cards were cut in the middle of a round, which goes on."""

    def round_resumes(self, now: Moment) -> None:
        """Called when an interruption is over and the round goes on."""

    def shoe_is_over(self, now: Moment) -> bool:
        """Whether the cards are shuffled after this round."""
        return shoe.shoe_is_over(now)

    # the deal

    def before_deal(self, now: Moment) -> None:
        """Called before the first card, which closes the bets if nobody announced that."""
        close_bets(now, "close_bets")
        shoe.note_sat_out(now)
        now.begin("dealing")

    def check_deal(self, now: Moment) -> None:
        """Refuse to deal a card now."""

    def deal_plan(self, now: Moment) -> tuple[Deal, ...]:
        """Every step of this round's deal, in order."""
        size, seats = now.rules.chapter.number("hand_cards"), now.table.hands
        if dealing.deals_in_stacks(now):
            left = now.options.get("dealer_stack") == "left_in_shoe"
            hands = dealing.in_stacks(seats, size, "dealer_stack" if left else "dealer")
        else:
            hands = dealing.one_at_a_time(seats, size)
        return hands + self.dealt_beside(now)

    def dealt_beside(self, now: Moment) -> tuple[Deal, ...]:
        """What is dealt after the hands."""
        return ()

    def deal_steps(self, now: Moment, step: Deal) -> tuple[str, ...]:
        """The steps of the procedure by which this is dealt, the nearest to it first."""
        return dealing.steps_of_deal(now, step)

    def after_card(self, now: Moment, place: str) -> None:
        """Called when a card came out of the shoe for this place; if empty, the card is not used."""
        if now.table.cover_card:
            shoe.look_for_cover_card(now, place)

    def after_deal(self, now: Moment) -> None:
        """Called when all hands are dealt."""
        now.begin("stub")

    def device_stopped(self, now: Moment, device: str) -> None:
        """Called when a device can no longer be used."""

    # decisions

    def asks(self, now: Moment, wagers: Mapping[str, Cents]) -> bool:
        """Whether a hand with these wagers has a decision to make."""
        wager = decision_wager(now.rules.chapter)
        return wager is not None and any(name in wagers for name in wager.needs)

    def to_act(self, now: Moment) -> list[tuple[int, int]]:
        """The seats and hands that have yet to decide, in the order in which they are asked."""
        return undecided(now)

    def waits_for_card(self, now: Moment) -> bool:
        """Whether a card is to be dealt before the next decision."""
        return False

    def deal_in_turn(self, now: Moment) -> tuple[str, ...]:
        """The steps of the procedure by which that card is dealt."""
        return ("deal",)

    def deal_awaited(self, now: Moment, cards: tuple[str, ...]) -> None:
        """Deal that card."""
        raise Refused("out_of_turn", "no card is awaited between decisions")

    # the round as it is settled

    def seat(self, now: Moment, box: Box, cards: Cards) -> Seat:
        """A box as the rules of the game settle it."""
        return one_hand_seat(now, box, cards)

    def dealer_hand(self, now: Moment, cards: Cards) -> tuple[Card, ...]:
        """The dealer's cards as the rules of the game settle them."""
        return cards(*self.dealer_piles)

    def community(self, now: Moment, seats: Sequence[Seat], cards: Cards) -> tuple[Card, ...]:
        """The cards that belong to no seat, as far as they decide anything."""
        return ()

    def hands_that_count(self, now: Moment) -> list[Box]:
        """The boxes whose hands decide something, their own wagers or others'."""
        return [*hands_in(now), *settled_before_out(now)]

    def settlement(self, now: Moment, blank: frozenset[int]) -> Settlement | None:
        """The settlement of the round. The hands of `blank` seats are not known yet.

        Returns None if a wager was settled by cards that are not known now.
        """
        return settle_unchecked(round_of(now))

    # showing hands and settling

    def reveal(self, now: Moment, given: tuple[str, ...]) -> None:
        """Show the dealer's cards; `given` are those that nobody knew."""
        settling.reveal_hand(now, given)

    def arranged(self, now: Moment, cards: tuple[str, ...]) -> tuple[str, ...]:
        """The dealer's cards as they are laid out."""
        return cards

    def deciding_piles(self, now: Moment, seat: int) -> list[str]:
        """The piles of a seat that decide something, in the order in which they are turned."""
        return [seat_pile(seat)]

    def pile_of_line(self, now: Moment, wager: str, seat: int) -> str:
        """The pile that decides a wager in addition to the seat's hand, or an empty text."""
        return ""

    def undecided_seat(self, now: Moment, pile: str) -> int:
        """The seat whose result is entirely open until this pile is known, or 0."""
        part, _, seat = pile.partition(".")
        return int(seat) if part == "seat" else 0

    def lines(self, now: Moment) -> list[tuple[int, Line]] | None:
        """The settlement in order, as far as the cards are known; None if nothing can be said yet."""
        return settling.figured(now)

    def why_again(self, now: Moment) -> tuple[str, str]:
        """Why wagers that were already settled are recalculated, and by which clause."""
        if now.table.trouble == "exposed":
            # an ante that was folded before goes back as well
            return "a dealer's card was seen too early", now.clause("dealer_card_exposed")
        return "a card was corrected", ""

    def void_wagers(self, now: Moment) -> tuple[str, ...]:
        """The wagers that are returned to every player in this round, whatever the hands."""
        return ()

    def part_to_turn(self, now: Moment, line: Due) -> str:
        """The part of an open hand that is to be turned before this line is settled."""
        return ""

    def turn_step(self, now: Moment, seat: int, part: str) -> str:
        """The step by which a part of a hand is turned."""
        return f"turn_{part}"

    def cards_are_seen(self, now: Moment) -> bool:
        """Whether every card that decides the next wager lies face up."""
        return settling.cards_are_seen(now)

    def settled_early(self, now: Moment) -> None:
        """Called when the last wager that was due before the phase `settling` is settled."""

    def stays_exposed(self, now: Moment, seat: int) -> bool:
        """Whether a settled hand stays on the table, since it may decide a wager of others."""
        return False

    def corrected(self, now: Moment, before: Table, reason: str) -> None:
        """Called when a wrongly keyed card was corrected; `before` is the table before that."""
        figure_again(now, reason)

    # what others show and supply

    def display(self, now: Moment) -> dict[str, str]:
        """What a display at the table shows as the payouts of this round, by outcome."""
        return {}

    def box_view(self, box: Box) -> dict[str, Any]:
        """The fields of a box that only this game shows, by their name in `views.BoxView`."""
        return {}

    def house_fields(self, table: Table, command: str) -> dict[str, Any]:
        """The fields that the automatic dealer gives with one of the game's own commands."""
        return {}


TABLE = Part("table", TableGame)
