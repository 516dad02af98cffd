"""Check a dispute bundle without Houseway: `python3 check.py`, in the bundle's folder.

Needs nothing but Python 3. It recomputes the hash of every event in events.jsonl and follows the
chain, then leads every opened card in deal.json to the root that was sealed before the bets.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any


def check_chain(folder: Path) -> str:
    previous, checked = None, 0
    for line in (folder / "events.jsonl").read_text("utf-8").splitlines():
        event = json.loads(line)
        if previous is not None and event["previous"] != previous:
            return f"event {event['version']} does not follow the one before it"
        previous = event["hash"]
        if "body" not in event:
            continue
        fields = ("previous", "stream", "version", "time", "actor", "kind", "schema", "body")
        text = "\n".join(["houseway/1", *(str(event[name]) for name in fields)])
        if sha256(text.encode()).hexdigest() != event["hash"]:
            return f"event {event['version']} does not match its hash"
        checked += 1
    print(f"chain: {checked} events are as they were written")
    return ""


def leads_to_root(root: str, count: int, opening: dict[str, Any]) -> bool:
    at, last = opening["position"], count - 1
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


def check_deal(folder: Path) -> str:
    deal = json.loads((folder / "deal.json").read_text("utf-8"))
    for seal in deal["seals"]:
        for opening in seal["openings"]:
            if not leads_to_root(seal["root"], seal["count"], opening):
                return f"position {opening['position']} was not sealed as {opening['card']}"
        print(f"deal: {len(seal['openings'])} opened cards lead to the sealed root {seal['root']}")
    if not deal["seals"]:
        print("deal: these cards carry no proof")
    return ""


def main() -> None:
    folder = Path(__file__).resolve().parent
    wrong = check_chain(folder) or check_deal(folder)
    if wrong:
        print(f"WRONG: {wrong}")
        sys.exit(1)


if __name__ == "__main__":
    main()
