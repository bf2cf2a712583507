"""Names that trackers allow, and the way back."""

import posixpath
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.model.measure import Measure
from boxscore.tracking.names import MLFLOW, WANDB, Figure, Naming

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tracking.md"
NAMINGS = {"MLflow": MLFLOW, "W&B": WANDB}
ALLOWED = {"MLflow": r"[/\w.\- ]+", "W&B": r"[_a-zA-Z][_a-zA-Z0-9]*"}
"""MLflow's rule for Windows, the stricter of its two; and the pattern that W&B sorts and filters by."""

PRINTED = [
    *("AP", "AP@0.5", "AP[area=small]@0.75", "AP[area=_5f-2f]", "AR[max=10]", "AR[area=very large,max=1]@0.9"),
    *(
        "recall[conf=0.25]@0.5",
        "recall[conf=1e-05]@0.5",
        "precision[conf=best,average=macro]@0.5",
        "F0.5[conf=best]@0.5",
    ),
    *("F1[conf=-1]@0.3", "meanIoU@0.5", "FPPI", "TP", "ignored", "objects", "detections", "images"),
]
figures = st.builds(
    Figure,
    st.sampled_from(PRINTED),
    st.none() | st.text(),
    st.none() | st.text(alphabet="_-/= .aAdé5f(),]") | st.text(),
    st.sampled_from([None, "low", "high"]),
)


@pytest.mark.parametrize("measure", PRINTED)
def test_measures_print_as_they_stand_here(measure: str) -> None:
    assert str(Measure.parse(measure)) == measure


@pytest.mark.parametrize("tracker", NAMINGS)
@given(figure=figures)
def test_every_figure_has_a_name_that_is_allowed_and_leads_back(tracker: str, figure: Figure) -> None:
    naming = NAMINGS[tracker]
    for spell_capitals in (False, True):
        name = naming.name(figure, spell_capitals=spell_capitals)
        assert re.fullmatch(ALLOWED[tracker], name), name
        assert posixpath.normpath(name) == name
        assert naming.figure(name) == figure


@pytest.mark.parametrize("tracker", NAMINGS)
@given(some=st.lists(figures, unique=True, max_size=8))
def test_no_two_figures_share_a_name(tracker: str, some: list[Figure]) -> None:
    naming = NAMINGS[tracker]
    names = naming.names(some)
    assert sorted(map(repr, names.values())) == sorted(map(repr, some))
    assert all(len(name) <= naming.longest for name in names)


def test_names_that_differ_by_capitals_alone_are_spelt_out() -> None:
    some = [Figure("AP", "Car"), Figure("AP", "car"), Figure("AP", "Bus")]
    assert list(MLFLOW.names(some)) == ["label_-43ar/AP", "label_car/AP", "label_Bus/AP"]
    assert list(WANDB.names(some)) == ["label__43ar__AP", "label_car__AP", "label_Bus__AP"]


@pytest.mark.parametrize("naming", [MLFLOW, WANDB], ids=list(NAMINGS))
def test_long_names_are_cut_and_stay_apart(naming: Naming) -> None:
    some = [Figure("AP", "z" * 300), Figure("AP", "z" * 301), Figure("AP[area=small]@0.5", "z" * 300, bound="low")]
    names = naming.names(some)
    assert list(names.values()) == some
    assert {len(name) for name in names} == {naming.longest}
    for name in names:
        with pytest.raises(ValueError, match=r"can't be|no measure|not the name"):
            naming.figure(name)


READ = {
    "MLflow": {
        "label_traffic light/AP area_small iou_0.5 low": Figure("AP[area=small]@0.5", "traffic light", bound="low"),
        "slice_weather-3drain/label_car/recall conf_0.25 iou_0.5": Figure(
            "recall[conf=0.25]@0.5", "car", "weather=rain"
        ),
    },
    "W&B": {
        "label_traffic_20light__AP__area_small__iou_0p5__low": Figure(
            "AP[area=small]@0.5", "traffic light", bound="low"
        ),
        "slice_weather_3drain__label_car__recall__conf_0p25__iou_0p5": Figure(
            "recall[conf=0.25]@0.5", "car", "weather=rain"
        ),
        "label___detections": Figure("detections", ""),
        "label__5f__detections": Figure("detections", "_"),
    },
}


@pytest.mark.parametrize("tracker", READ)
def test_how_names_look(tracker: str) -> None:
    for name, figure in READ[tracker].items():
        assert NAMINGS[tracker].name(figure) == name
        assert NAMINGS[tracker].figure(name) == figure


def test_the_page_tells_names_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]*) \| `([^`]+)` \| `([^`]+)` \|$", text, re.MULTILINE)
    assert len(rows) >= 6
    for measure, about, mlflow, wandb in rows:
        stated = dict(re.findall(r"(label|slice) `([^`]+)`", about))
        bound = next((bound for bound in ("low", "high") if about.endswith(f"{bound} end")), None)
        figure = Figure(measure, stated.get("label"), stated.get("slice"), bound)
        assert (MLFLOW.name(figure), WANDB.name(figure)) == (mlflow, wandb)


@pytest.mark.parametrize(
    "name", ["", "loss", "AP iou_0.5 mid", "AP  low", "label_car", "AP iou_x", "AP low low", "label_-4/AP"]
)
def test_what_is_no_name_of_a_figure(name: str) -> None:
    with pytest.raises(ValueError, match=r"can't be|no measure|not the name|utf-8"):
        MLFLOW.figure(name)


def test_mlflow_itself_allows_the_longest_names() -> None:
    assert MLFLOW.longest + len("undefined/") <= 250
