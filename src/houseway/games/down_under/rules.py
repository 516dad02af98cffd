"""The rules of Down Under Blackjack."""

from houseway.game_api.settle import GameRules
from houseway.games.down_under import settlement

GAME: GameRules = settlement
