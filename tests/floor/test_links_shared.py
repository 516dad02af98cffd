"""Winners at several tables who share one linked meter, to the cent (Massachusetts)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linked import (
    BY,
    METERS,
    OPTIONS,
    RATE,
    RESET,
    ROYAL,
    SEED,
    LinkedTable,
    cents_of,
    is_exact,
    open_link,
    rules,
)

from houseway.errors import Refused
from houseway.floor.links.history import acts, wall
from houseway.law import MA, choose, cites
from houseway.money import cents
from houseway.store.backends.memory import MemoryLog
from houseway.store.verify import verify
from houseway.table.next_step import next_steps

#: each round of a table puts two wagers of a dollar on the link
ROUND = 200 * RATE


def tables(log, count: int):
    link = open_link(log, game="shared")
    found = []
    for number in range(count):
        name = f"t{number}"
        link.join(name, rules("shared"), BY)
        table = LinkedTable(log, name, "shared", seed=number)
        table.sit()
        found.append(table)
    return link, found


def received(table: LinkedTable) -> list[int]:
    """What the table's own stream says that its winners were paid out of the meter."""
    return [
        cents(event.data["from_meter"])
        for event in table.log.read(table.recorded.stream)
        if event.kind == "wager_settled" and event.data.get("meter")
    ]


KEYED = {"reveal_dealer": "Jh 8d 2c", 1: "As Ks Qs", 2: "Th 7s 3d"}


class KeyedIn(LinkedTable):
    """A table without eyes of its own: the dealer keys in what is turned."""

    def fields_of(self, step):
        if step.command == "shuffle":
            return {}
        if step.command in ("reveal_dealer", "turn_hand"):
            return {"cards": tuple(KEYED[step.seat or step.command].split())}
        return super().fields_of(step)

    def house(self) -> bool:
        step = next((s for s in next_steps(self.table) if s.kind == "next"), None)
        if step is None or step.command != "shuffle":
            return super().house()
        self.send("shuffle", step.role, deck=super().fields_of(step).get("deck", ""))
        return True


@cites(MA, "13(d)(c)")
@settings(max_examples=12, deadline=None)
@given(st.integers(1, 3), st.data())
def test_all_hits_seen_before_the_first_is_paid_get_the_same_to_the_cent(winners, data) -> None:
    log = MemoryLog()
    link, every = tables(log, winners + 1)
    *hitting, other = every
    for table in hitting:
        table.up_to("settling", {1: ROYAL})
    held = SEED + winners * ROUND
    assert cents_of(link) == held
    is_exact(log)
    first, *rest = data.draw(st.permutations(hitting))
    first.on_to("betting")
    each = int(held) // winners
    left = held - winners * each + RESET
    # what does not divide stays, and the meter has started again though others wait for theirs
    assert cents_of(link) == left
    is_exact(log)
    other.round()  # feeds the meter that is next
    for table in rest:
        table.on_to("betting")
        is_exact(log)
    assert [received(table) for table in hitting] == [[each]] * winners
    lost = [event.data["amount"] for event in log.read("link/wide") if event.kind == "meter_paid"]
    assert lost == [each] * winners
    assert cents_of(link) == left + ROUND
    assert not link.read().standing.claims
    assert {one["table"] for one in wall(log)[0].wins} == {table.recorded.name for table in hitting}
    assert verify(log).unbroken


@cites(MA, "13(d)(c)")
def test_a_hit_seen_after_the_first_was_paid_gets_what_the_meter_holds_then() -> None:
    log = MemoryLog()
    link, (a, b) = tables(log, 2)
    a.round({1: ROYAL})
    b.round({2: ROYAL})
    first = int(SEED + ROUND)
    assert received(a) == [first]
    left = SEED + 2 * ROUND - first + RESET
    assert received(b) == [int(left)]
    assert cents_of(link) == left - int(left) + RESET
    is_exact(log)


@cites(MA, "13(d)(c)")
def test_two_hits_seen_at_one_moment_are_both_claimed() -> None:
    """The second claim finds the link moved on and is written again."""
    log = MemoryLog()
    _link, (a, b) = tables(log, 2)
    feeding, attempts = b.recorded.feeding, []
    plain = feeding.writes

    def writes(table, events, at):
        found = list(plain(table, events, at))
        if any(new.kind == "win_claimed" for write in found for new in write.events):
            attempts.append(found)
            if len(attempts) == 1:
                a.up_to("settling", {1: ROYAL})
        return found

    feeding.writes = writes
    b.up_to("settling", {1: ROYAL})
    assert len(attempts) == 2
    a.on_to("betting")
    b.on_to("betting")
    assert received(a) == received(b) != []
    is_exact(log)


@cites(MA, "13(d)(c)", "14(a)")
@pytest.mark.parametrize("paid_before", [False, True])
def test_a_claim_whose_win_does_not_stand_shares_nothing(paid_before: bool) -> None:
    """A card was read wrongly: the share that was set aside goes back into the meter."""
    log = MemoryLog()
    link, (a, _) = tables(log, 2)
    link.join("keyed", rules("shared"), BY)
    b = KeyedIn(log, "keyed", "shared")
    b.sit()
    a.up_to("settling", {1: ROYAL})
    b.up_to("settling", {})
    while not b.table.due:
        b.house()
    held = SEED + 2 * ROUND
    if paid_before:
        a.on_to("betting")
    b.send("correct_card", "floorperson", place="seat.1", was="As", card="Ac", reason="misread")
    assert [act.kind for act in acts(log, "wide")].count("claim_withdrawn") == 1
    is_exact(log)
    if not paid_before:
        a.on_to("betting")
    each = int(held) // 2 if paid_before else int(held)
    assert received(a) == [each]
    assert cents_of(link) == held - each + RESET
    is_exact(log)


@cites(MA, "13(d)(c)")
def test_a_table_joins_a_link_only_with_the_same_answer_to_several_hits() -> None:
    log = MemoryLog()
    link = open_link(log, game="shared")
    options = {**OPTIONS["shared"], "several_meter_hits": "in_order_of_settlement"}
    with pytest.raises(Refused) as refused:
        link.join("a", choose(MA, options, meters=METERS["shared"]), BY)
    assert refused.value.code == "other_terms"
