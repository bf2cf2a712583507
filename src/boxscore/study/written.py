"""What a study writes: results.json, its report, and the placeholders of documents; all of it, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError
from boxscore.model.whole_files import write_text
from boxscore.study.computed import Computed, compute
from boxscore.study.placeholders import Placeholder, filled
from boxscore.study.report import report
from boxscore.study.values import Answers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.study.declared import Pinned, Study


@dataclass(frozen=True, slots=True)
class Text:
    """A file that a study writes: the text that the figures give, and the placeholders that don't hold theirs yet."""

    file: Pinned
    wanted: str
    stale: list[tuple[Placeholder, str]]


def write(study: Study, threads: int | None = None) -> tuple[Computed, list[str]]:
    """Compute, and write what isn't as the files give it; the paths that were written are the second value.

    Raises InputError, before anything is written, where inputs aren't those declared or a placeholder can't be filled.
    """
    computed = compute(study, threads)
    if computed.changed:
        told = "".join(f"\n  {one}" for one in computed.changed)
        raise InputError(f"{study.shown}: inputs are not those declared; put the right file there, or its hash:{told}")
    written = []
    for text in texts(computed):
        if current_text(text.file) == text.wanted:
            continue
        write_text(text.file.path, text.wanted)
        written.append(text.file.stated)
    return computed, written


def texts(computed: Computed) -> list[Text]:
    """All that is to be written. Raises InputError for a placeholder that can't be filled."""
    study = computed.study
    made = [
        Text(study.results, results_text(computed), []),
        Text(study.report, report(computed.results, study.digits), []),
    ]
    answers = Answers(study, computed.results)
    for document in study.documents:
        wanted, stale = filled(current_text(document) or "", str(document.path), answers.answer)
        made.append(Text(document, wanted, stale))
    return made


def results_text(computed: Computed) -> str:
    """results.json: numbers so that reading gives the same bits."""
    import json

    return json.dumps(computed.results, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def current_text(file: Pinned) -> str | None:
    """The text that is there, line ends as they stand; None where there is no file."""
    from boxscore.io.utf8 import decoded

    try:
        data = file.path.read_bytes()
    except FileNotFoundError:
        return None
    text = decoded(data, str(file.path))
    return "\ufeff" + text if data.startswith(b"\xef\xbb\xbf") else text
