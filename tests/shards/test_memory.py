"""Memory is that of a piece and of a part, not that of the file."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

IMAGES = 2000
SCRIPT = """
import resource, sys
from boxscore.io import json_outline
from boxscore.io.shards import spill
json_outline.PIECE, json_outline.WINDOW = 1 << 19, 1 << 18
spill.MOST_ROWS, spill.MOST_BUCKETS = 4000, 16
from boxscore.pipeline.convert import convert
convert(sys.argv[1], sys.argv[2], to="shards", ground_truth=sys.argv[3], images_per_part=50, threads=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write(folder: Path, rows: int) -> Path:
    """Detections in no order of images."""
    generator = random.Random(rows)
    path = folder / f"dt-{rows}.json"
    with path.open("w") as file:
        for number in range(rows):
            image, x, score = generator.randrange(IMAGES), generator.randrange(80), generator.random()
            row = {"image_id": image, "category_id": 1, "bbox": [x, 5.25, 17.5, 9.75], "score": score}
            file.write((", " if number else "[") + json.dumps(row))
        file.write("]")
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is counted in other units elsewhere")
def test_a_file_of_four_times_the_size(tmp_path: Path) -> None:
    truth = {
        "images": [{"id": image, "width": 99, "height": 99} for image in range(IMAGES)],
        "annotations": [],
        "categories": [{"id": 1, "name": "cat"}],
    }
    (tmp_path / "gt.json").write_text(json.dumps(truth))
    peaks, sizes = [], []
    for rows in (60_000, 240_000):
        path = write(tmp_path, rows)
        sizes.append(path.stat().st_size)
        arguments = [sys.executable, "-c", SCRIPT, str(path), str(tmp_path / f"dt-{rows}"), str(tmp_path / "gt.json")]
        done = subprocess.run(arguments, capture_output=True, check=True)
        peaks.append(int(done.stdout) * 1024)
    assert peaks[1] - peaks[0] < (sizes[1] - sizes[0]) / 2, (peaks, sizes)
