"""How the three-card games are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from houseway.cards import Card
from houseway.game_api.round import Round, Seat
from houseway.games.three_card import hands
from houseway.games.three_card.seats import electronic_hands, fourth_card
from houseway.law import Pay, Paytable, Rules
from houseway.money import Cents, odds
from houseway.present.game import CommonArea, PresentationGame
from houseway.present.scene import Hand, Scene
from houseway.present.view import HandView
from houseway.present.visible_cards import VisibleCards, known
from houseway.table.state import Box, key, seat_pile

#: facts of a chapter with community cards, and the areas of the layout where those lie
_COMMUNITY, _ELECTRONIC = "five_card_community", "electronic_community"


class ThreeCardPresentation(PresentationGame):
    """Three cards each; community cards, a fourth card and the electronic version where offered."""

    area_names = {"fourth_card": "Fourth card"}
    decisions = {"play": "Play", "fold": "Fold", "forfeit_unseen": "Forfeit unseen"}
    unposted = frozenset({"coupon"})
    columns = {("pair_bonus", "not_2"): "4th card not a 2", ("pair_bonus", "*"): "4th card a 2"}
    cases = {("play", "not_qualified"): "Dealer does not qualify"}

    def hand_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        return hands.name(cards).capitalize() if len(cards) == 3 else ""

    def makes(self, rules: Rules, cards: Sequence[Card]) -> Collection[Card]:
        """Every card of a hand; of a pair the two; of a high card none."""
        if len(cards) != 3:
            return ()
        rank = hands.rank(hands.value(cards))
        if rank == hands.PAIR:
            counts = Counter(card.rank for card in cards)
            return [card for card in cards if counts[card.rank] == 2]
        return () if rank == hands.HIGH_CARD else cards

    def seat_hands(self, scene: Scene, box: Box) -> Iterator[HandView]:
        yield from super().seat_hands(scene, box)
        if fourth := scene.pile(f"fourth.{box.seat}"):
            yield scene.hand(fourth, "fourth_card")

    def table_hands(self, scene: Scene) -> Iterator[HandView]:
        yield from super().table_hands(scene)
        for number, cards in self.common_hands(scene.rules, scene.cards).items():
            if cards:
                whole = known(cards)
                says = self.hand_name(scene.rules, whole) if whole else ""
                hand = scene.hand(cards, f"{_ELECTRONIC}_{number}", says)
                yield replace(hand, number=number)
        common = scene.pile("community")
        if common and not scene.rules.options.get("electronic"):
            yield scene.hand(common, _COMMUNITY)

    def common_hands(self, rules: Rules, cards: VisibleCards) -> dict[int, Hand]:
        """The hands that the community cards make in the electronic version."""
        if not rules.options.get("electronic"):
            return {}
        size, common = rules.chapter.number("hand_cards"), cards.get("community", ())
        return {
            at // size + 1: common[at : at + size]
            for at in range(0, rules.chapter.number(_ELECTRONIC), size)
        }

    def wagers(self, seat: Seat) -> Mapping[str, Cents]:
        return seat.wagers or {
            key(wager, hand.number): amount
            for hand in electronic_hands(seat)
            for wager, amount in hand.wagers.items()
        }

    def piles(self, round: Round, *, dealt: bool) -> dict[str, Hand]:
        found = super().piles(round, dealt=dealt)
        for seat in round.seats:
            if (fourth := fourth_card(seat)) is not None:
                found[f"fourth.{seat.seat}"] = (fourth,)
            if not seat.cards and seat.decision == "forfeit":
                # given up unseen: nobody knows the cards
                unseen = (None,) * round.rules.chapter.number("hand_cards")
                found[seat_pile(seat.seat)] = unseen
        return {**found, "community": round.community}

    def hand_areas(self, rules: Rules) -> tuple[tuple[str, int], ...]:
        if rules.options.get("electronic"):
            return ()
        return (*super().hand_areas(rules), ("fourth_card", 1))

    def common_areas(self, rules: Rules) -> Mapping[str, CommonArea]:
        facts, size = rules.chapter.about.facts, rules.chapter.number("hand_cards")
        found = {}
        if _COMMUNITY in facts:
            found[_COMMUNITY] = CommonArea("Community", rules.chapter.number(_COMMUNITY))
        if _ELECTRONIC in facts:
            hands = rules.chapter.number(_ELECTRONIC) // size
            found[_ELECTRONIC] = CommonArea("Hand", size, hands)
        return found

    def awards(self, rules: Rules, wager: str) -> tuple[Paytable, ...]:
        """The five-card envy awards that the Rules Submission names, a column for each stake."""
        awards = rules.options.get("five_card_envy")
        if wager != "five_card_progressive" or not isinstance(awards, dict):
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


GAME: PresentationGame = ThreeCardPresentation()
