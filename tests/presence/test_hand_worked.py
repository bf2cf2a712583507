"""One film of twenty seconds, in both forms of ground truth; every figure is worked out by hand here.

                0        5        10                  20 s
    X-Ray       |Ann Bob |        |Ann Cid             |
    prediction   Ann ---   -         -------               1..4, 6..7, 11..18
                Bob -----                                  0..5
                                  Eve --                   10..12

At whole seconds Ann is there 15 times and found 10 times (1, 2, 3, 11 … 17), once wrongly (6); Bob 5 times and found
each time; Cid 10 times and never found; Eve is there never, and predicted twice (10, 11).
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.presence.written import ANN, BOB, CID, gallery
from tests.presence_sources.written import train

COUNTS = ("TP", "FP", "FN")

Sources = dict[str, dict[str, Any]]
Score = Callable[..., Sources]


def of_xray(score: Score, *options: str) -> dict[str, Any]:
    return score("--xray", "xray", *options)["xray"]


def counts(row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(row[name] for name in COUNTS)


def rates(row: dict[str, Any]) -> tuple[float, ...]:
    return tuple(row[name]["value"] for name in ("precision", "recall", "F1"))


def test_masked_to_those_whom_both_sides_have(score: Score) -> None:
    found = of_xray(score)
    assert found["moments"]["count"] == 20
    assert counts(found["masked"]) == (15, 1, 5)
    assert rates(found["masked"]) == (15 / 16, 15 / 20, 30 / 36)


def test_unmasked_counts_invented_and_wholly_missed_actors(score: Score) -> None:
    found = of_xray(score)
    assert counts(found["unmasked"]) == (15, 3, 15)
    assert rates(found["unmasked"]) == (15 / 18, 15 / 30, 30 / 48)


def test_names_what_the_mask_leaves_out(score: Score) -> None:
    outside = of_xray(score)["outside_mask"]
    assert outside == {
        "predicted": 2,
        "predicted_actors": [{"label": "tmdb:5", "name": "Eve Ryder", "moments": 2}],
        "true": 10,
        "true_actors": [{"label": f"imdb:{CID}", "name": "Cid Fox", "moments": 10}],
    }


def test_masked_to_a_gallery(home: Path, score: Score) -> None:
    """Cid could be recognised, and is missed; Bob can't be, and whatever is said of him counts nowhere."""
    gallery(home / "gallery.json", ("Ann Lee", {"imdb": ANN}), ("C. Fox", {"imdb": CID}), ("Eve Ryder", {"tmdb": 5}))
    found = of_xray(score, "--gallery", "gallery.json")
    assert found["mask"]["kind"] == "gallery and ground truth"
    assert counts(found["masked"]) == (10, 1, 15)
    outside = [(one["label"], one["moments"]) for one in found["outside_mask"]["predicted_actors"]]
    assert outside == [(f"imdb:{BOB}", 5), ("tmdb:5", 2)]


def test_without_a_mask_all_count(score: Score) -> None:
    found = of_xray(score, "--no-mask")
    assert found["mask"]["kind"] == "none"
    assert counts(found["masked"]) == counts(found["unmasked"]) == (15, 3, 15)
    assert found["outside_mask"]["predicted_actors"] == found["outside_mask"]["true_actors"] == []


def test_by_actor_under_true_labels(score: Score) -> None:
    rows = {row["label"]: row for row in of_xray(score)["by_actor"]}
    assert {label: counts(row) for label, row in rows.items()} == {
        f"imdb:{ANN}": (10, 1, 5),
        f"imdb:{BOB}": (5, 0, 0),
        f"imdb:{CID}": (0, 0, 10),
        "tmdb:5": (0, 2, 0),
    }
    assert [row["role"] for row in rows.values()] == ["lead", "lead", "lead", "not in the ground truth"]
    assert rows["tmdb:5"]["recall"]["value"] is None
    assert rows["tmdb:5"]["recall"]["reason"] == "no ground truth"


def test_by_scene_with_the_empty_one(score: Score) -> None:
    rows = of_xray(score)["by_scene"]
    assert [(row["from"], row["moments"], *counts(row)) for row in rows] == [
        (0.0, 5, 8, 0, 2),
        (5.0, 5, 0, 1, 0),
        (10.0, 10, 7, 0, 3),
    ]


def test_present_from_the_timestamp_on(score: Score) -> None:
    """Ann from 1 and 12 s on, Bob from 2 s on: earlier predictions of them are wrong, earlier misses are none."""
    found = of_xray(score, "--presence", "timestamp")
    assert counts(found["masked"]) == (9 + 3, 2 + 2, 3)


def test_scene_anchored(score: Score) -> None:
    """At 2.5 s Ann and Bob, both found; at 7.5 s nobody, and nobody found; at 15 s Ann, found."""
    found = of_xray(score, "--scene-anchored")
    assert found["moments"]["count"] == 3
    assert counts(found["masked"]) == (3, 0, 0)


def test_misses_by_fate(score: Score) -> None:
    rows = of_xray(score)["fates"]["rows"]
    assert rows == [
        {"screen": None, "detection": "never detected in this title", "misses": 10, "in_mask": 0},
        {"screen": None, "detection": "missed here", "misses": 5, "in_mask": 5},
    ]


def test_windows(score: Score) -> None:
    """Ann: 1..4 in 0..5, and 11..18 in 10..20; Bob is met exactly. Nothing is cut or joined."""
    found = of_xray(score)["windows"]
    ann, bob = found["by_actor"]
    assert (ann["windows"], ann["found"], ann["gaps"]) == (2, 2, 0)
    assert (ann["onset"], ann["offset"]) == (1.0, -1.5)
    assert ann["window_iou"] == pytest.approx((3 / 5 + 7 / 10) / 2)
    assert ann["time_iou"] == 10 / 16
    assert (bob["onset"], bob["offset"], bob["window_iou"], bob["time_iou"]) == (0.0, 0.0, 1.0, 1.0)
    whole = found["all"]
    assert (whole["windows"], whole["found"]) == (3, 3)
    assert (whole["onset"], whole["offset"], whole["time_iou"]) == (1.0, -1.0, 15 / 21)
    assert (whole["over_segmentation"], whole["under_segmentation"]) == (1.0, 1.0)


def test_gaps_closed_in_the_prediction(score: Score) -> None:
    """2 s closes 4..6 (4 right, 5 wrong); 5 s closes 7..11, too (10 right, 7 to 9 wrong)."""
    rows = of_xray(score, "--anneal", "0,1,2,5")["anneal"]
    assert [(row["seconds"], *counts(row)) for row in rows] == [
        (0, 15, 1, 5),
        (1, 15, 1, 5),
        (2, 16, 2, 4),
        (5, 17, 5, 3),
    ]
    assert rows[2]["F1"]["value"] == 32 / (18 + 20)


def test_movienet_is_asked_at_its_annotated_key_frames(home: Path, score: Score) -> None:
    """At 2.5 s Ann and Bob, found; at 7.5 s an unknown; at 15 s Cid alone: Ann is wrong there, and Cid missed.

    MovieNet knows people by their ids alone, and the prediction Bob by his name alone: the crosswalk joins them.
    """
    (home / "crosswalk.json").write_text(json.dumps([{"imdb": BOB, "name": "Bob Best"}]))
    options = ("--movienet", "movienet", "--fps", "10")
    assert counts(score(*options)["movienet"]["masked"]) == (1, 1, 0)
    found = score(*options, "--crosswalk", "crosswalk.json")["movienet"]
    assert (found["moments"]["count"], found["moments"]["how"]) == (3, "the annotated moments")
    assert counts(found["masked"]) == (2, 1, 0)
    assert counts(found["unmasked"]) == (2, 1, 1)
    assert found["windows"]["reason"] is not None


def test_both_side_by_side_say_where_misses_were(score: Score) -> None:
    """Ann is missed at 0 and 4 s, on screen by MovieNet; at 10, 18 and 19 s she is not; Cid is there all the time."""
    found = score("--movienet", "movienet", "--fps", "10", "--xray", "xray")
    assert list(found) == ["movienet", "xray"]
    told = {(row["screen"], row["detection"]): row["misses"] for row in found["xray"]["fates"]["rows"]}
    assert {key: count for key, count in told.items() if count} == {
        ("on screen", "missed here"): 2,
        ("not on screen", "missed here"): 3,
        ("on screen", "never detected in this title"): 10,
    }
    assert found["movienet"]["fates"] is None


def test_the_same_film_as_a_table(home: Path, score: Score) -> None:
    (home / "table.csv").write_text(f"actor,start,end\nimdb:{ANN},0,5\n{BOB},0,5\nimdb:{ANN},10,20\nimdb:{CID},10,20\n")
    (home / "crosswalk.csv").write_text(f"imdb,name\n{BOB},Bob Best\n")
    without = score("--table", "table.csv")["table"]
    assert counts(without["masked"]) == (10, 1, 5), "the table has Bob's id alone, the prediction his name alone"
    found = score("--table", "table.csv", "--crosswalk", "crosswalk.csv")["table"]
    assert counts(found["masked"]) == counts(of_xray(score)["masked"])
    assert found["moments"]["grouped_by"] == "block"


def test_movienet_ps_is_asked_at_annotated_shots_and_has_no_scenes(home: Path, score: Score) -> None:
    """Ann in the first shot, Cid in the third, none in the second: only 2.5 and 15 s are asked."""
    pictures = {ANN: "tt0000001/shot_0000_img_1.jpg", CID: "tt0000001/shot_0002_img_1.jpg"}
    train(home / "ps", [(pid, [picture]) for pid, picture in pictures.items()])
    options = ("--movienet", "ps", "--split", "Train_app10", "--title", "tt0000001", "--fps", "10")
    shots = ("--shots", "movienet/tt0000001.txt")
    found = score(*options, *shots)["movienet"]
    assert found["moments"]["count"] == 2
    assert counts(found["unmasked"]) == (1, 2, 1), "Ann right and Bob wrong at 2.5 s; Ann wrong and Cid missed at 15 s"
    assert counts(found["masked"]) == (1, 1, 0)
    with pytest.raises(AssertionError, match="this ground truth has none"):
        score(*options, *shots, "--scene-anchored")
