"""Heavy packages are imported only when something asks for them, and each development tool is pinned once and alike.

import-linter sees which module imports which, not when: an import inside a function is lazy, one at a module's head is
not; nor does it see the compiled kernel. So the sources are read here, and what `import boxscore` really loads is asked
of a fresh interpreter.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import boxscore

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(boxscore.__file__).parent
HEAVY = frozenset(
    {
        "altair",
        "cv2",
        "dotenv",
        "duckdb",
        "fsspec",
        "grpc",
        "h5py",
        "httpx",
        "matplotlib",
        "mlflow",
        "numpy",
        "onnx",
        "onnxruntime",
        "pandas",
        "polars",
        "pyarrow",
        "pybullet",
        "pycocotools",
        "ray",
        "s3fs",
        "scipy",
        "sklearn",
        "tenacity",
        "torch",
        "wandb",
        "yaml",
    }
)
# Rooms that know arrays only are themselves imported lazily, so their heads may import these.
ARRAY_ROOMS = {"stats": {"numpy", "scipy"}, "scenes": {"numpy"}, "compat": {"numpy"}, "presence": {"numpy"}}


def eager_imports(node: ast.AST) -> Iterator[str]:
    """Top-level packages imported when a module is loaded: not those in functions, nor those for types alone."""
    match node:
        case ast.Import(names=names):
            yield from (name.name.split(".")[0] for name in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module.split(".")[0]
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            pass
        case _:
            for child in ast.iter_child_nodes(node):
                yield from eager_imports(child)


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_heavy_package_at_the_head_of_a_module(path: Path) -> None:
    eager = set(eager_imports(ast.parse(path.read_text("utf-8"))))
    assert not eager & (HEAVY - ARRAY_ROOMS.get(room_of(path), set())), f"{path}: import it where it is used"


def imports_the_kernel(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(name.name == "boxscore._kernel" for name in names)
        case ast.ImportFrom(module="boxscore", names=names):
            return any(name.name == "_kernel" for name in names)
        case ast.ImportFrom(module=module):
            return module == "boxscore._kernel"
    return False


def rooms_with_an_arrow_to_the_kernel() -> set[str]:
    (contract,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rows = [row.partition("->") for row in contract["arrows"]]
    return {room.strip() for room, _, targets in rows if {"_kernel", "*"} & set(targets.split())}


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_kernel_is_imported_only_where_the_design_lets_it(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    assert room_of(path) in rooms_with_an_arrow_to_the_kernel() or not any(map(imports_the_kernel, nodes))


def loaded_after(statement: str) -> set[str]:
    """Top-level names in `sys.modules` of a fresh interpreter after a statement."""
    code = f"import sys\n{statement}\nprint(' '.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_import_boxscore_loads_nothing_heavy() -> None:
    assert not loaded_after("import boxscore") & HEAVY


def test_import_of_the_command_line_loads_nothing_heavy() -> None:
    assert not loaded_after("import boxscore.cli") & HEAVY


def pins(lines: list[str]) -> dict[str, str]:
    """Name and version of each `name[extra]==version; condition`, names spelt one way."""
    found = (re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[.+\])?==([^\s;]+)(?:;.+)?", line.strip()) for line in lines)
    return {re.sub(r"[-_.]+", "-", pin[1]).lower(): pin[2] for pin in found if pin}


def test_every_tool_is_pinned_and_locked_alike() -> None:
    pyproject, lock = ROOT / "pyproject.toml", ROOT / "requirements-dev.txt"
    groups = tomllib.loads(pyproject.read_text("utf-8"))["dependency-groups"]
    stated = [line for lines in groups.values() for line in lines if isinstance(line, str)]
    locked = pins(lock.read_text("utf-8").splitlines())
    assert len(pins(stated)) == len(stated), "each tool of a dependency group is pinned with =="
    assert {name: locked.get(name) for name in pins(stated)} == pins(stated), "run scripts/lock"
