"""A chapter of the law as data: what its TOML files hold, and how they are read.

A chapter is a folder `chapters/<id>/<edition>/` of six files that a lawyer could proof-read:

- `chapter.toml`: what it is, its wagers, its numbers, its layout, the holds its agency published;
- `clauses.toml`: every clause with one line in our own words and how Houseway meets it;
- `paytables.toml`: every payout the text prints, with its clause;
- `options.toml`: what an operator may choose in its Rules Submission;
- `errata.toml`: where the text is unclear, and the reading that is followed;
- `procedure.toml`: who does what at the table, with the clauses that only a person can meet.

A chapter with published holds may have a sixth, `switches.toml`: rules that could as well have been
otherwise, which play no part in the game and all in the reconciliation of those holds.

Editions stand side by side; the newest is the one meant when none is named.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from houseway.errors import Refused
from houseway.law.procedure import Step
from houseway.money import Odds, odds

if TYPE_CHECKING:
    from houseway.law.switches import Switch

MD = "md-three-card-poker"
MA = "ma-three-card-poker"
PRIME = "pa-three-card-prime"
SAIGON = "pa-saigon-5-card"
DOWN_UNDER = "pa-down-under-blackjack"
CHAPTERS = (MD, MA, PRIME, SAIGON, DOWN_UNDER)


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of everything read from a chapter's files: immutable, and no unknown key passes."""


class Wager(Data, frozen=True, kw_only=True):
    """A wager of the chapter. `kind` says when it is made and what it depends on."""

    id: str
    name: str
    clause: str
    kind: Literal["standard", "follows", "side", "progressive"]
    says: str
    #: the option that offers it; a wager without one is always offered
    option: str = ""
    #: wager ids of which one must stand beside it; empty for a standard wager
    needs: tuple[str, ...] = ()
    needs_clause: str = ""
    #: what decides it, in the terms of the family: "duel", "three_cards", "all_hands"
    settled_on: str
    #: when it can be made
    made: Literal["before_deal", "on_decision", "insurance"] = "before_deal"
    #: the layout area where it lies; empty: the area with the wager's own id
    lies_on: str = ""
    #: what a fold does to it, and by which clause; empty: the hand cannot be folded
    on_fold: Literal["", "forfeited", "stands"] = ""
    on_fold_clause: str = ""
    #: the option under which a fold leaves it standing after all
    stands_with: str = ""
    #: the same for a hand that is given up unseen, where the chapter knows that
    on_unseen_forfeit: Literal["", "forfeited", "stands"] = ""
    on_unseen_forfeit_clause: str = ""
    #: the entry of the PAR sheet that figures it; empty: one of its own
    figured_in: str = ""

    @property
    def area(self) -> str:
        """The id of the layout area where it lies."""
        return self.lies_on or self.id

    @property
    def entry(self) -> str:
        """The PAR sheet's name for what figures it."""
        return self.figured_in or self.id


class Bonus(Data, frozen=True, kw_only=True):
    """What is paid without a stake of its own: a bonus, envy, even money, a coupon."""

    id: str
    name: str
    clause: str
    #: the wager that it is paid beside, and so the PAR entry that counts it
    beside: str
    says: str
    #: the option that offers it; empty: always
    option: str = ""
    #: whether it depends on the hands of others, and so waits until all of them are seen
    all_hands: bool = False


class Fact(Data, frozen=True, kw_only=True):
    """A number of the text, or a short list of them, with the clause that prints it."""

    value: int | str | tuple[int | str, ...] | dict[str, int | str]
    clause: str
    says: str = ""


class Area(Data, frozen=True, kw_only=True):
    """A marked area the layout must have: at every position, or once before the dealer."""

    id: str
    clause: str
    at: Literal["position", "table"]
    says: str
    #: the option that calls for it; empty: always
    when: str = ""


class Inscription(Data, frozen=True, kw_only=True):
    """What the felt, or a sign at the table, must tell the players."""

    id: str
    clause: str
    #: the words the text itself prescribes; empty where it only says what to convey
    words: str = ""
    says: str
    #: whether a sign at the table may carry it instead of the felt
    or_sign: bool = False
    when: str = ""


class Equipment(Data, frozen=True, kw_only=True):
    """What must stand at the table, and where."""

    id: str
    clause: str
    says: str
    when: str = ""


class Approval(Data, frozen=True, kw_only=True):
    """What may be used only with an approval, which a submission names or asks for."""

    id: str
    clause: str
    says: str
    #: who gives it
    by: str
    #: whether it may be asked for together with the submission, or must be there before
    together: bool = True
    #: the choices that make it necessary, by option (and `tip_box`); empty: always
    needed: dict[str, tuple[str | int | bool, ...]] = {}


class Hold(Data, frozen=True, kw_only=True):
    """A hold percentage as the agency printed it, lowest and highest."""

    wager: str
    low: str
    high: str
    where: str
    says: str = ""


class About(Data, frozen=True, kw_only=True):
    """`chapter.toml`."""

    id: str
    game: str
    jurisdiction: str
    agency: str
    citation: str
    edition: str
    #: the date of the text, or empty with the reason in `dated_note`
    dated: str
    dated_note: str = ""
    status: str
    #: what a player does in one sentence, for a list of games
    says: str
    #: the code that plays it: a family of games, and the variant where a family has several
    family: str
    variant: str = ""
    wagers: tuple[Wager, ...]
    bonuses: tuple[Bonus, ...] = ()
    facts: dict[str, Fact]
    areas: tuple[Area, ...] = ()
    inscriptions: tuple[Inscription, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    approvals: tuple[Approval, ...] = ()
    holds: tuple[Hold, ...] = ()


Disposition = Literal[
    "enforced", "checked", "computed", "displayed", "prompted", "definition", "outside"
]
Room = Literal["table", "submission", "drawing", "documents", "maths", "store", "floor"]
Kind = Literal[
    "definition", "layout", "equipment", "cards", "opening", "shuffle", "ranking", "wager",
    "dealing", "decision", "settlement", "payout", "progressive", "irregularity", "submission",
]  # fmt: skip


class Clause(Data, frozen=True, kw_only=True):
    """One numbered clause of the text.

    `met` says how Houseway meets it once its rooms are built; `pending` names the room that does
    not meet it yet, and while it is there the clause counts as not yet met.
    """

    id: str
    says: str
    kind: Kind
    met: Disposition
    #: for `outside`: why no software can or need meet it
    why: str = ""
    pending: Room | None = None

    @property
    def disposition(self) -> str:
        return "pending" if self.pending else self.met


class Row(Data, frozen=True, kw_only=True):
    """One line of a paytable: the outcome, what it pays, the clause that says so."""

    hand: str
    pays: str
    clause: str = ""


class PaytableData(Data, frozen=True, kw_only=True):
    """One column of payouts as the text prints it."""

    wager: str
    id: str
    clause: str
    rows: tuple[Row, ...]
    name: str = ""
    #: for a table that depends on the number of players or of decks
    players: int | None = None
    decks: int | None = None


class Choice(Data, frozen=True, kw_only=True):
    """One value an option may take."""

    value: str | int | bool
    says: str
    clause: str = ""
    #: other options that must have one of these values for this one to be open
    needs: dict[str, tuple[str | int | bool, ...]] = {}
    #: what must be at the table for it, as values of other options: a submission is checked for
    #: that, while a round can be settled without
    takes: dict[str, tuple[str | int | bool, ...]] = {}


class Option(Data, frozen=True, kw_only=True):
    """Something the operator chooses in its Rules Submission."""

    id: str
    clause: str
    says: str
    choices: tuple[Choice, ...] = ()
    #: what else is accepted besides the choices
    accepts: Literal["", "amount", "paytable", "awards"] = ""
    #: the printed table below which one of the house's own may not pay in any row
    least: str = ""
    #: a submission must say it and not leave it to the default: "always", or when the option
    #: named here is chosen
    stated: str = ""


class Erratum(Data, frozen=True, kw_only=True):
    """Where the text stumbles, and what the program does about it."""

    id: str
    clauses: tuple[str, ...]
    kind: Literal["contradiction", "reference", "silence", "slip", "draft", "arithmetic"]
    finds: str
    reading: str


class Pay(msgspec.Struct, frozen=True):
    """A resolved payout: the odds, the clause that prescribes them, and the outcome they are for."""

    odds: Odds
    clause: str
    hand: str = ""


class Paytable:
    """A paytable ready for use: look an outcome up, get its odds and clause, or None."""

    __slots__ = ("clause", "id", "pays", "wager")

    def __init__(self, wager: str, id: str, clause: str, pays: Mapping[str, Pay]) -> None:
        self.wager = wager
        self.id = id
        self.clause = clause
        self.pays = dict(pays)

    @classmethod
    def of(cls, data: PaytableData) -> Paytable:
        pays = {
            row.hand: Pay(odds(row.pays), row.clause or data.clause, row.hand) for row in data.rows
        }
        return cls(data.wager, data.id, data.clause, pays)

    def get(self, outcome: str) -> Pay | None:
        return self.pays.get(outcome)

    def __getitem__(self, outcome: str) -> Pay:
        return self.pays[outcome]

    def __repr__(self) -> str:
        rows = ", ".join(f"{hand}: {pay.odds}" for hand, pay in self.pays.items())
        return f"<{self.wager} {self.id} [{self.clause}] {rows}>"


class Chapter:
    """One edition of one chapter. Its files are read when they are first asked for."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder

    def _read(self, name: str) -> dict[str, Any]:
        return tomllib.loads(self._folder.joinpath(name).read_text(encoding="utf-8"))

    @cached_property
    def about(self) -> About:
        return msgspec.convert(self._read("chapter.toml"), About)

    @property
    def id(self) -> str:
        return self.about.id

    @cached_property
    def wagers(self) -> dict[str, Wager]:
        return {wager.id: wager for wager in self.about.wagers}

    @cached_property
    def bonuses(self) -> dict[str, Bonus]:
        return {bonus.id: bonus for bonus in self.about.bonuses}

    def line_name(self, id: str) -> str:
        """The name that people see for a wager or a bonus."""
        found = self.wagers.get(id) or self.bonuses.get(id)
        return found.name if found is not None else id.replace("_", " ")

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        found = msgspec.convert(self._read("clauses.toml")["clause"], tuple[Clause, ...])
        by_id = {clause.id: clause for clause in found}
        if len(by_id) != len(found):
            raise ValueError(f"{self.id}: a clause is listed twice")
        return by_id

    @cached_property
    def paytable_data(self) -> tuple[PaytableData, ...]:
        return msgspec.convert(self._read("paytables.toml")["paytable"], tuple[PaytableData, ...])

    @cached_property
    def paytables(self) -> dict[tuple[str, str], Paytable]:
        """Every printed table by wager and id: `("pair_plus", "A")`."""
        return {(data.wager, data.id): Paytable.of(data) for data in self.paytable_data}

    @cached_property
    def options(self) -> dict[str, Option]:
        found = msgspec.convert(self._read("options.toml")["option"], tuple[Option, ...])
        return {option.id: option for option in found}

    @cached_property
    def errata(self) -> tuple[Erratum, ...]:
        return msgspec.convert(self._read("errata.toml")["erratum"], tuple[Erratum, ...])

    @cached_property
    def switches(self) -> tuple[Switch, ...]:
        """Rules that could as well have been otherwise; a chapter without published holds has none."""
        from houseway.law.switches import Switch

        try:
            found = self._read("switches.toml")["switch"]
        except FileNotFoundError:
            return ()
        return msgspec.convert(found, tuple[Switch, ...])

    def amended(
        self,
        payouts: Mapping[tuple[str, str, str], str] | None = None,
        facts: Mapping[str, str | int] | None = None,
    ) -> Chapter:
        """The chapter as it would be with other payouts (by wager, table and hand) or numbers."""
        changed, replace = payouts or {}, msgspec.structs.replace
        other = Chapter(self._folder)
        numbers = {
            name: replace(self.fact(name), value=value) for name, value in (facts or {}).items()
        }
        other.about = replace(self.about, facts={**self.about.facts, **numbers})
        other.options = self.options
        other.paytable_data = tuple(
            replace(
                data,
                rows=tuple(
                    replace(row, pays=changed.get((data.wager, data.id, row.hand), row.pays))
                    for row in data.rows
                ),
            )
            for data in self.paytable_data
        )
        return other

    @cached_property
    def procedure(self) -> tuple[Step, ...]:
        return msgspec.convert(self._read("procedure.toml")["step"], tuple[Step, ...])

    def fact(self, name: str) -> Fact:
        return self.about.facts[name]

    def number(self, name: str) -> int:
        """A fact that is one whole number: `chapter.number("seats")`."""
        value = self.about.facts[name].value
        if not isinstance(value, int):
            raise TypeError(f"{self.id}: {name} is not a number")
        return value

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the files, so that a record can say by which edition it was made."""
        names = (
            "chapter.toml", "clauses.toml", "paytables.toml", "options.toml", "errata.toml",
            "procedure.toml",
        )  # fmt: skip
        whole = hashlib.sha256()
        for name in names:
            content = self._folder.joinpath(name).read_bytes()
            whole.update(f"{name} {len(content)}\n".encode() + content)
        return whole.hexdigest()

    def __repr__(self) -> str:
        return f"<{self.id} edition {self.about.edition}>"


@cache
def editions(id: str) -> tuple[str, ...]:
    """The editions kept of a chapter, oldest first."""
    root = files("houseway.law").joinpath("chapters")
    if id not in CHAPTERS:
        raise Refused(
            "no_such_chapter", f"there is no chapter {id!r}; there are {', '.join(CHAPTERS)}"
        )
    return tuple(sorted(folder.name for folder in root.joinpath(id).iterdir() if folder.is_dir()))


@cache
def chapter(id: str, edition: str | None = None) -> Chapter:
    """Load a chapter: `chapter("md-three-card-poker")`; the newest edition unless one is named."""
    kept = editions(id)
    if edition is not None and edition not in kept:
        raise Refused(
            "no_such_edition", f"{id} has no edition {edition!r}; there are {', '.join(kept)}"
        )
    folder = files("houseway.law").joinpath("chapters", id, edition or kept[-1])
    return Chapter(folder)
