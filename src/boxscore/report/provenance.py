"""Where the figures come from: inputs by hash, digests, versions, settings.

Times, places and platforms are left out: the same evaluation made again, elsewhere, gives the same report.
"""

from __future__ import annotations

from boxscore.report.parts import TEXT, Cell, Column, Section, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.report.contents import Contents
    from boxscore.runs import SavedRun

_ROLES = {"ground_truth": "ground truth", "predictions": "predictions"}
_PLACES = ("gt", "pred", "images", "metadata")
"""Options that are paths: the inputs stand for them, by name and hash."""


def provenance(contents: Contents) -> Section:
    """A table of what identifies the run."""
    rows = [[Cell(name), Cell(value)] for name, value in _facts(contents.saved)]
    table = Table("Provenance", [Column("what", TEXT), Column("value", TEXT)], rows, id="provenance-table")
    lines = ["Runs may be compared where both digests are equal; `boxscore eval` on these bytes gives these figures."]
    return Section("provenance", "Provenance", lines=lines, tables=[table])


def _facts(saved: SavedRun) -> Iterator[tuple[str, str]]:
    manifest = saved.manifest
    for role, stated in sorted(manifest["inputs"].items()):
        name = _ROLES.get(role, role)
        path = str(stated.get("path") or "").replace("\\", "/").rpartition("/")[2]
        if stated.get("sha256") is None:
            yield name, f"{path}: {stated.get('reason') or 'no digest was kept'}"
        else:
            yield name, f"{path}, {stated['bytes']:,} bytes, SHA-256 {stated['sha256']}"
    yield "digest of the data", saved.data_identity or "none: the ground truth was let go"
    yield "digest of protocol and labels", saved.compatibility
    command = manifest["command"]
    if command:
        yield "command", _command(command)
    yield "protocol", _protocol(saved)
    for step in saved.steps:
        yield "before matching", ", ".join(f"{key} {value}" for key, value in step.items())
    floors = saved.floors
    if floors is not None:
        own = f"; of their own: {len(floors.by_label)} labels" if floors.by_label else ""
        yield "confidence floors", f"{floors.default:g}{own}"
    versions = manifest["versions"]
    yield "made with", f"boxscore {versions.get('boxscore')}, kernel {versions.get('kernel')}"


def _command(command: dict[str, object]) -> str:
    if command.get("name") == "python":
        return "made in Python"
    options = command.get("options")
    stated = options if isinstance(options, dict) else {}
    given = [f"{name}={value}" for name, value in sorted(stated.items()) if name not in _PLACES]
    return " ".join(["boxscore", str(command.get("name")), *given])


def _protocol(saved: SavedRun) -> str:
    protocol = saved.protocol
    modified = f", modified: {', '.join(protocol.modified)}" if protocol.modified else ""
    thresholds = ", ".join(f"{iou:.9g}" for iou in protocol.iou_thresholds)
    return f"{protocol.name} {protocol.version}{modified}: rule {protocol.rule}, IoU {thresholds}"
