"""The activity log has what people viewed, what they downloaded and how they signed in."""

from __future__ import annotations

import html
import re

import pytest
from playing_here import played_round

from houseway.floor.people.access import ACCESS
from houseway.web import page_support as pages


def on_record(house, kind: str = "") -> list[tuple[str, str, str, str]]:
    return [
        (event.kind, event.data["person"], event.data["what"], event.data["of"])
        for event in house.casino.log.read(ACCESS)
        if kind in ("", event.kind) and event.kind not in ("refused", "probing")
    ]


@pytest.fixture
def round_(house, another) -> str:
    """A round of Maryland that was played to its end."""
    return played_round(house, another().enter(name="Rosa"))


def test_a_bundle_is_on_record_before_it_is_given(house, another, round_, monkeypatch):
    ines = another().enter("investigator")
    answer = ines.get(f"/rounds/{round_}/bundle.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert on_record(house, "taken") == [("taken", "ines", "dispute bundle", f"round {round_}")]
    ines.get(f"/rounds/{round_}/bundle.zip")
    assert len(on_record(house, "taken")) == 2

    # a record that takes no more gives nothing away
    def full(*_):
        from houseway.store import Unavailable

        raise Unavailable("record_full", "the disk is full")

    monkeypatch.setattr(house.app.state.access, "taken", full)
    assert ines.get(f"/rounds/{round_}/bundle.zip").status_code == 503


def test_what_does_not_exist_was_not_taken_or_seen(house, another):
    ines = another().enter("investigator")
    for path in ("/rounds/nowhere.1.1", "/rounds/nowhere.1.1/bundle.zip"):
        assert ines.get(path).status_code == 404
    assert on_record(house) == []


def test_a_round_that_is_stepped_through_was_looked_at_once(house, another, round_):
    ines, sam = another().enter("investigator"), another().enter("surveillance")
    for step in range(5):
        assert ines.get(f"/rounds/{round_}?step={step}").status_code == 200
    sam.get(f"/rounds/{round_}")
    assert on_record(house) == [
        ("looked", "ines", "round", round_),
        ("looked", "sam", "round", round_),
    ]


def test_a_search_for_a_player_is_on_record_with_what_was_asked(house, another):
    ines = another().enter("investigator")
    ines.get("/rounds?player=pat&table=")
    ines.get("/rounds?player=rosa&table=prime")
    ines.get("/logbook?table=prime")
    asked = ["with player pat", "with player rosa, table prime", "of table prime"]
    assert [of for *_, of in on_record(house)] == asked


def test_watching_a_table_is_on_record_once_and_playing_there_is_not_a_look(house, another):
    sam = another().enter("surveillance")
    for _ in range(3):
        sam.get("/tables/maryland")
    player = another().enter("guest")
    player.get("/tables/maryland")
    another().get("/tables/maryland")
    assert on_record(house) == [("looked", "sam", "table", "maryland")]
    # a program that polls is a look as well, and the same one
    token = re.search(r'role="status"><code>([\w-]+)</code>', sam.form("/me/token").text)[1]
    for name in ("maryland", "prime"):
        path = f"/api/tables/{name}?role=surveillance"
        assert house.get(path, headers={"authorization": f"Bearer {token}"}).status_code == 200
    assert [of for *_, of in on_record(house)] == ["maryland", "prime"]


def test_a_look_is_written_again_after_a_while(house, another, monkeypatch):
    sam = another().enter("surveillance")
    sam.get("/report")
    monkeypatch.setattr("houseway.floor.people.access.SAME", -1.0)
    sam.get("/report")
    assert len(on_record(house)) == 2


def test_a_wrong_password_in_a_known_name_is_on_record_and_a_stray_word_is_not(house, another):
    house.casino.people.set_password("pat", "correct horse battery", by="pat")
    visitor = another()
    visitor.get("/sign-in")
    visitor.form("/sign-in", person="pat", password="wrong wrong wrong")
    visitor.form("/sign-in", person="correct-horse-battery", password="pat")
    assert [(kind, person) for kind, person, *_ in on_record(house)] == [("not_let_in", "pat")]
    whole = "".join(event.body for event in house.casino.log.read(ACCESS))
    assert "wrong wrong" not in whole
    assert "correct" not in whole


def test_the_investigator_sees_it_in_words_with_names(house, another, round_):
    sam, ines = another().enter("surveillance"), another().enter("investigator")
    sam.get(f"/rounds/{round_}/bundle.zip")
    sam.get("/tables/prime")
    page = ines.get("/deeds").text
    rows = [re.sub(r"<[^>]+>", " ", row) for row in re.findall(r"<tr><td>.*?</tr>", page)]

    def told(name: str, what: str) -> bool:
        return any(name in row and what in row for row in rows)

    assert told("Sam Surveillance", f"Downloaded the dispute bundle of round {round_}")
    assert told("Sam Surveillance", "Looked at table prime")
    assert told("Sam Surveillance", "Signed in by a browser")
    assert told("Rosa", "Rosa sits down at seat")
    assert told("Rosa", "on Ante (table maryland)")
    assert told("Ines Investigator", "Looked at the activity log")
    # nothing that the system did, and no card that lies face down
    assert not any("the system" in row for row in rows)
    only = ines.get("/deeds?person=sam").text
    assert "Rosa" not in re.search(r"<tbody>.*</tbody>", only, re.DOTALL)[0]
    assert "Downloaded" in only


def test_what_people_did_is_not_for_everybody(another):
    assert another().get("/deeds").url.path == "/sign-in"
    for role in ("guest", "dealer"):
        assert another().enter(role).get("/deeds").status_code == 403
    for role in ("surveillance", "investigator", "administrator"):
        assert another().enter(role).get("/deeds").status_code == 200


def test_names_are_shown_where_somebody_is_meant(house, another):
    dana = another().enter("dealer")
    dana.get("/tables/prime")
    assert dana.send("prime", "change_dealer", role="dealer").status_code == 200
    shown = another().enter("floorperson").get("/floor").text
    assert "dealer: Dana Dealer" in shown
    assert "dealer: dana" not in shown
    assert pages.named(house.casino, "") == "the system"


def test_older_and_newer_pages_reach_everything(house, another, round_, monkeypatch):
    monkeypatch.setattr("houseway.web.pages.records.activity_log.MOST", 2)
    ines = another().enter("investigator")

    def shown(path: str) -> tuple[list[str], dict[str, str]]:
        page = ines.get(path)
        assert page.status_code == 200
        places = re.findall(r'<td class="clause">(\S+ \d+)</td>', page.text)
        turns = re.findall(r'<a href="([^"]+)"(?: rel="\w+")?>(Newest|Newer|Older)</a>', page.text)
        return places, {name: html.unescape(path) for path, name in turns}

    rosa = next(one.id for one in house.casino.people.everybody() if one.name == "Rosa")
    path = f"/deeds?person={rosa}"
    places, turns = shown(path)
    assert "Newer" not in turns
    first, seen = places, list(places)
    while "Older" in turns:
        before, path = path, turns["Older"]
        places, turns = shown(path)
        seen += places
        assert shown(turns["Newer"])[0] == shown(before)[0]
        assert shown(turns["Newest"])[0] == first
    assert len(seen) == len(set(seen)) >= 5
    # signing in was the first thing that she did
    assert seen[-1].startswith("people ")
    assert ines.get("/deeds?until=soon").status_code == 422
    assert "is not an ISO time" in ines.get("/deeds?until=soon").text
    assert ines.get("/deeds?at=2026-03-01T12:00:00Z+x+y").status_code == 422
