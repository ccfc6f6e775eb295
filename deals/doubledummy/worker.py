"""A process that solves one deal after the other and may be killed at any moment.

A line in: the limit in seconds and 52 seats by card index. A line out: 20 hexadecimal tricks in the
order of `deals.doubledummy.library`, or MISSING or REFUSED. The kernel ends the process when the
limit is over (SIGALRM), inside the library too; so an orphan does not live longer than that either.
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
        limit_s, owners = line.split()
        signal.setitimer(signal.ITIMER_REAL, float(limit_s))
        try:
            table = library.table(holdings_of(bytes(digit - ord("0") for digit in owners)))
            answer = "".join(f"{tricks:x}" for tricks in table)
        except DoubleDummyError:
            answer = REFUSED
        signal.setitimer(signal.ITIMER_REAL, 0)
        _say(answer)
    os._exit(0)  # the library's own clearing up at the end is known to crash


def _say(answer: str) -> None:
    os.write(1, f"{answer}\n".encode("ascii"))


if __name__ == "__main__":
    main()
