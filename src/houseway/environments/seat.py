"""One seat at a live table as a Gymnasium environment.

An episode is a round. It is dealt by the table's own procedure, and every reward is what the table
has settled, to the cent. The environment has no code for any particular game: it asks the teaching
part for the moves of a player, and the table whether a move is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from houseway.cards import Card, SeededSource
from houseway.errors import Refused
from houseway.game_api.round import LOST
from houseway.law import Rules, choose
from houseway.money import Cents, cents, dollars
from houseway.present.teaching import TEACHING, Decision
from houseway.present.visible_cards import Viewer, VisibleCards, visible_cards
from houseway.table import events as e
from houseway.table.commands import COMMANDS
from houseway.table.driver import Driver, least_wagers
from houseway.table.engine import awaited, run
from houseway.table.moment import Moment, situation
from houseway.table.state import Table

#: the cards of a deck with a joker
CARDS = 53
SEAT = 1
#: the move of a player who has nothing to decide
CONTINUE = "continue"

Observation = dict[str, Any]


class SeatEnvironment(gymnasium.Env[Observation, Any]):
    """A seat at a table of a chapter, alone against the house.

    Observation: `hand`, the cards of the hand to decide on, `dealer`, those of the dealer that are
    seen, and `others`, all else that is seen, each as counts of the 53 cards (clubs, diamonds, hearts
    and spades of each rank, lowest first; the joker last); `hint`, what a device shows of a hidden
    card, 0 for nothing; `action_mask`, the legal actions.

    Action: the number of one of `moves`. Where the player has nothing to decide, `continue` is the
    only legal one. An illegal move changes nothing and is told in `info["refused"]`. With several sets of `wagers` the first action of a round chooses one of them.

    Reward: the round's net result in dollars, with the last action of the round; 0 before.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  Gymnasium's own way

    def __init__(
        self,
        chapter: str,
        rules: Rules | Mapping[str, Any] | None = None,
        wagers: Mapping[str, str] | Sequence[Mapping[str, str]] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = rules if isinstance(rules, Rules) else choose(chapter, dict(rules or {}))
        self._game = TEACHING.of(self.rules.chapter)
        given = [wagers] if isinstance(wagers, Mapping) else list(wagers or [])
        self.wagers = given or [standard_wagers(self.rules)]
        self.render_mode = render_mode
        #: what each action stands for, in order
        self.moves = (
            *(f"wager {number}" for number in range(len(self.wagers)) if len(self.wagers) > 1),
            *moves_of(self.rules),
        )
        self.hints = hints_of(self.rules)
        counts = spaces.Box(0, 8, (CARDS,), np.int8)
        self.observation_space = spaces.Dict(
            {
                "hand": counts,
                "dealer": counts,
                "others": counts,
                "hint": spaces.Discrete(len(self.hints)),
                "action_mask": spaces.MultiBinary(len(self.moves)),
            }
        )
        self.action_space = spaces.Discrete(len(self.moves))
        self._driver: Driver | None = None
        self._open: dict[int, Decision | None] = {}
        self._last: Table = Table()
        self._over = True

    # Gymnasium's interface

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a round; with a seed, at a table with new cards."""
        super().reset(seed=seed)
        if self._driver is None or seed is not None or not self._over:
            self._driver = self._new_table()
        self._driver.record.clear()
        self._driver.commands.clear()
        self._make_ready(self._driver)
        self._over = False
        if len(self.wagers) > 1:
            self._open = dict.fromkeys(range(len(self.wagers)))
        else:
            self._wager(0)
        return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make one move. An illegal one changes nothing; `info["refused"]` says so."""
        number = int(action)
        if self._over or self._driver is None:
            raise Refused("round_over", "the round is over: call reset()")
        if not self.action_space.contains(number):
            raise gymnasium.error.InvalidAction(f"{number} is not one of {len(self.moves)} actions")
        if number not in self._open:
            seen, info = self._seen()
            legal = ", ".join(self.moves[one] for one in self._open)
            info["refused"] = f"{self.moves[number]} is not legal now; legal: {legal}"
            return seen, 0.0, False, False, info
        reward = 0.0
        decision = self._open[number]
        if decision is not None:
            name, fields = decision
            self._driver.send(name, "player", seat=SEAT, **fields)
            self._go_on()
        elif self.moves[number] == CONTINUE:
            reward = self._net() / 100
            self._over = True
            self._open = {}
        else:
            self._wager(number)
        if self._open and self.moves[next(iter(self._open))] == CONTINUE and decision is not None:
            # the last decision of the round ends the episode
            reward = self._net() / 100
            self._over = True
            self._open = {}
        seen, info = self._seen()
        return seen, reward, self._over, False, info

    def render(self) -> str | None:
        """The cards on the table, and the legal moves, as text."""
        if self.render_mode != "ansi" or self._driver is None:
            return None
        seen = visible_cards(self._last, Viewer("player", SEAT))
        lines = [
            f"{place}: {' '.join('??' if one is None else str(one) for one in cards)}"
            for place, cards in seen.items()
        ]
        return "\n".join([*lines, "legal: " + ", ".join(self.moves[one] for one in self._open)])

    # the round

    def _new_table(self) -> Driver:
        source = SeededSource(str(self.np_random.integers(1 << 62)))
        made = Driver(**self.rules.as_file(), source=source)
        made.seat_player(SEAT, "agent")
        return made

    def _make_ready(self, driver: Driver) -> None:
        """Play the house's part up to the wagers; the agent leaves the cut to the dealer."""
        while driver.table.phase != "betting":
            if not driver.house():
                driver.send("decline_cut", "player", seat=SEAT)

    def _wager(self, number: int) -> None:
        assert self._driver is not None
        now = Moment(self._driver.table, "player")
        self._driver.wager(SEAT, self.wagers[number], now.game.first_hand(now))
        self._go_on()

    def _go_on(self) -> None:
        """Play the house's part until the player has something to decide, or the round is over."""
        driver = self._driver
        assert driver is not None
        number = driver.table.round + (0 if driver.table.hands else 1)
        while driver.table.round < number or driver.table.hands:
            self._last = driver.table
            if driver.table.hands and SEAT in awaited(driver.table):
                self._open = self._moves(driver.table)
                if self._open:
                    return
                driver.send("decline_cut", "player", seat=SEAT)
            elif not driver.house():
                raise driver.stuck()
        self._open = {self.moves.index(CONTINUE): None}

    def _moves(self, table: Table) -> dict[int, Decision | None]:
        """The moves that the table accepts now, each as the command that makes it."""
        seen = visible_cards(table, Viewer("player", SEAT))
        found: dict[int, Decision | None] = {}
        first = len(self.moves) - len(self._game.moves(self.rules))
        for number, name in enumerate(self.moves[first:], first):
            decision = self._game.move(self.rules, table, SEAT, seen, name)
            if decision is not None and self._accepted(table, decision):
                found[number] = decision
        return found

    def _accepted(self, table: Table, decision: Decision) -> bool:
        assert self._driver is not None
        name, fields = decision
        at = self._driver.clock.isoformat()
        given: dict[str, Any] = {"role": "player", "who": "agent", "at": at, "seat": SEAT}
        command = COMMANDS[name](**given, **fields)
        try:
            run(table, command)
        except Refused:
            return False
        return True

    def _net(self) -> Cents:
        """What the round has brought: settled lines, from the events of the round."""
        assert self._driver is not None
        return sum(
            _change(event)
            for event in self._driver.record
            if isinstance(event, e.WagerSettled) and event.seat == SEAT
        )

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        table = self._last
        seen: VisibleCards = visible_cards(table, Viewer("player", SEAT)) if table.chapter else {}
        hand = dealer = np.zeros(CARDS, np.int8)
        if table.chapter:
            hand = _counts([self._game.hand(self.rules, table, SEAT, seen)] if table.hands else [])
            piles = situation(table).game.dealer_piles
            dealer = _counts([seen[name] for name in piles if name in seen])
        mask = np.zeros(len(self.moves), np.int8)
        mask[list(self._open)] = 1
        shown = [
            device.shows for device in table.devices.values() if device.shows in self.hints[1:]
        ]
        observation: Observation = {
            "hand": hand,
            "dealer": dealer,
            "others": _counts(seen.values()) - hand - dealer,
            "hint": np.int64(self.hints.index(shown[0]) if shown else 0),
            "action_mask": mask,
        }
        return observation, {"action_mask": mask}


def _counts(piles: Iterable[Sequence[Card | None]]) -> NDArray[np.int8]:
    found = np.zeros(CARDS, np.int8)
    for pile in piles:
        for one in pile:
            if one is not None:
                found[int(one)] += 1
    return found


def _change(event: e.WagerSettled) -> Cents:
    """What a settled line changes for the player."""
    return -cents(event.stake) if event.result in LOST else cents(event.paid)


def moves_of(rules: Rules) -> tuple[str, ...]:
    """The moves of a seat, `continue` first, which is legal where there is nothing to decide."""
    return (CONTINUE, *TEACHING.of(rules.chapter).moves(rules))


def hints_of(rules: Rules) -> tuple[str, ...]:
    """What a device may show of a hidden card, nothing first."""
    return ("", *TEACHING.of(rules.chapter).hints(rules))


def standard_wagers(rules: Rules) -> dict[str, str]:
    """What a position must wager at least, at the minimum or ten dollars."""
    return {name: dollars(amount) for name, amount in least_wagers(rules).items()}
