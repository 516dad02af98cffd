"""Check a bundle of one round without Houseway: `python3 check.py [FOLDER] [--key KEY]`.

Needs nothing but Python 3. It checks that

- every file is the one that the house signed (manifest.json; give the house's public key, which you
  got from somewhere else, with --key);
- every event of events.jsonl matches its hash and follows the one before it;
- the commitment was made before the round, and every opened card leads to its root;
- where players added numbers to the shuffle: the house sealed its order before them, and the numbers
  that rearranged it are all of those on record;
- the opened cards are the cards that were shown, and the cards of round.json are those dealt;
- every payment of round.json is the one in the events, and the times and sums are right.

Take this file from the house's page or from Houseway's source, not from the bundle that you doubt.
"""

import json
import sys
from collections import Counter
from decimal import Decimal
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

FIELDS = ("previous", "stream", "version", "time", "actor", "kind", "schema", "body")


class Wrong(Exception):
    """What does not hold."""


def need(holds: bool, says: str) -> None:
    if not holds:
        raise Wrong(says)


# Ed25519 (RFC 8032, 5.1.7), slow and short

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_Point = tuple[int, int, int, int]


def _recover(data: bytes) -> _Point:
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    need(y < _P, "a key or signature is not a point")
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    need((x * x - square) % _P == 0 and not (x == 0 and sign), "a key is not a point")
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _add(one: _Point, two: _Point) -> _Point:
    a = (one[1] - one[0]) * (two[1] - two[0]) % _P
    b = (one[1] + one[0]) * (two[1] + two[0]) % _P
    c, d = 2 * one[3] * two[3] * _D % _P, 2 * one[2] * two[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int, point: _Point) -> _Point:
    total: _Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = _add(total, point)
        point, number = _add(point, point), number >> 1
    return total


def signature_holds(key: bytes, signature: bytes, message: bytes) -> bool:
    if len(key) != 32 or len(signature) != 64:
        return False
    base = _recover((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
    public, nonce = _recover(key), _recover(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if s >= _L:
        return False
    hashed = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % _L
    left, right = _times(s, base), _add(nonce, _times(hashed, public))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % _P == 0


def canonical(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


# the checks


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len({name for name, _ in pairs}) == len(pairs), "a name appears twice in one object")
    return dict(pairs)


def read(text: str) -> Any:
    return json.loads(text, object_pairs_hook=once)


def check_manifest(folder: Path, trusted: str) -> dict[str, Any]:
    manifest: dict[str, Any] = read((folder / "manifest.json").read_text("utf-8"))
    content = {name: value for name, value in manifest.items() if name != "signature"}
    need(manifest["format"] == "houseway-bundle/1", "the manifest has another format")
    key, signature = bytes.fromhex(manifest["key"]), bytes.fromhex(manifest["signature"])
    need(signature_holds(key, signature, canonical(content)), "the signature is not valid")
    need(trusted in ("", manifest["key"]), "the bundle was signed with another key")
    there = {path.name for path in folder.iterdir()} - {"manifest.json", "__pycache__"}
    need(there == set(manifest["files"]), "a file is missing or was added")
    for name, hashed in manifest["files"].items():
        found = sha256((folder / name).read_bytes()).hexdigest()
        need(found == hashed, f"{name} is not the file that was signed")
    print(f"signed: {len(there)} files by the key {manifest['key']}")
    if not trusted:
        print("        compare it with the house's public key, or give that with --key")
    return manifest


def check_event(event: dict[str, Any]) -> None:
    if "body" in event:
        text = "\n".join(["houseway/1", *(str(event[name]) for name in FIELDS)])
        hashed = sha256(text.encode()).hexdigest()
        need(hashed == event["hash"], f"event {event['version']} does not match its hash")
    else:
        need(event.get("withheld") is True, f"event {event['version']} has no body")


def check_chain(folder: Path) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for line in (folder / "events.jsonl").read_text("utf-8").splitlines():
        event = read(line)
        if events:
            follows = (events[-1]["hash"], events[-1]["stream"], events[-1]["version"] + 1)
            need(
                (event["previous"], event["stream"], event["version"]) == follows,
                f"event {event['version']} does not follow the one before it",
            )
        check_event(event)
        events.append(event)
    need(bool(events), "there are no events")
    print(f"chain:  {len(events)} events are as they were written")
    return events


def bodies(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    found = [event for event in events if event["kind"] == kind and "body" in event]
    return [read(event["body"]) for event in found]


def leads_to_root(root: str, count: int, opening: dict[str, Any]) -> bool:
    at, last = opening["position"], count - 1
    if not 0 <= at < count or len(opening["salt"]) != 64:
        return False
    data = bytes.fromhex(opening["salt"]) + at.to_bytes(4, "big") + opening["card"].encode()
    found = sha256(b"\x00" + data).digest()
    for beside in map(bytes.fromhex, opening["path"]):
        if last == 0:
            return False
        if at % 2 or at == last:
            found = sha256(b"\x01" + beside + found).digest()
            while at and not at % 2:
                at, last = at >> 1, last >> 1
        else:
            found = sha256(b"\x01" + found + beside).digest()
        at, last = at >> 1, last >> 1
    return last == 0 and found.hex() == root


def check_numbers(seal: dict[str, Any], body: dict[str, Any]) -> None:
    """The order was sealed before the players' numbers, and the shuffle names all of them."""
    ahead = seal.get("ahead", [])
    need(("shuffle" in body) == bool(ahead), "what was sealed before the shuffle is missing")
    if not ahead:
        return
    for event in ahead:
        check_event(event)
        need(event["stream"] == seal["committed"]["stream"], "a number is of another table")
        need("body" in event, "what was sealed before the shuffle is withheld")
    versions = [event["version"] for event in (*ahead, seal["committed"])]
    need(versions == sorted(set(versions)), "a number was added after the shuffle")
    kinds = [event["kind"] for event in ahead]
    need(kinds == ["shuffle_committed"] + ["number_added"] * (len(ahead) - 1), "not a number")
    first, *added = [read(event["body"]) for event in ahead]
    sealed = (first["shuffle"], first["root"], first["count"])
    need(sealed == (body["shuffle"], body["root"], body["count"]), "another order was sealed first")
    numbers = [f"{one['seat']}:{one['number']}" for one in added]
    need(numbers == body["numbers"], "the numbers are not those that players added")
    need(all(one["shuffle"] == body["shuffle"] for one in added), "a number is for another shuffle")
    if added:
        print(f"shuffle: sealed at event {versions[0]}, then {len(added)} players' numbers:")
        for one in added:
            print(f"        seat {one['seat']}: {one['number']}")


def dealt_positions(root: str, numbers: list[str], count: int) -> list[int]:
    """For each sealed position, its place in the order that was dealt (before any cut)."""
    sealed = list(range(count))
    if numbers:
        seed = sha256("\n".join(["houseway-deal/1 numbers", root, *numbers]).encode()).digest()
        for last in range(count - 1, 0, -1):
            drawn = int.from_bytes(sha256(seed + last.to_bytes(4, "big")).digest(), "big")
            chosen = drawn % (last + 1)
            sealed[last], sealed[chosen] = sealed[chosen], sealed[last]
    dealt = [0] * count
    for place, position in enumerate(sealed):
        dealt[position] = place
    return dealt


def check_places(events: list[dict[str, Any]], seal: dict[str, Any], places: list[int]) -> None:
    """The opened cards came from the shoe in the order that the numbers made of the sealed one.

    It shows where every card dealt in the round is told; a public bundle withholds some of them.
    """
    dealt: list[str] = []
    for event in events:
        if event["kind"] == "cards_dealt" and "body" in event:
            dealt += read(event["body"])["cards"]
        elif event["kind"] in ("cards_dealt", "cards_shuffled"):
            return
    cards = {place: one["card"] for place, one in zip(places, seal["openings"], strict=True)}
    count = seal["count"]
    padded = dealt + [""] * (count - len(dealt))
    fits = any(
        all(padded[(place - first) % count] == card for place, card in cards.items())
        for first in range(count)
    )
    need(fits, "the cards were not dealt in the order that the players' numbers made")


def check_deal(folder: Path, events: list[dict[str, Any]], round: dict[str, Any]) -> None:
    deal = read((folder / "deal.json").read_text("utf-8"))
    opened = {
        seal["seal"]: seal["openings"]
        for body in bodies(events, "deal_opened")
        for seal in body["seals"]
    }
    need(deal["verdict"]["round"] == round["id"], "deal.json is of another round")
    need(len(deal["seals"]) == len(opened), "the openings are not those in the events")
    cards: Counter[str] = Counter()
    for seal in deal["seals"]:
        event = seal["committed"]
        check_event(event)
        body = read(event["body"])
        need(event["kind"] == "deal_committed", "the commitment is another event")
        need(event["stream"] == events[0]["stream"], "the commitment is of another table")
        for other in events:
            if other["version"] == event["version"]:
                need(other["hash"] == event["hash"], "the commitment is not the recorded one")
        need(
            event["version"] < round["first"] or event["version"] <= events[-1]["version"],
            "the order was sealed after the round",
        )
        same = (body["root"], body["count"]) == (seal["root"], seal["count"])
        need(same, "the root is not the one that was committed")
        need(opened.get(body["seal"]) == seal["openings"], "the openings are not those recorded")
        check_numbers(seal, body)
        positions = [opening["position"] for opening in seal["openings"]]
        need(len(set(positions)) == len(positions), "a position was opened twice")
        for opening in seal["openings"]:
            holds = leads_to_root(seal["root"], seal["count"], opening)
            need(holds, f"position {opening['position']} was not sealed as {opening['card']}")
            cards[opening["card"]] += 1
        print(f"deal:   {len(positions)} opened cards lead to the sealed root {seal['root']}")
        if body.get("numbers"):
            dealt = dealt_positions(seal["root"], body["numbers"], seal["count"])
            check_places(events, seal, [dealt[position] for position in positions])
    shown = Counter(card for body in bodies(events, "cards_turned") for card in body["cards"])
    for body in bodies(events, "cards_dealt"):
        if body.get("face_up"):
            shown.update(body["cards"])
    need(not cards - shown, "a card was opened that was not shown")
    if deal["verdict"]["proved"]:
        need(sum(cards.values()) == deal["verdict"]["sealed"], "cards were shown without proof")
    if not deal["seals"]:
        need(not deal["verdict"]["proved"], "nothing was opened, so nothing is proved")
        print("deal:   these cards carry no proof: they were read or keyed in")


def _piles(events: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Every card that lay in a place at some time of the round."""
    piles: dict[str, Counter[str]] = {}
    for event in events:
        if "body" not in event:
            continue
        body = read(event["body"])
        place = body.get("to") or body.get("place") or ""
        cards = body.get("cards") or [body[name] for name in ("card", "was") if body.get(name)]
        if isinstance(cards, list) and place:
            piles.setdefault(place.split(".hand")[0], Counter()).update(set(cards))
    return piles


def check_round(folder: Path, events: list[dict[str, Any]]) -> dict[str, Any]:
    round: dict[str, Any] = read((folder / "round.json").read_text("utf-8"))
    need(events[0]["stream"] == f"table/{round['table']}", "round.json is of another table")
    need(round["id"].startswith(f"{round['table']}."), "round.json is of another table")
    need(
        (events[0]["version"], round["last"] <= events[-1]["version"]) == (round["first"], True),
        "round.json is of other events",
    )
    last = [event for event in events if event["version"] == round["last"]]
    need([event["kind"] for event in last] == ["round_ended"], "the round ends elsewhere")
    times = (round["began"], round["ended"])
    need(times == (events[0]["time"], last[0]["time"]), "the times are not those of the events")
    for number, line in enumerate(round["lines"], 1):
        need(line["number"] == number, "the payments are not in their order")
    for part in (*round["hands"], *round["lines"]):
        need(part["round"] == round["id"], "a part of round.json is of another round")
    check_cards(round, _piles(events), all("body" in event for event in events))
    void = [body["why"] for body in bodies(events, "round_voided")]
    need(bool(round["voided"]) == bool(void), "round.json has another end than the events")
    settled = bodies(events, "wager_settled")
    corrected = bodies(events, "payment_corrected") or bodies(events, "settlement_corrected")
    if not void and not bodies(events, "payment_corrected"):
        lines = [_line(line) for line in round["lines"]]
        need(Counter(lines) == Counter(map(_line, settled)), "the payments are not those recorded")
        print(f"paid:   {len(settled)} settlements are those in the events")
    hands = {hand["seat"]: Decimal(hand["net"]) for hand in round["hands"]}
    need(Decimal(round["paid"]) == _sum(round["lines"], "paid"), "what was paid does not add up")
    wagered = _sum(round["lines"], "stake")
    need(Decimal(round["wagered"]) == wagered, "what was wagered does not add up")
    need(Decimal(round["win"]) == sum(map(_win, round["lines"])), "the win does not add up")
    need(len(hands) == len(round["hands"]), "a seat appears twice in round.json")
    need({line["seat"] for line in round["lines"]} <= set(hands), "a seat with payments is missing")
    if not void and not corrected:
        for seat, net in hands.items():
            mine = sum(_net(line) for line in round["lines"] if line["seat"] == seat)
            need(net == mine, f"the net of seat {seat} does not add up")
    return round


def check_cards(round: dict[str, Any], piles: dict[str, Counter[str]], complete: bool) -> None:
    """Every hand has cards that lay at its place, the dealer's those that lay at none of a seat.

    Where deals are withheld, a card that lay at no known place may be one of theirs.
    """
    known = {card for pile in piles.values() for card in pile}
    held: dict[int, set[str]] = {}
    for place, pile in piles.items():
        seat = place.split(".")[1] if "." in place else ""
        held.setdefault(int(seat) if seat.isdigit() else 0, set()).update(pile)
    told = [(0, round["cards"]), (0, round["community"])]
    for seat, text in (*told, *((hand["seat"], hand["cards"]) for hand in round["hands"])):
        if text == "withheld":
            continue
        cards = {part for part in text.replace("|", " ").split() if part[:1] in "23456789TJQKA"}
        strange = cards - held.get(seat, set()) - {"Jk"}
        if not complete:
            strange &= known
        need(not strange, f"{' '.join(sorted(strange))} was not dealt there in this round")


LOST = ("lose", "forfeit")


def _win(line: dict[str, Any]) -> Decimal:
    """What a line wins for the house; what a meter pays is not the house's money."""
    if line["result"] in LOST:
        return Decimal(line["stake"])
    return Decimal(line["from_meter"] or 0) - Decimal(line["paid"])


def _net(line: dict[str, Any]) -> Decimal:
    return -Decimal(line["stake"]) if line["result"] in LOST else Decimal(line["paid"])


def _line(line: dict[str, Any]) -> tuple[Any, ...]:
    return (
        line["seat"], line["wager"], line.get("hand") or 0, Decimal(line["stake"]), line["result"],
        Decimal(line["paid"]), line["clause"], line.get("odds") or "",
        Decimal(line.get("from_meter") or 0), line.get("outcome") or "",
    )  # fmt: skip


def _sum(lines: list[dict[str, Any]], name: str) -> Decimal:
    return sum((Decimal(line[name]) for line in lines), Decimal(0))


def check(folder: Path, trusted: str = "") -> None:
    """Raise `Wrong` with the first thing that does not hold."""
    try:
        manifest = check_manifest(folder, trusted) if (folder / "manifest.json").exists() else None
        events = check_chain(folder)
        round = check_round(folder, events)
        check_deal(folder, events, round)
        need(manifest is not None, "the bundle is not signed: there is no manifest.json")
        assert manifest is not None
        need(manifest["round"] == round["id"], "the manifest is of another round")
    except Wrong:
        raise
    except Exception as error:
        raise Wrong(f"the bundle cannot be read: {type(error).__name__}: {error}") from error


def main() -> None:
    given = sys.argv[1:]
    trusted = ""
    if "--key" in given:
        at = given.index("--key")
        trusted = given[at + 1]
        del given[at : at + 2]
    folder = Path(given[0]) if given else Path(__file__).resolve().parent
    try:
        check(folder, trusted)
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        sys.exit(1)


if __name__ == "__main__":
    main()
