"""`validate` on Ray: what a model finds in each picture, as one process finds it, picture by picture."""

from __future__ import annotations

import time
from dataclasses import dataclass

from boxscore.cluster.pool import Pool, largest_node
from boxscore.cluster.sent_model import SentModel
from boxscore.cluster.shards_of_pictures import Batch
from boxscore.validate.detecting import WARM_UP, Detected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boxscore.cluster.session import Session
    from boxscore.predict.decode import Found
    from boxscore.predict.detector import OnnxDetector
    from boxscore.validate.inputs import Inputs


@dataclass(frozen=True, slots=True)
class Seen:
    """What a lane says of a picture: what it `found`, the `notes` of an odd one, how long it took (None: warm-up)."""

    found: Found
    notes: tuple[str, ...]
    milliseconds: float | None


class RayDetecting:
    """Finds boxes by lanes of a session (`boxscore.validate.validating.Detecting`)."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, inputs: Inputs, threads: int, tell: Callable[[int, int], None] | None) -> tuple[Detected, str]:
        """What is found of each case, in order, and the name of what ran the model. Each run has `threads` threads, as
        in one process, so that its numbers are the same to the bit.

        Raises InputError: a picture that can't be read, and as `Pool` does.
        """
        import pickle

        sent = SentModel.of(inputs.card, None, threads)
        # A node of fewer processors runs the same threads, in turns: another number might change the last bits.
        processors = min(threads, largest_node())
        pool = Pool(self._session, sent, max(1, self._session.processors // processors), processors)
        cases = inputs.cases
        batches = [Batch.of(number, [case.picture], [case.picture_path]) for number, case in enumerate(cases)]
        found: dict[int, Seen] = {}
        for answer in pool.answers(batches, Finding):
            found[answer.number] = pickle.loads(answer.content)  # noqa: S301  by our own lanes
            if tell is not None:
                tell(len(found), len(cases))
        done = Detected()
        for number, case in enumerate(cases):
            seen = found[number]
            done.found.append(seen.found)
            if seen.notes:
                done.odd[case.picture] = list(seen.notes)
            if seen.milliseconds is not None:
                done.milliseconds.append(seen.milliseconds)
        return done, f"ONNX Runtime, {pool.identity['providers'][0]}"


class Finding:
    """The work of a lane: one picture at a time, as it would run where it is used."""

    def __init__(self, detector: OnnxDetector) -> None:
        self._detector = detector
        self._begun = 0

    def __call__(self, batches: Sequence[Batch]) -> Iterator[tuple[int, bytes]]:
        """Numbers of pictures, and a pickled Seen of each. Raises InputError for a picture that can't be read."""
        import pickle

        from boxscore.predict.read_picture import read

        for batch in batches:
            picture = read(batch.paths[0])
            start = time.perf_counter()
            (found,) = self._detector.detect([picture])
            took = (time.perf_counter() - start) * 1000
            self._begun += 1
            seen = Seen(found, picture.notes, None if self._begun <= WARM_UP else took)
            yield batch.number, pickle.dumps(seen)
