"""Law 6E: what a record may say about where its deals came from."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from deals.laws.editions import DEFAULT, Edition, Topic


class Origin(enum.Enum):
    """How the deals of a set came to be."""

    GENERATED = "generated"
    """Made here, every deal equally likely (6E4)."""
    IMPORTED = "imported"
    """From a file: nothing is known of its randomness."""
    TABLES = "tables"
    """Dealt by hand at the tables and recorded (6E1)."""
    TEACHING = "teaching"
    """Made here or imported to fit a purpose: never for normal play."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """Who dealt what how; kept with the set and printed in its record."""

    origin: Origin
    file: str = ""
    who: str = ""
    """The Director, or his assistant or agent (6E2, 6E3)."""
    witness: str = ""
    """Somebody of the other side who was present (6C), if the Director wants it told."""

    def statement(self) -> list[tuple[str, dict[str, object]]]:
        """Codes and values of the sentences for the record; it claims no more than is known."""
        code = f"law.origin_{self.origin.value}"
        found: list[tuple[str, dict[str, object]]] = [(code, {"file": self.file})]
        if self.who:
            found.append(("law.dealt_by", {"who": self.who}))
        if self.witness:
            found.append(("law.witness", {"who": self.witness}))
        return found

    def normal_play(self, edition: Edition = DEFAULT) -> list[tuple[str, dict[str, object]]]:
        """What speaks against normal play; empty if nothing does (1997 asks for no randomness)."""
        law = Topic.RANDOM_EXPECTATION.law(edition)
        if self.origin is Origin.TEACHING:
            return [("law.teaching_only", {"law": law or "6"})]
        if self.origin is Origin.IMPORTED and law:
            return [("law.randomness_unknown", {"file": self.file, "law": law})]
        return []
