"""Rubbish in every address and every form: refused in a sentence, never our fault."""

from __future__ import annotations

from urllib.parse import quote

import pytest

RUBBISH = ("x", "-1", "0", "9" * 25, "½", "١", "é" * 300, "../../etc/passwd", "<b>", "\0", "1/0")

#: role, addresses with a place for rubbish
ADDRESSES = {
    "guest": (
        "/practice/pa-three-card-prime/pay?number={}", "/mathematics/{}", "/law/{}",
        "/mathematics/md-three-card-poker/design/pair_plus/{}", "/progressives?players={}",
        "/progressives?stake={}", "/progressives/{}", "/tables/{}", "/tables/maryland?as={}",
        "/tables/maryland?theme={}", "/tables/{}/meters", "/felt/{}.css", "/static/x/{}", "/link/{}",
        "/sign-in?next={}", "/submissions/{}", "/api/tables/{}", "/api/tables/maryland?role={}",
    ),
    "investigator": (
        "/rounds?player={}", "/rounds?cards={}", "/rounds?paid={}", "/rounds?day={}",
        "/rounds?table={}", "/rounds/{}", "/rounds/{}/bundle.zip", "/report?day={}",
        "/deeds?person={}", "/deeds?at={}", "/deeds?until={}", "/progressives/{}/sums",
    ),
    "floorperson": ("/tables/{}/tray", "/tables/maryland/tray?done={}"),
}  # fmt: skip

#: role, address, what is sent besides, the fields that get rubbish
FORMS = (
    ("administrator", "/people", {"what": "add"}, ("person", "name", "roles")),
    ("administrator", "/people", {"what": "roles"}, ("person", "roles")),
    ("floorperson", "/tables/prime/tray", {"what": "close"}, ("chips-500", "what")),
    ("floorperson", "/tables/prime/tray", {"what": "correct"}, ("seat", "amount", "to")),
    ("floorperson", "/submissions/x/open", {}, ("name",)),
    ("guest", "/sign-in", {}, ("person",)),
    ("guest", "/demonstration", {}, ("role",)),
    ("guest", "/practice/pa-three-card-prime/pay", {"number": "5"}, ("paid-0", "way-0")),
    ("guest", "/practice/pa-three-card-prime/find", {"number": "5"}, ("line",)),
    ("guest", "/link/x", {}, ("password",)),
)


@pytest.mark.slow
@pytest.mark.parametrize("role", ADDRESSES)
def test_rubbish_in_an_address_is_no_fault_of_ours(visitor, role):
    visitor.enter(role)
    for path in ADDRESSES[role]:
        for one in RUBBISH:
            # the client raises what the house does not answer
            answer = visitor.get(path.format(quote(one, safe="")))
            assert answer.status_code < 500, (path, one)
            assert "Traceback" not in answer.text


@pytest.mark.slow
def test_rubbish_in_a_form_is_no_fault_of_ours(house, another):
    doors = {role: another().enter(role) for role, *_ in FORMS}
    for role, path, besides, fields in FORMS:
        for field in fields:
            for one in RUBBISH:
                answer = doors[role].form(path, **{**besides, field: one})
                assert answer.status_code < 500, (path, field, one)


@pytest.mark.parametrize(
    "sent",
    [[], {}, {"command": 5}, {"command": "sit_down", "seat": 10**30}, {"command": "sit_down"},
     {"command": "place_wager", "seat": 1, "wager": "ante", "amount": "½"}, {"count": 10**30},
     {"command": "sit_down", "seat": 1, "key": "x" * 10_000}, {"key": ["x"]}],
)  # fmt: skip
def test_rubbish_for_a_table_is_refused(visitor, sent):
    visitor.enter()
    headers = {"origin": "http://localhost", "x-houseway-token": visitor.token}
    for path in ("commands", "ready", "again", "company"):
        answer = visitor.client.post(f"/tables/maryland/{path}", json=sent, headers=headers)
        assert 400 <= answer.status_code < 500
        assert answer.json()["error"]["message"]
