"""The readers meet any bytes: whatever form JSON takes reads alike, and what is not JSON is refused with its place."""

import json
import math
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _kernel
from tests.fuzz_million import run
from tests.strategies import CocoData, coco_data
from tests.support.mutation import BASES, check_place, mutate, parse

GROUND_TRUTH, RESULTS = BASES[:2]
U64 = 2**64 - 1
I64 = -(2**63)


def columns(table: _kernel.Table) -> dict[str, list[Any]]:
    """All columns as Python lists."""
    return {name: table.column(name).to_list() for name in table.column_names}


def read_both(ground_truth: bytes, results: bytes) -> list[Any]:
    """Everything that the two files say: tables, ids and findings."""
    raw = _kernel.parse_ground_truth(ground_truth, 2)
    dataset, _ = _kernel.build_dataset(raw, list(range(len(raw.category_uses))))
    raw_results = _kernel.parse_results(results, 2)
    detections, _ = _kernel.build_detections(raw_results, dataset, list(range(len(raw_results.label_uses))))
    return [
        columns(dataset.images),
        columns(dataset.ground_truth),
        columns(detections.table),
        raw.categories,
        raw.category_uses,
        raw_results.label_uses,
    ]


def detection_table(results: bytes, threads: int = 2) -> _kernel.Table:
    """The table of a results file over images 0 to 9; labels are numbered as they appear, ascending."""
    ground_truth = {"images": [{"id": number} for number in range(10)], "annotations": [], "categories": []}
    raw = _kernel.parse_ground_truth(json.dumps(ground_truth).encode(), 1)
    dataset, _ = _kernel.build_dataset(raw, [])
    found = _kernel.parse_results(results, threads)
    labels = sorted(str(use[1]) for use in found.label_uses)
    numbers = [labels.index(str(use[1])) for use in found.label_uses]
    return _kernel.build_detections(found, dataset, numbers, threads=threads)[0].table


def result_columns(text: str) -> dict[str, list[Any]]:
    """Columns of a results file."""
    return columns(detection_table(text.encode()))


def one_result(**fields: str) -> str:
    """A results file of one row, with values as JSON text."""
    row = {"image_id": "1", "category_id": "1", "bbox": "[1, 2, 3, 4]", "score": "0.5"} | fields
    return "[{" + ", ".join(f'"{key}": {value}' for key, value in row.items()) + "}]"


# Any form of the same JSON


def shuffled(value: Any, random: Random) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    if isinstance(value, list):
        return [shuffled(one, random) for one in value]
    return value


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KNOWN = {"id", "image_id", "category_id", "category_name", "bbox", "score", "area", "iscrowd", "ignore"}
KNOWN |= {"name", "file_name", "width", "height", "difficult", "group_of", "images", "annotations", "categories"}
EXTRA_FIELDS = st.dictionaries(st.text(max_size=8).filter(lambda key: key not in KNOWN), JSON_VALUES, max_size=3)


def with_extra_fields(data: CocoData, extra: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """Fields nobody knows put into every object of both files."""
    ground_truth = {key: [row | extra for row in rows] for key, rows in data.ground_truth.items()} | extra
    return ground_truth, [row | extra for row in data.results]


@settings(max_examples=80)
@given(
    data=coco_data(),
    random=st.randoms(use_true_random=False),
    indent=st.sampled_from([None, 0, 1, 4, "\t"]),
    separators=st.sampled_from([None, (",", ":"), (", ", ": "), (" ,\n", " :\r\n\t")]),
    ascii_only=st.booleans(),
    extra=EXTRA_FIELDS,
)
def test_form_does_not_matter(
    data: CocoData,
    random: Random,
    indent: int | str | None,
    separators: tuple[str, str] | None,
    ascii_only: bool,
    extra: dict[str, Any],
) -> None:
    plain = read_both(json.dumps(data.ground_truth).encode(), json.dumps(data.results).encode())
    ground_truth, results = with_extra_fields(data, extra)
    written = [
        json.dumps(shuffled(one, random), indent=indent, separators=separators, ensure_ascii=ascii_only)
        for one in (ground_truth, results)
    ]
    again = read_both(*(one.encode("utf-8", "surrogatepass") for one in escape_lone_surrogates(written)))
    assert again == plain


def escape_lone_surrogates(texts: list[str]) -> list[str]:
    """JSON may escape half a surrogate pair but UTF-8 can't hold one."""
    return [re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text) for text in texts]


@pytest.mark.parametrize("padding", ["", " ", "\n\n", "\r\n\t "])
def test_space_around_the_file(padding: str) -> None:
    text = padding + one_result() + padding
    assert result_columns(text) == result_columns(one_result())


def test_rows_of_mixed_form_read_alike() -> None:
    """The reader learns the form of a row and expects the next alike; each change of form must cost nothing."""
    forms = [
        '{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 0.5}',
        '{"image_id":1,"category_id":2,"bbox":[1,2,3,4],"score":0.5}',
        '{"score": 5e-1, "bbox": [1.0, 2e0, 3, 4], "category_id": 2, "image_id": 1.0}',
        '{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 0.5, "id": {"a": "}, {"}}',
        '{"x": "\\"", "image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 0.50}',
        '{"image_id": 7, "score": 9, "image_id": 1, "bbox": [1, 2, 3, 4], "category_id": 2, "score": 0.5}',
    ]
    random = Random(3)
    chosen = [random.choice(forms) for _ in range(300)]
    found = result_columns("[" + ",".join(chosen) + "]")
    expected = {"image": 1, "x": 1.0, "y": 2.0, "w": 3.0, "h": 4.0, "score": 0.5}
    for name, value in expected.items():
        assert found[name] == [value] * 300, name
    assert found["source_row"] == list(range(300))


def test_a_file_of_several_megabytes() -> None:
    """Files are cut into pieces that are read apart; texts that look like the start of a row must mislead nobody."""
    random = Random(5)
    rows: list[dict[str, Any]] = [
        {
            "image_id": random.randrange(10),
            "category_id": random.randrange(3),
            "bbox": [random.random() * 100 for _ in range(4)],
            "score": random.random(),
            "note": random.choice(['}, {"image_id": 0, ', "},{", "[{", '"}', "\\", ""]) * random.randrange(3),
            "nested": random.choice([[{"image_id": 9}], [[{}]], {"bbox": [1]}]),
        }
        for _ in range(25_000)
    ]
    for form in (dict[str, Any](), {"indent": 1}, {"separators": (",", ":")}):
        text = json.dumps(rows, **form).encode()
        assert len(text) > 3 * 2**20
        for threads in (1, 3):
            found = columns(detection_table(text, threads))
            expected = sorted(range(len(rows)), key=lambda at: detection_order(rows[at]))
            assert found["source_row"] == expected
            assert found["score"] == [rows[at]["score"] for at in expected]
            assert found["h"] == [rows[at]["bbox"][3] for at in expected]


def detection_order(row: dict[str, Any]) -> tuple[int, int, float]:
    """Sort key of the detections table; rows that are equal keep the order of the file."""
    return row["image_id"], row["category_id"], -row["score"]


# Numbers

NUMBER_TEXTS = st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
FINITE = st.one_of(st.floats(allow_nan=False, allow_infinity=False).map(repr), NUMBER_TEXTS).filter(
    lambda text: math.isfinite(float(text))
)


@settings(max_examples=400)
@given(st.lists(FINITE, min_size=4, max_size=4))
def test_numbers_are_those_of_python(texts: list[str]) -> None:
    """Each in the score and in every place of the box, the others small enough for the area to be finite."""
    for at, text in enumerate(texts):
        box = ["0", "0", "1", "1"]
        box[at] = text
        found = result_columns(one_result(bbox=f"[{','.join(box)}]", score=text))
        assert found["xywh"[at]][0].hex() == float(text).hex()
        assert found["score"][0].hex() == float(text).hex()


HARD_NUMBERS = [
    "9007199254740993",
    "9007199254740992.5",
    "0.1e1",
    "1E+2",
    "-0.0",
    "-0",
    "5e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1.7976931348623157e308",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "0.000000000000000000000000000000000000000000000000000000000001",
    "123456789012345678901234567890",
    "1" + "0" * 300,
    "0." + "0" * 320 + "1",
    "0." + "3" * 800,
    "179769313486231570" + "0" * 291,
    "9223372036854775807.9",
    "18446744073709551616.0",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203126",
    "1e-400",
    "0e999999999999",
    "7450580596923828125e-27",
]


@pytest.mark.parametrize("text", HARD_NUMBERS)
def test_hard_numbers(text: str) -> None:
    for row in (one_result(score=text), "[" + one_result()[1:-1] + "," + one_result(score=text)[1:-1] + "]"):
        found = result_columns(row)
        assert float(text).hex() in [score.hex() for score in found["score"]]


@pytest.mark.parametrize(
    "text", ["01", "1.", ".5", "+1", "1e", "1e+", "- 1", "0x10", "1_0", "--1", "1.5.2", "1,5", "٣"]
)
def test_what_only_looks_like_a_number(text: str) -> None:
    for row in (one_result(score=text), "[" + one_result()[1:-1] + "," + one_result(score=text)[1:-1] + "]"):
        with pytest.raises(_kernel.ParseError):
            _kernel.parse_results(row.encode(), 1)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
@pytest.mark.parametrize("place", ["score", "bbox"])
def test_numbers_that_are_not_finite_are_found(word: str, place: str) -> None:
    value = word if place == "score" else f"[1, {word}, 3, 4]"
    raw = _kernel.parse_results(one_result(**{place: value}).encode(), 1)
    dataset, _ = _kernel.build_dataset(_kernel.parse_ground_truth(b'{"images":[{"id":1}],"annotations":[]}', 1), [])
    detections, findings = _kernel.build_detections(raw, dataset, [0])
    assert detections.num_rows == 0
    found = next(finding for finding in findings if finding.code == "non-finite")
    assert (found.count, found.row, found.field) == (1, 0, place)


# Ids


def image_ids(*texts: str) -> list[int | str]:
    """Image ids of a ground truth, from their JSON texts."""
    rows = ",".join(f'{{"id": {text}}}' for text in texts)
    raw = _kernel.parse_ground_truth(f'{{"images": [{rows}], "annotations": [], "categories": []}}'.encode(), 1)
    return _kernel.build_dataset(raw, [])[0].image_ids


@given(st.lists(st.integers(I64, U64), min_size=1, max_size=5, unique=True))
def test_every_64_bit_integer_is_an_id(ids: list[int]) -> None:
    assert image_ids(*map(str, ids)) == sorted(ids)


@pytest.mark.parametrize("value", [I64, I64 + 1, -1, 0, 2**53 + 1, 2**63 - 1, 2**63, U64 - 1, U64])
def test_borders_of_the_integers(value: int) -> None:
    assert image_ids(str(value)) == [value]


@pytest.mark.parametrize(
    "text", [str(I64 - 1), str(U64 + 1), "1" * 50, "1.5", "1e-1", "NaN", "true", "null", "[1]", "{}"]
)
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(_kernel.ParseError) as caught:
        image_ids(text)
    assert (caught.value.section, caught.value.row, caught.value.field) == ("images", 0, "id")


@pytest.mark.parametrize(
    ("text", "value"), [("1.0", 1), ("-3.000", -3), ("1e2", 100), ("12.5e1", 125), ("-0", 0), ("-0.0", 0)]
)
def test_whole_floats_are_integers(text: str, value: int) -> None:
    assert image_ids(text) == [value]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=4, unique=True))
def test_any_text_is_an_id(ids: list[str]) -> None:
    for ascii_only in (True, False):
        assert image_ids(*(json.dumps(one, ensure_ascii=ascii_only) for one in ids)) == sorted(ids)


def test_integers_come_before_texts() -> None:
    assert image_ids('"b"', "10", '"10"', "-3", '"a"') == [-3, 10, "10", "a", "b"]


@given(st.lists(st.integers(I64, U64), min_size=2, max_size=5, unique=True), st.data())
def test_detections_find_their_image(ids: list[int], choice: st.DataObject) -> None:
    chosen = choice.draw(st.lists(st.sampled_from(ids), min_size=1, max_size=8))
    ground_truth = {"images": [{"id": one} for one in ids], "annotations": [], "categories": []}
    results = [{"image_id": one, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 0.5} for one in chosen]
    found = read_both(json.dumps(ground_truth).encode(), json.dumps(results).encode())[2]
    assert found["image"] == sorted(sorted(ids).index(one) for one in chosen)


# Places of errors

ROWS = [
    '{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 0.5}',
    '{"image_id": 1, "category_id": 2, "bbox": [5, 6, 7, 8], "score": 0.25}',
]
WRONG_VALUES = [
    ("score", "0.25", '"high"'),
    ("score", "0.25", "null"),
    ("score", "0.25", "true"),
    ("score", "0.25", "[0.25]"),
    ("score", "0.25", "{}"),
    ("bbox", "[5, 6, 7, 8]", "[5, 6, 7]"),
    ("bbox", "[5, 6, 7, 8]", "[5, 6, 7, 8, 9]"),
    ("bbox", "[5, 6, 7, 8]", "[]"),
    ("bbox", "[5, 6, 7, 8]", "null"),
    ("bbox", "[5, 6, 7, 8]", '"5 6 7 8"'),
    ("bbox", "[5, 6, 7, 8]", '[5, "6", 7, 8]'),
    ("bbox", "[5, 6, 7, 8]", "[[5, 6], [7, 8]]"),
    ("image_id", "1", "null"),
    ("image_id", "1", "1.5"),
    ("image_id", "1", "[1]"),
    ("category_id", "2", "2.5"),
    ("category_id", "2", "false"),
]


@pytest.mark.parametrize(("field", "value", "wrong"), WRONG_VALUES)
@pytest.mark.parametrize("row", [0, 1, 700])
def test_a_wrong_value_is_placed(field: str, value: str, wrong: str, row: int) -> None:
    prefix = "[" + "".join(ROWS[0] + ", " for _ in range(row))
    changed = ROWS[1].replace(f'"{field}": {value}', f'"{field}": {wrong}')
    assert changed != ROWS[1]
    text = prefix + changed + ", " + ROWS[0] + "]"
    with pytest.raises(_kernel.ParseError) as caught:
        _kernel.parse_results(text.encode(), 2)
    error = caught.value
    assert (error.section, error.row, error.field) == ("results", row, field)
    start = len(prefix) + changed.index(wrong)
    assert start <= error.byte <= start + len(wrong), text[error.byte :]
    assert text[error.byte :].startswith(error.found[:20])


@pytest.mark.parametrize("field", ["image_id", "category_id", "bbox", "score"])
def test_a_missing_field_is_named(field: str) -> None:
    rows = [json.loads(ROWS[0]), json.loads(ROWS[1])]
    del rows[1][field]
    with pytest.raises(_kernel.ParseError) as caught:
        _kernel.parse_results(json.dumps(rows).encode(), 1)
    assert (caught.value.section, caught.value.row, caught.value.field) == ("results", 1, field)
    assert json.dumps(rows)[caught.value.byte] == "{"


@pytest.mark.parametrize(
    ("section", "field", "wrong"),
    [
        ("images", "id", [3]),
        ("annotations", "image_id", None),
        ("annotations", "bbox", [1, 2]),
        ("annotations", "category_id", []),
        ("annotations", "area", "12.5"),
        ("annotations", "iscrowd", "no"),
        ("categories", "id", None),
        ("categories", "name", 5),
    ],
)
def test_a_wrong_value_of_the_ground_truth_is_placed(section: str, field: str, wrong: Any) -> None:
    box = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0}
    rows: dict[str, list[dict[str, Any]]] = {
        "images": [{"id": 1}, {"id": 2}],
        "annotations": [box | {"id": 1}, box | {"id": 2}],
        "categories": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}],
    }
    rows[section][1] = rows[section][1] | {field: wrong}
    text = json.dumps(rows)
    with pytest.raises(_kernel.ParseError) as caught:
        _kernel.parse_ground_truth(text.encode(), 1)
    assert (caught.value.section, caught.value.row, caught.value.field) == (section, 1, field)
    assert text[caught.value.byte :].startswith(caught.value.found[:20])


@pytest.mark.parametrize("base", [GROUND_TRUTH, RESULTS], ids=["ground truth", "results"])
def test_a_file_cut_at_any_byte_is_refused_there(base: bytes) -> None:
    read = _kernel.parse_ground_truth if base is GROUND_TRUTH else _kernel.parse_results
    read(base, 1)
    for end in range(len(base)):
        for threads in (1, 3):
            with pytest.raises(_kernel.ParseError) as caught:
                read(base[:end], threads)
            check_place(caught.value, base[:end])


@pytest.mark.parametrize("tail", ["x", "]", "{}", ",", "[]", "\x00", "1"])
def test_what_follows_the_end_is_refused(tail: str) -> None:
    for base, read in ((GROUND_TRUTH, _kernel.parse_ground_truth), (RESULTS, _kernel.parse_results)):
        with pytest.raises(_kernel.ParseError) as caught:
            read(base + tail.encode("latin-1"), 1)
        assert caught.value.byte == len(base)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":['])
def test_deep_nesting_neither_stops_the_process_nor_the_reader(opening: str) -> None:
    """A hundred thousand levels where a field is skipped: read or refused, never a full stack."""
    text = '[{"x": ' + opening * 100_000 + "}]"
    assert parse(text.encode()) == "refused"


# Bytes of any kind


@settings(max_examples=500)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    parse(data)


@settings(max_examples=300)
@given(st.recursive(JSON_VALUES, lambda inner: st.lists(inner, max_size=4), max_leaves=10))
def test_any_json(value: Any) -> None:
    parse(json.dumps(value).encode())


@settings(max_examples=200)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(sorted(KNOWN)), JSON_VALUES | st.lists(st.floats(), min_size=4, max_size=4)),
        max_size=3,
    )
)
def test_known_fields_with_any_values(rows: list[Any]) -> None:
    parse(json.dumps(rows).encode())
    parse(json.dumps({"images": rows, "annotations": rows, "categories": rows}).encode())


def test_mutated_files() -> None:
    """The first inputs of `fuzz_million.py`."""
    counts = run(range(40_000), seed=0)
    assert counts["refused"] > 1000
    assert counts["read"] > 1000


def test_what_is_read_is_json() -> None:
    """What Python's parser refuses is refused, but for the inside of texts that are passed over unread."""
    for number in range(15_000):
        data = mutate(Random(f"strict/{number}"))
        if parse(data) == "read":
            problem = python_refuses(data)
            assert problem is None or "escape" in problem, data


def python_refuses(data: bytes) -> str | None:
    """What Python's parser has against the file, if anything."""
    try:
        json.loads(data.decode("utf-8-sig", "replace"))
    except json.JSONDecodeError as error:
        return str(error)
    return None
