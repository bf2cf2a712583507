"""The two sides of a comparison: a card's model in this interpreter, or in another one with a runtime of its own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from boxscore.errors import InputError
from boxscore.predict.card_parts import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from numpy.typing import NDArray

    from boxscore.predict.card import Card

    Array = NDArray[Any]

    class Runner(Protocol):
        """Runs a model on a batch."""

        def run(self, batch: Array, extra: Mapping[str, Array]) -> tuple[list[Array], float]:
            """The outputs, and milliseconds."""

        def describe(self) -> dict[str, Any]:
            """Providers, versions, interpreter."""

        def close(self) -> None:
            """End what was started."""


_WORKER = Path(__file__).with_name("parity_worker.py")
_MOST_TOLD = 400


@dataclass(frozen=True, slots=True)
class Side:
    """What one side runs: a card, with ONNX Runtime's `providers` (None: the CPU's) and `threads` (None: all).

    `python` is another interpreter with numpy and onnxruntime; None: this one.
    """

    name: str
    card: Card
    providers: Sequence[str] | None = None
    threads: int | None = None
    python: str | None = None

    def start(self) -> Runner:
        """Load the model. Raises InputError where it can't be."""
        return Here(self) if self.python is None else Elsewhere(self, self.python)


def with_model(card: Card, path: str) -> Card:
    """The card with another ONNX file. Raises InputError where there is no such file."""
    import hashlib

    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: the model can't be read: {error.strerror or error}") from None
    name = Path(path).name
    return replace(
        card, model=Model(path, name, hashlib.sha256(content).hexdigest()), variant={**card.variant, "model": name}
    )


class Here:
    """A model in this interpreter."""

    def __init__(self, side: Side) -> None:
        from boxscore.predict.session import Session

        self._session = Session(side.card, side.providers, side.threads, lanes=1)

    def run(self, batch: Array, extra: Mapping[str, Array]) -> tuple[list[Array], float]:
        """The outputs, and milliseconds."""
        return self._session.timed_run(batch, extra)

    def describe(self) -> dict[str, Any]:
        """Providers, version and threads."""
        session = self._session
        return {
            "providers": list(session.providers),
            "onnxruntime": session.runtime_version,
            "threads": session.threads_a_lane,
            "python": None,
        }

    def close(self) -> None:
        """Nothing was started."""


class Elsewhere:
    """A model in another interpreter, which gets tensors and gives outputs: all else is done here, and the same."""

    def __init__(self, side: Side, python: str) -> None:
        self._name, self._python, self._threads = side.name, python, side.threads
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process; `close` closes it
        asked = {
            "model": str(Path(side.card.model.path).absolute()),
            "threads": side.threads,
            "providers": None if side.providers is None else list(side.providers),
        }
        try:
            self._process = subprocess.Popen(
                [python, "-I", str(_WORKER), json.dumps(asked)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
            )
        except OSError as error:
            self._said.close()
            raise InputError(f"{python} can't be started: {error.strerror or error}") from None
        try:
            self._told = self._answer()
        except InputError:
            self.close()
            raise

    def run(self, batch: Array, extra: Mapping[str, Array]) -> tuple[list[Array], float]:
        """The outputs, and milliseconds. Raises InputError where the other interpreter stops."""
        from boxscore.predict.parity_worker import described, received

        to, back = self._process.stdin, self._process.stdout
        assert to is not None and back is not None  # noqa: PT018, S101  both are pipes
        try:
            inputs = {"": batch, **extra}
            stated = [described(name, array) for name, array in inputs.items()]
            to.write(json.dumps({"inputs": stated}).encode() + b"\n")
            for array in inputs.values():
                to.write(array.tobytes())
            to.flush()
        except BrokenPipeError:
            self._stopped()
        answer = self._answer()
        return [received(back, one) for one in answer["outputs"]], answer["milliseconds"]

    def describe(self) -> dict[str, Any]:
        """Providers, versions, threads and the interpreter."""
        return {**self._told, "threads": self._threads, "python": f"{self._python} ({self._told['python']})"}

    def close(self) -> None:
        """End the other interpreter."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None  # noqa: S101  as above
        line = self._process.stdout.readline()
        if not line:
            self._stopped()
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise InputError(
                f"side {self._name}: {self._python} can't run the model ({answer['error']}); it needs numpy and a "
                "package that brings onnxruntime with this provider"
            )
        return answer

    def _stopped(self) -> None:
        status = self._process.wait()
        self._said.seek(0)
        said = " ".join(self._said.read().decode(errors="replace").split())[-_MOST_TOLD:] or "it said nothing"
        raise InputError(f"side {self._name}: {self._python} ended with status {status}: {said}")
