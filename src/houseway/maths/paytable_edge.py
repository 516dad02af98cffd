"""One paytable changed, its edge read at once: for designers and for searches."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from houseway.errors import Refused
from houseway.games.three_card.maths.ante_play import Designer
from houseway.law import Chapter, Paytable, chapter, chapters, choose
from houseway.maths import wagers


@cache
def _chapter_of(wager: str) -> str:
    """The first chapter that prints a table for this wager."""
    for id in chapters():
        if any(name == wager for name, _ in chapter(id).paytables):
            return id
    raise Refused("no_such_wager", f"no chapter has a paytable for {wager}", field="wager")


@cache
def _designer(id: str, wager: str) -> Designer:
    return Designer(choose(id), wager)


_OUTCOMES: dict[str, Callable[[], wagers.Outcomes]] = {
    "pair_plus": wagers.three_cards,
    "six_card_bonus": lambda: wagers.six_cards("super_royal"),
    "all_six": lambda: wagers.six_cards("six_card_royal"),
    "prime": wagers.prime,
    "bonus": wagers.saigon_bonus,
}


def edge_of(
    table: Paytable, law: Chapter | str | None, players: int | None, decks: int | None
) -> Fraction:
    """The house edge of a paytable, everything else being as the chapter's defaults have it."""
    wager = table.wager
    if wager in _OUTCOMES:
        return wagers.edge(_OUTCOMES[wager](), table)
    if wager in ("ante_bonus", "bad_beat", "play"):
        id = law.id if isinstance(law, Chapter) else law or _chapter_of(wager)
        if wager == "play" and law is None:
            id = _chapter_of("bad_beat")
        return _designer(id, wager).edge(table)
    if wager == "pair_bonus":
        plain, with_two = wagers.pair_bonus()
        always = chapter(_chapter_of(wager)).paytables[wager, "not_2"]
        return wagers.edge(plain, always) + wagers.edge(with_two, table) - 1
    if wager == "cover_all":
        count = players or (int(table.id) if table.id.isdigit() else 0)
        return wagers.edge(wagers.cover_all(count), table)
    if wager == "match_the_dealer":
        return wagers.pay_matches(decks or (int(table.id) if table.id.isdigit() else 6), table).edge
    if wager == "insurance":
        return wagers.edge(wagers.insurance(decks or 6), table)
    raise Refused(
        "depends_on_more",
        f"the edge of {wager} depends on more than its paytable; ask for its PAR sheet",
        field="wager",
    )
