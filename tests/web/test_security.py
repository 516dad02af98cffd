"""Who may come in, from where, and what is refused at the door."""

from __future__ import annotations

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient
from visiting import Visitor

from houseway.cli.serve import serve
from houseway.errors import Refused
from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.web.app import build
from houseway.web.server.startup import first_administrator


def test_every_answer_carries_a_policy_without_inline_code(house, visitor):
    for path in ("/", "/sign-in", "/tables/maryland", "/health", "/nowhere"):
        policy = visitor.get(path).headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy


def test_no_page_has_styles_or_scripts_in_its_markup(house, visitor):
    visitor.enter()
    for path in ("/", "/sign-in", "/tables/maryland", "/tables/saigon"):
        page = visitor.get(path).text
        assert "<style" not in page
        assert ' style="' not in page
        assert " onclick=" not in page


def _posts(app):
    for route in app.routes:
        if isinstance(route, Route) and "POST" in (route.methods or ()):
            path = route.path.replace("{table}", "maryland").replace("{token}", "x")
            yield path.replace("{chapter}", "md-three-card-poker").replace("{id}", "x")


def test_every_post_is_refused_from_elsewhere_and_without_the_pages_token(house, visitor):
    visitor.enter("administrator")
    paths = list(_posts(house.app))
    assert len(paths) > 8
    for path in paths:
        elsewhere = house.post(path, headers={"origin": "http://evil.example"}, json={})
        assert elsewhere.status_code == 403, path
        assert elsewhere.json()["error"]["code"] == "wrong_origin"
        nowhere = house.post(path, json={})
        assert nowhere.status_code == 403, path
        tokenless = house.post(path, headers={"origin": "http://localhost"}, json={})
        assert tokenless.status_code == 403, path
        assert tokenless.json()["error"]["code"] == "wrong_token"


def test_another_name_for_this_machine_is_refused(house):
    answer = house.get("/", headers={"host": "rebound.example"})
    assert answer.status_code == 421


def test_the_session_cookie_is_not_for_scripts_or_other_sites(visitor):
    visitor.get("/sign-in")
    answer = visitor.form("/demonstration", role="dealer")
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("houseway="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_token_on_record_lets_nobody_in(house, visitor):
    visitor.enter("dealer")
    token = house.cookies["houseway"]
    whole = "".join(event.body for event in house.casino.log.scan())
    assert token not in whole
    assert '"token"' in whole


@pytest.mark.slow
def test_wrong_passwords_are_counted_and_then_refused_unseen(house, visitor):
    people = house.casino.people
    people.set_password("pat", "correct horse battery", by="pat")
    visitor.get("/sign-in")
    for _ in range(5):
        assert visitor.form("/sign-in", person="pat", password="wrong").status_code == 401
    answer = visitor.form("/sign-in", person="pat", password="correct horse battery")
    assert answer.status_code == 401
    assert "too many attempts" in answer.text.lower()


def test_an_unknown_name_and_a_wrong_password_are_told_alike(house, visitor):
    house.casino.people.set_password("pat", "correct horse battery", by="pat")
    visitor.get("/sign-in")
    known = visitor.form("/sign-in", person="pat", password="wrong")
    unknown = visitor.form("/sign-in", person="nobody", password="wrong")
    assert known.status_code == unknown.status_code == 401
    sentence = "Wrong name or password"
    assert sentence in known.text
    assert sentence in unknown.text


def test_signing_out_ends_the_session_everywhere(house, visitor, another):
    visitor.enter("dealer")
    stolen = another()
    stolen.client.cookies.set("houseway", house.cookies["houseway"])
    assert stolen.get("/me").status_code == 200
    visitor.form("/sign-out")
    assert stolen.client.get("/me").status_code == 401


def test_who_is_sent_elsewhere_after_signing_in_stays_in_the_house(visitor):
    visitor.get("/sign-in")
    answer = visitor.form("/demonstration", role="dealer", next="//evil.example/")
    assert answer.headers["location"] == "/"


def test_the_demonstration_is_not_served_to_other_machines():
    with pytest.raises(Refused, match="this machine only"):
        serve(host="0.0.0.0", open_browser=False)


def test_outside_the_demonstration_one_administrator_comes_in_by_a_link_once(another):
    casino = Casino(open_log(":memory:"))
    app = build(casino, demonstration=False, hosts=("localhost",), pace=0)
    with TestClient(app, base_url="http://localhost") as client:
        link = first_administrator(casino, "http://localhost")
        assert first_administrator(casino, "http://localhost") == ""
        path = link.removeprefix("http://localhost")
        visitor = Visitor(client)
        assert "Play as a guest" not in visitor.get("/sign-in").text
        assert visitor.form("/demonstration", role="administrator").status_code == 404
        assert "Choose a password" in visitor.get(path).text
        short = visitor.form(path, password="short", again="short")
        assert short.status_code == 422
        done = visitor.form(path, password="long enough for us", again="long enough for us")
        assert done.status_code == 303
        assert visitor.get("/people").status_code == 200
        assert visitor.get(path).status_code == 404
    casino.close()


def test_nobody_acts_in_a_role_the_person_does_not_have(house, visitor):
    visitor.enter()
    for role in ("dealer", "floorperson", "system", "device", "administrator"):
        answer = visitor.send("maryland", "no_more_bets", role=role)
        assert answer.status_code == 403, role
    visitor.enter("surveillance")
    assert visitor.send("maryland", "no_more_bets", role="surveillance").status_code == 403


def test_a_sender_does_not_say_who_it_is(visitor):
    visitor.enter()
    answer = visitor.send("maryland", "sit_down", seat=1, who="somebody else")
    assert answer.json()["error"]["code"] == "not_yours_to_say"


def test_a_stranger_sees_tables_and_does_nothing(house, visitor):
    assert visitor.get("/tables/maryland").status_code == 200
    assert visitor.send("maryland", "sit_down", seat=1).status_code == 401
    assert visitor.client.get("/people").status_code == 401
