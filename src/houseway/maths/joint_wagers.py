"""The wagers of one seat as faces of a deal, for the joint edge and deviation of a PAR sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import msgspec

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import ante_play
from houseway.law import Chapter, Paytable, Rules, choose
from houseway.maths import wagers
from houseway.maths.counts import BONUS, FIVE, FIVE_PAID, SIX, SIX_PAID
from houseway.maths.covariance import Together, together
from houseway.maths.par import Asked, wager_ids
from houseway.maths.progressive import Progressive
from houseway.maths.wager_models import (
    Colours,
    Duel,
    Face,
    Five,
    Fourth,
    SaigonAnte,
    SaigonBonus,
    Six,
    Three,
)
from houseway.maths.wagers import LOSES, THREE_EXAMPLES, beside, six_names, three_names

#: What looks at other seats.
ELSEWHERE = {"cover_all": "Cover All looks at other seats' hands",
             "envy": "the envy bonus looks at other seats' hands"}  # fmt: skip
_STAKE = 100


def everything(law: Chapter) -> Rules:
    """Rules under which every wager is offered, each with the first of its tables."""
    offered = {}
    for wager in law.about.wagers:
        if wager.option:
            choices = law.options[wager.option].choices
            offered[wager.option] = next(c.value for c in choices if c.value not in ("none", False))
    return choose(law, offered)


def taken_together(
    asked: Asked,
) -> tuple[Together | None, dict[str, str], list[str]]:
    """The joint figures, which table each wager has in them, and what is left out and why."""
    rules = asked.rules or everything(asked.law)
    faces, tables = faces_of(rules, asked.meters)
    left = [
        ELSEWHERE[name]
        for name in ELSEWHERE
        if rules.offers(name) or (name == "envy" and rules.offers("progressive"))
    ]
    return (together(faces) if len(faces) > 1 else None), tables, left


def faces_of(rules: Rules, meters: Mapping[str, int]) -> tuple[dict[str, Face], dict[str, str]]:
    """Each wager of these rules by what it depends on."""
    faces: dict[str, Face] = {}
    tables: dict[str, str] = {}
    best: ante_play.Strategy | None = None
    forfeits = _forfeited(rules)
    for wager in wager_ids(rules.chapter):
        if wager == "ante_play":
            best = ante_play.strategy(ante_play.payoffs(rules))
            faces[wager] = Duel(best)
            tables[wager] = str(rules.options.get("ante_bonus") or rules.options.get("bad_beat"))
            continue
        if wager not in _FACES or not rules.offers(wager):
            continue
        kept = best.played if best is not None and wager in forfeits else None
        faces[wager] = _FACES[wager](_Wager(rules, wager, kept, meters))
        tables[wager] = rules.table(wager).id
    return faces, tables


def _forfeited(rules: Rules) -> frozenset[str]:
    """The wagers that a fold takes with it, as the chapter's game has it."""
    return frozenset(id for id in rules.chapter.wagers if rules.forfeited_by_fold(id))


class _Wager(msgspec.Struct, frozen=True, dict=True):
    """A wager under some rules; a fold leaves it standing in the rows that are `kept`."""

    rules: Rules
    id: str
    kept: Sequence[bool] | None
    meters: Mapping[str, int]

    @property
    def table(self) -> Paytable:
        return self.rules.table(self.id)

    @property
    def qualifies(self) -> int:
        return ante_play.qualifying_value(self.rules)

    def progressive(self, outcomes: wagers.Outcomes) -> tuple[Progressive, dict[str, int]]:
        """The wager as a progressive, and what its meters show: what was asked, or the reset."""
        found = Progressive(self.id, self.table, _STAKE, outcomes)
        return found, {n: self.meters.get(n, self.rules.meter(n).reset) for n in found.hits}


def _net(table: Paytable, names: tuple[str, ...]) -> Fraction:
    found = best_pay(table, names)
    return LOSES if found is None else beside(found.odds, _STAKE)


def _three(one: _Wager) -> Face:
    nets = {name: _net(one.table, three_names(name)) for name in THREE_EXAMPLES}
    return Three(one.qualifies, nets, one.kept)


def _three_progressive(one: _Wager) -> Face:
    paid, shown = one.progressive(wagers.three_cards())
    nets = {name: paid.net(three_names(name), shown) for name in THREE_EXAMPLES}
    return Three(one.qualifies, nets, one.kept)


def _five_progressive(one: _Wager) -> Face:
    paid, shown = one.progressive(wagers.five_cards())
    nets = [paid.net((name,), shown) for name in FIVE[:FIVE_PAID]]
    return Five(one.qualifies, nets, one.kept)


def _six(one: _Wager) -> Face:
    royal = "super_royal" if one.id == "six_card_bonus" else "six_card_royal"
    nets = [_net(one.table, six_names(name, royal)) for name in SIX[:SIX_PAID]]
    return Six(one.qualifies, nets)


def _prime(one: _Wager) -> Face:
    own, both = (_net(one.table, (name,)) for name in ("same_color", "same_color_both"))
    return Colours(one.qualifies, LOSES, own, both)


def _pair_bonus(one: _Wager) -> Face:
    plain, two = (
        {name: _net(table, three_names(name)) for name in THREE_EXAMPLES}
        for table in (one.rules.table(one.id, "not_2"), one.table)
    )
    return Fourth(one.qualifies, plain, two)


def _saigon_ante(one: _Wager) -> Face:
    from houseway.games.saigon.maths import ante as saigon_ante

    return SaigonAnte(saigon_ante.settings(saigon_ante.payoffs(one.rules)))


def _saigon_bonus(one: _Wager) -> Face:
    return SaigonBonus([_net(one.table, (name,)) for name in BONUS])


_FACES: dict[str, Callable[[_Wager], Face]] = {
    "ante": _saigon_ante,
    "bonus": _saigon_bonus,
    "pair_plus": _three,
    "progressive": _three_progressive,
    "five_card_progressive": _five_progressive,
    "six_card_bonus": _six,
    "all_six": _six,
    "prime": _prime,
    "pair_bonus": _pair_bonus,
}
