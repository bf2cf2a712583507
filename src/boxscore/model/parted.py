"""Matches that stay where they were made, in parts over disjoint images, and are seen a label at a time."""

from __future__ import annotations

from boxscore.model.tables import Matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from boxscore import _kernel
    from boxscore.model.protocol import Protocol

    T = TypeVar("T")

    EachLabel = Callable[[Callable[[_kernel.Matches, int], Any], Sequence[int]], list[Any]]
    """Applies a function to the matches of some labels (each label 0 there, over all images) and their numbers."""


class PartedMatches(Matches):
    """The matches of all parts, none of which need be in memory.

    What goes by label (`each_label`) is done where the parts lie; `kernel` brings all of them together, once, for
    whatever needs them whole. `detections` and `over_limit` were counted while the parts were made.
    """

    __slots__ = ("_by_label", "_each_label", "_num_images", "_one_score", "_over_limit", "_whole", "_whole_kernel")

    def __init__(
        self,
        protocol: Protocol,
        *,
        num_images: int,
        detections_by_label: Sequence[int],
        over_limit: tuple[int, int],
        one_score: float | None,
        each_label: EachLabel,
        whole: Callable[[], _kernel.Matches],
    ) -> None:
        self.protocol = protocol
        self._num_images = num_images
        self._by_label = list(detections_by_label)
        self._over_limit = over_limit
        self._one_score = one_score
        self._each_label = each_label
        self._whole = whole
        self._whole_kernel: _kernel.Matches | None = None

    @property
    def kernel(self) -> _kernel.Matches:  # type: ignore[override]  # a slot of the base, made on demand here
        """All parts as one: as many bytes a detection as without parts."""
        if self._whole_kernel is None:
            self._whole_kernel = self._whole()
        return self._whole_kernel

    @property
    def num_images(self) -> int:
        """Number of images, those without objects and detections included."""
        return self._num_images

    def detections_by_label(self, num_labels: int) -> list[int]:
        """Detections of each label, those beyond the detection limit included."""
        return self._by_label[:num_labels]

    @property
    def over_limit(self) -> tuple[int, int]:
        """Pairs of image and label with more detections than the largest limit, and detections beyond it."""
        return self._over_limit

    @property
    def one_score(self) -> float | None:
        """The score that all detections have, where there are two or more and they agree."""
        return self._one_score

    def each_label(self, work: Callable[[_kernel.Matches, int], T], labels: Sequence[int] | None = None) -> list[T]:
        """`work(matches, label)` for each label (None: all), in order; `work` is a module's own function, or a partial.

        `matches` holds that label's rows alone, as label 0, over all images.
        """
        return self._each_label(work, range(len(self._by_label)) if labels is None else labels)
