"""The example of docs/training-loops.md, run as it stands, prints what is shown there; and the sizes it states hold."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import boxscore
from boxscore.pipeline.saved import load_run
from tests.support.streams import one

PAGE = Path(__file__).parent.parent / "docs" / "training-loops.md"


def test_the_example_prints_what_it_shows(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    code, printed = (re.search(f"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "text"))
    assert code is not None
    assert printed is not None
    script = tmp_path / "validate.py"
    script.write_text(code[1], encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed[1]
    run = load_run(tmp_path / "runs" / "epoch-1")
    assert f"{run.num_images} images, AP {run.value('AP'):.4f}," in printed[1]


def pickled(images: int, *scores: float) -> int:
    evaluator = boxscore.Evaluator({1: "car"})
    for number in range(images):
        evaluator.update(*one(*scores), image_ids=[number])
    return len(pickle.dumps(evaluator))


def test_sizes_that_the_page_states() -> None:
    assert 40 <= (pickled(300, *(k / 64 for k in range(20))) - pickled(300, 0.5)) / 300 / 19 < 41
    each = (pickled(400, 0.5) - pickled(200, 0.5)) / 200 - 40 - 24
    assert 40 < each < 70
