"""Random deals that can be proven: each is a function of a secret, a name and a public text.

`numbering` counts all deals, `source` draws their numbers from a secret, `bulk` does both for many
deals at once with NumPy (import it only where it is needed). docs/proving.md tells an outsider how
to check a set without this program.
"""

from deals.generate.numbering import DEALS, deal_of, number_of
from deals.generate.source import (
    LONGEST_CONSTRAINT,
    SECRET_BYTES,
    Source,
    new_secret,
    parse_secret,
    plain_line,
)

__all__ = [
    "DEALS",
    "LONGEST_CONSTRAINT",
    "SECRET_BYTES",
    "Source",
    "deal_of",
    "new_secret",
    "number_of",
    "parse_secret",
    "plain_line",
]
