"""A run folder's slim form: the columns that figures and pairing need, small enough to be committed."""

from __future__ import annotations

from boxscore.model.json_text import to_json
from boxscore.runs.layout import IMAGE_COLUMNS, MANIFEST, MATCH_COLUMNS, METRICS, OBJECT_COLUMNS, file_of
from boxscore.runs.manifest import describe, seal
from boxscore.runs.write import write_bytes, write_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from boxscore.runs.read import SavedRun

_REASON = "left out of the slim form"
_OWN = {
    "images": (IMAGE_COLUMNS, ("image", "image_id", "file_name", "group")),
    "ground_truth": (OBJECT_COLUMNS, ("image", "label", "matched", "ignored")),
    "detections": (None, ("image", "label", "score", *MATCH_COLUMNS)),
}
"""By table: its own columns (None: all), and those of them that stay. Metadata and attributes stay, too."""


def write_slim(saved: SavedRun, folder: Path) -> None:
    """Write the slim form of a run that was read and verified into an empty folder.

    What was run, on which bytes, and the digests of data and protocol are those of the run; boxes, sizes, places in
    files and the table of pairs are gone, as `not_kept` says.
    """
    tables: dict[str, pl.DataFrame] = {}
    gone = dict(saved.manifest["not_kept"])
    for name in saved.tables:
        if name == "pairs":
            gone[name] = f"the table: {_REASON}"
            continue
        frame = saved.table(name)
        dropped = _dropped(name, frame)
        if dropped:
            gone[name] = f"{', '.join(dropped)}: {_REASON}"
        tables[name] = frame.drop(dropped)
    for name, frame in tables.items():
        write_table(folder / file_of(name), frame)
    write_bytes(folder / METRICS, (saved.folder / METRICS).read_bytes())
    manifest = saved.manifest | {"tables": {name: describe(frame) for name, frame in tables.items()}, "not_kept": gone}
    manifest = {key: value for key, value in manifest.items() if key != "digest"}
    write_bytes(folder / MANIFEST, f"{to_json(manifest | {'digest': seal(manifest)})}\n".encode())


def _dropped(name: str, frame: pl.DataFrame) -> list[str]:
    if name not in _OWN:
        return []
    own, kept = _OWN[name]
    return [column for column in frame.columns if column not in kept and (own is None or column in own)]
