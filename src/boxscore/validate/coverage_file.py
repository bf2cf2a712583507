"""Files of what held-out pictures must cover: predicates, each with the least pictures, objects and sessions."""

from __future__ import annotations

import os
from dataclasses import dataclass

from boxscore.io.yaml_fields import Field, Mistakes, WrongFieldError, attempt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.validate.asked import Path

LEASTS = ("pictures", "objects", "sessions")
_KINDS = ("pictures", "objects", "each")
_MOST = 10**9


@dataclass(frozen=True, slots=True)
class Requirement:
    """One predicate.

    `kind` says of what: `pictures` or `objects` for which the condition `sql` holds, or `each`: the pictures (objects)
    of every value of the column `sql`, among them at least `values`. `least` is what there must be of each.
    """

    name: str
    kind: str
    sql: str
    least: dict[str, int]
    values: tuple[str, ...] = ()


def read(path: Path) -> list[Requirement]:
    """The requirements of a YAML file. Raises InputError that names the key path of every mistake."""
    from boxscore.io import yaml_files

    shown = os.fspath(path)
    content = yaml_files.load(shown)
    mistakes = Mistakes(shown, gaps=True)
    for repeated, line in yaml_files.repeated_keys(shown):
        mistakes.add(repeated, f"this key is given twice (again in line {line}); YAML would keep the last alone")
    found = attempt(Field(content, "", mistakes), _all) or []
    mistakes.stop_if_any()
    return found


def _all(top: Field) -> list[Requirement]:
    required = top.fields(("require",), needed=("require",)).get("require")
    if required is None:
        raise WrongFieldError  # it has been told
    named = list(required.named())
    if not named:
        required.wrong("it is empty; name at least one requirement")
    read_ones = [attempt(field, _one, name) for name, field in named]
    return [one for one in read_ones if one is not None]


def _one(given: Field, name: str) -> Requirement:
    fields = given.fields((*_KINDS, "values", "least"), needed=("least",))
    kinds = [kind for kind in _KINDS if kind in fields]
    if len(kinds) != 1:
        given.wrong(f"it needs one of {', '.join(_KINDS)}, and has {' and '.join(kinds) or 'none'}")
    if "values" in fields and kinds[0] != "each":
        fields["values"].tell("values are those of a column, and go with `each` alone")
    least = attempt(fields.get("least"), _least)
    sql = attempt(fields[kinds[0]], Field.text)
    values = attempt(fields.get("values"), _values) or ()
    if least is None or sql is None:
        raise WrongFieldError  # likewise
    return Requirement(name, kinds[0], sql, least, values)


def _least(given: Field) -> dict[str, int]:
    fields = given.fields(LEASTS)
    if not fields:
        given.wrong(f"it is empty; give at least one of {', '.join(LEASTS)}")
    stated = {name: attempt(field, Field.whole, 1, _MOST) for name, field in fields.items()}
    return {name: value for name, value in stated.items() if value is not None}


def _values(given: Field) -> tuple[str, ...]:
    return tuple(str(item.value) for item in given.items())
