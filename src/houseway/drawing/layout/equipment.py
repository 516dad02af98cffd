"""Where the devices stand: on the dealer's strip, and on the table's side."""

from __future__ import annotations

from houseway.drawing.layout.geometry import BACK, Box, between
from houseway.drawing.layout.places import Kind, Place
from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, Rules, cites
from houseway.law.required import required_equipment


@cites(MD, "2.C(1)", "2.C(2)", "2.D", "2.D(1)", "2.D(2)")
@cites(PRIME, "679a.2(c)", "679a.2(d)")
@cites(SAIGON, "680a.2(c)", "680a.2(d)")
@cites(DOWN_UNDER, "685a.2(c)", "685a.2(e)")
def devices(rules: Rules) -> tuple[Place, ...]:
    """What stands on the dealer's strip, and the boxes on the table's side.

    The dealing shoe is at the dealer's left, the discard rack at the right, as the words of every
    chapter assume when they speak of the hand that is closest to the shoe.
    """
    asked = required_equipment(rules)
    top, foot = -BACK + 6, -14.0
    placed = [_device("inventory_container", between(-262, top, 262, foot), asked,
                      "the dealer's tray", "Chips")]  # fmt: skip
    right, left = 276.0, -276.0

    def to_the_right(id: str, size: float, says: str, label: str, tall: float = 128) -> None:
        nonlocal right
        box = between(right, top, right + size, top + tall)
        placed.append(_device(id, box, asked, says, label))
        right += size + 12

    def to_the_left(id: str, size: float, says: str, label: str, tall: float = 128) -> None:
        nonlocal left
        box = between(left - size, top, left, top + tall)
        placed.append(_device(id, box, asked, says, label))
        left -= size + 12

    if "card_reader" in asked:
        to_the_right("card_reader", 96, "", "Reader")
    dealing = rules["dealing"]
    if dealing in ("manual_shoe", "shoe"):
        to_the_right("dealing_shoe", 196, "the dealing shoe", "Shoe", 104)
    elif dealing == "hand":
        to_the_right("stub", 76, "the deck, when it is not in the dealer's hand", "Deck", 104)
    else:
        continuous = dealing == "continuous_shuffler"
        label = "Continuous shuffler" if continuous else "Dealing shoe"
        does = "shuffles and deals" if continuous else "dispenses the cards in stacks"
        if continuous:  # it stands in for the shoe
            choices = rules.chapter.options["dealing"].choices
            clause = next(choice.clause for choice in choices if choice.value == dealing)
            asked["dealing_shoe"] = (does, clause)
        to_the_right("dealing_shoe", 214, does, label)
    if dealing != "continuous_shuffler":  # whose cards are not cut
        to_the_right("cover_card", 70, "the cover card", "Cover card", 96)
    to_the_left("discard_rack", 92, "", "Discards")
    if rules["shuffler"] != "none" or "cover_all_shuffler" in asked:
        to_the_left("shuffler", 178, "the automated shuffling device", "Shuffler")
    if "progressive_control" in asked:
        to_the_left("progressive_control", 84, "", "Progressive")
        to_the_right("progressive_meter", 172, "the progressive display", "Progressive")
    if rules.limits:
        to_the_left("limits", 112, "least and greatest wagers", "Limits")
    for id, x in (("drop_box", -395.0), ("tip_box", 395.0)):
        wide = 132 if id == "drop_box" else 96
        box = Box(x, -BACK - 34, wide, 56)
        label = "Drop box" if id == "drop_box" else "Tips"
        says = "takes cash and vouchers" if id == "drop_box" else "takes the dealers' tips"
        placed.append(_device(id, box, asked, says, label, "box"))
    return tuple(placed)


def _device(
    id: str,
    box: Box,
    asked: dict[str, tuple[str, str]],
    says: str,
    label: str,
    kind: Kind = "device",
) -> Place:
    why, clause = asked.get(id, ("", ""))
    if id == "shuffler" and not clause:
        why, clause = asked.get("cover_all_shuffler", ("", ""))
    return Place(id, kind, box, label, why or says, clause)
