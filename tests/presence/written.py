"""Titles written by hand, in both forms of ground truth, and short ways to make timelines."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.presence.keys import of_text
from boxscore.presence.person import Person
from boxscore.presence.timeline import Presence, Spans, Windows, spans_of, windows_of

ANN, BOB, CID = "nm0000001", "nm0000002", "nm0000003"

Seconds = Sequence[tuple[float, float]]


def xray(home: Path) -> Path:
    """Twenty seconds in three scenes; the second is empty, and the two files number scenes differently.

    Ann and Bob are in the first (0 to 5 s), nobody in the second (to 10 s), Ann and Cid in the third (to 20 s).
    """
    home.mkdir(parents=True)
    (home / "people.csv").write_text(f"name_id,person,character\n{ANN},Ann Lee,Eve\n{BOB},Bob Best,\n{CID},Cid Fox,\n")
    (home / "scenes.csv").write_text("scene,start,end\n17,0,5000\n23,5000,10000\n40,10000,20000\n")
    (home / "people_in_scenes.csv").write_text(
        "scene,start,end,name_id,timestamp\n"
        f"0,0,5000,{ANN},1000\n0,0,5000,{BOB},2000\n1,5000,10000,,\n2,10000,20000,{ANN},12000\n2,10000,20000,{CID},10000\n"
    )
    return home


def movienet(home: Path) -> Path:
    """The same film in three shots at 10 frames a second, one key frame of each annotated.

    Ann and Bob are in the first, an unknown in the second, Cid alone in the third.
    """
    home.mkdir(parents=True)
    title = "tt0000001"
    shots = "0 49 10 25 40\n50 99 60 75 90\n100 199 110 150 190\n"
    (home / f"{title}.txt").write_text(shots)
    cast = [_body(title, 0, ANN), _body(title, 0, BOB), _body(title, 1, "others"), _body(title, 2, CID)]
    scenes = [
        {"id": f"{title}_{number}", "shot": shot, "frame": frame}
        for number, (shot, frame) in enumerate([([0, 1], [0, 50]), ([1, 2], [50, 100]), ([2, 3], [100, 200])])
    ]
    (home / f"{title}.json").write_text(json.dumps({"imdb_id": title, "cast": cast, "scene": scenes}))
    return home


def _body(title: str, shot: int, pid: str) -> dict[str, Any]:
    frame = (25, 75, 150)[shot]
    body = {"type": "body", "bbox": [1, 1, 5, 9]}
    place = {"frame_idx": frame, "shot_idx": shot, "img_idx": 1, "resolution": [64, 48]}
    return {"id": f"{title}_{shot}", **place, "body": body, "pid": pid, "possible_pids": []}


PREDICTED: list[dict[str, Any]] = [
    {"name": "Ann Lee", "ids": {"imdb": ANN}, "windows": [[1, 4], [6, 7], [11, 18]]},
    {"name": "BÓB  Best", "windows": [[0, 5]]},
    {"name": "Eve Ryder", "ids": {"tmdb": 5}, "windows": [[10, 12]]},
]
"""Bob is known by his name alone, written otherwise; Eve is invented; Cid is never found."""


def prediction(path: Path, actors: Sequence[Mapping[str, object]] = PREDICTED, **more: object) -> Path:
    """A pipeline's file."""
    path.write_text(json.dumps({"actors": list(actors), **more}))
    return path


def gallery(path: Path, *people: tuple[str, dict[str, object]]) -> Path:
    """A gallery's names and ids."""
    path.write_text(json.dumps({"actors": [{"actor": name, "ids": ids} for name, ids in people]}))
    return path


def timeline(
    people: Mapping[str, Seconds],
    *,
    source: str = "table",
    scenes: Seconds = (),
    samples: Sequence[float] | None = None,
    annotated: Seconds | None = None,
    duration: float | None = None,
) -> Presence:
    """A source's timeline from windows by person, who is given as one key or name."""
    rows = [(row, *span, -1) for row, spans in enumerate(people.values()) for span in spans]
    return Presence(
        source,
        tuple(Person(of_text(name), name) for name in people),
        windows_of(rows),
        _spans(scenes),
        None if samples is None else np.array(samples, np.float64),
        None if annotated is None else _spans(annotated),
        duration,
        path=f"{source}.made",
    )


def windows(*spans: tuple[int, float, float]) -> Windows:
    """Windows from (person, start, end)."""
    return windows_of([(*span, -1) for span in spans])


def _spans(spans: Seconds) -> Spans:
    return spans_of([(start, end, str(number)) for number, (start, end) in enumerate(spans)])
