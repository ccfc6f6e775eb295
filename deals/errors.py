"""Errors are a code and values; the text is made at the edge, from `deals.words`."""

from __future__ import annotations


class PredealError(Exception):
    """Base of every error this program raises on purpose.

    `code` is a msgid of the catalogue such as "file.too_big"; `values` fill its placeholders.
    `str(error)` is the text as the process speaks; `error.text("fi")` another language.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values: dict[str, object] = values

    def text(self, lang: str | None = None) -> str:
        """The message for a person, in *lang* or as the process speaks."""
        from deals import words  # late: whoever only raises needs no catalogue

        return words.text(self.code, self.values, lang)

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, self.values))


class DealError(PredealError, ValueError):
    """What was to be a card, deal, board or set is none."""


class DealFileError(PredealError, ValueError):
    """A deal file as a whole cannot be read or written; faults of one board are findings."""


class SetCodeError(PredealError, ValueError):
    """A set code was mistyped or misheard."""


def _rebuild(kind: type[PredealError], code: str, values: dict[str, object]) -> PredealError:
    return kind(code, **values)
