"""Replicates drawn in blocks are those drawn at once, to the byte, however they are cut."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from boxscore.errors import InputError
from boxscore.measures.resampled import Model, Wanted, resample, swap
from boxscore.model.measure import Measure
from boxscore.pipeline import operating
from boxscore.stats import plans
from tests.compare import made

IMAGES = 30
RUNS = made.runs(IMAGES)
AT_POINT = made.runs(IMAGES, protocol="operating-point")


def models(runs: dict[str, boxscore.Run]) -> list[Model]:
    return [Model(run.matches, run.labels.names, operating.floors_of(run)) for run in runs.values()]


def wanted(*measures: str) -> list[Wanted]:
    return [Wanted(Measure.parse(measure), positions) for measure in measures for positions in ([0, 1], [1])]


CASES = [
    (models(RUNS), wanted("AP", "AP@0.5", "AR[max=10]")),
    (models(AT_POINT), wanted("precision@0.5", "FPPI@0.5", "F1[average=macro]@0.5", "recall[conf=0.4]@0.5")),
]
UNITS = [np.arange(IMAGES), np.arange(IMAGES) % 12, np.arange(IMAGES) % 4]
"""Images; groups that are drawn; groups so few that all draws are listed."""


@given(
    case=st.integers(0, 1),
    units=st.integers(0, 2),
    kind=st.sampled_from(["bootstrap", "swaps", "blocks"]),
    data=st.data(),
)
@settings(max_examples=60)
def test_blocks_put_together_are_the_whole(case: int, units: int, kind: str, data: st.DataObject) -> None:
    (given_models, asked), of_image = CASES[case], UNITS[units]
    count = int(of_image.max()) + 1
    if kind == "blocks":
        plan = plans.blocks(of_image, count, seed=5)
    else:
        plan = getattr(plans, kind)(of_image, count, replicates=40, seed=5)
    cuts = sorted(data.draw(st.sets(st.integers(1, plan.replicates - 1), max_size=4)))
    parts = [plan.block(start, stop) for start, stop in zip([0, *cuts], [*cuts, plan.replicates], strict=True)]
    if kind == "swaps":
        pairs = [(0, 1), (2, 1)]
        whole = swap(given_models, pairs, asked, plan)
        cut = [swap(given_models, pairs, asked, part) for part in parts]
    else:
        whole = resample(given_models, asked, plan)
        cut = [resample(given_models, asked, part) for part in parts]
    assert np.concatenate(cut).tobytes() == whole.tobytes()


def test_a_block_of_a_block_keeps_its_numbers() -> None:
    plan = plans.bootstrap(np.arange(IMAGES), IMAGES, replicates=40, seed=2)
    inner = plan.block(10, 30).block(5, 9)
    assert (inner.first, inner.replicates) == (15, 4)
    whole = resample(CASES[0][0], CASES[0][1], plan)
    assert resample(CASES[0][0], CASES[0][1], inner).tobytes() == whole[15:19].tobytes()
    other = resample(CASES[0][0], CASES[0][1], plan.block(0, 4))
    assert other.tobytes() != whole[15:19].tobytes()


def test_a_block_keeps_the_probabilities_of_what_is_listed() -> None:
    plan = plans.bootstrap(np.arange(4), 4)
    assert plan.exact
    assert plan.probabilities is not None
    block = plan.block(3, 8)
    assert block.probabilities is not None
    assert block.probabilities.tolist() == plan.probabilities[3:8].tolist()
    assert not block.exact


@pytest.mark.parametrize(("start", "stop"), [(-1, 3), (3, 3), (5, 2), (0, 41)])
def test_a_block_that_is_none_of_the_plan_is_refused(start: int, stop: int) -> None:
    plan = plans.bootstrap(np.arange(IMAGES), IMAGES, replicates=40)
    with pytest.raises(InputError, match="there are 40 replicates"):
        plan.block(start, stop)
