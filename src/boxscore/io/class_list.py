"""The labels that `classes` of FormOptions names, for forms whose files state labels by name."""

from __future__ import annotations

from boxscore.model.labels import LabelSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.io.form_options import FormOptions


def label_set(options: FormOptions) -> LabelSet | None:
    """The labels given, by the numbers that their file gives them (a list starts at `class_base`); None where none
    are. Raises InputError for a file that can't be read.
    """
    if options.classes is None:
        return None
    from boxscore.io import class_names

    read = class_names.read(options.classes)
    numbered = read.numbered_from(options.class_base)
    return LabelSet(list(numbered), list(numbered.values()), read.source)


def told(options: FormOptions) -> str:
    """The words for a note on ground truth: whence the order of labels is."""
    return "as they first appear (override: --classes)" if options.classes is None else "as given"
