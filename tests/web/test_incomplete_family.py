"""A chapter whose family is not installed, or has only its rules, stops nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient
from visiting import ORIGIN, Visitor

from houseway.floor.casino import Casino
from houseway.game_api import registry
from houseway.law import SAIGON
from houseway.store import open_log
from houseway.web.app import build
from outside import chapters_from, copied, edit

OURS = "ours"


@pytest.mark.slow
@pytest.mark.parametrize("parts", [None, {"rules": registry.FAMILIES["saigon"]["rules"]}])
def test_the_house_opens_without_a_table_for_it(tmp_path: Path, monkeypatch, parts) -> None:
    folder = copied(SAIGON, tmp_path, OURS)
    edit(folder / "chapter.toml", lambda data: data.update(family="half_written"))
    known = dict(registry.FAMILIES) | ({"half_written": parts} if parts else {})
    monkeypatch.setattr(registry, "families", lambda: known)
    with chapters_from(tmp_path):
        casino = Casino(open_log(":memory:"))
        app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
        with TestClient(app, base_url=ORIGIN) as client:
            visitor = Visitor(client)
            visitor.enter()
            assert len(casino.tables) == 5
            for path in ("/", "/mathematics", "/practice", "/submissions", f"/law/{OURS}"):
                assert visitor.get(path).status_code == 200, path
            assert OURS not in visitor.get("/practice").text
            for path in (f"/mathematics/{OURS}", f"/practice/{OURS}"):
                answer = visitor.get(path)
                assert answer.status_code == 422, path
                assert "half_written" in answer.text
        casino.close()
