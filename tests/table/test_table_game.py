"""The table part of each family: typed, whole, and closed to the commands of other families."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tables import opened

from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter
from houseway.table import COMMANDS, TABLE, TableGame, legal, run
from houseway.table.actions import PHASES, actions_of
from houseway.table.views import public_view

#: commands that belong to one family, and the least that each must be told
OWN = {
    DOWN_UNDER: {
        "insure": {"seat": 1, "amount": "5.00"},
        "read_hole_card": {},
        "call_hand_dead": {"seat": 1},
        "dealer_draws": {},
    },
    SAIGON: {"set_hands": {"seat": 1}},
    MA: {"place_coupon": {"seat": 1, "wager": "ante", "value": "5.00"}},
}
#: a role that may give each of them
BY = {"read_hole_card": "dealer", "call_hand_dead": "dealer", "dealer_draws": "dealer"}


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_chapter_has_a_table_game_whose_phases_can_be_told(id):
    game = TABLE.of(chapter(id))
    assert isinstance(game, TableGame)
    assert set(game.round_line) <= set(PHASES)


@pytest.mark.parametrize("home", OWN)
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
def test_a_command_of_another_family_is_not_part_of_this_game(home, id):
    if home == id:
        return
    driver = opened(id)
    for name, fields in OWN[home].items():
        role = BY.get(name, "player")
        who = "player 1" if role == "player" else role
        command = COMMANDS[name](role=role, who=who, at=driver.clock.isoformat(), **fields)
        with pytest.raises(Refused) as caught:
            run(driver.table, command)
        assert caught.value.code == "not_in_this_chapter"
        assert "not part of this game" in str(caught.value)


def test_a_step_of_the_same_name_does_not_open_another_familys_command():
    """Which game a command belongs to is the family's to say, not the procedure's."""
    for id in CHAPTERS:
        kinds = {kind.__name__ for kind in actions_of(TABLE.of(chapter(id)))}
        assert ("Insure" in kinds) == (id == DOWN_UNDER)
        assert ("SetHands" in kinds) == (id == SAIGON)
        assert ("PlaceCoupon" in kinds) == (id == MA)


@pytest.mark.parametrize("id", CHAPTERS)
def test_what_is_legal_is_listed_in_the_order_of_the_commands(id):
    order = list(COMMANDS)
    driver = opened(id)
    for role in ("player", "dealer", "floorperson", "device", "system"):
        found = legal(driver.table, role, 1)
        assert list(found) == sorted(found, key=order.index)


def test_the_order_does_not_depend_on_which_family_is_imported_first():
    code = (
        "import {first}\n"
        "from houseway.table.driver import Driver\n"
        "from houseway.table import legal, COMMANDS\n"
        "driver = Driver('pa-down-under-blackjack')\n"
        "print(legal(driver.table, 'dealer', 1), legal(driver.table, 'floorperson', 1))\n"
    )
    heard = {
        subprocess.run(
            [sys.executable, "-c", code.format(first=first)],
            capture_output=True, text=True, check=True,
        ).stdout
        for first in (
            "houseway.games.saigon.table", "houseway.games.down_under.table", "houseway.table.events",
        )
    }  # fmt: skip
    assert len(heard) == 1


def test_a_view_shows_the_display_of_cover_all_only_where_there_is_one():
    assert public_view(opened(MD).table).cover_all == {}
