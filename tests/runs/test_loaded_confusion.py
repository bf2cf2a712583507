"""A run that was read back has the confusion matrix that it had, from the pairs that its folder keeps."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore
from tests.runs import samples


def crowded(seed: int) -> boxscore.Run:
    """Many boxes near one another, of three labels, with crowds, and equal scores."""
    draw = np.random.default_rng(seed)
    truth, found = [], []
    for image in range(20):
        for row in range(8):
            box = [*draw.integers(0, 60, 2), *draw.integers(10, 40, 2)]
            rounded = [float(value) for value in box]
            label = int(draw.integers(0, 3))
            shared: dict[str, Any] = {"image_id": image, "category_id": label}
            crowd = int(draw.random() < 0.1)
            truth.append(shared | {"id": image * 10 + row, "bbox": rounded, "area": 300.0, "iscrowd": crowd})
            moved = [value + float(draw.integers(-4, 5)) for value in rounded[:2]]
            other = int(draw.integers(0, 3)) if draw.random() < 0.4 else label
            score = float(draw.integers(1, 10)) / 10
            found.append(shared | {"category_id": other, "bbox": [*moved, *rounded[2:]], "score": score})
    content = {
        "images": [{"id": image} for image in range(20)],
        "categories": [{"id": number, "name": name} for number, name in enumerate("abc")],
        "annotations": truth,
    }
    return boxscore.evaluate(content, found)


@pytest.mark.parametrize("confidence", [None, 0.0, 0.3, 0.75, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_one_before_saving(tmp_path: Path, seed: int, confidence: float | None) -> None:
    run = crowded(seed)
    run.save(tmp_path / "run")
    expected = run.confusion(confidence).to_dict()
    assert boxscore.load_run(tmp_path / "run").confusion(confidence).to_dict() == expected
    assert confidence == 2.0 or any(count for row, counts in enumerate(expected["counts"]) for count in counts[:row])


@pytest.mark.parametrize("protocol", ["coco", "operating-point"])
def test_floors_and_flags(tmp_path: Path, protocol: str) -> None:
    run = samples.run(protocol=protocol)
    run.save(tmp_path / "run")
    loaded = boxscore.load_run(tmp_path / "run")
    assert loaded.confusion().to_dict() == run.confusion().to_dict()
    pairs, expected = loaded.pair_columns(), run.pair_columns()
    assert pairs is not None
    assert expected is not None
    assert pairs.equals(expected)


def test_a_run_that_let_its_boxes_go(tmp_path: Path) -> None:
    run = samples.streamed()
    run.save(tmp_path / "run")
    for found in (run, boxscore.load_run(tmp_path / "run")):
        with pytest.raises(boxscore.InputError, match="needs the boxes, which this run has let go"):
            found.confusion()
