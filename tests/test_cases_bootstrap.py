"""Cases from bug reports that resample: each listed resample, and what is made of all of them."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore
from boxscore.measures.resampled import Model, Wanted, resample
from boxscore.model.measure import Measure
from boxscore.stats.plans import Plan
from tests.support import command

CASE = "68-bootstrap-with-absent-class"
HALF = "AP@0.5"


def expected(folder: Path) -> dict[str, Any]:
    """Values of the one check by the engine `bootstrap`."""
    checks = json.loads((folder / CASE / "expected.json").read_text())["checks"]
    (check,) = (check for check in checks if check["engine"] == "bootstrap")
    return dict(check["values"])


def figures(folder: Path, plan: Plan) -> Any:
    """AP@0.5 of each replicate."""
    run = boxscore.evaluate(folder / CASE / "gt.json", folder / CASE / "dt.json")
    model = Model(run.matches, run.labels.names)
    return resample([model], [Wanted(Measure.parse(HALF), range(len(run.labels)))], plan)[:, 0, 0]


def test_no_other_case_resamples(cases_folder: Path) -> None:
    checks = [
        (path.parent.name, check["engine"])
        for path in cases_folder.glob("*/expected.json")
        for check in json.loads(path.read_text())["checks"]
    ]
    assert {name for name, engine in checks if engine == "bootstrap"} == {CASE}


def test_every_ordered_resample(cases_folder: Path) -> None:
    values = expected(cases_folder)
    drawn = np.array([np.bincount(images, minlength=3) for images in product(range(3), repeat=3)], dtype=np.uint32)
    found = figures(cases_folder, Plan(np.arange(3, dtype=np.uint32), 3, len(drawn), weights=drawn))
    # Resamples are listed in the order of the product, images numbered from 1.
    listed = [tuple(image - 1 for image in one["images"]) for one in values["resamples"]]
    assert listed == list(product(range(3), repeat=3))
    assert found == pytest.approx([one["mAP50"] for one in values["resamples"]], abs=1e-6)
    assert len(found) == values["n_resamples"]
    assert found.min() == pytest.approx(values["min"], abs=1e-6)
    assert found.max() == pytest.approx(values["max"], abs=1e-6)
    assert np.percentile(found, [2.5, 97.5]) == pytest.approx([values["p2_5"], values["p97_5"]], abs=1e-6)


def test_what_is_told_of_all_resamples(cases_folder: Path) -> None:
    """10 multisets stand for the 27 ordered resamples; B is absent from 8 of them."""
    values, folder = expected(cases_folder), cases_folder / CASE
    done = command.boxscore(
        "compare",
        folder / "gt.json",
        folder / "dt.json",
        folder / "dt.json",
        "--measure",
        HALF,
        "--interval",
        "percentile",
        "--json",
    )
    (result,) = done.report["results"]
    model = result["models"][0]
    assert (done.report["replicates"], done.report["exact"]) == (10, True)
    assert model["mean"] == pytest.approx(values["mean"], abs=1e-6)
    assert model["std_error"] == pytest.approx(values["sd"], abs=1e-6)
    assert model["low"] == pytest.approx(values["p2_5"], abs=1e-6)
    assert model["high"] == pytest.approx(values["p97_5"], abs=1e-6)
    assert result["absent"] == {"B": pytest.approx(8 / 27)}


def test_a_random_bootstrap_comes_near(cases_folder: Path) -> None:
    values = expected(cases_folder)
    found = figures(cases_folder, Plan(np.arange(3, dtype=np.uint32), 3, 2000, seed=0))
    assert found.mean() == pytest.approx(values["mean"], abs=0.02)
    assert found.std(ddof=1) == pytest.approx(values["sd"], abs=0.02)
