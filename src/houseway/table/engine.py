"""The engine of every table: commands in, events out, nothing else.

A part of the table registers what it does with `@action(Command, roles, phases)`; a family of games
registers its own commands in an `Actions` of its own. Whether a command is open is asked by the same
check that `decide` passes: the role, the game, the phase and the action's own `when`. So `legal` and
`next_steps` cannot promise what `decide` would refuse for being out of turn; `decide` may still
refuse an amount or a card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from houseway.errors import Refused
from houseway.law import Rules, rules_from
from houseway.law.library import EditionRef, Standing, edition_on_record
from houseway.law.procedure import Also, Step, chosen
from houseway.table import events as e
from houseway.table.commands import COMMANDS, Command, OpenTable, snake
from houseway.table.evolve import evolve
from houseway.table.gaming_day import moment
from houseway.table.stakes import STAKE_CHECKS
from houseway.table.state import UNKNOWN, Box, Table

if TYPE_CHECKING:
    from houseway.table.game import TableGame

C = TypeVar("C", bound=Command)


class Situation(NamedTuple):
    """The rules in force, the procedure they call for, by step, and the game that is played.

    `options` are those of the rules, as long as every device works: one that was set aside leaves
    its place to the dealer's hands, and a shoe or a hand-held deck to the manual shoe.
    """

    rules: Rules
    steps: dict[str, Step]
    options: Mapping[str, Any]
    #: how the edition on record stands to the installed text
    standing: Standing
    game: TableGame
    #: the general actions and the game's own, in the order of the commands
    actions: Mapping[type[Command], Action]
    #: the same by the names of the commands
    named: Mapping[str, Action]


_situations: dict[tuple[str, str, tuple[str, ...]], Situation] = {}
SET_ASIDE = frozenset(("covered", "signed", "removed"))


def _in_use(options: Mapping[str, Any], aside: tuple[str, ...]) -> dict[str, Any]:
    """The options as they stand without the devices that were set aside."""
    found = dict(options)
    if "shuffler" in aside:
        found["shuffler"] = "none"
        found["decks_in_play"] = 1
        if found["dealing"] == "hand":
            found["dealing"] = "manual_shoe"
    if "automated_shoe" in aside:
        found["dealing"] = "manual_shoe"
        found["dealer_stack"] = "delivered"
        found["stacks_of_four"] = False
    if "continuous_shuffler" in aside:
        found["dealing"] = "shoe"
    return found


def situation(table: Table) -> Situation:
    """The rules recorded when the table was opened; the same record is read once."""
    aside = tuple(device.id for device in table.devices.values() if device.condition in SET_ASIDE)
    found = _situations.get((table.rules_hash, table.edition_hash, aside))
    if found is None:
        # a game is made of the procedures, and those of this module
        from houseway.table.game import TABLE

        ref = EditionRef(table.chapter, table.edition, table.edition_hash)
        law, standing = edition_on_record(ref)
        rules = rules_from(table.rules, law)
        options = _in_use(rules.options, aside) if aside else rules.options
        game = TABLE.of(law)
        steps = chosen(law.procedure, options)
        actions = actions_of(game)
        named = {found.name: found for found in actions.values()}
        found = Situation(rules, steps, options, standing, game, actions, named)
        _situations[table.rules_hash, table.edition_hash, aside] = found
    return found


def rules_of(table: Table) -> Rules:
    return situation(table).rules


class Moment:
    """One command at one table: what holds, and the events it makes as they are said."""

    __slots__ = (
        "actions", "at", "events", "game", "options", "role", "rules", "standing", "steps", "table",
        "who",
    )  # fmt: skip

    def __init__(self, table: Table, role: str, who: str = "", at: str = "") -> None:
        self.table = table
        self.role = role
        self.who = who
        self.at = at
        self.events: list[e.Event] = []
        if table.chapter:
            self._look()

    def _look(self) -> None:
        (
            self.rules, self.steps, self.options, self.standing, self.game, self.actions, _,
        ) = situation(self.table)  # fmt: skip

    def emit(self, kind: type[e.Event], clause: str = "", **fields: Any) -> None:
        """Something happened."""
        event = kind(
            version=self.table.version + 1,
            at=self.at,
            role=self.role,
            who=self.who,
            clause=clause,
            **fields,
        )
        if kind in STAKE_CHECKS:
            STAKE_CHECKS[kind](self.table, event)
        self.events.append(event)
        self.table = evolve(self.table, event)
        if kind is e.DeviceChanged:
            self._look()

    def begin(self, phase: str) -> None:
        if self.table.phase != phase:
            self.emit(e.PhaseBegan, phase=phase)

    def clause(self, *steps: str) -> str:
        """The clause of the first of these steps that the chapter's procedure has."""
        for step in steps:
            found = self.steps.get(step)
            if found is not None:
                return found.clause
        return ""

    def has_step(self, step: str) -> bool:
        """Whether the procedure, under these rules, has a step or rule of this name."""
        return step in self.steps

    def refuse(
        self, code: str, sentence: str, *steps: str, seat: int | None = None, field: str = ""
    ) -> Refused:
        """A refusal under the clause of a step."""
        return Refused(
            code, sentence, clause=self.clause(*steps) or None, seat=seat, field=field or None
        )

    def box(self, seat: int) -> Box:
        return box_at(self.table, seat)


def box_at(table: Table, seat: int) -> Box:
    if not 1 <= seat <= len(table.boxes):
        raise Refused(
            "no_such_seat",
            f"seats run from 1 to {len(table.boxes)}",
            clause=rules_of(table).chapter.fact("seats").clause,
            seat=seat,
        )
    return table.boxes[seat - 1]


class Action(NamedTuple):
    """What a command is open to and what it does."""

    name: str
    roles: frozenset[str]
    #: empty: in every phase
    phases: frozenset[str]
    #: whether it is open to a seat (0: to nobody's seat) beyond role and phase; raises if not
    when: Callable[[Moment, int], None] | None
    do: Callable[[Moment, Any], None]
    #: whether it belongs to a seat
    seated: bool
    #: whether it is open in every chapter; else the chapter's procedure must have it
    anywhere: bool
    #: what players do of their own accord: nobody waits for it
    unasked: bool = False
    #: when what may be done has become what must be done next
    pressing: Callable[[Moment], bool] | None = None
    #: the steps whose words say best what the command is at this moment, the first that there is
    words: Callable[[Moment], tuple[str, ...]] | None = None


class Actions(dict[type[Command], Action]):
    """What commands do: those of every game, or a family's own.

    An action of a family takes the place of the general one for the same command.
    """

    def action(
        self,
        command: type[C],
        roles: Iterable[str],
        phases: Iterable[str] = (),
        when: Callable[[Moment, int], None] | None = None,
        *,
        anywhere: bool = False,
        unasked: bool = False,
        pressing: Callable[[Moment], bool] | None = None,
        words: Callable[[Moment], tuple[str, ...]] | None = None,
    ) -> Callable[[Callable[[Moment, C], None]], Callable[[Moment, C], None]]:
        """Register what a command does, and with it a command of a family."""
        name = snake(command.__name__)
        if COMMANDS.setdefault(name, command) is not command:
            raise TypeError(f"there are two commands {name}")

        def register(function: Callable[[Moment, C], None]) -> Callable[[Moment, C], None]:
            found = self[command] = Action(
                name,
                frozenset(roles),
                frozenset(phases),
                when,
                function,
                "seat" in command.__struct_fields__,
                anywhere,
                unasked,
                pressing,
                words,
            )
            _DECLARED.setdefault(command, found)
            return function

        return register


#: the action of each command in the game that it belongs to
_DECLARED: dict[type[Command], Action] = {}
#: what every game has
GENERAL = Actions()
action = GENERAL.action


def actions_of(game: TableGame) -> dict[type[Command], Action]:
    """The actions of a game by their commands, in the order in which the commands are declared."""
    both = {**GENERAL, **game.actions}
    return {kind: both[kind] for kind in COMMANDS.values() if kind in both}


#: how a phase is told to a person who wanted something else; families add their own phases
PHASES = {
    "closed": "the table is closed",
    "opening": "the cards are being made ready",
    "idle": "the cards lie spread at an idle table",
    "shuffling": "the cards are to be shuffled",
    "cutting": "the cards are to be cut",
    "loading": "the cover card is to be placed",
    "burning": "a card is to be burned",
    "betting": "players may wager",
    "chips": "the progressive wagers are taken in",
    "dealing": "the cards are being dealt",
    "stub": "the stub is to be removed",
    "deciding": "the players are deciding",
    "collecting": "forfeited hands are to be collected",
    "revealing": "the dealer's hand is to be shown",
    "settling": "the wagers are being settled",
    "clearing": "the cards are to be cleared away",
    "trouble": "an irregularity is being put right",
}


def _barred(now: Moment, found: Action) -> str:
    """Why a command is out of the question, whoever's seat it is for: a code, or nothing."""
    if now.role not in found.roles:
        return "not_your_part"
    if not found.anywhere and found.name not in now.steps:
        return "not_in_this_chapter"
    if found.phases and now.table.phase not in found.phases:
        return "out_of_turn"
    return ""


def _check(now: Moment, found: Action, seat: int) -> None:
    """The one check behind `decide`, `legal` and `next_steps`."""
    code = _barred(now, found)
    if code == "not_your_part":
        raise _not_for(now.table, found, now.role)
    if code == "not_in_this_chapter":
        raise _not_here(now, found)
    if code:
        why = f"is not open now: {PHASES[now.table.phase]}"
        raise now.refuse(code, f"{found.name.replace('_', ' ')} {why}", found.name)
    if found.when is not None:
        found.when(now, seat)


def _not_here(now: Moment, found: Action) -> Refused:
    says = f"{found.name.replace('_', ' ')} is not part of this game under its rules"
    return now.refuse("not_in_this_chapter", says, found.name)


def authorize(table: Table, command: Command) -> None:
    """Refuse a command that is not the sender's to give: by role, by seat, by what it names.

    `run` asks this before anything else. Who carries a command out in another role than the
    sender's asks it for the sender first.
    """
    here = situation(table).actions if table.chapter else GENERAL
    _authorize(table, command, here.get(type(command)) or _DECLARED[type(command)])


def _authorize(table: Table, command: Command, found: Action) -> None:
    if command.role not in found.roles:
        raise _not_for(table, found, command.role)
    if getattr(command, "order", ()) and command.role != "system":
        raise Refused(
            "not_your_part",
            f"the order comes from the system's shoe, not from a {command.role}",
            field="order",
        )
    seat: int = getattr(command, "seat", 0)
    if command.role != "player" or not table.chapter or not seat:
        return
    _own_seat(table, command, seat, sits=found.name == "sit_down")


def _not_for(table: Table, found: Action, role: str) -> Refused:
    roles = " or the ".join(sorted(found.roles))
    says = f"{found.name.replace('_', ' ')} is for the {roles}, not the {role}"
    step = situation(table).steps.get(found.name) if table.chapter else None
    return Refused("not_your_part", says, clause=step.clause if step else None)


def _own_seat(table: Table, command: Command, seat: int, *, sits: bool) -> None:
    """A player acts for the box he wagers at, and nobody else's; one that was left is the dealer's."""
    holder = box_at(table, seat).player
    if holder != command.who and (holder or not sits):
        says = f"{holder or 'nobody'} sits at seat {seat}"
        raise Refused("not_your_seat" if holder else "nobody_there", says, seat=seat)
    if sits and command.who and getattr(command, "player", "") not in ("", command.who):
        raise Refused("not_your_part", "players sit down for themselves", seat=seat, field="player")


#: the fields in which a command names cards that the table may not know yet
_NAMES_CARDS = ("card", "cards")


def cards_known(table: Table) -> bool:
    """Whether the system knows every card of the deck in play: its own shoe supplied the order."""
    return bool(table.in_play) and not any(
        UNKNOWN in pile
        for name, pile in table.piles.items()
        if name != "shuffler" and (not name.startswith("deck.") or name == f"deck.{table.in_play}")
    )


def known_already(field: str) -> Refused:
    """The refusal of a named card that the table knows: right or wrong, the answer is the same."""
    return Refused(
        "cards_known", "the table knows these cards already; send the command without them",
        field=field,
    )  # fmt: skip


def _check_names(table: Table, command: Command) -> None:
    """Cards are named where real ones are keyed in. Elsewhere a name would be a free guess."""
    for field in _NAMES_CARDS:
        if getattr(command, field, None) and cards_known(table):
            raise known_already(field)


def run(table: Table, command: Command) -> tuple[tuple[e.Event, ...], Table]:
    """Decide and evolve in one go: the events, and the table after them."""
    now = Moment(table, command.role, command.who, command.at)
    kind = type(command)
    found = (now.actions if table.chapter else GENERAL).get(kind) or _DECLARED[kind]
    _authorize(table, command, found)
    if command.version is not None and command.version != table.version:
        raise Refused(
            "stale",
            f"this was decided at version {command.version}; the table is at {table.version}",
            field="version",
        )
    if not table.chapter and found.name != "open_table":
        raise Refused("not_open", "this table is not open")
    moment(command.at)
    seat: int = command.seat if found.seated else 0  # type: ignore[attr-defined]
    if seat:
        now.box(seat)
    if table.chapter and now.standing == "unknown" and found.name != "close_table":
        raise Refused(
            "edition_changed",
            f"this table was opened under a text of {table.chapter}, edition {table.edition}, that "
            "is not known here; its record can be shown, but it cannot be played on",
        )
    try:
        if table.chapter and kind not in now.actions:
            raise _not_here(now, found)
        _check(now, found, seat)
        _check_names(table, command)
        found.do(now, command)
    except Refused as refusal:
        raise refusal.at(seat=seat or None) from None
    return tuple(now.events), now.table


def decide(table: Table, command: Command) -> tuple[e.Event, ...]:
    """What a command makes happen, or a refusal."""
    return run(table, command)[0]


def _open(now: Moment, found: Action, seat: int) -> bool:
    if _barred(now, found):
        return False
    try:
        _check(now, found, seat)
    except Refused:
        return False
    return True


def legal(table: Table, role: str, seat: int = 0, *, at: str = "") -> tuple[str, ...]:
    """The commands open to a role; with a seat, those for that seat too; at a time, if one is said."""
    if not table.chapter:
        opens = GENERAL[OpenTable]
        return (opens.name,) if role in opens.roles else ()
    now = Moment(table, role, at=at)
    return tuple(
        found.name
        for found in now.actions.values()
        if (seat or not found.seated or found.name in _SEAT_OPTIONAL)
        and _open(now, found, seat if found.seated else 0)
    )


#: commands whose seat may be left out: for nobody's seat, or for the dealer's own hand
_SEAT_OPTIONAL = frozenset(("cut", "clear_hands", "wrong_number_of_cards"))


def awaited(table: Table) -> tuple[int, ...]:
    """The seats that have a decision to make now, in the order of their numbers.

    Every command of a player counts as a decision unless its action is `unasked`, so that a new one is
    waited for without being named anywhere.
    """
    if not table.chapter or table.phase == "closed":
        return ()
    now = Moment(table, "player")
    decisions = [
        found
        for found in now.actions.values()
        if found.seated and not found.unasked and not _barred(now, found)
    ]
    if not decisions:
        return ()
    seats = range(1, len(table.boxes) + 1)
    return tuple(seat for seat in seats if any(_open(now, found, seat) for found in decisions))


class NextStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who must do what next, in words and with its clause."""

    command: str
    role: str
    says: str
    clause: str
    seat: int = 0
    kind: str = "next"
    also: tuple[Also, ...] = ()


def _seats(now: Moment, does: Action) -> Iterable[int]:
    """The seats that a command may be for; 0 is nobody's."""
    if not does.seated:
        return (0,)
    seats = range(1, len(now.table.boxes) + 1)
    if does.name not in _SEAT_OPTIONAL:
        return seats
    if does.name != "wrong_number_of_cards" and _open(now, does, 0):
        return (0,)
    return (0, *seats)


def _said(now: Moment, does: Action, step: Step, seat: int, kind: str) -> NextStep:
    """A step in the words that fit the moment: a fourth card is not a hand, though both are turned."""
    names = does.words(now) if does.words is not None else ()
    words = next((now.steps[name] for name in names if name in now.steps), step)
    also = step.also if words is step else (*step.also, *words.also)
    return NextStep(step.id, step.role, words.says, words.clause, seat, kind, also)


def next_steps(table: Table, *, irregularities: bool = False, at: str = "") -> tuple[NextStep, ...]:
    """What is to be done now, in the order of the chapter's procedure.

    What falls due by the clock, as a deck's change and a gaming day's inspection, is among it where
    the time is said.
    """
    if not table.chapter or table.phase == "closed":
        return ()
    found: list[NextStep] = []
    pressing: set[str] = set()
    here = situation(table)
    for step in here.steps.values():
        does = here.named.get(step.id)
        if does is None or step.kind == "rule":
            continue
        now = Moment(table, step.role, at=at)
        kind = step.kind
        if does.pressing is not None and does.pressing(now):
            kind = "next"
            pressing.add(step.id)
        if kind == "irregularity" and not irregularities:
            continue
        found.extend(
            _said(now, does, step, seat, kind)
            for seat in _seats(now, does)
            if _open(now, does, seat)
        )
    # what presses comes before the rest
    return (
        tuple(sorted(found, key=lambda step: step.command not in pressing))
        if pressing
        else (tuple(found))
    )
