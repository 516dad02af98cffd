"""`houseway audit …`: the record proved, searched, replayed, exported, reported and kept."""

from __future__ import annotations

from cyclopts import App, Group

from houseway.cli.audit import keeping, logbook, search
from houseway.cli.audit.archiving import archive, retention
from houseway.cli.audit.check import check
from houseway.cli.audit.report import report
from houseway.cli.audit.trouble import trouble_table

app = App(name="audit", help="Verify, search, replay, export, report on and back up a record.")
_GROUPS = {
    "Prove it": (keeping.verify, search.verify_deal, keeping.anchor),
    "Rounds": (search.rounds, search.replay, search.export, search.history, report, check),
    "The floor's logbook": (
        logbook.irregularities, logbook.validations, logbook.devices, logbook.decks,
        logbook.meters,
    ),
    "What the table does": (trouble_table,),
    "Keep it": (
        keeping.backup, keeping.restore, archive, retention, keeping.accept, keeping.keys,
        keeping.facility,
    ),
}  # fmt: skip
for number, (title, commands) in enumerate(_GROUPS.items()):
    group = Group(title, sort_key=number)
    for place, command in enumerate(commands):
        app.command(command, name=command.__name__.replace("_", "-"), group=group, sort_key=place)
