"""`houseway play`: a table in the terminal, against a dealer that the system plays."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cards import SeededSource, SystemSource
from houseway.cli.output import GOLD, QUIET, RED, console, print_json
from houseway.law import choose, read_rules
from houseway.money import dollars, signed
from houseway.refusal import Refused
from houseway.table import NextStep, Table, rules_of
from houseway.table import events as e
from houseway.table.driver import Driver
from houseway.table.views import SeatView, seat_view

if TYPE_CHECKING:
    from rich.console import Console

YOU = 3


def play(
    chapter: str,
    /,
    *,
    rules: str | None = None,
    seed: int | None = None,
    rounds: int | None = None,
    auto: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Play at a table in the terminal; the system deals.

    Wager as `ante 10 pair_plus 5`, decide with a word or its first letter, `advice` for a hint,
    `quit` to leave. With --auto a player of the system's plays too.

    Parameters
    ----------
    chapter
        The chapter to play.
    rules
        A rules file of that chapter.
    seed
        The same cards for the same seed.
    rounds
        Leave after so many rounds.
    auto
        Let the system play the player too.
    json
        Play by itself and answer with the rounds as one JSON object.
    """
    file: dict[str, Any] = (read_rules(rules) if rules else choose(chapter)).as_file()
    if file["chapter"] != chapter:
        raise Refused("another_chapter", f"{rules} holds the rules of {file['chapter']}")
    driver = Driver(
        chapter,
        file.get("rules"),
        source=SystemSource() if seed is None else SeededSource(seed),
        limits=file.get("limits", {}),
        meters=file.get("meters", {}),
        paytables=file.get("paytables", {}),
    )
    driver.seat_player(YOU, "you")
    driver.ready()
    game = Game(driver, None if json else console(), auto=auto or json)
    left = rounds if rounds is not None else (1 if json else None)
    played: list[dict[str, Any]] = []
    while left is None or left > 0:
        if not game.round():
            break
        played.append(game.result)
        left = None if left is None else left - 1
    if json:
        print_json({"chapter": chapter, "rounds": played})
    return 0


class Game:
    """Rounds for one player at the terminal."""

    def __init__(self, driver: Driver, out: Console | None, *, auto: bool) -> None:
        self.driver = driver
        self.out = out
        self.auto = auto
        self.chips = 0
        self.result: dict[str, Any] = {}

    def say(self, text: str, style: str = "") -> None:
        if self.out is not None:
            self.out.print(text, style=style)

    def ask(self, question: str) -> str | None:
        """A line from the player; None when there is no more."""
        self.say(question, QUIET)
        line = sys.stdin.readline()
        return line.strip().lower() if line else None

    def round(self) -> bool:
        """One round from the wagers to the end; False when the player leaves."""
        if self.driver.table.phase != "betting":
            self.driver.until("betting")
        if not self.wager():
            return False
        before = len(self.driver.record)
        try:
            self.driver.finish(self.decide)
        except EOFError:
            return False
        events = self.driver.record[before:]
        self.tell(events)
        return True

    def offered(self) -> list[str]:
        rules = rules_of(self.driver.table)
        return [
            wager.id
            for wager in rules.chapter.wagers.values()
            if wager.kind != "follows" and rules.offers(wager.id) and wager.id != "insurance"
        ]

    def standard(self) -> dict[str, str]:
        rules = rules_of(self.driver.table)
        first = self.offered()[0]
        limit = rules.limits.get(first)
        least = (limit.min if limit else None) or 1000
        step = rules.step(first)
        return {first: dollars(-(-least // step) * step)}

    def wager(self) -> bool:
        if self.auto:
            self.driver.wager(YOU, self.standard())
            return True
        while True:
            line = self.ask(f"your wagers ({', '.join(self.offered())}), or quit:")
            if line is None or line in ("quit", "q"):
                return False
            words = line.split() or [word for pair in self.standard().items() for word in pair]
            try:
                if len(words) % 2:
                    raise Refused("no_wager", "name each wager with its amount: ante 10")
                self.driver.wager(YOU, dict(zip(words[::2], words[1::2], strict=True)))
            except Refused as refusal:
                self.say(str(refusal), RED)
                for name in tuple(self.driver.table.boxes[YOU - 1].layout):
                    self.driver.send("take_back_wager", "player", seat=YOU, wager=name)
            else:
                return True

    def decide(
        self, table: Table, seat: int, steps: tuple[NextStep, ...]
    ) -> tuple[str, dict[str, Any]]:
        names = list(dict.fromkeys(step.command for step in steps if step.seat == seat))
        if self.auto:
            return self.careful(names), self.fields(self.careful(names), [])
        self.felt(seat_view(table, seat))
        while True:
            line = self.ask(f"{' / '.join(names)}, or advice:")
            if line is None or line in ("quit", "q"):
                raise EOFError
            words = line.split() or [names[0]]
            if words[0] in ("advice", "?"):
                self.advise()
                continue
            found = [name for name in names if name.startswith(words[0])]
            if not found:
                self.say(f"say one of {', '.join(names)}", RED)
                continue
            return found[0], self.fields(found[0], words[1:])

    def fields(self, name: str, words: list[str]) -> dict[str, Any]:
        """An amount where a decision has one: the most that is allowed, unless it is named."""
        box = self.driver.table.boxes[YOU - 1]
        bet = box.wagers.get("bet", 0)
        if name == "double":
            return {"amount": words[0] if words else dollars(bet)}
        if name == "insure":
            unit = rules_of(self.driver.table).chip_unit
            return {"amount": words[0] if words else dollars(bet // 2 // unit * unit or unit)}
        return {}

    def advise(self) -> None:
        """What each choice is worth, exactly, by what this player can see."""
        from houseway.maths.figures import decimal
        from houseway.web.advice import advise
        from houseway.web.seeing import Eyes, sight

        table = self.driver.table
        try:
            unit, worth = advise(table, YOU, sight(table, Eyes("player", YOU)))
        except Refused as refusal:
            self.say(str(refusal), RED)
            return
        for choice, value in worth:
            self.say(f"{choice:24} {decimal(value, 6):>10} {unit}", GOLD)

    def careful(self, names: list[str]) -> str:
        """What `--auto` decides: a rule of thumb for each game, at once and without mathematics."""
        from houseway.cards import cards
        from houseway.games import three_card
        from houseway.games.blackjack import player_total

        table = self.driver.table
        if "decline_insurance" in names:
            return "decline_insurance"
        if "fold" in names:
            held = cards(table.piles[f"seat.{YOU}"])
            threshold = three_card.value(cards("Qc 6d 4h"))
            return "play" if three_card.value(held) >= threshold else "fold"
        if "stand" in names:
            hand = table.piles.get(f"seat.{YOU}", ())
            total = player_total(rules_of(table), cards(hand))
            return "stand" if total.points >= (18 if total.soft else 15) else "hit"
        return names[0]

    def felt(self, view: SeatView) -> None:
        """The felt in a few lines."""
        public = view.public
        mine = public.boxes[view.seat - 1]
        dealer = " ".join(public.dealer + public.hole) or "-"
        self.say(
            f"\nround {public.round}   dealer  {dealer}"
            + (f"   light {public.light}" if public.light else "")
        )
        wagers = "  ".join(f"{name} {amount}" for name, amount in mine.wagers.items())
        hands = " ".join(mine.cards + mine.three + mine.two)
        second = f"   |  {' '.join(mine.second_hand)}" if mine.second_hand else ""
        self.say(f"you  [bold]{hands}[/bold]{second}   {wagers}")
        for step in [step for step in view.next if step.kind == "next"][:1]:
            self.say(f"{step.says} [{QUIET}]{step.clause}[/]")

    def tell(self, events: list[e.Event]) -> None:
        """How the round ended."""
        lines, net = [], 0
        for event in events:
            if isinstance(event, e.CardsTurned):
                self.say(f"{event.place:>10}  {' '.join(event.cards)}")
            if isinstance(event, e.WagerSettled):
                won = event.result not in ("lose", "forfeit")
                gain = signed(event.paid) if won else -signed(event.stake)
                net += gain
                lines.append(
                    {
                        "wager": event.wager,
                        "stake": event.stake,
                        "result": event.result,
                        "paid": event.paid,
                        "clause": event.clause,
                    }
                )
                style = GOLD if gain > 0 else RED if gain < 0 else ""
                self.say(
                    f"{event.wager:>16}  {event.result:<8} {dollars(gain):>10}  {event.clause}",
                    style,
                )
        self.chips += net
        self.say(f"this round {dollars(net)}, together {dollars(self.chips)}\n")
        self.result = {"round": self.driver.table.round, "lines": lines, "net": dollars(net)}
