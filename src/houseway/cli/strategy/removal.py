"""`houseway strategy --removal`: what single cards are worth.

Exact values of the shoe's composition: what each card that is gone does to every wager, insurance
by the player's own two cards, and even money beside waiting.
"""

from __future__ import annotations

from houseway.cli.terminal.output import console, print_json, print_table
from houseway.law import Rules
from houseway.maths.game import MATHS


def removal(rules: Rules, *, json: bool) -> int:
    """Show what each card that leaves the shoe changes under the rules of a table."""
    found = MATHS.of(rules.chapter).removal(rules)
    if json:
        print_json(found.out)
        return 0
    screen = console()
    screen.print(f"\n[bold]{found.title}[/]{found.lead}\n")
    screen.print(found.says)
    print_table([f">{name}" for name in found.columns], found.rows)
    for text, _ in found.remarks:
        screen.print(text)
    return 0
