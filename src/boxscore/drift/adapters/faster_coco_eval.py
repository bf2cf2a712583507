"""faster-coco-eval, as its own page uses it."""


def score(ground_truth: str, predictions: str) -> list[float]:
    """The twelve figures."""
    from faster_coco_eval import COCO, COCOeval_faster

    truth = COCO(ground_truth)
    evaluation = COCOeval_faster(truth, truth.loadRes(predictions), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    return list(evaluation.stats[:12])
