"""What a sharded data set is: its parts, and the names and numbers of its manifest."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.model.labels import Id

KIND = "boxscore shards"
"""What `kind` in the manifest says."""

FORMAT = (1, 0)
"""Major and minor. A new major is a change that old readers would misread; a new minor only adds."""

MANIFEST = "manifest.json"
UNFINISHED = "unfinished.json"
"""Lies where shards are being written at an address, until the manifest does."""

IMAGES = "images"
OBJECTS = "ground_truth"
DETECTIONS = "detections"
"""Folders of the parts' files."""

BOX = ("x", "y", "w", "h")
FLAGS = ("crowd", "ignore", "difficult", "group_of")
IMAGE_COLUMNS = ("image_id", "file_name", "width", "height", "group")
SOURCE_ID = "source_id"
OBJECT_COLUMNS = ("image_id", "label", *BOX, "area", *FLAGS, SOURCE_ID)
"""Columns of our own; further ones are metadata of images and attributes of objects that were brought."""


@dataclass(frozen=True)
class PartFile:
    """One Parquet file: path below the root, rows, size and SHA-256 of its bytes (None: not known)."""

    path: str
    rows: int
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Part:
    """A range of images.

    `images` and `objects` are ground truth's files, `detections` predictions'; `images` is None where a foreign data
    set has no table of images. `first` and `last` are the least and the greatest image id in canonical order, None
    where there are no rows.
    """

    number: int
    first: Id | None
    last: Id | None
    images: PartFile | None = None
    objects: PartFile | None = None
    detections: PartFile | None = None

    @property
    def files(self) -> list[PartFile]:
        """Those there are."""
        return [file for file in (self.images, self.objects, self.detections) if file is not None]


@dataclass(frozen=True)
class Shards:
    """A sharded data set, or sharded predictions.

    `root` is a folder or an address that fsspec knows, `source` what the user gave. `labels` are ids and names where
    the manifest declares them; `boxes` is how a foreign data set's columns are read (`columns`: boxscore's name to the
    file's). `declared`: there is a manifest.
    """

    root: str
    source: str
    role: str
    parts: tuple[Part, ...]
    labels: tuple[tuple[Id, str], ...] | None = None
    corner_convention: str = "continuous"
    boxes: str = "xywh"
    columns: tuple[tuple[str, str], ...] = ()
    declared: bool = True

    @property
    def name(self) -> str:
        """The last part of its path, by which notes speak of it."""
        return self.root.rstrip("/").rpartition("/")[2] or self.root

    @property
    def told_by(self) -> str:
        """The file that tells what it is: the manifest, by which all parts are held to their digests."""
        return f"{self.root.rstrip('/')}/{MANIFEST}" if self.declared else self.root

    @property
    def rows(self) -> int:
        """Objects, or detections, of all parts."""
        return sum(file.rows for part in self.parts for file in (part.objects, part.detections) if file is not None)

    def name_of(self, column: str) -> str:
        """What the files call a column."""
        return dict(self.columns).get(column, column)
