"""What is read from one answer: boxes as they are stated, and what of it can't be read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.model.labels import Id

EMPTY = "empty"
WORDS = "in words alone, without boxes"
NO_BOXES = "with damaged JSON, or without a box that can be read"
"""Why a whole answer can't be read."""

NO_BOX = "an object without a box"
NO_NUMBERS = "a box that isn't four numbers"
NO_LABEL = "a box without a label"
CUT_OFF = "a part that is damaged or cut off"
NOT_FOUR = "location tokens that aren't four"
BEYOND = "a location token that the model doesn't have"
"""Why one box of an answer can't be read."""

PALIGEMMA = "PaliGemma's tokens"
FLORENCE = "Florence-2's tokens"


class StatedBox:
    """A box as an answer states it: `label` (None: there is none), four `numbers`, `score` (None likewise).

    `kind` is the key that it stands under, or names the tokens; `order` is that of the numbers where the form says it
    (`xyxy`, `yxyx`, `xywh`, `cxcywh`), else None.
    """

    __slots__ = ("kind", "label", "numbers", "order", "score")

    def __init__(
        self,
        label: Id | None,
        numbers: tuple[float, float, float, float],
        *,
        kind: str,
        order: str | None = None,
        score: float | None = None,
    ) -> None:
        self.label = label
        self.numbers = numbers
        self.kind = kind
        self.order = order
        self.score = score

    @property
    def of_tokens(self) -> bool:
        """Whether order and scale are those of a model's tokens."""
        return self.kind in (PALIGEMMA, FLORENCE)


class ReadAnswer:
    """The `boxes` of an answer, why others in it can't be read (`unread`), or why it can't as a whole (`failure`)."""

    __slots__ = ("boxes", "failure", "unread")

    def __init__(
        self, boxes: Sequence[StatedBox] = (), unread: Sequence[str] = (), *, failure: str | None = None
    ) -> None:
        self.boxes = list(boxes)
        self.unread = list(unread)
        self.failure = failure
