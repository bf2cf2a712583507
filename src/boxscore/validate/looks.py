"""The part that the ledger has in a validation: a look that is appended, or one that is found again."""

from __future__ import annotations

from datetime import UTC, datetime

from boxscore.validate import ledger as ledgers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.validate.asked import Path
    from boxscore.validate.cases import Cases
    from boxscore.validate.ledger import Ledger


class Look:
    """A look at the pictures: the `number` of its line, the `earlier` looks at any of them, and whether the thresholds
    were fitted on some (`fitted`), as far as the ledger knows.
    """

    __slots__ = ("earlier", "fitted", "number")

    def __init__(self, ledger: Ledger, cases: Cases, about: dict[str, Any], number: int) -> None:
        before = ledgers.Ledger(ledger.path, [look for look in ledger.looks if look["number"] < number])
        fitted_on = about["thresholds_fitted_on"]
        self.number = number
        self.earlier = before.earlier(cases)
        self.fitted = fitted_on is not None and (fitted_on == about["data"] or before.fitted_on(cases, fitted_on))

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "line": self.number,
            "earlier_looks": len(self.earlier),
            "earlier_models": len({look.get("model") for look in self.earlier}),
            "thresholds_fitted_on_these_pictures": self.fitted,
        }


def appended(path: Path, cases: Cases, about: dict[str, Any]) -> Look:
    """Append a look to a ledger. Raises InputError as `ledger.append` does."""
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    before = ledgers.append(path, cases, about, now)
    return Look(before, cases, about, len(before.looks) + 1)


def found_again(path: Path, cases: Cases, about: dict[str, Any], number: int) -> tuple[Look, str | None]:
    """The look that a record names by its line, and what is wrong with it (None: nothing). Nothing is appended."""
    ledger = ledgers.Ledger.read(path)
    look = Look(ledger, cases, about, number)
    if not 1 <= number <= len(ledger.looks):
        return look, f"{ledger.path} has {len(ledger.looks)} lines, and the record's look is line {number}"
    line = ledger.looks[number - 1]
    differing = [name for name, value in about.items() if line.get(name) != value]
    if differing:
        return look, f"{ledger.path} line {number} is of another look: {', '.join(differing)} differ"
    return look, None
