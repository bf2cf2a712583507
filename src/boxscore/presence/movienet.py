"""Ground truth of MovieNet: an annotation JSON a film, with the film's shot file and its frames per second.

Each entry of `cast` is the body of somebody on a key frame (`shot_idx`, `img_idx`), with `pid`: an id of one of the ten
first-credited people, or `others`. Only one key frame of three is annotated, so presence is known at those alone
(`key_frames`); a frame on which all are `others` is annotated, with nobody known on it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boxscore.errors import InputError
from boxscore.io import json_files
from boxscore.model.given import shown, whole_number
from boxscore.model.notes import counted
from boxscore.presence import key_frames, keys
from boxscore.presence.movienet_files import annotation_file, shot_file
from boxscore.presence.movienet_scenes import scenes_of
from boxscore.presence.person import Person
from boxscore.presence.shots import read_shots

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from boxscore.presence.key_frames import Frame
    from boxscore.presence.shots import Shots
    from boxscore.presence.timeline import Presence

OTHERS = "others"


def read_movienet(
    folder: str | PathLike[str], *, fps: float, title: str | None = None, shots: str | PathLike[str] | None = None
) -> Presence:
    """The timeline of one film.

    Args:
        folder: Where `TITLE.json` and `TITLE.txt` are, or the folders `annotation` and `shot` with them; or the JSON.
        fps: The film's frames per second, which no file states.
        title: Which film (`tt…`), where the folder has several.
        shots: The shot file, where it is elsewhere.

    Raises:
        InputError: Names the file, the path in the JSON and the value; also for a shot file of another film.
    """
    path = annotation_file(Path(folder), title)
    content = json_files.load(path)
    if not isinstance(content, dict):
        raise InputError(f"{path} is {shown(content)}; a MovieNet annotation is an object with imdb_id and cast")
    stated = content.get("imdb_id")
    if isinstance(stated, str) and title is not None and stated != title:
        raise InputError(f"{path}: imdb_id is {stated!r}, not {title!r} as asked for; give the annotation of that film")
    name = stated if isinstance(stated, str) else path.stem
    of_shots = shot_file(Path(folder), name, shots)
    known = read_shots(of_shots, fps)
    cast = content.get("cast")
    if not isinstance(cast, list) or not cast:
        raise InputError(f"{path}: cast is {shown(cast)}; without bodies and their pids there is nothing to score")
    people, seen, notes = _seen(cast, known, path)
    scenes, told = scenes_of(content.get("scene"), known, path)
    found = key_frames.timeline(people, seen, known, scenes=scenes, notes=[*notes, *told], path=path.name)
    return replace(found, files={"movienet": str(path), "shots": str(of_shots)})


def _seen(cast: Sequence[Any], shots: Shots, path: Path) -> tuple[list[Person], Mapping[Frame, list[int]], list[str]]:
    people: dict[str, int] = {}
    seen: dict[Frame, list[int]] = {}
    others = unknown = elsewhere = 0
    for row, entry in enumerate(cast):
        place = f"{path} cast[{row}]"
        if not isinstance(entry, dict):
            raise InputError(f"{place} is {shown(entry)}; it must be an object with shot_idx, img_idx and pid")
        frame = _frame(entry, place)
        number = shots.key_frame(*frame, place)
        elsewhere += _elsewhere(entry, number, shots, frame[0], place)
        pid = entry.get("pid")
        if pid is None:
            unknown += 1
            continue
        on_frame = seen.setdefault(frame, [])
        if pid == OTHERS:
            others += 1
            continue
        key = keys.imdb(pid)
        if key is None:
            raise InputError(
                f"{place}.pid is {shown(pid)}; it must be an IMDb id such as nm0000158, {OTHERS!r}, or null"
            )
        on_frame.append(people.setdefault(key, len(people)))
    if not people:
        raise InputError(f"{path}: no body in cast has a pid of anybody; this film's identities are not annotated")
    facts = (
        (others, f"bodies of {OTHERS}, nobody that is known: {others}"),
        (unknown, f"bodies without a pid, which annotate nothing: {unknown}"),
        (
            elsewhere,
            f"bodies whose frame_idx is not that of {shots.path}, which is followed: {elsewhere}",
        ),
    )
    notes = [_annotated(seen, shots), *(words for count, words in facts if count)]
    return [_person(key) for key in people], seen, notes


def _person(key: str) -> Person:
    return Person(frozenset((key,)), key.partition(":")[2])


def _annotated(seen: Mapping[Frame, object], shots: Shots) -> str:
    within = len({shot for shot, _ in seen})
    return f"annotated key frames: {len(seen)}, in {within} of {counted(len(shots), 'shot')}"


def _frame(entry: Mapping[str, Any], place: str) -> Frame:
    shot, image = (whole_number(entry.get(field)) for field in ("shot_idx", "img_idx"))
    if shot is None or image is None:
        field = "shot_idx" if shot is None else "img_idx"
        raise InputError(f"{place}.{field} is {shown(entry.get(field))}; it must be a whole number, from 0")
    return shot, image


def _elsewhere(entry: Mapping[str, Any], number: int, shots: Shots, shot: int, place: str) -> bool:
    """Whether `frame_idx`, which is often null, is another frame of the shot. Raises InputError outside the shot."""
    stated = entry.get("frame_idx")
    if stated is None:
        return False
    frame = whole_number(stated)
    first, last = shots.shots[shot].start, shots.shots[shot].end
    if frame is None or not first <= frame <= last:
        raise InputError(
            f"{place}.frame_idx is {shown(stated)}, but shot {shot} of {shots.path} has frames {first} to {last}; is "
            "it the shot file of this film?"
        )
    return frame != number
