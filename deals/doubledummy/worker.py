"""A process that solves deals, or some strains of them, one after the other; it may be killed at any moment.

A line in: the limit in seconds, 52 seats by card index, and the strains wanted as digits. A line out:
four hexadecimal tricks for each of these, both in the order of `deals.doubledummy.library`, or REFUSED,
and what is left of the limit; or MISSING. The kernel ends the process when the limit is over (SIGALRM),
inside the library too; so an orphan does not live longer than that either.
"""

from __future__ import annotations

import os
import signal
import sys

from deals.doubledummy.errors import MISSING, REFUSED, DoubleDummyError


def main() -> None:
    """Solve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    from deals.doubledummy.library import Library, holdings_of

    try:
        library = Library(threads=1)
    except DoubleDummyError:
        _say(MISSING)
        return
    for line in sys.stdin.buffer:
        limit_s, owners, strains = line.split()
        signal.setitimer(signal.ITIMER_REAL, float(limit_s))
        try:
            found = library.strains(holdings_of(_numbers(owners)), _numbers(strains))
            answer = "".join(f"{tricks:x}" for tricks in found)
        except DoubleDummyError:
            answer = REFUSED
        left_s, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        _say(f"{answer} {left_s:.3f}")
    os._exit(0)  # the library's own clearing up at the end is known to crash


def _numbers(digits: bytes) -> bytes:
    return bytes(digit - ord("0") for digit in digits)


def _say(answer: str) -> None:
    os.write(1, f"{answer}\n".encode("ascii"))
