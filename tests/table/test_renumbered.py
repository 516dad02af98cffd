"""An edition that renumbers its clauses: every number that anybody is told is the edition's own.

Whole games, each misfortune among them, are played by an edition in which every section has another
number. The numbers of all sections clash with old ones, so that one that was translated twice, or
not at all, is noticed.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from stories import STORIES

from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import CHAPTERS, chapter
from houseway.law.coverage import package_root
from houseway.table import next_steps
from houseway.table.driver import Driver
from outside import moved_on, only_chapters_from, renumbered

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chapters")
    for id in CHAPTERS:
        renumbered(id, folder)
    return folder


def with_moved_clauses(value: Any) -> Any:
    """What was told by the first edition, with the numbers of the other."""
    if isinstance(value, dict):
        return {
            name: moved_on(one)
            if name == "clause" and isinstance(one, str)
            else with_moved_clauses(one)
            for name, one in value.items()
        }
    return [with_moved_clauses(one) for one in value] if isinstance(value, list) else value


def told(driver: Driver) -> list[dict[str, Any]]:
    events = msgspec.json.decode(msgspec.json.encode(driver.record))
    for event in events:
        if event["event"] == "table_opened":
            for name in ("edition", "edition_hash", "rules_hash"):
                del event[name]
    return events


@pytest.mark.slow
@pytest.mark.parametrize("name", STORIES)
def test_a_story_has_the_numbers_of_its_edition(name: str, root: Path) -> None:
    before = told(STORIES[name]())
    with only_chapters_from(root):
        after = told(STORIES[name]())
    assert after == with_moved_clauses(before)


class Prompted(Driver):
    """A table that notes what everybody is told to do."""

    def send(self, *given: Any, **fields: Any) -> Any:
        events = super().send(*given, **fields)
        steps = next_steps(self.table, irregularities=True, at=self.clock.isoformat())
        self.__dict__.setdefault("prompts", []).append(msgspec.to_builtins(steps))
        return events


@pytest.mark.parametrize("id", CHAPTERS)
def test_next_steps_and_clauses_have_the_numbers_of_their_edition(id: str, root: Path) -> None:
    def prompts() -> list[Any]:
        driver = Prompted(id)
        driver.seat_player(1, "ann")
        driver.ready()
        return json.loads(json.dumps(driver.prompts))

    before, listed = prompts(), list(chapter(id).clauses)
    with only_chapters_from(root):
        assert prompts() == with_moved_clauses(before)
        assert list(chapter(id).clauses) == [moved_on(clause) for clause in listed]


def wrong_rounds(id: str) -> Iterator[dict[str, Any]]:
    """A round, and rounds of which each is refused by some clause."""
    text = (EXAMPLES / f"{id}.json").read_text("utf-8")
    yield json.loads(text)
    for change in (
        {"dealer": ["As", "Kd"]}, {"dealer": ["As"] * 5}, {"community": ["2c"]},
    ):  # fmt: skip
        yield {**json.loads(text), **change}
    for number in (0, 99):
        round = json.loads(text)
        round["seats"][0]["seat"] = number
        yield round
    for amount in ("0.01", "0.30"):
        round = json.loads(text)
        for seat in round["seats"]:
            seat["wagers"] = dict.fromkeys(seat["wagers"], amount)
        yield round
    for decision in ("fold", "play", None):
        round = json.loads(text)
        for seat in round["seats"]:
            seat["decision"] = decision
        yield round
    for wager in json.loads(text)["seats"][0]["wagers"]:
        round = json.loads(text)
        del round["seats"][0]["wagers"][wager]
        yield round


@pytest.mark.parametrize("id", CHAPTERS)
def test_settlements_and_refusals_have_the_numbers_of_their_edition(id: str, root: Path) -> None:
    def answers() -> list[Any]:
        found: list[Any] = []
        for round in wrong_rounds(id):
            try:
                found.append(msgspec.to_builtins(settle_json(json.dumps(round))))
            except Refused as refusal:
                found.append(refusal.as_dict())
        return found

    before = answers()
    assert any("clause" in answer for answer in before)
    with only_chapters_from(root):
        assert answers() == with_moved_clauses(before)


#: where the numbers that the code cites are at home: what these return is translated
RULES_OF_GAMES = (
    "games/three_card/maryland.py", "games/three_card/massachusetts.py", "games/three_card/prime.py",
    "games/saigon/settlement.py", "games/down_under/settlement.py", "games/down_under/play.py",
)  # fmt: skip
#: the solver of Down Under knows no edition: its refusals are to whoever designs a game
SOLVER = ("games/down_under/maths/advise.py", "games/down_under/maths/solver/variant.py")


def numbers_in(path: Path, clauses: frozenset[str]) -> set[str]:
    """The numbers of clauses that code states, apart from `cites(...)` and `printed(...)`."""
    tree = ast.parse(path.read_text("utf-8"))
    translated = {
        id(argument)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and (getattr(call.func, "id", None) or getattr(call.func, "attr", None))
        in ("cites", "printed")
        for argument in call.args
    }
    return {
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.Constant) and id(one) not in translated and one.value in clauses
    }


@pytest.mark.slow
def test_code_states_a_number_only_where_it_is_translated() -> None:
    package = package_root()
    clauses = frozenset(
        clause for one in CHAPTERS for clause in chapter(one).clauses if not clause.isdecimal()
    )
    found = {
        path.relative_to(package).as_posix(): numbers
        for path in package.rglob("*.py")
        if (numbers := numbers_in(path, clauses))
    }
    assert found.keys() <= {*RULES_OF_GAMES, *SOLVER}, found
