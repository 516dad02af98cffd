"""A report for an examiner: every clause of a chapter, how it is met, where, and proved by what."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from houseway.documents.typesetting import typeset
from houseway.law.coverage import Coverage, Report
from houseway.law.editions.numbering import is_below
from houseway.law.proof import Proof, proof

#: how a clause is met, in words
MET = {
    "enforced": "Enforced by the program.",
    "computed": "Computed by the program.",
    "checked": "Checked in a Rules Submission.",
    "displayed": "Shown at the table or on its layout.",
    "prompted": "Done by a person, whom the program prompts.",
    "definition": "A definition; nothing to be met.",
    "outside": "Outside the program.",
    "pending": "Not met yet.",
}


def clause_report(report: Report, under: str = "") -> dict[str, Any]:
    """What a report of a chapter, or of the clauses below one, has to say."""
    law = report.chapter
    entries = [entry for entry in report.clauses if not under or is_below(entry.clause.id, under)]
    proofs = [found for entry in entries if (found := proof(law, entry)) is not None]
    standing = {state: sum(found.state == state for found in proofs) for state in _WORDS}
    return {
        "title": "Clauses and their proof",
        "subtitle": f"{law.about.game}, {law.about.jurisdiction}",
        "reference": law.hash[:16],
        "particulars": [
            ["Rules", law.about.citation],
            ["Edition", law.about.edition],
            ["Clauses", f"{len(entries)}, of which the program meets {len(proofs)} by itself"],
            *([_WORDS[state], str(count)] for state, count in standing.items() if count),
        ],
        "says": (
            "For a proof, what meets a clause is broken on purpose, one change at a time: a condition "
            "is inverted, a refusal removed, an amount, a payout or a step changed. Then only "
            "the tests that cite the clause are run. The clause is proved if they notice every "
            "change. Where a clause that the program keeps also asks for something that only people "
            "can do, they are told at that step."
        ),
        "rows": [_row(law.about.citations_of, entry, proof(law, entry)) for entry in entries],
    }


_WORDS = {
    "proved": "Proved",
    "survived": "Not proved",
    "not_mutable": "Cannot be broken",
    "stale": "Changed since",
    "not_run": "Not run",
}


def _row(shared: str, entry: Coverage, found: Proof | None) -> dict[str, Any]:
    clause = entry.clause
    code = list(dict.fromkeys(cited.place for cited in entry.all_code))
    whence = shared or ("" if entry.code else "the clause above")
    where = [
        *entry.data,
        *(f"{place} (inherited from {whence})" if whence else place for place in code),
    ]
    by: dict[str, int] = {}
    for mutant in found.mutants if found else ():
        if mutant.test:
            by[mutant.test] = by.get(mutant.test, 0) + 1
    return {
        "clause": clause.id,
        "says": clause.says,
        "how": clause.why or MET[clause.disposition],
        "where": where,
        "tests": list(dict.fromkeys(cited.place for cited in entry.tests)),
        "state": found.state if found else "",
        "short": _short(found) if found else "",
        "proof": _told(found) if found else "",
        "by": [f"{test}: {count}" for test, count in by.items()],
        "survivors": [f"{one.kind} in {one.place}" for one in found.survivors] if found else [],
    }


def _short(found: Proof) -> str:
    if not found.mutants:
        return _WORDS[found.state]
    return f"{_WORDS[found.state]}: {found.caught} of {len(found.mutants)}"


def _told(found: Proof) -> str:
    noticed = " changes noticed." if found.mutants else "."
    return f"{_short(found)}{noticed} {found.reason}".strip()


def as_pdf(data: dict[str, Any]) -> bytes:
    return typeset("clause_report", data)


def as_html(data: dict[str, Any]) -> str:
    """The report as one file that any browser shows."""
    about = "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in data["particulars"])
    rows = "".join(
        f'<tr id="{escape(row["clause"])}"><th scope="row">{escape(row["clause"])}</th>'
        f"<td>{escape(row['says'])}</td><td>{escape(row['how'])}{_list(row['where'])}</td>"
        f'<td class="{row["state"]}">{escape(row["proof"])}{_list(row["by"] or row["tests"])}'
        f"{_list(row['survivors'])}</td></tr>"
        for row in data["rows"]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(data['title'])}: {escape(data['subtitle'])}</title><style>{_STYLE}</style>"
        f"</head><body><h1>{escape(data['subtitle'])}</h1><p>{escape(data['title'])}, "
        f"<code>{escape(data['reference'])}</code></p><dl>{about}</dl><p>{escape(data['says'])}</p>"
        "<table><col><col><col><col><thead><tr><th>Clause</th><th>What it asks</th><th>How and where it is met</th>"
        f"<th>Proved by</th></tr></thead><tbody>{rows}</tbody></table></body></html>\n"
    )


def _list(lines: list[str]) -> str:
    if not lines:
        return ""
    return f"<ul>{''.join(f'<li>{_breaking(line)}</li>' for line in lines)}</ul>"


def _breaking(line: str) -> str:
    """A long name that a browser may break after its parts."""
    return re.sub("([_/:])", r"\1<wbr>", escape(line))


_STYLE = (
    "body{font:15px/1.45 Georgia,serif;color:#1b1b1f;max-width:76rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}col:nth-child(1){width:9rem}"
    "col:nth-child(2){width:28%}th,td{text-align:left;vertical-align:top;"
    "padding:.4rem .6rem;border-top:1px solid #b9beb9}tbody th{color:#80601a;overflow-wrap:anywhere}"
    "ul{margin:.2rem 0 0;padding-left:1rem;font-size:13px;color:#5a5f5c;overflow-wrap:anywhere}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:#5a5f5c}dd{margin:0}"
    "td.survived{color:#b3202a}"
)
