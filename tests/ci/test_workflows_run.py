"""The shell of the workflows, run: a first night, a pull request as good, one that is worse, a bad night."""

import json
import textwrap
from pathlib import Path

import pytest

from tests.ci import workflows
from tests.compare import made
from tests.support import command, needs

GITHUB = {name: Path(f".github/workflows/boxscore-{name}.yml") for name in ("pr", "nightly")}
GITLAB = {name: Path(f".gitlab/boxscore-{name}.yml") for name in ("pr", "nightly")}
BASELINE = Path("boxscore-ci/baseline")
SLOW = ("Report",)
"""Steps that are run once, and else left out."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A repository with data, a model (a file that is copied), and the workflows of both servers."""
    (tmp_path / "gt.json").write_text(json.dumps(made.ground_truth(30)))
    model(tmp_path, 0.9)
    asked = ("--predict", "cp model.json {out}", "--data", "gt.json")
    for server in ("github", "gitlab"):
        done = command.boxscore("init-ci", server, *asked, cwd=tmp_path)
        assert done.status == 0, done.errors
    return tmp_path


def model(site: Path, skill: float) -> None:
    """Let the model find this share of the objects."""
    (site / "model.json").write_text(json.dumps(made.predictions(30, skill)))


def promoted(site: Path) -> dict[str, bytes]:
    """The baseline's files."""
    return {str(path.relative_to(site)): path.read_bytes() for path in (site / BASELINE).rglob("*") if path.is_file()}


def statuses(steps: list[workflows.Step]) -> dict[str, int]:
    return {step.name: step.status for step in steps}


def test_github(site: Path) -> None:
    pull, nightly = site / GITHUB["pr"], site / GITHUB["nightly"]
    early = workflows.github(pull, "gate", site)
    assert statuses(early) == {"Evaluate the fast set": 0, "Gate": 1, "Tell": 0}
    assert "::error title=boxscore::there is no baseline yet" in early[1].output
    first = workflows.github(nightly, "nightly", site, skip=SLOW, ACCEPT="false")
    assert set(statuses(first).values()) == {0}, first
    assert [step.name for step in first][-1] == "Promote"
    before = promoted(site)
    assert {"boxscore-ci/baseline/fast/run.json", "boxscore-ci/baseline/full/run.json"} <= set(before)

    good = workflows.github(pull, "gate", site)
    assert statuses(good) == {"Evaluate the fast set": 0, "Gate": 0, "Tell": 0}
    assert "gate: PASS" in (site / "summary.md").read_text()
    assert "told=yes" in (site / "outputs").read_text()
    assert "<testsuites" in (site / "boxscore-ci/gate.xml").read_text()

    model(site, 0.4)
    worse = workflows.github(pull, "gate", site)
    assert statuses(worse) == {"Evaluate the fast set": 0, "Gate": 1, "Tell": 0}
    assert "::error" in worse[1].output
    assert "gate: FAIL" in (site / "boxscore-ci/gate.md").read_text()

    bad = workflows.github(nightly, "nightly", site, ACCEPT="false")
    assert statuses(bad) == {"Evaluate the full set": 0, "Gate": 1, "Report": 0}
    assert (site / "boxscore-ci/report.html").stat().st_size > 10_000
    assert promoted(site) == before
    meant = workflows.github(nightly, "nightly", site, skip=SLOW, ACCEPT="true")
    assert statuses(meant)["Promote"] == 0
    assert promoted(site) != before


def test_gitlab(site: Path) -> None:
    pull, nightly = site / GITLAB["pr"], site / GITLAB["nightly"]
    early = workflows.gitlab(pull, "boxscore-pr", site)
    assert early.status == 1
    assert "there is no baseline yet" in early.output
    assert workflows.gitlab(nightly, "boxscore-nightly", site).status == 0
    before = promoted(site)
    assert workflows.gitlab(pull, "boxscore-pr", site).status == 0
    model(site, 0.4)
    assert workflows.gitlab(pull, "boxscore-pr", site).status == 1
    assert "gate: FAIL" in (site / "boxscore-ci/gate.md").read_text()
    (site / "boxscore-ci/report.html").unlink()
    assert workflows.gitlab(nightly, "boxscore-nightly", site).status == 1
    assert (site / "boxscore-ci/report.html").exists()
    assert promoted(site) == before


def test_gitlab_tells_the_merge_request(site: Path) -> None:
    """`curl` stands in for the server: it is handed the verdict, and nothing where there is none."""
    (site / "bin").mkdir()
    (site / "bin/curl").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > asked.txt\n')
    (site / "bin/curl").chmod(0o755)
    job = workflows.load(site / GITLAB["pr"])["boxscore-comment"]
    (script,) = job["script"]
    names = {"CI_API_V4_URL": "https://host/api/v4", "CI_PROJECT_ID": "7", "CI_MERGE_REQUEST_IID": "3"}
    script = f"PATH={site / 'bin'}:$PATH\n{script}"
    assert workflows.shell(script, site, BOXSCORE_COMMENT_TOKEN="t", **names) == (0, "")
    assert not (site / "asked.txt").exists()
    (site / "boxscore-ci").mkdir()
    (site / "boxscore-ci/gate.md").write_text("verdict")
    assert workflows.shell(script, site, BOXSCORE_COMMENT_TOKEN="t", **names) == (0, "")
    asked = (site / "asked.txt").read_text().splitlines()
    assert asked[-1] == "https://host/api/v4/projects/7/merge_requests/3/notes"
    assert "body@boxscore-ci/gate.md" in asked
    assert "PRIVATE-TOKEN: t" in asked


@needs.rendering
def test_with_rendered_scenes(tmp_path: Path) -> None:
    """Scenes are made, a detector that is told the truth is run on them, and a night promotes it."""
    (tmp_path / "detect.py").write_text(
        textwrap.dedent(
            """
            import json, pathlib, sys
            images, out = map(pathlib.Path, sys.argv[1:])
            assert any(images.iterdir())
            truth = json.loads((images.parent / "ground_truth.json").read_text())
            rows = [{name: one[name] for name in ("image_id", "category_id", "bbox")} for one in truth["annotations"]]
            out.write_text(json.dumps([row | {"score": 0.9} for row in rows]))
            """
        )
    )
    asked = ("--predict", "python detect.py {images} {out}", "--fast-count", "1", "--full-count", "2")
    done = command.boxscore("init-ci", "github", *asked, cwd=tmp_path)
    assert done.status == 0, done.errors
    night = workflows.github(tmp_path / GITHUB["nightly"], "nightly", tmp_path, skip=SLOW, ACCEPT="false")
    assert set(statuses(night).values()) == {0}, night
    pull = workflows.github(tmp_path / GITHUB["pr"], "gate", tmp_path)
    assert statuses(pull)["Gate"] == 0, pull
