"""Typesetting: from a Typst template of this package and its data to the bytes of a PDF or SVG.

A sheet is a `.typ` file beside this module that begins with

    #import "house.typ": *
    #let data = json(bytes(sys.inputs.data))

Its fonts come with Typst itself, never from the machine, so a document looks the same and is the
same, byte for byte, wherever it is made. Drawings travel inside the data as SVG text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import as_file, files
from typing import Any, Literal


def typeset(sheet: str, data: Mapping[str, Any], format: Literal["pdf", "svg"] = "pdf") -> bytes:
    """Set the sheet `<sheet>.typ` with this data, which must be JSON."""
    import typst

    with as_file(files("houseway.documents")) as room:
        made = typst.compile(
            room / f"{sheet}.typ",
            root=room,
            ignore_system_fonts=True,
            format=format,
            sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
            # without it the file would carry the hour it was made
            timestamp=0,
        )
    assert isinstance(made, bytes)  # one file; only pictures of several pages come as a list
    # false is what it means when it is absent, and some readers report the entry as an error
    entry = b"/Suspects false"
    return made.replace(entry, b" " * len(entry)) if format == "pdf" else made
