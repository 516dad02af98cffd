"""The comment `#:` above a field is its documentation."""

from __future__ import annotations

import re
from typing import Any

from griffe import Attribute, Docstring, Extension


class FieldComments(Extension):
    """Reads `#:` comments as docstrings of the attributes below them."""

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        if attr.docstring is not None or not attr.lineno:
            return
        lines = attr.lines_collection[attr.filepath]
        number = attr.lineno - 1
        said: list[str] = []
        while number > 0 and (line := lines[number - 1].strip()).startswith("#:"):
            said.insert(0, line.removeprefix("#:").strip())
            number -= 1
        if said:
            # a bracket outside code is no link
            text = re.sub(r"(`[^`]*`)|\[", lambda found: found[1] or r"\[", " ".join(said))
            attr.docstring = Docstring(text, parent=attr)
