"""Down Under Blackjack at the table."""

from houseway.games.down_under.table.game import DownUnderTable
from houseway.table.game import TableGame

GAME: TableGame = DownUnderTable()
