"""A cache that is missing costs time; a cache that is damaged is said; neither is ever wrong."""

import pytest

from houseway.maths.counting import cache

SOURCES = ("houseway.cards.card",)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "tallies"))
    return tmp_path / "tallies"


class Counting:
    """Makes a tally and knows how often it had to."""

    def __init__(self, tally):
        self.tally, self.times = tally, 0

    def __call__(self):
        self.times += 1
        return self.tally


def ask(make, name="pairs"):
    return cache.recall(name, dict[str, int], SOURCES, make)


def test_a_tally_is_counted_once(kept):
    make = Counting({"ways": 2**200, "none": 0})
    assert [ask(make), ask(make)] == [make.tally] * 2
    assert make.times == 1
    assert cache.is_kept("pairs", SOURCES)
    assert not cache.is_kept("pairs", ("houseway.cards.shuffle",)), "other code, other key"


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"7", b"8", 1),
        lambda content: content.split(b"\n", 1)[1],
        lambda content: b"\xff\xfe" * 40,
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    ],
)
def test_a_damaged_file_is_counted_anew_and_said_in_one_line(kept, caplog, damage):
    make = Counting({"sevens": 7777})
    ask(make)
    (file,) = kept.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert ask(make) == make.tally
    assert make.times == 2
    (record,) = caplog.records
    assert "counted again" in record.getMessage()
    assert "\n" not in record.getMessage()
    caplog.clear()
    assert ask(make) == make.tally
    assert make.times == 2, "the new file verifies"
    assert not caplog.records


def test_a_sealed_file_of_another_shape_is_counted_anew(kept):
    cache.recall("pairs", list[str], SOURCES, lambda: ["not", "counts"])
    assert ask(Counting({"ways": 1})) == {"ways": 1}


def test_old_keys_of_the_same_tally_are_cleared_and_others_left(kept):
    ask(Counting({"a": 1}))
    ask(Counting({"b": 1}), name="pairs-plus")
    cache.recall("pairs", dict[str, int], ("houseway.cards.shuffle",), lambda: {"a": 2})
    assert len(list(kept.glob("pairs-*.json"))) == 2
    assert ask(Counting({"b": 2}), name="pairs-plus") == {"b": 1}


def test_off_keeps_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("HOUSEWAY_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    make = Counting({"a": 1})
    ask(make)
    ask(make)
    assert make.times == 2
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_used_costs_time_only(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("HOUSEWAY_CACHE", str(blocked))
    make = Counting({"a": 1})
    assert [ask(make), ask(make)] == [{"a": 1}] * 2
    assert blocked.read_text() == "in the way"


def test_the_users_own_cache_directory(monkeypatch, tmp_path):
    monkeypatch.delenv("HOUSEWAY_CACHE", raising=False)
    monkeypatch.setattr(cache.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "houseway"
    monkeypatch.setattr(cache.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache.folder() == tmp_path / "local" / "houseway"
