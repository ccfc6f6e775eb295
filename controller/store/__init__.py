"""The store: journal, sets and logbook. What it has once confirmed, no loss of power takes away.

with Store.open(state_dir, clock, os.urandom) as store:
    set_id = store.sets.add(code="...", name="...", source=file_bytes, boards=[...])
    dealing = store.journal.open_board(set_id, board=1, copy=1, profile="standard", design="x")
    store.journal.begin_run(dealing, run=1)
    store.journal.intent(dealing, feed=1, card=12, pocket=0, seen=[...])
    store.journal.close_board(dealing, DealingState.PROVEN)
"""

from controller.store.clock import DatedClock, StoreClock
from controller.store.director import OPERATE, Account, Directors, Permit, Role
from controller.store.journal import (
    BoardJournal,
    CopyDealt,
    DealingId,
    DealingState,
    Interrupted,
    Journal,
    Observation,
)
from controller.store.logbook import Logbook, LogbookEntry
from controller.store.recovery import CardFate, JournalRow, Kind, Where, fates
from controller.store.sets import BoardEntry, SetId, SetInfo, Sets
from controller.store.setstate import SetStates
from controller.store.store import Store, Who

__all__ = [
    "OPERATE",
    "Account",
    "BoardEntry",
    "BoardJournal",
    "CardFate",
    "CopyDealt",
    "DatedClock",
    "DealingId",
    "DealingState",
    "Directors",
    "Interrupted",
    "Journal",
    "JournalRow",
    "Kind",
    "Logbook",
    "LogbookEntry",
    "Observation",
    "Permit",
    "Role",
    "SetId",
    "SetInfo",
    "SetStates",
    "Sets",
    "Store",
    "StoreClock",
    "Where",
    "Who",
    "fates",
]
