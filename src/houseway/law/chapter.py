"""A chapter of the law as data: what its TOML files hold, and how they are read.

A chapter is a folder `chapters/<id>/<edition>/` of six files that a lawyer can proofread:

- `chapter.toml`: what it is, its wagers, its numbers, its layout, the holds its agency published;
- `clauses.toml`: every clause with one line in our own words and how Houseway meets it;
- `paytables.toml`: every payout the text prints, with its clause;
- `options.toml`: what an operator may choose in its Rules Submission;
- `errata.toml`: where the text is unclear, and the reading that is followed;
- `procedure.toml`: who does what at the table, with the clauses that only a person can meet.

A chapter with published holds may have a seventh, `switches.toml`: alternative rules that could
explain those holds. They play no part in the game.

An edition is identified by what it decides (`Chapter.hash`). A field that holds words for people is
declared as `Words`, and one that decides nothing else as `Annotated[..., NOT_DECISIVE]`. A record
holds editions as they were decoded, so a field that is added later needs a default.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec

from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.law.editions.identity import NOT_DECISIVE, Words, identity, stated
from houseway.law.editions.numbering import Numbering, with_numbers
from houseway.law.procedure import Step, applies
from houseway.law.source import PARTS, Source
from houseway.money import Odds, odds
from houseway.shown import HasFigures, ShownAsPage

if TYPE_CHECKING:
    from houseway.law.switches import Switch

T = TypeVar("T")

MD = "md-three-card-poker"
MA = "ma-three-card-poker"
PRIME = "pa-three-card-prime"
SAIGON = "pa-saigon-5-card"
DOWN_UNDER = "pa-down-under-blackjack"
#: the chapters of the package itself
BUILT_IN = (MD, MA, PRIME, SAIGON, DOWN_UNDER)
#: what every table needs to be opened, drawn or settled
FACTS = ("seats", "decks", "deck_cards", "hand_cards", "cut_least")
OPTIONS = ("dealing", "shuffler", "decks_in_play", "adjacent_boxes", "chip_unit")


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of everything read from a chapter's files: immutable, unknown keys refused."""


class Wager(Data, frozen=True, kw_only=True):
    """A wager of the chapter. `kind` says when it is made and what it depends on."""

    id: str
    name: Words
    clause: str
    kind: Literal["standard", "follows", "side", "progressive"]
    says: Words
    #: the option that offers it; a wager without one is always offered
    option: str = ""
    #: wager ids, one of which must stand beside it; empty for a standard wager
    needs: tuple[str, ...] = ()
    needs_clause: str = ""
    #: what decides it, in the terms of the family: "duel", "three_cards", "all_hands"
    settled_on: Annotated[str, NOT_DECISIVE]
    #: when it can be made
    made: Literal["before_deal", "on_decision", "insurance"] = "before_deal"
    #: the layout area where it lies; empty: the area with the wager's own id
    lies_on: Annotated[str, NOT_DECISIVE] = ""
    #: what a fold does to it, and by which clause; empty: the hand cannot be folded
    on_fold: Literal["", "forfeited", "stands"] = ""
    on_fold_clause: str = ""
    #: the option under which a fold leaves it standing
    stands_with: str = ""
    #: the same for a hand that is given up unseen, if the chapter allows that
    on_unseen_forfeit: Literal["", "forfeited", "stands"] = ""
    on_unseen_forfeit_clause: str = ""
    #: the entry of the PAR sheet that figures it; empty: one of its own
    figured_in: Annotated[str, NOT_DECISIVE] = ""

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
    name: Words
    clause: str
    #: the wager that it is paid beside
    beside: str
    #: the entry of the PAR sheet that counts it; empty: that of the wager it is paid beside
    figured_in: str = ""
    says: Words
    #: the option that offers it; empty: always
    option: str = ""
    #: whether it depends on the hands of others, and so waits until all are seen
    all_hands: bool = False


class Fact(Data, frozen=True, kw_only=True):
    """A number of the text, or a short list of them, with the clause that prints it."""

    value: int | str | tuple[int | str, ...] | dict[str, int | str]
    clause: str
    says: Words = ""


class Instead(Data, frozen=True, kw_only=True):
    """What stands in place of an entry's clause and words under some options.

    Without a clause the chapter asks for nothing there.
    """

    when: dict[str, tuple[str | int | bool, ...]]
    clause: str = ""
    #: empty: the entry's own words
    says: Words = ""


class Area(Data, frozen=True, kw_only=True):
    """A marked area the layout must have: at every position, or once before the dealer."""

    id: str
    clause: str
    at: Literal["position", "table"]
    says: Words
    #: the option that calls for it; empty: always
    when: str = ""
    #: other clauses under some options; the first that applies counts
    instead: Annotated[tuple[Instead, ...], NOT_DECISIVE] = ()


class Inscription(Data, frozen=True, kw_only=True):
    """What the felt, or a sign at the table, must tell the players."""

    id: str
    clause: str
    #: the words the text itself prescribes; empty where it only says what to convey
    words: str = ""
    says: Words
    #: whether a sign at the table may carry it instead of the felt
    or_sign: bool = False
    when: str = ""


class Equipment(Data, frozen=True, kw_only=True):
    """What must stand at the table, and where."""

    id: str
    clause: str
    says: Words
    when: str = ""
    #: the device of the live table that it is, where only this game has it
    device: Words = ""
    #: other clauses under some options; the first that applies counts
    instead: Annotated[tuple[Instead, ...], NOT_DECISIVE] = ()


_Item = TypeVar("_Item", Area, Equipment, "Choice")


def under(item: _Item, options: Mapping[str, Any]) -> _Item:
    """An area, a piece of equipment or a choice with the clause and the words for these options."""
    other = next((one for one in item.instead if applies(one.when, options)), None)
    if other is None:
        return item
    return msgspec.structs.replace(item, clause=other.clause, says=other.says or item.says)


class Approval(Data, frozen=True, kw_only=True):
    """What may be used only with an approval, which a submission names or asks for."""

    id: str
    clause: str
    says: Words
    #: who gives it
    by: str
    #: whether it may be asked for together with the submission, or must be there before
    together: bool = True
    #: the choices that make it necessary, by option (and `tip_box`); empty: always
    needed: dict[str, tuple[str | int | bool, ...]] = {}


class OnlyWith(Data, frozen=True, kw_only=True):
    """Clauses, with everything below them, that apply to a table only under certain options.

    A clause named by several entries applies if one of them holds. An entry for a clause takes
    precedence over an entry for a clause above it.
    """

    clauses: tuple[str, ...]
    #: options (and `tip_box`) and the values under which they apply
    when: dict[str, tuple[str | int | bool, ...]] = {}
    #: wagers and other options that must be offered
    offered: tuple[str, ...] = ()


class Hold(Data, frozen=True, kw_only=True):
    """A hold percentage as the agency printed it, lowest and highest."""

    wager: str
    low: str
    high: str
    where: str
    says: str = ""


class SampleTable(Data, frozen=True, kw_only=True):
    """The table that a demonstration, a practice page or `houseway play` sets up by default."""

    #: what the table is called; empty: like the chapter
    name: str = ""
    rules: dict[str, Any] = {}
    limits: dict[str, dict[str, str]] = {}
    meters: dict[str, dict[str, str]] = {}
    #: the linked progressive that it feeds in a demonstration
    link: str = ""
    #: cards that win a meter, by who holds them, `dealer` and `player`, for the demonstration
    jackpot: dict[str, tuple[str, ...]] = {}


class About(Data, frozen=True, kw_only=True):
    """`chapter.toml`."""

    id: str
    game: Words
    jurisdiction: Words
    agency: Words
    citation: Words
    edition: str
    #: the date of the text, or empty with the reason in `dated_note`
    dated: Words
    dated_note: Words = ""
    status: Words
    #: what a player does in one sentence, for a list of games
    says: Words
    #: short names that people type for it
    aliases: Annotated[tuple[str, ...], NOT_DECISIVE] = ()
    #: the chapter whose citations in code and tests hold for this one too, where it is a copy
    citations_of: Annotated[str, NOT_DECISIVE] = ""
    #: the code that plays it: a family of games, and the variant where a family has several
    family: Annotated[str, NOT_DECISIVE]
    variant: Annotated[str, NOT_DECISIVE] = ""
    #: this edition's own numbers of sections and clauses with those that the code cites
    renumbered: dict[str, str] = {}
    wagers: tuple[Wager, ...]
    bonuses: Annotated[tuple[Bonus, ...], NOT_DECISIVE] = ()
    facts: dict[str, Fact]
    areas: tuple[Area, ...] = ()
    inscriptions: tuple[Inscription, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    approvals: tuple[Approval, ...] = ()
    #: which clauses apply only under certain options; the others always do
    only_with: Annotated[tuple[OnlyWith, ...], NOT_DECISIVE] = ()
    holds: Annotated[tuple[Hold, ...], NOT_DECISIVE] = ()
    sample: Annotated[SampleTable, NOT_DECISIVE] = SampleTable()


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

    `met` says how Houseway meets it; while `pending` names a part that does not meet it yet, the
    clause counts as not met.
    """

    id: str
    says: str
    kind: Kind
    met: Disposition
    #: for `outside`: why no software can or needs to meet it
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
    name: Words = ""
    #: for a table that depends on the number of players or of decks
    players: int | None = None
    decks: int | None = None


class Choice(Data, frozen=True, kw_only=True):
    """One value an option may take."""

    value: str | int | bool
    says: Words
    clause: str = ""
    #: other options that must have one of these values for this one to be open
    needs: dict[str, tuple[str | int | bool, ...]] = {}
    #: what must be at the table for it, as values of other options; checked in a submission, but
    #: not needed to settle a round
    takes: dict[str, tuple[str | int | bool, ...]] = {}
    #: other words and clauses beside some choices of other options; the first that applies counts
    instead: Annotated[tuple[Instead, ...], NOT_DECISIVE] = ()


class Option(Data, frozen=True, kw_only=True):
    """Something the operator chooses in its Rules Submission."""

    id: str
    clause: str
    says: Words
    choices: tuple[Choice, ...] = ()
    #: what else is accepted besides the choices
    accepts: Literal["", "amount", "paytable", "awards"] = ""
    #: the wager on whose hands awards may be named
    hands_of: Annotated[str, NOT_DECISIVE] = ""
    #: the printed table below which one of the house's own may not pay in any row
    least: str = ""
    #: a submission must say it and not leave it to the default: "always", or when the option
    #: named here is chosen
    stated: str = ""


class Erratum(Data, frozen=True, kw_only=True):
    """Where the text is unclear, and what the program does about it."""

    id: str
    clauses: tuple[str, ...]
    kind: Literal["contradiction", "reference", "silence", "slip", "draft", "arithmetic"]
    finds: str
    reading: str


E = TypeVar("E", Clause, Option)


class Pay(msgspec.Struct, frozen=True):
    """A resolved payout: the odds, the clause that prescribes them, and the outcome they are for."""

    odds: Odds
    clause: str
    hand: str = ""


class Paytable(ShownAsPage, HasFigures):
    """A paytable ready for use: looks up the odds and clause of an outcome, or None."""

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
        try:
            return self.pays[outcome]
        except KeyError:
            raise Refused(
                "no_such_outcome", f"the paytable {self.id} of {self.wager} has no row {outcome}"
            ) from None

    def __repr__(self) -> str:
        rows = ", ".join(f"{hand}: {pay.odds}" for hand, pay in self.pays.items())
        return f"<{self.wager} {self.id} [{self.clause}] {rows}>"


class Chapter(ShownAsPage, HasFigures):
    """One edition of one chapter. Its parts are read when they are first asked for."""

    def __init__(self, source: Source, *, cited: bool = False) -> None:
        self._source = source
        #: whether clauses have the numbers that the code cites, rather than the edition's own
        self._cited = cited

    @cached_property
    def numbering(self) -> Numbering:
        """How the clause numbers of this edition map to those that the code cites."""
        about = self._source.read("chapter")
        renumbered = {} if self._cited else about.get("renumbered", {})
        try:
            return Numbering(msgspec.convert(renumbered, dict[str, str]), str(about.get("edition")))
        except (msgspec.ValidationError, Refused) as error:
            where = self._source.place("chapter")
            raise Refused("not_a_chapter", f"{where}, renumbered: {error}") from None

    def printed(self, cited: str) -> str:
        """The number that this edition prints for a clause that the code cites."""
        return self.numbering.printed(cited) if self.numbering else cited

    @cached_property
    def as_cited(self) -> Chapter:
        """The same edition with the numbers of clauses that the code cites."""
        return Chapter(self._source, cited=True) if self.numbering else self

    def _part(self, name: str, kind: type[T]) -> T:
        found = self._source.read(name)
        if self.numbering:
            found = with_numbers(name, found, self.numbering.printed)
        try:
            return msgspec.convert(found, kind)
        except msgspec.ValidationError as error:
            what = PARTS[name] or name
            refusal = decode_error(error, "not_a_chapter", what, found)
            entry = f"{PARTS[name]} " if PARTS[name] else ""
            at = f", {entry}{refusal.field}" if refusal.field else ""
            raise Refused(
                "not_a_chapter", f"{self._source.place(name)}{at}: {refusal.message}"
            ) from None

    @cached_property
    def about(self) -> About:
        found = self._part("chapter", About)
        self._require("chapter", "fact", FACTS, found.facts)
        return found

    def _require(
        self, part: str, kind: str, names: tuple[str, ...], found: Collection[str]
    ) -> None:
        """Refuse a chapter without something that every table needs."""
        for name in names:
            if name not in found:
                raise Refused(
                    "not_a_chapter",
                    f"{self._source.place(part)}: there is no {kind} {name}; every chapter has one",
                )

    def _by_id(self, part: str, entries: tuple[E, ...]) -> dict[str, E]:
        found: dict[str, E] = {}
        for entry in entries:
            if entry.id in found:
                raise Refused(
                    "not_a_chapter",
                    f"{self.place(part)}: {PARTS[part]} {entry.id} is listed twice",
                )
            found[entry.id] = entry
        return found

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

    def meter_title(self, meter: str) -> str:
        """The name that people see for a meter: "Five-Card Progressive, mega"."""
        wager, _, tier = meter.partition(".")
        return self.line_name(wager) + (f", {tier}" if tier else "")

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        return self._by_id("clauses", self._part("clauses", tuple[Clause, ...]))

    @cached_property
    def paytable_data(self) -> tuple[PaytableData, ...]:
        return self._part("paytables", tuple[PaytableData, ...])

    @cached_property
    def paytables(self) -> dict[tuple[str, str], Paytable]:
        """Every printed table by wager and id: `("pair_plus", "A")`."""
        return {(data.wager, data.id): Paytable.of(data) for data in self.paytable_data}

    @cached_property
    def options(self) -> dict[str, Option]:
        found = self._by_id("options", self._part("options", tuple[Option, ...]))
        self._require("options", "option", OPTIONS, found)
        return found

    @cached_property
    def errata(self) -> tuple[Erratum, ...]:
        return self._part("errata", tuple[Erratum, ...])

    @cached_property
    def switches(self) -> tuple[Switch, ...]:
        """Alternative rules; a chapter without published holds has none."""
        from houseway.law.switches import Switch

        return self._part("switches", tuple[Switch, ...])

    def amended(
        self,
        payouts: Mapping[tuple[str, str, str], str] | None = None,
        facts: Mapping[str, str | int] | None = None,
    ) -> Chapter:
        """The chapter as it would be with other payouts (by wager, table and hand) or numbers."""
        changed, replace = payouts or {}, msgspec.structs.replace
        other = Chapter(self._source, cited=self._cited)
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
        if self.numbering:
            other.as_cited = self.as_cited.amended(payouts, facts)
        return other

    @cached_property
    def procedure(self) -> tuple[Step, ...]:
        return self._part("procedure", tuple[Step, ...])

    def place(self, part: str) -> str:
        """Where a part of the chapter is found, for a message."""
        return self._source.place(part)

    def fact(self, name: str) -> Fact:
        if name not in self.about.facts:
            where = self.place("chapter")
            raise Refused("not_a_chapter", f"{where}: the game needs a fact {name}; there is none")
        return self.about.facts[name]

    def number(self, name: str) -> int:
        """A fact that is one whole number: `chapter.number("seats")`."""
        value = self.fact(name).value
        if not isinstance(value, int):
            where = self.place("chapter")
            raise Refused("not_a_chapter", f"{where}: the fact {name} must be a whole number")
        return value

    def _deciding(self) -> dict[str, Any]:
        """The parts that decide something at a table, in a submission or on a layout."""
        return {
            "chapter": self.about,
            "paytables": self.paytable_data,
            "options": tuple(self.options.values()),
            "procedure": self.procedure,
        }

    @cached_property
    def hash(self) -> str:
        """The identity of the edition: SHA-256 over what it decides, whatever its words.

        Comments, explanations, errata and the order of keys do not count.
        """
        return identity(self.as_cited._deciding())  # noqa: SLF001

    def as_record(self) -> dict[str, Any]:
        """What a table plays by, words included, as plain data for its record."""
        return {name: stated(part) for name, part in self.as_cited._deciding().items()}  # noqa: SLF001

    def __repr__(self) -> str:
        return f"<{self.id} edition {self.about.edition}>"
