"""How Saigon 5 Card is shown: five cards set into three and two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from houseway.cards import Card, card
from houseway.errors import Refused
from houseway.game_api.round import Round
from houseway.games.saigon.hands import values
from houseway.games.saigon.settlement import setting
from houseway.law import SAIGON, Rules, cites
from houseway.present.game import Arrangement, PresentationGame
from houseway.present.scene import Hand, Scene
from houseway.present.view import HandView
from houseway.present.visible_cards import known
from houseway.table.state import Box, seat_pile

_THREE, _TWO = "three_card_hand", "showdown_hand"


class SaigonPresentation(PresentationGame):
    area_names = {_THREE: "Three-card hand", _TWO: "Showdown hand"}
    prompts = {"set_hands": "set (best, or name your three)"}
    arrangement = Arrangement("set_hands", (("Three cards", "three", 3), ("Showdown", "two", 2)))

    def typed_fields(self, held: Sequence[str], name: str, words: Sequence[str]) -> dict[str, Any]:
        """The three cards that were named and the two others; nothing: the best setting."""
        named = words[1:] if words and words[0][:2] in ("se", "be") else words
        if not named:
            return {}
        three = tuple(str(card(word[:1].upper() + word[1:])) for word in named)
        if len(three) != 3 or set(three) - set(held):
            raise Refused("not_these_cards", f"name three of {' '.join(held)}; the others are two")
        return {"three": three, "two": tuple(one for one in held if one not in three)}

    def hand_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        """The three cards or the showdown hand; five that are not set yet are neither."""
        law = rules.chapter
        if len(cards) == law.number("three_cards"):
            return "Qualifies" if values(law).qualifies(cards) else "No qualifier"
        if len(cards) == law.number("showdown_cards"):
            return f"Count {values(law).point_count(cards)}"
        return ""

    def dealer_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        if len(cards) != rules.chapter.number("hand_cards"):
            return ""
        best = values(rules.chapter).best(cards)
        return f"Qualifies, count {best.point_count}" if best.qualifies else "Does not qualify"

    @cites(SAIGON, "680a.11(b)")
    def seat_hands(self, scene: Scene, box: Box) -> Iterator[HandView]:
        """Cards as they are set; three that qualify are highlighted once they are settled."""
        held, size = scene.pile(seat_pile(box.seat)), scene.rules.chapter.number("three_cards")
        if held:
            yield scene.hand(held[:size], _THREE)
            if held[size:]:
                yield scene.hand(held[size:], _TWO)
        three, two = scene.pile(f"three.{box.seat}"), scene.pile(f"two.{box.seat}")
        if three:
            faces = known(three)
            qualifies = bool(faces) and values(scene.rules.chapter).qualifies(faces)
            marked = faces if qualifies and scene.is_settled(box.seat) else ()
            says = self.hand_name(scene.rules, faces) if faces else ""
            yield scene.hand(three, _THREE, says, marked)
        if two:
            faces = known(two)
            says = self.hand_name(scene.rules, faces) if faces else ""
            yield HandView(scene.laid(two), _TWO, says, scene.result(box.seat))

    @cites(SAIGON, "680a.11(b)")
    def table_hands(self, scene: Scene) -> Iterator[HandView]:
        """The dealer's cards lie as they are set once all five are seen."""
        dealer = scene.pile("dealer")
        if not dealer:
            return
        faces = known(dealer)
        if len(faces) != scene.rules.chapter.number("hand_cards"):
            yield scene.hand(dealer, "dealer_cards")
            return
        best = values(scene.rules.chapter).best(faces)
        marked = best.three if best.qualifies else ()
        says = self.dealer_name(scene.rules, faces)
        yield scene.hand((*best.three, *best.two), "dealer_cards", says, marked)

    def piles(self, round: Round, *, dealt: bool) -> dict[str, Hand]:
        found: dict[str, Hand] = {"dealer": round.dealer}
        for seat in round.seats:
            mine = setting(round.rules.chapter, seat)
            found[f"three.{seat.seat}"], found[f"two.{seat.seat}"] = mine.three, mine.two
        return found

    def hand_areas(self, rules: Rules) -> tuple[tuple[str, int], ...]:
        law = rules.chapter
        return ((_THREE, law.number("three_cards")), (_TWO, law.number("showdown_cards")))


GAME: PresentationGame = SaigonPresentation()
