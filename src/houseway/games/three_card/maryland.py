"""Three Card Poker in Maryland, version 1.4: which wagers stand and how each is settled.

Settled from the dealer's right, player by player: ante and play, ante bonus, Pair Plus, the
three-card progressive and its envy bonus, the Six Card Bonus, the five-card progressive.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from houseway.errors import Refused
from houseway.game_api import poker
from houseway.game_api.payouts import pay_wager
from houseway.game_api.round import (
    Line,
    Meters,
    Round,
    Seat,
    Settlement,
    Wagers,
    hashable,
    player_of,
    settlement,
)
from houseway.game_api.wager_checks import check_boxes, check_cards, check_fields, check_hands
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.poker_settlement import (
    AnteClauses,
    Held,
    Position,
    ante_and_play,
    ante_bonus,
    check_position,
    envy,
    held_hands,
    qualifies,
    relation,
    six_card_names,
)
from houseway.games.three_card.seats import ElectronicHand, electronic_fields, electronic_hands
from houseway.law import MD, Pay, Paytable, Rules, cites
from houseway.money import Cents, cents, dollars, odds

CLAUSES = AnteClauses(
    folded="11.B",
    not_qualified="11.D(3)(c)",
    lower="11.D(3)(d)(i)",
    higher="11.D(3)(d)(ii)",
    tie="11.D(3)(d)(iii)",
)
seat_fields = electronic_fields
settled_wagers = (
    "ante", "play", "pair_plus", "six_card_bonus", "progressive", "five_card_progressive",
)  # fmt: skip


@cites(MD, "11.D(9)(c)", "11.F", "11.F(1)", "11.F(2)")
def positions(round: Round) -> list[Position]:
    """Every hand in play, in the order of settlement."""
    found = []
    electronic = round.rules["electronic"]
    for seat in round.in_order_of_settlement():
        for hand in electronic_hands(seat) if electronic else (seat,):
            number, cards = None, seat.cards
            five: tuple[str, ...] = ()
            if isinstance(hand, ElectronicHand):
                number = hand.number
                cards = round.community[3 * number - 3 : 3 * number]
            elif round.community:
                five = (poker.best_five((*cards, *round.community)),)
            value = three_card.value(cards)
            names = three_card.outcomes(cards, value)
            found.append(
                Position(
                    seat.seat,
                    player_of(seat),
                    number,
                    hand.wagers,
                    cards,
                    hand.decision,
                    value,
                    names,
                    five,
                )
            )
    return found


def check(round: Round) -> None:
    """Refuse a round that could not have been dealt or wagered under these rules."""
    rules = round.rules
    law = rules.chapter
    size = law.number("hand_cards")
    dealt = law.fact("hand_cards").clause
    check_fields(round, "cards", "decision", "community")
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    check_cards(round.dealer, size, "the dealer", clause=dealt, field="dealer")
    for seat in round.seats:
        try:
            if rules["electronic"]:
                _check_electronic(rules, seat)
            else:
                if electronic_hands(seat):
                    raise Refused(
                        "wrong_number_of_hands",
                        "hands are wagered on in the electronic version only",
                        clause="11.F",
                        field="hands",
                    )
                check_position(
                    rules, seat.wagers, seat.decision, clauses=CLAUSES, equal_clause="7.F(1)"
                )
                check_cards(seat.cards, size, "the player", clause=dealt)
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    _check_community(round)
    check_hands(
        [
            (round.dealer, None, "dealer"),
            *[(seat.cards, seat.seat, "cards") for seat in round.seats],
            (round.community, None, "community"),
        ],
        of_each=1,
        joker=False,
        clause=law.fact("decks").clause,
    )


def _check_electronic(rules: Rules, seat: Seat) -> None:
    hands = electronic_hands(seat)
    if seat.cards or seat.wagers or seat.decision or not hands:
        raise Refused(
            "wrong_number_of_hands",
            "in the electronic version a player wagers on hands 1 to 3 of the community cards: "
            "list them under hands, each with its wagers and decision",
            clause="11.F(2)",
            field="hands",
        )
    numbers = [hand.number for hand in hands]
    if len(set(numbers)) != len(numbers) or not set(numbers) <= {1, 2, 3}:
        raise Refused(
            "wrong_number_of_hands",
            "the community cards make hands 1, 2 and 3, each wagered on once at most",
            clause="11.F(2)",
            field="hands",
        )
    for hand in hands:
        try:
            check_position(
                rules, hand.wagers, hand.decision, clauses=CLAUSES, equal_clause="7.F(1)"
            )
        except Refused as refusal:
            refusal.field = f"hands.{hand.number}.{refusal.field}"
            raise


@cites(MD, "8.E(2)", "9.C(4)", "10.B(6)", "11.F(2)")
def _check_community(round: Round) -> None:
    rules = round.rules
    wanted = any("five_card_progressive" in seat.wagers for seat in round.seats)
    if rules["electronic"]:
        fact = rules.chapter.fact("electronic_community")
        count = rules.chapter.number("electronic_community")
    else:
        fact = rules.chapter.fact("five_card_community")
        count = rules.chapter.number("five_card_community") if wanted else 0
    if len(round.community) != count:
        why = "" if count else " without a five-card progressive wager"
        raise Refused(
            "wrong_number_of_cards",
            f"{len(round.community)} community cards where {count} are dealt{why}",
            clause=fact.clause,
            field="community",
        )


def _five_card_envy(rules: Rules, stake: Cents) -> Paytable:
    """The text names the Five Card Envy Bonus without amounts; the Rules Submission may state them."""
    awards = rules["five_card_envy"]
    pays = {
        hand: Pay(odds(by_stake[text]), "11.D(9)(g)")
        for hand, by_stake in (awards.items() if isinstance(awards, dict) else ())
        for text in by_stake
        if cents(text) == stake
    }
    return Paytable("envy", "five_card", "11.D(9)(g)", pays)


@cites(MD, "11.C*", "11.D", "11.D(6)", "11.D(7)(d)", "12.E", "12.E(2)", "12.E(4)")
def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    rules = round.rules
    meters = Meters(rules, round.meters)
    dealer = three_card.value(round.dealer)
    hands = positions(round)
    envied, envied_five = rules.remembering(_envied)()
    held = held_hands(hands, attrgetter("names"), envied)
    held_five = held_hands(hands, attrgetter("five_names"), envied_five)
    lines: dict[int, tuple[Line, ...]] = {seat.seat: () for seat in round.seats}
    in_turn = rules.remembering(_in_turn)
    qualified = qualifies(rules, dealer)
    for position in hands:
        wagers = position.wagers
        six = six_card_names(position.cards, round.dealer) if "six_card_bonus" in wagers else ()
        mine = in_turn(
            hashable(wagers), position.decision, relation(position.value, dealer, qualified=qualified),
            position.names, position.five_names, six, position.hand,
        )  # fmt: skip
        mine = meters.pay_all(mine)
        if held or held_five:
            mine = tuple(_with_envy(rules, position, mine, held, held_five))
        lines[position.seat] += mine
    return settlement(lines, meters)


def _envied(rules: Rules) -> tuple[frozenset[str], frozenset[str]]:
    """The hands of three cards, and of five, that pay an envy bonus."""
    awards = rules["five_card_envy"]
    three = frozenset(name for table in rules.tables("envy") for name in table.pays)
    return three, frozenset(awards if isinstance(awards, dict) else ())


@cites(MD, "11.D(3)", "11.D(4)", "11.D(5)", "11.D(8)", "11.D(8)(a)", "11.D(8)(c)", "11.D(9)")
@cites(MD, "11.D(9)(a)", "11.D(9)(f)", "12.D", "12.E", "12.E(1)", "12.F", "12.G")
def _in_turn(
    rules: Rules,
    wagers: Wagers,
    decision: str | None,
    values: tuple[int, int],
    names: tuple[str, ...],
    five: tuple[str, ...],
    six: tuple[str, ...],
    hand: int | None,
) -> tuple[Line, ...]:
    """The wagers of one hand; what a meter pays is still due."""
    value, dealer = values
    position = Position(0, "", hand, wagers, (), decision, value, names, five)
    lines: list[Line] = []
    if "ante" in wagers:
        assert decision is not None
        lines += ante_and_play(rules, wagers["ante"], decision, value, dealer, CLAUSES, hand)
        if not position.folded:
            bonus = ante_bonus(rules, wagers["ante"], names, hand)
            if bonus is not None:
                lines.append(bonus)
    for wager, called, lost in (
        ("pair_plus", names, "11.D(4)"),
        ("progressive", names, "11.D(5)"),
        ("six_card_bonus", six, "11.D(8)(c)"),
        ("five_card_progressive", five, "11.D(9)(c)"),
    ):
        if wager in wagers:
            lines.append(_settle_one(rules, position, wager, called, lost))
    return tuple(lines)


def _with_envy(
    rules: Rules,
    position: Position,
    lines: tuple[Line, ...],
    held: list[Held],
    held_five: list[Held],
) -> Iterator[Line]:
    """The same lines, each progressive wager followed by the envy bonuses that it brings."""
    for line in lines:
        yield line
        if line.wager == "progressive" and held:
            yield from envy(rules.table("envy", dollars(line.stake)), position, held)
        if line.wager == "five_card_progressive" and held_five:
            yield from envy(_five_card_envy(rules, line.stake), position, held_five)


@cites(MD, "11.C*")
def _settle_one(
    rules: Rules, position: Position, wager: str, names: tuple[str, ...], lost: str
) -> Line:
    stake, hand = position.wagers[wager], position.hand
    if position.folded and rules.forfeited_by_fold(wager):
        clause = rules.chapter.wagers[wager].on_fold_clause
        return Line(wager, stake, "forfeit", 0, clause, hand=hand)
    return pay_wager(rules, rules.table(wager), wager, stake, names, lost=lost, hand=hand)
