"""The rules of Saigon 5 Card."""

from houseway.game_api.settle import LimitedRules
from houseway.games.saigon import settlement

GAME: LimitedRules = settlement
