"""pycocotools, as its own demo uses it."""


def score(ground_truth: str, predictions: str) -> list[float]:
    """The twelve figures."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    truth = COCO(ground_truth)
    evaluation = COCOeval(truth, truth.loadRes(predictions), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    return list(evaluation.stats)
