"""The four suits in a square of 100, each told from the others by its outline alone."""

from __future__ import annotations

#: round above and pointed below; four straight-sided points; pointed above on a foot; three lobes
SUIT_PATHS = {
    "h": "M50 93C22 68 6 50 6 31C6 16 17 6 29 6C39 6 46 12 50 22C54 12 61 6 71 6C83 6 94 16 94 31"
    "C94 50 78 68 50 93Z",
    "d": "M50 3C60 22 72 38 87 50C72 62 60 78 50 97C40 78 28 62 13 50C28 38 40 22 50 3Z",
    "s": "M50 4C58 22 93 42 93 64C93 77 83 84 73 84C65 84 58 80 54 73C55 83 59 91 67 96H33"
    "C41 91 45 83 46 73C42 80 35 84 27 84C17 84 7 77 7 64C7 42 42 22 50 4Z",
    "c": "M50 5A21 21 0 0 1 66 41A21 21 0 1 1 54 66C54 80 59 90 68 96H32C41 90 46 80 46 66"
    "A21 21 0 1 1 34 41A21 21 0 0 1 50 5Z",
}
