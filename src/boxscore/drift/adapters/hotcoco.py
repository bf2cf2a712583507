"""hotcoco, as its own page uses it."""


def score(ground_truth: str, predictions: str) -> list[float]:
    """The twelve figures."""
    from hotcoco import COCO, COCOeval

    truth = COCO(ground_truth)
    evaluation = COCOeval(truth, truth.load_res(predictions), "bbox")
    evaluation.run()
    return list(evaluation.stats)
