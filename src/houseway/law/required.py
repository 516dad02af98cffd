"""What a chapter asks for at a table that plays by certain rules: areas and equipment."""

from __future__ import annotations

from houseway.law.chapter import Area, under
from houseway.law.rules import Rules


def in_force(rules: Rules, when: str) -> bool:
    """Whether a requirement that depends on an option applies under these rules."""
    return not when or rules[when] not in ("none", False)


def required_areas(rules: Rules) -> list[Area]:
    """The areas that the layout must have, each with its clause for these rules."""
    areas = rules.chapter.about.areas
    return [under(area, rules.options) for area in areas if in_force(rules, area.when)]


def required_equipment(rules: Rules) -> dict[str, tuple[str, str]]:
    """What must stand at this table, with where and the clause."""
    wanted: dict[str, tuple[str, str]] = {}
    for item in rules.chapter.about.equipment:
        item = under(item, rules.options)
        if item.clause and in_force(rules, item.when):
            wanted.setdefault(item.id, (item.says, item.clause))
    return wanted
