"""A player's rounds and results, beside what the best play would be expected to bring.

The expectation of a wager and its variance are exact, and so is the covariance of the wagers of one
seat, which share the cards. A progressive depends on what its meter shows, and is told apart.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from houseway.floor.audit.expected_hold import Played, exact, rules_of
from houseway.floor.audit.projections import Projections
from houseway.game_api.round import LOST
from houseway.maths.game import MATHS
from houseway.maths.joint.covariance import Together, together
from houseway.maths.par import base_wager, entry_of
from houseway.money import Cents

#: how many rounds the figures cover
MOST = 2000
#: of a normal deviation, to both sides
_BAND = 1.96


class Point(NamedTuple):
    """The results after a round, and where they were to be expected, in cents."""

    net: Cents
    expected: float
    low: float
    high: float


class GameResults(NamedTuple):
    """The results of a player's rounds of one chapter."""

    chapter: str
    rounds: int
    wagered: Cents
    net: Cents
    #: of the wagers that exact figures are known for
    counted: Cents
    expected: float
    low: float
    high: float
    points: tuple[Point, ...]
    #: wagers outside the band, and their results
    apart: dict[str, Cents]


def rounds_of(
    projections: Projections, player: str, limit: int = 50, before: str = ""
) -> list[dict[str, Any]]:
    """Somebody's rounds, the latest first, each with the person's hand."""
    more = "and (r.began, r.id) < (select began, id from rounds where id = ?)" if before else ""
    values = (player, before) if before else (player,)
    return projections.rows(
        'select r.id, r."table", r.chapter, r.began, r.cards as dealer, r.voided, h.seat, h.cards, '
        "h.decision, h.net from hands h join rounds r on r.id = h.round where h.player = ? "
        f"{more} order by r.began desc, r.id desc limit ?",
        *values,
        limit,
    )


def results_of(projections: Projections, player: str) -> list[GameResults]:
    """The results of a player's rounds, game by game."""
    rows = projections.rows(
        "select r.id, r.chapter, r.voided, h.seat, h.net, "
        "(select g.hash from rules g join holds d on d.rules = g.hash "
        'where d."table" = r."table" and d.day = r.day limit 1) as rules '
        "from hands h join rounds r on r.id = h.round where h.player = ? "
        "order by r.began, r.id limit ?",
        player,
        MOST,
    )
    games: dict[str, _Sum] = {}
    for row in rows:
        if row["voided"]:
            continue
        lines = projections.rows(
            "select wager, hand, stake, result, paid from lines where round = ? and seat = ?",
            row["id"], row["seat"],
        )  # fmt: skip
        file = projections.rows("select * from rules where hash = ?", row["rules"])
        games.setdefault(row["chapter"], _Sum()).add(row["net"], lines, file[0] if file else None)
    return [total.results(chapter) for chapter, total in games.items()]


class _Sum:
    def __init__(self) -> None:
        self.rounds, self.wagered, self.net, self.counted = 0, 0, 0, 0
        self.mean, self.variance = Fraction(0), Fraction(0)
        self.points: list[Point] = []
        self.apart: dict[str, Cents] = {}

    def add(self, net: Cents, lines: list[dict[str, Any]], file: dict[str, Any] | None) -> None:
        self.rounds += 1
        self.net += net
        self.wagered += sum(line["stake"] for line in lines)
        whole = _together(*_rules_key(file)) if file else None
        bases: dict[str, Cents] = {}
        for line in lines:
            lost = line["result"] in LOST
            came = -line["stake"] if lost else line["paid"]
            name = _entry(file, line["wager"]) if file else ""
            if whole is None or name not in whole.means:
                self.apart[line["wager"]] = self.apart.get(line["wager"], 0) + came
                continue
            self.counted += came
            if _is_base(file, name, line["wager"]):
                bases[name] = bases.get(name, 0) + line["stake"]
        if whole is not None:
            for name, stake in bases.items():
                self.mean += whole.means[name] * stake
                self.variance += whole.variances[name] * stake * stake
            for (first, second), covariance in whole.covariances.items():
                self.variance += 2 * covariance * bases.get(first, 0) * bases.get(second, 0)
        mean, reach = float(self.mean), _BAND * sqrt(max(0.0, float(self.variance)))
        self.points.append(Point(self.counted, mean, mean - reach, mean + reach))

    def results(self, chapter: str) -> GameResults:
        last = self.points[-1] if self.points else Point(0, 0, 0, 0)
        return GameResults(
            chapter, self.rounds, self.wagered, self.net, self.counted, last.expected, last.low,
            last.high, tuple(self.points), self.apart,
        )  # fmt: skip


def _rules_key(file: dict[str, Any]) -> tuple[str, str, str, str]:
    return file["chapter"], file["edition"], file["file"], file["edition_hash"]


@lru_cache(maxsize=32)
def _together(chapter: str, edition: str, file: str, edition_hash: str) -> Together | None:
    """The wagers of one seat without the progressives, one unit of each, by their entries.

    If a game has no joint model, its wagers are treated as independent. What takes minutes to
    count and was not counted yet is left out.
    """
    rules = rules_of(chapter, edition, file, edition_hash)
    law, game = rules.chapter, MATHS.of(rules.chapter)
    models, _ = game.models(rules, {})
    plain = {
        entry_of(law, name): model
        for name, model in models.items()
        if (base := base_wager(law, name)) is not None and base.kind != "progressive"
    }
    if plain:
        return together(plain)
    if game.missing(law, rules):
        return None
    single = {
        wager.entry: found
        for wager in law.about.wagers
        if wager.made == "before_deal" and wager.kind != "progressive" and rules.offers(wager.id)
        and (found := exact(Played(chapter, edition, file, wager.entry, edition_hash=edition_hash)))
    }  # fmt: skip
    means = {name: -one.edge for name, one in single.items()}
    return Together(means, {name: one.variance for name, one in single.items()}, {})


def _entry(file: dict[str, Any], wager: str) -> str:
    return entry_of(rules_of(*_rules_key(file)).chapter, wager)


def _is_base(file: dict[str, Any] | None, name: str, wager: str) -> bool:
    """Whether a line is of the wager on whose stake an entry is counted."""
    base = base_wager(rules_of(*_rules_key(file)).chapter, name) if file else None
    return base is not None and base.id == wager
