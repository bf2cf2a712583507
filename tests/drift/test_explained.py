"""Which switch explains a scorer's figures, and that none is named where none does."""

import pytest

import boxscore
from boxscore.drift.explained import Explanation, differences
from boxscore.drift.scorers import asked, same_version
from boxscore.drift.switches import Switched, figures_of, switched
from boxscore.errors import InputError
from tests.drift.made import data

Figures = dict[str, float | None]


@pytest.fixture(scope="module")
def measured() -> tuple[Figures, list[Switched]]:
    run = boxscore.evaluate(*data())
    return figures_of(run), switched(run)


def test_equal_figures_need_no_explanation(measured: tuple[Figures, list[Switched]]) -> None:
    plain, switches = measured
    near = {name: None if value is None else value + 5e-7 for name, value in plain.items()}
    found = Explanation(plain, near, switches)
    assert found.agrees
    assert found.to_dict() == {"agrees": True, "explains": [], "explains_ap_alone": [], "nearest": None}


def test_every_switch_explains_its_own_figures(measured: tuple[Figures, list[Switched]]) -> None:
    plain, switches = measured
    moving = [one for one in switches if not Explanation(plain, one.figures, []).agrees]
    assert len(moving) > 10
    for one in moving:
        assert one in Explanation(plain, one.figures, switches).explains


def test_ap_alone_is_told_apart(measured: tuple[Figures, list[Switched]]) -> None:
    plain, switches = measured
    crowd = switches[0]
    found = Explanation(plain, crowd.figures | {"AR": 0.5}, switches)
    assert found.explains == []
    assert found.explains_ap == [crowd]
    # What a scorer does not give is no reason to doubt.
    assert Explanation(plain, {"AP": crowd.figures["AP"]}, switches).explains == [crowd]


def test_none_explains_and_the_nearest_is_named(measured: tuple[Figures, list[Switched]]) -> None:
    plain, switches = measured
    crowd = switches[0]
    off = {name: None if value is None else value + 1e-5 for name, value in crowd.figures.items()}
    found = Explanation(plain, off, switches)
    assert (found.explains, found.explains_ap) == ([], [])
    assert found.nearest is crowd
    assert found.left["AP"] == pytest.approx(1e-5)


def test_none_is_nearest_where_all_lead_away(measured: tuple[Figures, list[Switched]]) -> None:
    plain, switches = measured
    off = {name: None if value is None else value + 2e-6 for name, value in plain.items()}
    near = [one for one in switches if Explanation(plain, one.figures, []).agrees]
    assert Explanation(plain, off, [one for one in switches if one not in near]).nearest is None


def test_a_figure_of_one_side_alone_is_no_number() -> None:
    assert differences({"AP": None, "AR": 0.5}, {"AP": None, "AR": None}) == {"AP": 0.0, "AR": None}
    assert not Explanation({"AR": 0.5}, {"AR": None}, []).agrees


def test_names_and_versions() -> None:
    assert str(asked("Faster_Coco_Eval == 1.8.0")) == "faster-coco-eval==1.8.0"
    assert asked("hotcoco").version is None
    assert asked("torchmetrics==1.9.0").scorer.requirement("1.9.0") == "torchmetrics[detection]==1.9.0"
    assert same_version("0.27.0.post1", "v0.27-post1")
    assert same_version("2.0", "2")
    assert not same_version("0.27.0.post1", "0.27.0")
    assert not same_version("1.10", "1.1")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("supervison==0.27.0", "did you mean supervision?"),
        ("hotcoco>=1", "one version with =="),
        ("hotcoco==", "is no version"),
        ("hotcoco==1.*", "is no version"),
        ("", "those that drift can run"),
        (3, "those that drift can run"),
    ],
)
def test_what_is_no_scorer_is_refused(text: object, told: str) -> None:
    with pytest.raises(InputError, match=told.replace("?", r"\?")):
        asked(text)
