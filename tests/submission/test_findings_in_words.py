"""What the compliance officer reads about a draft is in words: no ids, no `true`, no notation of a file."""

from __future__ import annotations

import re

import pytest
from drafts import changed

from houseway.law import CHAPTERS, chapter
from houseway.submission.checks.run_checks import check
from houseway.web.page_support import plainly, templates

#: an id of the file, a value of it, a piece of its notation
NOTATION = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b|\b(?:true|false|None|null)\b|[{}]")


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_findings_have_no_notation_of_the_file(chapter_id) -> None:
    law, found = chapter(chapter_id), []
    for option in law.options.values():
        wanting = [choice.value for choice in option.choices if choice.needs]
        for value in [*wanting, "nonsense"]:
            found += check(changed(chapter_id, rules={option.id: value})).findings
    assert len(found) >= len(law.options)
    for one in found:
        for words in (one.wrong, one.right):
            assert not NOTATION.search(plainly(words)), words


@pytest.mark.parametrize("page", ["findings.html", "submission.html"])
def test_the_pages_show_them_so(page) -> None:
    source, _, _ = templates().loader.get_source(templates(), page)
    assert "one.wrong|plainly|" in source
    assert "one.right|plainly|" in source
