"""How Down Under Blackjack is shown: totals, split hands, the reader's light."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from houseway.cards import RANKS, Card
from houseway.game_api.round import Round, Seat
from houseway.games.down_under import hands
from houseway.games.down_under.play import insurance_most
from houseway.games.down_under.seat import played as seat_played
from houseway.games.down_under.table.hands import current
from houseway.games.down_under.table.state import PlayedBox, played
from houseway.law import Rules
from houseway.money import Cents
from houseway.present.game import Light, PresentationGame
from houseway.present.scene import Hand, Scene
from houseway.present.view import HandView
from houseway.present.visible_cards import known
from houseway.table.moment import Moment
from houseway.table.state import Box, Device, Table, hand_pile, key


class DownUnderPresentation(PresentationGame):
    decisions = {
        "hit": "Hit", "stand": "Stand", "double": "Double", "split": "Split", "insure": "Insure",
        "decline_insurance": "No insurance", "take_even_money": "Even money",
        "refuse_card": "Refuse the card",
    }  # fmt: skip
    personal_decisions = frozenset({"insure", "take_even_money"})
    rare_decisions = ("split", "double", "insure", "take_even_money")
    pace = {"dealer_draws": 0.6, "read_hole_card": 0.6}
    unposted = frozenset({"even_money"})
    discards_stub = False

    def hand_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        return "Blackjack" if hands.is_blackjack(rules, cards) else self._total(rules, cards)

    def _total(self, rules: Rules, cards: Sequence[Card]) -> str:
        total, most = hands.player_total(rules, cards), rules.chapter.number("player_most")
        if total.points > most:
            return f"{total.points}, bust"
        return f"{'Soft ' if total.soft and total.points < most else ''}{total.points}"

    def dealer_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        if len(cards) < 2:
            return ""
        if hands.is_blackjack(rules, cards):
            return "Blackjack"
        return str(hands.dealer_total(rules, cards).points)

    def seat_hands(self, scene: Scene, box: Box) -> Iterator[HandView]:
        """One hand or two, of which one may act; the card of a double down lies across."""
        # an ace and a ten after a split are not a blackjack
        mine = played(box)
        name = self._total if mine.split else self.hand_name
        acting = None
        if mine.split and scene.table.phase == "deciding":
            acting = current(Moment(scene.table, "player"))
        for hand in (1, 2):
            cards = scene.pile(hand_pile(box.seat, hand))
            if not cards:
                continue
            faces = known(cards)
            laid = scene.laid(cards)
            if mine.doubled.get(hand) and len(laid) > 2:
                laid = (*laid[:2], replace(laid[2], sideways=True), *laid[3:])
            yield HandView(
                laid,
                says=name(scene.rules, faces) if faces else "",
                result=scene.result(box.seat, hand if mine.split else 0),
                active=acting == (box.seat, hand),
            )

    def table_hands(self, scene: Scene) -> Iterator[HandView]:
        """Up card and hole card; once it is read, the hole card lies in the area of its range."""
        up, hole = scene.pile("dealer"), scene.pile("hole")
        pile, lit = (*up[:1], *hole, *up[1:]), self.light(scene.rules, scene.table)
        if not pile:
            return
        if lit and hole and not known(hole):
            yield scene.hand(up, "dealer_cards")
            yield scene.hand(hole, lit, lit.capitalize())
            return
        faces = known(pile)
        says = self.dealer_name(scene.rules, faces) if faces else ""
        yield scene.hand(pile, lit or "dealer_cards", says)

    def lights(self, rules: Rules) -> tuple[Light, ...]:
        known_by = hands.numbers(rules)
        return tuple(
            Light(
                name,
                color,
                tuple(
                    rank
                    for rank, range in zip(RANKS, known_by.ranges, strict=True)
                    if range == name
                ),
            )
            for name, color in known_by.lights.items()
        )

    def light(self, rules: Rules, table: Table) -> str:
        reader = table.devices.get("reader")
        if reader is None or not reader.shows:
            return ""
        lights = hands.numbers(rules).lights
        return next((name for name, light in lights.items() if reader.shows == light), "")

    def devices(self, round: Round) -> dict[str, Device]:
        if len(round.dealer) < 2:
            return {}
        return {"reader": Device("reader", shows=hands.light(round.rules, round.dealer[1]))}

    def piles(self, round: Round, *, dealt: bool) -> dict[str, Hand]:
        found: dict[str, Hand] = {}
        for seat in round.seats:
            if dealt:
                # a pair that was split later lies as one hand
                split = len(seat_played(seat).hands) > 1
                pair = tuple(
                    card
                    for hand in seat_played(seat).hands
                    for card in hand.cards[: 1 if split else 2]
                )
                found[hand_pile(seat.seat, 1)] = pair
            else:
                for number, hand in enumerate(seat_played(seat).hands, 1):
                    found[hand_pile(seat.seat, number)] = hand.cards
        up, hole, draws = round.dealer[:1], round.dealer[1:2], round.dealer[2:]
        return {**found, "dealer": up if dealt else (*up, *draws), "hole": hole}

    def own_box(self, seat: Seat) -> PlayedBox:
        hands = seat_played(seat).hands
        doubled = {at: hand.doubled for at, hand in enumerate(hands, 1) if hand.doubled}
        return PlayedBox(split=len(hands) > 1, doubled=doubled)

    def is_dealt_face_up(self, pile: str) -> bool:
        return pile != "hole"

    def laid(self, box: Box) -> Mapping[str, Cents]:
        """After a split the bet lies by the first hand and the wager that split it by the second."""
        if not played(box).split:
            return box.layout
        by_hand = {"bet": key("bet", 1), "split": key("split", 2)}
        return {by_hand.get(name, name): amount for name, amount in box.layout.items()}

    def raises(self, wager: str) -> bool:
        return wager == "double"

    def cost(self, rules: Rules, box: Box, command: str, hand: int = 0) -> Cents:
        if command == "insure":
            return insurance_most(rules, box.wagers.get("bet", 0))
        return super().cost(rules, box, command, hand)


GAME: PresentationGame = DownUnderPresentation()
