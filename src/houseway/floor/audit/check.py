"""Check a bundle of one round without Houseway: `python3 check.py [FOLDER] [--key KEY]`.

Needs nothing but Python 3.10 or later. It checks that

- every file is the one that the house signed (manifest.json; give the house's public key, which you
  got from somewhere else, with --key);
- every event of events.jsonl matches its hash and follows the one before it;
- the commitment was made before the round, and every opened card leads to its root;
- where players added numbers to the shuffle: the house sealed its order before them, and the numbers
  that rearranged it are all of those on record;
- the opened cards are the cards that were shown;
- every field of round.json is what the events come to: chapter, day, dealer and players by the
  events before the round (before.jsonl), cards, decisions, payments and sums by those of the round.

The signature alone protects what is told in words (round.txt, replay.html, README.txt, the sentences
of deal.json), verification.json, and the number of the opening in the round's name. Whoever makes up
a whole chain of events can make up all of it: only the house's key, or an anchor, tells that apart.

Take this file from the house's page or from Houseway's source, not from the bundle that you doubt.
"""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, time, timedelta
from decimal import Decimal
from hashlib import sha256, sha512
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

#: bundles of the first format do not have the events before the round
FORMATS = ("houseway-bundle/1", "houseway-bundle/2")
#: events that may be withheld: they could tell cards of a shoe that was still in play
CLOSED = ("cards_dealt", "cards_shuffled", "hands_set", "deal_secret", "shuffle_secret")
#: what the house itself checked of a deal
CHECKS = {
    "chain", "sealed_before_bets", "opened", "leads_to_root", "all_under_seal", "players_numbers",
    "whole_order", "whole_deck", "sealed",
}  # fmt: skip
DEALER, LOST = ("dealer_stack", "dealer", "hole"), ("lose", "forfeit")
FIELDS = ("previous", "stream", "version", "time", "actor", "kind", "schema", "body")


class Wrong(Exception):
    """Raised with the first thing that is wrong."""


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
        total = _add(total, point) if number & 1 else total
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
    return not any((left[at] * right[2] - right[at] * left[2]) % _P for at in (0, 1))


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# the checks


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len({name for name, _ in pairs}) == len(pairs), "a name appears twice in one object")
    return dict(pairs)


def read(text: str) -> Any:
    return json.loads(text, object_pairs_hook=once)


def say(text: str) -> None:
    """Print without control characters: no bundle moves the cursor over what was said before it."""
    print("".join(one if one.isprintable() else ascii(one)[1:-1] for one in text))


def check_manifest(folder: Path, trusted: str) -> dict[str, Any]:
    manifest: dict[str, Any] = read((folder / "manifest.json").read_text("utf-8"))
    content = {name: value for name, value in manifest.items() if name != "signature"}
    need(manifest["format"] in FORMATS, "the manifest has another format")
    key, signature = bytes.fromhex(manifest["key"]), bytes.fromhex(manifest["signature"])
    need(signature_holds(key, signature, canonical(content)), "the signature is not valid")
    need(trusted in ("", manifest["key"]), "the bundle was signed with another key")
    there = {path.name for path in folder.iterdir()} - {"manifest.json", "__pycache__"}
    need(there == set(manifest["files"]), "a file is missing or was added")
    for name, hashed in manifest["files"].items():
        found = sha256((folder / name).read_bytes()).hexdigest()
        need(found == hashed, f"{name} is not the file that was signed")
    say(f"signed: {len(there)} files by the key {manifest['key']}")
    if not trusted:
        say("        compare it with the house's public key, or give that with --key")
    return manifest


def check_event(event: dict[str, Any]) -> None:
    if "body" in event:
        text = "\n".join(["houseway/1", *(str(event[name]) for name in FIELDS)])
        hashed = sha256(text.encode()).hexdigest()
        need(hashed == event["hash"], f"event {event['version']} does not match its hash")
    else:
        closed = event.get("withheld") is True and event["kind"] in CLOSED
        need(closed, f"event {event['version']} has no body")


def read_events(path: Path) -> list[dict[str, Any]]:
    # splitlines() would end a line at characters that a text may have
    events = [read(line) for line in path.read_text("utf-8").split("\n") if line]
    for event in events:
        check_event(event)
    return events


def check_chain(folder: Path) -> list[dict[str, Any]]:
    events = read_events(folder / "events.jsonl")
    need(bool(events), "there are no events")
    for before, event in pairwise(events):
        follows = (before["hash"], before["stream"], before["version"] + 1)
        linked = (event["previous"], event["stream"], event["version"]) == follows
        need(linked, f"event {event['version']} does not follow the one before it")
    say(f"chain:  {len(events)} events are as they were written")
    return events


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
    for event in ahead:
        check_event(event)
        need(event["stream"] == seal["committed"]["stream"], "a number is of another table")
        need("body" in event, "what was sealed before the shuffle is withheld")
    if not ahead:
        return
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
    for one in added:
        number = f"seat {one['seat']}: {one['number']}"
        say(f"shuffle: sealed at event {versions[0]}, then a number added by {number}")


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

    This is possible only if every card dealt in the round is shown; a public bundle withholds some.
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
    starts = range(count)
    fits = any(all(padded[(at - one) % count] == cards[at] for at in cards) for one in starts)
    need(fits, "the cards were not dealt in the order that the players' numbers made")


def check_deal(folder: Path, events: list[dict[str, Any]], round: dict[str, Any]) -> None:
    deal = read((folder / "deal.json").read_text("utf-8"))
    last = [read(event["body"])["seals"] for event in events if event["kind"] == "deal_opened"]
    opened = {seal["seal"]: seal["openings"] for seals in last for seal in seals}
    need(deal["verdict"]["round"] == round["id"], "deal.json is of another round")
    need(len(deal["seals"]) == len(opened), "the openings are not those in the events")
    told = told_by(events)
    check_verdict(deal["verdict"], sum(told.shown.values()) + told.moved)
    cards: Counter[str] = Counter()
    for seal in deal["seals"]:
        event = seal["committed"]
        check_event(event)
        body = read(event["body"])
        need(event["kind"] == "deal_committed", "the commitment is another event")
        need(event["stream"] == events[0]["stream"], "the commitment is of another table")
        there = [one["hash"] for one in events if one["version"] == event["version"]]
        need(there in ([], [event["hash"]]), "the commitment is not the recorded one")
        anew = [one["version"] for one in events if one["kind"] == "cards_shuffled"]
        sealed = any(version < event["version"] for version in anew)
        need(sealed or event["version"] < round["first"], "the order was sealed after the bets")
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
        say(f"deal:   {len(positions)} opened cards lead to the sealed root {seal['root']}")
        if body.get("numbers"):
            dealt = dealt_positions(seal["root"], body["numbers"], seal["count"])
            check_places(events, seal, [dealt[position] for position in positions])
    need(not cards - told.shown, "a card was opened that was not shown")
    if deal["verdict"]["proved"]:
        need(sum(cards.values()) == deal["verdict"]["sealed"], "cards were shown without proof")
    if not deal["seals"]:
        need(not deal["verdict"]["proved"], "nothing was opened, so nothing is proved")
        say("deal:   these cards carry no proof: they were read or keyed in")


def check_verdict(verdict: dict[str, Any], shown: int) -> None:
    """Check that the house's verdict is the one that follows from the data, apart from its words."""
    need(verdict["exposed"] == shown, "another number of cards was shown")
    holds = [one["holds"] for one in verdict["checks"]]
    need(verdict["proved"] is all(holds), "the verdict is not what its checks come to")
    strange = {one["check"] for one in verdict["checks"]} - CHECKS
    need(bool(holds) and not strange, "the verdict has other checks")


class Told:
    """The state of a round, built up from its events one by one."""

    def __init__(self) -> None:
        self.chapter = self.dealer = self.voided = ""
        self.opening = self.round = 0
        self.players: dict[int, str] = {}
        #: whose the hands of the round are
        self.holders: dict[int, str] = {}
        #: the cards that lie in each place, and those that lay there when they went to the rack
        self.piles: dict[str, list[str]] = {}
        self.racked: dict[str, list[str]] = {}
        self.decisions: dict[int, dict[int, str]] = {}
        self.out: dict[int, str] = {}
        self.settled: list[dict[str, Any]] = []
        self.nets: Counter[int] = Counter()
        self.owed: Counter[int] = Counter()
        #: cards shown where they lay, and how many on their way; the kinds of events withheld
        self.shown: Counter[str] = Counter()
        self.moved = 0
        self.withheld: set[str] = set()

    def take(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if "body" not in event:
            self.withheld.add(kind)
            return
        body = read(event["body"])
        if "event" not in body:
            return  # of the proof, not of the table
        owed, self.owed = self.owed, Counter()
        seat = body.get("seat", 0)
        match kind:
            case "table_opened":
                self.opening, self.chapter = event["version"], body["chapter"]
                self.dealer = body.get("dealer", "")
            case "dealer_changed":
                self.dealer = body["dealer"]
            case "player_sat":
                self.players[seat] = body["player"]
            case "player_left":
                self.players.pop(seat, None)
            case "bets_closed":
                self.round = body["round"]
                self.holders = {one: self.players.get(one, "") for one in body["seats"]}
            case "hand_out" if not body.get("hand"):
                self.out[seat] = body["why"]
            case "decided" | "hand_out":
                said = body.get("decision", "dead")
                self.decisions.setdefault(seat, {})[body.get("hand", 0)] = said
            case "wager_placed":
                self.nets[seat] -= cents(body["amount"])
            case "wager_taken_back" | "wager_returned" | "progressive_struck":
                self.nets[seat] += cents(body["amount"])
            case "wager_settled":
                self.settled.append(body)
                if body["result"] not in LOST:
                    self.nets[seat] += cents(body["stake"]) + cents(body["paid"])
            case "payment_corrected":
                self.owed = owed
                self.owed[seat] += cents(body["amount"])
            case "settlement_corrected":
                self.settled = list(body["lines"])
                self.nets.update(owed)
            case "round_voided":
                self.settled, self.voided = list(body.get("stands", ())), body["why"]
            case _:
                self._move(kind, seat, body)

    def _move(self, kind: str, seat: int, body: dict[str, Any]) -> None:
        """Cards are dealt, turned, moved, gathered or put right."""
        piles, place = self.piles, body.get("place", "")
        match kind:
            case "cards_dealt":
                piles[body["to"]] = piles.get(body["to"], []) + body["cards"]
                self.shown.update(body["cards"] if body.get("face_up") else ())
            case "cards_turned":
                piles[place] = body["cards"]
                self.shown.update(body["cards"])
            case "cards_moved":
                self._rack(body["source"], body["to"], body["count"])
                self.moved += body["count"] if body.get("face_up") else 0
            case "card_corrected":
                there = piles if place in piles else self.racked
                pile = there[place]
                at = body.get("number", 0) or pile.index(body["was"]) + 1
                there[place] = [*pile[: at - 1], body["card"], *pile[at:]]
            case "card_exposed":
                pile = piles.get(place, [])
                if "?" in pile and body["card"] not in pile:
                    first = pile.index("?")
                    piles[place] = [*pile[:first], body["card"], *pile[first + 1 :]]
            case "cards_shuffled" | "cards_spread" | "deck_removed":
                self._gone(body.get("gathered") or body.get("piles") or [])
            case "hands_set":
                self._gone([f"seat.{seat}"])
                piles |= {f"three.{seat}": body["three"], f"two.{seat}": body["two"]}
                self.decisions[seat] = {0: "set"}
            case "hand_split":
                one, two = piles[f"seat.{seat}"]
                piles |= {f"seat.{seat}": [one], f"seat.{seat}.2": [two]}
            case "dealt_late":
                if body.get("recorded"):
                    piles[f"seat.{seat}"] = piles[f"seat.{seat}"][:-1]
            case "box_passed_over":
                self._gone([name for name in piles if name.split(".")[0] in ("dealer", "seat")])
                piles |= {name: cards for name, cards in body["places"].items() if cards}

    def _rack(self, source: str, to: str, count: int) -> None:
        pile = self.piles.pop(source, [])
        # where a deal is withheld, a place has cards that nobody told
        pile = [""] * (count - len(pile)) + pile
        staying, going = pile[: len(pile) - count], pile[len(pile) - count :]
        if staying:
            self.piles[source] = staying
        elif to == "discard" and source not in ("shoe", "aside"):
            self.racked[source] = self.racked.get(source, []) + going
        self.piles[to] = self.piles.get(to, []) + going

    def _gone(self, places: list[str]) -> None:
        for place in places:
            self.piles.pop(place, None)

    def cards(self, *names: str, seat: int = 0) -> str:
        """The cards of these places, or of a seat; those that are not known are withheld."""
        held = {**self.racked, **{name: pile for name, pile in self.piles.items() if on_felt(name)}}
        places = [name for name in held if seat_of(name) == seat] if seat else names
        found = [card for name in places for card in held.get(name, ())]
        told = [card for card in found if card]
        return " ".join([*told, *(["withheld"] if len(told) < len(found) else [])])

    def same_cards(self, round: dict[str, Any]) -> bool:
        """Whether the dealer's, the common and each seat's cards are those that the events tell."""
        told = {seat: self.cards(seat=seat) for seat in self.holders}
        hands = {hand["seat"]: hand["cards"] for hand in round["hands"]}
        own = (round["cards"], round["community"])
        return (hands, own) == (told, (self.cards(*DEALER), self.cards("community")))


def on_felt(place: str) -> bool:
    return place.partition(".")[0] not in ("deck", "shoe", "shuffler", "discard", "aside")


def seat_of(place: str) -> int:
    seat = place.split(".")[1] if "." in place else ""
    return int(seat) if on_felt(place) and seat.isdecimal() else 0


def cents(text: str) -> int:
    return int(Decimal(text) * 100)


def told_by(events: list[dict[str, Any]], before: Iterable[dict[str, Any]] = ()) -> Told:
    """The state of a round after its events and those before it."""
    told = Told()
    for event in (*before, *events):
        if event["kind"] == "round_ended":
            break
        told.take(event)
    return told


def check_before(folder: Path, first: dict[str, Any]) -> tuple[list[dict[str, Any]], str, str]:
    """The events before the round that say whose it was; the facility's zone and its day's begin."""
    before: list[dict[str, Any]] = []
    zone, begins = "America/New_York", "06:00"
    for event in read_events(folder / "before.jsonl"):
        need("body" in event, "an event before the round is withheld")
        if event["stream"] == "config/facility":
            need(event["kind"] == "facility_time_set", "the facility's time is another event")
            body = read(event["body"])
            zone, begins = body["zone"], body["begins"]
            continue
        need(event["stream"] == first["stream"], "an event before the round is of another table")
        after = before[-1]["version"] if before else 0
        in_order = after < event["version"] < first["version"]
        need(in_order, "an event before the round is not in order")
        before.append(event)
    opened = [event for event in before if event["kind"] == "table_opened"]
    need(bool(opened) and opened == before[:1], "the table's opening is missing")
    return before, zone, begins


def gaming_day(at: str, zone: str, begins: str) -> str:
    local = datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(ZoneInfo(zone))  # noqa: FURB162 - Python 3.10 needs it
    early = local.time() < time.fromisoformat(begins)
    return (local.date() - timedelta(days=early)).isoformat()


def check_round(folder: Path, events: list[dict[str, Any]]) -> dict[str, Any]:
    round: dict[str, Any] = read((folder / "round.json").read_text("utf-8"))
    need(events[0]["stream"] == f"table/{round['table']}", "round.json is of another table")
    need(events[0]["version"] == round["first"], "round.json is of other events")
    last = [event for event in events if event["version"] == round["last"]]
    need([event["kind"] for event in last] == ["round_ended"], "the round ends elsewhere")
    times = (round["began"], round["ended"])
    need(times == (events[0]["time"], last[0]["time"]), "the times are not those of the events")
    numbers = [line["number"] for line in round["lines"]]
    need(numbers == [*range(1, len(numbers) + 1)], "the payments are not in their order")
    for part in (*round["hands"], *round["lines"]):
        need(part["round"] == round["id"], "a part of round.json is of another round")
    if (folder / "before.jsonl").exists():
        before, zone, begins = check_before(folder, events[0])
        told = told_by(events, before)
        check_people(round, told)
        try:
            need(gaming_day(round["began"], zone, begins) == round["day"], "it was another day")
        except ZoneInfoNotFoundError:
            say(f"day:    not checked, this computer has no time zone {zone}")
    else:
        told = told_by(events)
        say("table:  a bundle of an earlier version; it does not say who dealt and played")
    check_hands(round, told)
    need(round["voided"] == told.voided, "round.json has another end than the events")
    same = list(map(_line, round["lines"])) == list(map(_line, told.settled))
    need(same, "the payments are not those recorded")
    say(f"paid:   {len(told.settled)} settlements are those in the events")
    for name, of in (("paid", "paid"), ("wagered", "stake")):
        total = sum(Decimal(line[of]) for line in round["lines"])
        need(Decimal(round[name]) == total, f"what was {name} does not add up")
    need(Decimal(round["win"]) == sum(map(_win, round["lines"])), "the win does not add up")
    return round


def check_people(round: dict[str, Any], told: Told) -> None:
    need(round["chapter"] == told.chapter, "the table was opened under another chapter")
    need(round["opening"] == told.opening, "the table was opened elsewhere")
    need(round["dealer"] == told.dealer, "somebody else dealt")
    for hand in round["hands"]:
        need(hand["player"] == told.holders[hand["seat"]], f"seat {hand['seat']} was another's")
    say(f"table:  {told.chapter}, dealt by {told.dealer or 'nobody by name'}")


def check_hands(round: dict[str, Any], told: Told) -> None:
    """Seats, cards, decisions and what each seat won are those of the events."""
    name = round["id"].rsplit(".", 2)
    need((name[0], name[2]) == (round["table"], str(told.round)), "it is another round")
    need([hand["seat"] for hand in round["hands"]] == sorted(told.holders), "other seats played")
    for hand in round["hands"]:
        seat = hand["seat"]
        says = " ".join(told.decisions.get(seat, {}).values()) or told.out.get(seat, "")
        hidden = "hands_set" in told.withheld and hand["decision"] == "set"
        need(hidden or hand["decision"] == says, f"seat {seat} decided otherwise")
        need(cents(hand["net"]) == told.nets[seat], f"the net of seat {seat} does not add up")
    same = told.same_cards(round)
    need(same is round.get("retold", True), "the cards are not those that were dealt")
    if not same:
        say("cards:  not compared: a game of its own moves them in a way not known here")


def _win(line: dict[str, Any]) -> Decimal:
    """What a line wins for the house; what a meter pays is not the house's money."""
    if line["result"] in LOST:
        return Decimal(line["stake"])
    return Decimal(line["from_meter"] or 0) - Decimal(line["paid"])


def _line(line: dict[str, Any]) -> tuple[Any, ...]:
    return (
        line["seat"], line["wager"], line.get("hand") or 0, Decimal(line["stake"]), line["result"],
        Decimal(line["paid"]), line["clause"], line.get("odds") or "",
        Decimal(line.get("from_meter") or 0), line.get("outcome") or "",
    )  # fmt: skip


def check(folder: Path, trusted: str = "") -> None:
    """Raise `Wrong` with the first thing that does not hold."""
    try:
        manifest = check_manifest(folder, trusted) if (folder / "manifest.json").exists() else None
        events = check_chain(folder)
        round = check_round(folder, events)
        check_deal(folder, events, round)
        if manifest is None:
            raise Wrong("the bundle is not signed: there is no manifest.json")
        need(manifest["round"] == round["id"], "the manifest is of another round")
    except Wrong:
        raise
    except Exception as error:
        raise Wrong(f"the bundle cannot be read: {type(error).__name__}: {error}") from error


def main() -> None:
    parser = ArgumentParser(description="Check a bundle of one round.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--key", default="", help="the house's public key, from somewhere else")
    given = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        check(given.folder, given.key)
    except Wrong as wrong:
        say(f"WRONG: {wrong}")
        sys.exit(1)


if __name__ == "__main__":
    main()
