"""Mean IoU: the overlaps of true positives, from boxes, from run folders, of parts, and in resamples."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import boxscore
from boxscore import Measure
from boxscore.errors import MeasureError
from boxscore.pipeline.intervals import interval_rows
from boxscore.pipeline.saved import load_run
from tests.slices import made


def iou(a: Sequence[float], b: Sequence[float]) -> float:
    left, top = max(a[0], b[0]), max(a[1], b[1])
    right, bottom = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    common = max(right - left, 0) * max(bottom - top, 0)
    return common / (a[2] * a[3] + b[2] * b[3] - common)


@pytest.fixture
def run() -> boxscore.Run:
    truth = made.ground_truth()
    return boxscore.evaluate(truth, made.results(truth))


@pytest.mark.parametrize("text", ["meanIoU@0.5", "meanIoU[conf=0.25]@0.75", "meanIoU[average=macro]@0.5", "meanIoU"])
def test_its_printed_form_is_its_identity(text: str) -> None:
    assert str(Measure.parse(text)) == text
    assert Measure.parse(text).at_point


def test_by_hand() -> None:
    boxes = [[0, 0, 40, 40], [100, 0, 40, 40], [200, 0, 40, 40]]
    truth = {
        "images": [{"id": 1}],
        "annotations": [
            {"id": i, "image_id": 1, "category_id": 1, "bbox": box, "area": 1600, "iscrowd": int(i == 2)}
            for i, box in enumerate(boxes)
        ],
        "categories": [{"id": 1, "name": "cup"}],
    }
    moved = [([4, 0, 40, 40], 0.9), ([110, 0, 40, 40], 0.3), ([200, 0, 40, 40], 0.8), ([300, 0, 40, 40], 0.7)]
    found = [{"image_id": 1, "category_id": 1, "bbox": box, "score": score} for box, score in moved]
    run = boxscore.evaluate(truth, found)
    near, far = iou(boxes[0], moved[0][0]), iou(boxes[1], moved[1][0])
    assert run.value("meanIoU@0.5") == pytest.approx((near + far) / 2)
    assert run.value("meanIoU[conf=0.5]@0.5") == pytest.approx(near)
    assert run.value("meanIoU@0.75") == pytest.approx(near)
    assert run.explain("meanIoU@0.95") == (None, "no true positives at or above the floor")
    assert run.overlaps().overlap.tolist() == pytest.approx([near, far])


def test_macro_is_the_mean_over_labels(run: boxscore.Run) -> None:
    of_labels = [run.value("meanIoU@0.5", label) for label in run.labels]
    assert run.value("meanIoU[average=macro]@0.5") == sum(filter(None, of_labels)) / 3


def test_a_run_folder_has_it_at_the_first_threshold(run: boxscore.Run, tmp_path: Path) -> None:
    run.save(tmp_path / "run")
    loaded = load_run(tmp_path / "run")
    for label in (None, *run.labels):
        assert loaded.value("meanIoU@0.5", label) == run.value("meanIoU@0.5", label)
    with pytest.raises(MeasureError, match=r"at IoU 0\.75 .* isn't kept without boxes"):
        loaded.value("meanIoU@0.75")


def test_runs_without_boxes_say_so() -> None:
    truth = made.ground_truth()
    evaluator = boxscore.Evaluator(labels=["cup", "duck", "lego"])
    target = {"boxes": [[0.0, 0.0, 40.0, 40.0]], "labels": [0]}
    evaluator.update([target | {"scores": [0.5]}], [target], image_ids=[1])
    assert truth["images"]
    with pytest.raises(MeasureError, match="evaluate the files again"):
        evaluator.result().value("meanIoU@0.5")


def test_intervals_are_those_of_means_of_resampled_images(run: boxscore.Run) -> None:
    measures = ["meanIoU@0.5", "AP", "meanIoU[average=macro]@0.5"]
    how = boxscore.Resampling(unit="group", replicates=200, interval="percentile")
    found = interval_rows(run, how, measures=measures)
    for row in found.rows:
        if row["measure"] == "meanIoU@0.5":
            assert row["low"] <= row["mean"] <= row["high"]
    # Three clips: all ten resamples, each weighed by its chance; their mean by hand.
    overlaps = run.overlaps()
    clip = [image // 8 for image in overlaps.image.tolist()]
    total = 0.0
    for a in range(3):
        for b in range(3):
            for c in range(3):
                own = [
                    o for drawn in (a, b, c) for o, k in zip(overlaps.overlap.tolist(), clip, strict=True) if k == drawn
                ]
                total += sum(own) / len(own) / 27
    assert found.rows[0]["mean"] == pytest.approx(total, abs=1e-12)


def test_a_headline_may_ask_for_it(tmp_path: Path) -> None:
    import boxscore.protocols

    folder = Path(boxscore.protocols.__file__).parent
    text = (folder / "operating-point.toml").read_text().replace('"FPPI",', '"FPPI",\n  "meanIoU",')
    path = tmp_path / "own.toml"
    path.write_text(text)
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth), protocol=path)
    assert run.summary["meanIoU"] == run.value("meanIoU@0.5")
    assert run.metrics.find("meanIoU")["value"] == run.value("meanIoU@0.5")
