"""Where a validation goes: the record, the page and the run folder beside it."""

from __future__ import annotations

from pathlib import Path as FilePath

from boxscore.errors import InputError
from boxscore.model.whole_files import write_text
from boxscore.validate.page import page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.validate.asked import Path
    from boxscore.validate.validating import Validation


class Places:
    """`record`, `page` and `run`: files and folder of a validation, by the name of its record unless they are named.

    Raises InputError for what is there already, unless it may be replaced, and for a folder that is not there.
    """

    __slots__ = ("overwrite", "page", "record", "run")

    def __init__(
        self, record: Path, *, page: Path | None = None, run: Path | None = None, overwrite: bool = False
    ) -> None:
        from boxscore.runs import check_target

        self.record = FilePath(record)
        self.page = FilePath(page) if page is not None else self.record.with_suffix(".md")
        self.run = FilePath(run) if run is not None else self.record.with_suffix(".run")
        self.overwrite = overwrite
        if len({self.record, self.page, self.run}) < 3:
            raise InputError(f"{self.record}: record, page and run folder need three names; name them apart")
        for file in (self.record, self.page):
            if file.is_dir():
                raise InputError(f"{file} is a folder; name a file to write")
            if not file.absolute().parent.is_dir():
                raise InputError(f"{file}: there is no folder {file.parent}; make it first")
            if file.exists() and not overwrite:
                raise InputError(f"{file} is there already; name another file, or replace it with --overwrite")
        check_target(self.run, overwrite=overwrite)

    def write(self, validation: Validation) -> None:
        """Write all three, the record last, so that it stands for the others. Raises InputError."""
        from boxscore.runs import write_derived

        options = validation.record["inputs"]
        validation.run.save(self.run, overwrite=self.overwrite, command={"name": "validate", "options": options})
        if validation.milliseconds:
            write_derived(self.run, "latency", {"milliseconds": validation.milliseconds})
        write_text(self.page, page(validation))
        write_text(self.record, validation.text)
