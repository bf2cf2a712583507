"""Gallery files in both forms, and what is wrong with them."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays

from boxscore.errors import InputError
from boxscore.faces import Gallery, GalleryActor, read_gallery, write_gallery
from boxscore.faces.gallery import GalleryPicture

SHA256 = "ab" * 32
finite = st.floats(0.5, 2.0)


def actor(number: int, rows: np.ndarray, with_pictures: bool, ids: dict[str, str]) -> GalleryActor:
    pictures = tuple(GalleryPicture(f"{number}/{row}.jpg" if row % 2 else None, SHA256) for row in range(len(rows)))
    return GalleryActor(f"Åse {number}", rows, ids, pictures if with_pictures else ())


galleries = st.lists(
    st.tuples(
        arrays(np.float64, st.tuples(st.integers(1, 3), st.just(4)), elements=finite),
        st.dictionaries(st.sampled_from(["imdb", "tmdb", "jf"]), st.text("nm0123456789", min_size=1, max_size=9)),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("ending", ["json", "h5", "hdf5"])
@pytest.mark.parametrize("with_pictures", [True, False])
@given(galleries)
def test_a_gallery_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, ending: str, with_pictures: bool, made: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("gallery") / f"g.{ending}"
    actors = tuple(actor(number, rows, with_pictures, ids) for number, (rows, ids) in enumerate(made))
    write_gallery(Gallery("model", SHA256, actors), path)
    found = read_gallery(path)
    assert (found.model, found.sha256, found.source) == ("model", SHA256, str(path))
    for one, other in zip(found.actors, actors, strict=True):
        assert (one.actor, one.ids, one.pictures) == (other.actor, other.ids, other.pictures)
        assert (one.embeddings == other.embeddings).all()
    assert [item.name for item in path.parent.iterdir()] == [path.name]


GOOD: dict[str, Any] = {
    "format": "boxscore-gallery",
    "version": 1,
    "model": {"name": "m", "sha256": SHA256},
    "actors": [
        {"actor": "Ann", "ids": {"tmdb": 31}, "embeddings": [[1, 0], [0, 1]]},
        {"actor": "Bea", "embeddings": [[1, 1]], "pictures": [{"file": "b.jpg", "sha256": SHA256}]},
    ],
}


def test_ids_may_be_numbers_and_pictures_left_out(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text(json.dumps(GOOD))
    ann, bea = read_gallery(path).actors
    assert (ann.ids, ann.pictures) == ({"tmdb": "31"}, ())
    assert bea.pictures == (GalleryPicture("b.jpg", SHA256),)


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    content = copy.deepcopy(GOOD)
    change(content)
    return content


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda c: c.pop("model"), "model is missing"),
        (lambda c: c.update(format="other"), "format: it is 'other'; it must be one of boxscore-gallery"),
        (lambda c: c.update(version=2), "version: it is 2"),
        (lambda c: c["model"].update(sha256="xyz"), "model.sha256: 'xyz' is no SHA-256"),
        (lambda c: c["actors"][0].update(name="x"), "actors[0].name: there is no such field"),
        (lambda c: c["actors"][0].update(ids={"imbd": "nm1"}), "actors[0].ids.imbd: there is no such field"),
        (lambda c: c["actors"][1].update(embeddings=[]), "actors[1].embeddings: it must be a list of embeddings"),
        (lambda c: c["actors"][1].update(embeddings=[[1, 2], [3]]), "actors[1].embeddings"),
        (lambda c: c["actors"][1].update(embeddings=[["a", "b"]]), "actors[1].embeddings"),
        (lambda c: c["actors"][1].update(embeddings=[[1, 2, 3]]), "embeddings have 2, 3 numbers"),
        (lambda c: c["actors"][0].update(embeddings=[[1, 0], [0, 0]]), "embedding 1 of actor 'Ann' is zero"),
        (lambda c: c["actors"][0].update(embeddings=[[float("nan"), 0]]), "embedding 0 of actor 'Ann'"),
        (lambda c: c["actors"][1].update(actor="Ann"), "actor 'Ann' is there twice"),
        (lambda c: c["actors"][1].update(embeddings=[[1, 1], [2, 1]]), "2 embeddings and 1 picture"),
        (lambda c: c.update(actors=[]), "actors: it is empty"),
    ],
)
def test_mistakes_are_told_with_their_place(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], part: str
) -> None:
    path = tmp_path / "g.json"
    path.write_text(json.dumps(changed(change)))
    with pytest.raises(InputError) as refused:
        read_gallery(path)
    assert str(refused.value).startswith(str(path))
    assert part in str(refused.value)


def replaced(file: Any, name: str, value: object) -> None:
    import h5py

    del file[name]
    file[name] = h5py.Empty("f") if value is None else value


def test_files_that_are_no_galleries_are_refused(tmp_path: Path) -> None:
    (tmp_path / "g.h5").write_bytes(b"no HDF5")
    (tmp_path / "g.json").write_text("{")
    for name in ("g.h5", "g.json", "none.h5", "none.json"):
        with pytest.raises(InputError, match=name):
            read_gallery(tmp_path / name)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda file: file.attrs.update(format="x"), "its attribute `format` is 'x'"),
        (lambda file: file.attrs.update(sha256="x"), "its attribute `sha256`: 'x' is no SHA-256"),
        (lambda file: file.attrs.update(sha256="xy" * 32), "is no SHA-256 (64 hexadecimal digits)"),
        (lambda file: file.attrs.update(version="one"), "its attribute `version` is 'one', and not 1"),
        (lambda file: file.attrs.update(version=[1, 1]), "its attribute `version` is '[1 1]', and not 1"),
        (lambda file: file.attrs.update(version=2), "its attribute `version` is '2', and not 1"),
        (lambda file: replaced(file, "embeddings", np.array([b"ab"])), "`embeddings` must be numbers, and holds |S2"),
        (lambda file: replaced(file, "embeddings", [[1j, 2]]), "`embeddings` must be numbers, and holds complex128"),
        (lambda file: replaced(file, "embeddings", [["a", "b"]]), "`embeddings` must be numbers, and holds object"),
        (lambda file: replaced(file, "actors/name", None), "the data set `actors/name` is missing"),
        (lambda file: file.update({"pictures/sha256": ["xy" * 32]}), "row 0 of `pictures/sha256`: 'xyxy"),
        (lambda file: file.__delitem__("embeddings"), "the data set `embeddings` is missing"),
        (lambda file: file["actor"].__setitem__(0, 7), "must number the 1 rows of `actors/name`"),
        (lambda file: file["actor"].__setitem__(0, -1), "must number the 1 rows of `actors/name`"),
        (lambda file: (file.__delitem__("actor"), file.update(actor=[0.5])), "whole numbers"),
    ],
)
def test_mistakes_in_hdf5_name_the_data_set(tmp_path: Path, change: Callable[[Any], object], part: str) -> None:
    import h5py

    path = tmp_path / "g.h5"
    write_gallery(Gallery("m", SHA256, (GalleryActor("Ann", np.ones((1, 2))),)), path)
    with h5py.File(path, "a") as file:
        try:
            change(file)
        except AttributeError:
            file["actor"] = [0.5]
    with pytest.raises(InputError) as refused:
        read_gallery(path)
    assert part in str(refused.value)


def test_what_can_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    for name in ("none/g.h5", "none/g.json"):
        with pytest.raises(InputError, match="can't be written"):
            write_gallery(Gallery("m", SHA256, (GalleryActor("Ann", np.ones((1, 2))),)), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_without_h5py_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(InputError, match=r"pip install 'boxscore\[faces\]'"):
        read_gallery(tmp_path / "g.h5")
