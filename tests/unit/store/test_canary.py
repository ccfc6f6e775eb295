"""No card of a known deal can be read in the store's files, nor can a guess at it be proven."""

from __future__ import annotations

from hashlib import md5, sha1, sha256
from pathlib import Path

import pytest

from controller.store import BoardEntry, DealingState, Kind, Observation
from controller.store.vault import Vault
from tests.unit.store.support import DEAL, open_store

SOURCE = f'[Board "1"]\n[Deal "{DEAL}"]\n'.encode()
ORDER = [*range(51, -1, -1)]
"""The order in which the cards of the board come out of the hopper."""


def canaries() -> dict[str, bytes]:
    """Forms in which a hand could show, each long enough not to occur by chance."""
    hands = DEAL[2:].split()
    forms = {f"hand {number}": hand.encode() for number, hand in enumerate(hands)}
    forms |= {f"suit {suit}": suit.encode() for hand in hands for suit in hand.split(".")[:1]}
    forms = {name: form for name, form in forms.items() if len(form) >= 4}
    forms["cards as bytes"] = bytes(ORDER[:8])
    forms["cards as numbers"] = ", ".join(map(str, ORDER[:6])).encode()
    forms["a card in a detail"] = b"runner-up S4"
    forms["a card and its pocket"] = b"51 to N"
    for maker in (md5, sha1, sha256):
        for what, text in (("deal", DEAL.encode()), ("source", SOURCE)):
            forms[f"{maker().name} of {what}"] = maker(text).digest()
            forms[f"{maker().name} of {what} in hex"] = maker(text).hexdigest().encode()
    return forms


def deal_known_board(state: Path) -> set[str]:
    """Deals, and gives the names of the forms that the files show at some time."""
    shown: set[str] = set()

    def look() -> None:
        content = b"".join(path.read_bytes() for path in state.iterdir() if path.is_file())
        shown.update(name for name, form in canaries().items() if form in content)

    with open_store(state) as store:
        board = BoardEntry(1, "N", "None", DEAL)
        set_id = store.sets.add(code="C", name="known.pbn", source=SOURCE, boards=[board])
        dealing = store.journal.open_board(set_id, 1, 1, profile="standard", design="standard")
        for feed, card in enumerate(ORDER, 1):
            seen = [Observation(Kind.READ, feed, card, detail="runner-up S4")]
            store.journal.intent(dealing, feed, card, card % 4, seen)
        store.journal.record(dealing, [Observation(Kind.NOTE, detail="51 to N")])
        look()
        store.journal.close_board(dealing, DealingState.PROVEN)
        store.logbook.append("dealt", {"board": 1})
        look()
    look()
    return shown


def test_no_card_is_readable_in_the_files(tmp_path: Path):
    assert deal_known_board(tmp_path) == set()


def test_the_same_search_finds_them_without_the_vault(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(Vault, "seal", lambda self, value, owner: value)
    monkeypatch.setattr(Vault, "unseal", lambda self, sealed, owner: sealed)
    monkeypatch.setattr(Vault, "tag", lambda self, purpose, value: sha256(value).digest())
    shown = deal_known_board(tmp_path)
    assert {"hand 0", "suit AKQJ", "a card in a detail", "a card and its pocket"} <= shown
    assert {"sha256 of deal", "sha256 of source"} <= shown


def test_rows_of_all_cards_look_alike(tmp_path: Path):
    with open_store(tmp_path) as store:
        board = BoardEntry(1, "N", "None", DEAL)
        set_id = store.sets.add(code="C", name="known.pbn", source=SOURCE, boards=[board])
        dealing = store.journal.open_board(set_id, 1, 1, profile="standard", design="standard")
        for feed, card in enumerate([0, 9, 51, None], 1):
            store.journal.intent(dealing, feed, card, 0, [Observation(Kind.READ, feed, card)])
        with store.context.database.transaction() as connection:
            sizes = connection.exec_driver_sql("SELECT DISTINCT length(sealed) FROM journal")
            assert len(sizes.all()) == 1


@pytest.mark.parametrize(
    "table",
    "dealing deal_set set_board machine logbook deal_copy box export account".split(),
)
def test_columns_in_clear_are_known(tmp_path: Path, table: str):
    """A new column has to be thought about here before it can hold a card in clear."""
    sealed = {
        "dealing": {"wrapped_key"},
        "deal_set": {"source_tag", "wrapped_key"},
        "set_board": {"sealed_deal", "fingerprint", "job_deal"},
        "deal_copy": set(),
        "box": set(),
        "export": set(),
        "account": {"salt", "wrapped_key"},
        "machine": {"key_check", "logbook_tag"},
        "logbook": {"previous"},
    }
    clear = {
        "dealing": "id machine_id actor role twin set_id board copy attempt state reason profile "
        "design opening started_wall_us started_mono_us ended_wall_us",
        "deal_set": "id machine_id actor role code name board_count edition added_wall_us "
        "laws origin about release sealed ended_wall_us retired_wall_us replaces_id",
        "set_board": "id set_id number dealer vulnerable redealt",
        "deal_copy": "id set_id copy box section",
        "box": "id machine_id name board set_id copy state changed_wall_us",
        "export": "id actor role set_id path format wall_us stale",
        "account": "id machine_id name role cost set_wall_us failures failed_wall_us",
        "machine": "id twin created_wall_us openings",
        "logbook": "id machine_id actor role number opening wall_us mono_us what details",
    }
    with open_store(tmp_path) as store, store.context.database.transaction() as connection:
        found = {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")}
    assert found == sealed[table] | set(clear[table].split())
