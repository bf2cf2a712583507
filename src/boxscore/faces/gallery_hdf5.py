"""Galleries as HDF5; the only place that imports h5py.

Attributes `format`, `version`, `model` and `sha256`; `embeddings` [n, d] and `actor` [n], each one's row in
`actors/name`; ids in `actors/imdb`, `actors/tmdb`, `actors/jf`, empty where there is none; `pictures/file` and
`pictures/sha256` [n] may be left out.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.gallery import FORMAT, IDS, VERSION, Gallery, GalleryActor, GalleryPicture
from boxscore.faces.gallery_json import digest_of, no_digest, no_gallery

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]


def read(path: str | PathLike[str]) -> Gallery:
    """The gallery in an HDF5 file. Raises InputError that names the data set that is wrong."""
    h5py = _h5py()
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file; check the path")
    try:
        with h5py.File(path, "r") as file:
            return _gallery(file, path)
    except OSError as error:
        raise InputError(f"{path} can't be read as HDF5 ({error}); write it again") from None


def _gallery(file: Any, path: str | PathLike[str]) -> Gallery:  # noqa: ANN401  h5py is published without types
    import numpy as np

    about = {name: _text(file.attrs.get(name, "")) for name in ("format", "model", "sha256")}
    if about["format"] != FORMAT:
        raise no_gallery(
            path, f"its attribute `format` is {about['format']!r}, and not {FORMAT!r} of version {VERSION}"
        )
    version = file.attrs.get("version", VERSION)
    if not _known(version):
        raise no_gallery(path, f"its attribute `version` is {_text(version)!r}, and not {VERSION}")
    model = _digest(about["sha256"], "its attribute `sha256`", path)
    embeddings = _numbers(file, "embeddings", path)
    rows = np.asarray(_data(file, "actor", path))
    names = _texts(file, "actors/name", path)
    if embeddings.ndim != 2 or rows.shape != (len(embeddings),) or not np.issubdtype(rows.dtype, np.integer):
        raise no_gallery(path, "`embeddings` must be [n, d] and `actor` whole numbers [n]")
    if len(rows) and not (rows.min() >= 0 and rows.max() < len(names)):
        raise no_gallery(path, f"`actor` must number the {len(names)} rows of `actors/name` from 0")
    ids = {kind: _texts(file, f"actors/{kind}", path, len(names)) for kind in IDS if f"actors/{kind}" in file}
    pictures = _pictures(file, path, len(rows))
    actors = []
    for number, name in enumerate(names):
        own = np.flatnonzero(rows == number)
        of_actor = {kind: values[number] for kind, values in ids.items() if values[number]}
        actors.append(GalleryActor(name, embeddings[own], of_actor, tuple(pictures[row] for row in own if pictures)))
    return Gallery(about["model"], model, tuple(actors), os.fspath(path))


def _pictures(file: Any, path: str | PathLike[str], count: int) -> list[GalleryPicture]:  # noqa: ANN401  as above
    columns = [
        _texts(file, f"pictures/{name}", path, count) if f"pictures/{name}" in file else [""] * count
        for name in ("file", "sha256")
    ]
    if "pictures" not in file:
        return []
    return [
        GalleryPicture(name or None, _digest(digest, f"row {row} of `pictures/sha256`", path) if digest else None)
        for row, (name, digest) in enumerate(zip(*columns, strict=True))
    ]


def _digest(text: str, place: str, path: str | PathLike[str]) -> str:
    digest = digest_of(text)
    if digest is None:
        raise no_gallery(path, f"{place}: {no_digest(text)}")
    return digest


def _known(version: object) -> bool:
    import numpy as np

    stated = np.asarray(version)
    return stated.size == 1 and stated.dtype.kind in "iuf" and bool(stated.ravel()[0] == VERSION)


def _numbers(file: Any, name: str, path: str | PathLike[str]) -> NDArray[np.float64]:  # noqa: ANN401  as above
    import numpy as np

    values = _data(file, name, path)
    if values.dtype.kind not in "biuf":
        raise no_gallery(path, f"`{name}` must be numbers, and holds {values.dtype}")
    return np.asarray(values, dtype=np.float64)


def _data(file: Any, name: str, path: str | PathLike[str]) -> Array:  # noqa: ANN401  as above
    # A data set without any value has no shape, and a group has none either.
    if name not in file or getattr(file[name], "shape", None) is None:
        raise no_gallery(path, f"the data set `{name}` is missing")
    values: Array = file[name][...]
    return values


def _texts(file: Any, name: str, path: str | PathLike[str], count: int | None = None) -> list[str]:  # noqa: ANN401  as above
    values = [_text(value) for value in _data(file, name, path).ravel().tolist()]
    if count is not None and len(values) != count:
        raise no_gallery(path, f"`{name}` has {len(values)} rows, and must have {count}")
    return values


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def write(gallery: Gallery, path: str | PathLike[str]) -> None:
    """Write the gallery beside its place and put it there at once. Raises InputError where it can't be written."""
    h5py = _h5py()
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with h5py.File(beside, "w") as file:
            _fill(file, gallery, h5py)
        beside.replace(target)
    except OSError as error:
        raise InputError(f"{path} can't be written: {error}; check folder, space and rights") from None
    finally:
        beside.unlink(missing_ok=True)


def _fill(file: Any, gallery: Gallery, h5py: Any) -> None:  # noqa: ANN401  as above
    import numpy as np

    actors = gallery.actors
    file.attrs.update({"format": FORMAT, "version": VERSION, "model": gallery.model, "sha256": gallery.sha256})
    full = [actor.embeddings for actor in actors if len(actor.embeddings)]
    file["embeddings"] = np.concatenate(full) if full else np.zeros((0, 0))
    file["actor"] = np.repeat(np.arange(len(actors)), [len(actor.embeddings) for actor in actors])
    text = h5py.string_dtype()
    columns = {"actors/name": [actor.actor for actor in actors]}
    columns |= {f"actors/{kind}": [actor.ids.get(kind, "") for actor in actors] for kind in IDS}
    if any(actor.pictures for actor in actors):
        pictures = [
            picture for actor in actors for picture in (actor.pictures or (GalleryPicture(),) * len(actor.embeddings))
        ]
        columns["pictures/file"] = [picture.file or "" for picture in pictures]
        columns["pictures/sha256"] = [picture.sha256 or "" for picture in pictures]
    for name, values in columns.items():
        file.create_dataset(name, data=np.array(values, dtype=object), dtype=text)


def _h5py() -> Any:  # noqa: ANN401  as above
    try:
        import h5py
    except ImportError:
        raise InputError("a gallery in HDF5 needs h5py; pip install 'boxscore[faces]', or give it as JSON") from None
    return h5py
