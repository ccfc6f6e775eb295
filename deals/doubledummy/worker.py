"""A process that solves deals, or some strains of them, one after the other; it may be killed at any moment.

A line in: the limit in seconds, 52 seats by card index, and the strains wanted as digits. A line out:
four hexadecimal tricks for each of these, both in the order of `deals.doubledummy.library`, or REFUSED,
and the seconds it took; or MISSING. A line may come before the last one is answered: of one deal it has
no more than that one has left. The kernel ends the process when the limit is over (SIGALRM),
inside the library too; so an orphan does not live longer than that either.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # what `signal` names: that loads `enum`, 4 of 18 ms
import os
import sys

from deals.doubledummy.errors import MISSING, REFUSED, DoubleDummyError

_LEAST_S = 0.001
"""An alarm after nothing would be none."""


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
    last, left_s = b"", 0.0
    for line in sys.stdin.buffer:
        limit, owners, strains = line.split()
        limit_s = max(_LEAST_S, min(float(limit), left_s) if owners == last else float(limit))
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            found = library.strains(holdings_of(_numbers(owners)), _numbers(strains))
            answer = "".join(f"{tricks:x}" for tricks in found)
        except DoubleDummyError:
            answer = REFUSED
        last, left_s = owners, signal.setitimer(signal.ITIMER_REAL, 0)[0]
        _say(f"{answer} {limit_s - left_s:.3f}")
    os._exit(0)  # the library's own clearing up at the end is known to crash


def _numbers(digits: bytes) -> bytes:
    return bytes(digit - ord("0") for digit in digits)


def _say(answer: str) -> None:
    os.write(1, f"{answer}\n".encode("ascii"))
