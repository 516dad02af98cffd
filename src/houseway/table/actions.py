"""Actions: who may give each command, when, and what it does.

A part of the table registers what it does with `@action(Command, roles, phases)`; a family of games
registers its own commands in an `Actions` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from houseway.table.commands import COMMANDS, Command, snake
from houseway.table.spans import Span, phases_of

if TYPE_CHECKING:
    from houseway.table.game import TableGame
    from houseway.table.moment import Moment

C = TypeVar("C", bound=Command)
#: values of a command's fields, by name
Fields = dict[str, Any]


class Action(NamedTuple):
    """Who may give a command, when, and what it does."""

    name: str
    roles: frozenset[str]
    #: empty: in every phase
    phases: frozenset[str]
    #: checks whether it is open to a seat (0: no seat), beyond role and phase; raises if not
    when: Callable[[Moment, int], None] | None
    do: Callable[[Moment, Any], None]
    #: whether it belongs to a seat
    seated: bool
    #: whether it is open in every chapter; else the chapter's procedure must have it
    anywhere: bool
    #: players may do it, but nobody waits for it
    unasked: bool = False
    #: when an optional action has become the required next step
    pressing: Callable[[Moment], bool] | None = None
    #: the procedure steps that describe the command at this moment; the first that exists is used
    words: Callable[[Moment], tuple[str, ...]] | None = None
    #: from which moment of a round to which it can happen; a game's actions have the `phases` of it
    span: Span | None = None
    #: the fields in which the command names cards that the table may not know yet
    names_cards: tuple[str, ...] = ()
    #: the fields with which the command is taken now, for a seat, as far as the table knows them:
    #: the device, the deck, the count; the first is what is most likely meant
    choices: Callable[[Moment, int], Iterable[Fields]] | None = None
    has_reason: bool = False
    has_count: bool = False
    #: the steps by whose clause the command is given at this moment, where its own step has another
    by: Callable[[Moment], tuple[str, ...]] | None = None
    #: of one of its choices, the steps that describe it and those by whose clause it is given, where
    #: that depends on the choice: those of different clauses are announced apart
    each: Callable[[Fields], tuple[tuple[str, ...], tuple[str, ...]]] | None = None


class Actions(dict[type[Command], Action]):
    """What commands do: those of every game, or a family's own.

    An action of a family replaces the general one for the same command.
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
        span: Span | None = None,
        choices: Callable[[Moment, int], Iterable[Fields]] | None = None,
        by: Callable[[Moment], tuple[str, ...]] | None = None,
        each: Callable[[Fields], tuple[tuple[str, ...], tuple[str, ...]]] | None = None,
    ) -> Callable[[Callable[[Moment, C], None]], Callable[[Moment, C], None]]:
        """Register what a command does, and with it a command of a family.

        It is open in some phases, in a span of the round, or always.
        """
        name, fields = snake(command.__name__), command.__struct_fields__
        if COMMANDS.setdefault(name, command) is not command:
            raise TypeError(f"there are two commands {name}")

        def register(function: Callable[[Moment, C], None]) -> Callable[[Moment, C], None]:
            found = self[command] = Action(
                name,
                frozenset(roles),
                frozenset(phases),
                when,
                function,
                "seat" in fields,
                anywhere,
                unasked,
                pressing,
                words,
                span,
                tuple(name for name in ("card", "cards") if name in fields),
                choices,
                "reason" in fields,
                "count" in fields,
                by,
                each,
            )
            DECLARED.setdefault(command, found)
            return function

        return register


#: the action of each command in the game that it belongs to
DECLARED: dict[type[Command], Action] = {}
#: what every game has
GENERAL = Actions()
action = GENERAL.action


def actions_of(game: TableGame) -> dict[type[Command], Action]:
    """The actions of a game by their commands, in the order in which the commands are declared."""
    both = {**GENERAL, **game.actions}
    return {kind: _placed(game, both[kind]) for kind in COMMANDS.values() if kind in both}


def _placed(game: TableGame, found: Action) -> Action:
    return found._replace(phases=phases_of(game, found.span)) if found.span else found


#: the words for each phase in a refusal; families add their own phases
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
