"""Every option that changes a figure has an exact entry, or a sentence why there is none."""

from __future__ import annotations

import pytest

from houseway.errors import Refused
from houseway.law import CHAPTERS, chapter, choose
from houseway.maths.game import MATHS
from houseway.maths.option_notes import option_notes
from houseway.maths.par import Asked, entries_of, quick_wagers, wager_ids


def in_an_entry(law):
    """Options that choose a paytable, offer a wager, or are a column of an entry."""
    tables = {data.wager for data in law.paytable_data}
    offered = {wager.option for wager in law.about.wagers if wager.option}
    columns = {"decks", "dealer_soft_22"} & set(law.options)
    return tables | offered | columns


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_option_is_an_entry_or_a_sentence(id):
    law = chapter(id)
    notes = option_notes(law)
    for name in law.options:
        assert name in in_an_entry(law) or len(notes.get(name, "")) > 40, name


def figures(rules):
    law = rules.chapter
    found = {}
    for wager in quick_wagers(law):
        for entry in entries_of(Asked(law, rules), wager):
            key = (entry.wager, *sorted((k, str(v)) for k, v in entry.columns.items()))
            found[key] = (entry.paytable, entry.edge, entry.shown_spread.variance)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_an_option_that_is_said_to_change_no_figure_changes_none(id):
    """Each value of such an option, with what it needs, beside the defaults with the same."""
    law = chapter(id)
    notes = option_notes(law)
    for name, option in law.options.items():
        if not notes.get(name, "").startswith("Changes no figure"):
            continue
        for choice in option.choices:
            needs = {other: allowed[0] for other, allowed in choice.needs.items()}
            try:
                with_it = choose(law, {name: choice.value, **needs})
            except Refused:
                continue  # it needs equipment that is chosen elsewhere
            without = choose(law, {k: v for k, v in needs.items() if k not in notes})
            assert figures(with_it) == figures(without), (name, choice.value)


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_wager_that_can_be_offered_has_an_entry(id):
    law = chapter(id)
    slow = set(wager_ids(law)) - set(quick_wagers(law))
    for wager in wager_ids(law):
        assert wager in slow or list(entries_of(Asked(law), wager)), wager
    assert MATHS.of(law).separate_entries(law) or not slow


@pytest.mark.parametrize("id", CHAPTERS)
def test_notes_speak_of_envy_where_a_chapter_has_it(id):
    law = chapter(id)
    told = " ".join(option_notes(law).values())
    assert "envy" in law.bonuses or "envy" not in told
