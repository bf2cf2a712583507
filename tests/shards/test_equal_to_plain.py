"""Evaluating by parts is evaluating: whatever the cuts, the threads and the options, every bit of the figures is that
of the whole, and every note counts the same.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boxscore
from boxscore import Reading
from tests.shards import cut
from tests.strategies import CocoData, Shape, coco_data, crowded_data

ODD = Shape(max_images=7, max_labels=4, max_objects=14, max_detections=24, degenerate=True)
CUTS = st.lists(st.integers(0, 8), max_size=5)
DROPPING = Reading(unknown_images="drop", unknown_labels="drop", non_finite="drop")
STRICT = Reading(unknown_images="drop", unknown_labels="drop", non_finite="drop", degenerate="drop")
Row = dict[str, Any]


@st.composite
def awkward(draw: st.DrawFn) -> CocoData:
    """Ids of either kind; detections of images and labels that there are not, and some of no number."""
    data = draw(st.one_of(coco_data(ODD), coco_data(ODD), crowded_data(40)))
    truth = json.loads(json.dumps(data.ground_truth))
    results: list[Row] = [dict(row) for row in data.results]
    odd = st.sampled_from(["image", "label", "score", "box", "", "", "", ""])
    for row in results[:30]:
        what = draw(odd)
        if what == "image":
            row["image_id"] = 2**41 + draw(st.integers(0, 1))
        elif what == "label":
            row["category_id"] = 5000 + draw(st.integers(0, 1))
        elif what == "score":
            row["score"] = float("nan")
        elif what == "box":
            row["bbox"] = [float("inf"), *row["bbox"][1:]]
    if draw(st.booleans()):
        rows = [*truth["images"], *truth["annotations"], *results]
        for row in rows:
            key = "image_id" if "image_id" in row else "id"
            row[key] = f"image {row[key]}"
    return CocoData(truth, results)


OPTIONS: dict[str, dict[str, Any]] = {
    "coco": {},
    "voc": {"protocol": "voc2012"},
    "pixels": {"protocol": "voc2007"},
    "agnostic": {"label_agnostic": True},
    "nms": {"nms": 0.4},
    "nms of all labels": {"nms": 0.3, "label_agnostic": True},
    "few detections": {"max_detections": [1, 3]},
    "point": {"protocol": "operating-point", "confidence": 0.3},
    "taxonomy": {"taxonomy": True},
    "one label": {"labels": True},
    "degenerate": {"reading": STRICT},
}


def options_of(name: str, data: CocoData) -> dict[str, Any]:
    """The options, those that speak of labels in the names that the data have."""
    found = {"reading": DROPPING, **OPTIONS[name]}
    names = [one["name"] for one in data.ground_truth["categories"]]
    if found.get("taxonomy"):
        aliases = {"joint": names[:2], **{f"own {name}": [name] for name in names[2:3]}}
        found["taxonomy"] = {"aliases": aliases, "drop": names[3:]}
    if found.get("labels"):
        found["labels"] = names[:1]
    return found


def by_parts(data: CocoData, cuts: list[int], found_cuts: list[int], threads: int, given: dict[str, Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        truth, found = cut.write(Path(folder), data.ground_truth, data.results, cuts, found_cuts)
        run = boxscore.evaluate(str(truth), str(found), threads=threads, **given)
        return state_of(run)


def state_of(run: Any) -> dict[str, Any]:
    """All that a run says but for places of rows."""
    return {
        "metrics": json.dumps(run.to_dict()["metrics"], sort_keys=True),
        "summary": json.dumps(dict(run.summary)),
        "matches": run.matches.kernel.state(),
        "notes": Counter((note.code, note.count) for note in run.notes),
        "images": run.image_ids,
    }


@pytest.mark.parametrize("name", OPTIONS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(awkward(), CUTS, CUTS, st.sampled_from([1, 2, 7]))
def test_equal_to_the_whole(name: str, data: CocoData, cuts: list[int], found_cuts: list[int], threads: int) -> None:
    given = options_of(name, data)
    plain = state_of(boxscore.evaluate(data.ground_truth, data.results, threads=1, **given))
    assert by_parts(data, cuts, found_cuts, threads, given) == plain
