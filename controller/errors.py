"""The families of errors of the controller: code and values, the text is in the catalogue.

Every text says what happened, where, and what to do now. A family has the builtin that a caller
would expect as its second base. Codes begin with the family's name ("store.full").
"""

from __future__ import annotations

from deals.errors import PredealError


class StoreError(PredealError, OSError):
    """The journal, the sets or the logbook cannot be read or written."""

    # OSError would show errno and file name instead.
    __str__ = PredealError.__str__


class DirectorError(PredealError, ValueError):
    """Who asks is not known as director, or a director has to be asked first."""


class ConfigError(PredealError, ValueError):
    """The configuration names a value that is not possible; `file`, `section`, `key` say where."""
