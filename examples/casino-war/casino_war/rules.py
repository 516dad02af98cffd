"""The rules part of Casino War."""

from casino_war import settlement
from houseway.game_api.settle import GameRules

GAME: GameRules = settlement
