"""A chapter's mathematics follow from its family and its data: another id changes nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, choose
from houseway.maths.game import MATHS
from houseway.maths.par import Asked, chosen_entry, entries_of, evaluate, par, wager_ids
from houseway.maths.reconcile import compare, reconcile
from outside import chapters_from, copied, edit

COPY = "xx-copy"


def plain(value: object, id: str) -> Any:
    """As it is written, whatever the chapter's id."""
    text = msgspec.json.encode(value, enc_hook=str).decode()
    return msgspec.json.decode(text.replace(id, "ID"))


def both(id: str, root: Path, ask: Callable[[str], object]) -> None:
    """What is asked of a chapter and of its copy is the same."""
    original = plain(ask(id), id)
    copied(id, root, COPY)
    with chapters_from(root):
        assert plain(ask(COPY), COPY) == original


@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_the_par_sheet_of_a_copy(id, tmp_path):
    both(id, tmp_path, lambda name: par(name).out())


@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
def test_the_strategy_of_a_copy(id, tmp_path):
    def ask(name: str) -> object:
        law = chapter(name)
        view = MATHS.of(law).strategy(choose(law))
        return view.out(name), view.picture, view.remarks

    both(id, tmp_path, ask)


def test_the_bet_and_the_side_wagers_of_a_copy(tmp_path):
    def ask(name: str) -> object:
        rules = choose(name, {"match_the_dealer": True})
        found = [chosen_entry(Asked(rules.chapter, rules), one) for one in wager_ids(rules.chapter)]
        return [entry.out() for entry in found if entry is not None]

    both(DOWN_UNDER, tmp_path, ask)


@pytest.mark.parametrize("id", [SAIGON, DOWN_UNDER])
def test_published_holds_of_a_copy(id, tmp_path):
    def ask(name: str) -> object:
        law = chapter(name)
        holds = law.about.holds
        found = reconcile(law) if id == SAIGON else [compare(law, holds[1])]
        return [
            (one.agrees, one.searched, [[str(c) for c in changes] for changes in one.explanations])
            for one in found
        ]

    both(id, tmp_path, ask)


def renamed(root: Path, old: str, new: str) -> None:
    """A copy of Maryland in which a wager has another id, wherever its data name it."""
    folder = copied(MD, root, COPY)

    def chapter_data(data: dict[str, Any]) -> None:
        for wager in data["wagers"]:
            wager["id"] = new if wager["id"] == old else wager["id"]
            if "needs" in wager:
                wager["needs"] = [new if one == old else one for one in wager["needs"]]

    def tables(data: dict[str, Any]) -> None:
        for table in next(iter(data.values())):
            table["wager"] = new if table["wager"] == old else table["wager"]

    def options(data: dict[str, Any]) -> None:
        for option in next(iter(data.values())):
            option["id"] = new if option["id"] == old else option["id"]

    edit(folder / "chapter.toml", chapter_data)
    edit(folder / "paytables.toml", tables)
    edit(folder / "options.toml", options)


def test_a_wager_is_known_by_what_it_is_settled_on(tmp_path):
    """A wager on three cards that is called as Saigon's on five is still one on three cards."""
    plain_sheet = par(MD)
    renamed(tmp_path, "pair_plus", "bonus")
    with chapters_from(tmp_path):
        law = chapter(COPY)
        sheet = par(law)
        assert [entry.wager for entry in sheet.entries].count("bonus") == 5
        for table in "ABCDE":
            expected = plain_sheet.find("pair_plus", table)
            assert sheet.find("bonus", table).spread == expected.spread
            paid = law.paytables["bonus", table]
            assert evaluate(paid, law=law) == expected.spread.edge
        both_wagers = "ante_play", "bonus"
        was = plain_sheet.together.covariances["ante_play", "pair_plus"]
        assert sheet.together.covariances[both_wagers] == was
        rules = choose(law)
        (entry,) = entries_of(Asked(law, rules), "bonus")
        (old,) = entries_of(Asked(chapter(MD), choose(MD)), "pair_plus")
        known = MATHS.of(law).seat_covariance(rules, entry)
        assert known == MATHS.of(law).seat_covariance(choose(MD), old)
