"""Double dummy: what each declarer makes when all see all cards, solved in processes of its own.

`solve(deals)` yields results as they are ready; `deals.scoring.par` gives par from a table. Without
the library (Debian: libdds0) `solve` raises DoubleDummyError and everything else goes on.
"""

from deals.doubledummy.cache import Cache, FileCache, MemoryCache
from deals.doubledummy.errors import DoubleDummyError
from deals.doubledummy.solver import LIMIT_S, Failure, Solved, solve

__all__ = [
    "LIMIT_S",
    "Cache",
    "DoubleDummyError",
    "Failure",
    "FileCache",
    "MemoryCache",
    "Solved",
    "solve",
]
