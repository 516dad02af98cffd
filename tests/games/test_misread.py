"""JSON that is no round or no command is refused in a sentence that names the place."""

from __future__ import annotations

import json
from copy import deepcopy

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.game_api.round_json import read_round
from houseway.law import DOWN_UNDER, MD
from houseway.law.choices import parse_rules
from houseway.table.commands import COMMANDS, read_command

ROUND = {
    "chapter": MD,
    "dealer": ["Ac", "Kd", "9h"],
    "seats": [
        {"seat": 2, "wagers": {"ante": "5.00"}, "cards": ["2c", "2d", "7s"], "decision": "play"},
        {"seat": 4, "wagers": {"ante": "5.00"}, "cards": ["3c", "3d", "7d"], "decision": "fold"},
    ],
}
GONE = object()


def refused(read, data) -> Refused:
    with pytest.raises(Refused) as caught:
        read(data if isinstance(data, str) else json.dumps(data))
    assert not any(word in caught.value.message for word in ("Object", "Expected", "$", "[...]"))
    return caught.value


def changed(path, value):
    data = deepcopy(ROUND)
    here = data
    for step in path[:-1]:
        here = here[step]
    if value is GONE:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "seat", "field", "says"),
    [
        (("dealer",), GONE, None, "dealer", f"this round of {MD} lacks the field `dealer`"),
        (("chapter",), GONE, None, "chapter", "this round lacks the field `chapter`"),
        (("dealer",), 7, None, "dealer", "`dealer` must be text in quotes or a list, not a whole number"),
        (("seats", 1, "seat"), GONE, None, "seats.2.seat", "`seats.2` lacks the field `seat`"),
        (("seats", 1, "wager"), {}, 4, "wager", "seat 4 has no field `wager`; did you mean `wagers`?"),
        (("seats", 1, "zzz"), {}, 4, "zzz", "seat 4 has no field `zzz`"),
        (
            ("seats", 1, "wagers"), {"ante": "5.00", "pair_plus": 5}, 4, "wagers.pair_plus",
            "`wagers.pair_plus` must be text in quotes, not a whole number",
        ),
        (("seats", 0), None, None, "seats.1", "`seats.1` must be an object, not nothing"),
        (
            ("seats", 0, "cards", 1), 2, 2, "cards.2",
            "`cards.2` must be text in quotes, not a whole number",
        ),
        (("rules",), [], None, "rules", "a table of rules must be an object, not a list"),
    ],
)  # fmt: skip
def test_half_a_round_is_told_what_it_lacks_and_where(path, value, seat, field, says):
    refusal = refused(read_round, changed(path, value))
    assert (refusal.code, refusal.seat, refusal.field) == ("not_a_round", seat, field)
    assert refusal.message == says


def test_a_hand_of_a_split_is_named_by_its_number():
    data = {"chapter": DOWN_UNDER, "dealer": ["Ac", "9d"], "seats": [
        {"seat": 3, "wagers": {"bet": "5.00"}, "hands": [{"cards": ["8c"]}, {"card": ["8d"]}]},
    ]}  # fmt: skip
    refusal = refused(read_round, data)
    assert (refusal.seat, refusal.field) == (3, "hands.2.card")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not valid JSON: it ends too early"),
        ('{"chapter": "x"', "not valid JSON: it ends too early"),
        ("chapter", "not valid JSON: invalid character at line 1 column 1"),
        ("[]", "a round must be an object, not a list"),
    ],
)
def test_what_is_no_json_is_told_so(text, says):
    assert refused(read_round, text).message == says


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_told_each_field_that_it_lacks(name):
    fields = [field for field in msgspec.structs.fields(COMMANDS[name]) if field.required]
    kinds = {str: "x", int: 1, bool: True}
    whole = {"command": name} | {
        field.name: "dealer" if field.name == "role" else kinds.get(field.type, {})
        for field in fields
    }
    assert read_command(json.dumps(whole))
    for field in fields:
        half = {key: value for key, value in whole.items() if key != field.name}
        refusal = refused(read_command, half)
        assert (refusal.code, refusal.field) == ("not_a_command", field.name)
        assert refusal.message == f"the command {name} lacks the field `{field.name}`"


@pytest.mark.parametrize(
    ("data", "field", "says"),
    [
        ({"command": "sit_dwon"}, "command", "there is no command 'sit_dwon'; did you mean sit_down?"),
        ({}, "command", "this command lacks the field `command`"),
        (
            {"command": "cut", "role": "boss", "at": "x", "depth": 20}, "role",
            "there is no role 'boss'",
        ),
        (
            {"command": "cut", "role": "dealer", "at": "x", "depth": "20"}, "depth",
            "`depth` must be a whole number, not text in quotes",
        ),
    ],
)  # fmt: skip
def test_a_command_that_is_none_is_told_which_is_meant(data, field, says):
    refusal = refused(read_command, data)
    assert (refusal.field, refusal.message) == (field, says)


def test_a_rules_file_is_told_which_part_is_wrong():
    with pytest.raises(Refused) as caught:
        parse_rules(f'chapter = "{MD}"\nlimit = 5')
    assert caught.value.field == "limit"
    assert caught.value.message == (
        f"rules.toml: this rules file of {MD} has no field `limit`; did you mean `limits`?"
    )


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["chapter", "dealer", "seats", "rules", "meters", "community", "command"]),
    value=ANYTHING,
    seat=st.sampled_from(["seat", "wagers", "cards", "hands", "coupon", "three"]),
    inner=ANYTHING,
)
def test_rubbish_is_refused_in_words(name, value, seat, inner):
    data = deepcopy(ROUND)
    data["seats"][0][seat] = inner
    data[name] = value
    for read in (read_round, read_command):
        try:
            read(json.dumps(data))
        except Refused as refusal:
            assert refusal.message
            assert not any(word in refusal.message for word in ("Object ", "Expected `", "`$"))
