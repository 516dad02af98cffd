"""The page `/api`: its examples work as they stand, and a view has one shape for every role."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import urllib.request

import msgspec
import pytest
from desk import token
from real_cards import ready_to_deal
from served import served

from houseway.web.api.openapi import ViewOut
from houseway.web.client import House, Refused


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api-page")
    people = [sys.executable, "-m", "houseway", "people", "add", "rosa", "--roles", "player"]
    subprocess.run(
        [*people, "--database", str(folder / "house.db")],
        env={**os.environ, "HOUSEWAY_PASSWORD": "correct horse battery"},
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    with served(folder, pace=0) as one:
        yield one.address


def examples(address: str, language: str) -> list[str]:
    with urllib.request.urlopen(f"{address}/api", timeout=10) as answer:
        page = answer.read().decode()
    return [
        html.unescape(text)
        for text in re.findall(rf'<pre data-example="{language}">(.*?)</pre>', page, re.DOTALL)
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_examples_on_the_page_work(address, capsys):
    shells = examples(address, "bash")
    assert len(shells) == 2
    for shell in shells:
        done = subprocess.run(
            ["bash", "-euc", shell], capture_output=True, text=True, check=True, timeout=30,
            env={"PATH": os.environ["PATH"]},
        )  # fmt: skip
        assert '"error"' not in done.stdout
    (stream,) = examples(address, "stream")
    followed = subprocess.run(
        ["bash", "-c", stream.replace("curl ", "curl -s -m 5 ")],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert "data: {" in followed.stdout
    (python,) = examples(address, "python")
    exec(python, {})
    assert "leave_seat" in capsys.readouterr().out


def test_the_shoe_on_the_page_deals(address):
    (shoe,) = examples(address, "shoe")
    dealer = ready_to_deal(address, "massachusetts")
    exec(shoe, {"house": dealer, "read_from_the_shoe": lambda: ["As", "Td"], "shift": 1})
    with pytest.raises(Refused, match="seen already"):
        dealer.send("massachusetts", "deal", role="dealer", cards=["As"])


def test_no_example_on_the_page_is_left_out(address):
    with urllib.request.urlopen(f"{address}/api", timeout=10) as answer:
        page = answer.read().decode()
    assert page.count("<pre") == page.count("<pre data-example=") == 5


def test_every_role_gets_the_same_fields(address):
    """What a role may not see is null, never absent."""
    houses = {"public": House(address)} | {
        role: House(address, token(address, role)) for role in ("dealer", "floorperson")
    }
    houses["surveillance"] = House(address, token(address, "surveillance"))
    houses["player"] = House(address, token(address, "guest"))
    houses["player"].send("prime", "sit_down", seat=1)
    found = {role: house.table("prime", role=role) for role, house in houses.items()}
    names = set(ViewOut.__struct_fields__)
    fields = {field.name for field in msgspec.structs.fields(type_of("view"))}
    for role, one in found.items():
        assert set(one) == names, role
        assert set(one["view"]) == fields, role
        assert one["view"]["public"]["phase"] == one["view"]["phase"]
    assert found["player"]["view"]["seat"] == 1
    assert found["public"]["view"]["seat"] is None
    hidden = {role: {k for k, v in one["view"].items() if v is None} for role, one in found.items()}
    money = {"tray_total", "drop", "tips", "decks", "change", "rounds_since_count"}
    assert hidden["floorperson"] == {"seat"}
    assert hidden["dealer"] == {"seat", *money}
    assert hidden["public"] == {"seat", "tray", "due", "irregularities", *money}
    assert hidden["player"] == hidden["public"] - {"seat"}
    # where these fields were before there was one shape, they still are
    assert found["floorperson"]["view"]["dealer"]["public"]["phase"]
    assert isinstance(found["public"]["view"]["dealer"], list)


def type_of(field: str) -> type:
    return next(one.type for one in msgspec.structs.fields(ViewOut) if one.name == field)
