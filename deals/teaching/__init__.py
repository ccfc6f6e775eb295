"""TEACHING sets: deals made to fit a constraint, arranged for a lesson, never for normal play.

docs/teaching.md has the language of constraints. Needs NumPy and simpleeval: import it late.
"""

from deals.teaching.blocks import Lesson, block, move, origins, rotate
from deals.teaching.constraint import Constraint, drawer
from deals.teaching.language import ConstraintError
from deals.teaching.marks import FORMATS, MARK, is_teaching, marked, write_teaching

__all__ = [
    "FORMATS",
    "MARK",
    "Constraint",
    "ConstraintError",
    "Lesson",
    "block",
    "drawer",
    "is_teaching",
    "marked",
    "move",
    "origins",
    "rotate",
    "write_teaching",
]
