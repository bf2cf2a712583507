"""What a card says about its model besides how to run it: the file, the classes, the floors, who may have it."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.io.yaml_fields import Field, WrongFieldError, attempt, nearest
from boxscore.model.floors import Floors
from boxscore.predict.card_parts import Model, Reproduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

_SHA256 = re.compile(r"[0-9a-f]{64}")
_POINTER = b"version https://git-lfs"
_BLOCK = 1 << 20


def model(given: Field, folder: Path, *, needed: bool = True) -> Model:
    """A model file that is there and has the declared SHA-256; relative paths start from the card's folder.

    One that is not `needed` may be missing, or a Git LFS pointer in its place: the declared SHA-256 is then believed.
    """
    fields = given.fields(("path", "sha256"), needed=("path", "sha256"))
    stated = attempt(fields.get("path"), Field.text)
    declared = attempt(fields.get("sha256"), _sha256)
    if stated is None or declared is None:
        raise WrongFieldError  # what is missing or mistaken has been told
    file = folder / stated
    if not file.is_file():
        if not needed:
            return Model(str(file), stated, declared, checked=False)
        fields["path"].wrong(f"{stated!r} is not there (looked in {folder.absolute()}); paths start from the card")
    found, pointer = _digest(file, fields["path"])
    if pointer:
        if not needed:
            return Model(str(file), stated, declared, checked=False)
        fields["path"].wrong(f"{stated!r} is a Git LFS pointer, not the model itself; fetch it with `git lfs pull`")
    if found != declared:
        fields["sha256"].wrong(
            f"{stated} has SHA-256 {found}, and not {declared}; it is another model: fetch the right one, or write a "
            "card for this one"
        )
    return Model(str(file), stated, found)


def classes(given: Field, folder: Path) -> tuple[str, ...]:
    """Class names in the order of the model's outputs: a list, or a file of names."""
    from boxscore.io import class_names

    source: list[Any] | str
    if isinstance(given.value, list):
        source = given.value
    else:
        file = folder / given.text()
        if not file.is_file():
            given.wrong(
                f"{given.text()!r} is not there (looked in {folder.absolute()}); give a list of names, or a file"
            )
        source = str(file)
    try:
        by_number = class_names.read(source).by_number
    except InputError as error:
        given.wrong(str(error))
    if sorted(by_number) != list(range(len(by_number))):
        given.wrong(f"{given.value} numbers its classes with gaps; a model's outputs are numbered from 0 without any")
    return tuple(by_number[number] for number in range(len(by_number)))


def floors(given: Field | None, known: tuple[str, ...] | None) -> Floors:
    """The lowest confidence of each label that counts: `default` and `labels` by name. Wrong ones are kept."""
    fields = (attempt(given, Field.fields, ("default", "labels")) if given is not None else None) or {}
    default = attempt(fields.get("default"), Field.number, 0.0, 1.0)
    named = attempt(fields.get("labels"), lambda field: list(field.named())) or []
    by_label: dict[str, float] = {}
    for name, field in named:
        if known is not None and name not in known:
            field.tell(f"the model has no class {name!r}; {nearest(name, known, 'its classes are')}")
        floor = attempt(field, Field.number, 0.0, 1.0)
        if floor is not None:
            by_label[name] = floor
    return Floors(0.0 if default is None else default, by_label)


def reproduction(given: Field) -> Reproduction:
    """Where weights come from that may not be passed on, and the steps to them."""
    fields = given.fields(("source", "steps"), needed=("source", "steps"))
    source = attempt(fields.get("source"), Field.text) or ""
    items = attempt(fields.get("steps"), Field.items) or []
    return Reproduction(source, tuple(attempt(item, Field.text) or "" for item in items))


def _sha256(given: Field) -> str:
    digest = given.text().lower().removeprefix("sha256:")
    if not _SHA256.fullmatch(digest):
        given.wrong(f"{given.text()[:70]!r} is no SHA-256 (64 hexadecimal digits, as `sha256sum FILE` prints them)")
    return digest


def _digest(file: Path, given: Field) -> tuple[str, bool]:
    """SHA-256 of a file, and whether it is a Git LFS pointer."""
    import hashlib

    found = hashlib.sha256()
    pointer = False
    try:
        with file.open("rb") as opened:
            for block in iter(lambda: opened.read(_BLOCK), b""):
                pointer = pointer or block.startswith(_POINTER)
                found.update(block)
    except OSError as error:
        given.wrong(f"{file} can't be read: {error.strerror or error}")
    return found.hexdigest(), pointer
