"""The plain twins of the games are plain enough for the mathematics too."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.append(str(Path(__file__).parent.parent / "games"))

# The first example of a test may count a tally; how long that takes is for `bench/` to say.
settings.register_profile("maths", deadline=None)
settings.load_profile("maths")
