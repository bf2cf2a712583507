"""Galleries as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.gallery import FORMAT, IDS, VERSION, Gallery, GalleryActor, GalleryPicture
from boxscore.io.yaml_fields import Field, Mistakes, attempt

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

_SHA256 = re.compile(r"[0-9a-f]{64}")


def read(path: str | PathLike[str]) -> Gallery:
    """The gallery in a JSON file. Raises InputError that names the key path of each mistake."""
    from boxscore.io import json_files

    mistakes = Mistakes(str(path), gaps=True)
    top = Field(json_files.load(path), "", mistakes)
    fields = attempt(top, Field.fields, ("format", "version", "model", "actors"), ("format", "model", "actors")) or {}
    attempt(fields.get("format"), Field.choice, (FORMAT,))
    attempt(fields.get("version"), Field.whole, VERSION, VERSION)
    model = attempt(fields.get("model"), _model)
    actors = []
    for item in attempt(fields.get("actors"), Field.items) or []:
        found = attempt(item, _actor)
        if found is not None:
            actors.append(found)
    mistakes.stop_if_any()
    assert model is not None  # noqa: S101  a mistake was kept wherever reading stopped
    return Gallery(*model, tuple(actors), str(path))


def _model(given: Field) -> tuple[str, str]:
    fields = given.fields(("name", "sha256"), needed=("name", "sha256"))
    return attempt(fields.get("name"), Field.text) or "", attempt(fields.get("sha256"), sha256) or ""


def sha256(given: Field) -> str:
    """64 hexadecimal digits."""
    digest = digest_of(given.text())
    if digest is None:
        given.wrong(no_digest(given.text()))
    return digest


def digest_of(text: str) -> str | None:
    """The 64 hexadecimal digits of a SHA-256, in small letters; None where the text is none."""
    digest = text.lower().removeprefix("sha256:")
    return digest if _SHA256.fullmatch(digest) else None


def no_digest(text: str) -> str:
    """That a text is no SHA-256."""
    return f"{text[:70]!r} is no SHA-256 (64 hexadecimal digits)"


def _actor(given: Field) -> GalleryActor:
    fields = given.fields(("actor", "ids", "embeddings", "pictures"), needed=("actor", "embeddings"))
    ids = attempt(fields.get("ids"), Field.fields, IDS) or {}
    read_ids = {kind: attempt(value, Field.text) for kind, value in ids.items()}
    pictures = attempt(fields.get("pictures"), _pictures) or ()
    return GalleryActor(
        actor=attempt(fields.get("actor"), Field.text) or "",
        embeddings=_embeddings(fields.get("embeddings")),
        ids={kind: value for kind, value in read_ids.items() if value is not None},
        pictures=pictures,
    )


def _pictures(given: Field) -> tuple[GalleryPicture, ...]:
    found = []
    for item in given.items():
        fields = {} if item.value is None else item.fields(("file", "sha256"))
        found.append(GalleryPicture(attempt(fields.get("file"), Field.text), attempt(fields.get("sha256"), sha256)))
    return tuple(found)


def _embeddings(given: Field | None) -> NDArray[np.float64]:
    import numpy as np

    empty: NDArray[np.float64] = np.zeros((0, 0))
    if given is None:
        return empty
    try:
        found = np.array(given.value, dtype=np.float64)
    except (TypeError, ValueError):
        found = empty
    if found.ndim != 2 or found.size == 0:
        given.tell("it must be a list of embeddings, each a list of so many numbers: at least one")
        return empty
    return found


def write(gallery: Gallery, path: str | PathLike[str]) -> None:
    """Write the gallery, a line an actor. Raises InputError where it can't be written."""
    from boxscore.model.json_text import to_json
    from boxscore.model.whole_files import write_text

    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "model": {"name": gallery.model, "sha256": gallery.sha256},
        "actors": [_row(actor) for actor in gallery.actors],
    }
    write_text(path, f"{to_json(content)}\n")


def _row(actor: GalleryActor) -> dict[str, Any]:
    row: dict[str, Any] = {"actor": actor.actor, "ids": dict(actor.ids), "embeddings": actor.embeddings.tolist()}
    if actor.pictures:
        row["pictures"] = [{"file": one.file, "sha256": one.sha256} for one in actor.pictures]
    return row


def no_gallery(path: str | PathLike[str], why: str) -> InputError:
    """That a file is no gallery."""
    return InputError(f"{path}: {why}; docs/faces.md describes what a gallery file holds")
