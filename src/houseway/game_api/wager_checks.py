"""Checks of wagers and cards that hold in every chapter, made before anything is settled.

A wager must be offered, be payable in chips at every posted payout, lie within the posted limits,
and stand beside the standard wager that its chapter requires. Hands must have as many cards as the
chapter deals, and no card may be in two places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from houseway.cards import JOKER, Card
from houseway.errors import Refused, choose_from
from houseway.game_api.round import Round, Wagers, hashable
from houseway.law import DOWN_UNDER, MA, MD, SAIGON, Rules, cites
from houseway.law.chapter import Wager
from houseway.money import Cents, cents, spoken


def check_amount(rules: Rules, wager: str, amount: Cents) -> None:
    """One wager by itself: offered, in chips, payable, within its limits."""
    rules.remembering(_check_amount)(wager, amount)


@cites(MD, "7.F")
def _offered(rules: Rules, wager: str) -> Wager:
    """A wager of the game that these rules offer; no others are taken."""
    known = rules.chapter.wagers.get(wager)
    if known is None:
        raise Refused(
            "wager_not_offered",
            f"there is no wager {wager} in this game",
            remedy=choose_from(wager, [id for id in rules.chapter.wagers if rules.offers(id)]),
            field=f"wagers.{wager}",
        )
    if not rules.offers(wager):
        raise Refused(
            "wager_not_offered",
            f"{known.name} is not offered under these rules",
            clause=known.clause,
            field=f"wagers.{wager}",
        )
    return known


def _check_amount(rules: Rules, wager: str, amount: Cents) -> None:
    known = _offered(rules, wager)
    if amount <= 0:
        raise Refused(
            "no_wager",
            f"{known.name} needs an amount",
            clause=known.clause,
            field=f"wagers.{wager}",
        )
    if amount % rules.chip_unit:
        raise Refused(
            "not_in_chips",
            f"{spoken(amount)} on {known.name} is not a multiple of {spoken(rules.chip_unit)}, "
            "the smallest chip",
            field=f"wagers.{wager}",
        )
    step = rules.step(wager)
    if amount % step:
        raise Refused(
            "not_payable",
            f"{spoken(amount)} on {known.name} could not be paid exactly; "
            f"wager a multiple of {spoken(step)}",
            clause=rules.tables(wager)[0].clause,
            field=f"wagers.{wager}",
        )
    limit = rules.limits.get(wager)
    if limit is not None:
        if limit.min is not None and amount < limit.min:
            raise Refused(
                "below_minimum",
                f"{spoken(amount)} on {known.name} is below the minimum of {spoken(limit.min)}",
                clause=known.clause,
                field=f"wagers.{wager}",
            )
        if limit.max is not None and amount > limit.max:
            raise Refused(
                "above_maximum",
                f"{spoken(amount)} on {known.name} is above the maximum of {spoken(limit.max)}",
                clause=known.clause,
                field=f"wagers.{wager}",
            )
    if known.kind == "progressive":
        allowed = rules.chapter.about.facts.get("progressive_stakes")
        if allowed is not None and isinstance(allowed.value, tuple):
            amounts = [cents(str(text)) for text in allowed.value]
            if amount not in amounts:
                raise Refused(
                    "stake_not_allowed",
                    f"{known.name} is {' or '.join(map(spoken, amounts))}, not {spoken(amount)}",
                    clause=allowed.clause,
                    field=f"wagers.{wager}",
                )


def check_wagers(rules: Rules, wagers: Mapping[str, Cents]) -> None:
    """The wagers of one position before the deal."""
    rules.remembering(_check_wagers)(hashable(wagers))


def _check_wagers(rules: Rules, wagers: Wagers) -> None:
    if not wagers:
        raise Refused("no_wager", "no wager was made", field="wagers")
    for wager, amount in wagers.items():
        check_amount(rules, wager, amount)
    for wager in wagers:
        known = rules.chapter.wagers[wager]
        if known.needs and not any(other in wagers for other in known.needs):
            names = " or ".join(rules.chapter.wagers[other].name for other in known.needs)
            raise Refused(
                "standard_wager_missing",
                f"{known.name} may be made only beside {names}",
                clause=known.needs_clause or known.clause,
                field=f"wagers.{wager}",
            )


def check_cards(
    hand: Sequence[Card], count: int, whose: str, *, clause: str, field: str = "cards"
) -> None:
    """A hand has as many cards as the chapter deals."""
    if len(hand) != count:
        raise Refused(
            "wrong_number_of_cards",
            f"{whose} has {len(hand)} cards where {count} are dealt",
            clause=clause,
            field=field,
        )


@cites(MD, "3.A", "3.A(1)")
@cites(MA, "2(a)")
@cites(SAIGON, "680a.3(a)")
@cites(DOWN_UNDER, "685a.3(a)")
def check_pack(
    places: Iterable[tuple[Card, int | None, str]],
    *,
    of_each: int,
    joker: bool,
    clause: str | None = None,
) -> None:
    """Refuse a card that is out more often than the pack has it; `places` says where each was found."""
    found = list(places)
    distinct = {card for card, _, _ in found}
    if len(distinct) == len(found) and (joker or JOKER not in distinct):
        return
    seen: dict[int, int] = {}
    for card, seat, field in found:
        seen[card] = seen.get(card, 0) + 1
        if card.is_joker and not joker:
            raise Refused(
                "card_not_in_deck",
                "this game has no joker",
                clause=clause,
                seat=seat,
                field=field,
            )
        most = 1 if card.is_joker else of_each
        if seen[card] > most:
            times = "once" if most == 1 else f"{most} times"
            raise Refused(
                "card_twice",
                f"the {card.name} appears {seen[card]} times; the deck has it {times}",
                clause=clause,
                seat=seat,
                field=field,
            )


def check_hands(
    hands: Sequence[tuple[Sequence[Card], int | None, str]],
    *,
    of_each: int,
    joker: bool,
    clause: str | None = None,
) -> None:
    """Refuse a card that is out more often than the pack has it; each hand comes with its place."""
    every = list(chain.from_iterable([cards for cards, _, _ in hands]))
    distinct = set(every)
    if len(distinct) == len(every) and (joker or JOKER not in distinct):
        return
    counts = Counter(every)
    if counts.get(JOKER, 0) > joker or max(counts.values(), default=0) > of_each:
        places = [(card, seat, field) for cards, seat, field in hands for card in cards]
        check_pack(places, of_each=of_each, joker=joker, clause=clause)


def check_boxes(rules: Rules, boxes: Iterable[tuple[int, str]]) -> None:
    """Refuse unknown or repeated seats, and boxes of one player that are too many or not adjacent."""
    rules.remembering(_check_boxes)(tuple(boxes))


def _check_boxes(rules: Rules, boxes: tuple[tuple[int, str], ...]) -> None:
    seats = rules.chapter.fact("seats")
    most_seats = rules.chapter.number("seats")
    by_player: dict[str, list[int]] = {}
    seen: set[int] = set()
    for seat, player in boxes:
        if not 1 <= seat <= most_seats:
            raise Refused(
                "no_such_seat",
                f"seats run from 1 to {most_seats}",
                clause=seats.clause,
                seat=seat,
                field="seat",
            )
        if seat in seen:
            raise Refused("seat_twice", f"seat {seat} is listed twice", seat=seat, field="seat")
        seen.add(seat)
        if player:
            by_player.setdefault(player, []).append(seat)
    allowed = rules["adjacent_boxes"]
    clause = rules.chapter.options["adjacent_boxes"].clause
    for player, theirs in by_player.items():
        if len(theirs) > allowed:
            raise Refused(
                "too_many_boxes",
                f"{player} wagers on {len(theirs)} boxes where {allowed} are allowed",
                clause=clause,
                seat=max(theirs),
                field="player",
            )
        if max(theirs) - min(theirs) >= len(theirs):
            raise Refused(
                "boxes_not_adjacent",
                f"the boxes of {player} are not adjacent",
                clause=clause,
                seat=max(theirs),
                field="player",
            )


def check_fields(round: Round, *used: str) -> None:
    """Refuse community cards, or a seat's cards or decision, in a game that has none."""
    if round.community and "community" not in used:
        raise Refused("not_in_this_game", "this game has no community cards", field="community")
    unused = [field for field in ("cards", "decision") if field not in used]
    for seat in round.seats:
        for field in unused:
            if getattr(seat, field):
                raise not_in_this_game(field, seat.seat)


def not_in_this_game(field: str, seat: int) -> Refused:
    """The refusal of a field that only other games have."""
    return Refused("not_in_this_game", f"this game has no {field}", seat=seat, field=field)
