"""docs/studies.md: its study can be read, and its placeholders can be answered."""

import re
from pathlib import Path

from boxscore.study import read
from boxscore.study.placeholders import placeholders
from boxscore.study.started import _keys
from boxscore.study.values import FACTS, OF_FIGURE, OF_PAIR, WHOLE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "studies.md"


def test_the_example_is_a_study(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.S)
    text = re.sub(r"sha256: …", "sha256: " + "a" * 64, example).replace(", …", "")
    for name in re.findall(r"[\w/]+\.(?:json|csv|md)", text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    (tmp_path / "study.yaml").write_text(text)
    study = read(tmp_path / "study.yaml")
    assert list(study.variants) == ["yolo26m/640", "yolo26m/800", "deim"]
    assert [anchor.section for anchor in study.anchors] == ["by-image", "by-image", "by-clip"]
    assert study.anchors[0].values["low"] == (0.7042, 0.0005)
    assert study.sections["by-image"].resampling == {"unit": "image", "replicates": 1000, "seed": 0, "confidence": 0.95}
    assert study.device == "Orin"


def test_all_that_can_be_asked_for_is_on_the_page() -> None:
    text = PAGE.read_text()
    for word in (*FACTS, *OF_FIGURE[1:], *OF_PAIR[1:]):
        assert f"`{word}`" in text, word
    for word in (*WHOLE, "groups"):
        assert f"`{word} NAME`" in text
    assert placeholders(text, "studies.md") == [], "the page's own placeholders are code"


def test_names_of_models_made_of_names_of_files() -> None:
    assert _keys(["a b", "a--b", "yolo(1)", "...", "é"]) == ["a-b", "a-b.again1", "yolo-1", "model", "model.again1"]
