"""torchmetrics, with its own reader of COCO files, which gives boxes as x, y, width, height in single precision."""

NAMES = (
    *("map", "map_50", "map_75", "map_small", "map_medium", "map_large"),
    *("mar_1", "mar_10", "mar_100", "mar_small", "mar_medium", "mar_large"),
)


def score(ground_truth: str, predictions: str) -> list[float]:
    """The twelve figures."""
    # Only its own environment has it, not the one where types are checked.
    from torchmetrics.detection import MeanAveragePrecision  # type: ignore[import-not-found]  # as said above

    metric = MeanAveragePrecision(box_format="xywh", iou_type="bbox")
    found, targets = metric.coco_to_tm(predictions, ground_truth, iou_type="bbox")
    metric.update(found, targets)
    figures = metric.compute()
    return [float(figures[name]) for name in NAMES]
