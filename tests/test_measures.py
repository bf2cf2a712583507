"""Measures as values: parsing and printing are inverse, and what is none is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import Measure, MeasureError

KINDS = st.sampled_from(("precision", "recall", "F1", "F2", "F0.5"))
TALLIES = st.sampled_from(("TP", "FP", "FN", "ignored", "FPPI"))
CONFS = st.one_of(st.none(), st.just("best"), st.floats(allow_nan=False, allow_infinity=False))
AREAS = st.sampled_from((None, "small", "large"))
IOUS = st.sampled_from((None, 0.5, 0.75, 0.05))
PRINTED = (
    "AP",
    "AP@0.5",
    "AP[area=small]",
    "AR[max=10]",
    "objects",
    "precision",
    "recall[conf=0.25]@0.5",
    "F1[conf=best]@0.5",
    "F0.5[area=small,max=10,conf=0.3,average=macro]@0.75",
    "TP[conf=0]",
    "FPPI",
)


@pytest.mark.parametrize("text", PRINTED)
def test_printed_forms(text: str) -> None:
    assert str(Measure.parse(text)) == text


@given(st.one_of(KINDS, TALLIES), AREAS, st.sampled_from((None, 1, 100)), CONFS, IOUS)
def test_parsing_what_is_printed(
    kind: str, area: str | None, limit: int | None, conf: float | str | None, iou: float | None
) -> None:
    measure = Measure(kind, area=area, max_detections=limit, conf=conf, iou=iou)
    again = Measure.parse(str(measure))
    assert again == measure
    assert again.conf == conf


def test_what_goes_without_saying_is_not_printed() -> None:
    assert str(Measure.parse("F1.0[area=all,average=micro]")) == "F1"
    assert Measure.parse("F2").beta == 2.0
    assert Measure.parse("AP").beta is None


@pytest.mark.parametrize(
    "text",
    [
        "AP[conf=0.5]",
        "AR[average=macro]",
        "objects[conf=0.5]",
        "TP[average=macro]",
        "F1[conf=nan]",
        "F1[conf=most]",
        "F1[average=mean]",
        "F1[beta=2]",
        "F0",
        "F",
        "F1e300",
        "Precision",
        "recall[conf=]",
    ],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(MeasureError) as caught:
        Measure.parse(text)
    assert text in str(caught.value)
