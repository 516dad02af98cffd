"""Casino War: a family of games outside the Houseway package.

`PARTS` is what the entry point in the group `houseway.games` names. A part is imported when it is
first used.
"""

PARTS = {
    "rules": "casino_war.rules:GAME",
    "maths": "casino_war.maths:GAME",
    "simulation": "casino_war.simulation:GAME",
    "presentation": "casino_war.presentation:GAME",
    "teaching": "casino_war.teaching:GAME",
    "table": "casino_war.table:GAME",
}
