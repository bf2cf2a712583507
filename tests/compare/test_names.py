"""Models are called by the shortest part of their paths that tells them apart."""

import pytest

import boxscore
from boxscore.compare.names import names_of


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/yolox.json.gz", "b/fcos.json"], ["yolox", "fcos"]),
        (["yolox/pred.json", "fcos/pred.json"], ["yolox", "fcos"]),
        (["runs/yolox", "runs/fcos/"], ["yolox", "fcos"]),
        (["a/yolox/pred.json", "b/yolox/pred.json"], ["a", "b"]),
        # Neither level alone tells all of them apart.
        (["a/one.json", "b/one.json", "b/two.json"], ["a/one", "b/one", "b/two"]),
        (["x/v1.2", "x/v1.3"], ["v1.2", "v1.3"]),
        (["x/.json", "x/a.json"], [".json", "a"]),
        (["same.json", "same.json"], ["same", "same (2)"]),
    ],
)
def test_names(paths: list[str], names: list[str]) -> None:
    assert names_of(paths) == names


def test_given_names_are_taken() -> None:
    assert names_of(["a.json", "b.json"], ["new", "old"]) == ["new", "old"]


@pytest.mark.parametrize(
    ("given", "words"), [(["a"], "1 name is given for 2"), (["a", "a"], '"a" is given to 2'), (["a", ""], "empty")]
)
def test_names_that_do_not_fit(given: list[str], words: str) -> None:
    with pytest.raises(boxscore.InputError, match=words):
        names_of(["x.json", "y.json"], given)
