"""The pictures of docs/report.md: a report on simulated scenes, photographed in Chromium.

    python scripts/report_pictures.py docs/report

needs the test tools (Playwright, a Chromium at BOXSCORE_CHROMIUM or on PATH).
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.report import made
from tests.support.browser import browser

from boxscore.cli import main as boxscore

SECTIONS = ("explorer", "failures", "gallery")
HEIGHT = 900


def report(folder: Path) -> Path:
    """Two simulated detectors on 300 scenes, the second held to the first; the report of the second."""
    scenes = made.demo(folder, 300)
    for model in ("baseline", "candidate"):
        made.sliced(scenes, model, folder / model)
    boxscore(["gate", str(folder / "candidate"), "--baseline", str(folder / "baseline")])
    arguments = ["--baseline", str(folder / "baseline"), "--images", str(scenes / "images"), "--gallery", "6"]
    status = boxscore(["report", str(folder / "candidate"), *arguments, "--out", str(folder / "report.html")])
    if status:
        sys.exit(status)
    return folder / "report.html"


def opened(started: Any, path: Path, width: int, scheme: str) -> Any:  # noqa: ANN401  Playwright's own types
    """The page with its charts drawn."""
    page = started.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme).new_page()
    page.goto(path.as_uri())
    page.wait_for_function("[...document.querySelectorAll('.plot')].every((plot) => plot.dataset.drawn)")
    return page


def photograph(path: Path, out: Path) -> None:
    """The top, three sections, and the top as a phone shows it in the dark."""
    out.mkdir(parents=True, exist_ok=True)
    with browser() as started:
        page = opened(started, path, 1100, "light")
        page.screenshot(path=out / "top.png")
        page.add_style_tag(content=".top { position: static !important }")
        for section in SECTIONS:
            box = page.locator(f"#{section}").bounding_box()
            clip = {"x": 0, "y": box["y"], "width": 1100, "height": min(box["height"], HEIGHT)}
            page.screenshot(path=out / f"{section}.png", full_page=True, clip=clip)
        opened(started, path, 390, "dark").screenshot(path=out / "phone.png")


def main() -> None:
    """Write the pictures, and say how large they are."""
    with tempfile.TemporaryDirectory() as folder:
        photograph(report(Path(folder)), Path(sys.argv[1]))
    for picture in sorted(Path(sys.argv[1]).glob("*.png")):
        print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
