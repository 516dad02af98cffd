"""`houseway simulate` and `houseway rng-test` as users call them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from houseway.cli import main
from houseway.games.three_card.simulation import duel
from houseway.simulate import prepared as playing_module
from houseway.simulate.prepared import playing
from houseway.simulate.results.answers import DaysOut, SessionsOut, SimulationOut, TrialOut


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(playing_module, "BLOCK", 1 << 13)
    monkeypatch.setattr(duel, "BLOCK", 1 << 13)
    playing.cache_clear()
    yield
    playing.cache_clear()


def called(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main([*words])
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def strict(out: str, kind: type):
    """JSON that has the shape its schema promises, and nothing besides."""
    found = json.loads(out)
    known = msgspec.to_builtins(msgspec.convert(found, kind))
    assert set(found) - set(known) == set()
    return found


def test_a_run_says_the_same_twice(capsys, tmp_path):
    words = ("simulate", "md-three-card-poker", "--rounds", "30_000", "--players", "2", "--json")
    status, out, err = called(capsys, *words, "--cores", "1")
    assert (status, err) == (0, "")
    first = strict(out, SimulationOut)
    _, out, _ = called(capsys, *words, "--cores", "2", "--checkpoint", str(tmp_path / "kept.json"))
    second = strict(out, SimulationOut)
    for run in (first, second):
        del run["seconds"], run["rate"]
    assert first == second
    assert first["rounds"] == 30_000
    assert first["verdict"] == "within"
    assert {row["exact"] for row in first["wagers"] if row["wager"] == "pair_plus"} == {"-253/5525"}


def test_down_under_is_judged_on_fresh_shoes(capsys):
    status, out, _ = called(
        capsys, "simulate", "pa-down-under-blackjack", "--rounds", "20k", "--strategy", "chart",
        "--json",
    )  # fmt: skip
    found = strict(out, SimulationOut)
    assert status == (0 if found["verdict"] == "within" else 1)
    assert found["wagers"][0]["exact"] is None
    assert found["fresh_shoes"]["wagers"][0]["exact"] is not None
    assert found["cut_card_effect"][0]["wager"] == "bet"


def test_files_are_written(capsys, tmp_path):
    import pyarrow.parquet

    chart, table = tmp_path / "chart.svg", tmp_path / "counts.parquet"
    words = ("simulate", "pa-saigon-5-card", "--rounds", "9000")
    status, out, _ = called(capsys, *words, "--chart", str(chart), "--parquet", str(table))
    assert status == 0
    assert "within" in out
    assert chart.read_text().startswith("<?xml")
    again = tmp_path / "again.svg"
    called(capsys, *words, "--chart", str(again))
    assert again.read_bytes() == chart.read_bytes()
    rows = pyarrow.parquet.read_table(table).to_pydict()
    assert sum(rows["rounds"]) == 9000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pa-saigon-5-card", "--rounds", "9000"), ("Ante", "less exact figure,", "99% intervals")),
        (
            ("pa-down-under-blackjack", "--rounds", "9000", "--strategy", "never_bust"),
            ("Bet, fresh shoes", "Bet, to the cover card", "exact figure of fresh shoes"),
        ),
        (("pa-saigon-5-card", "--sessions", "50"), ("share of sessions in each $", "median")),
        (("pa-saigon-5-card", "--days", "50"), ("share of days in each $", "break even")),
    ],
)
def test_a_chart_says_what_its_axes_are(capsys, tmp_path, words, says):
    from pypdf import PdfReader

    pdf = tmp_path / "chart.pdf"
    called(capsys, "simulate", *words, "--chart", str(pdf))
    text = PdfReader(pdf).pages[0].extract_text()
    for one in says:
        assert one in text


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("--until-se", "0"), "until-se"),
        (("--until-se", "nan"), "until-se"),
        (("--hours", "inf", "--sessions", "3"), "hours"),
        (("--hours", "nan", "--days", "3"), "hours"),
        (("--per-hour", "0"), "per-hour"),
        (("--tables", "-1"), "tables"),
        (("--days", "0"), "days"),
        (("--bankroll", "lots", "--sessions", "3"), "bankroll"),
        (("--meter", "progressive=lots"), "meter.progressive"),
        (("--chart", "x.png"), "chart"),
        (("--chart", "nowhere/x.svg"), "chart"),
        (("--parquet", "nowhere/x.parquet"), "parquet"),
        (("--checkpoint", "nowhere/x.json"), "checkpoint"),
        (("--checkpoint", "."), "checkpoint"),
        (("--rounds", "1e30"), "rounds"),
        (("--sessions", "1000000000000"), "sessions"),
        (("--days", "1000000", "--tables", "1000"), "days"),
    ],
)
def test_what_could_not_end_well_is_refused_before_a_card_is_dealt(capsys, words, field):
    status, out, err = called(capsys, "simulate", "md-three-card-poker", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"houseway: {field}: ")
    assert err.count("\n") == 1


def test_a_floor_takes_no_options_of_a_table(capsys, tmp_path):
    floor = tmp_path / "floor.toml"
    floor.write_text('[[table]]\nchapter = "pa-saigon-5-card"\n')
    for words in (("--players", "2"), ("--wagers", "ante=5.00"), ("--sessions", "4")):
        status, out, err = called(capsys, "simulate", str(floor), *words)
        assert (status, out) == (2, "")
        assert "floor file" in err


def test_sessions_and_days(capsys):
    status, out, _ = called(
        capsys, "simulate", "ma-three-card-poker", "--sessions", "300", "--hours", "1", "--json"
    )
    found = strict(out, SessionsOut)
    assert status == 0
    assert found["rounds"] == 40
    assert float(found["risk_of_ruin"]["low"]) <= float(found["risk_of_ruin"]["share"])
    status, out, _ = called(
        capsys, "simulate", "pa-three-card-prime", "--days", "10", "--tables", "3", "--json"
    )
    found = strict(out, DaysOut)
    assert status == 0
    assert [row["tables"] for row in found["bands"]] == ["one table", "all 3 tables"]
    for words in (("--sessions", "20"), ("--days", "5")):
        assert called(capsys, "simulate", "pa-three-card-prime", *words)[0] == 0


def test_a_strategy_of_one_s_own(capsys, tmp_path):
    """Playing every hand costs what the PAR sheet says it costs."""
    from houseway.maths.par import par

    every = tmp_path / "every.py"
    every.write_text("def decide(cards):\n    return 'play'\n")
    low = tmp_path / "low.toml"
    low.write_text('play_from = "432"\n')
    entry = next(e for e in par("md-three-card-poker").entries if e.wager == "ante_play")
    sheet = entry.strategy
    edge = next(a.house_edge for a in sheet.alternatives if a.strategy == "always_play")
    for strategy in ("always_play", str(every), f"{every}:decide"):
        _, out, _ = called(
            capsys, "simulate", "md-three-card-poker", "--rounds", "8000", "--strategy", strategy,
            "--wagers", "ante=10.00", "--json",
        )  # fmt: skip
        assert json.loads(out)["wagers"][0]["exact"] == f"-{edge}"
    _, out, _ = called(
        capsys, "simulate", "md-three-card-poker", "--rounds", "8000", "--strategy", str(low),
        "--wagers", "ante=10.00", "--json",
    )  # fmt: skip
    assert json.loads(out)["wagers"][0]["exact"] != f"-{edge}"


@pytest.mark.slow
def test_changes_to_the_chart(capsys, tmp_path):
    changed = tmp_path / "changed.toml"
    changed.write_text('[[change]]\nhand = "hard 20"\nup = "2"\nrange = "small"\ndo = "hit"\n')
    worth = {}
    for strategy in ("chart", str(changed)):
        _, out, _ = called(
            capsys, "simulate", "pa-down-under-blackjack", "--rounds", "8000", "--cover", "0",
            "--strategy", strategy, "--json",
        )  # fmt: skip
        worth[strategy] = float(json.loads(out)["wagers"][0]["exact_decimal"])
    assert worth[str(changed)] < worth["chart"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["md-three-card-poker", "--rounds", "many"], "not a number of rounds"),
        (["md-three-card-poker", "--rounds", "0"], "not a number of rounds"),
        (["nowhere"], "no chapter"),
        (["md-three-card-poker", "--strategy", "luck"], "no strategy 'luck'"),
        (["md-three-card-poker", "--wagers", "ante=0.07"], "not a multiple"),
        (["md-three-card-poker", "--players", "9"], "one to 7 players"),
        (["md-three-card-poker", "--sessions", "5", "--days", "5"], "--sessions or --days"),
        (["md-three-card-poker", "--sessions", "5", "--bankroll", "1.00"], "bankroll"),
        (["md-three-card-poker", "--rounds", "9", "--chart", "x.gif"], ".svg or .pdf"),
        (["md-three-card-poker", "--rounds", "9", "--cores", "0"], "one core"),
        (["md-three-card-poker", "--insure"], "no insurance"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(capsys, words, says):
    status, out, err = called(capsys, "simulate", *words)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("function", ["not_an_answer", "fails", "nothing_here"])
def test_a_strategy_that_fails_is_refused(capsys, function):
    from plain_rounds import OWN

    status, _, err = called(
        capsys, "simulate", "md-three-card-poker", "--strategy", f"{OWN}:{function}"
    )
    assert status == 2
    assert err.startswith("houseway: strategy:")


@pytest.mark.slow
def test_rng_test_reports(capsys, tmp_path):
    from pypdf import PdfReader

    report = tmp_path / "trial.pdf"
    small = ("--shuffles", "20000", "--words", "262144", "--json")
    status, out, _ = called(
        capsys, "rng-test", "--source", "simulation", "--report", str(report), *small
    )
    found = strict(out, TrialOut)
    assert status == 0
    assert found["verdict"] == "no fault found"
    text = "".join(page.extract_text() for page in PdfReader(report).pages)
    for test in found["sources"][0]["tests"]:
        assert test["test"] in text
        assert test["p_value"] in text
        assert str(test["sample_size"]) in text
    status, out, _ = called(capsys, "rng-test", "--source", "short-period", *small)
    assert status == 1
    assert strict(out, TrialOut)["verdict"] == "fault found"


@pytest.mark.slow
def test_rng_test_writes_the_raw_stream(capsys, tmp_path):
    one, two = tmp_path / "one.bin", tmp_path / "two.bin"
    for path in (one, two):
        status, out, _ = called(
            capsys, "rng-test", "--source", "simulation", "--raw", str(path), "--size", "1000003"
        )
        assert (status, out) == (0, "")
    assert len(one.read_bytes()) == 1_000_003
    assert one.read_bytes() == two.read_bytes()
    words = ["rng-test", "--source", "simulation", "--raw", "-", "--size", "1000003"]
    piped = subprocess.run(
        [sys.executable, "-m", "houseway", *words], capture_output=True, check=False
    )
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout == one.read_bytes()
    assert called(capsys, "rng-test", "--source", "nobody")[0] == 2
    assert called(capsys, "rng-test", "--raw", str(tmp_path / "no" / "where"))[0] == 2


@pytest.mark.slow
def test_a_run_that_is_stopped_says_how_it_goes_on(tmp_path):
    """Stopped with Ctrl-C as soon as something is kept."""
    kept = tmp_path / "kept.json"
    words = [sys.executable, "-m", "houseway", "simulate", "md-three-card-poker", "--cores", "1"]
    words += ["--json", "--seed", "stopped", "--checkpoint", str(kept)]
    stopped = subprocess.Popen([*words, "--rounds", "1e12"], stderr=subprocess.PIPE, text=True)
    try:
        while not kept.exists():
            assert stopped.poll() is None
            time.sleep(0.05)
        stopped.send_signal(signal.SIGINT)
        _, said = stopped.communicate(timeout=60)
    finally:
        stopped.kill()
    assert (stopped.returncode, said) == (
        130,
        f"houseway: stopped; the same command goes on from {kept}\n",
    )
