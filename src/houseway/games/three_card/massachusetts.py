"""Three Card Poker in Massachusetts: which wagers stand and how each is settled.

Settled from the dealer's right: ante and play, ante bonus, Pair Plus, 6 Card Bonus and
progressive, either the losing wagers of the whole table first or each player whole. When all
players are done Cover All follows, and last the envy bonus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter

from houseway.errors import Refused
from houseway.game_api.payouts import pay_bonus, pay_wager
from houseway.game_api.round import (
    LOST,
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
from houseway.games.three_card.seats import coupon_fields, coupons
from houseway.law import MA, Rules, cites
from houseway.money import Cents, spoken

CLAUSES = AnteClauses(
    folded="10(b)",
    not_qualified="11(a)(1)",
    lower="11(a)(1)",
    higher="11(a)(1)",
    tie="3(c)",
)
#: the wagers settled by a table in a hand's turn, with the clause by which a losing one is taken
LOST_BY = {"pair_plus": "11(a)(2)", "six_card_bonus": "6(g)(4)", "progressive": "13(d)"}
#: the wagers beside which a match play coupon may stand
TAKES_COUPON = ("ante", "pair_plus")
seat_fields = coupon_fields
settled_wagers = ("ante", "play", "pair_plus", "six_card_bonus", "cover_all", "progressive")


def unseen(seat: Seat | Position) -> bool:
    """Whether the hand was given up without being shown: its cards are counted, not looked at."""
    return seat.decision == "forfeit"


def check(round: Round) -> None:
    """Refuse a round that could not have been dealt or wagered under these rules."""
    rules = round.rules
    size = rules.chapter.number("hand_cards")
    dealt = rules.chapter.fact("hand_cards").clause
    check_fields(round, "cards", "decision")
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    check_cards(round.dealer, size, "the dealer", clause=dealt, field="dealer")
    for seat in round.seats:
        try:
            check_position(
                rules,
                seat.wagers,
                seat.decision,
                clauses=CLAUSES,
                equal_clause="6(a)(1)",
                unseen=True,
            )
            check_coupons(rules, seat.wagers, coupons(seat))
            if seat.cards or not unseen(seat):
                check_cards(seat.cards, size, "the player", clause=dealt)
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    check_hands(
        [
            (round.dealer, None, "dealer"),
            *[(seat.cards, seat.seat, "cards") for seat in round.seats],
        ],
        of_each=rules.chapter.number("decks"),
        joker=False,
        clause=rules.chapter.fact("decks").clause,
    )


@cites(MA, "6(b)")
def check_coupons(rules: Rules, wagers: Mapping[str, Cents], coupons: Mapping[str, Cents]) -> None:
    """Refuse coupons that the house does not accept, or that lie beside fewer chips."""
    for wager, value in coupons.items():
        chips = wagers.get(wager, 0)
        if not rules["match_play"]:
            why = "this table accepts no match play coupon"
        elif wager not in TAKES_COUPON:
            names = " or ".join(rules.chapter.wagers[other].name for other in TAKES_COUPON)
            why = f"a match play coupon stands beside {names}"
        elif not value or value % rules.chip_unit:
            why = (
                f"a coupon of {spoken(value)} cannot be paid in chips of {spoken(rules.chip_unit)}"
            )
        elif value > chips:
            why = f"a coupon of {spoken(value)} stands beside chips of at least that, not {spoken(chips)}"
        else:
            continue
        raise Refused(
            "coupon_not_accepted",
            why,
            clause=rules.chapter.printed("6(b)"),
            field=f"coupon.{wager}",
        )


def positions(round: Round) -> list[Position]:
    """Every hand dealt, in the order of settlement; one given up unseen has no name or value."""
    found = []
    for seat in round.in_order_of_settlement():
        value = -1 if unseen(seat) else three_card.value(seat.cards)
        names = () if unseen(seat) else three_card.outcomes(seat.cards, value)
        found.append(
            Position(
                seat=seat.seat,
                player=player_of(seat),
                hand=None,
                wagers=seat.wagers,
                cards=seat.cards,
                decision=seat.decision,
                value=value,
                names=names,
            )
        )
    return found


@cites(MA, "10(c)", "10(c)(1)", "10(c)(1)(ii)", "10(c)(1)(iii)", "10(c)(2)", "10(c)(2)(ii)")
@cites(MA, "12(j)", "13(c)", "13(d)(c)", "13(e)(c)")
def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    rules = round.rules
    meters = Meters(rules, round.meters, round.winners)
    hands = positions(round)
    beside = {seat.seat: coupons(seat) for seat in round.seats}
    lines: dict[int, tuple[Line, ...]] = {}
    dealer = three_card.value(round.dealer)
    in_turn, highest = rules.remembering(_lines), _highest(round, hands)
    qualified = qualifies(rules, dealer)
    for position in hands:
        wagers = position.wagers
        six = six_card_names(position.cards, round.dealer) if "six_card_bonus" in wagers else ()
        mine = in_turn(
            hashable(wagers), hashable(beside[position.seat]), position.decision,
            relation(position.value, dealer, qualified=qualified), position.names, six, highest, len(hands),
        )  # fmt: skip
        lines[position.seat] = meters.pay_all(mine)
    table = rules.table("envy", "any")
    held = held_hands(hands, attrgetter("names"), table.pays.keys())
    for position in hands:
        if held and "progressive" in position.wagers:
            lines[position.seat] += tuple(envy(table, position, held))
    return settlement(lines, meters)


def _lines(
    rules: Rules,
    wagers: Wagers,
    coupon: Wagers,
    decision: str | None,
    values: tuple[int, int],
    names: tuple[str, ...],
    six: tuple[str, ...],
    highest: tuple[str, ...],
    hands: int,
) -> tuple[Line, ...]:
    """The wagers of one hand, Cover All after the others; what a meter pays is still due."""
    value, dealer = values
    position = Position(0, "", None, wagers, (), decision, value, names)
    mine = []
    for line in _in_turn(rules, position, dealer, six):
        mine.append(line)
        if line.wager in coupon:
            mine.append(coupon_line(rules, coupon[line.wager], line))
    if rules["settlement"] == "by_procedure":
        mine.sort(key=_is_collected, reverse=True)
    return *mine, *_cover_all(rules, position, highest, hands)


def _is_collected(line: Line) -> bool:
    return line.result in LOST


@cites(MA, "6(a)(3)", "6(g)(1)", "6(g)(2)", "6(g)(4)", "11(a)", "11(a)(2)")
@cites(MA, "13(d)", "13(d)(a)", "13(d)(b)")
def _in_turn(rules: Rules, position: Position, dealer: int, six: tuple[str, ...]) -> Iterator[Line]:
    """The wagers of one hand that are settled in its turn."""
    wagers = position.wagers
    if "ante" in wagers:
        assert position.decision is not None
        ante = wagers["ante"]
        yield from ante_and_play(rules, ante, position.decision, position.value, dealer, CLAUSES)
        if not position.folded:
            bonus = ante_bonus(rules, ante, position.names)
            if bonus is not None:
                yield bonus
    for wager, lost in LOST_BY.items():
        if wager not in wagers:
            continue
        given_up = _given_up(rules, position, wager)
        if given_up is not None:
            yield Line(wager, wagers[wager], "forfeit", 0, given_up)
            continue
        names = six if wager == "six_card_bonus" else position.names
        yield pay_wager(rules, rules.table(wager), wager, wagers[wager], names, lost=lost)


@cites(MA, "10(b)", "13(c)")
def _given_up(rules: Rules, position: Position, wager: str) -> str | None:
    """The clause by which a hand that was given up forfeits this wager; None if it does not."""
    if unseen(position):
        return CLAUSES.folded
    if position.folded and wager == "progressive" and not rules["folded_hands_win_progressive"]:
        return "13(c)"
    return None


@cites(MA, "6(b)")
def coupon_line(rules: Rules, value: Cents, beside: Line) -> Line:
    """A coupon is paid once if the wager beside it wins, and collected either way."""
    table = rules.table("coupon", "match_play")
    paid = pay_bonus(table, "coupon", value, (beside.result,))
    return paid or Line("coupon", 0, "lose", 0, table.clause)


@cites(MA, "12(b)", "12(c)", "12(f)", "12(g)", "12(j)", "12(k)")
def _cover_all(
    rules: Rules, position: Position, highest: tuple[str, ...], hands: int
) -> Iterator[Line]:
    """The highest hand at the table decides; the column is the number of hands dealt."""
    stake = position.wagers.get("cover_all")
    if stake is not None:
        table = rules.table("cover_all", str(hands))
        yield pay_wager(rules, table, "cover_all", stake, highest, lost="12(b)")


@cites(MA, "12(b)", "12(c)")
def _highest(round: Round, hands: list[Position]) -> tuple[str, ...]:
    """What the highest hand at the table is called, the dealer's included."""
    dealer = (three_card.value(round.dealer), round.dealer)
    # a hand given up unseen has a value below every other
    value, cards = max([dealer, *[(hand.value, hand.cards) for hand in hands]])
    return three_card.outcomes(cards, value)
