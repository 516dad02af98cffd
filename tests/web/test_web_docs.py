"""What docs/reference/http-api.md shows a program to do works, word for word, at a house of the test's own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from desk import token
from real_cards import ready_to_deal
from served import served

from houseway.web.client import House, Refused

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "http-api.md").read_text(
    encoding="utf-8"
)
SHOWN = "http://127.0.0.1:8321"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(tmp_path_factory.mktemp("docs"), pace=0) as one:
        yield one.address


@pytest.fixture(scope="module")
def guest(address):
    return token(address, "guest")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_examples_answer(address, guest):
    blocks = _blocks("bash")
    assert len(blocks) == 2
    for block in blocks:
        done = subprocess.run(
            ["bash", "-euc", block.replace(SHOWN, address)],
            env={"TOKEN": guest, "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, check=True, timeout=30,
        )  # fmt: skip
        answers, at = [], 0
        while at < len(done.stdout):
            answer, at = json.JSONDecoder().raw_decode(done.stdout, at)
            answers.append(answer)
        assert len(answers) == block.count("curl ")
        assert not any("error" in answer for answer in answers), answers


@pytest.mark.slow
def test_the_python_examples_play_a_round_and_feed_a_shoe(address, guest, capsys):
    playing, shoe = _blocks("python")
    player = House(address, guest)
    if not any(box.get("player") for box in player.table("prime", role="public")["view"]["boxes"]):
        player.send("prime", "sit_down", seat=3)
        player.send("prime", "buy_in", seat=3, amount="100.00")
    exec(playing.replace(SHOWN, address), {"TOKEN": guest})
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("90.00")
    assert any(line.startswith("ante ") and "679a." in line for line in told)
    assert told[-1].startswith("out_of_turn ")
    dealer = ready_to_deal(address, "massachusetts")
    names = {"dealer": dealer}
    exec(shoe, names)
    with pytest.raises(Refused, match="seen already"):
        names["read"]("As", 2, names["version"])
