"""`houseway play`: a table in the terminal, against a dealer that the system plays."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cards import SeededSource, SystemSource
from houseway.cli.chapter_choice import ChapterId
from houseway.cli.table.terminal_felt import felt
from houseway.cli.terminal.output import GOLD, QUIET, RED, console, print_json, read_amount
from houseway.drawing.layout.inscriptions import payouts
from houseway.errors import Refused
from houseway.extras import not_installed
from houseway.floor.people.chip_changes import chips_of
from houseway.law import Rules, chapter, read_rules
from houseway.law.choices import letters
from houseway.money import Cents, cents, dollars, spoken
from houseway.present import PRESENTATION, Viewer, net, table_view
from houseway.present.settled import change, signed
from houseway.present.teaching import advise, rule_of_thumb
from houseway.table import NextStep, Table, evolve, rules_of
from houseway.table import events as e
from houseway.table.commands import COMMANDS
from houseway.table.driver import Driver, least_wagers
from houseway.table.game import TABLE
from houseway.table.moment import Moment
from houseway.table.procedure.deciding import hand_asked
from houseway.table.procedure.wagering import check_standing
from houseway.table.state import key, seat_pile, wager_of

if TYPE_CHECKING:
    from rich.console import Console

#: where you sit; at a smaller table on its last seat
SEAT = 3
_HELP = """\
Bet by name and amount, for example: {example}. The first letters of a name are enough. An amount \
alone goes on your first wager. Press Enter to repeat your last bet.{hands}
Decide with a word or its first letters. advice: what each choice is worth, exactly. pays: the \
posted payouts. quit: leave the table."""
#: other words that people try, and what they mean
_MEANT = {
    **dict.fromkeys(("q", "exit", "leave", "bye"), "quit"),
    **dict.fromkeys(("h", "?"), "help"),
    **dict.fromkeys(("payouts", "paytable", "odds"), "pays"),
    **dict.fromkeys(("hint", "advise"), "advice"),
}
_AGAIN = ("again", "repeat", "rebet", "same", "deal")
#: what people write before a bet
_VERB = re.compile(r"bet|put|wager")
#: what people write between names and amounts
_BETWEEN = re.compile(r"[=:;$]|,(?!\d{3}\b)|\b(?:on|and|dollars?)\b")
_AMOUNT = re.compile(r"[-.]?\d\S*")
#: an amount, or the words of a name
_PARTS = re.compile(rf"{_AMOUNT.pattern}|[^\s\d.-]\S*(?:\s+[^\s\d.-]\S*)*")


def play(
    chapter: ChapterId,
    /,
    *,
    rules: str | None = None,
    chips: str = "500.00",
    seed: int | None = None,
    rounds: int | None = None,
    auto: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Play at a table in the terminal; the system deals.

    Bet with `ante 10 pair plus 5`, decide with a word or its first letters; `advice` shows what
    each choice is worth, `help` the rest, and `quit` leaves. Without a rules file, the table offers
    the side wagers of the demonstration. With --auto a computer player plays your hand.

    Parameters
    ----------
    chapter
        The chapter to play.
    rules
        A rules file of that chapter; the demonstration's rules by default.
    chips
        The chips you start with, in dollars.
    seed
        Deal the same cards again for the same seed.
    rounds
        Leave after this many rounds.
    auto
        Let a computer player play your hand.
    json
        Play automatically and print the rounds as one JSON object.
    """
    if rounds is not None and rounds < 1:
        raise Refused("rounds", "the number of rounds must be at least 1", field="rounds")
    file = _rules(chapter, rules).as_file()
    driver = Driver(
        chapter,
        file.get("rules"),
        edition=file["edition"],
        source=SystemSource() if seed is None else SeededSource(seed),
        limits=file.get("limits", {}),
        meters=file.get("meters", {}),
        paytables=file.get("paytables", {}),
    )
    seat = min(SEAT, len(driver.table.boxes))
    driver.seat_player(seat, "you")
    driver.ready()
    out = None if json else console()
    game = Game(driver, seat, out, read_amount(chips, "chips"), auto=auto or json)
    game.greet()
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


def _rules(id: str, path: str | None) -> Rules:
    """The rules of the file, or those of the demonstration's table."""
    from houseway.floor.demonstration import sample_rules

    if path is not None:
        found = read_rules(path)
        if found.chapter.id != id:
            raise Refused("another_chapter", f"{path} holds the rules of {found.chapter.id}")
        return found
    return sample_rules(chapter(id))


class Game:
    """Rounds for one player at the terminal."""

    def __init__(
        self, driver: Driver, seat: int, out: Console | None, chips: Cents, *, auto: bool
    ) -> None:
        self.driver = driver
        self.you = seat
        self.rules = rules_of(driver.table)
        self.game = PRESENTATION.of(self.rules.chapter)
        self.out = out
        self.auto = auto
        self._chips, self._read = chips, 0
        self.last: dict[str, str] = {}
        self.result: dict[str, Any] = {}

    @property
    def chips(self) -> Cents:
        """What the player holds: every event that moves chips is counted, and only once."""
        record = self.driver.record
        moved = map(chips_of, record[self._read :])
        self._chips += sum(amount for seat, amount in moved if seat == self.you)
        self._read = len(record)
        return self._chips

    def say(self, text: str, style: str = "") -> None:
        if self.out is not None:
            self.out.print(text, style=style)

    def refuse(self, refusal: Refused) -> None:
        """What is wrong, for the one player there is: no seat and no field, and no word as markup."""
        clause = f" [{refusal.clause}]" if refusal.clause else ""
        if self.out is not None:
            self.out.print(f"{refusal.message}{clause}", style=RED, markup=False)

    def greet(self) -> None:
        about = self.rules.chapter.about
        if not self.auto:
            self.say(f"[bold]{about.game}, {about.jurisdiction}[/]")

    def ask(self, question: str) -> list[str]:
        """The words of a line from the player; `quit` when there is no more."""
        while True:
            self.say(f"[{QUIET}]{question}[/]")
            line = sys.stdin.readline()
            words = line.strip().lower().split() if line else ["quit"]
            if len(words) == 1:
                words = [_MEANT.get(words[0], words[0])]
            if words[:1] == ["help"]:
                self.say(self.help())
            elif words[:1] == ["pays"]:
                self.posted()
            else:
                return words

    def round(self) -> bool:
        """One round from the wagers to the end; False when the player leaves."""
        self.driver.until("betting")
        if not self.wager():
            return False
        before, table = len(self.driver.record), self.driver.table
        try:
            self.driver.finish(self.decide)
        except EOFError:
            staked = spoken(sum(self.driver.table.boxes[self.you - 1].wagers.values()))
            self.say(
                f"You left during the round. Your wagers of {staked} stay on the table; "
                f"you keep {self.held()}."
            )
            return False
        self.tell(table, self.driver.record[before:])
        return True

    # wagers

    def help(self) -> str:
        """How to bet and decide, with wagers of this table."""
        names = [name.lower() for name in self.offered().values()]
        example = " ".join(f"{name} {least}" for name, least in zip(names, (10, 5), strict=False))
        first, many = names[0], len(self.hands()) > 1
        hands = f" {first}@2 is the {first} on the second hand." if many else ""
        return _HELP.format(example=example, hands=hands)

    def offered(self) -> dict[str, str]:
        """The ids of the wagers that are made before the deal, each with its name."""
        return {
            wager.id: wager.name
            for wager in self.rules.chapter.wagers.values()
            if wager.made == "before_deal" and self.rules.offers(wager.id)
        }

    def example(self) -> str:
        return f"{next(iter(self.offered().values())).lower()} 10"

    def hands(self) -> list[int]:
        """The hands that a wager may be on, where the community cards make several."""
        return list(self.game.common_hands(self.rules, {})) or [0]

    def wager(self) -> bool:
        standard = least_wagers(self.rules)
        least = sum(standard.values())
        if self.chips < least:
            self.say(f"You have {self.held()}; the smallest bet is {spoken(least)}. Game over.")
            return False
        if self.auto:
            chips = {name: dollars(amount) for name, amount in standard.items()}
            self.driver.wager(self.you, chips, self.hands()[0])
            return True
        hands = self.hands()
        many = f"; add @{hands[0]} to @{hands[-1]} for the hand" if len(hands) > 1 else ""
        self.say(f"[{QUIET}]Wagers: {self.limits()}{many}[/]")
        again = "Enter to repeat your last bet, " if self.last else ""
        while True:
            words = self.ask(f"You have {self.held()}. Your bet ({again}help, quit):")
            if words[:1] == ["quit"]:
                self.say(f"You leave with {self.held()}.")
                return False
            try:
                wagers = self.named(words)
                self.afford(sum(map(cents, wagers.values())))
                self.driver.wager(self.you, wagers)
                check_standing(Moment(self.driver.table, "player"))
            except Refused as refusal:
                self.refuse(refusal)
                for laid in tuple(self.driver.table.boxes[self.you - 1].layout):
                    name, hand = wager_of(laid)
                    self.driver.send(
                        "take_back_wager", "player", seat=self.you, wager=name, hand=hand
                    )
            else:
                self.last = wagers
                return True

    def limits(self) -> str:
        """Each wager with the least and the most that may be staked on it."""
        shown = []
        for id, name in self.offered().items():
            limit, fixed = self.rules.limits.get(id), self.rules.stakes(id)
            least, most = (limit.min, limit.max) if limit else (None, None)
            between = " to ".join(
                spoken(one) for one in (least or self.rules.step(id), most) if one
            )
            if fixed:
                between = " or ".join(map(spoken, fixed))
            elif not most:
                between = f"from {between}"
            shown.append(f"{name} {between}")
        return ", ".join(shown)

    def named(self, words: list[str]) -> dict[str, str]:
        """The wagers that were typed: the last ones for an empty line, the first for an amount."""
        if " ".join(words) in ("", *_AGAIN):
            if not self.last:
                raise Refused("no_wager", f"name a wager and an amount: {self.example()}")
            return self.last
        found: dict[str, str] = {}
        for word, amount in self.pairs(words):
            plain, _, on = word.partition("@")
            hand = one_of([str(hand) for hand in self.hands()], on or str(self.hands()[0]), "hand")
            id = self.called(plain)
            name = key(id, int(hand))
            if name in found:
                raise Refused("no_wager", f"{self.offered()[id]} is named twice")
            found[name] = dollars(cents(amount.replace(",", "")))
        # in the chapter's order: a side wager is accepted only beside the wager that it needs
        order = list(self.offered())
        return dict(sorted(found.items(), key=lambda one: order.index(wager_of(one[0])[0])))

    def called(self, typed: str) -> str:
        """The id of the one wager whose id or name begins with what was typed."""
        offered = self.offered()
        known = {letters(name): id for id, named in offered.items() for name in (id, named)}
        word = letters(typed)
        found = {known[word]} if word in known else {
            id for name, id in known.items() if name.startswith(word)
        }  # fmt: skip
        if len(found) != 1:
            among = ", ".join(name for id, name in offered.items() if id in (found or offered))
            could = f"{typed} could be" if word and found else "wagers here are"
            raise Refused("no_such_name", f"{could} {among}")
        return found.pop()

    def pairs(self, words: list[str]) -> list[tuple[str, str]]:
        """Names and amounts as they were typed: `ante 10`, `$10 on pair plus`, `ante=10, bonus=5`."""
        offered = self.offered()
        if words and _VERB.fullmatch(words[0]) and words[0] not in offered:
            words = words[1:]
        line = " ".join(words)
        for id, name in offered.items():  # a name may begin with a number
            line = line.replace(name.lower(), id)
        parts = _PARTS.findall(_BETWEEN.sub(" ", line))
        amounts = [part for part in parts if _AMOUNT.match(part)]
        if parts == amounts and len(parts) == 1:
            parts = [next(iter(offered)), *parts]
        at = int(parts != [] and parts[0] not in amounts)
        if parts[at::2] != amounts or len(parts) != 2 * len(amounts):
            raise Refused("no_wager", f"name each wager with its amount: {self.example()}")
        names = ("_".join(name.split()) for name in parts[1 - at :: 2])
        return [
            (name, f"{amount}0" if re.fullmatch(r"[\d,]+\.\d", amount) else amount)
            for name, amount in zip(names, amounts, strict=True)
        ]

    def held(self) -> str:
        return spoken(self.chips)

    def afford(self, more: Cents) -> None:
        """Refuse a bet of more chips than the player holds."""
        if more > self.chips:
            raise Refused(
                "not_enough_chips", f"{spoken(more)} is more than the {self.held()} you have"
            )

    def posted(self) -> None:
        """What the table pays, as it stands on the felt."""
        phrases, panels = payouts(self.rules)
        for phrase in phrases:
            self.say(f"{phrase.words}  [{QUIET}]{phrase.clause}[/]")
        for panel in panels:
            self.say(f"{panel.title}  [{QUIET}]{', '.join(panel.clauses)}[/]", GOLD)
            for name, *pays in (panel.head, *panel.rows) if panel.head else panel.rows:
                self.say(f"  {name:24}{''.join(f'{paid:>16}' for paid in pays)}")

    # decisions

    def decide(
        self, table: Table, seat: int, steps: tuple[NextStep, ...]
    ) -> tuple[str, dict[str, Any]]:
        open_now = {step.command: step for step in steps if step.seat == seat}
        names = list(open_now)
        if self.auto:
            name, fields = rule_of_thumb(table, seat)
            if self.cost(name, fields) > self.chips:
                cheap = [one for one in names if self.cost(one, {}) <= self.chips]
                late = TABLE.of(self.rules.chapter).when_late
                name = next((one for one in late if one in cheap), cheap[0])
                fields = {}
            return name, {**fields, **self.fields(name, [])}
        self.show(table)
        for says, clause in dict.fromkeys((step.says, step.clause) for step in open_now.values()):
            self.say(f"{says} [{QUIET}]{clause}[/]")
        while True:
            hand = hand_asked(table, seat)
            on = f"hand {hand}: " if hand else ""
            asked = (self.game.prompts.get(name, name.replace("_", " ")) for name in names)
            words = self.ask(f"{on}{' / '.join(asked)}, or advice:")
            if words[:1] == ["quit"]:
                raise EOFError
            if words[:1] == ["advice"]:
                self.advise()
                continue
            if len(names) == 1 and names[0] in self.game.prompts:
                words = [*names, *words]
            try:
                # an empty line decides nothing
                name = one_of(names, words[0] if words else "", "choice")
                fields = self.fields(name, words[1:])
                self.afford(self.cost(name, fields))
            except Refused as refusal:
                self.refuse(refusal)
                continue
            return name, fields

    def cost(self, name: str, fields: dict[str, Any]) -> Cents:
        """The chips that a decision puts on the layout."""
        if "amount" in fields:
            return cents(fields["amount"])
        table = self.driver.table
        return self.game.cost(
            self.rules, table.boxes[self.you - 1], name, hand_asked(table, self.you)
        )

    def fields(self, name: str, words: list[str]) -> dict[str, Any]:
        """What a decision needs to be told: the most that is allowed, unless it is named."""
        if "amount" in COMMANDS[name].__struct_fields__:
            return {"amount": dollars(cents(words[0]) if words else self.cost(name, {}))}
        held = self.driver.table.piles.get(seat_pile(self.you), ())
        return self.game.typed_fields(held, name, words)

    def advise(self) -> None:
        """What each choice is worth, exactly, by what this player can see."""
        from houseway.maths.figures import decimal

        self.say("calculating …", QUIET)
        try:
            unit, worth = advise(self.driver.table, self.you)
        except Refused as refusal:
            self.refuse(refusal)
            return
        except ModuleNotFoundError as missing:  # the round goes on without advice
            self.refuse(not_installed(missing))
            return
        for at, (choice, value) in enumerate(worth):
            self.say(
                f"{'best ' if not at else '     '}{choice.replace('_', ' '):24} {decimal(value, 6):>10} {unit}",
                GOLD,
            )

    # what is seen

    def show(self, table: Table) -> None:
        if self.out is not None:
            seen = table_view(table, Viewer("player", self.you))
            self.out.print(felt(self.rules, seen, self.chips, table.round))

    def tell(self, table: Table, events: list[e.Event]) -> None:
        """How the round ended: the felt once all is settled, and each wager with its clause."""
        settled = [event for event in events if isinstance(event, e.WagerSettled)]
        if settled:
            for event in events[: events.index(settled[-1]) + 1]:
                table = evolve(table, event)
            self.show(table)
        for line in table.settled:
            name = self.rules.chapter.line_name(line.wager) + (f" {line.hand}" if line.hand else "")
            gain = change(line)
            self.say(
                f"  {name:24} {line.result:<9} {line.odds:<14} {signed(gain):>10}  "
                f"[{QUIET}]{line.clause}[/]",
                GOLD if gain > 0 else RED if gain < 0 else "",
            )
        won = net(table.settled)
        self.say(f"  {'this round':49} {signed(won):>10}  you have {self.held()}\n")
        self.result = {
            "round": self.driver.table.round,
            "lines": [
                {
                    "wager": line.wager,
                    "stake": dollars(line.stake),
                    "result": line.result,
                    "paid": dollars(line.paid),
                    "clause": line.clause,
                }
                for line in table.settled
            ],
            "net": dollars(won),
        }


def one_of(names: list[str], word: str, what: str) -> str:
    """The one name that begins with the word."""
    found = [name for name in names if name == word] or [
        name for name in names if name.startswith(word)
    ]
    if len(found) != 1:
        among = ", ".join(found or names)
        if what == "choice":
            among = among.replace("_", " ")
        raise Refused(
            "no_such_name",
            f"{word} could be {among}" if found and word else f"{what}s here are {among}",
        )
    return found[0]
