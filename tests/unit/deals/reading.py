"""Short ways for tests to read files and to see what was found."""

from __future__ import annotations

from collections.abc import Iterable

from deals.files import DealFile, Finding, read_deals

NORTH = "AJ9.K9542.Q.AK93"
DEAL = f"N:{NORTH} K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84"
OTHER = "N:AKQ984.KQT7..Q83 7.J63.AJT82.A754 532.854.Q43.KT62 JT6.A92.K9765.J9"


def read(content: str | bytes, first_board: int | None = None) -> DealFile:
    """The file with this content."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    return read_deals(data, "test", first_board)


def told(findings: Iterable[Finding]) -> list[str]:
    """Each finding as a person reads it: place and message."""
    return [": ".join(filter(None, (one.where(), one.message()))) for one in findings]


def rows(file: DealFile) -> list[tuple[int, str, str, str]]:
    """Number, dealer, vulnerability, deal of each board."""
    return [(b.number, b.dealer.letter, b.vulnerable.value, b.deal.pbn()) for b in file.boards]


def game(number: object = 1, deal: str = DEAL, more: str = "") -> str:
    """One PBN game."""
    return f'[Board "{number}"]\n{more}[Deal "{deal}"]\n\n'
