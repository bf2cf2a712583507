"""A model in ONNX Runtime; the only place that imports it."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Protocol

from boxscore.errors import InputError
from boxscore.model.notes import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.predict.card_parts import Model

    Array = NDArray[Any]

CPU = "CPUExecutionProvider"
_ENDING = "ExecutionProvider"
_ERRORS_ALONE = 3
"""ONNX Runtime warns of every tensor that could be stored better, a line each."""
_TYPES = {
    "tensor(float)": "float32",
    "tensor(float16)": "float16",
    "tensor(double)": "float64",
    "tensor(uint8)": "uint8",
    "tensor(int64)": "int64",
    "tensor(int32)": "int32",
}


class NamesModel(Protocol):
    """A card, of a detector or of anything else that ONNX Runtime runs."""

    @property
    def model(self) -> Model:
        """The file of the weights."""


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Session:
    """An ONNX model, ready to run. Several threads may call `run`; `lanes` of them run at a time, the rest wait.

    `providers` are names as ONNX Runtime has them, or their beginnings (`cpu`, `cuda`); the CPU's by default. `threads`
    are the processors to use at all (default: those there are). They are shared out among the lanes, each of which is
    one run with `threads // lanes` threads. On the CPU there are by default as many lanes as threads, since two runs on
    a thread each finish more than one run on two threads; other providers have one lane. A model whose batch is fixed
    is fed so many pictures at a time.

    Raises InputError where ONNX Runtime is missing, a provider is not there or fails, or the model can't be loaded.
    """

    def __init__(
        self,
        card: NamesModel,
        providers: Sequence[str] | None = None,
        threads: int | None = None,
        *,
        lanes: int | None = None,
    ) -> None:
        runtime = _runtime()
        names = _named(providers, runtime.get_available_providers())
        self.threads = threads or processors()
        self.lanes = max(1, min(lanes or (self.threads if names[0] == CPU else 1), self.threads))
        self.threads_a_lane = max(1, self.threads // self.lanes)
        self._free = threading.BoundedSemaphore(self.lanes)
        self._session = self._loaded(runtime, os.fspath(card.model.path), names)
        self.providers: list[str] = list(self._session.get_providers())
        if self.providers[0] != names[0]:
            # ONNX Runtime falls back to another provider with a warning; figures would be told of the wrong one.
            raise InputError(
                f"provider {names[0]} failed to start, and ONNX Runtime fell back to {self.providers[0]}; mend its "
                "installation (drivers, libraries), or ask for another with --providers"
            )
        self._inputs = self._session.get_inputs()
        self._shown = os.path.basename(os.fspath(card.model.path))  # noqa: PTH119  a text, as the card has it
        self.fixed_batch = _fixed(self._inputs[0].shape, 0)
        self.runtime_version: str = runtime.__version__

    def _loaded(self, runtime: Any, path: str, names: Sequence[str]) -> Any:  # noqa: ANN401  published without types
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self.threads_a_lane
        options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ALONE
        try:
            return runtime.InferenceSession(path, options, providers=list(names))
        except Exception as error:  # noqa: BLE001  ONNX Runtime's exceptions share no base of their own
            text = str(error).split("\n", maxsplit=1)[0].strip()
            raise InputError(
                f"{path}: ONNX Runtime can't load the model ({text[:300]}); check the file, or export it again"
            ) from None

    def run(self, batch: NDArray[np.float32], extra: Mapping[str, Array] | None = None) -> list[Array]:
        """The model's outputs, batch axis first, for pictures [b, c, h, w] and further inputs by name, [b, …].

        Raises InputError that states both shapes where the pictures don't fit the model, and for a missing input.
        """
        return self.timed_run(batch, extra)[0]

    def timed_run(
        self, batch: NDArray[np.float32], extra: Mapping[str, Array] | None = None
    ) -> tuple[list[Array], float]:
        """As `run`, and the milliseconds that the model took, without waiting for a lane."""
        self._check(batch, extra or {})
        size = self.fixed_batch
        if size is None or size == len(batch):
            return self._run(batch, extra or {})
        parts = [self._part(batch, extra or {}, start, size) for start in range(0, len(batch), size)]
        outputs = [_joined(part) for part in zip(*(outputs for outputs, _ in parts), strict=True)]
        return outputs, sum(took for _, took in parts)

    def _part(self, batch: Array, extra: Mapping[str, Array], start: int, size: int) -> tuple[list[Array], float]:
        """One run of a fixed batch; what lacks at the end is filled with the last picture and dropped again."""
        import numpy as np

        there = min(size, len(batch) - start)
        rows = np.minimum(np.arange(start, start + size), start + there - 1)
        outputs, took = self._run(batch[rows], {name: values[rows] for name, values in extra.items()})
        return [output[:there] for output in outputs], took

    def _run(self, batch: Array, extra: Mapping[str, Array]) -> tuple[list[Array], float]:
        feeds = {self._inputs[0].name: _typed(batch, self._inputs[0].type)}
        feeds |= {one.name: _typed(extra[one.name], one.type) for one in self._inputs[1:]}
        with self._free:
            start = time.perf_counter()
            try:
                return list(self._session.run(None, feeds)), (time.perf_counter() - start) * 1000
            except Exception as error:  # noqa: BLE001  as above
                text = str(error).split("\n", maxsplit=1)[0].strip()
                raise InputError(
                    f"{self._shown}: ONNX Runtime can't run the model ({text[:300]}); check the card's input"
                ) from None

    def _check(self, batch: Array, extra: Mapping[str, Array]) -> None:
        wanted = self._inputs[0].shape
        if len(wanted) == batch.ndim and all(
            _fixed(wanted, axis) in (None, batch.shape[axis]) for axis in range(1, batch.ndim)
        ):
            missing = [one.name for one in self._inputs[1:] if one.name not in extra]
            if not missing:
                return
            raise InputError(
                f"{self._shown} takes a second input {listed(missing)}, of which the card says nothing; state it there"
            )
        raise InputError(
            f"{self._shown} takes pictures of shape {wanted}, and the card prepares {list(batch.shape)}; "
            "correct the card's input size, or export the model for that size"
        )


def _runtime() -> Any:  # noqa: ANN401  published without types
    try:
        import onnxruntime
    except ImportError as error:
        raise InputError(f"running a model needs ONNX Runtime ({error}); pip install 'boxscore[predict]'") from None
    return onnxruntime


def _named(asked: Sequence[str] | None, available: Sequence[str]) -> list[str]:
    """Full names of providers. Raises InputError that lists those there are."""
    found = []
    for name in asked or [CPU]:
        fits = [one for one in available if one.lower().removesuffix(_ENDING.lower()) == _bare(name)]
        if not fits:
            known = ", ".join(one.removesuffix(_ENDING) for one in available)
            raise InputError(
                f"there is no provider {name!r} in this installation of ONNX Runtime; it has {known}. Ask for one of "
                "these with --providers, or install the package that brings it"
            )
        found.append(fits[0])
    return found


def _bare(name: str) -> str:
    return name.strip().lower().removesuffix(_ENDING.lower())


def _fixed(shape: Sequence[Any], axis: int) -> int | None:
    """The length of an axis, None where the model leaves it open (a name, None, or -1)."""
    length = shape[axis] if axis < len(shape) else None
    return length if isinstance(length, int) and length > 0 else None


def _typed(values: Array, kind: str) -> Array:
    wanted = _TYPES.get(kind)
    return values if wanted is None or values.dtype == wanted else values.astype(wanted)


def _joined(parts: Sequence[Array]) -> Array:
    import numpy as np

    return np.concatenate(parts, axis=0)
