"""What importing costs, and what the package shows."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import boxscore

# Each takes longer to import than a small evaluation takes.
HEAVY = (
    *("numpy", "scipy", "polars", "pyarrow", "yaml", "pandas", "sklearn", "altair", "mlflow", "wandb"),
    *("dataclasses", "inspect", "asyncio", "click", "typer"),
)
# argparse needs these and nothing else does; the package alone must not bring them.
COMMAND_ONLY = ("argparse", "gettext")

RUN = """
import sys
before = set(sys.modules)
{code}
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
"""


def modules_after(code: str, tmp_path: Path) -> set[str]:
    """Modules that a fresh interpreter has loaded after the code, without its own."""
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(code=code)], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    return {name for name in done.stderr.split("\n") if not name.startswith("note: ")}


def heavy_among(modules: set[str]) -> set[str]:
    """Those of `HEAVY` that were loaded."""
    return modules & set(HEAVY)


def files(tmp_path: Path) -> tuple[Path, Path]:
    """A small data set on disk."""
    box = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 40, 40]}
    ground_truth = {
        "images": [{"id": 1}],
        "annotations": [box | {"id": 1, "area": 1600, "iscrowd": 0}],
        "categories": [{"id": 1, "name": "thing"}],
    }
    paths = tmp_path / "gt.json", tmp_path / "pred.json"
    for path, content in zip(paths, (ground_truth, [box | {"score": 0.5}]), strict=True):
        path.write_text(json.dumps(content))
    return paths


def test_importing_the_package(tmp_path: Path) -> None:
    loaded = modules_after("import boxscore", tmp_path)
    assert not heavy_among(loaded)
    assert not loaded & set(COMMAND_ONLY)


def test_every_public_name_can_be_had_without_heavy_imports(tmp_path: Path) -> None:
    code = "import boxscore\nfor name in boxscore.__all__: getattr(boxscore, name)"
    assert not heavy_among(modules_after(code, tmp_path))


@pytest.mark.parametrize("options", [[], ["--json"], ["--json", "--per-label"], ["--iou", "0.5", "--labels", "thing"]])
def test_evaluating_on_the_command_line(tmp_path: Path, options: list[str]) -> None:
    arguments = ["eval", *map(str, files(tmp_path)), *options]
    code = f"from boxscore.cli import main\nassert main({arguments!r}) == 0"
    assert not heavy_among(modules_after(code, tmp_path))


def test_evaluating_in_python(tmp_path: Path) -> None:
    ground_truth, predictions = map(str, files(tmp_path))
    code = f"import boxscore\nassert boxscore.evaluate({ground_truth!r}, {predictions!r}).value('AP') > 0.99"
    assert not heavy_among(modules_after(code, tmp_path))


def test_all_is_complete_sorted_and_short() -> None:
    names = boxscore.__all__
    assert list(names) == sorted(names)
    assert len(names) <= 25
    assert len(set(names)) == len(names)
    for name in names:
        assert getattr(boxscore, name) is not None
    submodules = {path.stem for path in Path(str(boxscore.__file__)).parent.iterdir()}
    # `@`: names that pytest, whose plugin is in the package, writes into the modules of plugins.
    public = {name for name in dir(boxscore) if not name.startswith(("_", "@"))}
    assert public - submodules - {"annotations", "TYPE_CHECKING"} == {name for name in names if name[0] != "_"}


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert boxscore.__version__ == version("boxscore")
