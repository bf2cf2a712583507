"""Category ids of results that aren't those of the ground truth: numbers of a list of names, or positions.

Models count classes without gaps, from 0 or from 1; the ids of data sets may have gaps, as COCO's own have.
"""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.io.class_names import ClassNames
    from boxscore.io.form_options import FormOptions
    from boxscore.io.labelling import Use
    from boxscore.io.places import Places
    from boxscore.model.labels import LabelSet


def placed(
    uses: Sequence[Use], declared: LabelSet, options: FormOptions, places: Places
) -> tuple[list[Use], list[Note]]:
    """The uses by name where the option `classes` names the ids; else as positions, where this may be guessed.

    Raises InputError for an id without a name.
    """
    if options.classes is not None:
        from boxscore.io import class_names

        return _named(uses, class_names.read(options.classes), options.class_base, places)
    return as_positions(uses, declared, places) if options.bare_numbers == "positions" else (list(uses), [])


def _named(uses: Sequence[Use], classes: ClassNames, base: int | None, places: Places) -> tuple[list[Use], list[Note]]:
    by_number = classes.numbered_from(base)
    found: list[Use] = []
    for by_name, value, first, count in uses:
        name = str(value) if by_name else by_number.get(int(value)) if str(value).isdecimal() else None
        if name is None:
            raise InputError(
                f"{places.row(first)}: category_id {id_text(value)} has no name in {classes.source}, which names "
                f"{counted(len(by_number), 'class', 'classes')}, {min(by_number)} to {max(by_number)}; correct the "
                "names, or say where they start with --class-base"
            )
        found.append((True, name, first, count))
    message = f"{places.name}: COCO results; ids named by {classes.name} (override: --pred-classes, --class-base)"
    return found, [Note("read-as", message, sum(use[3] for use in uses))]


def as_positions(uses: Sequence[Use], declared: LabelSet, places: Places) -> tuple[list[Use], list[Note]]:
    """The uses with the ids of the labels at these positions, and a note that this is a guess.

    As they are where all ids are declared, where labels are stated by name, and where a number is no position.
    """
    numbers = {value for by_name, value, _, _ in uses if not by_name and isinstance(value, int)}
    known = set(declared.ids)
    if len(numbers) < len(uses) or numbers <= known:
        return list(uses), []
    base = 0 if 0 in numbers else 1
    if min(numbers) < base or max(numbers) >= base + len(declared):
        return list(uses), []
    lacking = next(use for use in uses if use[1] not in known)
    rows = sum(use[3] for use in uses)
    message = (
        f"{places.row(lacking[2])}: category_id {lacking[1]} is not among the categories of the ground truth; ids are "
        f"taken as positions among these at first, {base} = {id_text(declared.names[0])} ({counted(rows, places.noun)})"
    )
    found = [(False, declared.ids[int(value) - base], first, count) for _, value, first, count in uses]
    return [*found], [Note("labels-by-number", message, rows)]
