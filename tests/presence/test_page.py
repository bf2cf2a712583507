"""The timeline in a real browser."""

from pathlib import Path

import pytest

from boxscore.cli import main
from tests.report.test_browser import Opened
from tests.support.browser import browser


@pytest.mark.usefixtures("home")
def test_the_timeline_has_a_band_an_actor_and_colours_errors(home: Path) -> None:
    """Ann: two stretches found and three missed, two right and one wrong; Bob one found and right; Cid and Eve."""
    assert main(["presence", "score", "--pred", "pred.json", "--xray", "xray", "--out", "run"]) == 0
    assert main(["report", "run", "--out", "run.html"]) == 0
    with browser() as chromium:
        opened = Opened(chromium, home / "run.html")
        bars = opened.page.locator("#presence-timeline .mark-rect.role-mark path")
        colours = [bars.nth(place).get_attribute("fill") for place in range(bars.count())]
        names = opened.page.locator("#presence-timeline .role-axis-label text").all_text_contents()
        opened.close()
    assert len(colours) == 2 + 4 + 2 + 1 + 2 + 1 + 1
    assert sorted(colours.count(colour) for colour in set(colours)) == [2, 5, 6]
    assert {"Ann Lee", "Bob Best", "Cid Fox *", "Eve Ryder *"} <= set(names)
