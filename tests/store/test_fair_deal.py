"""The fair-deal proof, against a tree written straight from RFC 6962, and its published vectors."""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import SeededSource, batch, shuffled, standard_deck
from houseway.errors import Refused
from houseway.store import canonical, digest
from houseway.store.security.fair_deal import (
    Opening,
    commit,
    holds,
    holds_whole,
    open_positions,
)

orders = st.lists(st.sampled_from(["As", "Kd", "7c", "Jk", "2h"]), min_size=1, max_size=70)
seeds = st.binary(min_size=32, max_size=32)


def plain_root(order: list[str], seed: bytes, start: int = 0) -> bytes:
    """MTH of RFC 6962, 2.1, over salt || position || card."""
    if len(order) == 1:
        salt = hmac.new(seed, b"houseway-deal/1 salt" + start.to_bytes(4, "big"), "sha256").digest()
        return sha256(b"\x00" + salt + start.to_bytes(4, "big") + order[0].encode()).digest()
    k = max(2**n for n in range(20) if 2**n < len(order))
    left, right = plain_root(order[:k], seed, start), plain_root(order[k:], seed, start + k)
    return sha256(b"\x01" + left + right).digest()


@given(orders, seeds)
def test_the_root_is_rfc_6962s(order, seed) -> None:
    assert commit(order, seed) == plain_root(order, seed).hex()


@given(orders, seeds, st.data())
def test_every_position_opens_and_only_as_itself(order, seed, data) -> None:
    root = commit(order, seed)
    at = data.draw(st.integers(0, len(order) - 1))
    (opening,) = open_positions(order, seed, [at])
    assert opening.card == order[at]
    assert holds(root, len(order), opening)
    false = msgspec.structs.replace
    assert not holds(root, len(order), false(opening, card="9s"))
    assert not holds(root, len(order), false(opening, salt="00" * 32))
    assert not holds(root, len(order), false(opening, path=(*opening.path, "00" * 32)))
    assert not holds(root, len(order), false(opening, salt="zz"))
    if opening.path:
        assert not holds(root, len(order), false(opening, path=opening.path[1:]))
    other = data.draw(st.integers(-1, len(order)))
    if other != at:
        assert not holds(root, len(order), false(opening, position=other))


@settings(max_examples=20)
@given(seeds, st.integers(1, 8))
def test_a_whole_shoe_opens_at_its_end(seed, decks) -> None:
    order = [str(card) for card in shuffled(batch(decks), SeededSource(seed.hex()))]
    root = commit(order, seed)
    assert holds_whole(root, order, seed)
    order[3], order[4] = order[4], order[3]
    assert holds_whole(root, order, seed) == (order[3] == order[4])


def test_an_opening_says_nothing_of_the_other_cards() -> None:
    """Two orders that agree where they are opened differ in the path only by salted hashes."""
    one, other = ["As", "Kd", "7c", "2h"], ["As", "Kd", "2h", "7c"]
    seed = bytes(range(32))
    first, second = (open_positions(order, seed, [0])[0] for order in (one, other))
    assert (first.position, first.card, first.salt) == (second.position, second.card, second.salt)
    # who knows every card of the deck still cannot tell which hash hides which: the salt is secret
    guesses = {
        sha256(b"\x00" + salt + at.to_bytes(4, "big") + card.encode()).hexdigest()
        for salt in (bytes(32), bytes.fromhex(first.salt))
        for at in range(4)
        for card in map(str, standard_deck())
    }
    assert not guesses & set(first.path)


def test_what_is_no_deal_is_refused() -> None:
    for order, seed in (([], bytes(32)), (["As"], b"short")):
        with pytest.raises(Refused) as caught:
            commit(order, seed)
        assert caught.value.code == "not_a_deal"
    with pytest.raises(Refused):
        open_positions(["As"], bytes(32), [1])


# the published vectors

DOCS = (Path(__file__).parents[2] / "docs" / "reference" / "record.md").read_text("utf-8")


def vectors(name: str) -> dict:
    """A JSON block of the documentation, by the line above it."""
    found = re.search(rf"<!-- vector: {name} -->\n+```json\n(.*?)```", DOCS, re.DOTALL)
    assert found, name
    return msgspec.json.decode(found[1])


def test_the_published_chain_is_ours_and_plain_sha256() -> None:
    previous = bytes(32)
    for one in vectors("chain")["events"]:
        body = canonical(one["data"])
        assert body == one["body"]
        assert one["previous"] == previous.hex()
        lines = ("houseway/1", one["previous"], one["stream"], str(one["version"]), one["time"],
                 one["actor"], one["kind"], str(one["schema"]), body)  # fmt: skip
        assert one["hash"] == sha256("\n".join(lines).encode()).hexdigest()
        previous = digest(
            previous, one["stream"], one["version"], one["time"], one["actor"], one["kind"],
            one["schema"], body,
        )  # fmt: skip
        assert previous.hex() == one["hash"]


def test_the_published_deal_is_ours_and_the_plain_trees() -> None:
    deal = vectors("deal")
    order, seed = deal["order"], bytes.fromhex(deal["seed"])
    assert plain_root(order, seed).hex() == deal["root"] == commit(order, seed)
    openings = tuple(msgspec.convert(one, Opening) for one in deal["openings"])
    assert openings == open_positions(order, seed, [one.position for one in openings])
    assert all(holds(deal["root"], len(order), one) for one in openings)
    assert order[deal["cut"] :] + order[: deal["cut"]] == deal["after_cut"]
