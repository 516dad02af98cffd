"""A table played through: what was done, in which order, and what followed from it.

The procedure card is made of this, so that the card and the live table cannot disagree: a step is
on the card because the engine asked for it under exactly these rules, and where it asked for it.
The rounds are chosen so that hands win, lose and tie, and so that every decision is taken; the cards
of each are laid into the shoe before the deal. Nothing here is left to chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

import msgspec

from houseway.cards import Card, SeededSource, standard_deck
from houseway.cards import card as read_card
from houseway.errors import Refused
from houseway.game_api.round import LOST
from houseway.law import Rules
from houseway.law.procedure import Also
from houseway.present.teaching import rule_of_thumb
from houseway.table.commands import COMMANDS
from houseway.table.driver import BY_SYSTEM, Driver
from houseway.table.engine import run
from houseway.table.moment import Moment, situation
from houseway.table.next_step import NextStep, next_steps
from houseway.table.procedure.dealing import Deal
from houseway.table.procedure.wagering import of_all_hands
from houseway.table.state import Due, Table

#: stakes to try for a wager, the first that is accepted
_STAKES = ("10.00", "5.00", "1.00", "100.00")
_PLAYERS = (1, 2)
_MOST_STEPS = 600


@dataclass(eq=False)
class Done:
    """A step as the engine asked for it, where it did, and what followed."""

    phase: str
    command: str
    role: str
    says: str
    clause: str
    also: tuple[Also, ...]
    #: the wager that it settles or validates
    wager: str = ""
    #: where losing wagers are collected before others are paid: which of the two this does
    part: Literal["", "collect", "pay"] = ""
    #: whether it may be done, rather than must be
    open: bool = False
    #: clauses of the events that followed, in order
    followed: dict[str, None] = field(default_factory=dict)
    #: the rounds in which it was done
    rounds: set[int] = field(default_factory=set)
    #: the odds at which it paid
    odds: set[str] = field(default_factory=set)
    #: whether it is done player by player, all of one before the next
    seated: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        return (self.command, self.says, self.clause, self.wager, self.part)

    @property
    def settles(self) -> bool:
        return self.command == "settle_next"


@dataclass
class Playthrough:
    """Every step that was asked for, in the order in which a round asks for them."""

    done: list[Done]
    #: what may be done beside the steps, with the phase in which it was first open
    open: list[Done]
    rounds: int
    #: the phases of the table in the order in which they follow each other
    phases: tuple[str, ...]


class _Sequence:
    """Steps of several rounds merged into one order.

    A new step stands before the step that followed it, or else after the one before it.
    """

    def __init__(self) -> None:
        self.steps: list[Done] = []
        self._at: dict[tuple[str, ...], Done] = {}
        #: what was done, with the seat it was done for, round by round
        self.trace: list[list[tuple[Done, int]]] = [[]]

    def add(self, step: Done, number: int, seat: int = 0) -> Done:
        found = self._at.setdefault(step.key, step)
        found.rounds.add(number)
        self.trace[-1].append((found, seat))
        return found

    def end_round(self) -> None:
        """Give the new steps of the round their places."""
        done = [step for step, _ in self.trace[-1]]
        for number, step in enumerate(done):
            if step in self.steps:
                continue
            before = done[number - 1] if number else None
            at = self.steps.index(before) + 1 if before else len(self.steps)
            after = next((s for s in done[number + 1 :] if s is not step), None)
            if after in self.steps and self.steps.index(after) >= at:
                at = self.steps.index(after)
            self.steps.insert(at, step)
        self.trace.append([])

    def collects_first(self, late: tuple[str, ...]) -> bool:
        """Whether the losing wagers of all seats are collected before any other is paid.

        Seat by seat, a wager of the seat nearest the dealer's right never follows one of the next
        seat, those `late` ones aside that wait for all hands.
        """
        for done in self.trace:
            seats = [at for step, at in done
                     if step.part and step.phase == "settling" and step.wager not in late]  # fmt: skip
            if any(later > earlier for earlier, later in pairwise(seats)):
                return True
        return False

    def in_order(self, late: tuple[str, ...]) -> list[Done]:
        """The steps, those of the settlement by what comes before what at a seat."""
        collects = self.collects_first(late)
        self._fold(late if collects else None)
        for step, seat in (one for done in self.trace for one in done):
            step.seated = step.seated or (seat > 0 and not collects)
        before: Counter[tuple[Done | str, Done | str]] = Counter()
        for done in self.trace:
            for seat in _PLAYERS:
                first = list(dict.fromkeys(step for step, at in done if at in (0, seat)))
                pairs = [(one, two) for at, one in enumerate(first) for two in first[at + 1 :]]
                before.update(pairs)
                before.update((a.wager, b.wager) for a, b in pairs if a.part and a.part == b.part)

        def earlier(one: Done, two: Done) -> bool:
            """Whether a step comes first; if no round had both, whether its wager does elsewhere."""
            seen = before[one, two] - before[two, one]
            return (seen or before[one.wager, two.wager] - before[two.wager, one.wager]) > 0

        def turn(step: Done) -> int:
            """Where losing wagers are collected first: those, then the others, then late ones."""
            if not step.wager or not collects:
                return 0
            return 3 if step.wager in late else 1 if step.part == "collect" else 2

        left = sorted(
            (step for step in self.steps if step.phase == "settling"),
            key=lambda step: (turn(step), self.steps.index(step)),
        )
        settling: list[Done] = []
        while left:
            free = (
                step
                for step in left
                if not any(earlier(other, step) for other in left if turn(other) == turn(step))
            )
            settling.append(next(free, left[0]))
            left.remove(settling[-1])
        ordered = iter(settling)
        return [next(ordered) if step.phase == "settling" else step for step in self.steps]

    def _fold(self, wagers: tuple[str, ...] | None) -> None:
        """What is collected and what is paid of these wagers, or of all, becomes one step for each."""
        found: dict[tuple[str, ...], Done] = {}
        kept: dict[Done, Done] = {}
        for step in self.steps:
            if wagers is None or step.wager in wagers or step.phase != "settling":
                step.part = ""
            one = kept[step] = found.setdefault((*step.key, step.phase), step)
            one.followed.update(step.followed)
            one.rounds |= step.rounds
            one.odds |= step.odds
        self.steps = list(found.values())
        self.trace = [[(kept[step], seat) for step, seat in done] for done in self.trace]


class _Player:
    """Plays rounds and keeps what the table asked for."""

    def __init__(self, rules: Rules) -> None:
        file = rules.as_file()
        parts = {name: file[name] for name in ("meters", "paytables") if file.get(name)}
        self.driver = Driver(
            rules.chapter.id, file["rules"], source=SeededSource(1),
            edition=rules.chapter.about.edition, **parts,
        )  # fmt: skip
        self.rules = rules
        self.steps = _Sequence()
        self.players = _PLAYERS[: len(self.driver.table.boxes)]
        self.opened = _Sequence()
        self.phases: dict[str, None] = {}
        self.tried: set[str] = set()

    @property
    def table(self) -> Table:
        return self.driver.table

    def play(self) -> Playthrough:
        for seat in self.players:
            self.driver.seat_player(seat, f"player {seat}")
        rounds = 0
        for rounds, hands in enumerate(_rounds(), 1):
            self._round(rounds, hands)
            self.steps.end_round()
            self.opened.end_round()
        game = situation(self.table).game
        before = [phase for phase in self.phases if phase not in game.round_line]
        phases = (*before, *game.round_line)
        steps = self.steps.in_order(of_all_hands(self.rules.chapter))
        steps.sort(key=lambda step: phases.index(step.phase))
        return Playthrough(steps, self.opened.steps, rounds, phases)

    def _round(self, number: int, hands: tuple[list[Card], ...]) -> None:
        begun = False
        for _ in range(_MOST_STEPS):
            table = self.table
            self.phases.setdefault(table.phase)
            steps = next_steps(table, at=self.driver.clock.isoformat())
            self._note_open(steps, number)
            if table.phase == "betting" and not any(box.wagers for box in table.boxes):
                if begun:
                    return
                begun = True
                self._wager(next(s for s in steps if s.command == "place_wager"), number)
                continue
            wanted = [step for step in steps if step.kind == "next"]
            asked = [
                step
                for step in wanted
                if step.role == "player" and step.seat and step.command != "place_wager"
            ]
            if asked and (table.hands or table.phase != "betting"):
                self._decide([s for s in asked if s.seat == asked[0].seat], number)
                continue
            step = next((step for step in wanted if step.role != "player"), None)
            if step is None:
                raise Refused("waiting", f"nobody can act in phase {table.phase}")
            if step.command == "deal" and not table.dealt:
                self._stack(hands, last=number == len(_HANDS))
            if step.command == "count_stub":
                self._count_wrongly(step, number)
            self._do(step, step.role, self.driver.fields_of(step), number)
        raise Refused("waiting", f"a round of {self.rules.chapter.id} does not end")

    def _do(self, step: NextStep, role: str, fields: Mapping[str, Any], number: int) -> None:
        about_wager = step.command in ("settle_next", "validate_progressive")
        due = self.table.due[0] if about_wager and self.table.due else None
        noted = self._note(self.steps, step, number, due)
        if due is not None:
            noted.odds.add(due.odds)
        sender = "system" if step.command in BY_SYSTEM else role
        try:
            events = self.driver.send(step.command, sender, seat=step.seat, **fields)
        except Refused as refusal:
            if refusal.code != "tray_short":
                raise
            self.driver.send("fill", "floorperson", chips={"5000.00": 400, "1.00": 9000})
            events = self.driver.send(step.command, sender, seat=step.seat, **fields)
        noted.followed.update(dict.fromkeys(event.clause for event in events if event.clause))

    def _note(self, into: _Sequence, step: NextStep, number: int, due: Due | None = None) -> Done:
        phase = self.table.phase
        if step.command == "deal" and phase == "betting":
            phase = "dealing"  # where the first card closes the bets
        return into.add(
            Done(
                phase, step.command, step.role, step.says, step.clause, step.also,
                due.wager if due else "", _part(step, due), step.kind == "open",
            ),
            number,
            due.seat if due else step.seat,
        )  # fmt: skip

    def _note_open(self, steps: tuple[NextStep, ...], number: int) -> None:
        for step in steps:
            if step.kind == "open":
                self._note(self.opened, step, number)

    def _wager(self, step: NextStep, number: int) -> None:
        """Everything that is offered, on every seat, and on every hand where a seat has several."""
        now = Moment(self.table, "player")
        first = now.game.first_hand(now)
        noted = self._note(self.steps, step, number)
        for seat in self.players:
            for wager in self.rules.chapter.wagers.values():
                if wager.kind == "follows" or not self.rules.offers(wager.id):
                    continue
                for stake in _STAKES:
                    try:
                        self.driver.wager(seat, {wager.id: stake}, first)
                    except Refused:
                        continue
                    noted.followed[wager.clause] = None
                    break

    def _decide(self, asked: list[NextStep], number: int) -> None:
        """Each choice once, and then as a plain player would; what a choice needs is made up."""
        seat = asked[0].seat
        for step in [step for step in asked if step.command not in self.tried]:
            self.tried.add(step.command)
            kind = COMMANDS[step.command]
            required = {field.name for field in msgspec.structs.fields(kind) if field.required}
            fields = {"amount": "5.00"} if "amount" in required else self.driver.fields_of(step)
            try:
                self._do(step, "player", fields, number)
            except Refused:
                continue
            return
        name, fields = rule_of_thumb(self.table, seat)
        step = next((one for one in asked if one.command == name), asked[0])
        self._do(step, "player", fields if step.command == name else {}, number)

    def _count_wrongly(self, step: NextStep, number: int) -> None:
        """What a wrong count of the stub would lead to; the table itself is not changed."""
        noted = self._note(self.steps, step, number)
        fields = self.driver.fields_of(step)
        # what a void round leads to besides is part of its end
        told = {one.clause for one in self.rules.chapter.procedure if one.id.startswith("stub_")}
        for misdealt in (True, False):
            command = COMMANDS["count_stub"](
                role="dealer", who="dealer", at=self.driver.clock.isoformat(),
                count=fields["count"] - 1, misdealt=misdealt,
            )  # type: ignore[call-arg]  # fmt: skip
            events, _ = run(self.table, command)
            found = (event.clause for event in events if event.clause in told)
            noted.followed.update(dict.fromkeys(found))

    def _stack(self, hands: tuple[list[Card], ...], *, last: bool) -> None:
        """Lay the hands into the shoe so that the deal brings each to its place."""
        table = self.table
        deal = COMMANDS["deal"](role="dealer", who="dealer", at=self.driver.clock.isoformat())
        after = run(table, deal)[1]
        now = Moment(after, "dealer")
        shoe = list(table.piles["shoe"])
        top = _top(now.game.deal_plan(now), hands, shoe)
        rest = list(shoe)
        for card in top:
            rest.remove(card)
        piles = {**table.piles, "shoe": (*top, *rest)}
        # in the last round the cover card of a shoe comes out
        cover = len(shoe) - 1 if table.cover_card and last else table.cover_card
        self.driver.table = msgspec.structs.replace(table, piles=piles, cover_card=cover)


def _part(step: NextStep, due: Due | None) -> Literal["", "collect", "pay"]:
    if due is None or step.command != "settle_next":
        return ""
    return "collect" if due.result in LOST else "pay"


def _top(plan: tuple[Deal, ...], hands: tuple[list[Card], ...], shoe: list[str]) -> list[str]:
    """The cards of the shoe in the order of the deal; places without a wish get the other cards."""
    places = list(dict.fromkeys(deal.to for deal in plan))
    seats = sorted(place for place in places if place.startswith("seat"))
    wanted = dict(zip(seats, hands[1:], strict=False))
    if not seats:  # the players share what lies before the dealer
        wanted = {place: [*hands[1], *hands[2]] for place in places if place != "dealer"}
    left = list(hands[0])
    left_over = list(shoe)
    top: list[str] = []
    for deal in plan:
        source = wanted.get(deal.to, [] if deal.to.startswith("seat") else left)
        for _ in range(deal.cards):
            text = next((str(c) for c in source if str(c) in left_over), "")
            if text:
                source.remove(read_card(text))
            else:
                held = {str(c) for hand in (left, *wanted.values()) for c in hand}
                text = next((card for card in left_over if card not in held), left_over[0])
            left_over.remove(text)
            top.append(text)
    # what is drawn later comes in the order of the seats, and last the dealer's
    for text in (str(c) for hand in (*wanted.values(), left) for c in hand):
        if text in left_over:
            left_over.remove(text)
            top.append(text)
    return top


def _rounds() -> Iterator[tuple[list[Card], ...]]:
    """The hands of each round: the dealer's, then the players'. Six cards each are enough."""
    for dealt in _HANDS:
        yield tuple([read_card(text) for text in hand.split()] for hand in dealt)


#: the dealer's cards, the first player's, the second's. Each line says what it brings about.
_HANDS = (
    # the dealer has nothing, the players have a straight flush to the ace and a pair
    ("2c 4d 7h Js Ts 9c", "As Ks Qs 9s 8s 6s", "8d 8h 5c Kd 2h 3c"),
    # the dealer is beaten; a hand of low cards
    ("Kd 9h 5s 2c 7d 8s", "Ac Ad Ah 4s 4h 4c", "2d 4h 7s 9c 3d Jh"),
    # the dealer's straight beats straights
    ("9h Ts Jd Qh Kc 8c", "6c 7d 8h 9s Td 5h", "4d 5c 6s 7h 8d 3h"),
    # equal hands
    ("Kh Jd 9s 7c 5h 3d", "Kd Js 9c 7h 5d 3s", "Ks Jc 9h 7d 5s 3c"),
    # an ace up and a ten in the hole; two aces to split
    ("Ah Td 9c 8s 2d 3h", "Ac Ks Qh Jd Tc 9s", "As Ad 5c 6d 7h 8c"),
    # an ace up without a ten; a ten and an ace, equal cards to split, of which the second hand busts
    ("Ad 5h 6s 9d 9h 3c", "Ac Kh 3h 2s 4c 5d", "8c 8d Tc 7s 5c 4d"),
    # the dealer draws on a low total
    ("6h 5d Jc 2h 3s 4d", "5c 6d 9h Tc 2s 7c", "Ah Kc Qd Js Td 9h"),
    # flushes and a dealer with a pair
    ("Qc Qd 4h 7s 9c 2d", "2h 5h 9h Jh Kh 7h", "3s 6s 8s Ts Qs As"),
    # seven and ten in two cards, large cards
    ("Tc 6c 6h 2s 8h 4c", "Kd Qh 3c 4s 9d 7d", "Jd 5s 8d 6d 2c 3d"),
    # two aces for the dealer against large cards
    ("Ah Ad 4h 7s 9c 2d", "Kd Qh 3c 4s 9d 7d", "As Kc 8d 6d 2c 3d"),
    # the dealer has seventeen in two cards, and beats one player of two
    ("Td 7h 2c 4s 6h 9h", "Th 5d 3s 8c Jc 2h", "Kd Qh 9c 5c 4d 3d"),
    # low cards all around
    ("3c 5d 8s Jh 2h 4c", "Qs 9d 6h 4d 2c 8c", "7c 7d 3h Tc Kd 5s"),
)  # fmt: skip
assert all(
    read_card(text) in standard_deck() for deal in _HANDS for h in deal for text in h.split()
)


def played_through(rules: Rules) -> Playthrough:
    """The table of these rules played through, round by round."""
    return _Player(rules).play()
