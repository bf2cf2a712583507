"""Each fault, for several seeds: the gate fails by the checks that it touches and no others, and passes once undone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from boxscore.cli.regression_text import wrong
from boxscore.gate.checks import Check
from boxscore.planted import FAULTS, Demonstration, NotShown, Shown, begin
from boxscore.planted.faults import LOCALISATION, MISSED, WRONG_LABEL, Ground, NothingToLose, Planted
from boxscore.planted.rules import MEAN_IOU, RECALL

SEEDS = (0, 3, 9)


@pytest.fixture(scope="module")
def demonstrations(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Demonstration]:
    """One a seed, with every fault."""
    found = {}
    for seed in SEEDS:
        found[seed] = begin(tmp_path_factory.mktemp("planted") / str(seed), seed=seed, simulated=True)
        for name in FAULTS:
            found[seed].plant(name)
    return found


def shown(demonstration: Demonstration, name: str) -> Shown:
    (found,) = (one for one in demonstration.shown if one.name == name)
    assert isinstance(found, Shown), found
    return found


def failed(found: Shown) -> dict[tuple[str, str | None, str | None], Check]:
    return {check.key: check for check in found.gate.failed}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_fault_is_caught_named_told_and_undone(demonstrations: dict[int, Demonstration], seed: int) -> None:
    demonstration = demonstrations[seed]
    assert demonstration.gate.passes
    for one in demonstration.shown:
        assert isinstance(one, Shown), one
        assert not one.gate.passes, one.name
        assert (one.missing, one.wrongly) == ([], []), one.name
        assert one.triage.kind == one.planted.kind, one.name
        assert one.undone.passes, one.name
    assert demonstration.ok
    assert [one.name for one in demonstration.shown] == list(FAULTS)


@pytest.mark.parametrize("seed", SEEDS)
def test_another_threshold_is_named_by_the_check_of_the_protocol(
    demonstrations: dict[int, Demonstration], seed: int
) -> None:
    found = shown(demonstrations[seed], "iou")
    first = found.gate.failed[0]
    assert first.name == "protocol"
    assert first.reason is not None
    assert "iou_thresholds is [0.9], and was [0.5, 0.55," in first.reason
    assert found.triage.kinds["localisation"][1] > found.triage.kinds["localisation"][0]
    # What stands there and what is found there are the same: they only have to overlap more.
    assert found.triage.kinds["missed"][0] == found.triage.kinds["missed"][1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_raised_floor_takes_recall_and_nothing_is_there_any_more(
    demonstrations: dict[int, Demonstration], seed: int
) -> None:
    found = shown(demonstrations[seed], "floor")
    before, after = demonstrations[seed].rows, found.planted.rows
    floor = min(row["score"] for row in after)
    assert all(row["score"] < floor for row in before if row not in after)
    assert failed(found)[RECALL, None, None].delta is not None
    assert found.triage.kind == "missed"


@pytest.mark.parametrize("seed", SEEDS)
def test_swapped_labels_are_the_only_labels_that_fail(demonstrations: dict[int, Demonstration], seed: int) -> None:
    found = shown(demonstrations[seed], "labels-swapped")
    labels = {label for measure, label, _ in failed(found) if measure == "AP" and label is not None}
    assert labels == {label for _, label, _ in found.planted.must}
    assert len(labels) == 2
    row = found.triage.row
    assert row is not None
    most = row["taken_for"][0]
    assert {most["object"], most["detected"]} == labels


@pytest.mark.parametrize("seed", SEEDS)
def test_shifted_boxes_fit_worse(demonstrations: dict[int, Demonstration], seed: int) -> None:
    found = shown(demonstrations[seed], "boxes-shifted")
    assert MEAN_IOU in {measure for measure, _, _ in failed(found)}
    for before, after in zip(demonstrations[seed].rows, found.planted.rows, strict=True):
        x, y, width, height = before["bbox"]
        assert after["bbox"] == [x, y + 16, width, height]


@pytest.mark.parametrize("seed", SEEDS)
def test_lost_pictures_are_named_one_by_one(demonstrations: dict[int, Demonstration], seed: int) -> None:
    found = shown(demonstrations[seed], "pictures-lost")
    names = [row["file_name"] for row in demonstrations[seed].scenes.images]
    lost = [part.partition("=")[2] for measure, _, part in failed(found) if measure == "detections" and part]
    assert len(lost) == 2
    assert names.index(lost[1]) - names.index(lost[0]) == 10
    assert not any(row["image_id"] in lost for row in found.planted.rows)
    for check in found.gate.failed:
        assert check.rule.measure != "detections" or check.current == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_degraded_dark_scenes_are_named_and_no_other_profile(
    demonstrations: dict[int, Demonstration], seed: int
) -> None:
    found = shown(demonstrations[seed], "dark-degraded")
    profiles = {part for measure, _, part in failed(found) if measure == RECALL and (part or "").startswith("profile")}
    assert profiles == {"profile=dark"}
    dark = set(demonstrations[seed].scenes.names_of("dark"))
    others = [row for row in demonstrations[seed].rows if row["image_id"] not in dark]
    assert [row for row in found.planted.rows if row["image_id"] not in dark] == others


def test_the_same_seed_gives_the_same_and_takes_its_folder_again(
    demonstrations: dict[int, Demonstration], tmp_path: Path
) -> None:
    again = begin(tmp_path / "one", seed=0, simulated=True)
    first = demonstrations[0]
    assert again.place.predictions.read_bytes() == first.place.predictions.read_bytes()
    assert again.scenes.ground_truth.read_bytes() == first.scenes.ground_truth.read_bytes()
    (tmp_path / "one" / "notes.txt").write_text("mine")
    other = begin(tmp_path / "one", seed=1, simulated=True)
    assert other.place.predictions.read_bytes() != first.place.predictions.read_bytes()
    assert (tmp_path / "one" / "notes.txt").read_text() == "mine"


def test_what_is_not_caught_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demonstration itself must be able to fail."""

    def nothing(ground: Ground) -> Planted:
        return Planted("nothing", ground.rows, ((RECALL, None, None),), "missed")

    def elsewhere(ground: Ground) -> Planted:
        return replace(FAULTS["floor"](ground), must=(), spared=((RECALL, None, None),), kind="wrong label")

    monkeypatch.setattr("boxscore.planted.demonstration.FAULTS", {"nothing": nothing, "elsewhere": elsewhere})
    demonstration = begin(tmp_path / "d", simulated=True)
    first, second = demonstration.plant("nothing"), demonstration.plant("elsewhere")
    assert isinstance(first, Shown)
    assert isinstance(second, Shown)
    assert first.gate.passes
    assert first.missing == [RECALL]
    assert first.triage.kind is None
    assert second.wrongly == [RECALL]
    assert second.triage.kind == "missed"
    assert not first.ok
    assert not second.ok
    assert not demonstration.ok


def test_one_thing_that_is_wrong_is_enough(demonstrations: dict[int, Demonstration]) -> None:
    good = shown(demonstrations[0], "floor")
    assert good.ok
    spoilt = (
        replace(good, gate=good.undone),
        replace(good, missing=[RECALL]),
        replace(good, wrongly=[RECALL]),
        replace(good, triage=replace(good.triage, kind="localisation")),
        replace(good, triage=replace(good.triage, kind=None)),
        replace(good, undone=good.gate),
    )
    assert not any(one.ok for one in spoilt)


def test_it_is_told_whether_some_checks_or_none_name_the_fault(demonstrations: dict[int, Demonstration]) -> None:
    good = shown(demonstrations[0], "floor")
    assert wrong(good) == []
    assert wrong(replace(good, missing=["AP"])) == ["these should have failed: AP"]
    unnamed = replace(good, missing=["AP"], planted=replace(good.planted, must=(("AP", "none", None),)))
    assert wrong(unnamed) == ["no failed check names the fault; these should have failed: AP"]


def test_kinds_are_triage_s_own() -> None:
    assert (MISSED, LOCALISATION, WRONG_LABEL) == ("missed", "localisation", "wrong label")


@pytest.mark.parametrize(("scores", "floor"), [((0.9, 0.9, 0.9, 0.1), "0.9"), ((0.301, 0.303, 0.304), "0.3")])
def test_a_floor_that_takes_nothing_is_told(
    tmp_path: Path, demonstrations: dict[int, Demonstration], scores: tuple[float, ...], floor: str
) -> None:
    good = demonstrations[0]
    rows = [row | {"score": score} for row, score in zip(good.rows, scores, strict=False)]
    ground = Ground(good.scenes, good.detector, rows, good.run, tmp_path, 0.9)
    with pytest.raises(NothingToLose, match=f"none of the 3 detections that count is below confidence {floor},"):
        FAULTS["floor"](ground)


def test_where_there_is_nothing_to_lose_it_is_told(tmp_path: Path) -> None:
    demonstration = begin(tmp_path / "d", simulated=True)
    dark = demonstration.scenes.names_of("dark")
    for check in demonstration.gate.checks:
        if check.slice == "profile=dark":
            check.baseline = check.limit = 0.0
    found = demonstration.plant("dark-degraded")
    assert found == NotShown("dark-degraded", f"{RECALL}, profile=dark is 0.0000 without the fault")
    demonstration.rows = [row for row in demonstration.rows if row["image_id"] in dark[:1]]
    few = demonstration.plant("pictures-lost")
    assert isinstance(few, Shown)  # the tenth that is lost is the one with something in it
    assert few.named == [f"detections, file_name={dark[0]}"]
    assert not demonstration.ok


def test_the_mark_says_what_was_made(demonstrations: dict[int, Demonstration]) -> None:
    mark = demonstrations[3].place.folder / "boxscore-regression.json"
    assert json.loads(mark.read_text()) == {"made_by": "boxscore demo --regression", "seed": 3, "images": 20}
