"""The presentation part of a game: what only this game shows.

The default bodies are for games that are dealt in whole hands: one pile for each seat, `seat.3`,
and one for the dealer. A family overrides what differs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from houseway.cards import Card
from houseway.game_api.registry import Part
from houseway.game_api.round import Round, Seat
from houseway.law import Chapter, Paytable, Rules
from houseway.money import Cents
from houseway.present.scene import Hand, Scene
from houseway.present.view import HandView
from houseway.present.visible_cards import VisibleCards, known
from houseway.table.state import Box, Device, OwnBox, Table, key, seat_pile

_GIVEN_UP = {"fold": "folded", "forfeit": "forfeited"}


@dataclass(frozen=True, slots=True)
class Light:
    """A light of a card reader: the range that it stands for, its color, the ranks in it."""

    range: str
    color: str
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommonArea:
    """An area for cards that all players share: one hand beside the dealer's, or a row of hands."""

    label: str
    cards: int
    hands: int = 1


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A decision that lays a player's cards in two: its command, and the two parts of the hand.

    A part is its label, the field of the command that takes its cards, and how many they are.
    Without cards the command sets the hand the best way.
    """

    command: str
    parts: tuple[tuple[str, str, int], tuple[str, str, int]]


class PresentationGame:
    """How a game is shown."""

    #: names of the areas that hold cards and belong to no wager
    area_names: ClassVar[Mapping[str, str]] = {}
    #: buttons for the decisions of a player, in their order, by command
    decisions: ClassVar[Mapping[str, str]] = {}
    #: how a decision is asked for in a terminal, where that takes more than its name, by command
    prompts: ClassVar[Mapping[str, str]] = {}
    #: the decision that lays a hand in two, where the game has one
    arrangement: ClassVar[Arrangement | None] = None
    #: decisions that nobody makes for a player who is away: each is a wager of its own, or ends one
    personal_decisions: ClassVar[frozenset[str]] = frozenset()
    #: decisions that are seldom open, and that a practice round makes every other time
    rare_decisions: ClassVar[tuple[str, ...]] = ()
    #: seconds that the house's own steps take in this game, by command
    pace: ClassVar[Mapping[str, float]] = {}
    #: payouts that are not posted as odds
    unposted: ClassVar[frozenset[str]] = frozenset()
    #: column headings where one wager has several paytables in force, by wager and table; `*` for
    #: the others
    columns: ClassVar[Mapping[tuple[str, str], str]] = {}
    #: paytables that are one case of their wager, by wager and table
    cases: ClassVar[Mapping[tuple[str, str], str]] = {}
    #: whether what is left of the deck goes to the discard rack after the deal
    discards_stub: ClassVar[bool] = True

    # names

    def hand_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        """The name of a player's hand; empty while it is not complete."""
        return ""

    def dealer_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        """The name of the dealer's hand; empty while it is not complete."""
        return self.hand_name(rules, cards)

    def makes(self, rules: Rules, cards: Sequence[Card]) -> Collection[Card]:
        """The cards that make a hand what it is; they are highlighted once it is settled."""
        return ()

    # decisions in words

    def typed_fields(self, held: Sequence[str], name: str, words: Sequence[str]) -> dict[str, Any]:
        """The fields of a decision from what a player typed; `held` are the cards of the hand."""
        return {}

    # hands on the felt

    def seat_hands(self, scene: Scene, box: Box) -> Iterator[HandView]:
        """The hands of a seat, each in its area."""
        cards = scene.pile(seat_pile(box.seat))
        if not cards:
            return
        whole, decision = known(cards), box.decisions.get(0, "")
        says = self.hand_name(scene.rules, whole) if whole else ""
        marked = self.makes(scene.rules, whole) if whole and scene.is_settled(box.seat) else ()
        result, folded = scene.result(box.seat), decision in _GIVEN_UP or bool(box.out)
        if folded:
            how, result = _GIVEN_UP.get(decision, "out of play"), ""
            says = f"{says}, {how}" if says else how.capitalize()
        yield HandView(scene.laid(cards, marked), says=says, result=result, folded=folded)

    def table_hands(self, scene: Scene) -> Iterator[HandView]:
        """The dealer's hand, and cards that are common to all."""
        dealer = scene.pile("dealer")
        if dealer:
            whole = known(dealer)
            says = self.dealer_name(scene.rules, whole) if whole else ""
            marked = self.makes(scene.rules, whole) if whole else ()
            yield scene.hand(dealer, "dealer_cards", says, marked)

    def common_hands(self, rules: Rules, cards: VisibleCards) -> dict[int, Hand]:
        """Hands made of cards that all share, by number, where players wager on those."""
        return {}

    def common_hand(self, scene: Scene, box: Box, hand: HandView) -> HandView:
        """One of the hands that players wager on, as the player of a box sees it."""
        result, says = scene.result(box.seat, hand.number), hand.says
        if how := _GIVEN_UP.get(box.decisions.get(hand.number, ""), ""):
            says = f"{says}, {how}" if says else how.capitalize()
            return replace(hand, says=says, folded=True)
        whole = known(tuple(card.face for card in hand.cards))
        marked = self.makes(scene.rules, whole) if whole and result else ()
        laid = tuple(replace(card, marked=card.face in marked) for card in hand.cards)
        return replace(hand, cards=laid, result=result)

    def lights(self, rules: Rules) -> tuple[Light, ...]:
        """The lights of the card reader, where the game has one."""
        return ()

    def light(self, rules: Rules, table: Table) -> str:
        """The range whose light is on."""
        return ""

    # a recorded round

    def piles(self, round: Round, *, dealt: bool) -> dict[str, Hand]:
        """The cards of a round as they lie on the table; `dealt`: before anyone has acted."""
        return {
            **{seat_pile(seat.seat): seat.cards for seat in round.seats if seat.cards},
            "dealer": round.dealer,
        }

    def wagers(self, seat: Seat) -> Mapping[str, Cents]:
        """The wagers of a seat, by `ante@2` where it has several hands."""
        return seat.wagers

    def own_box(self, seat: Seat) -> OwnBox | None:
        """What the game keeps at the box of a seat whose round is settled."""
        return None

    def devices(self, round: Round) -> dict[str, Device]:
        """The devices of a settled round that show something."""
        return {}

    def is_dealt_face_up(self, pile: str) -> bool:
        """Whether everybody sees a pile when it is dealt."""
        return False

    # wagers and payouts

    def hand_areas(self, rules: Rules) -> tuple[tuple[str, int], ...]:
        """The areas for cards at each position, with the number of cards side by side."""
        return (("cards", rules.chapter.number("hand_cards")),)

    def common_areas(self, rules: Rules) -> Mapping[str, CommonArea]:
        """The areas for cards that all players share."""
        return {}

    def dealer_cards(self, rules: Rules) -> int:
        """How many cards lie side by side before the dealer."""
        return rules.chapter.number("hand_cards")

    def laid(self, box: Box) -> Mapping[str, Cents]:
        """The chips on the layout of a box, by wager, and by `ante@2` where it has several hands."""
        return box.layout

    def raises(self, wager: str) -> bool:
        """Whether a wager is laid beside the stake that it raises."""
        return False

    def cost(self, rules: Rules, box: Box, command: str, hand: int = 0) -> Cents:
        """What a decision puts on the layout: by default as much as the wager that it follows."""
        wager = rules.chapter.wagers.get(command)
        if wager is None or wager.made != "on_decision" or not wager.needs:
            return 0
        return box.wagers.get(key(wager.needs[0], hand), 0)

    def awards(self, rules: Rules, wager: str) -> tuple[Paytable, ...]:
        """Further columns of a wager's posted table, which the operator's rules fix."""
        return ()

    def area_name(self, law: Chapter, area: str) -> str:
        """The label of an area: its wager's name, or its own."""
        wager = law.wagers.get(area)
        return wager.name if wager else self.area_names.get(area, "")


PRESENTATION = Part("presentation", PresentationGame)
