"""The fair-deal proof: the order of a shuffle is sealed before the bets, and opened as it is seen.

Before bets open the house publishes one hash, the root of a Merkle tree (RFC 6962) with a leaf for
each position of the shuffled cards, counted from the top before any cut. Each leaf is hidden by a
salt of its own. After the round the leaves of the cards that were exposed are opened, and no
others; when the shoe is finished the seed of all salts is given, and with it every leaf. Nobody
can find an order to fit a root afterwards, and nobody learns a card that was not shown.

Where the root was published before the shuffle, players may add numbers of their own: the sealed
order is then rearranged by a permutation that follows from the root and all numbers, which anybody
can compute, so that neither the house nor a player chooses the order that is dealt.

`docs/reference/record.md` has the format with test vectors. Cards are texts here, whatever they mean.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256

import msgspec

from houseway.errors import Refused

SEED_BYTES = 32
_SALT = b"houseway-deal/1 salt"
_NUMBERS = "houseway-deal/1 numbers"


class Opening(msgspec.Struct, frozen=True):
    """One position opened: its card, its salt and the hashes that lead to the root, as hex."""

    position: int
    card: str
    salt: str
    path: tuple[str, ...]


def salt_of(seed: bytes, position: int) -> bytes:
    """The salt of a position; it gives nothing away about the seed or another salt."""
    return hmac.digest(seed, _SALT + position.to_bytes(4, "big"), "sha256")


def leaf(salt: bytes, position: int, card: str) -> bytes:
    return sha256(b"\x00" + salt + position.to_bytes(4, "big") + card.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _split(count: int) -> int:
    """The largest power of two below `count`: how RFC 6962 divides a tree."""
    return 1 << (count - 1).bit_length() - 1


def _root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    middle = _split(len(leaves))
    return _node(_root(leaves[:middle]), _root(leaves[middle:]))


def _path(leaves: Sequence[bytes], position: int) -> list[bytes]:
    """The sibling hashes on the path from a leaf to the root, the lowest first."""
    if len(leaves) == 1:
        return []
    middle = _split(len(leaves))
    if position < middle:
        return [*_path(leaves[:middle], position), _root(leaves[middle:])]
    return [*_path(leaves[middle:], position - middle), _root(leaves[:middle])]


def _leaves(order: Sequence[str], seed: bytes) -> list[bytes]:
    if not order or len(seed) != SEED_BYTES:
        raise Refused("not_a_deal", f"a deal has cards and a seed of {SEED_BYTES} bytes")
    return [leaf(salt_of(seed, at), at, card) for at, card in enumerate(order)]


def commit(order: Sequence[str], seed: bytes) -> str:
    """The root to publish before bets open. The seed is secret and never used twice."""
    return _root(_leaves(order, seed)).hex()


def open_positions(
    order: Sequence[str], seed: bytes, positions: Sequence[int]
) -> tuple[Opening, ...]:
    """Open these positions and nothing else."""
    leaves = _leaves(order, seed)
    for at in positions:
        if not 0 <= at < len(order):
            raise Refused("no_such_position", f"{at} is not one of {len(order)} positions")
    return tuple(
        Opening(
            at, order[at], salt_of(seed, at).hex(), tuple(one.hex() for one in _path(leaves, at))
        )
        for at in positions
    )


def holds(root: str, count: int, opening: Opening) -> bool:
    """Whether an opening leads to the root of a deal of `count` cards."""
    try:
        salt, path = bytes.fromhex(opening.salt), [bytes.fromhex(one) for one in opening.path]
    except ValueError:
        return False
    if not 0 <= opening.position < count or len(salt) != SEED_BYTES:
        return False
    # RFC 9162, 2.1.3.2: climb while the position and the last position say where we are
    at, last = opening.position, count - 1
    found = leaf(salt, opening.position, opening.card)
    for beside in path:
        if last == 0:
            return False
        if at % 2 or at == last:
            found = _node(beside, found)
            while at and not at % 2:
                at, last = at >> 1, last >> 1
        else:
            found = _node(found, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and hmac.compare_digest(found.hex(), root)


def holds_whole(root: str, order: Sequence[str], seed: bytes) -> bool:
    """Whether this order and this seed, given when the shoe is finished, are the sealed ones."""
    return hmac.compare_digest(commit(order, seed), root)


def permutation(root: str, numbers: Sequence[str], count: int) -> tuple[int, ...]:
    """The sealed position of each dealt position, as the players' numbers rearrange them.

    Without numbers the sealed order is dealt as it is. Otherwise Fisher and Yates with draws from
    SHA-256 in counter mode; the remainder of 256 bits is even to within 2 ** -247.
    """
    positions = list(range(count))
    if not numbers:
        return tuple(positions)
    seed = sha256("\n".join([_NUMBERS, root, *numbers]).encode()).digest()
    for last in range(count - 1, 0, -1):
        drawn = int.from_bytes(sha256(seed + last.to_bytes(4, "big")).digest(), "big")
        chosen = drawn % (last + 1)
        positions[last], positions[chosen] = positions[chosen], positions[last]
    return tuple(positions)


def rearranged(order: Sequence[str], root: str, numbers: Sequence[str]) -> tuple[str, ...]:
    """The order that is dealt: the sealed one, rearranged by the players' numbers."""
    return tuple(order[at] for at in permutation(root, numbers, len(order)))


def sealed_order(dealt: Sequence[str], root: str, numbers: Sequence[str]) -> tuple[str, ...]:
    """The order that was sealed, from the one that was dealt."""
    order = [""] * len(dealt)
    for card, at in zip(dealt, permutation(root, numbers, len(dealt)), strict=True):
        order[at] = card
    return tuple(order)
