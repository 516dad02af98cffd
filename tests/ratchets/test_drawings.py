"""Pictures keep what they show: cards, highlights, chips, lights and words, and where they lie.

There are three ways to a picture: a round that is settled (`houseway draw --round`), a recorded
round step by step (`houseway audit replay --html`), and a live table in the browser. After a change
that is meant, `HOUSEWAY_WRITE=1 pytest tests/ratchets/test_drawings.py` writes `drawings/` anew.
"""

from __future__ import annotations

import json
import lzma
import os
import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from commands import answer, run
from desk import visitor
from drawn import changed, felts, seen
from served import served

from houseway.law import cites

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
KEPT = HERE / "drawings"

TABLES = {
    "md-three-card-poker": "maryland",
    "ma-three-card-poker": "massachusetts",
    "pa-three-card-prime": "prime",
    "pa-saigon-5-card": "saigon",
    "pa-down-under-blackjack": "down-under",
}
#: what was changed on purpose since the pictures were kept, and may be seen in any of a chapter's
MEANT = {
    # the matrix of Cover All is headed "Players", as in 12(k), which moves its columns a little
    "ma-three-card-poker": {"- says 'Hands'", "- says 'dealt'", "+ says 'Players'"},
    # hands are set in any order (680a.11(b)): every seat that has not set its own is lit
    "pa-saigon-5-card": {"+ glow", "+ next Seat 2 acts"},
    # a player is told what the round brought when it is over, not while a wager of it still stands
    # and the place of the dealer's first two cards has its name
    "pa-down-under-blackjack": {"- says '+$55' as win win", "+ says 'Dealer'"},
}
SEEN_BY = {
    "settled": (), "dealt": ("--dealt",), "dealt, seat 1 looks": ("--dealt", "--seen-by", 1),
    "settled, on a phone": ("--phone",),
}  # fmt: skip


def drawn(chapter: str, *options: object) -> str:
    done = run("draw", chapter, *options, "--out", "-")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """The kept record of a house."""
    path = tmp_path_factory.mktemp("house") / "house.db"
    path.write_bytes(lzma.decompress((HERE / "records" / "house.sqlite.xz").read_bytes()))
    return path


@pytest.fixture(scope="module")
def pictures(house) -> dict[str, dict[str, list[str]]]:
    """What is seen, by chapter and by the picture's name."""
    found: dict[str, dict[str, list[str]]] = {chapter: {} for chapter in TABLES}
    for chapter, kept in found.items():
        (felt,) = felts(drawn(chapter))
        kept["the layout"] = seen(felt)
        layout = set(kept["the layout"])
        for name, options in SEEN_BY.items():
            (felt,) = felts(drawn(chapter, "--round", EXAMPLES / f"{chapter}.json", *options))
            kept[name] = [line for line in seen(felt) if line not in layout]
        for name, page in replayed(house, TABLES[chapter]).items():
            kept[name] = [line for line in page if line not in layout]
    with served(house.parent, database=str(house), pace=0) as open_house:
        for who in ("guest", "player"):
            page = visitor(open_house.address, who)
            for chapter, table in TABLES.items():
                for felt in felts(page(f"/tables/{table}")):
                    if "hero" in felt.attrib["class"].split():
                        continue  # from a player's own chair: tests/drawing/test_hero.py
                    phone = ", on a phone" if "phone" in felt.attrib["class"] else ""
                    lines = [one for one in seen(felt) if one not in found[chapter]["the layout"]]
                    found[chapter][f"live, a {who} looks{phone}"] = lines
    return found


def replayed(house: Path, table: str) -> dict[str, list[str]]:
    """A recorded round when half of its steps are done, and at its end."""
    page = house.parent / f"{table}.html"
    answer("audit", "replay", f"{table}.1.1", "--database", house, "--html", page)
    steps = felts(page.read_text(encoding="utf-8"))
    return {
        "replayed, in the middle": seen(steps[len(steps) // 2]),
        "replayed, at the end": max((seen(one) for one in steps[-6:]), key=len),
    }


@pytest.mark.slow
@pytest.mark.parametrize("chapter", TABLES)
def test_the_pictures_show_what_they_showed(pictures, chapter) -> None:
    now = pictures[chapter]
    path = KEPT / f"{chapter}.txt"
    if os.environ.get("HOUSEWAY_WRITE"):
        text = "".join(
            f"## {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in now.items()
        )
        path.write_text(text, encoding="utf-8")
    then: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            lines = then.setdefault(line.removeprefix("## "), [])
        else:
            lines.append(line)
    assert list(now) == list(then)
    for name, kept in then.items():
        found = [
            line
            for line in changed(kept, now[name])
            if re.sub(r" \S+", "", line, count=1) not in MEANT.get(chapter, ())
        ]
        assert not found, name


# the highlight itself, from the clause


def marked(lines: list[str]) -> dict[tuple[int, int], str]:
    """The cards that lie under a mark, by place."""
    places: dict[tuple[int, int], set[str]] = {}
    for line in lines:
        if found := re.match(r"(-?\d+),(-?\d+) (mark|card (\w+))", line):
            places.setdefault((int(found[1]), int(found[2])), set()).add(found[4] or "mark")
    return {
        place: (here - {"mark"}).pop()
        for place, here in places.items()
        if "mark" in here and len(here) == 2
    }


def makes_a_ten(three: Iterable[str]) -> bool:
    """Whether three cards make 10, 20 or 30; the joker makes what is wanted of it."""
    if "Jk" in three:
        return True
    worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    return sum(worth.get(card[0]) or int(card[0]) for card in three) % 10 == 0


@cites("pa-saigon-5-card", "680a.11(b)")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["settled", "settled, on a phone"])
def test_saigons_qualifying_three_are_highlighted(pictures, name) -> None:
    """A seat whose three cards make 10, 20 or 30 has exactly those highlighted; no other seat has."""
    round = json.loads((EXAMPLES / "pa-saigon-5-card.json").read_text())
    under = set(marked(pictures["pa-saigon-5-card"][name]).values())
    hands = [round["dealer"], *(seat["cards"] for seat in round["seats"])]
    if "phone" in name:
        hands = hands[:2]  # one seat is shown whole
    qualified = [hand for hand in hands if any(map(makes_a_ten, combinations(hand, 3)))]
    assert len(qualified) > 1
    for hand in hands:
        mine = under & set(hand)
        assert len(mine) == (3 if hand in qualified else 0), hand
        assert makes_a_ten(mine) or not mine
