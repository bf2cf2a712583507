"""One answer of a vision-language model at a time: which boxes are read from it, and what can't be."""

import time

import pytest

from boxscore.io import answer_parts, answer_text
from boxscore.io.answer_parts import ReadAnswer

CAR = ("car", (10.0, 20.0, 30.0, 40.0), None, None)
DOG = ("dog", (1.0, 2.0, 3.0, 4.0), None, None)


def boxes(answer: ReadAnswer) -> list[tuple[object, ...]]:
    return [(box.label, box.numbers, box.order, box.score) for box in answer.boxes]


WHOLE = {
    "list": '[{"bbox_2d": [10, 20, 30, 40], "label": "car"}]',
    "one object": '{"bbox": [10, 20, 30, 40], "category": "car"}',
    "fenced": 'Here:\n```json\n[{"box": [10, 20, 30, 40], "name": "car"}]\n```\nAnything else?',
    "fenced on one line": '```json [{"box": [10, 20, 30, 40], "name": "car"}]```',
    "fence not closed": '```\n[{"box_2d": [10, 20, 30, 40], "class": "car"}]',
    "words around": 'I see [one] car: {"bounding_box": [10, 20, 30, 40], "label": "car"} {sic}',
    "thought first": '<think>{"bbox": [9, 9, 9, 9], "label": "cat"}</think>{"bbox": [10, 20, 30, 40], "label": "car"}',
    "draft outside the fence": 'e.g. {"bbox": [0, 0, 1, 1], "label": "x"}\n'
    '```json\n[{"bbox": [10, 20, 30, 40], "label": "car"}]\n```',
    "wrapped": '{"count": 1, "objects": [{"Label": " car ", "BBox": [10, 20, 30, 40]}]}',
    "boxes of objects": '{"boxes": [{"label": "car", "box": [10, 20, 30, 40]}]}',
    "parallel lists": '{"bboxes": [[10, 20, 30, 40]], "labels": ["car"]}',
    "numbers as text": '{"bbox": ["10", "20", "30", "40"], "label": "car"}',
    "a text of numbers": '{"bbox": "(10, 20), (30, 40)", "label": "car"}',
    "two points": '{"bbox": [[10, 20], [30, 40]], "label": "car"}',
    "Python's quotes": "[{'bbox': [10, 20, 30, 40], 'label': 'car'}]",
    "commas too many": '[{"bbox": [10, 20, 30, 40,], "label": "car",},]',
    "comments": '[{"bbox": [10, 20, 30, 40], // the red one\n"label": "car"}]',
    "special tokens": '<s>{"bbox": [10, 20, 30, 40], "label": "car"}</s><|im_end|>',
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_one_car_however_it_is_written(text: str) -> None:
    answer = answer_text.read(text)
    assert boxes(answer) == [CAR]
    assert (answer.unread, answer.failure) == ([], None)


def test_json_that_was_parsed_already() -> None:
    assert boxes(answer_text.read([{"bbox": [10, 20, 30, 40], "label": "car"}])) == [CAR]
    assert answer_text.read([]).failure is None
    assert answer_text.read(None).failure == answer_parts.EMPTY
    assert answer_text.read(7).failure == answer_parts.WORDS


def test_objects_keep_their_order_and_scores() -> None:
    text = (
        '{"label": "car", "bbox": [10, 20, 30, 40], "confidence": 0.5}\n{"label": "dog", "bbox": [1, 2, 3, 4], '
        '"score": "87%"}\n{"label": "car", "boxes": [[1, 1, 2, 2], [3, 3, 4, 4]], "scores": [0.25, "high"]}'
    )
    assert boxes(answer_text.read(text)) == [
        ("car", (10, 20, 30, 40), None, 0.5),
        ("dog", (1, 2, 3, 4), None, 0.87),
        ("car", (1, 1, 2, 2), None, 0.25),
        ("car", (3, 3, 4, 4), None, None),
    ]


@pytest.mark.parametrize(
    ("box", "order"),
    [
        ('"box": {"x1": 1, "y1": 2, "x2": 3, "y2": 4}', "xyxy"),
        ('"box": {"ymin": 2, "xmin": 1, "ymax": 4, "xmax": 3}', "xyxy"),
        ('"box": {"x": 1, "y": 2, "width": 3, "height": 4}', "xywh"),
        ('"x1": 1, "y1": 2, "x2": 3, "y2": 4', "xyxy"),
    ],
)
def test_named_numbers_say_their_order(box: str, order: str) -> None:
    assert boxes(answer_text.read(f'{{"label": "dog", {box}}}')) == [("dog", (1, 2, 3, 4), order, None)]


def test_tokens_of_paligemma() -> None:
    text = "<loc0020><loc0010><loc0040><loc0030> car ; <loc1023><loc0000><loc0001><loc0002><seg001><seg002> wet dog"
    assert boxes(answer_text.read(text)) == [
        ("car", (20, 10, 40, 30), "yxyx", None),
        ("wet dog", (1023, 0, 1, 2), "yxyx", None),
    ]


def test_tokens_of_florence() -> None:
    text = "</s><s>car<loc_1><loc_2><loc_3><loc_4><loc_5><loc_6><loc_7><loc_8>wet dog<loc_0><loc_0><loc_999><loc_9></s>"
    assert boxes(answer_text.read(text)) == [
        ("car", (1, 2, 3, 4), "xyxy", None),
        ("car", (5, 6, 7, 8), "xyxy", None),
        ("wet dog", (0, 0, 999, 9), "xyxy", None),
    ]


PARTLY = {
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [10, 20,': answer_parts.CUT_OFF,
    '{"objects": [{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [1': answer_parts.CUT_OFF,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [5 6 7 8], "label": "dog"}]': answer_parts.CUT_OFF,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [5, 6, 7], "label": "dog"}]': answer_parts.NO_NUMBERS,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [5, 6, 7, NaN], "label": "dog"}]': answer_parts.NO_NUMBERS,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [5, 6, 7, 1e300], "label": "dog"}]': answer_parts.NO_NUMBERS,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"bbox": [5, 6, 7, 8]}]': answer_parts.NO_LABEL,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, [5, 6, 7, 8]]': answer_parts.NO_LABEL,
    '[{"bbox": [1, 2, 3, 4], "label": "dog"}, {"point_2d": null, "label": "dog"}]': answer_parts.NO_BOX,
    "<loc0002><loc0001><loc0004><loc0003> dog ; <loc0002><loc0001><loc0004> dog": answer_parts.NOT_FOUR,
    "<loc0002><loc0001><loc0004><loc0003> dog ; <loc1024><loc0001><loc0004><loc0003> dog": answer_parts.BEYOND,
    "dog<loc_1><loc_2><loc_3><loc_4>dog<loc_1><loc_2><loc_3>": answer_parts.NOT_FOUR,
    "dog<loc_1><loc_2><loc_3><loc_4>dog<loc_1><loc_2><loc_3><loc_1000>": answer_parts.BEYOND,
    "<loc0002><loc0001><loc0004><loc0003> dog ; <loc0002><loc0001><loc0004><loc0003>": answer_parts.NO_LABEL,
}


@pytest.mark.parametrize(("text", "reason"), PARTLY.items())
def test_what_can_not_be_read_is_told_beside_what_can(text: str, reason: str) -> None:
    answer = answer_text.read(text)
    assert [box.label for box in answer.boxes] == ["dog"]
    assert (answer.unread, answer.failure) == ([reason], None)


@pytest.mark.parametrize(
    "text", ["[]", "{}", "```json\n[]\n```", 'Nothing: {"objects": []}', '{"car": [], "count": 0}']
)
def test_nothing_is_an_answer(text: str) -> None:
    answer = answer_text.read(text)
    assert (answer.boxes, answer.unread, answer.failure) == ([], [], None)


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("", answer_parts.EMPTY),
        (" \n</s>", answer_parts.EMPTY),
        ("<think>hm</think>", answer_parts.EMPTY),
        ("I'm sorry, but I can't help with that.", answer_parts.WORDS),
        ("As [1] says, none.", answer_parts.WORDS),
        ("<loc> car", answer_parts.WORDS),
        ('{"answer": "no cars"}', answer_parts.NO_BOXES),
        ('[{"bbox": [1, 2', answer_parts.NO_BOXES),
        ('[{"bbox": [1, 2, 3, 4]}]', answer_parts.NO_BOXES),
        ("<loc0001><loc0002> car", answer_parts.NO_BOXES),
    ],
)
def test_why_an_answer_can_not_be_read(text: str, failure: str) -> None:
    assert answer_text.read(text).failure == failure


def test_a_box_without_label_has_the_only_one() -> None:
    for text in ('[{"bbox": [1, 2, 3, 4]}]', "[1, 2, 3, 4]", "[[1, 2, 3, 4]]"):
        assert boxes(answer_text.read(text, "dog")) == [DOG]


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 50_000, '[{"a": "' * 20_000, "[[1]," * 50_000, "<loc0001>" * 9999]
)
def test_a_model_that_repeats_itself_takes_no_time(text: str) -> None:
    start = time.perf_counter()
    assert answer_text.read(text).failure == answer_parts.NO_BOXES
    assert time.perf_counter() - start < 5
