"""The dealer's procedure card: a round under exactly these rules, as the table itself asks for it.

The steps, their order and what follows from each come from a table that is played through
(`played_through`). How each wager is settled comes from the clauses that settled it there and from
the chapter's other clauses on the same matter; what it pays comes from its paytable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from string import Formatter
from typing import Any

from houseway.drawing.layout.inscriptions import odds_text, tables_in_force
from houseway.law import Pay, Rules
from houseway.law.hand_names import hand_name
from houseway.law.procedure import Also, Step, Thing, chosen
from houseway.submission.file import Submission
from houseway.submission.packet.applicability import in_words, left_out
from houseway.submission.packet.checklist import which_table
from houseway.submission.packet.playthrough import Done, Playthrough, played_through
from houseway.table.procedure.wagering import of_all_hands

#: the parts of the card by the phase in which each begins
_BEGINS = {
    "opening": "Opening",
    "shuffling": "Shuffle and cut",
    "betting": "Wagers",
    "dealing": "Dealing",
    "deciding": "The players decide",
    "collecting": "Settlement",
    "revealing": "Settlement",
}
#: where something belongs that may be done at any time, by the kind of its clause
_KINDS = {
    "opening": "Opening",
    "shuffle": "Shuffle and cut",
    "wager": "Wagers",
    "dealing": "Dealing",
    "decision": "The players decide",
    "settlement": "Settlement",
}
TROUBLE = "Irregularities"
_WHO = {"dealer": "", "system": "", "device": "Device", "floorperson": "Floorperson",
        "player": "Player", "surveillance": "Surveillance"}  # fmt: skip

#: where losing wagers are collected before others are paid
_PARTS = {"collect": "Collect the losing wagers", "pay": "Pay or return the others"}
#: the same for a wager that is settled by a clause of its own
_PART_OF = {"collect": "Collect the losing {} wagers.", "pay": "Pay the winning {} wagers."}

Row = dict[str, Any]


def procedure_card(submission: Submission) -> list[Row]:
    """The parts of the card, each with its numbered steps and what may be done besides."""
    return _Card(submission).parts()


class _Card:
    def __init__(self, submission: Submission) -> None:
        self.rules = submission.rules
        self.law = submission.chapter
        self.left_out = left_out(submission)
        self.played: Playthrough = played_through(self.rules)
        self.steps = chosen(self.law.procedure, self.rules.options)
        #: the words of rules that the table applies by itself, by clause
        self.applied = {s.clause: s.says for s in self.steps.values() if s.kind == "rule"}
        #: what the chapter has the card say with a step, which is said nowhere else
        self.noted = {note.clause for s in self.steps.values() for note in s.card}
        #: the rules that were said with an earlier step
        self.told: set[str] = set()
        self.tables = tables_in_force(self.rules)
        self.order = list(self.law.clauses)

    def parts(self) -> list[Row]:
        parts: dict[str, Row] = {
            title: {"title": title, "steps": [], "may": [], "each": None}
            for title in (*dict.fromkeys(_BEGINS.values()), TROUBLE)
        }
        for phase, steps in groupby(self.played.done, key=lambda step: step.phase):
            parts[self._part(phase)]["steps"] += self._said(self._choices_together(list(steps)))
        _say_once([step for part in parts.values() for step in part["steps"]])
        for part in parts.values():
            _number(part["steps"])
            part["each"] = self._each(part["steps"])
        for step in self.played.open:
            clause = self.law.clauses.get(step.clause)
            title = _KINDS.get(clause.kind if clause else "") or self._part(step.phase)
            parts[title]["may"].append(self._row(step))
        parts[TROUBLE]["may"] = [self._trouble(step) for step in self._irregularities()]
        return [part for part in parts.values() if part["steps"] or part["may"]]

    def _part(self, phase: str) -> str:
        """A phase of one game belongs to the part of the last phase before it that begins one."""
        phases = self.played.phases
        before = phases[: phases.index(phase) + 1] if phase in phases else ()
        return next((_BEGINS[one] for one in reversed(before) if one in _BEGINS), "Opening")

    def _each(self, rows: list[Row]) -> Row | None:
        """The steps that are gone through for each player in succession."""
        seated = [row["number"] for row in rows if row.pop("seated")]
        if not seated:
            return None
        first, last = seated[0], seated[-1]
        joined = "and" if last == first + 1 else "to"
        which = f"Steps {first} {joined} {last} are" if last > first else f"Step {first} is"
        says = (
            f"{which} done for each player in succession, beginning farthest to the dealer's right."
        )
        return {
            "first": first,
            "last": last,
            "says": says,
            "clause": self.steps["settle_next"].clause,
        }

    # the steps

    def _said(self, steps: list[Done]) -> list[Row]:
        """The steps of a phase; wagers that are settled one after another in one turn are one step."""
        rows: list[Row] = []
        steps = [step for step in steps if not self._in_the_tray(step)]
        for _, group in groupby(steps, key=self._together):
            together = list(group)
            rows.append(self._row(together[0], together))
        chosen = [row for row in rows if row["who"] == _WHO["player"]]
        for row in chosen[1:]:
            row["or"] = True
            row["says"] = _capital(row["says"].removeprefix("Or "))
        return [_with_alternatives(rows)] if self._one_of_them(steps) else rows

    def _in_the_tray(self, step: Done) -> bool:
        """Whether a wager is lost whose chips were collected before the deal."""
        wager = self.law.wagers.get(step.wager)
        return step.part == "collect" and wager is not None and wager.kind == "progressive"

    def _one_of_them(self, steps: list[Done]) -> bool:
        """Whether every round has exactly one of these steps of the house, now this, now that."""
        rounds = [number for step in steps for number in step.rounds]
        house = all(step.role != "player" and not step.settles for step in steps)
        return house and len(steps) > 1 and sorted(rounds) == list(range(1, self.played.rounds + 1))

    def _together(self, step: Done) -> tuple[object, ...]:
        """Steps with the same answer are one: the wagers that are settled in one turn."""
        if not step.settles:
            return step.key
        return (step.says, step.part, self._late(step))

    def _rank(self, wager: str) -> int:
        """The position of a wager or bonus in the chapter's order."""
        order = [*self.law.wagers, *self.law.bonuses]
        return order.index(wager) if wager in order else len(order)

    def _late(self, step: Done) -> str:
        """The name of a wager that is settled after all others, or an empty text."""
        return step.wager if step.wager in of_all_hands(self.law) else ""

    def _choices_together(self, steps: list[Done]) -> list[Done]:
        """A player's choices stand together, where the first of them was, as the chapter lists them."""
        mine = [step for step in steps if step.role == "player"]
        if not mine:
            return steps
        at = steps.index(mine[0])
        ids = list(self.steps)
        mine.sort(key=lambda step: ids.index(step.command))
        rest = [step for step in steps if step.role != "player"]
        # what is settled before the player is asked comes first
        before = [step for step in rest if step in rest[:at] or step.settles]
        return [*before, *mine, *(step for step in rest if step not in before)]

    def _sources(self, step: Done) -> list[Step]:
        """The chapter's steps in whose words a step was asked for."""
        found = [s for s in self.steps.values() if (s.says, s.clause) == (step.says, step.clause)]
        return found or [self.steps[step.command]]

    def _row(self, step: Done, together: list[Done] | None = None) -> Row:
        wagers = sorted((one.wager for one in together or () if one.wager), key=self._rank)
        if step.part == "pay":
            wagers = sorted(self._collected(step, wagers), key=self._rank)
        also = self._lines(step.also, wagers)
        for source in self._sources(step):
            if step.part != "collect" or source.id == "settle_lost":
                also += self._lines(source.card, wagers)
        for one in together or [step]:
            also += [
                {"says": text, "clause": clause} if one.command != "place_wager" else
                {"says": text, "clause": self._or_choice(clause), "at": clause}
                for clause, text in self._follows(one)
            ]  # fmt: skip
        also.sort(key=lambda line: self._place(line.pop("at", line["clause"])))
        for wager in wagers if step.settles and step.part != "collect" else ():
            # what is paid out of turn is a single hand's
            also += self._pays(wager, step.odds if step.phase != "settling" else ())
        says = self._words(step, wagers)
        said = {says, *(one["says"] for one in also)}
        why = self.law.clauses.get(step.clause) if self._now_and_then(step) else None
        if why is not None and why.says not in said and step.clause not in self.noted:
            also = [{"says": why.says, "clause": ""}, *also]
        return {
            "who": _WHO[step.role],
            "says": says,
            "clause": step.clause,
            "command": step.command,
            "wagers": wagers,
            "also": also,
            "seated": _in_succession(step) and not self._late(step),
        }

    def _or_choice(self, clause: str) -> str:
        """A clause that applies here; for one that does not, that of the choice which leaves it out."""
        if clause not in self.left_out:
            return clause
        options = [o for e in self.law.about.only_with if clause in e.clauses for o in e.when]
        chosen = [one.clause for option in options for one in self.law.options[option].choices
                  if one.value == self.rules[option]]  # fmt: skip
        return next(filter(None, chosen), "")

    def _place(self, clause: str) -> int:
        """The place of a clause in the text."""
        return self.order.index(clause) if clause in self.law.clauses else 0

    def _lines(self, notes: Iterable[Also], wagers: Sequence[str] = ()) -> list[Row]:
        """The lines that belong to a step, if they apply; `{option}` is replaced with the choice.

        Words about an option that was not chosen do not apply.
        """
        found = []
        for note in notes:
            named = {
                name: self.rules[name] for _, name, _, _ in Formatter().parse(note.says) if name
            }
            if (
                note.clause in self.left_out
                or (note.wager and note.wager not in wagers)
                or any(value in ("none", False) for value in named.values())
            ):
                continue
            words = {name: in_words(self.law, value, name) for name, value in named.items()}
            found.append({"says": note.says.format(**words), "clause": note.clause})
        return found

    def _collected(self, step: Done, wagers: list[str]) -> list[str]:
        """The wagers paid in a turn, and those of the turn before, which may win as well as lose."""
        lost = [
            one.wager
            for one in self.played.done
            if one.part == "collect" and one.says == step.says and not self._late(one)
        ]
        more = set(lost) - set(wagers)
        return [*lost, *(wager for wager in wagers if wager not in lost)] if more else wagers

    def _words(self, step: Done, wagers: list[str]) -> str:
        """A step as the card says it: for all the players, and by the names of its wagers."""
        own = next((one.card_says for one in self._sources(step) if one.card_says), "")
        if own:
            return own
        names = _listed([self.law.line_name(wager) for wager in wagers])
        says = step.says
        if step.part and not self._late(step):
            if "the next wager" not in says:
                return _PART_OF[step.part].format(names)
            says = says.replace("Settle the next wager", f"{_PARTS[step.part]} ({names})")
            says = says.replace(": losing ones first", "")
        says = says.replace("the next wager", names)
        if step.command in ("deal", "settle_next"):
            says = says.replace("the next ", "each ")
        if wagers and not step.settles:
            says = f"{names}: {says[:1].lower()}{says[1:]}"
        return says.replace(", from the dealer's right", "") if _in_succession(step) else says

    def _now_and_then(self, step: Done) -> bool:
        """Whether a step of the house is not part of every round, so that its clause says when."""
        once = self._part(step.phase) == "Opening"
        house = step.role != "player" and not step.open and not step.settles
        house = house and not any(source.card_says for source in self._sources(step))
        return house and not once and len(step.rounds) < self.played.rounds

    def _seen(self, step: Done) -> tuple[str, ...]:
        """The clauses by which a wager was settled, without those of its paytable."""
        tables = self.tables.get(step.wager, ())
        printed = {pay.clause for table in tables for pay in table.pays.values()}
        printed |= {table.clause for table in tables}
        return tuple(sorted(clause for clause in step.followed if clause not in printed))

    def _clauses(self, step: Done) -> list[str]:
        """The same clauses with the chapter's others on the subject, in the order of the text."""
        seen = self._seen(step)
        return [
            clause.id
            for clause in self.law.clauses.values()
            if clause.id in seen
            or (clause.kind == "settlement" and self._settles(clause.id) is step)
        ]

    def _settles(self, clause: str) -> Done | None:
        """The step that a clause on settlement belongs to: that of its nearest relative.

        Of relatives alike near the one before it in the text counts, else the first after it.
        """
        told = {step.clause for step in self.played.done}
        if clause in told or clause in self.left_out:
            return None
        settles = {step.clause for step in self.played.done if step.settles}
        if any(_parts(one)[: len(_parts(clause))] == _parts(clause) for one in settles):
            return None  # it introduces them
        here = self.order.index(clause)
        least = max(len(_parts(clause)) - 1, 2)
        found = [
            (depth, at <= here, at if at <= here else -at, step)
            for step in self.played.done
            if step.settles and step.phase == "settling"
            for other in self._seen(step)
            if other in self.order and (depth := _alike(clause, other)) >= least
            for at in (self.order.index(other),)
        ]
        return max(found, key=lambda one: one[:3])[3] if found else None

    def _follows(self, step: Done) -> list[tuple[str, str]]:
        """What follows from a step: how a wager goes, or the rule that the table then applies."""
        if step.settles and step.phase == "settling":
            return [(clause, self.law.clauses[clause].says) for clause in self._clauses(step)
                    if clause != step.clause and clause not in self.noted]  # fmt: skip
        told = {done.clause for done in self.played.done} | {also.clause for also in step.also}
        if step.command == "place_wager":
            return [(w.clause, f"{w.name}: {w.says}")
                    for w in self.law.about.wagers
                    if w.kind != "follows" and self.rules.offers(w.id)]  # fmt: skip
        found = [(clause, self.applied[clause]) for clause in step.followed
                 if clause in self.applied and clause not in told | self.noted | self.told
                 and self.applied[clause] != step.says]  # fmt: skip
        self.told |= {clause for clause, _ in found}
        return found

    def _pays(self, wager: str, seen: Collection[str] = ()) -> list[Row]:
        """What a wager pays, by each of its tables; of a table of few rows only the odds `seen`."""
        name, tables = self.law.line_name(wager), self.tables.get(wager, ())
        players = {(one.wager, one.id): one.players for one in self.law.paytable_data}
        found = []
        for table in sorted(tables, key=lambda one: players.get((wager, one.id)) or 0):
            rows = table.pays
            number = players.get((wager, table.id))
            which = which_table(self.rules, wager, table.id) if len(tables) > 1 else ""
            if number:
                which = f"{number} player{'s' if number > 1 else ''}"
            name_of = f"{name} ({which})" if which else name
            if len(rows) == 1 or "win" in rows:
                said = [(pay.clause, _winning(hand, pay)) for hand, pay in rows.items()
                        if not seen or str(pay.odds) in seen]  # fmt: skip
            else:
                listed = (
                    f"{hand_name(hand, rows)} {odds_text(pay.odds)}" for hand, pay in rows.items()
                )
                said = [(table.clause, "; ".join(listed))]
            found += [{"says": f"{name_of} pays {text}.", "clause": clause, "again": True}
                      for clause, text in said]  # fmt: skip
        return found

    # what may go wrong

    def _irregularities(self) -> list[Step]:
        there = _there(self.rules)
        found = [
            step
            for step in self.steps.values()
            if (step.only_with is None or step.only_with in there)
            and step.clause not in self.left_out
            and (step.kind == "irregularity" or self._is_consequence(step))
        ]
        told = {step.clause for step in found if step.kind == "irregularity"}
        return [step for step in found if step.kind == "irregularity" or step.clause not in told]

    def _trouble(self, step: Step) -> Row:
        return {"who": _WHO[step.role], "says": step.card_says or step.says, "clause": step.clause,
                "command": step.id, "wagers": [], "also": self._lines((*step.also, *step.card))}  # fmt: skip

    def _is_consequence(self, step: Step) -> bool:
        """Whether a rule of the table says what an irregularity leads to, and no step has said it."""
        clause = self.law.clauses.get(step.clause)
        seen = {clause for done in self.played.done for clause in done.followed}
        counted = any(done.command == "count_stub" for done in self.played.done)
        return (
            step.kind == "rule"
            and clause is not None
            and clause.kind == "irregularity"
            and step.clause not in seen
            and (counted or not step.id.startswith("stub_"))
        )


def _in_succession(step: Done) -> bool:
    """Whether a step of the settlement is done for one player after another."""
    return step.seated and step.phase == "settling"


def _number(rows: list[Row]) -> None:
    """Number the steps; what a player may choose instead has the number of the first choice."""
    number = 0
    for row in rows:
        number += not row.setdefault("or", False)
        row["number"] = number


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _with_alternatives(rows: list[Row]) -> Row:
    """A step, and with it what is done instead of it in some rounds."""
    first, *others = rows
    also = [line for line in first["also"] if line["clause"]]
    for row in others:
        also += [{"says": row["says"], "clause": row["clause"]}, *row["also"]]
    return {**first, "also": also}


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _winning(hand: str, pay: Pay) -> str:
    """What a table of few rows pays: plainly, or with a hand that is paid otherwise."""
    name = hand_name(hand)
    return odds_text(pay.odds) + ("" if hand == "win" else f" with a {name[:1].lower()}{name[1:]}")


def _say_once(rows: list[Row]) -> None:
    """Leave out what goes with a step where an earlier one has said it; payouts are said again."""
    told: set[tuple[str, str]] = set()
    for row in rows:
        lines = {(one["says"], one["clause"]): one for one in row["also"]}
        row["also"] = [line for key, line in lines.items() if key not in told]
        told |= {key for key, line in lines.items() if not line.pop("again", False)}


def _there(rules: Rules) -> set[Thing]:
    """The equipment at this table that steps may depend on."""
    options = rules.options
    five = any(
        wager.kind == "progressive" and wager.settled_on == "five_cards" and rules.offers(wager.id)
        for wager in rules.chapter.about.wagers
    )
    shuffles = options["shuffler"] != "none"
    automated = options["dealing"] in ("automated_shoe", "continuous_shuffler")
    found: dict[Thing, bool] = {
        "meter": bool(rules.meter_names),
        "five_card": five,
        "community": five or bool(options.get("electronic")),
        "two_decks": options["decks_in_play"] == 2,
        "counting": options["shuffler"] in ("counting", "reshuffling"),
        "shuffler": shuffles,
        "automated_shoe": automated,
        "device": shuffles
        or automated
        or bool(rules.meter_names)
        or any(item.device for item in rules.chapter.about.equipment),
    }
    return {thing for thing, there in found.items() if there}


def _alike(one: str, other: str) -> int:
    """How many parts of their numbers two clauses share from the front: section, paragraph, ..."""
    depth = 0
    for mine, theirs in zip(_parts(one), _parts(other), strict=False):
        if mine != theirs:
            break
        depth += 1
    return depth


def _parts(clause: str) -> list[str]:
    return clause.replace(".", "(").replace(")", "").split("(")
