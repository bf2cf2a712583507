"""`COCOeval`: the class that training code calls."""

import copy
import datetime as dt
from typing import Any

from boxscore.compat import accumulated, eval_imgs, given, left_out, overlaps, sources
from boxscore.compat.evaluation import Evaluation, Part, refuse_readings
from boxscore.compat.params import Params, Settings, put_in_order, refuse_other_types
from boxscore.compat.rows import read_detections, read_objects
from boxscore.compat.summary import Summary
from boxscore.errors import InputError
from boxscore.model.labels import id_order
from boxscore.model.notes import Note
from boxscore.model.reading import Reading


class COCOeval:
    """Evaluates boxes as pycocotools' class of this name does: `evaluate`, `accumulate`, `summarize`, in this order.

    `cocoGt` and `cocoDt` are this package's `COCO`, pycocotools', or anything with a COCO `dataset`; they are not
    changed. `reading` says how numbers that are not finite, boxes without area, missing areas and `ignore` flags are
    read (its `non_finite`, `degenerate`, `area` and `ignore_flag`).

    - `params`: what to evaluate, see `Params`.
    - `eval`: after `accumulate`, `precision` and `scores` [T, R, K, A, M], `recall` [T, K, A, M] (float64; -1 where a
      figure does not exist), `params`, `counts` [T, R, K, A, M], `date`.
    - `stats`: after `summarize`, the twelve figures, see `Summary`.
    - `notes`: after `evaluate`, what was seen in the input, as counted sentences.

    Raises InputError for an `iouType` other than "bbox".
    """

    def __init__(
        self, cocoGt: Any = None, cocoDt: Any = None, iouType: str = "segm", *, reading: Reading | None = None
    ) -> None:
        self.params: Any = Params(iouType)
        self.cocoGt = cocoGt
        self.cocoDt = cocoDt
        self.reading = reading or Reading()
        refuse_readings(self.reading)
        self.eval: dict[str, Any] = {}
        self.stats: Any = []
        self.notes: list[Note] = []
        self._paramsEval: Any = {}
        self._evaluation: Evaluation | None = None
        self._area_ranges: list[Any] = []
        self._eval_imgs: Any = None
        self._ious: Any = None
        self._entries: dict[tuple[Any, ...], eval_imgs.Entry] = {}
        if cocoGt is not None:
            self.params.imgIds = sorted(sources.image_ids(cocoGt), key=id_order)
            self.params.catIds = sorted(sources.category_ids(cocoGt), key=id_order)

    def evaluate(self) -> None:
        """Match detections to ground truth. Sorts the ids and limits of `params`, as pycocotools does.

        Raises InputError for parameters or annotations that are not what they must be, naming field or row.
        """
        self._prepare()
        self._paramsEval = copy.deepcopy(self.params)

    def _prepare(self) -> None:
        # pycocotools' name: some training code calls the steps of evaluate() itself.
        refuse_other_types(self.params.iouType)
        put_in_order(self.params)
        settings = Settings.of(self.params)
        objects, detections = read_objects(self.cocoGt, settings), read_detections(self.cocoDt, settings)
        self._evaluation = Evaluation(settings, objects, detections, self.reading)
        self._area_ranges = copy.deepcopy(list(self.params.areaRng))
        self.notes = [*left_out.notes(self.cocoGt, self.cocoDt), *self._evaluation.notes]
        self._eval_imgs, self._ious, self._entries = None, None, {}
        self.eval = {}

    def accumulate(self, p: Any = None) -> None:
        """Sum up precision and recall into `eval`, for `params` or for other parameters `p`.

        `p` may hold any part of what was evaluated, found by value, and any recall points. Where `evalImgs` has been
        looked at or set, its content is summed up, else what `evaluate` matched (the same figures, much faster).
        """
        wanted_params = self.params if p is None else p
        if not self._paramsEval:
            raise InputError("there is nothing to accumulate yet; run evaluate() first")
        evaluated, wanted = Settings.of(self._paramsEval), Settings.of(wanted_params)
        found = accumulated.accumulate(self._parts(evaluated), evaluated, wanted)
        self.eval = {
            "params": wanted_params,
            "counts": list(found["precision"].shape),
            "date": dt.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S"),
            **found,
        }

    def summarize(self) -> None:
        """Print the table and put the twelve figures into `stats`."""
        summary = self._summary()
        print("\n".join(summary.lines))
        self.stats = summary.stats

    def _summary(self) -> Summary:
        if not self.eval:
            raise InputError("there is nothing to summarize yet; run accumulate() first")
        return Summary({"params": self.params, **self.eval})

    def _parts(self, evaluated: Settings) -> list[Part]:
        if self._eval_imgs is not None or self._evaluation is None:
            return given.parts_of(self.evalImgs, evaluated)
        return self._evaluation.parts

    @property
    def evalImgs(self) -> Any:
        """A dict (or None) for each category, area range and image, in this order; made when first looked at.

        A list that was put together elsewhere may be set; set `params` and `_paramsEval` to what it holds.
        """
        if self._eval_imgs is None:
            if self._evaluation is None:
                return []
            self._eval_imgs = eval_imgs.entries(self._evaluation, self._area_ranges)
        return self._eval_imgs

    @evalImgs.setter
    def evalImgs(self, entries: Any) -> None:
        self._eval_imgs = entries

    @property
    def ious(self) -> Any:
        """Overlaps by image and category id, arrays [D, G] or empty lists; made when first looked at."""
        if self._ious is None:
            self._ious = {} if self._evaluation is None else overlaps.overlaps(self._evaluation)
        return self._ious

    @ious.setter
    def ious(self, values: Any) -> None:
        self._ious = values

    def computeIoU(self, imgId: Any, catId: Any) -> Any:
        """Overlaps of one image and category, see `ious`."""
        return self.ious[imgId, catId]

    def evaluateImg(self, imgId: Any, catId: Any, aRng: Any, maxDet: int) -> Any:
        """The entry of `evalImgs` for one image, category and area range, at the largest limit of `params`.

        Raises InputError for another limit, or another range than those of `params`.
        """
        if self._evaluation is None:
            raise InputError("there is nothing evaluated yet; run evaluate() first")
        if not self._entries:
            self._entries = eval_imgs.by_place(self._evaluation, self._area_ranges)
        if maxDet != self._evaluation.settings.limits[-1] or list(aRng) not in [list(r) for r in self._area_ranges]:
            raise InputError(
                f"evaluateImg: aRng is {aRng!r} and maxDet {maxDet!r}; matched was in {self._area_ranges} with "
                f"{self._evaluation.settings.limits[-1]} detections: set params.areaRng and params.maxDets first"
            )
        return self._entries.get((imgId, catId, *aRng))

    def __str__(self) -> str:
        return "\n".join(self._summary().lines) if self.eval else repr(self)
