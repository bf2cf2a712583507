"""`verify`: hold a record to the bytes that it names, and score them again."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.notes import counted
from boxscore.validate import digests, looks, record
from boxscore.validate.asked import Asked
from boxscore.validate.cases import find_cases
from boxscore.validate.validating import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.predict.detector import Detector
    from boxscore.validate.asked import Path
    from boxscore.validate.cases import Cases
    from boxscore.validate.looks import Look
    from boxscore.validate.validating import Detecting

_TOLD = (
    *("sha256", "selection", "images", "ground_truth_boxes", "inference", "micro", "per_class"),
    *("independent_test_set", "independence", "coverage", "ledger"),
)
"""Sections whose every difference is told, in this order; of others follows from these how many there are."""
_PROVENANCE = ("runtime", "inputs")
"""Sections that may differ on another machine without anything being wrong."""


class Verified:
    """What a record says that no longer holds (`failed`), and what differs and need not matter (`noted`).

    `same_bytes`: the record that was made again is the very file. `model_checked`: the model's bytes were hashed; they
    aren't where saved detections were scored and the model's file is not there.
    """

    __slots__ = ("failed", "model_checked", "noted", "same_bytes")

    def __init__(self, failed: list[str], noted: list[str], *, same_bytes: bool, model_checked: bool = True) -> None:
        self.failed = failed
        self.noted = noted
        self.same_bytes = same_bytes
        self.model_checked = model_checked


def verify(
    path: Path,
    *,
    card: Path | None = None,
    dataset: Path | None = None,
    detector: Detector | None = None,
    threads: int | None = None,
    detecting: Detecting | None = None,
    **moved: Any,  # noqa: ANN401  fields of Asked, each with its own type
) -> Verified:
    """Hash and score everything again that a record was made of, and compare.

    `card`, `dataset` and the fields of `Asked` that name files say where these are now; by default they are where the
    record says. `detector` and `detecting` are those of `validate`. Nothing is appended to a ledger. Raises InputError
    for a file that is no record.
    """
    stated, text = read(path)
    where = stated["inputs"]
    try:
        asked = replace(Asked.from_dict(where["options"]), **{name: value for name, value in moved.items() if value})
    except TypeError as error:
        raise InputError(f"{os.fspath(path)}: its options are not those of a validation ({error})") from None
    failed = _files(stated, dataset or where["dataset"], asked)
    problems: list[str] = []

    def looking(ledger: Path, cases: Cases, about: dict[str, Any]) -> Look:
        line = (stated.get("ledger") or {}).get("line", 0)
        look, problem = looks.found_again(ledger, cases, about, line)
        problems.extend([] if problem is None else [problem])
        return look

    try:
        again = validate(
            card or where["card"],
            dataset or where["dataset"],
            asked,
            detector=detector,
            threads=threads,
            detecting=detecting,
            looking=looking,
        )
    except InputError as error:
        return Verified([*failed, f"it can't be scored again: {error}"], [], same_bytes=False)
    differ = list(differences(stated, json.loads(again.text)))
    noted = [one for one in differ if one.split(".")[0].split(":")[0] in _PROVENANCE]
    failed += _in_short([one for one in differ if one not in noted])
    noted += [str(note) for note in again.notes if note.code == "model-not-checked"]
    checked = again.inputs.card.model.checked
    return Verified([*failed, *problems], noted, same_bytes=again.text == text, model_checked=checked)


def _in_short(differ: list[str]) -> list[str]:
    """Sections that are told value by value first, then how many values of each other one differ."""
    sections = [one.split(".")[0].split(":")[0] for one in differ]
    told = [one for name in _TOLD for one, section in zip(differ, sections, strict=True) if section == name]
    # What files differ has been told by name.
    rest = Counter(section for section in sections if section not in _TOLD and section != "files")
    return told + [
        f"{section}: {counted(number, 'value differs', 'values differ')}" for section, number in rest.items()
    ]


def read(path: Path) -> tuple[dict[str, Any], str]:
    """A record, and its text. Raises InputError for what is none."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:  # noqa: PTH123  paths are kept as text
            text = file.read()
        stated = json.loads(text)
    except OSError as error:
        raise InputError(f"{name} can't be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON ({error}); give a file that `boxscore validate --out` wrote") from None
    known = isinstance(stated, dict) and stated.get("evaluation_kind") == record.KIND
    if not known or not isinstance(stated.get("inputs"), dict) or not isinstance(stated.get("files"), dict):
        raise InputError(f"{name} is no record of a validation; give a file that `boxscore validate --out` wrote")
    if stated.get("format") != record.FORMAT:
        raise InputError(
            f"{name} has format {stated.get('format')!r}, and this boxscore reads {record.FORMAT}; use the version "
            f"that wrote it ({(stated.get('runtime') or {}).get('boxscore')})"
        )
    return stated, text


def _files(stated: dict[str, Any], dataset: Path, asked: Asked) -> list[str]:
    """Pictures and labels that are gone, new, or of other bytes, by name."""
    from boxscore.validate.inputs import files_of

    try:
        cases = find_cases(dataset, select=asked.select, classes=asked.classes)
    except InputError:
        return []  # scoring says what is wrong
    now, then = files_of(cases), stated["files"]
    told = [
        f"{name}: its bytes are not those that were scored" for name in then if name in now and now[name] != then[name]
    ]
    told += [f"{name} is gone" for name in then if name not in now]
    told += [f"{name} is new" for name in now if name not in then]
    if digests.manifest(cases) != stated["sha256"]["dataset_manifest"] and not told:
        told.append("the manifest's digest is not that of the files")
    return told


def differences(stated: Any, now: Any, path: str = "") -> list[str]:  # noqa: ANN401  whatever JSON holds
    """Where two contents differ, as `micro.recall: 0.5 in the record, 0.6 now`."""
    if isinstance(stated, dict) and isinstance(now, dict):
        found = []
        for name in sorted({*stated, *now}):
            where = f"{path}.{name}" if path else name
            if name not in stated or name not in now:
                found.append(f"{where}: {'not in the record' if name in now else 'in the record alone'}")
            else:
                found += differences(stated[name], now[name], where)
        return found
    if isinstance(stated, list) and isinstance(now, list) and len(stated) == len(now):
        pairs = enumerate(zip(stated, now, strict=True))
        return [one for i, (a, b) in pairs for one in differences(a, b, f"{path}[{i}]")]
    return [] if stated == now else [f"{path}: {shown(stated)} in the record, {shown(now)} now"]
