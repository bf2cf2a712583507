"""Run folders of a data set with weather, and models of known order."""

import json
from pathlib import Path
from typing import Any

import boxscore
from boxscore.gate.gating import gate
from boxscore.gate.result import GateResult
from boxscore.gate.rule_files import parse
from boxscore.gate.run_sides import RunSides
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.sliced import Slicing, slices_of
from tests.compare import made

Row = dict[str, Any]

WEATHERS = ("clear", "fog")


def truth(images: int = 60) -> Row:
    """Ground truth whose images have a weather in turn."""
    content = made.ground_truth(images)
    for number, image in enumerate(content["images"]):
        image["weather"] = WEATHERS[number % 2]
    return content


def predictions(images: int = 60, skill: float = 0.8, seed: int = 1, fog: float = 1.0) -> list[Row]:
    """Detections of a model; in fog it keeps so many of them."""
    rows = made.predictions(images, skill, seed)
    return [row for at, row in enumerate(rows) if row["image_id"] % 2 == 0 or (at * 0.618) % 1 < fog]


def run(rows: list[Row], content: Row | None = None, **options: Any) -> boxscore.Run:
    return boxscore.evaluate(truth() if content is None else content, rows, threads=1, **options)


def gated(baseline: boxscore.Run, current: boxscore.Run, rules: list[Row], **options: Any) -> GateResult:
    """A gate over two runs, sliced by weather, with 200 draws."""
    asked = parse({"rules": rules} | options.pop("file", {}), "gate.yaml")
    slicing = Slicing(["weather"])
    sides = RunSides(
        (baseline, current),
        (slices_of(baseline, slicing), slices_of(current, slicing)),
        Resampling(replicates=200, **options.pop("resampling", {})),
        **{name: options.pop(name) for name in ("own_floors",) if name in options},
    )
    return gate(sides, asked, **options)


def folder(path: Path, rows: list[Row], content: Row | None = None, *options: str) -> Path:
    """A run folder as `boxscore eval --out` writes it."""
    from boxscore.cli import main

    gt, dt = path.with_suffix(".gt.json"), path.with_suffix(".dt.json")
    gt.write_text(json.dumps(truth() if content is None else content))
    dt.write_text(json.dumps(rows))
    assert main(["eval", str(gt), str(dt), "--slice-by", "weather", "--out", str(path), *options]) == 0
    return path
