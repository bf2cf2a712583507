"""Mutated COCO files for the parsers, and the one call that gives them a file. Seeded: input `n` is always the same."""

import json
from random import Random

from boxscore import _kernel

BASES: tuple[bytes, ...] = (
    json.dumps(
        {
            "info": {"year": 2020, "nested": [1, [2, {"a": None, "b": [True, False]}]]},
            "images": [
                {"id": 1, "width": 640, "height": 480, "file_name": "a \\u00e9 \U0001f600.jpg"},
                {"id": "text", "width": 1.5e2, "height": None},
                {"id": 18446744073709551615, "file_name": "\\"},
            ],
            "annotations": [
                {"id": 1, "image_id": 1, "category_id": 3, "bbox": [1, 2.5, 3e1, 40], "area": 1200.0, "iscrowd": 0},
                {"id": 2, "image_id": "text", "category_id": 3, "bbox": [0, 0, 5, 5], "segmentation": [[1, 2, 3]]},
                {"id": 3, "image_id": 1.0, "category_id": 9, "bbox": [0.1, 0.2, 0.3, 0.4], "ignore": 1},
            ],
            "categories": [{"id": 3, "name": "cat"}, {"id": 9, "name": "dog", "supercategory": "animal"}],
        }
    ).encode(),
    json.dumps(
        [
            {"image_id": 1, "category_id": 3, "bbox": [258.15, 41.29, 348.26, 243.78], "score": 0.236},
            {"image_id": 1, "category_id": 3, "bbox": [1, 2, 3, 4], "score": 0.5},
            {"image_id": 1, "category_id": 9, "bbox": [61, 22.75, 504, 609.67], "score": 0.318},
            {"image_id": "text", "category_name": "dog", "bbox": [0, 0, 1e2, 1e-3], "score": 1, "extra": {"x": [{}]}},
            {"score": 0.25, "bbox": [1, 2, 3, 4], "image_id": 1, "category_id": 3},
        ]
    ).encode(),
    b'{"images":[],"annotations":[],"categories":[]}',
    b"[]",
    b"{}",
)
# Pieces that mean something to a JSON parser, or nearly do.
TOKENS: tuple[bytes, ...] = (
    *(bytes([one]) for one in b'{}[]",:0-\\\n\x00 \xff.eE+u'),
    *(b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-0", b"0.1e", b"00", b"1.", b"\\u", b"\\ud800", b"\\udc00"),
    *(b"9223372036854775808", b"18446744073709551616", b"-9223372036854775809", b"1" * 40, b"0." + b"1" * 60),
    *(b"\xef\xbb\xbf", b"\xc3\x28", b"[" * 2000, b'{"a":' * 1500, b'"image_id"', b'"bbox"', b"},{", b"[],", b'"":'),
)


def mutate(random: Random) -> bytes:
    """A base with one to six changes: bytes changed, removed or doubled, tokens put in, the file cut short."""
    text = bytearray(random.choice(BASES))
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        at = random.randrange(len(text) + 1)
        length = random.choice((1, 1, 1, 2, 5, 30))
        match random.randrange(8):
            case 0:
                text[at : at + 1] = bytes([random.randrange(256)])
            case 1:
                del text[at : at + length]
            case 2:
                text[at:at] = text[at : at + length]
            case 3 | 4:
                text[at:at] = random.choice(TOKENS)
            case 5:
                text[at : at + length] = random.choice(TOKENS)
            case 6:
                other = random.choice(BASES)
                start = random.randrange(len(other))
                text[at : at + length] = other[start : start + random.choice((1, 10, 80))]
            case _:
                if random.random() < 0.2:
                    del text[at:]
    return bytes(text)


def parse(data: bytes) -> str:
    """Give the bytes to every reader, and what they read to the tables; `read` or `refused`.

    Anything but a ParseError goes through: a panic of the kernel, which is no Exception, above all.
    """
    outcome = "refused"
    for reader in (read_ground_truth, read_results):
        try:
            reader(data)
            outcome = "read"
        except _kernel.ParseError as error:
            check_place(error, data)
    return outcome


def read_ground_truth(data: bytes) -> None:
    """Parse, build the tables, and fetch fields by the second pass."""
    raw = _kernel.parse_ground_truth(data, 2)
    dataset, _ = _kernel.build_dataset(raw, list(range(len(raw.category_uses))))
    dataset.ground_truth.column("area").to_list()
    _kernel.fetch_fields(data, "images", ["file_name", "nested", "width"])


def read_results(data: bytes) -> None:
    """Parse, and build the table for a data set with one image."""
    raw = _kernel.parse_results(data, 2)
    small = _kernel.parse_ground_truth(b'{"images":[{"id":1}],"annotations":[],"categories":[]}', 1)
    dataset, _ = _kernel.build_dataset(small, [])
    detections, _ = _kernel.build_detections(raw, dataset, list(range(len(raw.label_uses))))
    detections.table.column("score").to_list()


def check_place(error: _kernel.ParseError, data: bytes) -> None:
    """An error's place lies inside the file (or at its end), and it says what is wrong."""
    assert 0 <= error.byte <= len(data), (error.byte, len(data))
    assert error.problem
    assert isinstance(error.found, str)
