"""Double-dummy results in PBN files: the standard's table and score, and the dialects of programs.

Tables: OptimumResultTable (pbn_v21; some write its columns with blanks instead of semicolons),
DoubleDummyTricks (BridgeComposer: N S E W, each NT S H D C), Ability (N E S W by letter, each NT S H
D C), `%%!R` after Deal (PS Bridge: E N W S). Par: OptimumScore (the side's own score; BBO Extractor
writes contracts and NS's score after a semicolon), Minimax and ParContract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from deals.cards import Seat
from deals.files.hands import parse_seat
from deals.files.pbn_document import Game
from deals.tricks import Par, ParContract, Strain, TrickTable

_STRAINS: Final = (
    Strain.NOTRUMP,
    Strain.SPADES,
    Strain.HEARTS,
    Strain.DIAMONDS,
    Strain.CLUBS,
)
_NSEW: Final = (Seat.N, Seat.S, Seat.E, Seat.W)
_ENWS: Final = (Seat.E, Seat.N, Seat.W, Seat.S)
_HEX20: Final = re.compile(r"[0-9a-dA-D]{20}")
_PS_BRIDGE: Final = re.compile(r"^%%!R\s+([0-9a-dA-D]{20})\s*$", re.M)
_ABILITY: Final = re.compile(r"([NESW]):([0-9A-Da-d]{5})(?![0-9A-Za-z])")
_SIDE_SCORE: Final = re.compile(r"\b(NS|EW|N|E|S|W)\s+([+-]?\d{1,5})\b(?!\s*[CDHSN])", re.I)
_CONTRACT: Final = r"([1-7])\s*(NT|N|S|H|D|C)\s*(X{0,2})"
_BBO_SCORE: Final = re.compile(r"\s*(NS|EW)\s+([^;]+);\s*([+-]?\d{1,5})\s*", re.I)
_MINIMAX: Final = re.compile(r"\s*([1-7])([CDHSN])(D?)([NESW])\s*([+-]?\d{1,5})\s*", re.I)
_PAR_CONTRACT: Final = re.compile(
    rf"\s*(NS|EW|[NESW])\s+{_CONTRACT}\s*([=]|[+-]\d{{1,2}})?\s*", re.I
)


def trick_table(game: Game) -> TrickTable | None:
    """The tricks that *game* states, from the first of the dialects that it has."""
    readers = (_from_table, _from_digits, _from_ability, _from_ps_bridge)
    return next((table for reader in readers if (table := reader(game)) is not None), None)


def par(game: Game) -> Par | None:
    """The par that *game* states: score from whichever tag has it, contracts from whichever."""
    found = [reader(game) for reader in (_from_score, _from_minimax, _from_contracts)]
    stated = [one for one in found if one is not None]
    if not stated:
        return None
    score = next((one.score_ns for one in stated if one.score_ns is not None), None)
    # Where all contracts are listed is more than the one that Minimax gives.
    contracts = max((one.contracts for one in stated), key=len)
    return Par(score, contracts)


def _from_table(game: Game) -> TrickTable | None:
    head, rows = game.value("OptimumResultTable"), game.section("OptimumResultTable")
    if head is None or not rows:
        return None
    columns = [re.sub(r"\\.*", "", name).strip() for name in re.split(r"[;\s]+", head.strip())]
    try:
        at = [columns.index(name) for name in ("Declarer", "Denomination", "Result")]
    except ValueError:
        return None
    tricks: dict[tuple[Seat, Strain], int] = {}
    for row in rows:
        cells = row.split()
        if len(cells) <= max(at):
            continue
        declarer, strain = parse_seat(cells[at[0]]), Strain.parse(cells[at[1]])
        result = cells[at[2]]
        if declarer is not None and strain is not None and result.isdecimal():
            tricks[declarer, strain] = int(result)
    return _table(tricks)


def _table(tricks: dict[tuple[Seat, Strain], int]) -> TrickTable | None:
    return TrickTable(tricks) if tricks and max(tricks.values()) <= 13 else None


def _hex(text: str, order: Iterable[Seat]) -> TrickTable:
    keys = ((seat, strain) for seat in order for strain in _STRAINS)
    return TrickTable({key: int(digit, 16) for key, digit in zip(keys, text, strict=True)})


def _from_digits(game: Game) -> TrickTable | None:
    text = (game.value("DoubleDummyTricks") or "").strip()
    return _hex(text, _NSEW) if _HEX20.fullmatch(text) else None


def _from_ability(game: Game) -> TrickTable | None:
    tricks: dict[tuple[Seat, Strain], int] = {}
    for match in _ABILITY.finditer(game.value("Ability") or ""):
        for strain, digit in zip(_STRAINS, match[2], strict=True):
            tricks[Seat.parse(match[1]), strain] = int(digit, 16)
    return _table(tricks)


def _from_ps_bridge(game: Game) -> TrickTable | None:
    match = _PS_BRIDGE.search(game.text)
    return _hex(match[1], _ENWS) if match else None


def _from_score(game: Game) -> Par | None:
    text = game.value("OptimumScore") or ""
    if match := _BBO_SCORE.fullmatch(text):
        contracts = [
            ParContract(match[1].upper(), int(level), _strain(strain), bool(doubled))
            for level, strain, doubled in re.findall(_CONTRACT, match[2].upper())
        ]
        return Par(int(match[3]), tuple(contracts))
    if match := _SIDE_SCORE.search(text):
        score = int(match[2])
        return Par(score if match[1].upper() in ("NS", "N", "S") else -score)
    return None


def _from_minimax(game: Game) -> Par | None:
    match = _MINIMAX.fullmatch(game.value("Minimax") or "")
    if match is None:
        return None
    score = int(match[5])
    if score == 0:
        return Par(0)  # passed out, whatever the contract says
    contract = ParContract(
        match[4].upper(), int(match[1]), _strain(match[2]), match[3].upper() == "D"
    )
    return Par(score, (contract,))


def _from_contracts(game: Game) -> Par | None:
    contracts = []
    for part in (game.value("ParContract") or "").split(";"):
        if match := _PAR_CONTRACT.fullmatch(part):
            result = None if match[5] is None else int(match[5].replace("=", "0"))
            contracts.append(
                ParContract(
                    match[1].upper(), int(match[2]), _strain(match[3]), bool(match[4]), result
                )
            )
    return Par(None, tuple(contracts)) if contracts else None


def _strain(text: str) -> Strain:
    return Strain("SHDCN".index(text[0].upper()))
