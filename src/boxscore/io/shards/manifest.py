"""The manifest of a sharded data set: read and checked, and written last."""

from __future__ import annotations

import json

from boxscore.errors import InputError
from boxscore.io import stores
from boxscore.io.shards.layout import DETECTIONS, FORMAT, IMAGES, KIND, MANIFEST, OBJECTS, Part, PartFile, Shards
from boxscore.model.labels import id_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.model.labels import Id

ROLES = ("ground_truth", "predictions")
_AGAIN = "write the data set again with boxscore convert"


def read(root: str) -> Shards | None:
    """The data set whose manifest lies in a folder or at an address; None where there is none, or it is another kind.

    Raises InputError for a manifest that is damaged, or of a newer format.
    """
    place = stores.joined(root, MANIFEST)
    try:
        with stores.open_file(place) as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{place} can't be read: {error.strerror or error}; check the path and its rights") from None
    try:
        stated = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError(f"{place} is not valid JSON: it was cut off or changed; {_AGAIN}") from None
    if not isinstance(stated, dict) or stated.get("kind") != KIND:
        return None
    return _shards(root, place, stated)


def text_of(
    role: str,
    parts: Sequence[Part],
    labels: Sequence[tuple[Id, str]] | None,
    corner_convention: str,
    made_of: str | None,
) -> str:
    """The manifest's text."""
    from boxscore.model.json_text import to_json

    content: dict[str, Any] = {"kind": KIND, "format": ".".join(map(str, FORMAT)), "role": role}
    if labels is not None:
        content["labels"] = [{"id": i, "name": name} for i, name in labels]
    content |= {"corner_convention": corner_convention, "made_of": made_of}
    content["rows"] = sum(file.rows for part in parts for file in (part.objects, part.detections) if file is not None)
    content["parts"] = [_stated(part) for part in parts]
    return f"{to_json(content)}\n"


def _stated(part: Part) -> dict[str, Any]:
    files = {IMAGES: part.images, OBJECTS: part.objects, DETECTIONS: part.detections}
    return {
        "first": part.first,
        "last": part.last,
        **{
            name: {"path": file.path, "rows": file.rows, "bytes": file.bytes, "sha256": file.sha256}
            for name, file in files.items()
            if file is not None
        },
    }


def _shards(root: str, place: str, stated: dict[str, Any]) -> Shards:
    version = str(stated.get("format", ""))
    if version.partition(".")[0] != str(FORMAT[0]):
        raise InputError(f"{place}: format is {version or 'missing'}; this boxscore reads {FORMAT[0]}.x: {_AGAIN}")
    role = stated.get("role")
    if role not in ROLES:
        raise InputError(f"{place}: role is {role!r}; it must be {' or '.join(ROLES)}: {_AGAIN}")
    try:
        labels = None if "labels" not in stated else tuple((one["id"], str(one["name"])) for one in stated["labels"])
        parts = tuple(_part(number, one, role) for number, one in enumerate(stated["parts"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{place}: a part is not described as it should be ({error}): it was changed; {_AGAIN}"
        ) from None
    convention = stated.get("corner_convention", "continuous")
    _check_order(place, parts)
    return Shards(root, root, role, parts, labels, convention)


def _part(number: int, stated: dict[str, Any], role: str) -> Part:
    needed = (IMAGES, OBJECTS) if role == "ground_truth" else (DETECTIONS,)
    files = {
        name: PartFile(**{key: stated[name][key] for key in ("path", "rows", "bytes", "sha256")}) for name in needed
    }
    return Part(number, stated["first"], stated["last"], files.get(IMAGES), files.get(OBJECTS), files.get(DETECTIONS))


def _check_order(place: str, parts: Sequence[Part]) -> None:
    """Parts hold ascending ranges of image ids, so that no image stands in two of them."""
    last: tuple[Any, ...] | None = None
    for part in parts:
        if part.first is None or part.last is None:
            continue
        first = id_order(part.first)
        if last is not None and first <= last:
            raise InputError(
                f"{place}: the images of part {part.number} don't lie behind those of the one before; {_AGAIN}"
            )
        last = id_order(part.last)
