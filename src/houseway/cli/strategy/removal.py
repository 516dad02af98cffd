"""`houseway strategy --removal`: what single cards are worth.

Exact values of the shoe's composition: what each card that is gone does to every wager, insurance
by the player's own two cards, and even money beside waiting.
"""

from __future__ import annotations

from houseway.cli.output import console, print_json
from houseway.law import Rules
from houseway.maths.game import MATHS


def removal(rules: Rules, *, json: bool) -> int:
    """Show what each card that leaves the shoe changes under the rules of a table."""
    found = MATHS.of(rules.chapter).removal(rules)
    if json:
        print_json(found.out)
        return 0
    from rich import box
    from rich.table import Table

    screen = console()
    screen.print(f"\n[bold]{found.title}[/]{found.lead}\n")
    screen.print(found.says)
    table = Table(box=box.SIMPLE_HEAD)
    for name in found.columns:
        table.add_column(name, justify="right")
    for row in found.rows:
        table.add_row(*row)
    screen.print(table)
    for text, _ in found.remarks:
        screen.print(text)
    return 0
