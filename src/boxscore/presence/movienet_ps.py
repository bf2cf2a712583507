"""Ground truth of MovieNet-PS: `.mat` files of a split, with the film's shot file and its frames per second.

`annotation/test/train_test/Train_app10.mat` holds `Train`, an item an identity, its third part rows of (picture, box,
…); `TestG2000.mat` likewise a `Query` and `Gallery` rows an identity, of which an empty box ends those that show it.
Pictures are called `tt0120885/shot_0000_img_0.jpg`, or without the film. An identity that carries no `nm…` id has no
key but its own place in the split (`mvn:Train_app10/3`), to which a crosswalk can give one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.notes import listed
from boxscore.presence import key_frames, keys
from boxscore.presence.mat_files import identities
from boxscore.presence.movienet_files import shot_file
from boxscore.presence.person import Person
from boxscore.presence.shots import read_shots
from boxscore.presence.timeline import spans_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.presence.key_frames import Frame
    from boxscore.presence.mat_files import Identity
    from boxscore.presence.timeline import Presence

_PICTURE = re.compile(r"(?:.*?(tt\d+)[/\\_-])?shot_(\d+)_img_(\d+)(?:\.\w+)?")
_TITLE = re.compile(r"tt\d+")
_SPLITS = ("annotation/test/train_test", "test/train_test", "train_test", "")
_FEW = re.compile(r"Train_app(\d+)")


def read_movienet_ps(
    folder: str | PathLike[str], *, split: str, title: str, fps: float, shots: str | PathLike[str] | None = None
) -> Presence:
    """The timeline of one film as a split of MovieNet-PS has it.

    Args:
        folder: The data set's folder, its `annotation`, or the one with the split's file.
        split: `Train_app10`, `TestG2000`, …
        title: The film, `tt…`.
        fps: The film's frames per second.
        shots: The shot file, where the folder has no `TITLE.txt`.

    Raises:
        InputError: Names the file, the identity and row, and the value; for a film that is not in the split, too.
    """
    if not _TITLE.fullmatch(title):
        raise InputError(f"title is {title!r}; it must be an IMDb title such as tt0120885")
    path = _split_file(Path(folder), split)
    found = identities(path, split)
    frames, untitled = _of_title(found, title, path)
    of_shots = shot_file(Path(folder), title, shots)
    known = read_shots(of_shots, fps)
    people: dict[str, int] = {}
    seen: dict[Frame, list[int]] = {}
    persons: list[Person] = []
    for identity, on in zip(found, frames, strict=True):
        if not on:
            continue
        key = keys.imdb(identity.name) or f"mvn:{split}/{identity.row}"
        row = people.setdefault(key, len(people))
        if row == len(persons):
            name = key.removeprefix("imdb:") if key.startswith("imdb:") else f"identity {identity.row} of {split}"
            persons.append(Person(frozenset((key,)), name))
        for frame in on:
            known.key_frame(*frame, f"{path} identity {identity.row} ({title})")
            seen.setdefault(frame, []).append(row)
    notes = _notes(persons, seen, untitled=untitled, split=split, title=title)
    made = key_frames.timeline(persons, seen, known, scenes=spans_of(), notes=notes, path=f"{path.name} {title}")
    return replace(made, files={"movienet": str(path), "shots": str(of_shots)})


def _of_title(found: Sequence[Identity], title: str, path: Path) -> tuple[list[list[Frame]], int]:
    """The film's frames of each identity, and how many pictures go without a film's name and are taken as its."""
    films: dict[str | None, int] = {}
    read: list[list[tuple[str | None, Frame]]] = []
    for identity in found:
        rows = []
        for picture in identity.pictures:
            match = _PICTURE.fullmatch(picture.strip())
            if match is None:
                raise InputError(
                    f"{path} identity {identity.row}: {shown(picture)} is no name of a picture, such as "
                    f"{title}/shot_0000_img_0.jpg"
                )
            films[match[1]] = films.get(match[1], 0) + 1
            rows.append((match[1], (int(match[2]), int(match[3]))))
        read.append(rows)
    if None in films and len(films) > 1:
        raise InputError(
            f"{path}: {films[None]} of {sum(films.values())} pictures name no film; which those are of can't be told "
            "while others name theirs: give each its film"
        )
    wanted = None if None in films else title
    if wanted not in films:
        told = listed(sorted(film for film in films if film), 12) or "none"
        raise InputError(
            f"{path}: no picture is of {title}; its films are {told}: check --title, or take another split"
        )
    return [[frame for film, frame in rows if film == wanted] for rows in read], films.get(None, 0)


def _notes(
    people: Sequence[Person], seen: dict[Frame, list[int]], *, untitled: int, split: str, title: str
) -> list[str]:
    notes = [f"annotated key frames of {title} in {split}: {len(seen)}"]
    without = sum(not person.keys & {f"imdb:{person.name}"} for person in people)
    if without:
        notes.append(
            "identities without an IMDb id, which can match a prediction by a crosswalk alone (columns mvn and imdb): "
            f"{without} of {len(people)}"
        )
    if untitled:
        notes.append(f"pictures that name no film, all taken to be of {title}: {untitled}")
    few = _FEW.fullmatch(split)
    if few:
        notes.append(
            f"{split} has up to {few[1]} appearances an identity: somebody who is on an annotated frame may be missing "
            "from it, so a prediction that is right there counts as false; recall is the figure to read"
        )
    return notes


def _split_file(folder: Path, split: str) -> Path:
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; --movienet takes the folder of MovieNet-PS")
    places = [folder / name / f"{split}.mat" for name in _SPLITS]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        there = sorted({file.stem for place in places for file in place.parent.glob("T*.mat")})
        raise InputError(
            f"{folder} has no {split}.mat, here or in {_SPLITS[0]}; splits there are {listed(there) or 'none'}: check "
            "--split and the folder"
        )
    return found
