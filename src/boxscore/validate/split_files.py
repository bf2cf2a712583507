"""Splits as files: a list of images each, a COCO file each where that is what was split, and data.yaml for YOLO's."""

from __future__ import annotations

import json
import os
from pathlib import Path as FilePath

from boxscore.errors import InputError
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.validate.asked import Path
    from boxscore.validate.splitting import Splits

RECORD = "split.json"


def write(splits: Splits, source: Path, folder: Path) -> list[str]:
    """Write the splits into a new folder; names of the files, in order.

    - `split.json`: what was asked for, and what each split holds.
    - `NAME.txt`: a line an image. Of a YOLO data set the path of its picture (whole, unless the pictures lie below
      the new folder), as its trainers read it, with a `data.yaml` that names the splits and classes; of others the
      file name, or id.
    - `NAME.json`: of a COCO file, its content with the images of the split and their annotations alone.

    Raises InputError for a folder that is there, and where it can't be written.
    """
    home = FilePath(folder)
    if home.exists():
        raise InputError(f"{home} is there already; name a new folder for the splits")
    texts = {
        f"{name}.txt": "".join(f"{line}\n" for line in _lines(splits, name, source, home)) for name in splits.shares
    }
    if _pictures(source) is not None:
        texts["data.yaml"] = _data_yaml(splits)
    texts |= _coco(splits, source)
    texts[RECORD] = json.dumps(splits.to_dict(), indent=2) + "\n"
    try:
        home.mkdir(parents=True)
        for name, text in texts.items():
            (home / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{home} can't be written: {error.strerror or error}; check space and rights") from None
    return list(texts)


def _lines(splits: Splits, name: str, source: Path, home: FilePath) -> list[str]:
    names = splits.dataset.images.column("file_name").to_list()
    shown = [str(i) if one is None else str(one) for i, one in zip(splits.dataset.image_ids, names, strict=True)]
    chosen = [one for one, own in zip(shown, splits.of_image, strict=True) if own == name]
    pictures = _pictures(source)
    if pictures is None:
        return chosen
    # Trainers take `./` for the list's folder, and any other relative path from wherever they run.
    paths = [os.path.relpath(FilePath(pictures, one), home).replace(os.sep, "/") for one in chosen]
    whole = FilePath(pictures).resolve().as_posix()
    return [
        f"{whole}/{one}" if path.startswith("../") else f"./{path}" for one, path in zip(chosen, paths, strict=True)
    ]


def _pictures(source: Path) -> str | None:
    """The folder of a YOLO data set's pictures; None for anything else."""
    from boxscore.io import yolo, yolo_layout

    path = os.fspath(source)
    if yolo.looks_like(path) is None:
        return None
    layout = yolo_layout.find(path)
    return layout.images if layout.picture_files else None


def _data_yaml(splits: Splits) -> str:
    from boxscore.io import yaml_files

    content: dict[str, Any] = {name: f"{name}.txt" for name in splits.shares}
    return yaml_files.dump({"path": ".", **content, "names": dict(enumerate(splits.dataset.labels.names))})


def _coco(splits: Splits, source: Path) -> dict[str, str]:
    origin = splits.dataset.origin
    if origin is None or isinstance(origin, dict):
        return {}
    content = json.loads(FilePath(origin).read_bytes())
    found = {}
    for name in splits.shares:
        own = {i for i, split in zip(splits.dataset.image_ids, splits.of_image, strict=True) if split == name}
        images = [one for one in content["images"] if one["id"] in own]
        if len(images) != len(own):
            raise InputError(
                f"{os.fspath(source)}: {counted(len(own) - len(images), 'image')} of split {name} can't be found again "
                "by id; write ids as whole numbers or texts"
            )
        rows = [one for one in content.get("annotations", []) if one["image_id"] in own]
        found[f"{name}.json"] = json.dumps({**content, "images": images, "annotations": rows}) + "\n"
    return found
