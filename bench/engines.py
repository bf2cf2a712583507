"""The engines: how each is started on two files, and what its figures are held against.

Each peer is used as its own documentation shows it, from files and with the loader it ships; boxscore through its
command line. Every one prints the 12 figures in pycocotools' order.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

PEERS = Path(__file__).parent / "peers"


@dataclass(frozen=True)
class Engine:
    """One engine. `slow`: so slow on the large set that it runs fewer rounds. `tolerance`: the largest difference from
    pycocotools' figures at which its times are still printed; 0: equal to the last bit."""

    name: str
    package: str
    script: str | None
    slow: bool
    tolerance: float

    def command(self, folder: Path) -> list[str]:
        """The process to run on a workload's folder."""
        files = [str(folder / "gt.json"), str(folder / "dt.json")]
        if self.script is None:
            return [str(Path(sys.executable).parent / "boxscore"), "eval", *files, "--json"]
        return [sys.executable, str(PEERS / self.script), *files]

    def figures(self, output: str) -> list[float | None]:
        """The 12 figures in what the process printed."""
        if self.script is None:
            return list(json.loads(output)["summary"].values())
        return [float(line) for line in output.split()]


ENGINES = (
    Engine("boxscore", "boxscore", None, slow=False, tolerance=0.0),
    Engine("ultrafast", "ultrafast-pycocotools", "ultrafast_eval.py", slow=False, tolerance=1e-12),
    Engine("hotcoco", "hotcoco", "hotcoco_eval.py", slow=False, tolerance=1e-12),
    Engine("vernier", "vernier", "vernier_eval.py", slow=False, tolerance=1e-12),
    Engine("faster-coco-eval", "faster-coco-eval", "faster_coco_eval_eval.py", slow=True, tolerance=1e-12),
    Engine("pycocotools", "pycocotools", "pycocotools_eval.py", slow=True, tolerance=0.0),
)
REFERENCE = "pycocotools"
