"""`boxscore init-ci`: what it writes fits the servers' schemas, replaces nothing, and is made of real commands."""

import functools
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import boxscore
from boxscore import ci
from boxscore.cli.dispatch import COMMANDS
from boxscore.errors import InputError
from tests.ci import workflows
from tests.support import command, needs

OWN = ("--predict", "python detect.py {images} {out}")
DATA = ("--data", "my data/gt.json", "--images", "my data/pictures")
FILES = {
    "github": [".github/workflows/boxscore-pr.yml", ".github/workflows/boxscore-nightly.yml"],
    "gitlab": [".gitlab/boxscore-pr.yml", ".gitlab/boxscore-nightly.yml"],
}
ASKED = {
    "card": ("--card", "models/detector.yaml"),
    "command": OWN,
    "data": (*OWN, *DATA, "--rules", "gate.yaml", "--eval-options", "--protocol operating-point --conf 0.3"),
    "both": (
        "--card",
        "d.yaml",
        *DATA,
        "--full-data",
        "full.json",
        "--full-images",
        "full",
        "--install",
        "pip install x",
    ),
}


def checked(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    tool = needs.tool("check-jsonschema")
    return subprocess.run(
        [tool, "--builtin-schema", schema, *map(str, paths)], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """A folder with what was written, by server and what was asked for."""
    folders = {(server, asked): tmp_path_factory.mktemp(f"{server}-{asked}") for server in FILES for asked in ASKED}
    for (server, asked), folder in folders.items():
        done = command.boxscore("init-ci", server, "--dir", folder, *ASKED[asked], "--json")
        assert done.status == 0, done.errors
        paths = [Path(path).relative_to(folder).as_posix() for path in done.report["written"]]
        assert paths == [*FILES[server], *([".gitlab-ci.yml"] if server == "gitlab" else [])]
    return folders


@pytest.fixture(scope="module")
def usage() -> Callable[[str], str]:
    """The help of a command, which is asked for it once."""
    return functools.cache(lambda name: command.boxscore(name, "--help").output)


@pytest.mark.parametrize("server", FILES)
def test_what_is_written_fits_the_schema(server: str, written: dict[tuple[str, str], Path]) -> None:
    files = [*FILES[server], *([".gitlab-ci.yml"] if server == "gitlab" else [])]
    paths = [written[server, asked] / file for asked in ASKED for file in files]
    result = checked("vendor.github-workflows" if server == "github" else "vendor.gitlab-ci", *paths)
    assert result.returncode == 0, result.stdout + result.stderr
    for path in paths:
        assert "@" not in path.read_text().replace("actions/", "").replace("@v", "").replace("body@", "")


def test_the_schema_would_notice(tmp_path: Path, written: dict[tuple[str, str], Path]) -> None:
    path = tmp_path / "wrong.yml"
    path.write_text("name: wrong\non: pull_request\njobs: {gate: {runs-on: ubuntu-latest, steps: [{rum: ls}]}}\n")
    good = written["github", "card"] / FILES["github"][0]
    assert checked("vendor.github-workflows", good, path).returncode != 0


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("server", FILES)
def test_every_command_and_option_is_real(
    server: str, asked: str, written: dict[tuple[str, str], Path], usage: Callable[[str], str]
) -> None:
    seen = set()
    for path in FILES[server]:
        for script in workflows.scripts(workflows.load(written[server, asked] / path)):
            for line in script.splitlines():
                text = line.strip().split(" || ")[0]
                if not text.startswith("boxscore "):
                    continue
                words = shlex.split(text)
                assert words[1] in COMMANDS, text
                seen.add(words[1])
                for option in (word for word in words if word.startswith("--")):
                    assert option in usage(words[1]), text
    assert {"eval", "gate", "report"} <= seen
    assert ("predict" in seen) == ("--card" in ASKED[asked])
    assert ("scenes" in seen) == ("--data" not in ASKED[asked])


@pytest.mark.parametrize("server", FILES)
def test_what_people_read(server: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert command.boxscore("init-ci", server, "--dir", tmp_path, "--card", "detector.yaml").status == 0
    for path in FILES[server]:
        assert (tmp_path / path).read_text().replace(f"=={boxscore.__version__}", "==VERSION") == snapshot(name=path)


def test_nothing_is_replaced_without_force(tmp_path: Path) -> None:
    nightly = tmp_path / FILES["github"][1]
    nightly.parent.mkdir(parents=True)
    nightly.write_text("mine")
    done = command.boxscore("init-ci", "github", "--dir", tmp_path, *OWN)
    told = command.refusal(done)
    assert FILES["github"][1] in told
    assert "--force" in told
    assert nightly.read_text() == "mine"
    assert not (tmp_path / FILES["github"][0]).exists()
    assert command.boxscore("init-ci", "github", "--dir", tmp_path, *OWN, "--force").status == 0
    assert "boxscore nightly" in nightly.read_text()


def test_a_root_file_of_gitlab_is_never_replaced(tmp_path: Path) -> None:
    root = tmp_path / ".gitlab-ci.yml"
    root.write_text("include:\n  - local: .gitlab/boxscore-pr.yml\n")
    for more in ((), ("--force",)):
        done = command.boxscore("init-ci", "gitlab", "--dir", tmp_path, *OWN, *more)
        assert done.status == 0, done.errors
        assert "add to .gitlab-ci.yml, below `include:`\n  - local: .gitlab/boxscore-nightly.yml" in done.output
        assert "boxscore-pr.yml\n  -" not in done.output
        assert root.read_text() == "include:\n  - local: .gitlab/boxscore-pr.yml\n"


def test_tokens_reach_no_code_of_a_pull_request(tmp_path: Path) -> None:
    """Least rights: what may write has no checkout, and what checks out may read alone."""
    assert command.boxscore("init-ci", "github", "--dir", tmp_path, *OWN).status == 0
    for path in FILES["github"]:
        content = workflows.load(tmp_path / path)
        assert content["permissions"] == {"contents": "read"}
        for job in content["jobs"].values():
            assert 0 < job["timeout-minutes"] <= 120
            used = [step["uses"] for step in job["steps"] if "uses" in step]
            assert all("@v" in one for one in used)
            if any("checkout" in one for one in used):
                assert "permissions" not in job
                assert "github.token" not in str(job)
        text = (tmp_path / path).read_text()
        assert "secrets." not in text
        # Expressions inside scripts would let names of branches run as code.
        assert not any("${{" in script for script in workflows.scripts(content))
    pull, nightly = (workflows.load(tmp_path / path) for path in FILES["github"])
    assert "cache/save" not in str(pull)
    assert "--promote" not in str(pull)
    assert str(nightly).count("cache/save") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "say how detections are made"),
        (("--card", "a.yaml", *OWN), "one of them"),
        (("--predict", "python detect.py {images}"), "does not say where its detections go"),
        (("--predict", "python detect.py {out}"), "does not say which pictures it is for"),
        (
            ("--card", "a.yaml", "--data", "gt.json"),
            "gt.json: there is no folder of its pictures; give it with --images",
        ),
        (
            (*OWN, *DATA, "--full-data", "f.json"),
            "f.json: there is no folder of its pictures; give it with --full-images",
        ),
        ((*OWN, "--images", "pictures"), "pictures of no set; give --data"),
        ((*OWN, "--full-data", "f.json", "--full-images", "f"), "there is no fast one"),
        ((*OWN, "--fast-count", "0"), "--fast-count is 0"),
        ((*OWN, "--eval-options", "--labels 'a"), "can't be read as a command line"),
        ((*OWN, "--install", "pip install a\npip install b"), "--install has a line break"),
        ((*OWN, "--dir", "nowhere"), "nowhere: there is no such folder"),
    ],
)
def test_refusals(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    assert told in command.refusal(command.boxscore("init-ci", "github", *arguments, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_server_is_refused_in_python(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="known are github, gitlab"):
        ci.write("jenkins", tmp_path, ci.Asked(card="a.yaml"), version="1")


def test_paths_with_blanks_are_quoted(tmp_path: Path) -> None:
    assert command.boxscore("init-ci", "github", "--dir", tmp_path, *OWN, *DATA).status == 0
    (script,) = [one for one in workflows.scripts(workflows.load(tmp_path / FILES["github"][0])) if "eval" in one]
    words = [shlex.split(line) for line in script.splitlines()]
    assert words[1] == ["python", "detect.py", "my data/pictures", "boxscore-ci/fast/detections.json"]
    assert words[2][:3] == ["boxscore", "eval", "my data/gt.json"]


def test_files_that_the_repository_lacks_are_told(tmp_path: Path) -> None:
    (tmp_path / "detector.yaml").write_text("")
    given = ("--card", "detector.yaml", "--rules", "rules.toml", "--data", "gt.json", "--images", ".")
    done = command.boxscore("init-ci", "github", "--dir", tmp_path, *given)
    assert done.status == 0
    told = [line.split()[1] for line in done.errors.splitlines() if "isn't there yet" in line]
    assert told == ["gt.json", "rules.toml"]
