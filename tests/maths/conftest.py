"""The plain twins of the games are plain enough for the mathematics too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "games"))
