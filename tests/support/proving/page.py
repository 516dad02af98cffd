"""The part of `docs/reference/proof.md` that the results write themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from houseway.law.chapter import BUILT_IN
from houseway.law.library import chapter
from houseway.law.proof import Result, results

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "proof.md"
BEGIN, END = "<!-- results -->\n", "<!-- end of results -->\n"


def _line(id: str, clause: str, found: Result) -> str:
    left = Counter(
        f"{one.kind} in `{one.place.partition(',')[0]}`" for one in found.mutants if not one.test
    )
    told = ", ".join(f"{what} ({count})" if count > 1 else what for what, count in left.items())
    return f"- **{clause}** {found.reason or 'not noticed'}{': ' if told else '.'}{told}\n"


def text() -> str:
    """Counts for each chapter, then every clause that is not proved, with the reason."""
    lines = [
        "| chapter | proved | not proved | cannot be broken |\n",
        "| --- | --: | --: | --: |\n",
    ]
    lists = []
    for id in BUILT_IN:
        kept = results(id)
        found = kept.clauses if kept else {}
        states = Counter(one.state for one in found.values())
        lines.append(
            f"| {id} | {states['proved']} | {states['survived']} | {states['not_mutable']} |\n"
        )
        about = chapter(id).about
        for state, title in (("survived", "not proved"), ("not_mutable", "cannot be broken")):
            listed = [_line(id, key, one) for key, one in found.items() if one.state == state]
            if listed:
                lists.append(f"\n### {about.game}, {about.jurisdiction}: {title}\n\n")
                lists += listed
    return "".join((*lines, *lists))


def written() -> str:
    """The page with the results in their place."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text()}\n{END}{rest.partition(END)[2]}"


def write() -> None:
    results.cache_clear()
    PAGE.write_text(written(), encoding="utf-8")
