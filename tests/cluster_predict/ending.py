"""Work that ends its worker; it travels by value, as workers know nothing of tests."""

import os
import signal
from collections.abc import Iterator, Sequence
from typing import Any


class Ending:
    """Answers with the names of pictures, but for one: whoever takes that up is killed."""

    def __init__(self, detector: object) -> None:
        self._detector = detector

    def __call__(self, batches: Sequence[Any]) -> Iterator[tuple[int, bytes]]:
        for batch in batches:
            if "poison.jpg" in batch.names:
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch.number, ",".join(batch.names).encode()
