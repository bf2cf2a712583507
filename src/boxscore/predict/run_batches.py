"""Batches of pictures through a detector on several threads: while a model runs, others read, prepare and decode."""

from __future__ import annotations

import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io.stores import StoreError
from boxscore.predict.detector import Times
from boxscore.predict.run_machine import machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from typing import Any

    from boxscore.predict.decode import Found
    from boxscore.predict.detector import Detector
    from boxscore.predict.read_picture import Picture
    from boxscore.predict.run_pictures import Pictures

    Row = dict[str, Any]

WARM_UP = 2
"""Batches a thread at the start of each runner whose times count for no percentile: memory and caches are filled."""


class BatchRunner:
    """Runs batches; `workers` threads take one each at a time.

    A detector with a method `timed` (see OnnxDetector) sees to its own turns; of any other one call runs at a time, and
    reading overlaps with it. Detections below `least` are left out.
    """

    def __init__(self, detector: Detector, pictures: Pictures, *, workers: int, least: float, num_labels: int) -> None:
        self._detector = detector
        self._pictures = pictures
        self._workers = workers
        self._least = least
        self._num_labels = num_labels
        self._turn = threading.Lock()
        self._begun = 0

    def run(self, batches: Iterable[tuple[int, range]]) -> Iterator[tuple[int, Row]]:
        """Numbers of batches and what is found in them, as they are done; raises what a detector raises.

        No batch is begun before an earlier one is taken, beyond one a thread: what is lost when the process is killed
        is what its threads have in their hands.
        """
        waiting = iter(batches)
        with ThreadPoolExecutor(self._workers, thread_name_prefix="predict") as pool:
            running: dict[Future[Row], int] = {}

            def begin() -> None:
                for number, rows in waiting:
                    warm = self._begun < WARM_UP * self._workers
                    running[pool.submit(self._batch, rows, warm=warm)] = number
                    self._begun += 1
                    return

            for _ in range(self._workers):
                begin()
            try:
                while running:
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        number = running.pop(future)
                        begin()
                        yield number, future.result()
            finally:
                for future in running:
                    future.cancel()

    def machine(self) -> dict[str, Any]:
        """This machine."""
        return machine()

    def _batch(self, rows: range, *, warm: bool) -> Row:
        """What is written of a batch: an object for each picture, in order."""
        written: list[Row] = []
        readable: list[tuple[Row, Picture]] = []
        for row in rows:
            entry: Row = {"file_name": self._pictures.names[row]}
            written.append(entry)
            picture = self._read(self._pictures.paths[row], entry)
            if picture is not None:
                readable.append((entry, picture))
        if readable:
            results = self._timed([picture for _, picture in readable])
            for (entry, _), (found, times) in zip(readable, results, strict=True):
                entry.update(_times(times, warm=warm), **self._detections(found))
        return {"pictures": written}

    def _read(self, path: str, entry: Row) -> Picture | None:
        from boxscore.predict.read_picture import read

        start = time.perf_counter()
        try:
            picture = read(path)
        except StoreError:
            raise  # it says nothing of the picture; what was done stays in the journal
        except InputError as error:
            entry["unreadable"] = str(error).removeprefix(f"{path}: ")
            return None
        entry["read_ms"] = _rounded((time.perf_counter() - start) * 1000)
        entry["width"], entry["height"] = picture.width, picture.height
        if picture.notes:
            entry["notes"] = list(picture.notes)
        return picture

    def _timed(self, pictures: list[Picture]) -> Sequence[tuple[Found, Times]]:
        timed = getattr(self._detector, "timed", None)
        if timed is not None:
            results: Sequence[tuple[Found, Times]] = timed(pictures)
            return results
        with self._turn:
            start = time.perf_counter()
            found = self._detector.detect(pictures)
            share = (time.perf_counter() - start) * 1000 / len(pictures)
        if len(found) != len(pictures):
            raise InputError(
                f"the detector answered {len(pictures)} pictures with {len(found)} results; it must give one a picture"
            )
        return [(one, Times(None, share, None)) for one in found]

    def _detections(self, found: Found) -> Row:
        import numpy as np

        boxes = np.asarray(found.boxes, dtype=np.float64).reshape(-1, 4)
        scores = np.asarray(found.scores, dtype=np.float64).reshape(-1)
        labels = np.asarray(found.labels).reshape(-1).astype(np.int64)
        self._check(boxes, scores, labels)
        kept = scores >= self._least
        boxes = boxes[kept]
        boxes[:, 2:] -= boxes[:, :2]
        return {"boxes": boxes.tolist(), "scores": scores[kept].tolist(), "labels": labels[kept].tolist()}

    def _check(self, boxes: Any, scores: Any, labels: Any) -> None:  # noqa: ANN401  arrays
        import numpy as np

        if not len(boxes) == len(scores) == len(labels):
            raise InputError(
                f"the detector gave {len(boxes)} boxes, {len(scores)} scores and {len(labels)} labels for a picture; "
                "it must give as many of each"
            )
        if not (np.isfinite(boxes).all() and np.isfinite(scores).all()):
            raise InputError("the detector gave a box or a score that is not finite; correct its decoder")
        if len(labels) and not 0 <= labels.min() <= labels.max() < self._num_labels:
            raise InputError(
                f"the detector gave label {int(labels.max() if labels.min() >= 0 else labels.min())}, and there are "
                f"{self._num_labels} classes, from 0; correct the class list"
            )


def _times(times: Times, *, warm: bool) -> Row:
    """Milliseconds of the steps; those of a warm-up say so."""
    steps = {"preprocess_ms": times.preprocess, "inference_ms": times.inference, "decode_ms": times.decode}
    written: Row = {name: _rounded(value) for name, value in steps.items() if value is not None}
    written["to_boxes_ms"] = _rounded(times.to_boxes)
    return written | {"warm_up": True} if warm else written


def _rounded(milliseconds: float) -> float:
    return round(milliseconds, 4)
