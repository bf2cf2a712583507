"""Rows of docs/quirks.md about another harness's tables and about TIDE: each names tests that are there."""

import re
from pathlib import Path
from typing import Any

import boxscore
from boxscore.pipeline.sliced import NO_OBJECT, Slicing, sliced, slices_of
from boxscore.triage import Options, triage

ROOT = Path(__file__).resolve().parents[2]


def test_each_row_names_its_tests() -> None:
    text = (ROOT / "docs" / "quirks.md").read_text("utf-8")
    rows = re.findall(r"^\| ([PT]\d\d) \|.*\| ([^|]+) \|$", text, re.MULTILINE)
    assert {"P01", "P02", "P03", "T01", "T02"} <= {row for row, _ in rows}
    written = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for row, tests in rows:
        names = re.findall(r"`(test_\w+)`", tests)
        assert names, row
        for name in names:
            assert f"def {name}(" in written, f"{row}: {name}"


def test_p02_a_false_positive_has_no_tier() -> None:
    truth: dict[str, Any] = {
        "images": [{"id": 1}],
        "annotations": [
            {"id": n, "image_id": 1, "category_id": 1, "bbox": [200 * n, 0, 50, 50], "area": 2500, "iscrowd": 0}
            | {"tier": tier}
            for n, tier in enumerate(["easy"] * 20 + ["hard"] * 20)
        ],
        "categories": [{"id": 1, "name": "cup"}],
    }
    boxes = [[200 * n, 0, 50, 50] for n in range(20)] + [[0, 900, 50, 50]]
    found = [{"image_id": 1, "category_id": 1, "bbox": box, "score": 0.9} for box in boxes]
    run = boxscore.evaluate(truth, found, protocol="operating-point")
    slices = slices_of(run, Slicing(by=["tier"]))
    rows = {(row["slice"], row["measure"]): row["value"] for row in sliced(run, slices, per_label=False)}
    assert rows[NO_OBJECT, "FP"] == 1
    assert not [row for row in rows if row[1] == "FP" and row[0] != NO_OBJECT]
    assert (rows["tier=easy", "FN"], rows["tier=hard", "FN"]) == (0, 20)
    modes = triage(run, Options(slicing=Slicing(by=["tier"]))).breakdown.rows
    lost = {row["mode"]: row["slices"] for row in modes}
    assert [one["slice"] for one in lost["missed"]] == ["tier=hard"]
    assert lost["background"] == []
