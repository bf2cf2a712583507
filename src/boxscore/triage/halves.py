"""Orders that depend on a seed alone: which half is held out, how failures are dealt out anew."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def shuffled(count: int, seed: int, orders: int | None = None) -> NDArray[np.int64]:
    """Numbers below `count` in an order drawn by the seed; with `orders`, so many orders [orders, count].

    Of the raw bits of PCG64, which NumPy keeps as they are from one version to the next.
    """
    import numpy as np

    bits = np.random.PCG64(seed).random_raw((1 if orders is None else orders) * count)
    order = np.argsort(np.asarray(bits).reshape(-1, count) if count else np.empty((1, 0)), axis=1, kind="stable")
    return order[0] if orders is None else order
