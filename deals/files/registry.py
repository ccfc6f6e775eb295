"""Every format there is. To add one: write a module of the shape `base.Format`, add a line."""

from __future__ import annotations

from typing import Final

from deals.errors import DealFileError
from deals.files import (
    ber,
    bhg,
    bri,
    cds,
    csv,
    ddslist,
    dge,
    dlm,
    dup,
    gib,
    hrf,
    json,
    lin,
    lines,
    pbn,
    rbn,
    rbx,
    rzd,
)
from deals.files.base import Format

FORMATS: Final[tuple[Format, ...]] = (
    dup,
    bri,
    dge,
    rzd,
    ber,
    bhg,
    dlm,
    ddslist,
    gib,
    json,
    pbn,
    lin,
    rbn,
    rbx,
    csv,
    lines,
    hrf,
    cds,
)
"""In the order in which content is tried; the surest signatures come first."""


def by_name(name: str) -> Format:
    """The format called *name*, also ".name" or "NAME"; DealFileError lists what there is."""
    wanted = name.strip().lower().lstrip(".")
    for known in FORMATS:
        if wanted in (known.NAME, known.SUFFIX.lstrip(".")):
            return known
    names = [known.NAME for known in FORMATS if known.HOLDS is not None]
    raise DealFileError("file.format_unknown", name=name, formats=names)


def recognise(data: bytes) -> Format | None:
    """The format of *data* by its content alone."""
    return next((known for known in FORMATS if known.recognises(data)), None)
