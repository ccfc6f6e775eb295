"""Memory that a long-lived process gives back: glibc keeps what a start needed once, and a heap for
each thread that ever ran.
"""

from __future__ import annotations

import ctypes
import gc
from typing import Any, Final

_M_ARENA_MAX: Final = -8
"""malloc.h"""


def one_heap(library: Any = None) -> bool:
    """Has all threads of this process share one heap; to be called before any is started.

    False where the C library has no such setting (musl): then nothing is lost but memory.
    """
    call = getattr(library or ctypes.CDLL(None), "mallopt", None)
    return call is not None and bool(call(_M_ARENA_MAX, 1))


def give_back(library: Any = None) -> bool:
    """Gives the memory of a start back to the system; what is left is not looked through again for
    garbage. False where the C library cannot.
    """
    gc.collect()
    gc.freeze()
    call = getattr(library or ctypes.CDLL(None), "malloc_trim", None)
    return call is not None and bool(call(0))
