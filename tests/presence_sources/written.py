"""Files of ground truths and predictions, as their makers write them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.presence.timeline import Presence

PEOPLE = """name_id,person,character
nm0000158,Ann Lee,Mae
nm0000210,Bo Ray,
nm0000300,Cy Dow,Old Sam
"""
SCENES = """scene,start,end
7,0,60000
3,60000,90000
9,90000,120000
"""
PRESENT = """scene,start,end,name_id,timestamp
1,0,60000,nm0000158,0
1,0,60000,nm0000210,45000
2,60000,90000,,
3,90000,120000,nm0000158,95500
"""


def xray(folder: Path, people: str | None = PEOPLE, scenes: str | None = SCENES, present: str | None = PRESENT) -> Path:
    """A title's folder; None leaves a file out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("people.csv", people), ("scenes.csv", scenes), ("people_in_scenes.csv", present)):
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


# 10 frames a second: shots of 10, 20 and 10 frames.
SHOTS = "0 9 2 5 8\n10 29 14 20 26\n30 39 32 35 38\n"


def body(shot: int, image: int, pid: str | None, **more: Any) -> dict[str, Any]:
    """An entry of MovieNet's `cast`."""
    box = {"type": "detected", "bbox": [22, 27, 1148, 675]}
    return {"shot_idx": shot, "img_idx": image, "frame_idx": None, "body": box, "pid": pid, **more}


def movienet(
    folder: Path,
    cast: object,
    *,
    scene: object = None,
    shots: str | None = SHOTS,
    title: str = "tt1210166",
    **more: Any,
) -> Path:
    """A folder with a film's annotation and shot file."""
    for name in ("annotation", "shot"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    content = {"imdb_id": title, "cast": cast, "scene": scene, **more}
    (folder / "annotation" / f"{title}.json").write_text(json.dumps(content), encoding="utf-8")
    if shots is not None:
        (folder / "shot" / f"{title}.txt").write_text(shots, encoding="utf-8")
    return folder


def cell(rows: Sequence[Sequence[object]]) -> Any:
    """A MATLAB table of cells."""
    found = np.empty((len(rows), len(rows[0])), object)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            found[i, j] = value
    return found


BOX = np.array([[10, 20, 30, 40]], np.int32)
NO_BOX = np.zeros((0, 0))


def train(
    folder: Path,
    identities: Iterable[tuple[object, Sequence[str]]],
    split: str = "Train_app10",
    *,
    compressed: bool = False,
) -> Path:
    """A MovieNet-PS training split: identity and pictures."""
    from scipy.io import savemat

    rows = [(name, 1, cell([(picture, BOX, 0) for picture in pictures])) for name, pictures in identities]
    return _saved(folder, split, partial(savemat, do_compression=compressed), {"Train": cell(rows)})


def gallery_split(folder: Path, items: Sequence[Mapping[str, object]], split: str = "TestG2000") -> Path:
    """A MovieNet-PS test split: records of Query and Gallery."""
    from scipy.io import savemat

    table = np.empty((1, len(items)), [("Query", object), ("Gallery", object)])
    for place, item in enumerate(items):
        table[0, place] = (item["Query"], item["Gallery"])
    return _saved(folder, split, savemat, {split: table})


def _saved(folder: Path, split: str, savemat: Any, content: Mapping[str, object]) -> Path:
    place = folder / "annotation" / "test" / "train_test"
    place.mkdir(parents=True, exist_ok=True)
    savemat(place / f"{split}.mat", content)
    return folder


def prediction(path: Path, content: object) -> Path:
    """A pipeline's JSON; NaN and Infinity are written as Python writes them."""
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def told(presence: Presence) -> list[tuple[str, float, float, str | None]]:
    """Windows in words: first key, start, end, scene."""
    from boxscore.presence.identity import label_of

    windows = presence.windows
    columns = (windows.person.tolist(), windows.start.tolist(), windows.end.tolist(), windows.scene.tolist())
    return [
        (label_of(presence.people[person]), start, end, presence.scenes.names[scene] if scene >= 0 else None)
        for person, start, end, scene in zip(*columns, strict=True)
    ]
