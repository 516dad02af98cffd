"""The three-card games at the table, by variant."""

from houseway.games.three_card.table.maryland import MarylandTable
from houseway.games.three_card.table.massachusetts import MassachusettsTable
from houseway.games.three_card.table.prime import PrimeTable
from houseway.table.game import TableGame

GAMES: dict[str, TableGame] = {
    "maryland": MarylandTable(),
    "massachusetts": MassachusettsTable(),
    "prime": PrimeTable(),
}
