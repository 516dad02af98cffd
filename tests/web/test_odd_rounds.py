"""Rounds of every kind through the pages of the record: each is drawn, proved and taken away."""

from __future__ import annotations

import html
import io
import random
import re
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from houseway.cards import SeededSource
from houseway.floor.recorded_table import RecordedTable
from houseway.law import CHAPTERS, chapter
from houseway.money import dollars
from houseway.table import COMMANDS
from houseway.table import events as e
from houseway.table.driver import Driver

sys.path.append(str(Path(__file__).parent.parent / "table"))
from stories import GAMES, STORIES

#: beside ordinary rounds: void ones, dead hands, meters that are hit, cards put right
ODD = (
    "md-three-card-poker two cards face up", "pa-saigon-5-card wrong number of cards",
    "md-three-card-poker progressive hit", "ma-three-card-poker progressive hit",
    "pa-down-under-blackjack every decision", "pa-down-under-blackjack dealer's blackjack",
    "pa-down-under-blackjack missed card, dead hand", "pa-three-card-prime card corrected",
    "pa-down-under-blackjack card corrected",
)  # fmt: skip


def at_random(rng):
    """Somebody who takes any of the choices."""

    def decide(table, seat, steps):
        name = rng.choice([step.command for step in steps if step.seat == seat])
        bet = table.boxes[seat - 1].wagers.get("bet", 0)
        fields = {"double": {"amount": dollars(bet)}, "insure": {"amount": dollars(bet // 2)}}
        return name, fields.get(name, {})

    return decide


def a_round(name):
    law, rules, wagers = GAMES[name]
    rng = random.Random(name)
    driver = Driver(law, rules, source=SeededSource(len(name)))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    for seat in (1, 2, 3):
        driver.wager(seat, wagers, hand=seat if rules.get("electronic") else 0)
    driver.finish(at_random(rng))
    return driver


@pytest.fixture
def tables(house):
    """A table for each kind of round, on the record of a house."""
    found = {}
    stories = [a_round(name) for name in GAMES] + [STORIES[name]() for name in ODD]
    for number, driver in enumerate(stories):
        name = f"odd-{number}"
        table = RecordedTable(house.casino.log, name)
        opening, *others = driver.commands
        assert isinstance(opening, COMMANDS["open_table"])
        for command in (msgspec.structs.replace(opening, table=name), *others):
            table.send(command)
        found[name] = driver.record
    return found


def settled(record):
    """What the table itself told, line by line, with amounts as the page writes them."""
    return [
        (str(line.seat), line.wager, f"${line.stake}", f"${line.paid}", line.clause)
        for line in record
        if isinstance(line, e.WagerSettled)
    ]


def wager(name: str) -> str:
    """A wager, or what is paid beside one, by its id: Match-the-Dealer, Envy Bonus."""
    return _IDS.get(name) or re.sub(r"\W+", "_", name.removesuffix(" Bonus")).lower()


_IDS = {one.name: one.id for id in CHAPTERS for one in chapter(id).wagers.values()}
_IDS["Ante Bonus"] = "ante_bonus"
_ROW = re.compile(
    r'<tr><td>(\d)</td><th scope="row">(.*?)</th><td class="num">(.*?)</td><td>.*?</td>'
    r'<td class="num">(.*?)</td><td><a [^>]*>(.*?)</a></td></tr>'
)


@pytest.mark.slow
def test_every_kind_of_round_is_drawn_proved_and_taken_away(tables, visitor):
    visitor.enter("investigator")
    rng = random.Random(7)
    for number, (name, record) in enumerate(tables.items()):
        listed = visitor.get(f"/rounds?table={name}").text
        ids = sorted(set(re.findall(rf'href="/rounds/({name}\.[^"]+)"', listed)))
        assert ids, name
        rows = []
        for id in ids:
            page = visitor.get(f"/rounds/{id}").text
            rows += [tuple(map(html.unescape, row)) for row in _ROW.findall(page)]
            count = int(re.search(r"<strong>1 of (\d+)</strong>", page)[1])
            eyes = sorted(set(re.findall(r'eyes=([^"&]+)"', page)))
            assert {"the%20record", "the%20public", "seat%201"} <= set(eyes)
            step, looker = rng.randrange(count), rng.choice(eyes)
            seen = visitor.get(f"/rounds/{id}?step={step}&eyes={looker}")
            assert f"<strong>{step + 1} of {count}</strong>" in seen.text
        if number < len(GAMES):
            told = [
                (row[0], wager(row[1]), *(part.replace(",", "") for part in row[2:4]), row[4])
                for row in rows
            ]
            assert told == settled(record)
        assert visitor.form(f"/rounds/{id}/deal").status_code == 200
        if number % 3:
            continue  # every third is enough: it is the same page again
        taken = visitor.get(f"/rounds/{id}/bundle.zip")
        assert zipfile.ZipFile(io.BytesIO(taken.content)).testzip() is None
