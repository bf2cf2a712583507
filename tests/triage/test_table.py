"""Tables of matches that another harness wrote."""

from pathlib import Path

import polars as pl
import pytest

from boxscore import InputError
from boxscore.triage import Options, Triage, triage
from tests.support import shared
from tests.triage.made import run_of

HEAD = "scene_id,match_type,gt_class,pred_class,pred_confidence,best_iou_any_class,best_pred_class_at_overlap"


def pilot() -> Path:
    return shared.folder_or_skip("data") / "perceptorguard" / "artifacts"


def counts(found: Triage) -> dict[str, int]:
    return {row["mode"]: row["count"] for row in found.breakdown.rows if row["count"]}


def table(tmp_path: Path, *rows: str, head: str = HEAD) -> Path:
    path = tmp_path / "matches.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def test_the_pilot_table() -> None:
    found = triage(pilot() / "eval" / "matches.csv", Options(search=False))
    assert counts(found) == {"background": 416, "missed": 232, "wrong label": 123}
    assert (found.view["objects"], found.view["found"]) == (357, 2)


def test_p03_the_pilot_clusters_with_its_own_features() -> None:
    found = triage(pilot() / "eval" / "matches.csv", Options(features="perceptorguard", search=False))
    assert found.clusters is not None
    sizes = [(row["cluster"], row["count"]) for row in found.clusters]
    assert sizes == [(3, 235), (2, 181), (4, 172), (1, 99), (0, 84)]
    published = pl.read_csv(pilot() / "triage" / "failures_classified.csv")
    assert found.clustering is not None
    assert found.clustering.labels.tolist() == published["cluster"].drop_nulls().cast(pl.Int64).to_list()


def test_the_written_tables_are_the_pilots(tmp_path: Path) -> None:
    triage(pilot() / "eval" / "matches.csv", Options(features="perceptorguard", search=False)).write(tmp_path)
    mine, theirs = (pl.read_csv(at / "cluster_summary.csv") for at in (tmp_path, pilot() / "triage"))
    same = ["cluster", "count", "mode_pct", "top_profile", "top_tier"]
    assert mine.select(same).equals(theirs.select(same))
    for name in ("mean_camera_distance", "mean_ambient_light", "mean_num_objects", "mean_gt_box_area"):
        assert mine[name].to_list() == pytest.approx(theirs[name].to_list(), nan_ok=True)
    assert pl.read_csv(tmp_path / "matches.csv").height == 773
    assert pl.read_csv(tmp_path / "failures_classified.csv").height == 771


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    box = (0.0, 0.0, 100.0, 100.0)
    run = run_of(
        [("car", box), ("bus", (300.0, 0.0, 90.0, 90.0))],
        [
            ("car", box, 0.9),
            ("car", box, 0.8),
            ("truck", (300.0, 0.0, 90.0, 90.0), 0.7),
            ("car", (700.0, 0, 9, 9), 0.6),
        ],
    )
    found = triage(run)
    found.write(tmp_path)
    again = triage(tmp_path / "matches.csv")
    assert counts(again) == counts(found) == {"classification": 1, "duplicate": 1, "background": 1, "wrong label": 1}
    assert again.view["average_precision"] == found.view["average_precision"]
    assert not (tmp_path / "cluster_summary.csv").exists()
    rows = pl.read_csv(tmp_path / "matches.csv").to_dicts()
    assert [row["match_type"] for row in rows] == ["tp", "fn", "fp", "fp", "fp"]
    assert (rows[0]["iou"], rows[1]["best_pred_class_at_overlap"], rows[1]["gt_box_area"]) == (1.0, "truck", 8100.0)


def test_p01_a_hit_below_the_confidence_is_a_miss(tmp_path: Path) -> None:
    path = table(tmp_path, "a,tp,cup,cup,0.2,,", "a,tp,cup,cup,0.9,,", "a,fp,,cup,0.1,,", "a,fp,,cup,0.25,,")
    found = triage(path, Options(confidence=0.25))
    assert counts(found) == {"missed": 1, "background": 1}
    assert (found.view["objects"], found.view["found"]) == (2, 1)
    assert [note.code for note in found.notes] == ["hits-below-confidence"]


@pytest.mark.parametrize(
    ("row", "mode"),
    [
        ("a,fn,cup,,,,", "missed"),
        ("a,fn,cup,,,0.09,cup", "missed"),
        ("a,fn,cup,,,0.1,cup", "localisation"),
        ("a,fn,cup,,,0.4,bowl", "wrong label"),
    ],
)
def test_rules_of_misses(tmp_path: Path, row: str, mode: str) -> None:
    found = triage(table(tmp_path, row))
    assert counts(found) == {mode: 1}
    confused = [one for row in found.breakdown.rows for one in row["taken_for"]]
    assert confused == ([{"object": "cup", "detected": "bowl", "count": 1}] if mode == "wrong label" else [])


@pytest.mark.parametrize(
    ("rows", "head", "said"),
    [
        (["a,hit,cup,cup,0.5,,"], HEAD, "row 2: match_type is 'hit'"),
        (["a,fn,,,,,"], HEAD, "row 2: fn has no gt_class"),
        (["a,fp,,cup,,,"], HEAD, "row 2: fp has no pred_confidence"),
        (["a,tp"], "scene_id,match_type", "no column gt_class"),
        (["tp,cup,cup,0.5"], "match_type,gt_class,pred_class,pred_confidence", "no column scene_id"),
        (["a,fp,,cup,high,,"], HEAD, "a column is not what it should be"),
        ([], HEAD, "has no rows"),
    ],
)
def test_tables_that_are_refused(tmp_path: Path, rows: list[str], head: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        triage(table(tmp_path, *rows, head=head))


def test_a_confidence_that_leaves_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no object, and no detection from confidence 0\.9 on"):
        triage(table(tmp_path, "a,fp,,cup,0.5,,"), Options(confidence=0.9))


def test_options_of_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave them out"):
        triage(table(tmp_path, "a,fn,cup,,,,"), Options(iou=0.5))


def test_features_of_the_harness_need_its_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs the column camera_distance"):
        triage(table(tmp_path, "a,fn,cup,,,,"), Options(features="perceptorguard"))
