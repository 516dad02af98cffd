"""What a table does in trouble: every irregularity and device event, in every phase of a round.

Rounds are played under one set of rules, and the table is kept as it stood at each moment: per phase,
before a wager is settled, after that, and after a meter has paid. Tables are immutable, so every
report can then be tried at every one of them. Nothing here knows a game: the reports are the
irregularities of the chapter's procedure, and a family says how its own are reported
(`TableGame.reports`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from msgspec.structs import replace

from houseway.cards import SUITS, Card, SeededSource, card
from houseway.errors import Refused
from houseway.law import Chapter, chapter, choose
from houseway.table import events as e
from houseway.table.card_source import pack
from houseway.table.commands import COMMANDS
from houseway.table.driver import Driver
from houseway.table.engine import run
from houseway.table.moment import Moment, rules_of, situation
from houseway.table.next_step import NextStep, next_steps
from houseway.table.procedure.devices import REPLACEABLE, broken_by, jammed_by
from houseway.table.state import Table, key, open_stakes, seat_pile, wager_of

#: options that change how cards are shuffled, dealt and kept; the table is made for each choice
EQUIPMENT = ("dealing", "shuffler", "decks_in_play", "dealer_stack")
#: the players of the rounds that are played
SEATS = (1, 2, 3)
#: when in a round: before a wager is settled, after that, after a meter has paid
WHENS = ("early", "late", "meter")
#: as many tables are kept of one phase
KEPT = 8
#: as many rounds are played, and fewer where every phase was seen
ROUNDS = 30
_AMOUNTS = ("10.00", "5.00", "1.00", "0.50")
_TERMS = {"rate": "25%", "seed": "5000.00", "reset": "1000.00"}


class Report(NamedTuple):
    """One way to report what went wrong."""

    command: str
    role: str
    fields: tuple[tuple[str, Any], ...] = ()

    def said(self) -> str:
        """The report in words: the command, and what distinguishes it from similar ones."""
        given = ", ".join(
            f"{name.replace('_', ' ')} {_spoken(value)}"
            for name, value in self.fields
            if name not in ("seat", "order", "reason")
        )
        if self.fields == (("seat", 0),):
            given = "the dealer"
        return self.command.replace("_", " ") + (f": {given}" if given else "")

    def steps(self) -> tuple[str, ...]:
        """The steps of the procedure that may speak of it, the nearest first."""
        given = dict(self.fields)
        if self.command == "device_jams":
            return (jammed_by(given["device"]),)
        if self.command == "device_breaks":
            return broken_by(given["device"])
        if self.command == "shuffle":
            return ("remove_miscounted", self.command)
        return (*(("card_exposed_in_error",) if given.get("exposed") else ()), self.command)


def _spoken(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


class Outcome(NamedTuple):
    """The outcome of a report: refused with a reason, or what happened to money, cards and the
    table.
    """

    accepted: bool
    clause: str
    says: str
    next: tuple[NextStep, ...] = ()
    after: Table | None = None
    events: tuple[e.Event, ...] = ()


class Cell(NamedTuple):
    """What the program does with one report in one phase."""

    report: Report
    phase: str
    when: str
    #: an outcome per table that was tried, without repetition
    outcomes: tuple[Outcome, ...]
    #: the report before it, for one that is never taken by itself
    after: Report | None = None


# the rules under which tables are tried


def every_wager(law: Chapter, rules: Mapping[str, Any]) -> dict[str, Any]:
    """These options, with every wager offered that they allow."""
    found = dict(rules)
    wanted = dict.fromkeys(wager.option for wager in law.wagers.values() if wager.option)
    for option in wanted:
        for choice in law.options[option].choices[1:]:
            tried = {**found, option: choice.value}
            if option not in found and _accepted(law, tried):
                found = tried
                break
    return found


def _accepted(law: Chapter, rules: Mapping[str, Any]) -> bool:
    try:
        choose(law, rules)
    except Refused:
        return False
    return True


def equipment(law: Chapter) -> Iterator[dict[str, Any]]:
    """Every combination of dealing method, shuffler and decks that the chapter allows."""
    options = [law.options[name] for name in EQUIPMENT if name in law.options]
    for values in product(*(option.choices for option in options)):
        rules = {option.id: choice.value for option, choice in zip(options, values, strict=True)}
        if _accepted(law, rules):
            yield rules


# the tables at which reports are tried


def _when(table: Table) -> str:
    if not table.hands:
        return "early"
    if any(line.meter for line in table.settled):
        return "meter"
    return "late" if table.settled else "early"


class Moments(dict[tuple[str, str], list[Table]]):
    """Tables as they stood, by phase and when in the round; no more than a few of each."""

    def keep(self, table: Table) -> None:
        kept = self.setdefault((table.phase, _when(table)), [])
        looks = _looks(table)
        if len(kept) < KEPT and looks not in map(_looks, kept):
            kept.append(table)


def _looks(table: Table) -> tuple[Any, ...]:
    """What distinguishes two moments of one phase: how far the round is, not the cards."""
    return (
        any(box.wagers for box in table.boxes), table.dealt, tuple(sorted(table.piles)), len(table.due) > 0, len(table.settled),
        tuple((tuple(box.decisions.items()), box.out) for box in table.boxes),
        table.shown, table.aside != "",
    )  # fmt: skip


def moments(id: str, rules: Mapping[str, Any], *, seed: int = 1) -> Moments:
    """Play rounds under these rules, and keep the table at their moments."""
    found = Moments()
    chosen = choose(chapter(id), rules)
    terms = dict.fromkeys(chosen.meter_names, _TERMS)
    # a second table is played for the round in which a meter pays
    for lucky in (False, True) if terms else (False,):
        driver = Driver(id, rules, source=SeededSource(seed), meters=terms)
        _Rounds(driver, found, random.Random(seed), lucky=lucky).play()
    return found


class _Rounds:
    """Rounds played by the house and by players who do whatever is open to them."""

    def __init__(self, driver: Driver, found: Moments, rng: random.Random, *, lucky: bool) -> None:
        self.driver, self.found, self.rng, self.lucky = driver, found, rng, lucky
        self.seats = SEATS[: len(driver.table.boxes)]

    def play(self) -> None:
        self.found.keep(self.driver.table)
        for seat in self.seats:
            self.driver.seat_player(seat, f"player {seat}")
        self._until_betting()
        self._idle()
        line = set(situation(self.driver.table).game.round_line)
        if not self.driver.table.meters:
            line.discard("chips")
        for number in range(2 if self.lucky else ROUNDS):
            self._round()
            if number > 3 and line.issubset(phase for phase, _ in self.found):
                return

    def _send(self, name: str, role: str, **fields: Any) -> bool:
        try:
            self.driver.send(name, role, **fields)
        except Refused:
            return False
        self.found.keep(self.driver.table)
        return True

    def _until_betting(self) -> None:
        while self.driver.table.phase != "betting":
            self._house()

    def _house(self) -> None:
        """The house's next step; where a meter is to pay, the cards come in its favor."""
        driver = self.driver
        steps = next_steps(driver.table, at=driver.clock.isoformat())
        step = next(s for s in steps if s.kind == "next" and s.role != "player")
        fields = driver.fields_of(step)
        role = "system" if step.command in ("shuffle", "shoe_runs_out") else step.role
        if self.lucky and step.command == "shuffle":
            fields["order"] = _lucky(driver.table)
        elif self.lucky and step.command == "cut":
            fields["depth"] = len(driver.table.piles["shoe"]) // 2
        driver.send(step.command, role, seat=step.seat, **fields)
        self.found.keep(driver.table)

    def _idle(self) -> None:
        if self._send("spread_idle", "dealer"):
            self._until_betting()

    def _round(self) -> None:
        self._until_betting()
        for seat in self.seats:
            self._wagers(seat)
        number = self.driver.table.round + 1
        while self.driver.table.round < number or self.driver.table.hands:
            asked = [
                step
                for step in next_steps(self.driver.table)
                if step.kind == "next" and step.role == "player" and step.seat
            ]
            if not (self.driver.table.hands and asked and self._decide(asked)):
                self._house()

    def _wagers(self, seat: int) -> None:
        rules = rules_of(self.driver.table)
        now = Moment(self.driver.table, "player")
        hand = now.game.first_hand(now)
        for wager in rules.chapter.wagers.values():
            if wager.made == "before_deal":
                for amount in _AMOUNTS:
                    given = {"wager": wager.id, "amount": amount, "hand": hand}
                    if self._send("place_wager", "player", seat=seat, **given):
                        break

    def _decide(self, asked: Sequence[NextStep]) -> bool:
        """One of the decisions that are open to the player who is asked first."""
        seat = asked[0].seat
        names = [step.command for step in asked if step.seat == seat]
        if not self.lucky:
            self.rng.shuffle(names)
        for name in names:
            for fields in (
                [{"amount": amount} for amount in _AMOUNTS]
                if "amount" in COMMANDS[name].__struct_fields__
                else [{}]
            ):
                if self._send(name, "player", seat=seat, **fields):
                    return True
        return False


def _lucky(table: Table) -> tuple[str, ...]:
    """The pack in an order that gives the first seat, and what lies beside it, one suit from the top.

    Half the pack is cut off above it where the cards are cut.
    """
    rules = rules_of(table)
    whole = [card(text) for text in pack(rules)]
    now = Moment(replace(table, hands=SEATS[: len(table.boxes)]), "dealer")
    best = sorted((c for c in whole if _suit(c) == SUITS[-1]), reverse=True)
    plan = [step.to for step in now.game.deal_plan(now) for _ in range(step.cards)]
    places = {seat_pile(SEATS[0]), *now.game.shared_piles}
    wanted = {at: best.pop(0) for at, place in enumerate(plan) if place in places and best}
    rest = iter([c for c in whole if c not in wanted.values()])
    first = [str(wanted[at] if at in wanted else next(rest)) for at in range(len(plan))]
    left = [str(c) for c in rest]
    if not now.has_step("cut") or not _to_be_cut(now):
        return (*first, *left)
    depth = len(whole) // 2
    return (*left[:depth], *first, *left[depth:])


def _suit(of: Card) -> str:
    return str(of)[-1]


def _to_be_cut(now: Moment) -> bool:
    from houseway.table.procedure.shuffling import by_device

    return not by_device(now) or now.has_step("offer_cut")


# the reports that are tried

#: general commands that report an irregularity under another name, or need details
_GENERAL: Mapping[str, tuple[dict[str, Any], ...]] = {
    "count_stub": ({"count": 1, "misdealt": True}, {"count": 1, "misdealt": False}),
    "shuffle": ({"count": 1},),
    "card_drawn_in_error": ({}, {"exposed": True}),
    "wrong_number_of_cards": ({"seat": 1}, {"seat": 0}),
    "leave_seat": ({},),
    "declare_abandoned": ({},),
}
#: who reports it, where the procedure names another
_ROLES = {"shuffle": "device", "leave_seat": "floorperson"}


def reports(table: Table) -> list[Report]:
    """Every report that the chapter's procedure has under these rules."""
    here = situation(table)
    own = here.game.reports
    found: list[Report] = []
    for step in here.steps.values():
        action = here.named.get(step.id)
        known = own.get(step.id) or _GENERAL.get(step.id)
        if action is None or not (known or step.kind == "irregularity"):
            continue
        if step.id == "wrong_number_of_cards":
            known = (*(known or ()), *({"seat": 0, "place": x} for x in here.game.shared_piles))
        role = _ROLES.get(step.id, step.role)
        if role not in action.roles:
            role = step.role
        found.extend(
            Report(step.id, role, tuple(given.items()))
            for fields in known or ({},)
            for given in _with_device(table, step.id, fields)
        )
    return found


def _with_device(table: Table, name: str, fields: dict[str, Any]) -> list[dict[str, Any]]:
    if "device" not in COMMANDS[name].__struct_fields__:
        return [fields]
    # others cannot jam, and nothing takes their place
    some = (
        table.devices
        if name == "device_breaks"
        else filter(REPLACEABLE.__contains__, table.devices)
    )
    return [{"device": id, **fields} for id in some]


def _fields(table: Table, report: Report) -> dict[str, Any]:
    """What the report says, and what every report of its kind must say."""
    fields = dict(report.fields)
    kind = COMMANDS[report.command]
    if "seat" in kind.__struct_fields__:
        fields.setdefault("seat", table.hands[0] if table.hands else SEATS[0])
    if "reason" in kind.__struct_fields__:
        fields.setdefault("reason", "tried")
    if "how" in kind.__struct_fields__:
        removed = "device_removed" in situation(table).steps
        fields.setdefault("how", "removed" if removed else "covered")
    if report.command == "wrong_number_of_cards":
        now, place = Moment(table, report.role), fields.get("place")
        game = now.game
        right = game.pile_size(now, place) if place else game.hand_size(now, fields["seat"])
        fields.setdefault("count", right + 1)
    if "wager" in kind.__struct_fields__:
        placed = (wager_of(name)[0] for box in table.boxes for name in box.wagers)
        wagers = rules_of(table).chapter.wagers
        fields.setdefault("wager", next((w for w in placed if wagers[w].kind == "progressive"), ""))
    if "order" in kind.__struct_fields__ and report.role == "system":
        fields.setdefault("order", table.piles.get("discard", ()))
    return fields


def attempt(table: Table, report: Report, at: str = "") -> Outcome:
    """What the report does to this table."""
    command = COMMANDS[report.command](
        role=report.role,  # type: ignore[arg-type]
        who=_who(table, report), at=at or "2027-01-01T12:00:00", version=table.version,
        **_fields(table, report),
    )  # fmt: skip
    try:
        events, after = run(table, command)
    except Refused as refusal:
        return Outcome(False, refusal.clause or "", refusal.message)
    # a round that is void is so by its own clause, whatever else happened
    told = sorted(events, key=lambda event: not isinstance(event, e.RoundVoided))
    clause = next((event.clause for event in told if event.clause), "")
    steps = tuple(
        step
        for step in next_steps(after, irregularities=True)
        if step.kind == "next" or step.command in _WAYS_ON
    )
    return Outcome(True, clause, summary(table, events), steps, after, events)


def _who(table: Table, report: Report) -> str:
    """The sender of the report: a player reports for their own seat."""
    seat = _fields(table, report).get("seat", 0)
    return table.boxes[seat - 1].player if report.role == "player" and seat else "somebody"


#: what is announced as a way on, though it is not what the round would come to by itself
_WAYS_ON = ("set_device_aside", "repair_device", "void_round")


# the outcome


def summary(before: Table, events: Sequence[e.Event]) -> str:
    """One sentence on what happened to the money, the cards and the devices."""
    parts = [*_money(before, events), *_cards(events), *_devices(events)]
    if any(isinstance(event, e.RoundVoided) for event in events):
        parts.insert(0, "the round is void")
    return "; ".join(parts)


def _money(before: Table, events: Sequence[e.Event]) -> Iterator[str]:
    back = _stakes(events, e.WagerReturned, e.WagerTakenBack, e.ProgressiveStruck)
    lost = _stakes([x for x in events if getattr(x, "result", "") == "lose"], e.WagerSettled)
    held = {box.seat: set(open_stakes(box)) for box in before.boxes}
    if not back and not lost:
        yield "no stake moves"
    if back and all(back.get(seat, set()) >= stakes for seat, stakes in held.items()):
        yield "every open stake goes back"
    else:
        yield from _whose(before, back, held, "go back")
    yield from _whose(before, lost, held, "are lost")
    if any(isinstance(event, e.CouponReturned) for event in events):
        yield "coupons go back"
    made_good = {e_.amount.startswith("-") for e_ in events if isinstance(e_, e.PaymentCorrected)}
    # as much as there was: whether a wager had won yet hangs on the cards
    void = any(isinstance(event, e.RoundVoided) for event in events)
    if True in made_good or (void and any(not line.meter for line in before.settled)):
        yield "what was paid is taken back"
    if False in made_good:
        yield "what was taken is paid back"
    if any(isinstance(event, e.RoundVoided) and event.stands for event in events):
        yield "what a meter paid stands"
    if any(isinstance(event, e.MeterMoved) for event in events):
        yield "what those wagers added leaves the meter"


def _stakes(events: Sequence[e.Event], *kinds: type[e.Event]) -> dict[int, set[str]]:
    """The stakes that events of these kinds are about, by seat."""
    found: dict[int, set[str]] = {}
    for event in events:
        if isinstance(event, kinds):
            seat, wager, hand = (getattr(event, name) for name in ("seat", "wager", "hand"))
            found.setdefault(seat, set()).add(key(wager, hand))
    return found


def _whose(
    before: Table, gone: dict[int, set[str]], held: dict[int, set[str]], how: str
) -> Iterator[str]:
    """All stakes of some seats, or some stakes of some: seat by seat where they differ."""
    law = rules_of(before).chapter
    whole = [str(seat) for seat, stakes in gone.items() if stakes >= held[seat]]
    if whole:
        yield f"the stakes of seat {', '.join(whole)} {how}"
    some: dict[str, list[str]] = {}
    for seat, stakes in gone.items():
        if not stakes >= held[seat]:
            for name in sorted({wager_of(stake)[0] for stake in stakes}):
                some.setdefault(law.wagers[name].name, []).append(str(seat))
    for wager, seats in some.items():
        yield f"the stakes on {wager} of seat {', '.join(seats)} {how}"


def _cards(events: Sequence[e.Event]) -> Iterator[str]:
    racked = sum(
        len(event.cards)
        for event in events
        if isinstance(event, e.CardsDealt) and event.to == "discard"
    )
    gathered = any(isinstance(event, e.CardsMoved) for event in events)
    if racked:
        yield f"{racked} card{'s' * (racked > 1)} of the shoe to the rack"
    if gathered:
        yield "cards are gathered"
    for event in events:
        if isinstance(event, e.DeckRemoved):
            yield f"deck {event.deck} leaves the table"
        elif isinstance(event, e.DeckPrepared) and event.how == "jammed":
            yield f"deck {event.deck} is to be shuffled again"
        elif isinstance(event, e.ReshuffleOrdered):
            yield "the cards are to be shuffled again"


def _devices(events: Sequence[e.Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, e.DeviceChanged):
            yield f"the {event.device.replace('_', ' ')} is {event.condition}"


# the table itself


def trouble_table(
    id: str,
    rules: Mapping[str, Any],
    *,
    seed: int = 1,
) -> list[Cell]:
    """Every report at every moment, under one set of rules."""
    found = moments(id, rules, seed=seed)
    cells = Cells()
    interrupted = Moments()
    taken: list[tuple[str, str, Report, Table]] = []
    for (phase, when), tables in found.items():
        for table in tables:
            line = situation(table).game.round_line
            for report, outcome in cells.try_all(table, phase, when):
                after = outcome.after
                if after is None:
                    continue
                taken.append((phase, when, report, after))
                again = attempt(after, report, after.at)
                if again.accepted and again.says != outcome.says:
                    # what a second one comes to, as with two cards face up
                    cells.add(again, report, phase, when, report)
                if after.hands and after.phase not in (*line, "betting"):
                    interrupted.keep(after)
    for (phase, when), tables in interrupted.items():
        for table in tables:
            list(cells.try_all(table, f"{phase} in a round", when))
    never = cells.never_taken()
    for phase, when, first, after in taken:
        for report in never:
            outcome = attempt(after, report, after.at)
            if outcome.accepted:
                cells.add(outcome, report, phase, when, first)
    return [
        Cell(report, phase, when, tuple(made.values()), first)
        for (report, phase, when, first), made in cells.items()
    ]


Which = tuple[Report, str, str, Report | None]


class Cells(dict[Which, dict[tuple[bool, str, str], Outcome]]):
    """The outcomes of each report, by phase, when in the round, and what was reported before it."""

    def add(self, outcome: Outcome, *which: *Which) -> None:
        about = (outcome.accepted, outcome.clause, outcome.says)
        self.setdefault(which, {}).setdefault(about, outcome)

    def try_all(self, table: Table, phase: str, when: str) -> Iterator[tuple[Report, Outcome]]:
        for report in reports(table):
            outcome = attempt(table, report)
            self.add(outcome, report, phase, when, None)
            yield report, outcome

    def never_taken(self) -> list[Report]:
        """The reports that are refused at every moment of a round without trouble."""
        taken = {
            report
            for (report, phase, *_), made in self.items()
            if not phase.endswith("in a round") and any(one.accepted for one in made.values())
        }
        return [x for x in dict.fromkeys(report for report, *_ in self) if x not in taken]
