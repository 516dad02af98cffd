"""A strategy as a document: charts, what simpler play costs, and exceptions."""

from __future__ import annotations

from houseway.documents.charts import picture_svg
from houseway.documents.typesetting import typeset
from houseway.errors import Refused
from houseway.law import Rules
from houseway.maths.strategy_view import StrategyView


def strategy_sheet(rules: Rules, view: StrategyView) -> bytes:
    """The PDF for one game, or a refusal where a drawing is all there is."""
    document = view.document
    if document is None:
        raise Refused(
            "no_document", f"the strategy of {rules.chapter.id} is drawn as SVG, with --out"
        )
    data = {
        "title": "Strategy",
        "subtitle": document.subtitle,
        "reference": rules.hash[:16],
        "particulars": [["Rules", rules.chapter.about.citation], *document.particulars],
        "chart": picture_svg(view.picture),
        "rows": document.rows,
        "notes": document.notes,
    }
    return typeset("strategy_sheet", data)
