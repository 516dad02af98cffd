"""Progressive meters on the web: what is shown to whom, and what two people sign."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from linking import contribute, linked

from houseway.floor.link_maths import figures

MAJOR, MINOR = "progressive.major", "progressive.minor"


@pytest.fixture
def link(house):
    found = linked(house.casino.log)
    contribute(house.casino.log, 12_345, "2026-03-01T12:00:30Z")
    contribute(house.casino.log, 500, "2026-03-01T12:01:00Z")
    return found


def test_the_wall_shows_links_with_their_tiers_and_tables_with_meters_of_their_own(
    link, visitor
) -> None:
    shown = visitor.get("/wall").text
    cents = dict(re.findall(r'id="link-high-road-progressive-(\w+)".*?cents="(\d+)"', shown))
    # tenths and twenty-fifths of a cent are held and not shown
    assert cents == {
        "major": str(2_500_000 + 12_845 // 10),
        "minor": str(250_000 + 12_845 * 4 // 100),
    }
    assert 'id="table-maryland"' in shown
    assert "Not up to date" in shown
    assert re.search(r'id="stale"[^>]* hidden', shown)


def test_the_wall_says_when_the_record_does_not_answer(link, house, visitor, monkeypatch) -> None:
    before = visitor.get("/wall").text

    def away(*_args, **_more):
        from houseway.store import Unavailable

        raise Unavailable("record_unreachable", "the database cannot be reached")

    monkeypatch.setattr("houseway.web.wall.links_now", away)
    after = visitor.get("/wall").text
    # the figures stay
    assert re.findall(r'cents="\d+"', after) == re.findall(r'cents="\d+"', before)
    assert not re.search(r'id="stale"[^>]* hidden', after)
    assert "the record does not answer" in after


def test_the_mathematics_beside_the_meters_is_the_exact_engines(link, visitor) -> None:
    expected = figures(link.log, link.read(), players=5, stake=500)
    shown = visitor.get("/progressives/high-road?players=5&stake=5.00").text
    assert expected.returns_percent in shown
    assert expected.returns in shown
    for meter in expected.meters:
        assert f"{float(meter.break_even_dollars):,.2f}" in shown
        assert meter.hours_to_whole in shown
    # five dollars in half a minute
    assert Fraction(expected.wagers_an_hour) == 120
    assert "returns" in visitor.get("/progressives").text
    for wrong in ("?players=0", "?players=x", "?players=8", "?stake=1.234"):
        assert visitor.get(f"/progressives/high-road{wrong}").status_code == 422
    assert visitor.get("/progressives/nowhere").status_code in (404, 422)


def test_what_was_done_and_what_is_put_by_is_for_the_staff(link, visitor, another) -> None:
    public = visitor.get("/progressives/high-road").text
    assert "<svg" in public
    assert "What was done" not in public
    assert "not shown" not in public
    assert "What two people sign" not in public
    watching = another().enter("surveillance").get("/progressives/high-road").text
    assert "What was done" in watching
    assert "put by and not shown" in watching
    assert "What two people sign" not in watching
    for role in ("dealer", "floorperson"):
        assert "What two people sign" in another().enter(role).get("/progressives/high-road").text


def test_does_it_add_up_is_asked_by_those_who_may_look_into_the_record(house, another) -> None:
    linked(house.casino.log, "quiet")
    assert another().get("/progressives/quiet/sums").url.path == "/sign-in"
    assert another().enter("guest").get("/progressives/quiet/sums").status_code == 403
    found = another().enter("surveillance").get("/progressives/quiet/sums")
    assert (found.status_code, "Exact, to the last fraction" in found.text) == (200, True)


ADJUST = {"meter": MAJOR, "amount": "-0.001", "reason": "display", "second": "frank"}


def test_two_people_put_a_meter_right_and_it_is_on_the_record(link, another) -> None:
    before = link.read().meter(MAJOR).holds
    dana = another().enter("dealer")
    answer = dana.form("/progressives/high-road/adjust", **ADJUST)
    assert answer.status_code == 303
    assert link.read().meter(MAJOR).holds == before - Fraction(1, 10)
    (event,) = [one for one in link.log.read("link/high-road") if one.kind == "meter_adjusted"]
    assert (event.data["by"], event.data["second"]) == ("dealer dana", "floorperson frank")
    assert event.data["reason"] == "display"
    assert "adjusted by" in dana.get("/progressives/high-road").text


@pytest.mark.parametrize(
    ("role", "changed", "says"),
    [
        ("dealer", {"second": ""}, "second floorperson"),
        ("dealer", {"second": "dana"}, "second floorperson"),
        ("floorperson", {"second": "frank"}, "second floorperson"),
        ("floorperson", {"second": "dana"}, "not a floorperson"),
        ("dealer", {"second": "nobody-here"}, "nobody"),
        ("dealer", {"reason": "  "}, "Say why"),
        ("dealer", {"amount": "much"}, "not an exact amount"),
        ("dealer", {"meter": "mega"}, "not mega"),
    ],
)
def test_a_refused_act_is_refused_where_it_was_asked(link, another, role, changed, says) -> None:
    version = link.read().version
    visitor = another().enter(role)
    answer = visitor.form("/progressives/high-road/adjust", **{**ADJUST, **changed})
    assert answer.status_code == 422
    assert re.search(r'<details class="act" open><summary>Put a meter right', answer.text)
    assert says in re.search(r'role="alert">(.*?)</p>', answer.text)[1]
    assert link.read().version == version


@pytest.mark.parametrize("act", ["adjust", "take-over", "shut-down"])
@pytest.mark.parametrize("role", ["guest", "surveillance", "compliance", "administrator"])
def test_others_sign_nothing(link, another, role, act) -> None:
    version = link.read().version
    visitor = another().enter(role)
    assert visitor.form(f"/progressives/high-road/{act}", **ADJUST).status_code == 403
    assert link.read().version == version


def test_a_link_is_shut_down_and_taken_over(house, link, another) -> None:
    log = house.casino.log
    other = linked(log, "new-road")
    frank = another().enter("floorperson")
    signed = {"reason": "works", "second": "fiona"}
    assert frank.form("/progressives/high-road/shut-down", **signed).status_code == 303
    assert link.read().standing.shut == "works"
    assert 'id="link-high-road"' not in frank.get("/wall").text
    held = link.read().meter(MAJOR).holds
    before = other.read().meter(MAJOR).holds
    assert 'value="link high-road"' in frank.get("/progressives/new-road").text
    moving = {**signed, "source": "link high-road"}
    assert frank.form("/progressives/new-road/take-over", **moving).status_code == 303
    assert other.read().meter(MAJOR).holds == before + held
    assert frank.form("/progressives/new-road/take-over", **moving).status_code == 422
    assert frank.form("/progressives/new-road/burn", **moving).status_code == 404


def test_with_passwords_both_give_their_own(house, link, another) -> None:
    """Outside the demonstration a session alone signs nothing."""
    people = house.casino.people
    for id in ("dana", "frank"):
        people.set_password(id, f"the word of {id}", by="test")
    dana = another().enter("dealer")
    for mine, theirs in (
        ("", ""),
        ("the word of dana", ""),
        ("the word of dana", "the word of dana"),
        ("the word of frank", "the word of frank"),
    ):
        answer = dana.form(
            "/progressives/high-road/adjust", **ADJUST, password=mine, second_password=theirs
        )
        assert answer.status_code == 401
        assert "do not go together" in answer.text
    answer = dana.form(
        "/progressives/high-road/adjust",
        **ADJUST,
        password="the word of dana",
        second_password="the word of frank",
    )
    assert answer.status_code == 303


def test_guessing_a_second_password_is_stopped(house, link, another) -> None:
    people = house.casino.people
    for id in ("dana", "frank"):
        people.set_password(id, f"the word of {id}", by="test")
    dana = another().enter("dealer")
    for _ in range(5):
        dana.form(
            "/progressives/high-road/adjust", **ADJUST,
            password="the word of dana", second_password="guess",
        )  # fmt: skip
    answer = dana.form(
        "/progressives/high-road/adjust", **ADJUST,
        password="the word of dana", second_password="the word of frank",
    )  # fmt: skip
    assert answer.status_code == 422
    assert "too many" in answer.text.lower()


def test_a_table_with_meters_of_its_own_has_its_page(visitor, another) -> None:
    shown = visitor.get("/tables/maryland/meters")
    assert shown.status_code == 200
    assert "$2,500.00" in shown.text
    assert "Nothing was wagered on them yet" in shown.text
    assert "add up" not in shown.text
    assert (
        "Exact, to the last" in another().enter("surveillance").get("/tables/maryland/meters").text
    )
    for nothing in ("/tables/prime/meters", "/tables/nowhere/meters"):
        assert visitor.get(nothing).status_code == 404
    assert 'href="/tables/maryland/meters"' in visitor.get("/progressives").text
