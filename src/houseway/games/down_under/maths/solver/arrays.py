"""The kinds of arrays that the solver works on, and its actions by number."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Actions: TypeAlias = NDArray[np.int8]

STAND, HIT, DOUBLE = range(3)
