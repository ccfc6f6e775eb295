"""Lengths that readers and card art share: the card, its index corner, the window image, the stop card's mark.

An *index corner patch* is the top left 16 x 28 mm of an upright card.
"""

from __future__ import annotations

from typing import Final

CARD_WIDTH_MM: Final = 57.0
CARD_HEIGHT_MM: Final = 88.0
CORNER_WIDTH_MM: Final = 16.0
CORNER_HEIGHT_MM: Final = 28.0

WINDOW_PX_PER_MM: Final = 10
WINDOW_ROWS: Final = 400
WINDOW_COLS: Final = 640
LEAD_ROW: Final = 40
"""Row of the card's leading long edge in the first look."""
LEAD_ROW_LOOK_2: Final = 225
RIGHT_MARGIN_MM: Final = 4.0
"""From the short edge next to the index to the right border of the window image."""

STOP_MARK_ID: Final = 23
"""The stop card carries this mark of OpenCV's 5x5 dictionary (50 marks) in both index corners."""
STOP_MARK_SIZE_MM: Final = 12.6
STOP_MARK_OFFSET_MM: Final = 3.2
"""From both edges of the card to the mark's black border."""
