"""Down Under's decisions and the dealer's draws: hit, stand, double, split; then to 17 or more."""

from __future__ import annotations

from houseway.cards import ACE, cards
from houseway.errors import Refused
from houseway.games.down_under.hands import dealer_draws as draws_on
from houseway.games.down_under.hands import (
    dealer_total,
    is_blackjack,
    numbers,
    open_decisions,
    player_total,
)
from houseway.games.down_under.play import FINISHED, double_most, finished_by
from houseway.games.down_under.table import commands as own_commands
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.before_decisions import (
    all_lines,
    become_due,
    check_double,
    check_hole_unknown,
    has_blackjack,
    held,
    lines_of,
    reader_works,
)
from houseway.games.down_under.table.light import check_light
from houseway.games.down_under.table.state import own, played
from houseway.law import DOWN_UNDER, cites
from houseway.money import cents, dollars
from houseway.table import events as e
from houseway.table.card_source import draw, turned
from houseway.table.moment import Moment
from houseway.table.money.stakes import check_seated
from houseway.table.procedure.deciding import rack_hand
from houseway.table.procedure.resettlement import settle_again
from houseway.table.procedure.shoe import look_for_cover_card, unused_card
from houseway.table.round_building import hands_in
from houseway.table.state import DEAD, Box, hand_pile

WHO = ("player", "dealer")
#: why wagers that were settled are settled otherwise
CORRECTED = "a card was corrected"


def hands_of(box: Box) -> tuple[int, ...]:
    """The hands of a box that take part: one, or those of a split that were not called dead."""
    if not played(box).split:
        return (1,)
    return tuple(hand for hand in (1, 2) if box.decisions.get(hand) != DEAD)


def pile_of(box: Box, hand: int) -> str:
    return hand_pile(box.seat, hand)


def open_to(now: Moment, box: Box, hand: int) -> tuple[str, ...]:
    """What the player may decide on a hand as it lies."""
    mine = played(box)
    if hand in box.decisions or hand in mine.doubled:
        return ()
    lying = cards(now.table.piles.get(pile_of(box, hand), ()))
    return open_decisions(now.rules, lying, from_split=mine.split)


def current(now: Moment) -> tuple[int, int] | None:
    """The seat and hand that acts, or that waits for its second card after a split."""
    piles = now.table.piles
    for box in hands_in(now):
        mine = played(box)
        if mine.even_money or (not mine.split and 1 in box.decisions):
            continue
        for hand in hands_of(box):
            if hand in box.decisions:
                continue
            lying = piles.get(pile_of(box, hand), ())
            # a split hand waits for its second card; a player who refused a card gets none
            if len(lying) == 1 or (lying and open_to(now, box, hand)):
                return box.seat, hand
    return None


@cites(DOWN_UNDER, "685a.7(i)", "685a.7(i)(1)", "685a.7(l)")
def turn_goes_on(now: Moment) -> None:
    """Clockwise from the dealer's left: a blackjack is paid in its turn and its cards removed."""
    acting = current(now)
    for box in hands_in(now):
        if acting is not None and box.seat >= acting[0]:
            break
        if not has_blackjack(now, box):
            continue
        if "bet" in box.layout:
            paid = [entry for entry in lines_of(now, "bet") if entry[0] == box.seat]
            become_due(now, paid)
            return
        if not played(box).even_money:
            rack_hand(now, box.seat, now.clause("pay_blackjack"))
    if acting is None and not own(now.table).late_cards:
        now.begin("revealing")


def _acts(now: Moment, seat: int, decision: str) -> tuple[Box, int]:
    acting = current(now)
    box = now.box(seat)
    if now.table.due:
        raise now.refuse("not_your_turn", "a blackjack is paid first", "pay_blackjack")
    if acting is None or acting[0] != seat:
        finished = _finished_hand(now, box)
        if finished:
            raise _closed(now, box, finished, decision)
        who = f"seat {acting[0]} acts now" if acting else "everyone has acted"
        raise now.refuse("not_your_turn", who, decision, seat=seat)
    if decision not in open_to(now, box, acting[1]):
        raise _closed(now, box, acting[1], decision)
    if decision in _DRAWS:
        reader_works(now)
    if decision in ("hit", "double"):
        card_left(now)
    if decision in ("double", "split"):
        check_seated(box, now.clause(decision))
    if decision == "hit" and not box.player:
        says = f"nobody sits at seat {seat}: a player who left draws no card, and the hand stands"
        raise now.refuse("nobody_there", says, "hit", seat=seat)
    return box, acting[1]


#: decisions that bring a card
_DRAWS = ("hit", "double", "split")


def _finished_hand(now: Moment, box: Box) -> int:
    """The last hand of a seat, if it is the rules that ended it and not the player; else 0."""
    if box not in hands_in(now):
        return 0
    hand = hands_of(box)[-1]
    lies = pile_of(box, hand) in now.table.piles
    return hand if lies and (hand not in box.decisions) and not open_to(now, box, hand) else 0


@cites(DOWN_UNDER, "685a.7(k)(1)", "685a.7(k)(2)", "685a.9(a)", "685a.10(a)", "685a.10(b)")
@cites(DOWN_UNDER, "685a.10(c)", "685a.10(e)")
def _closed(now: Moment, box: Box, hand: int, decision: str) -> Refused:
    """Why a decision is not open on a hand, by the clause that closes it."""
    lying = cards(now.table.piles[pile_of(box, hand)])
    printed = now.rules.chapter.printed
    if len(lying) == 1:
        aces = lying[0].rank == ACE
        why = "a split ace gets one card" if aces else "the hand waits for its second card"
        clause = printed("685a.10(e)") if aces else printed("685a.10(b)")
    elif hand in played(box).doubled:
        why, clause = "a hand that was doubled draws one card", printed("685a.7(k)(2)")
    elif decision == "split" and played(box).split:
        why, clause = "a pair is split once", printed("685a.10(c)")
    elif open_to(now, box, hand) and decision == "split":
        why, clause = "only two cards of the same value can be split", printed("685a.10(a)")
    elif open_to(now, box, hand):
        why, clause = "a hand is doubled on its first two cards", printed("685a.9(a)")
    else:
        ended = finished_by(now.rules, lying, from_split=played(box).split)
        why, clause = FINISHED[ended], printed(ended)
    says = f"{decision} is not possible on this hand: {why}"
    return Refused("decision_not_open", says, clause=clause, seat=box.seat)


def draw_to(now: Moment, place: str, card: str, step: str) -> None:
    """One card face up, as a decision calls for; none while the reader is out of order."""
    reader_works(now)
    taken = draw(now, 1, (card,) if card else (), face_up=True)
    now.emit(e.CardsDealt, now.clause(step), to=place, cards=taken, face_up=True, step=0)
    look_for_cover_card(now, place)


@ACTIONS.action(
    own_commands.Hit, WHO, ("deciding",), lambda now, seat: _acts(now, seat, "hit") and None
)
@cites(DOWN_UNDER, "685a.7(i)(2)", "685a.7(j)", "685a.7(k)")
def hit(now: Moment, command: own_commands.Hit) -> None:
    box, hand = _acts(now, command.seat, "hit")
    draw_to(now, pile_of(box, hand), command.card, "deal_decision")
    turn_goes_on(now)


@ACTIONS.action(
    own_commands.Stand, WHO, ("deciding",), lambda now, seat: _acts(now, seat, "stand") and None
)
def stand(now: Moment, command: own_commands.Stand) -> None:
    _, hand = _acts(now, command.seat, "stand")
    now.emit(e.Decided, now.clause("stand"), seat=command.seat, decision="stand", hand=hand)
    turn_goes_on(now)


@ACTIONS.action(
    own_commands.Double, WHO, ("deciding",), lambda now, seat: _acts(now, seat, "double") and None
)
@cites(DOWN_UNDER, "685a.9(a)", "685a.9(c)", "685a.7(k)(2)")
def double(now: Moment, command: own_commands.Double) -> None:
    """A wager of up to the bet, and one card."""
    box, hand = _acts(now, command.seat, "double")
    amount = cents(command.amount)
    check_double(now, amount, double_most(now.rules, box.wagers["bet"]))
    clause = now.clause("double")
    now.emit(
        e.WagerPlaced,
        clause,
        seat=box.seat,
        wager="double",
        amount=dollars(amount),
        hand=hand if played(box).split else 0,
    )
    now.emit(own_events.HandDoubled, clause, seat=box.seat, amount=dollars(amount), hand=hand)
    draw_to(now, pile_of(box, hand), command.card, "double_card")
    turn_goes_on(now)


@ACTIONS.action(
    own_commands.Split, WHO, ("deciding",), lambda now, seat: _acts(now, seat, "split") and None
)
@cites(DOWN_UNDER, "685a.10(a)", "685a.10(b)", "685a.10(c)")
def split(now: Moment, command: own_commands.Split) -> None:
    """Two hands, each to be finished in turn; the second gets no card before the first is done."""
    box, _ = _acts(now, command.seat, "split")
    clause = now.clause("split")
    bet = dollars(box.wagers["bet"])
    now.emit(e.WagerPlaced, clause, seat=box.seat, wager="split", amount=bet)
    now.emit(own_events.HandSplit, clause, seat=box.seat)


def deal_in_turn(now: Moment) -> tuple[str, ...]:
    """The step by which a card is dealt among the decisions: to a split hand, or a missed one."""
    return ("late_card",) if current(now) is None else ("split_second_card",)


@cites(DOWN_UNDER, "685a.10(b)", "685a.10(e)")
def deal_awaited(now: Moment, card: str) -> None:
    """The second card of the split hand whose turn it is."""
    acting = current(now)
    if acting is None:
        draw_to(now, own(now.table).late_cards[0], card, "late_card")
    else:
        place = pile_of(now.box(acting[0]), acting[1])
        draw_to(now, place, card, "split_second_card")
    turn_goes_on(now)


def waits_for_card(now: Moment) -> bool:
    """Whether a split hand waits for its second card, or a player for one that was missed."""
    acting = current(now)
    if now.table.due:
        return False
    if acting is None:
        return bool(own(now.table).late_cards)
    return len(now.table.piles[pile_of(now.box(acting[0]), acting[1])]) == 1


# the dealer's hand


@cites(DOWN_UNDER, "685a.7(l)")
def reveal(now: Moment, given: tuple[str, ...]) -> None:
    """The hole card is turned, unless it was shown before; then the dealer draws."""
    if "hole" not in now.table.shown:
        check_hole_unknown(now, "cards" if given else "")
        seen = turned(now, "hole", given)
        now.emit(e.CardsTurned, now.clause("reveal_dealer"), place="hole", cards=seen)
    announce(now)
    if not check_light(now):
        dealer_goes_on(now)


def dealer_cards(now: Moment) -> tuple[str, ...]:
    """Up card, hole card, draws."""
    table = now.table
    return (table.piles["dealer"][0], *table.piles["hole"], *table.piles["dealer"][1:])


def announce(now: Moment) -> None:
    total = dealer_total(now.rules, cards(dealer_cards(now)))
    now.emit(
        own_events.TotalAnnounced,
        now.clause("announce_total"),
        whose="dealer",
        points=total.points,
        soft=total.soft,
    )


def live(now: Moment) -> bool:
    """Whether a hand is left that the dealer's total decides."""
    most = numbers(now.rules).player_most
    return any(
        player_total(now.rules, cards(held(now, pile_of(box, hand)))).points <= most
        for box in hands_in(now)
        if not played(box).even_money and not has_blackjack(now, box)
        for hand in hands_of(box)
    )


@cites(DOWN_UNDER, "685a.7(m)")
def dealer_goes_on(now: Moment, reason: str = "") -> None:
    """The dealer draws below 17, hard or soft, while a hand is left to decide."""
    if live(now) and draws_on(now.rules, cards(dealer_cards(now))):
        now.begin("drawing")
    else:
        figure_all(now, reason)


def card_left(now: Moment) -> None:
    if "shoe" not in now.table.piles:
        raise now.refuse("shoe_empty", "there is no card left in the shoe", "shoe_runs_out")


def _may_draw(now: Moment, _seat: int) -> None:
    reader_works(now)
    card_left(now)


@ACTIONS.action(own_commands.DealerDraws, ("dealer", "system"), ("drawing",), _may_draw)
@cites(DOWN_UNDER, "685a.7(m)")
def dealer_draws(now: Moment, command: own_commands.DealerDraws) -> None:
    draw_to(now, "dealer", command.card, "dealer_draws")
    announce(now)
    dealer_goes_on(now)


def figure_all(now: Moment, reason: str = "") -> None:
    """Everything that is not settled yet, in the order that the Rules Submission names.

    What was settled before may change: a card was corrected, or a wrong light had hidden a dealer's
    blackjack.
    """
    unused_card(now)
    late = not reason and is_blackjack(now.rules, cards(dealer_cards(now)[:2]))
    clause = now.clause("show_hole_card") if late else ""
    why = "the dealer's blackjack was found late" if late else reason or CORRECTED
    settle_again(now, all_lines(now), why, clause)
    now.begin("settling" if now.table.due else "clearing")
