"""A round as it is settled, turned into a view of the table: what `draw --round` shows.

With a settlement everything lies open, as when the dealer pays. Without one the cards lie as they
were dealt: a player sees the own hand, everybody else backs. The public is told no names; the floor
is told what each seat has at stake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from houseway.cards import Card
from houseway.drawing.hand_names import dealer_words, hand_words
from houseway.drawing.view import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    Result,
    Role,
    SeatView,
    TableView,
)
from houseway.game_api.round import Line, Round, Seat, SeatResult, Settlement
from houseway.games.down_under import hands as blackjack
from houseway.games.saigon.hands import values
from houseway.games.saigon.settlement import setting
from houseway.games.three_card import hands as three_card
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.money import Cents, spoken

#: where the chips of a bonus are laid that has no stake of its own
_LAID_ON = {
    "ante_bonus": "ante", "coupon": "ante", "bad_beat": "play", "envy": "progressive",
    "even_money": "bet",
}  # fmt: skip
_RESULTS: dict[str, Result] = {
    "win": "win", "lose": "lose", "push": "push", "returned": "push", "forfeit": "lose",
}  # fmt: skip


def round_view(
    round: Round,
    settled: Settlement | None = None,
    *,
    seen_by: Role = "public",
    own: int | None = None,
) -> TableView:
    """The table as one reader sees it: before anyone has acted, or when everything is settled."""
    open_cards = settled is not None
    hands = _SEAT_HANDS[round.rules.chapter.id]
    seats = []
    for seat in sorted(round.seats, key=lambda seat: seat.seat):
        result = settled.seat(seat.seat) if settled else None
        seen = open_cards or (seen_by == "seat" and own == seat.seat)
        seats.append(
            SeatView(
                seat.seat,
                player="" if seen_by == "public" else seat.player,
                hands=tuple(hands(round, seat, result, seen)),
                chips=tuple(_chips(seat, result)),
                sensed=tuple(wager for wager in seat.wagers if wager.endswith("progressive")),
                note=_staked(seat) if result is None and seen_by == "floor" else _net(result),
            )
        )
    meters = {
        name: settled.meters[name].shows if settled and name in settled.meters else shown
        for name, shown in round.meters.items()
    }
    return TableView(
        seats=tuple(seats),
        table=tuple(_table_hands(round, open_cards)),
        devices=_devices(round, open_cards),
        meters=tuple(MeterView(name, amount) for name, amount in meters.items()),
        seen_by=seen_by,
        own=own,
    )


def _staked(seat: Seat) -> str:
    amounts = [*seat.wagers.values(), *(a for hand in seat.hands for a in hand.wagers.values())]
    return f"{spoken(sum(amounts))} at stake"


def _net(result: SeatResult | None) -> str:
    if result is None:
        return ""
    if result.net == 0:
        return "even"
    return f"{'+' if result.net > 0 else '−'}{spoken(abs(result.net))}"


# ---- hands ----------------------------------------------------------------------------------


def _shown(cards: Sequence[Card], seen: bool, marked: Sequence[Card] = ()) -> tuple[CardView, ...]:
    if not seen:
        return tuple(CardView() for _ in cards)
    return tuple(CardView(card, marked=card in marked) for card in cards)


def _makes(cards: Sequence[Card]) -> Sequence[Card]:
    """The cards that make a three-card hand what it is; none for a high card."""
    rank = three_card.rank(three_card.value(cards))
    if rank == three_card.PAIR:
        counts = Counter(card.rank for card in cards)
        return [card for card in cards if counts[card.rank] == 2]
    return () if rank == three_card.HIGH_CARD else cards


def _result(lines: Sequence[Line], *wagers: str, hand: int | None = None) -> Result:
    """What became of the first of these wagers that was made."""
    for wager in wagers:
        for line in lines:
            if line.wager == wager and line.hand == hand:
                return _RESULTS.get(line.result, "")
    return ""


def _three(round: Round, seat: Seat, result: SeatResult | None, seen: bool) -> Iterator[HandView]:
    """Maryland, Massachusetts, Prime."""
    lines = result.lines if result else ()
    folded = seat.decision in ("fold", "forfeit") and result is not None
    if not seat.cards:
        # given up unseen; or the electronic version, where all cards are common
        if seat.decision == "forfeit":
            count = round.rules.chapter.number("hand_cards")
            yield HandView((CardView(),) * count, folded=True, says="Forfeited")
        return
    name = hand_words(round.rules, seat.cards)
    yield HandView(
        _shown(seat.cards, seen, _makes(seat.cards) if result else ()),
        says=f"{name}, folded" if folded else name if seen else "",
        result="" if folded else _result(lines, "play", "ante", "pair_plus"),
        folded=folded,
    )
    if seat.fourth is not None:
        yield HandView(_shown([seat.fourth], result is not None), place="fourth_card")


def _saigon(round: Round, seat: Seat, result: SeatResult | None, seen: bool) -> Iterator[HandView]:
    if not seen:
        yield HandView(_shown(seat.cards[:3], False), place="three_card_hand")
        yield HandView(_shown(seat.cards[3:], False), place="showdown_hand")
        return
    mine = setting(round.rules.chapter, seat)
    lines = result.lines if result else ()
    yield HandView(
        _shown(mine.three, True, mine.three if mine.qualifies and result else ()),
        place="three_card_hand",
        says=hand_words(round.rules, mine.three),
    )
    yield HandView(
        _shown(mine.two, True),
        place="showdown_hand",
        says=hand_words(round.rules, mine.two),
        result=_result(lines, "ante"),
    )


def _blackjack(
    round: Round, seat: Seat, result: SeatResult | None, seen: bool
) -> Iterator[HandView]:
    """Players' cards are dealt face up to everybody."""
    del seen
    lines = result.lines if result else ()
    split = len(seat.hands) > 1
    for number, hand in enumerate(seat.hands, 1):
        cards = [
            CardView(card, sideways=bool(hand.doubled) and at == 2)
            for at, card in enumerate(hand.cards)
        ]
        which = number if split else None
        yield HandView(
            tuple(cards if result else cards[:2]),
            says=hand_words(round.rules, hand.cards if result else hand.cards[:2], split=split),
            result=_result(lines, "bet", "split", hand=which),
        )


_SEAT_HANDS: Mapping[str, Callable[[Round, Seat, SeatResult | None, bool], Iterator[HandView]]] = {
    MD: _three,
    MA: _three,
    PRIME: _three,
    SAIGON: _saigon,
    DOWN_UNDER: _blackjack,
}


def _table_hands(round: Round, seen: bool) -> Iterator[HandView]:
    """The dealer's hand and the community cards."""
    rules, dealer = round.rules, round.dealer
    says = dealer_words(rules, dealer)
    if rules.chapter.id == DOWN_UNDER:
        yield _dealers_blackjack(round, seen)
    elif rules.chapter.id == SAIGON:
        best = values(rules.chapter).best(dealer)
        cards = (*best.three, *best.two) if seen else dealer
        marked = best.three if best.qualifies else ()
        yield HandView(_shown(cards, seen, marked), "dealer_cards", says if seen else "")
    else:
        yield HandView(_shown(dealer, seen, _makes(dealer)), "dealer_cards", says if seen else "")
    if rules.options.get("electronic"):
        for hand in range(3):
            cards = round.community[hand * 3 : hand * 3 + 3]
            name = hand_words(rules, cards)
            yield HandView(
                _shown(cards, seen), f"electronic_community_{hand + 1}", name if seen else ""
            )
    elif round.community:
        yield HandView(_shown(round.community, seen), "five_card_community")


def _dealers_blackjack(round: Round, seen: bool) -> HandView:
    """Up card and hole card; the hand lies in the area of the hole card's range once it is read."""
    dealer = round.dealer
    if not seen or len(dealer) < 2:
        return HandView((CardView(dealer[0]), CardView()), "dealer_cards")
    says = dealer_words(round.rules, dealer)
    return HandView(_shown(dealer, True), blackjack.value_range(round.rules, dealer[1]), says)


# ---- chips and devices ----------------------------------------------------------------------


def _chips(seat: Seat, result: SeatResult | None) -> Iterator[ChipsView]:
    """Each area's stake and what became of it; several hands of one seat stay apart."""
    if result is None:
        for wager, amount in seat.wagers.items():
            yield ChipsView(wager, amount)
        for hand in seat.hands:
            for wager, amount in hand.wagers.items():
                yield ChipsView(wager, amount, hand=hand.number)
        return
    staked: dict[tuple[str, int], list[Line]] = {}
    paid: dict[tuple[str, int], Cents] = {}
    for line in result.lines:
        area = _LAID_ON.get(line.wager, line.wager)
        spot = area, line.hand or 0
        if line.stake:
            staked.setdefault(spot, []).append(line)
        if line.paid:
            paid[spot] = paid.get(spot, 0) + line.paid
    for spot in dict.fromkeys((*staked, *paid)):
        area, number = spot
        for line in staked.get(spot, ()):
            state = {"lose": "collected", "forfeit": "collected", "push": "returned",
                     "returned": "returned"}.get(line.result, "placed")  # fmt: skip
            yield ChipsView(area, line.stake, state, number)  # type: ignore[arg-type]
        if spot in paid:
            yield ChipsView(area, paid[spot], "paid", number)


def _devices(round: Round, seen: bool) -> DevicesView:
    rules = round.rules
    dealt = len(round.dealer) + len(round.community)
    for seat in round.seats:
        dealt += len(seat.cards) + (seat.fourth is not None)
        dealt += sum(len(hand.cards) for hand in seat.hands)
    if rules.chapter.id == DOWN_UNDER:
        lit = seen and len(round.dealer) > 1
        light = blackjack.value_range(rules, round.dealer[1]) if lit else ""
        return DevicesView(light=light)  # type: ignore[arg-type]
    # the stub went to the discard rack after the deal
    return DevicesView(stub=0, discards=rules.chapter.number("deck_cards") - dealt, locked=True)
