"""Label lines that a lenient reader would mend are refused, by file and line."""

import pytest

from boxscore.errors import InputError
from boxscore.validate.strict_labels import check_labels

CLASSES = ["cat", "dog"]

MALFORMED = {
    "four fields": ("0 0.5 0.5 0.2", "4 fields"),
    "a confidence": ("0 0.5 0.5 0.2 0.2 0.9", "file of predictions"),
    "a polygon": ("0 0.1 0.1 0.2 0.1 0.2 0.2", "polygon"),
    "commas between": ("0,0.5,0.5,0.2,0.2", "1 fields"),
    "a decimal comma": ("0 0,5 0.5 0.2 0.2", "decimal point"),
    "a name for a class": ("cat 0.5 0.5 0.2 0.2", "class is 'cat'"),
    "a float for a class": ("0.0 0.5 0.5 0.2 0.2", "class is '0.0'"),
    "a negative class": ("-1 0.5 0.5 0.2 0.2", "class is '-1'"),
    "underscores that Python reads": ("0_0 0.5 0.5 0.2 0.2", "class is '0_0'"),
    "digits of another script": ("١ 0.5 0.5 0.2 0.2", "class is"),
    "a class beyond": ("2 0.5 0.5 0.2 0.2", "class is 2; there are 2"),
    "a class far beyond": ("9" * 400 + " 0.5 0.5 0.2 0.2", "class is 999"),
    "nan": ("0 nan 0.5 0.2 0.2", "x of the centre is nan, which is not finite"),
    "infinity": ("0 0.5 -inf 0.2 0.2", "y of the centre is -inf, which is not finite"),
    "a number too large for a float": ("0 0.5 0.5 1e999 0.2", "width is 1e999, which is not finite"),
    "text": ("0 0.5 half 0.2 0.2", "y of the centre is 'half', which is no number"),
    "a centre below 0": ("0 -0.001 0.5 0.2 0.2", "x of the centre is -0.001"),
    "a centre above 1": ("0 0.5 1.0000001 0.2 0.2", "y of the centre is 1.0000001"),
    "a width of 0": ("0 0.5 0.5 0 0.2", "width is 0; it must be above 0"),
    "a height of -0": ("0 0.5 0.5 0.2 -0.0", "height is -0.0; it must be above 0"),
    "a height above 1": ("0 0.5 0.5 0.2 1.01", "height is 1.01"),
    "pixels": ("0 320 240 100 50", "x of the centre is 320"),
}


@pytest.mark.parametrize(("line", "told"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_line_is_refused_by_file_and_line(line: str, told: str) -> None:
    data = f"1 0.5 0.5 1 1\n{line}\n".encode()
    with pytest.raises(InputError) as refused:
        check_labels(data, "labels/a.txt", CLASSES)
    assert str(refused.value).startswith("labels/a.txt line 2: ")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("data", "objects"),
    [
        (b"", 0),
        (b"\n  \n", 0),
        (b"0 0 1 1 1", 1),
        (b"0 0.5 .5 1e-3 0.2\r\n1\t+0.5  5.E-1 0.2 1.\r\n", 2),
        (b"\xef\xbb\xbf0 0.5 0.5 0.2 0.2\n\n", 1),
        (b"001 0.5 0.5 0.2 0.2\r0 0.5 0.5 0.2 0.2", 2),
    ],
)
def test_what_is_well_formed_is_counted(data: bytes, objects: int) -> None:
    assert check_labels(data, "a.txt", CLASSES) == objects


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="not UTF-8"):
        check_labels(b"0 0.5 0.5 0.2 0.2\xff\n", "a.txt", CLASSES)
