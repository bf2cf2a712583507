"""Gates over two runs: verdicts, what is missing, what is refused, and draws held to those of whole runs."""

import copy

import numpy as np
import pytest

import boxscore
from boxscore import InputError, Measure, MeasureError
from boxscore.gate import draws
from boxscore.gate.gating import default_rules, gate
from boxscore.gate.rule_files import parse
from boxscore.gate.run_sides import RunSides
from boxscore.measures.resampled import Model, Wanted, resample, swap
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.sliced import Slicing, slices_of
from boxscore.stats.plans import Plan
from tests.gate.made import gated, predictions, run, truth

RECALL = "recall[conf=0.2]@0.5"
BASE = run(predictions(skill=0.8))
SAME = run(predictions(skill=0.8, seed=2))
FOGGED = run(predictions(skill=0.8, seed=2, fog=0.4))


def test_fixed_rules_hold_figures_to_floors_and_ceilings() -> None:
    found = gated(BASE, FOGGED, [{"measure": RECALL, "slice": "weather=*", "slack": 0.05}])
    clear, fog = found.checks
    assert [clear.slice, fog.slice] == ["weather=clear", "weather=fog"]
    assert (clear.verdict, fog.verdict, found.verdict) == ("pass", "fail", "fail")
    assert fog.limit == pytest.approx((fog.baseline or 0) - 0.05)
    assert fog.delta == pytest.approx((fog.current or 0) - (fog.baseline or 0))
    alone = run([row for row in predictions(seed=2, fog=0.4) if row["image_id"] % 2], part_of_truth(odd=True))
    assert fog.current == alone.value(RECALL)
    assert gated(BASE, BASE, [{"measure": "AP"}]).passes  # at the floor is not below it
    assert not gated(BASE, SAME, [{"measure": "AP", "slack": 1, "floor": 0.99}]).passes


def part_of_truth(odd: bool) -> dict[str, object]:
    content = truth()
    content["images"] = [image for image in content["images"] if image["id"] % 2 == odd]
    content["annotations"] = [one for one in content["annotations"] if one["image_id"] % 2 == odd]
    return content


@pytest.mark.parametrize("slack", [0.0, 0.02])
def test_a_significant_drop_fails_and_noise_does_not(slack: float) -> None:
    rules = [
        {"measure": "AP", "judge": "significant", "slack": slack},
        {"measure": RECALL, "slice": "each", "judge": "significant", "slack": slack},
    ]
    worse, same = gated(BASE, FOGGED, rules), gated(BASE, SAME, rules)
    assert [check.verdict for check in worse.checks] == ["fail", "pass", "fail"]
    assert same.passes
    for check in worse.checks:
        assert check.p is not None
        assert check.p_adjusted is not None
        assert check.p <= check.p_adjusted
        assert check.units == (60 if check.slice is None else 30)


def test_mean_iou_has_a_null_though_pairs_do_not_swap() -> None:
    rule = {"measure": "meanIoU@0.5", "slice": "each", "judge": "significant"}
    found = gated(BASE, SAME, [rule])
    assert found.passes
    assert [check.p_adjusted for check in found.checks] == [1.0, 1.0]  # all boxes lie exactly on their objects


def test_non_inferiority_needs_evidence() -> None:
    def verdict(current: boxscore.Run, margin: float) -> str:
        return gated(BASE, current, [{"measure": RECALL, "judge": "non-inferior", "margin": margin}]).verdict

    assert verdict(SAME, 0.3) == "pass"
    assert verdict(SAME, 0.001) == "fail"  # as good, but 60 images can't show it to a thousandth
    assert verdict(FOGGED, 0.05) == "fail"
    assert verdict(BASE, 0.001) == "pass"  # the very same


def test_draws_of_a_slice_are_those_of_the_whole_under_its_mask() -> None:
    slices = slices_of(BASE, Slicing(["weather"])), slices_of(FOGGED, Slicing(["weather"]))
    how = Resampling(replicates=50, seed=3)
    sides = RunSides((BASE, FOGGED), slices, how)
    keys = [("AP", None, "weather=fog"), (RECALL, "car", "weather=fog"), ("AP", "van", None)]
    plan = draws.plan_of(np.arange(60, dtype=np.uint32), 60, how, swaps=False)
    weights = np.stack(list(draws.each(plan, swaps=False)))
    masked = Plan(plan.units, 60, 50, weights=weights * slices[0][1].mask.astype(np.uint32))
    models = [Model(one.matches, one.labels.names) for one in (BASE, FOGGED)]
    expected = resample(models, [Wanted(Measure.parse("AP"), [0, 1]), Wanted(Measure.parse(RECALL), [0])], masked)
    assert np.array_equal(sides.resampled(keys).values[:, :, :2], expected)
    whole = resample(models, [Wanted(Measure.parse("AP"), [1])], plan)
    assert np.array_equal(sides.resampled(keys[2:]).values, whole)
    swapped = swap(models, [(0, 1)], [Wanted(Measure.parse("AP"), [1])], draws.plan_of(plan.units, 60, how, swaps=True))
    assert np.array_equal(sides.swapped(keys[2:]).values, swapped[:, 0])


def test_slices_of_objects_are_gated_on_what_is_found() -> None:
    content = truth()
    for number, one in enumerate(content["annotations"]):
        one["tier"] = "easy" if number % 4 < 2 else "hard"
    base, worse, same = (
        run(rows, content) for rows in (predictions(), predictions(seed=2, fog=0.2), predictions(seed=2))
    )

    def sides(current: boxscore.Run) -> RunSides:
        slicing = Slicing(["tier"])
        return RunSides((base, current), (slices_of(base, slicing), slices_of(current, slicing)))

    rules = parse({"rules": [{"measure": RECALL, "slice": "each", "judge": "significant", "slack": 0.01}]}, "r")
    for current, verdict in ((worse, "fail"), (same, "pass")):
        checks = gate(sides(current), rules, with_power=True).checks
        told = [(check.slice, check.verdict, check.units) for check in checks]
        assert told == [("tier=easy", verdict, 60), ("tier=hard", verdict, 60)]
        drawn = sides(current).resampled([check.key for check in checks]).values.mean(axis=0)
        points = [[check.baseline for check in checks], [check.current for check in checks]]
        assert drawn == pytest.approx(np.array(points, dtype=float), abs=0.02)
    swapped = sides(worse).swapped([(RECALL, "car", "tier=easy")]).values
    assert swapped.sum(axis=1)[:, 0] == pytest.approx(swapped[0].sum(), abs=1e-12)
    precision = parse({"rules": [{"measure": "precision[conf=0.2]@0.5", "slice": "each"}]}, "r")
    with pytest.raises(MeasureError, match="slice 'tier=easy' is one of objects, which have no precision"):
        gate(sides(same), precision)


def test_what_is_missing_fails_and_is_named() -> None:
    less = truth()
    less["images"] = less["images"][1:]
    less["annotations"] = [one for one in less["annotations"] if one["image_id"] != 0]
    current = run([row for row in predictions() if row["image_id"] != 0], less)
    rules = [{"measure": "AP", "judge": "significant"}, {"measure": "AP", "slice": "weather=rain"}]
    rules.append({"measure": "AP", "slack": 0.1})  # type: ignore[dict-item]
    found = gated(BASE, current, rules)
    assert [(check.rule.measure, check.verdict) for check in found.checks] == [
        ("images", "fail"),
        ("AP", "fail"),
        ("AP", "fail"),
        ("AP", "pass"),
    ]
    images, paired, rain, _ = found.checks
    assert (images.baseline, images.current) == (60, 59)
    assert images.reason == "the current run lacks images 0"
    assert paired.reason == "the runs can't be paired: the current run lacks 1 image"
    assert rain.reason == "there is no slice 'weather=rain'"


def test_a_missing_label_fails_with_the_figure_it_had() -> None:
    less = truth()
    less["categories"] = less["categories"][:1]
    less["annotations"] = [one for one in less["annotations"] if one["category_id"] == 0]
    current = run([row for row in predictions() if row["category_id"] == 0], less)
    found = gated(BASE, current, [{"measure": "AP", "label": "each", "slack": 0.1}])
    labels, car, van = found.checks
    assert labels.reason == "the current run lacks labels van"
    assert (car.verdict, van.verdict) == ("pass", "fail")
    assert van.reason == "label 'van' is missing from the current run"
    assert van.baseline == BASE.value("AP", "van")
    assert van.limit == pytest.approx((van.baseline or 0) - 0.1)


def test_other_data_or_protocol_is_refused_by_name() -> None:
    moved = copy.deepcopy(truth())
    moved["annotations"][5]["bbox"][0] += 1
    with pytest.raises(InputError, match=r"ground truth differs in 1 of 60 images, first image 1; .*--promote"):
        gated(BASE, run(predictions(), moved), [{"measure": "AP"}])
    with pytest.raises(InputError, match=r"protocol field iou_thresholds is .* of the baseline and .* of the curr"):
        gated(BASE, run(predictions(), iou=0.5), [{"measure": "AP"}])
    with pytest.raises(InputError, match=r"number of images: 60 of the baseline, 62 of the current run"):
        gated(BASE, run(predictions(62), truth(62)), [{"measure": "AP"}])
    at = [run(predictions(), protocol="operating-point", confidence=floor) for floor in (0.2, 0.3)]
    with pytest.raises(InputError, match=r"the baseline and the current run can't be compared: .*confidence"):
        gated(at[0], at[1], [{"measure": "recall"}])
    assert gated(at[0], at[1], [{"measure": "recall", "slack": 1}], own_floors=True).passes
    other = copy.deepcopy(truth())
    other["images"][4]["weather"] = "fog"
    with pytest.raises(InputError, match=r"slice 'weather=clear' is not the same part of both .* image 4, which the b"):
        gated(BASE, run(predictions(), other), [{"measure": "AP"}])


def test_what_does_not_exist_follows_the_rule() -> None:
    none = run([row for row in predictions() if row["category_id"] == 0])
    precision = {"measure": "precision[conf=0.2]@0.5", "label": "van", "slack": 0.5}
    fails, passes = (gated(BASE, none, [precision | more]).checks[0] for more in ({}, {"undefined": "pass"}))
    assert (fails.verdict, passes.verdict) == ("fail", "pass")
    assert fails.reason == "the current figure does not exist: no detections at or above the floor"
    back = gated(none, BASE, [precision]).checks[0]
    assert back.reason == "the baseline's figure does not exist: no detections at or above the floor"
    assert gated(none, BASE, [precision | {"floor": 0.3}]).checks[0].verdict == "pass"  # the floor is there without it
    noted = gated(BASE, none, [precision | {"undefined": "pass"}]).notes
    assert str(noted[-1]).startswith("passed, though the current figure does not exist")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"measure": "AQ"}, r"rules\[0\]: .*AQ"),
        ({"measure": "AP@0.43"}, r"rules\[0\]: .*0.43"),
        ({"measure": "objects", "judge": "significant"}, "an interval|counts what was given"),
        ({"measure": "F1[conf=best]@0.5", "judge": "significant"}, r"rules\[0\]: .*chooses its confidence"),
        ({"measure": "latency[p95]", "label": "car"}, r"takes no label"),
        ({"measure": "latency[p101]"}, "percentile above 100"),
    ],
)
def test_rules_that_runs_can_not_be_held_to(rule: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gated(BASE, SAME, [rule])


def test_by_default_the_headline_and_each_label() -> None:
    rules = default_rules(BASE)
    assert [(rule.measure, rule.labels, rule.judge) for rule in rules.rules] == [
        ("AP", None, "significant"),
        ("AP", ("*",), "significant"),
    ]
    assert default_rules(run(predictions(), label_agnostic=True)).rules[1:] == ()


def test_few_units_pass_with_a_note() -> None:
    rules = [{"measure": "AP", "judge": "significant"}]
    content = truth(4)
    base, current = run(predictions(4), content), run([], content)
    found = gated(base, current, rules)
    assert found.passes
    assert found.checks[0].reason == "on fewer than 5 images no drop can be significant"
    assert str(found.notes[-1]) == f"passed, though {found.checks[0].reason}: AP"


def test_power_states_drops_and_chances() -> None:
    rules: list[dict[str, object]] = [
        {"measure": "AP", "judge": "significant"},
        {"measure": RECALL, "slack": 0.1},
        {"measure": RECALL, "judge": "non-inferior", "margin": 0.1},
        {"measure": "objects"},
    ]
    found = gated(BASE, SAME, rules, with_power=True)
    ap, fixed, inferior, objects = found.checks
    assert ap.detectable is not None
    assert fixed.detectable is not None
    assert inferior.detectable is not None
    assert ap.detectable > 1.6 * (ap.std_error or 0)
    assert ap.equal_passes == pytest.approx(0.95, abs=0.011)
    assert fixed.detectable == pytest.approx(0.1 + 0.84 * (fixed.std_error or 0), rel=0.1)
    assert inferior.detectable < 0.1 < fixed.detectable
    assert objects.detectable is None
    assert found.power is not None
    chances = found.power.equal_passes
    assert chances["all"] <= min(chances["fixed"], chances["significant"], chances["non-inferior"])


def test_the_same_seed_gives_the_same_bytes_whatever_the_threads() -> None:
    rules = [{"measure": "AP", "label": "each", "judge": "significant", "slack": 0.01}]
    found = [gated(BASE, FOGGED, rules, with_power=True).to_dict() for _ in range(2)]
    assert found[0] == found[1]
    sides = RunSides((BASE, FOGGED), resampling=Resampling(replicates=200), threads=2)
    again = gate(sides, parse({"rules": rules}, "gate.yaml"), with_power=True)
    assert again.to_dict()["checks"] == found[0]["checks"]
