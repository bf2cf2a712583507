"""The contract that holds the table of rooms finds what it should, shown on small packages made for it."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("importlinter", reason="import-linter is a tool of development, not of every test environment")

CONTRACT = Path(__file__).resolve().parent.parent / "scripts" / "lint" / "rooms.py"
SETTINGS = """
[tool.importlinter]
root_package = "house"
contract_types = ["rooms: rooms.RoomsContract"]
[[tool.importlinter.contracts]]
name = "rooms"
type = "rooms"
kernel = "_kernel"
arrows = ["__init__ -> io", "io -> model _kernel", "model ->", "cli -> *", "later -> io"]
"""


def lint(folder: Path, files: dict[str, str]) -> tuple[int, str]:
    """Exit status and output of import-linter over a package `house` of these files."""
    for name, text in {"__init__.py": "", "io.py": "", "model/__init__.py": "", **files}.items():
        path = folder / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (folder / "rooms.py").write_text(CONTRACT.read_text("utf-8"), "utf-8")
    (folder / "pyproject.toml").write_text(SETTINGS, "utf-8")
    code = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as run; run()"
    command = [sys.executable, "-c", code, "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_allowed_arrows_and_rooms_not_yet_built_are_kept(tmp_path: Path) -> None:
    files = {
        "__init__.py": "from house import io",
        "io.py": "from house.model import boxes\nfrom house._kernel import parse",
        "model/boxes.py": "import house.model",
        "cli.py": "import house.model, house.io\nfrom house import _kernel",
    }
    assert lint(tmp_path, files)[0] == 0


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("model/boxes.py", "def late():\n    from house import io", "house.model.boxes:2 may not import io"),
        ("io.py", "from house.cli import main", "house.io:1 may not import cli"),
        ("io.py", "from house import evaluate", "house.io:1 may not import __init__"),
        ("attic.py", "", "attic has no row in the table of rooms"),
    ],
)
def test_an_import_without_an_arrow_is_named(tmp_path: Path, name: str, text: str, fault: str) -> None:
    status, output = lint(tmp_path, {"cli.py": "", name: text})
    assert status == 1
    assert fault in " ".join(output.split())
