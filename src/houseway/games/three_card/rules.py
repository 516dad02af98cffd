"""The rules of the three-card games, by variant."""

from houseway.game_api.settle import GameRules
from houseway.games.three_card import maryland, massachusetts, prime

GAMES: dict[str, GameRules] = {
    "maryland": maryland,
    "massachusetts": massachusetts,
    "prime": prime,
}
