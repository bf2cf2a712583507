"""The HTML report: one file, the same bytes each time, checked against the run, nothing unescaped."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from boxscore.cli import main
from boxscore.errors import InputError
from boxscore.report import read_contents, render
from boxscore.report.explorer import steps
from boxscore.report.html import as_script, coded
from boxscore.report.making import check, form_of
from tests.report import made
from tests.runs import samples
from tests.support.command import boxscore, refusal

SECTIONS = [
    *("headline", "gate", "comparison", "labels", "slices", "curves", "explorer"),
    *("calibration", "confusion", "failures", "gallery", "notes", "provenance"),
]


def data_of(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="data-{name}">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def test_sections_stand_in_order_and_each_is_linked(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'<section id="([\w-]+)"', text) == SECTIONS
    assert re.findall(r'<li><a href="#([\w-]+)"', text) == SECTIONS
    assert 'class="missing"' not in text


def test_nothing_is_fetched(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    markup = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    assert re.findall(r'(?:src|srcset|action|poster)="(?!data:image/jpeg;base64,)', markup) == []
    assert [link for link in re.findall(r'href="([^"]*)"', markup) if not link.startswith("#")] == []
    assert not re.search(r"@import|url\(", "".join(re.findall(r"<style>(.*?)</style>", text, flags=re.DOTALL)))
    assert "default-src 'none'" in text


def test_vega_is_there_once_and_the_file_is_small(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("window.vegaEmbed=") == 1
    assert len(data_of(text, "charts")) >= 7
    assert page.stat().st_size < 5_000_000


def test_the_same_bytes_twice_and_in_another_place(runs: Path, scenes: Path, tmp_path: Path) -> None:
    first = render(read_contents(runs / "candidate"))
    assert render(read_contents(runs / "candidate")) == first
    shutil.copytree(runs / "candidate", tmp_path / "candidate")
    assert render(read_contents(tmp_path / "candidate")) == first
    for secret in (str(scenes), str(tmp_path), Path.home().name + "@"):
        assert secret not in first


def test_an_evaluation_made_again_gives_the_same_report(scenes: Path, tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        run = made.evaluated(scenes, "baseline", tmp_path / name / "run")
        for form in ("html", "md"):
            assert main(["report", str(run), "--out", str(tmp_path / name / f"report.{form}")]) == 0
        found.append([(tmp_path / name / f"report.{form}").read_bytes() for form in ("html", "md")])
    assert found[0] == found[1]


def test_check(runs: Path, tmp_path: Path) -> None:
    for name in ("report.html", "report.md"):
        out = tmp_path / name
        command = ("report", runs / "point", "--out", out)
        absent = boxscore(*command, "--check")
        assert (absent.status, absent.output) == (1, "")
        assert "is missing" in absent.errors
        assert not out.exists()
        assert boxscore(*command).status == 0
        assert boxscore(*command, "--check").status == 0
        out.write_text(out.read_text(encoding="utf-8").replace("precision", "precisions", 1), encoding="utf-8")
        before = out.read_bytes()
        stale = boxscore(*command, "--check")
        assert stale.status == 1
        assert "is not what the run gives (first difference: line" in stale.errors
        assert out.read_bytes() == before


def test_check_takes_windows_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one\r\ntwo\r\n")
    assert check("one\ntwo\n", tmp_path / "a.md") is None
    assert "line 2" in str(check("one\ntwice\n", tmp_path / "a.md"))


def test_sections_without_data_say_why(tmp_path: Path) -> None:
    samples.streamed().save(tmp_path / "run")
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "report.html")]) == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r'<section id="([\w-]+)"', text) == SECTIONS
    empty = re.findall(r'<section id="([\w-]+)"[^>]*>\s*<h2[^>]*>[^<]*</h2>\s*<p class="missing">(.*?)</p>', text)
    assert [name for name, _ in empty] == ["gate", "comparison", "slices", "confusion", "failures", "gallery"]
    assert all(reason.endswith(".") and "\n" not in reason for _, reason in empty), empty
    assert str(tmp_path) not in text


def test_names_of_labels_are_text_wherever_they_stand(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script> & \"quoted\" 'single' `tick` {{ 7 * 7 }} <!--"
    content = samples.ground_truth()
    content["categories"][0]["name"] = evil
    import boxscore as package

    package.evaluate(content, samples.results()).save(tmp_path / "run")
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "r.html"), "--title", evil]) == 0
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "r.md"), "--title", evil]) == 0
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "49" not in text.split("</h1>")[0][-40:]
    assert data_of(text, "explorer")["labels"][1]["label"] == evil
    assert "<script>" not in (tmp_path / "r.md").read_text(encoding="utf-8").replace("\\<script\\>", "")


def test_json_in_a_script_ends_nothing() -> None:
    value = {"a": "</script><!--", "b": [1.5, None, "ü\u2028"]}
    text = as_script(value)
    assert json.loads(text) == value
    assert "<" not in text
    assert ">" not in text
    assert text.isascii()


def test_code_in_sentences_is_escaped() -> None:
    assert str(coded("give `--a <B>` & go")) == "give <code>--a &lt;B&gt;</code> &amp; go"
    assert str(coded("a ` alone <b>")) == "a ` alone &lt;b&gt;"


def test_steps_of_counts() -> None:
    assert steps([5, 5, 3, 0]) == [0, 3, 2]
    assert steps([0, 0]) == []


@pytest.mark.parametrize("name", ["report.pdf", "report", "report.html.gz"])
def test_other_forms_are_refused(runs: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"HTML or Markdown"):
        form_of(name)
    assert "name the file .html or .md" in refusal(boxscore("report", runs / "point", "--out", name))


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_without_altair_html_is_refused_and_markdown_is_not(
    runs: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    contents = read_contents(runs / "point")
    with pytest.raises(InputError, match=r"pip install 'boxscore\[report\]'"):
        render(contents)
    assert render(contents, "markdown").startswith("# point\n")


def test_mistakes(runs: Path, scenes: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "r.html")
    assert "run.json is missing" in refusal(boxscore("report", scenes, *out))
    lost = tmp_path / "none"
    assert refusal(boxscore("report", runs / "point", *out, "--images", lost)).count(f"{lost}: ") == 1
    assert "can't be written" in refusal(boxscore("report", runs / "point", "--out", tmp_path / "no" / "r.md"))
    assert "from 0 to" in refusal(boxscore("report", runs / "point", *out, "--gallery", "-1"))
    other = boxscore("report", runs / "point", *out, "--baseline", runs / "candidate")
    assert "protocol" in refusal(other)
    assert not (tmp_path / "r.html").exists()
