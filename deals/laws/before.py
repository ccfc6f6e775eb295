"""Law 6D2: was this deal dealt before? Known by keyed fingerprints, judged by edition."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from deals.deal import Deal
from deals.laws.editions import DEFAULT, Edition


def fingerprint(key: bytes, deal: Deal) -> bytes:
    """32 bytes by which *deal* is known again on this machine, and nobody else can try guesses.

    It is of the deal alone: the same cards under another number are the same deal.
    """
    return hmac.digest(key, b"predeal deal fingerprint 1\0" + deal.owners, "sha256")


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier use of the same deal."""

    session: str
    """Name of the session or set it was dealt for."""
    board: int
    played: bool | None
    """Whether it was played there; dealt and left over: False; None: nobody wrote it down."""


def law6d2(
    board: int,
    earlier: Iterable[Earlier],
    session: str,
    edition: Edition = DEFAULT,
    *,
    replay: bool = False,
) -> list[tuple[str, dict[str, object]]]:
    """Warnings for a deal that comes from another session (2017) or was played in one (1997, 2007).

    *replay*: the purpose of the contest is to replay deals; 2007 and 2017 allow that, 1997 has no
    such words. Exchanging boards between tables of one session is allowed in all. Where nobody
    knows whether it was played, 1997 and 2007 are told as a question.
    """
    new = edition is Edition.LAWS_2017
    found: list[tuple[str, dict[str, object]]] = []
    for use in earlier:
        if use.session == session or (use.played is False and not new):
            continue
        if replay and edition is not Edition.LAWS_1997:
            continue
        code = "law.played_before" if use.played else "law.perhaps_played_before"
        code = "law.dealt_before" if new else code
        values = {"board": board, "session": use.session, "earlier": use.board}
        found.append((code, {**values, "edition": edition.value}))
    return found
