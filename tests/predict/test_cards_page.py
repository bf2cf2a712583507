"""docs/cards.md keeps its word: its full card is read, and it names every preset, filter and option there is."""

import re
from pathlib import Path

from boxscore.predict import card_parts, card_presets
from boxscore.predict.card import load_card
from boxscore.predict.card_variants import OPTIONS
from tests.predict.cards import SHA256, written

PAGE = Path(__file__).parents[2] / "docs" / "cards.md"


def test_the_full_card_is_read_and_holds_every_field(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8").split("<!-- example -->\n```yaml\n")[1].split("```")[0]
    text = re.sub(r"sha256: \w{64}", f"sha256: {SHA256}", text).replace("weights/mills.onnx", "sample.onnx")
    card = load_card(written(tmp_path, text))
    assert (card.name, card.input.size, len(card.classes)) == ("mill-finder", (1280, 1280), 3)
    for part in (card_parts.Input, card_parts.Output, card_parts.Nms, card_parts.Normalise):
        for name in part.__dataclass_fields__:
            assert re.search(rf"\b{name}:", text), name


def test_presets_filters_and_options_are_listed() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = set(re.findall(r"`([\w.-]+)`", page))
    assert set(card_presets.shipped()) <= told
    assert OPTIONS.keys() <= told
    spelled = {name.removeprefix("opencv") for name in card_parts.INTERPOLATIONS} | set(card_parts.INTERPOLATIONS)
    assert all(name in told or name.removeprefix("opencv") in told & spelled for name in card_parts.INTERPOLATIONS)
