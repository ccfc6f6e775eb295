"""Deal files: read any by its content, write any that can hold the boards.

`read_deals_file(path)` and `read_deals(data, name)` return a `DealFile`; what is wrong with single
boards is in its `problems`, what a person should know in its `warnings`. `write_deals` refuses what
the target format cannot hold.
"""

from deals.files.base import DealFile, Finding, Format, Holds, PartialBoard
from deals.files.collect import ranges
from deals.files.reading import read_deals, read_deals_file
from deals.files.registry import FORMATS, by_name, recognise
from deals.files.writing import Written, write_deals

__all__ = [
    "FORMATS",
    "DealFile",
    "Finding",
    "Format",
    "Holds",
    "PartialBoard",
    "Written",
    "by_name",
    "ranges",
    "read_deals",
    "read_deals_file",
    "recognise",
    "write_deals",
]
