"""Placeholders: where they are found, what they ask for, and that nothing else of a document is touched."""

from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.study import read
from boxscore.study.placeholders import filled, placeholders
from boxscore.study.values import Answers
from tests.study import made


def row(model: str, point: float | None, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    reason = "no ground truth" if point is None else None
    return {
        "model": model,
        "point": point,
        "low": low,
        "high": high,
        "std_error": 0.01,
        "bias": 0.002,
        "reason": reason,
    }


def pair(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"a": "good/640", "b": "poor", "difference": 0.1234, "low": 0.05, "high": 0.2, "mean": 0.12}
    found |= {"p": 0.0004, "p_adjusted": 0.0123, "separated": True, "verdict": "separated", "excludes_zero": True}
    return found | {"std_error": 0.03, "detectable": 0.08, "units_to_separate": 1234, "reason": None} | changes


def section(
    measure: str, label: str | None, models: list[dict[str, Any]], pairs: list[dict[str, Any]]
) -> dict[str, Any]:
    groups = [["good/640", "poor"]] if not pairs else []
    return {"measure": measure, "label": label, "models": models, "pairs": pairs, "groups": groups, "absent": {}}


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    """Made-up results of the small study."""
    study = read(made.write(tmp_path))
    main = [
        section("AP", None, [row("good/640", 0.71554, 0.70421, 0.72849), row("poor", 0.59211)], [pair()]),
        section("AP@0.5", None, [row("good/640", 0.9, 0.8, 0.95), row("poor", None)], []),
        section("AP", "ball", [row("good/640", 0.25, 0.2, 0.3), row("poor", 0.125, 0.1, 0.2)], []),
    ]
    same = [pair(b="good/800", difference=-0.0001, low=-0.02, high=0.0, verdict="tie", p=1.0, p_adjusted=1.0)]
    size = [section("AP", None, [row("good/640", 0.71554, 0.70421, 0.72849), row("good/800", 0.7156)], same)]
    how = {"confidence": 0.95, "interval": "percentile", "unit": "group", "units": 3, "images": 1094, "seed": 0}
    how |= {"replicates": 10, "exact": True}
    bands = [
        {"device": "Orin", "p50": 12.04, "p95": 14.96, "measured": 9, "cross_check": False},
        {"device": "desk", "p50": 3.0, "p95": 4.0, "measured": 9, "cross_check": True},
    ]
    return Answers(
        study,
        {
            "variants": {"good/640": "Good 640", "good/800": "Good 800", "poor": "Poor | x"},
            "latency": {"good/640": bands},
            "tables": {"main": {"results": main, **how}},
            "comparisons": {"size": {"results": size, **how}},
        },
    )


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("good/640 AP in=main", "0.716"),
        ("good/640 AP", "0.716"),
        ("good/640 AP point digits=4", "0.7155"),
        ("good/640 AP ±interval", "0.716 [0.704, 0.728]"),
        ("good/640 AP +interval in=main", "0.716 [0.704, 0.728]"),
        ("good/640 AP ±interval percent", "71.6 [70.4, 72.8]"),
        ("good/640 AP interval digits=2", "[0.70, 0.73]"),
        ("good/640 AP low", "0.704"),
        ("good/640 AP bias", "0.002"),
        ("good/640 AP@0.50", "0.900"),
        ("good/640 AP label=ball", "0.250"),
        ('good/640 AP label="ball" high', "0.300"),
        ("poor AP ±interval", "0.592"),
        ("poor AP interval", "n/a"),
        ("poor AP@0.5", "n/a"),
        ("good/640 vs poor AP", "+0.123"),
        ("good/640 vs poor AP ±interval", "+0.123 [+0.050, +0.200]"),
        ("poor vs good/640 AP ±interval", "-0.123 [-0.200, -0.050]"),
        ("good/640 vs poor AP p", "<0.001"),
        ("good/640 vs poor AP p_adjusted", "0.012"),
        ("good/640 vs poor AP verdict", "separated"),
        ("good/640 vs poor AP excludes_zero", "true"),
        ("good/640 vs poor AP detectable", "0.080"),
        ("good/640 vs poor AP units_to_separate", "1,234"),
        ("good/640 vs good/800 AP ±interval", "0.000 [-0.020, 0.000]"),
        ("good/640 latency", "12.0–15.0 ms (p50–p95, Orin)"),
        ("good/640 latency device=desk", "3.0–4.0 ms (p50–p95, desk, cross-check)"),
        ("images", "1,094"),
        ("unit", "group"),
        ("units in=size", "3"),
        ("confidence", "95 %"),
        ("groups main", "none"),
        ("groups main AP@0.5", "Good 640, Poor | x"),
    ],
)
def test_answers(answers: Answers, asked: str, text: str) -> None:
    assert answers.answer(asked) == text


def test_tables(answers: Answers) -> None:
    assert answers.answer("table main digits=2")[:4] == [
        "| model | AP | AP@0.5 | latency p50–p95, Orin | cross-check: p50–p95, desk |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| Good 640 | 0.72 [0.70, 0.73] | 0.90 [0.80, 0.95] | 12.0–15.0 ms | 3.0–4.0 ms |",
        "| Poor \\| x | 0.59 | n/a | n/a | n/a |",
    ]
    assert answers.answer("pairs size")[2] == "| Good 640 − Good 800 | 0.000 [-0.020, 0.000] | 1.000 | 1.000 | tie |"
    assert answers.answer("labels main")[4] == "| ball | 0.250 [0.200, 0.300] | 0.125 [0.100, 0.200] |"
    assert "all 10 resamples of 3 groups (1,094 images), weighted" in answers.answer("table main")[-1]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "it asks for nothing"),
        ("god/640 AP", "no variant, table or comparison 'god/640'; did you mean good/640?"),
        ("good/640", "a measure is missing behind good/640"),
        ("good/640 mAP", "there is no measure 'mAP'"),
        ("good/640 AR", "no table or comparison of the study holds good/640 under AR"),
        ("good/640 AP pint", "'pint' can't be given; known are point, interval"),
        ("good/640 AP verdict", "'verdict' can't be given"),
        ("good/640 AP label=goal", "there is no label 'goal' in the results"),
        ("good/640 AP digits=x", "digits is 'x'"),
        ("good/640 AP in=none", "there is no table or comparison 'none'"),
        ("poor AP in=size", "size does not hold poor under AP"),
        ("good/640 vs AP", "a measure is missing behind AP"),
        ("good/640 vs", "a second variant is missing"),
        ("good/800 vs poor AP", "no table or comparison of the study holds good/800 and poor"),
        ("poor latency", "poor has no latencies of the main device; its devices: none"),
        ("good/640 latency device=x", "no latencies of device 'x'; its devices: 'Orin', 'desk'"),
        ("table", "say which: `table NAME`; there are main, size"),
        ("table man", "there is no table or comparison 'man'; did you mean main?"),
        ("table main AP", "'AP' is one word too many"),
        ("labels size", "size has no figures by label"),
        ('good/640 AP label="ball', "close the quotation mark"),
    ],
)
def test_what_can_not_be_answered(answers: Answers, asked: str, words: str) -> None:
    with pytest.raises(boxscore.InputError) as caught:
        answers.answer(asked)
    assert words in str(caught.value)


def test_nothing_else_is_touched() -> None:
    text = "a\r\n<!-- boxscore: x -->old<!-- /boxscore --> b <!--boxscore:y--><!--/boxscore-->\r\n<!-- other -->\r\n"
    wanted, stale = filled(text, "a.md", lambda asked: ["| t |", "| --- |"] if asked == "x" else "new")
    assert wanted == (
        "a\r\n<!-- boxscore: x -->\r\n\r\n| t |\r\n| --- |\r\n\r\n<!-- /boxscore --> b "
        "<!--boxscore:y-->new<!--/boxscore-->\r\n<!-- other -->\r\n"
    )
    assert [one.asked for one, _ in stale] == ["x", "y"]
    again, stale = filled(wanted, "a.md", lambda asked: ["| t |", "| --- |"] if asked == "x" else "new")
    assert (again, stale) == (wanted, [])


def test_code_is_left_alone() -> None:
    open_, end = "<!-- boxscore: x -->", "<!-- /boxscore -->"
    text = f"`{open_}` and ``a ` {open_}``\n```md\n{open_}\n```\n~~~~\n```\n{open_}\n~~~~\n{open_}1{end}\n```\n{open_}"
    assert [(one.asked, one.line) for one in placeholders(text, "a.md")] == [("x", 9)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n<!-- boxscore: x -->", "a.md line 2: `x` is not ended"),
        ("<!-- boxscore: x -->\n<!-- boxscore: y --><!-- /boxscore -->", "a.md line 1: `x` is not ended"),
        ("a\nb <!-- /boxscore -->", "a.md line 2: `<!-- /boxscore -->` ends nothing"),
    ],
)
def test_placeholders_that_do_not_end(text: str, words: str) -> None:
    with pytest.raises(boxscore.InputError, match="line") as caught:
        placeholders(text, "a.md")
    assert words in str(caught.value)


def test_an_unanswerable_placeholder_is_told_with_its_line() -> None:
    def answer(asked: str) -> str:
        raise boxscore.InputError(f"no {asked}")

    with pytest.raises(boxscore.InputError, match=r"a\.md line 2: `x y`: no x y"):
        filled("\n<!-- boxscore: x y --><!-- /boxscore -->", "a.md", answer)
