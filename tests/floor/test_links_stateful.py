"""Many tables, random rounds, wins, void rounds and floor acts; reconciled exactly at every step.

Beside the record runs a plain twin: one number a meter, moved cent by cent and fraction by fraction.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from linked import BY, RATE, RESET, ROYAL, SEED, SIGNED, LinkedTable, cents_of, open_link, rules

from houseway.floor.links.reconcile import reconcile
from houseway.floor.recorded_table import RecordedTable
from houseway.money import cents
from houseway.store.backends.memory import MemoryLog
from houseway.store.verify import verify
from houseway.table import events as e

RESERVE = Fraction(5, 1000)
NAMES = st.sampled_from("abc")
STAKES = st.sampled_from(["1.00", "5.00"])


class ManyTables(RuleBasedStateMachine):
    @initialize(game=st.sampled_from(["progressive", "hidden", "shared"]))
    def begin(self, game: str) -> None:
        self.game = game
        self.log = MemoryLog()
        self.link = open_link(self.log, game=game)
        self.holds, self.hidden = Fraction(SEED), Fraction(0)
        self.seen = {}
        self.tables = {}
        for seed, name in enumerate("abc"):
            self.link.join(name, rules(game), BY)
            table = self.tables[name] = LinkedTable(self.log, name, game, seed=seed)
            table.sit()
            self.seen[name] = table.recorded.version

    def paid(self, name: str) -> list[int]:
        """What a table paid out of the meter since the last look, off its own stream."""
        from houseway.floor.recorded_table import table_event

        table = self.tables[name]
        events = map(table_event, self.log.read(table.recorded.stream, self.seen[name]))
        self.seen[name] = table.recorded.version
        return [
            cents(one.from_meter) for one in events if isinstance(one, e.WagerSettled) and one.meter
        ]

    def grow(self, stake: str) -> None:
        self.holds += 2 * cents(stake) * RATE
        if self.game == "hidden":
            self.hidden += 2 * cents(stake) * RESERVE

    def begin_again(self, amount: int) -> None:
        self.holds += RESET - amount + self.hidden
        self.hidden = Fraction(0)

    def pay(self, name: str, wins: int) -> None:
        found = self.paid(name)
        assert len(found) == wins
        for amount in found:
            assert amount == int(self.holds)
            self.begin_again(amount)

    @rule(name=NAMES, stake=STAKES, seats=st.sets(st.sampled_from([1, 2]), max_size=1))
    def a_round(self, name: str, stake: str, seats: set[int]) -> None:
        table = self.tables[name]
        table.stack = dict.fromkeys(seats, ROYAL)
        self.grow(stake)
        table.up_to("settling", table.stack, stake)
        wins = sum(bool(line.meter) for line in table.table.due)
        table.on_to("betting")
        self.pay(name, wins)

    @rule(name=NAMES, stake=STAKES)
    def a_void_round(self, name: str, stake: str) -> None:
        self.tables[name].void(stake)
        assert not self.paid(name)

    @rule(first=NAMES, second=NAMES, stake=STAKES)
    def two_wins_at_once(self, first: str, second: str, stake: str) -> None:
        if first == second:
            return
        for name in (first, second):
            self.grow(stake)
            self.tables[name].up_to("settling", {1: ROYAL}, stake)
        wins = {
            name: sum(bool(line.meter) for line in self.tables[name].table.due)
            for name in (second, first)
        }
        if self.game == "shared" and all(wins.values()):
            each = int(self.holds) // 2
            self.tables[second].on_to("betting")
            self.begin_again(2 * each)
            self.reconciled()
            self.tables[first].on_to("betting")
            assert self.paid(first) == self.paid(second) == [each]
            return
        for name in (second, first):
            self.tables[name].on_to("betting")
            self.pay(name, wins[name])

    @rule(amount=st.fractions(-500, 500, max_denominator=7).filter(bool))
    def adjusted(self, amount: Fraction) -> None:
        self.link.adjust("progressive", amount, SIGNED)
        self.holds += amount

    @rule(name=NAMES)
    def away_and_back(self, name: str) -> None:
        table = self.tables[name]
        for seat in (1, 2):
            table.send("leave_seat", "player", seat=seat)
        table.close()
        self.link.leave(name, BY)
        self.link.join(name, rules(self.game), BY)
        table = self.tables[name] = LinkedTable(self.log, name, self.game, seed=len(self.seen))
        table.sit()
        self.paid(name)

    @rule(name=NAMES)
    def another_process(self, name: str) -> None:
        """Another process opens the table from the record and continues it."""
        table = self.tables[name]
        table.recorded = RecordedTable(self.log, name)
        assert table.recorded.table == table.table

    @invariant()
    def reconciled(self) -> None:
        if hasattr(self, "log"):
            assert cents_of(self.link) == self.holds
            found = reconcile(self.log, "wide")
            assert found.departs == ()
            assert found.meters[0].holds == str(self.holds)
            assert found.meters[0].reserve == str(self.hidden)

    def teardown(self) -> None:
        if hasattr(self, "log"):
            assert verify(self.log).unbroken


TestManyTables = ManyTables.TestCase
TestManyTables.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)
