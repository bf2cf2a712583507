"""What RayDrawing hands out and puts together, without Ray."""

from typing import Any

import pytest

import boxscore
from boxscore.cluster import comparing
from boxscore.cluster.comparing import RayDrawing, Sent
from boxscore.compare import compare, compare_unpaired
from boxscore.errors import MeasureError
from boxscore.measures.resampled import Model
from tests.cluster_compare.stand_in import StandIn
from tests.compare import made

RUNS = made.runs(30)


@pytest.mark.parametrize("processors", [1, 2, 7])
@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({}, {"measures": ["AP", "AR[max=10]"], "pairs": "all", "per_label": True}),
        ({"protocol": "operating-point", "confidence": 0.4}, {"measures": ["F1@0.5", "FPPI@0.5"]}),
        ({"label_agnostic": True}, {"pairs": "all"}),
    ],
    ids=["labels", "operating point", "agnostic"],
)
def test_the_comparison_is_that_of_threads(processors: int, options: dict[str, Any], asked: dict[str, Any]) -> None:
    runs = made.runs(30, **options)
    how = boxscore.Resampling(replicates=101, seed=4, interval="bca")
    here = compare(runs, resampling=how, threads=2, **asked)
    there = compare(runs, resampling=how, drawing=RayDrawing(StandIn(processors).session), **asked)
    assert there.to_dict() == here.to_dict()


def test_what_is_listed_instead_of_drawn_is_the_same() -> None:
    runs = made.runs(9, 5, thresholds=None)
    how = boxscore.Resampling(group_regex="^(?P<clip>clip[0-9]+)")
    here = compare(runs, resampling=how)
    assert here.exact
    assert compare(runs, resampling=how, drawing=RayDrawing(StandIn(3).session)).to_dict() == here.to_dict()


def test_two_data_sets_and_mean_iou() -> None:
    sides = {"one": RUNS["good"], "other": RUNS["fair"]}
    asked: dict[str, Any] = {"resampling": boxscore.Resampling(replicates=70)}
    of_coco = compare_unpaired(sides, drawing=RayDrawing(StandIn(2).session), **asked)
    assert of_coco.to_dict() == compare_unpaired(sides, **asked).to_dict()
    runs = made.runs(20, protocol="operating-point")
    sides = {"one": runs["good"], "other": runs["poor"]}
    asked["measures"] = ["recall@0.5", "meanIoU@0.5"]
    at_point = compare_unpaired(sides, drawing=RayDrawing(StandIn(2).session), **asked)
    assert at_point.to_dict() == compare_unpaired(sides, **asked).to_dict()


def test_matches_travel_once_and_blocks_cover_all() -> None:
    there = StandIn(2)
    drawn: list[tuple[str, int, int]] = []
    drawing = RayDrawing(there.session, progress=lambda *state: drawn.append(state))
    compare(RUNS, resampling=boxscore.Resampling(replicates=100), drawing=drawing)
    assert len(there.objects) == len(RUNS) + 2  # a plan of resamples, one of swaps
    resampled = [name for name in there.tasks if name.startswith("resamples")]
    assert resampled == [f"resamples {start} to {min(start + 15, 99)}" for start in range(0, 100, 16)]
    assert drawn[-1][0] == "resamples"
    assert {stage for stage, _, _ in drawn} == {"resamples", "swaps"}


def test_a_worker_keeps_the_models_of_its_last_task_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    taken_up: list[Sent] = []
    whole = Sent.model

    def counted(sent: Sent) -> Model:
        taken_up.append(sent)
        return whole(sent)

    monkeypatch.setattr(Sent, "model", counted)
    comparing._TAKEN_UP.clear()
    sent = [Sent(Model(run.matches, run.labels.names)) for run in RUNS.values()]
    comparing._taken_up(["a", "b"], sent[:2])
    comparing._taken_up(["b", "a"], [sent[1], sent[0]])
    assert taken_up == sent[:2]
    comparing._taken_up(["b", "c"], sent[1:])
    assert set(comparing._TAKEN_UP) == {"b", "c"}
    comparing._TAKEN_UP.clear()


def test_a_model_travels_whole() -> None:
    run = made.runs(12, protocol="operating-point")["fair"]
    model = Model(run.matches, run.labels.names, [0.25, 0.5])
    again = Sent(model).model()
    assert again.matches.kernel.state() == run.matches.kernel.state()
    assert (again.floors, list(again.labels)) == ([0.25, 0.5], list(made.LABELS))
    assert again.matches.protocol.to_dict() == run.protocol.to_dict()


def test_what_no_swap_gives_is_refused_in_the_same_words() -> None:
    runs = made.runs(12, protocol="operating-point")
    with pytest.raises(MeasureError) as here:
        compare(runs, measures=["meanIoU@0.5"])
    with pytest.raises(MeasureError) as there:
        compare(runs, measures=["meanIoU@0.5"], drawing=RayDrawing(StandIn(2).session))
    assert str(here.value) == str(there.value)


@pytest.mark.parametrize(("replicates", "tasks"), [(1, 8), (7, 1), (100, 3), (1000, 28), (20000, 7), (8, 100)])
def test_blocks_cover_all_replicates_once_in_multiples_of_lanes(replicates: int, tasks: int) -> None:
    blocks = comparing._blocks(replicates, tasks)
    assert [number for block in blocks for number in block] == list(range(replicates))
    assert len(blocks) <= tasks
    assert all(block.start % 8 == 0 for block in blocks)
