"""Reads the folder of cases from public bug reports: what to run, and what must come out."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OPTIONS: dict[str, tuple[str, ...]] = {
    "coerce_ids": (),
    "dedupe_images": (),
    "names_exact": ("--label-match", "exact"),
    "drop_unknown_images": ("--unknown-images", "drop"),
    "unknown_images_as_background": ("--unknown-images", "background"),
    "drop_unknown_categories": ("--unknown-labels", "drop"),
    "strip_lower_names": ("--label-match", "fold"),
    "area_from_bbox": ("--area", "box"),
    "drop_nonfinite": ("--non-finite", "drop"),
    "honour_ignore": ("--ignore-flag", "honour"),
    "drop_degenerate": ("--degenerate", "drop"),
    "xyxy": ("--boxes", "xyxy"),
}
MEASURES = {
    "AP": "AP",
    "AP50": "AP@0.5",
    "AP75": "AP@0.75",
    "APs": "AP[area=small]",
    "APm": "AP[area=medium]",
    "APl": "AP[area=large]",
    "AR100": "AR",
}


@dataclass(frozen=True)
class Case:
    """One folder."""

    folder: Path
    expected: dict[str, Any]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def checks(self) -> list["Check"]:
        """Those that evaluate COCO files by COCO's rule."""
        return [
            Check(self, check)
            for check in self.expected["checks"]
            if check["files"]["type"] == "coco" and check["engine"] == "coco"
        ]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every pair of COCO files, relative to the folder."""
        pairs = [(check.files["gt"], check.files["dt"]) for check in self.checks]
        for name in self.expected["unmodified_pycocotools_2_0_11"] or {}:
            ground_truth, predictions = name.split(" + ")
            pairs.append((ground_truth, predictions))
        return list(dict.fromkeys(pairs))

    @property
    def must_name(self) -> list[str]:
        """What the note or the error must contain."""
        return list(self.expected["message_should_name"])


@dataclass(frozen=True)
class Check:
    """One reading of a case: files, options, and the right values."""

    case: Case
    content: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.case.name}: {self.content['what']}"

    @property
    def files(self) -> dict[str, Any]:
        return dict(self.content["files"])

    @property
    def values(self) -> dict[str, Any]:
        return dict(self.content["values"])

    @property
    def options(self) -> list[str]:
        """The command-line options that ask for this reading."""
        options: list[str] = []
        for fix in self.files["fix"]:
            name, equals, value = fix.partition("=")
            options += ["--labels", value] if equals and name == "classes" else OPTIONS[fix]
        settings = dict(self.content["settings"])
        if limits := settings.pop("max_dets", None):
            options += ["--max-detections", ",".join(map(str, limits))]
        if settings:
            message = f"{self.name}: settings that have no option: {settings}"
            raise KeyError(message)
        return options


def read(folder: Path) -> Iterator[Case]:
    """All cases, whatever their files; none where there is no such folder."""
    for path in sorted(folder.glob("*/expected.json")):
        yield Case(path.parent, json.loads(path.read_text()))
