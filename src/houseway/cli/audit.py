"""`houseway audit …`: the record proved, searched, replayed, exported, reported and kept."""

from __future__ import annotations

from cyclopts import App

from houseway.cli import audit_keeping as keeping
from houseway.cli import audit_search as search
from houseway.cli.audit_report import report

app = App(name="audit", help="The record: proved, searched, replayed, exported, reported and kept.")
for command in (
    keeping.verify, search.rounds, search.replay, search.export, report, search.verify_deal,
    keeping.anchor, keeping.backup, keeping.restore, keeping.facility,
):  # fmt: skip
    app.command(command, name=command.__name__.replace("_", "-"))
