"""Replicates of a comparison on Ray: drawn in blocks, a task each, put together again in order.

A replicate is drawn by seed and number alone, so that it is the same bytes in whichever block, worker or attempt.
Matches travel once to each node, where Ray keeps them in memory that its workers share.
"""

from __future__ import annotations

from boxscore.measures.resampled import Model, resample, swap
from boxscore.model.measure import MEAN_IOU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore import _kernel
    from boxscore.cluster.session import Session
    from boxscore.measures.resampled import Wanted
    from boxscore.model.protocol import Protocol
    from boxscore.stats.plans import Plan

    Values = NDArray[np.float64]
    Columns = dict[str, NDArray[np.uint8]]
    Floors = tuple[float, ...] | None

_A_PROCESSOR = 4
"""Blocks for each processor: so many that a slow one is made up for, so few that taking matches up costs little."""

_LANES = 8
"""Replicates that the kernel draws side by side; blocks are multiples of it, so that none goes half empty."""


class Sent:
    """A model's matches as they travel: columns as arrays, which Ray hands to workers without a copy."""

    __slots__ = ("columns", "floors", "labels", "num_cells", "num_images", "protocol")

    def __init__(self, model: Model) -> None:
        import numpy as np

        self.num_cells, self.num_images, columns = model.matches.kernel.state()
        self.columns: Columns = {name: np.frombuffer(column, np.uint8) for name, column in columns.items()}
        self.protocol: Protocol = model.matches.protocol
        self.labels = list(model.labels)
        self.floors = model.floors

    def model(self) -> Model:
        """The model again; the kernel takes a copy of the columns."""
        from boxscore import _kernel
        from boxscore.model.tables import Matches

        columns = {name: column.tobytes() for name, column in self.columns.items()}
        kernel = _kernel.Matches.from_state(self.num_cells, self.num_images, columns)
        return Model(Matches(kernel, self.protocol), self.labels, self.floors)


class RayDrawing:
    """Draws replicates by the tasks of a session (`boxscore.compare.drawing.Drawing`).

    `progress` is told the stage, how many blocks are done, and of how many.
    """

    def __init__(self, session: Session, *, progress: Callable[[str, int, int], None] | None = None) -> None:
        self._session = session
        self._progress = progress
        self._sent: dict[tuple[int, Floors], tuple[_kernel.Matches, str, Any]] = {}

    def resample(self, models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan) -> Values:
        """[replicates, models, wanted]. Raises MeasureError, InputError where the cluster gives up."""
        import numpy as np

        # Mean IoU is of overlaps, which only this process can look up; they are sums of a few columns.
        here = [place for place, one in enumerate(wanted) if one.measure.kind == MEAN_IOU]
        there = [place for place in range(len(wanted)) if place not in here]
        found = np.empty((plan.replicates, len(models), len(wanted)))
        if here:
            found[..., here] = resample(models, [wanted[place] for place in here], plan)
        if there:
            asked = [wanted[place] for place in there]
            blocks = _blocks(plan.replicates, self._session.processors * _A_PROCESSOR)
            drawn = self._drawn(_resampled, [(models, asked, block) for block in blocks], plan, "resamples")
            found[..., there] = np.concatenate(list(drawn))
        return found

    def swap(
        self, models: Sequence[Model], pairs: Sequence[tuple[int, int]], wanted: Sequence[Wanted], plan: Plan
    ) -> Values:
        """[replicates, pairs, 2, wanted]; a task merges one pair. Raises as `resample` does."""
        import numpy as np

        tasks = self._session.processors * _A_PROCESSOR
        blocks = _blocks(plan.replicates, -(-tasks // max(len(pairs), 1)))
        calls = [([models[one], models[other]], wanted, block) for one, other in pairs for block in blocks]
        drawn = iter(self._drawn(_swapped, calls, plan, "swaps"))
        return np.concatenate([np.concatenate([next(drawn) for _ in blocks]) for _ in pairs], axis=1)

    def _drawn(
        self,
        work: Callable[..., Values],
        calls: Sequence[tuple[Sequence[Model], Sequence[Wanted], range]],
        plan: Plan,
        stage: str,
    ) -> Iterator[Values]:
        """What `work` gives of each call, in order."""
        drawn_by = self._session.put(plan)

        def arguments() -> Iterator[tuple[Any, ...]]:
            for models, wanted, block in calls:
                sent = [self._put(model) for model in models]
                yield (block, [name for name, _ in sent], wanted, drawn_by, *(reference for _, reference in sent))

        names = [f"{stage} {block.start + plan.first} to {block.stop + plan.first - 1}" for _, _, block in calls]
        found = self._session.in_order(work, arguments(), names, stage=stage, progress=self._progress)
        return (values for values, _ in found)

    def _put(self, model: Model) -> tuple[str, Any]:
        """The name and the reference of a model's matches in the object store, where they stay while this does."""
        kernel = model.matches.kernel
        key = id(kernel), None if model.floors is None else tuple(model.floors)
        if key not in self._sent:
            reference = self._session.put(Sent(model))
            self._sent[key] = kernel, reference.hex(), reference
        _, name, reference = self._sent[key]
        return name, reference


def _blocks(replicates: int, tasks: int) -> list[range]:
    """All replicates in about so many blocks."""
    size = -(-replicates // max(tasks, 1))
    size = -(-size // _LANES) * _LANES
    return [range(start, min(start + size, replicates)) for start in range(0, replicates, size)]


_TAKEN_UP: dict[str, Model] = {}
"""Models of this worker's last task, by name: its next one is mostly about the same."""


def _taken_up(names: Sequence[str], sent: Sequence[Sent]) -> list[Model]:
    models = {name: _TAKEN_UP.get(name) or one.model() for name, one in zip(names, sent, strict=True)}
    _TAKEN_UP.clear()
    _TAKEN_UP.update(models)
    return [models[name] for name in names]


def _resampled(block: range, names: Sequence[str], wanted: Sequence[Wanted], plan: Plan, *sent: Sent) -> Values:
    """Runs on a worker: [replicates of the block, models, wanted]."""
    return resample(_taken_up(names, sent), wanted, plan.block(block.start, block.stop))


def _swapped(block: range, names: Sequence[str], wanted: Sequence[Wanted], plan: Plan, *sent: Sent) -> Values:
    """Runs on a worker: [replicates of the block, 1, 2, wanted]."""
    return swap(_taken_up(names, sent), [(0, 1)], wanted, plan.block(block.start, block.stop))
