"""Inputs held to their hashes, and files that stand under two names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from boxscore.study.declared import Pinned, Study


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes.

    Of a folder: that of a text with a line `DIGEST  PATH` for each file in it, in order of path (as
    `sha256sum` prints them), so that a file that is changed, added, taken away or renamed changes it.
    """
    import hashlib

    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    names = sorted(entry.relative_to(path).as_posix() for entry in path.rglob("*") if entry.is_file())
    lines = "".join(f"{sha256_of(path / name)}  {name}\n" for name in names)
    return hashlib.sha256(lines.encode()).hexdigest()


class Hashes:
    """SHA-256 of the files of a study, each taken once."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Path, str] = {}

    def of(self, file: Pinned) -> str:
        """The hash that the file has now."""
        key = file.path.resolve()
        if key not in self._found:
            self._found[key] = sha256_of(key)
        return self._found[key]

    def changed(self, study: Study) -> list[str]:
        """A sentence for each input whose hash isn't the declared one; where another variant declares it, that one."""
        declared = {v.predictions.sha256: ref for ref, v in study.variants.items() if v.predictions.sha256}
        told = []
        for what, file in inputs(study):
            now = self.of(file)
            if file.sha256 in (None, now):
                continue
            owner = declared.get(now)
            hint = (
                "" if owner is None or owner == what else f"; it is the file declared for {owner}: a variant mixed up?"
            )
            told.append(f"{file.where}: {file.stated} has SHA-256 {now}, not {file.sha256} as declared{hint}")
        return told

    def undeclared(self, study: Study) -> list[str]:
        """A sentence for the inputs without a declared hash."""
        return [
            f"{file.where}: no hash is declared; the file's is `sha256: {self.of(file)}`"
            for _, file in inputs(study)
            if file.sha256 is None
        ]

    def repeated(self, variants: Mapping[str, Pinned]) -> list[str]:
        """A sentence for each file that stands under several names."""
        by_hash: dict[str, list[str]] = {}
        for ref, file in variants.items():
            by_hash.setdefault(self.of(file), []).append(ref)
        return [
            f"{' and '.join(refs)} are the same file (SHA-256 {digest[:12]}…): their figures are one, not several"
            for digest, refs in by_hash.items()
            if len(refs) > 1
        ]


def inputs(study: Study) -> Iterator[tuple[str, Pinned]]:
    """What is read for the figures: a name for each, and the file."""
    from boxscore.study.declared import Pinned

    yield "ground truth", study.ground_truth
    if isinstance(study.taxonomy, Pinned):
        yield "taxonomy", study.taxonomy
    for ref, variant in study.variants.items():
        yield ref, variant.predictions
        if variant.thresholds is not None:
            yield f"thresholds of {ref}", variant.thresholds
        for latency in variant.latencies:
            yield f"latency of {ref}", latency.file
