"""Progressive meters on the web: what is shown to whom, and what two people sign."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from linking import contribute, linked

from houseway.floor import clock, demonstration
from houseway.floor.links.figures import figures
from houseway.floor.links.operations import Link
from houseway.floor.links.record import Win
from houseway.floor.people.signing import By
from houseway.table.procedure.opening import float_of

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
    assert 'id="table-massachusetts"' in shown
    # a table that feeds a link has no card of its own
    assert 'id="link-chesapeake"' in shown
    assert 'id="table-maryland"' not in shown
    assert "Not up to date" in shown
    assert re.search(r'id="stale"[^>]* hidden', shown)


def test_the_wall_shows_the_last_hits_of_a_tables_own_meters(house, visitor) -> None:
    live = house.casino.table("massachusetts")
    when = "2026-03-01T12:00:00Z"
    for seat in range(1, 6):
        hit = Win(when, "massachusetts", seat, "progressive", "mini_royal_spades", f"{seat}00.00")
        live.noted.hits = (hit, *live.noted.hits)
    own = re.search(r'id="table-massachusetts".*?</section>', visitor.get("/wall").text, re.DOTALL)[
        0
    ]
    assert re.findall(r"<b>\$([\d.,]+)</b> A-K-Q of spades", own) == [
        "500.00",
        "400.00",
        "300.00",
    ]
    page = visitor.get("/tables/massachusetts/meters").text
    assert page.count("A-K-Q of spades") == 5


def test_the_wall_says_when_the_record_does_not_answer(link, house, visitor, monkeypatch) -> None:
    before = visitor.get("/wall").text

    def away(*_args, **_more):
        from houseway.store import Unavailable

        raise Unavailable("record_unreachable", "the database cannot be reached")

    monkeypatch.setattr("houseway.web.pages.wall.links_now", away)
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
    assert "reserve, not shown" in watching
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
    assert re.search(r'<details class="act" open><summary>Correct a meter', answer.text)
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


@pytest.mark.slow
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
        assert "wrong name or password" in answer.text.lower()
    answer = dana.form(
        "/progressives/high-road/adjust",
        **ADJUST,
        password="the word of dana",
        second_password="the word of frank",
    )
    assert answer.status_code == 303


@pytest.mark.slow
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
    shown = visitor.get("/tables/massachusetts/meters")
    assert shown.status_code == 200
    assert "$5,000.00" in shown.text
    assert "Nothing was wagered on them yet" in shown.text
    assert "add up" not in shown.text
    assert (
        "Exact, to the last"
        in another().enter("surveillance").get("/tables/massachusetts/meters").text
    )
    for nothing in ("/tables/prime/meters", "/tables/nowhere/meters"):
        assert visitor.get(nothing).status_code == 404
    assert 'href="/tables/massachusetts/meters"' in visitor.get("/progressives").text


# opening a link, and its tables


def test_a_floorperson_opens_a_link_and_a_table_joins_and_leaves_it(house, another) -> None:
    frank, log = another().enter("floorperson"), house.casino.log
    page = frank.get("/progressives").text
    assert 'value="table massachusetts progressive"' in page
    assert 'value="table prime' not in page  # it has no meter
    new = {"name": "bay-state", "rules": "table massachusetts progressive"}
    assert frank.form("/progressives", **new).headers["location"] == "/progressives/bay-state"
    assert Link(log, "bay-state").read().standing.terms["progressive"].seed == 500_000
    assert 'id="link-bay-state"' in frank.get("/wall").text
    # only rules with the link's own terms are offered, and a table that is not there yet may join
    offered = re.findall(
        r'<option value="(table [\w-]+)"', frank.get("/progressives/bay-state").text
    )
    assert offered == ["table massachusetts"]
    joining = {"table": "Boston", "rules": "table massachusetts"}
    assert frank.form("/progressives/bay-state/join", **joining).status_code == 303
    assert Link(log, "bay-state").read().standing.tables == {"boston": True}
    assert frank.form("/progressives/bay-state/leave", table="boston").status_code == 303
    assert Link(log, "bay-state").read().standing.tables == {"boston": False}
    kinds = [(event.kind, event.actor) for event in log.read("link/bay-state")]
    assert kinds == [
        (kind, "floorperson frank") for kind in ("link_opened", "table_joined", "table_left")
    ]


@pytest.mark.parametrize(
    ("path", "fields", "says"),
    [
        ("", {"name": "Bay State!"}, "not a name"),
        ("", {"name": "chesapeake", "rules": "table maryland progressive"}, "already"),
        ("", {"name": "x", "rules": "table nowhere progressive"}, "rules that are in force"),
        ("", {"name": "x", "rules": "table massachusetts ante"}, "no meter"),
        ("", {"name": "x", "rules": ""}, "rules that are in force"),
        ("/chesapeake/join", {"table": "../x"}, "letters, digits"),
        ("/chesapeake/join", {"table": "maryland"}, "already feeds chesapeake"),
        ("/chesapeake/join", {"table": "new", "rules": "table massachusetts"}, "is for the progressive"),
        ("/chesapeake/join", {"table": "new", "rules": "rubbish"}, "rules that are in force"),
        ("/chesapeake/leave", {"table": "massachusetts"}, "does not feed"),
        ("/chesapeake/leave", {"table": ""}, "does not feed"),
    ],
)  # fmt: skip
def test_rubbish_in_a_form_of_a_link_is_refused_where_it_was_typed(
    house, another, path, fields, says
) -> None:
    heads = house.casino.log.heads(prefix="link/")
    frank = another().enter("floorperson")
    answer = frank.form(f"/progressives{path}", **{"rules": "table maryland", **fields})
    assert answer.status_code == 422
    assert says in re.search(r'role="alert">(.*?)</p>', answer.text)[1]
    assert house.casino.log.heads(prefix="link/") == heads


@pytest.mark.parametrize("path", ["", "/chesapeake/join", "/chesapeake/leave"])
@pytest.mark.parametrize("role", ["guest", "dealer", "surveillance", "compliance", "administrator"])
def test_only_a_floorperson_opens_links_and_changes_their_tables(another, role, path) -> None:
    visitor = another().enter(role)
    fields = {"name": "x", "rules": "table maryland progressive", "table": "maryland"}
    assert visitor.form(f"/progressives{path}", **fields).status_code == 403
    shown = visitor.get("/progressives").text + visitor.get("/progressives/chesapeake").text
    assert "Open a link" not in shown
    assert "Let a table" not in shown


@pytest.fixture
def two(house) -> str:
    """A second table of the demonstration's link."""
    rules = demonstration.tables()["maryland"]
    Link(house.casino.log, "chesapeake").join("maryland-two", rules, By("frank", clock.now()))
    house.portal.call(lambda: house.casino.open("maryland-two", rules, float_of("5000.00"), by=""))
    return "maryland-two"


def test_a_floorperson_with_a_password_gives_it(house, another, two) -> None:
    house.casino.people.set_password("frank", "the word of frank", by="test")
    frank = another().enter("floorperson")
    leaving = {"table": two}
    assert frank.form("/progressives/chesapeake/leave", **leaving).status_code == 401
    leaving["password"] = "the word of frank"
    assert frank.form("/progressives/chesapeake/leave", **leaving).status_code == 303


def test_a_visitor_sees_one_link_on_the_wall_in_the_lobby_and_at_two_tables(
    house, visitor, another, two
) -> None:
    """What is wagered at one table is shown at the other."""
    player, dana = another().enter(), another().enter("dealer")
    live = house.casino.table("maryland")
    player.send("maryland", "sit_down", seat=1)
    player.send("maryland", "buy_in", amount="100.00")
    for _ in range(400):
        if live.state.phase == "betting":
            break
        player.get("/alive")
    # nobody is dealt to while both wagers are made
    dana.send("maryland", "change_dealer", role="dealer")
    for wager, amount in (("ante", "5.00"), ("progressive", "5.00")):
        placed = player.send("maryland", "place_wager", seat=1, wager=wager, amount=amount)
        assert placed.status_code == 200, placed.text
    before = house.casino.stamp(two)
    dana.send("maryland", "change_dealer", role="dealer", dealer="system")
    player.post("/tables/maryland/ready")
    for _ in range(400):
        if live.state.settled:
            break
        player.send("maryland", "play", seat=1)
    assert live.state.settled
    assert house.casino.stamp(two) != before
    (meter,) = Link(house.casino.log, "chesapeake").read().meters.values()
    shows = f"${meter.shows // 100:,}.{meter.shows % 100:02d}"
    assert shows != "$2,500.00"  # 14% of five dollars more; or somebody has won it
    for path in ("/wall", "/", "/tables/maryland", f"/tables/{two}", "/progressives"):
        assert shows in visitor.get(path).text, path
    assert visitor.get("/").text.count(f"{shows}, <a") == 2
