"""Double dummy results as PBN tags, in every dialect that readers ask for.

OptimumResultTable and OptimumScore are the standard's (pbn_v21); DoubleDummyTricks is BridgeComposer's
(declarers N S E W, each NT S H D C), Ability Deep Finesse's and JFR's (N E S W), Minimax gives one par
contract with the score as North-South see it, ParContract all of them. `deals.files.pbn_analysis`
reads them.
"""

from __future__ import annotations

from typing import Final

from deals.cards import Seat
from deals.tricks import Par, ParContract, Strain, TrickTable

TABLE_TAG: Final = "OptimumResultTable"
TABLE_COLUMNS: Final = r"Declarer;Denomination\2R;Result\2R"
_STRAINS: Final = (
    Strain.NOTRUMP,
    Strain.SPADES,
    Strain.HEARTS,
    Strain.DIAMONDS,
    Strain.CLUBS,
)
_NSEW: Final = (Seat.N, Seat.S, Seat.E, Seat.W)


def tags(table: TrickTable | None, par: Par | None) -> dict[str, str]:
    """The tags in the order of an export file (alphabetical); *table* must be complete."""
    found = {}
    if table is not None:
        found["Ability"] = " ".join(f"{seat.letter}:{_row(table, seat).upper()}" for seat in Seat)
        found["DoubleDummyTricks"] = "".join(_row(table, seat) for seat in _NSEW)
    if par is not None and par.score_ns is not None:
        found["Minimax"] = _minimax(par.score_ns, par)
        found["OptimumScore"] = f"NS {par.score_ns}" if par.score_ns >= 0 else f"EW {-par.score_ns}"
        if contracts := lowest(par):
            found["ParContract"] = "; ".join(_contract(one) for one in contracts)
    return found


def table_rows(table: TrickTable) -> list[str]:
    """The 20 lines of the section TABLE_TAG, whose value is TABLE_COLUMNS."""
    return [
        f"{seat.letter} {_name(strain):>2} {table.tricks[seat, strain]:>2}"
        for seat in Seat
        for strain in _STRAINS
    ]


def lowest(par: Par) -> list[ParContract]:
    """The par contracts, of those in one strain by one side only the lowest level (3C= 2C+1: 2C)."""
    best: dict[tuple[str, Strain, bool], ParContract] = {}
    for contract in par.contracts:
        key = (contract.side, contract.strain, contract.doubled)
        if key not in best or contract.level < best[key].level:
            best[key] = contract
    return list(best.values())


def _row(table: TrickTable, seat: Seat) -> str:
    return "".join(f"{table.tricks[seat, strain]:x}" for strain in _STRAINS)


def _name(strain: Strain) -> str:
    return "NT" if strain is Strain.NOTRUMP else strain.letter


def _minimax(score_ns: int, par: Par) -> str:
    if not par.contracts:
        return "7NS0"  # its way to say: passed out
    first = lowest(par)[0]
    doubled = "D" if first.doubled else ""
    return f"{first.level}{first.strain.letter}{doubled}{first.side[0]}{score_ns}"


def _contract(one: ParContract) -> str:
    doubled = "X" if one.doubled else ""
    result = "" if one.result is None else "=" if one.result == 0 else f"{one.result:+d}"
    return f"{one.side} {one.level}{_name(one.strain)}{doubled}{result}"
