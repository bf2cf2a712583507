"""The folder of a set of scenes: taken up where it was left, written so that it can be left at any moment.

images/scene_0017.png     pictures, each whole or not there
ground_truth.json         COCO
metadata.csv              a row an image
manifest.json             what it was made with, and the hash of each file; written last
.unfinished/              while scenes are made: begun.json, and a record for each scene that is done
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from boxscore.errors import InputError
from boxscore.model.whole_files import write_text
from boxscore.scenes.generating.records import Record

IMAGES, TRUTH, TABLE, MANIFEST, UNFINISHED = (
    "images",
    "ground_truth.json",
    "metadata.csv",
    "manifest.json",
    ".unfinished",
)
FORMAT, VERSION = "boxscore-scenes", 1
_BEGUN = "begun.json"


class Folder:
    """A folder that is being filled, held by this process alone until `close`.

    `made_with` is what every byte depends on. Raises InputError for a folder that holds something else, that was made
    with something else (the fields that differ are named), or that another process fills.
    """

    def __init__(self, path: Path, made_with: Mapping[str, Any]) -> None:
        self.path = path
        self.made_with = json.loads(json.dumps(made_with))
        self._lock: BinaryIO | None = None
        self._check()
        try:
            for part in (self.images, self.unfinished):
                part.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path} can't be made: {error.strerror}; give another --out") from None
        self._lock = _locked(self.unfinished / "lock")
        write_text(self.unfinished / _BEGUN, json.dumps({"format": FORMAT, "made_with": self.made_with}) + "\n")

    @property
    def images(self) -> Path:
        """Where pictures are."""
        return self.path / IMAGES

    @property
    def unfinished(self) -> Path:
        """What is there while scenes are made."""
        return self.path / UNFINISHED

    def done(self) -> dict[int, Record]:
        """Records of the scenes whose picture is there as it was written, by number."""
        found = {record.scene: record for record in self._finished()}
        for path in sorted(self.unfinished.glob("scene_*.json")):
            content = _read(path)
            if content is not None:
                record = Record(**content)
                found[record.scene] = record
        return {number: record for number, record in sorted(found.items()) if self._has_picture(record)}

    def close(self, *, finished: bool = False) -> None:
        """Let go of it; what is there while scenes are made goes where all are `finished`."""
        if finished:
            shutil.rmtree(self.unfinished, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()

    def _check(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path} is a file; give a folder as --out")
        known = _read(self.unfinished / _BEGUN) or _read(self.path / MANIFEST)
        if known is None or known.get("format") != FORMAT:
            if self.path.exists() and any(path.name != UNFINISHED for path in self.path.iterdir()):
                raise InputError(
                    f"{self.path} is not empty, and holds no set of scenes; nothing was changed. Give another --out"
                )
            return
        _refuse_other(self.path, known["made_with"], self.made_with)

    def _finished(self) -> Iterable[Record]:
        """Records from the files of a finished set, or none where these are not as they were written."""
        manifest, truth = _read(self.path / MANIFEST), self.path / TRUTH
        if manifest is None or not truth.is_file() or _digest(truth) != manifest["files"][TRUTH]:
            return []
        content = json.loads(truth.read_bytes())
        annotations: dict[int, list[dict[str, Any]]] = {row["id"]: [] for row in content["images"]}
        for row in content["annotations"]:
            annotations[row["image_id"]].append(row)
        images = {row["id"]: row for row in content["images"]}
        entries = manifest["scenes"]
        return [Record(images[entry["scene"]], annotations[entry["scene"]], entry) for entry in entries]

    def _has_picture(self, record: Record) -> bool:
        path = self.images / record.entry["file"]
        return path.is_file() and _digest(path) == str(record.entry["sha256"])


def save(path: Path, record: Record, picture: bytes) -> None:
    """Put a scene into the folder at `path`: its picture first, so that a record stands for a whole scene.

    Raises InputError where it can't be written.
    """
    name = record.entry["file"]
    beside = path / UNFINISHED / f"{name}.{os.getpid()}.part"
    try:
        beside.write_bytes(picture)
        beside.replace(path / IMAGES / name)
    except OSError as error:
        raise InputError(
            f"{path / IMAGES / name} can't be written: {error.strerror}; check folder, space and rights, and give the "
            "same command again: scenes that are there are kept"
        ) from None
    write_text(path / UNFINISHED / f"{Path(name).stem}.json", json.dumps(record.to_dict(), allow_nan=False) + "\n")


def _read(path: Path) -> dict[str, Any] | None:
    """A JSON object that was written here; None for what is missing or torn (a power cut)."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _refuse_other(path: Path, known: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    differing = [name for name in {**known, **wanted} if known.get(name) != wanted.get(name)]
    if not differing:
        return
    # Counts by profile follow from what else is asked for: name the cause.
    named = [name for name in differing if name != "profiles"] or differing
    told = "; ".join(f"{name} {_both(known.get(name), wanted.get(name))}" for name in named)
    raise InputError(
        f"{path} holds scenes that were made with something else ({told}); continue it with what it was begun with, or "
        "give another --out"
    )


def _both(there: object, now: object) -> str:
    """Two values in words; of mappings, what differs in them."""
    if isinstance(there, dict) and isinstance(now, dict):
        inner = [name for name in {**there, **now} if there.get(name) != now.get(name)]
        there, now = ({name: side[name] for name in inner if name in side} for side in (there, now))
    return f"there {_short(there)}, now {_short(now)}"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST = 100


def _locked(path: Path) -> BinaryIO:
    """The open file, while which no other process gets it; the system lets go of it however this process ends."""
    file = path.open("wb")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows
        pass
    except OSError:
        file.close()
        raise InputError(
            f"{path.parent.parent} is being filled by another process; wait for it, or give another --out"
        ) from None
    return file
