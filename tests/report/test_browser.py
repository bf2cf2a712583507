"""The report in a real browser: opened from disk, without a network, by mouse and keyboard."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.cli import main
from tests.runs import samples
from tests.support.browser import browser
from tests.support.command import evaluate

WIDTHS = {"desktop": 1280, "phone": 390}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as started:
        yield started


class Opened:
    """A page with what it told the console, and what it asked the network for."""

    def __init__(self, chromium: Any, path: Path, *, width: int = 1280, scheme: str = "light") -> None:
        self.context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.problems.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.context.route("**/*", self._answer)
        self.page.goto(path.resolve().as_uri())
        self.page.wait_for_function("[...document.querySelectorAll('.plot')].every((plot) => plot.dataset.drawn)")

    def _answer(self, route: Any) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
            return
        self.asked.append(route.request.url)
        route.abort()

    def close(self) -> None:
        self.context.close()
        assert self.asked == []
        assert self.problems == []


@pytest.fixture
def opened(chromium: Any, page: Path) -> Iterator[Any]:
    one = Opened(chromium, page)
    yield one.page
    one.close()


def column(page: Any, table: str, number: int) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        f"#{table} tbody tr:not([hidden])", f"rows => rows.map((row) => row.cells[{number}].innerText.split(/\\s/)[0])"
    )
    return found


def test_charts_are_drawn(opened: Any) -> None:
    assert opened.locator(".plot svg").count() == opened.locator(".plot").count() >= 7
    assert opened.locator(".plot svg path").count() > 50


def test_sorting_by_mouse(opened: Any) -> None:
    head = opened.locator("#labels-table th", has_text="AP").first
    before = column(opened, "labels-table", 1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    values = [float(text) for text in column(opened, "labels-table", 1)]
    assert values == sorted(map(float, before), reverse=True)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(text) for text in column(opened, "labels-table", 1)] == values[::-1]
    opened.locator("#labels-table th", has_text="label").locator("button").click()
    assert column(opened, "labels-table", 0) == sorted(column(opened, "labels-table", 0))
    assert opened.locator('#labels-table th[aria-sort="ascending"]').count() == 1


def test_sorting_by_keyboard(opened: Any) -> None:
    opened.locator("#labels-table button.sort").first.focus()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowLeft")
    assert opened.evaluate("document.activeElement.textContent") == "AP"
    opened.keyboard.press("Enter")
    values = [float(text) for text in column(opened, "labels-table", 1)]
    assert values == sorted(values, reverse=True)
    opened.keyboard.press("End")
    assert opened.evaluate("document.activeElement.parentElement.nextElementSibling") is None
    opened.keyboard.press("Home")
    assert opened.evaluate("document.activeElement.textContent") == "label"


def test_filtering(opened: Any) -> None:
    opened.fill("#labels-table-filter", "BUS")
    assert column(opened, "labels-table", 0) == ["bus"]
    assert opened.inner_text('output[for="labels-table-filter"]') == "1 of 8 rows"
    opened.fill("#labels-table-filter", "")
    assert len(column(opened, "labels-table", 0)) == 8


def test_the_theme_is_switched_and_charts_follow(opened: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    line = "getComputedStyle(document.querySelector('#curves-chart .mark-line path')).stroke"
    light, blue = opened.evaluate(ground), opened.evaluate(line)
    opened.click("#theme")
    assert opened.evaluate(ground) == light
    opened.click("#theme")
    assert opened.inner_text("#theme") == "Theme: dark"
    assert opened.evaluate(ground) != light
    opened.wait_for_function(f"{line} !== {json.dumps(blue)}")


def test_curves_of_a_label(opened: Any) -> None:
    path = "document.querySelector('#curves-chart .mark-line path').getAttribute('d')"
    before = opened.evaluate(path)
    opened.select_option("#curves-label", label="bus")
    opened.wait_for_function(f"{path} !== {json.dumps(before)}")


def shown_at(page: Any, confidence: float) -> dict[str, list[str]]:
    """Rows of both tables of the explorer, by label."""
    page.fill("#explorer-number", str(confidence))
    page.press("#explorer-number", "Enter")
    rows: list[list[str]] = page.eval_on_selector_all(
        "#explorer-all tbody tr, #explorer-labels tbody tr",
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))",
    )
    return {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize("confidence", [0.0, 0.25, 0.637, 0.95, 1.0])
def test_the_explorer_shows_what_eval_gives(chromium: Any, point_page: Path, scenes: Path, confidence: float) -> None:
    options = ("--protocol", "operating-point", "--conf", str(confidence))
    report = evaluate(scenes / "ground_truth.json", scenes / "candidate.json", *options).report
    given = {(row["label"], row["measure"]): row["value"] for row in report["metrics"] if row["slice"] is None}
    one = Opened(chromium, point_page)
    shown = shown_at(one.page, confidence)
    said = one.page.inner_text("#explorer-said")
    one.close()
    kinds = ("objects", "TP", "FP", "FN", "precision", "recall", "F1")
    for label in (None, *{key[0] for key in given if key[0] is not None}):
        figures = [given[label, kind] for kind in kinds]
        texts = [f"{value:,}" for value in figures[:4]]
        texts += ["n/a" if value is None else f"{value:.3f}" for value in figures[4:]]
        assert shown[label or "all labels"] == texts
    assert f"{given[None, 'FPPI']:.2f} false positives an image" in said


def test_the_slider_by_keyboard(chromium: Any, point_page: Path) -> None:
    one = Opened(chromium, point_page)
    page = one.page
    assert page.input_value("#explorer-number") == "0.25"
    page.focus("#explorer-slider")
    page.keyboard.press("ArrowRight")
    assert page.input_value("#explorer-number") == "0.251"
    assert page.get_attribute("#explorer-slider", "aria-valuetext") == "confidence 0.251"
    page.keyboard.press("End")
    assert page.inner_text("#explorer-all tbody td:nth-child(6)").strip() in ("n/a", "1.000")
    page.click("#explorer-best")
    best = page.input_value("#explorer-number")
    assert best in page.inner_text("#explorer-said")
    page.click("#explorer-first")
    assert page.input_value("#explorer-number") == "0.25"
    one.close()


def test_sorted_rows_keep_their_labels_when_the_slider_moves(chromium: Any, point_page: Path) -> None:
    one = Opened(chromium, point_page)
    before = shown_at(one.page, 0.4)
    one.page.locator("#explorer-labels th", has_text="FP").locator("button").click()
    shown_at(one.page, 0.9)
    after = shown_at(one.page, 0.4)
    assert after == before
    wrong = [int(text.replace(",", "")) for text in column(one.page, "explorer-labels", 3)]
    assert wrong == sorted(wrong, reverse=True)
    one.close()


def test_pictures_of_the_gallery(opened: Any) -> None:
    widths = opened.eval_on_selector_all(".shots img", "shots => shots.map((shot) => shot.naturalWidth)")
    assert len(widths) >= 12
    assert all(width > 0 for width in widths)
    assert opened.locator(".frame .box.object").count() > 5
    assert opened.locator(".frame .box.detection").count() > 5
    alternatives = opened.eval_on_selector_all(".shots img", "shots => shots.map((shot) => shot.alt)")
    assert all("ground truth" in text or "detected" in text for text in alternatives)


@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(chromium: Any, page: Path, size: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    one = Opened(chromium, page, width=WIDTHS[size], scheme=scheme)
    found = axe.Axe().run(one.page).response["violations"]
    one.close()
    serious = {
        rule["id"]: [node["html"][:200] for node in rule["nodes"][:3]]
        for rule in found
        if rule["impact"] in ("serious", "critical")
    }
    assert serious == {}


VARIANTS: dict[str, dict[str, Any]] = {
    "no labels": {"label_agnostic": True},
    "every point": {"protocol": "voc2012"},
    "one threshold": {"iou": [0.75]},
    "own floors": {"protocol": "operating-point", "confidence": 0.3, "thresholds": {"car": 0.55}},
}


def unusual(name: str) -> boxscore.Run:
    """Runs that have less to show, or other scores."""
    truth, found = samples.ground_truth(), samples.results()
    if name == "nothing found":
        return boxscore.evaluate(truth, [])
    if name == "nothing there":
        return boxscore.evaluate(truth | {"annotations": []}, found)
    if name == "percent":
        return boxscore.evaluate(truth, [row | {"score": 100 * row["score"] - 20} for row in found])
    if name == "no boxes":
        return samples.streamed()
    return boxscore.evaluate(truth, found, **VARIANTS[name])


@pytest.mark.parametrize("name", [*VARIANTS, "nothing found", "nothing there", "percent", "no boxes"])
def test_unusual_runs_give_pages_without_faults(chromium: Any, tmp_path: Path, name: str) -> None:
    unusual(name).save(tmp_path / "run")
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "r.html")]) == 0
    one = Opened(chromium, tmp_path / "r.html", width=390)
    page = one.page
    first = page.input_value("#explorer-number")
    page.focus("#explorer-slider")
    page.keyboard.press("ArrowLeft")
    assert float(page.input_value("#explorer-number")) <= float(first)
    page.keyboard.press("Home")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    one.close()


@pytest.mark.parametrize("size", WIDTHS)
def test_the_page_is_no_wider_than_the_screen(chromium: Any, page: Path, size: str) -> None:
    one = Opened(chromium, page, width=WIDTHS[size])
    assert one.page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[size]
    one.close()
