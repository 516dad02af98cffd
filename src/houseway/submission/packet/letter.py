"""The cover letter: who submits what to whom, the exhibits, the attestation, who signs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houseway.submission.checks.run_checks import Checked
from houseway.submission.file import Submission
from houseway.submission.packet.checklist import approvals, particulars

#: what each exhibit shows
_SHOWS = {
    "checklist": "every option with its clause and the choice; paytables, limits, {meters}"
    "equipment, inscriptions, approvals",
    "layout": "the felt to scale, with dimensions and a key to its clauses",
    "signs": "the signs that stand at the table",
    "procedure": "a round step by step, as the table is dealt under these options",
    "mathematics": "combinations, probability, return and house advantage of every wager",
    "clauses": "each clause of the chapter and how this table meets it",
    "redline": "what changes against the earlier submission",
}


def letter(
    submission: Submission, checked: Checked, titles: dict[str, str], made: Iterable[str]
) -> dict[str, Any]:
    """The letter's content; `made` names the documents that are filed with it."""
    who, about = submission.who, submission.chapter.about
    meters = "meters, " if submission.rules.meter_names else ""
    missing = [finding.wrong for finding in checked.empty]
    return {
        "particulars": [["To", about.agency], *particulars(submission, to=False)],
        "missing": missing,
        "request": f"{who.operator or 'The operator'} submits the rules under which it offers "
        f"{about.game} at {who.facility or 'its facility'}, under {about.citation}, and asks for "
        f"approval of the exhibits below, to be in force from {who.in_force.isoformat()}.",
        "exhibits": [
            [str(number), titles[name], _SHOWS[name].format(meters=meters)]
            for number, name in enumerate((n for n in made if n in _SHOWS), 1)
        ],
        "approvals": approvals(submission),
        "attestation": "I attest that this submission is complete and correct, that the table will "
        "be equipped, marked and dealt as its exhibits show, and that no option other than those "
        "stated will be offered without a further submission.",
        "signatures": signatures(submission),
    }


def signatures(submission: Submission) -> list[dict[str, str]]:
    """Who signs: the operator's person by name and title, and the agency."""
    who, agency = submission.who, submission.chapter.about.agency
    return [
        {"for_": f"For {who.operator or 'the operator'}", "name": who.submitted_by,
         "title": who.title},
        {"for_": f"For the {agency.removeprefix('the ').removeprefix('The ')}", "name": "", "title": ""},
    ]  # fmt: skip
