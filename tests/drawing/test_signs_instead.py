"""Inscriptions that stand on a sign are not on the felt, and what is left does not overlap."""

from __future__ import annotations

import pytest
from layout_faults import faults

from houseway.drawing import lay_out
from houseway.law import CHAPTERS, chapter, choose


@pytest.mark.parametrize("id", CHAPTERS)
def test_what_stands_on_a_sign_is_not_on_the_felt(id: str) -> None:
    rules = choose(id)
    movable = frozenset(item.id for item in chapter(id).about.inscriptions if item.or_sign)
    on_felt, on_sign = lay_out(rules), lay_out(rules, None, "Houseway", movable)
    assert on_felt.panels or on_felt.words
    assert not on_sign.panels
    assert not {words.id for words in on_sign.words} & movable
    assert {words.id for words in on_sign.words} < {words.id for words in on_felt.words}
    assert faults(on_sign) == []
