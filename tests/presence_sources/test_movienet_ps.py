"""MovieNet-PS splits as MATLAB files, for the film of `written.py`: 10 frames a second, three shots."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.presence.crosswalk_file import read_crosswalk, with_crosswalk
from boxscore.presence.movienet_ps import read_movienet_ps
from tests.presence_sources.written import BOX, NO_BOX, SHOTS, cell, gallery_split, told, train

TITLE = "tt0120885"
ANN, BO = "imdb:nm0000158", "imdb:nm0000210"
FEW = (
    "Train_app10 has up to 10 appearances an identity: somebody who is on an annotated frame may be missing from it, "
    "so a prediction that is right there counts as false; recall is the figure to read"
)


def with_shots(folder: Path) -> Path:
    (folder / f"{TITLE}.txt").write_text(SHOTS)
    return folder


def read(folder: Path, split: str = "Train_app10", **more: Any) -> Any:
    return read_movienet_ps(with_shots(folder), **{"split": split, "title": TITLE, "fps": 10.0, **more})


def refused(folder: Path, split: str = "Train_app10", **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, split, **more)
    return str(caught.value)


def pictures(*places: tuple[int, int], title: str | None = TITLE) -> list[str]:
    return [f"{title + '/' if title else ''}shot_{shot:04d}_img_{image}.jpg" for shot, image in places]


def test_train_split_with_ids_and_film_names(tmp_path: Path) -> None:
    """The second identity is of another film too, the third of that one alone."""
    split = [
        ("nm0000158", pictures((0, 1), (1, 0))),
        ("nm0000210", pictures((0, 1)) + pictures((7, 2), title="tt9999999")),
        ("nm0000300", pictures((7, 1), title="tt9999999")),
    ]
    found = read(train(tmp_path, split))
    assert told(found) == [(ANN, 0.0, 1.0, None), (ANN, 1.0, 3.0, None), (BO, 0.0, 1.0, None)]
    assert found.samples.tolist() == [0.5, 1.4]
    assert (found.source, found.duration, len(found.scenes)) == ("movienet", 4.0, 0)
    assert found.notes == (f"annotated key frames of {TITLE} in Train_app10: 2", FEW)


def test_names_without_film_are_all_of_the_one_asked_for(tmp_path: Path) -> None:
    found = read(
        train(tmp_path, [("nm0000158", pictures((0, 0), title=None)), ("nm0000210", pictures((2, 2), title=None))])
    )
    assert told(found) == [(ANN, 0.0, 1.0, None), (BO, 3.0, 4.0, None)]
    assert f"pictures that name no film, all taken to be of {TITLE}: 2" in found.notes
    assert [Path(path).name for path in found.files.values()] == ["Train_app10.mat", f"{TITLE}.txt"]


@pytest.mark.parametrize("name", ["", 17, "p17"])
def test_identities_without_ids_are_their_place_in_the_split(tmp_path: Path, name: object) -> None:
    found = read(train(tmp_path, [("nm0000158", pictures((0, 0))), (name, pictures((0, 0), (1, 1)))]))
    assert [label for label, *_ in told(found)] == [ANN, "mvn:Train_app10/1", "mvn:Train_app10/1"]
    assert found.people[1].name == "identity 1 of Train_app10"
    (note,) = (note for note in found.notes if note.startswith("identities without an IMDb id, which can match"))
    assert note.endswith("by a crosswalk alone (columns mvn and imdb): 1 of 2")
    crosswalk = tmp_path / "ids.csv"
    crosswalk.write_text("mvn,imdb\nTrain_app10/1,nm210\n")
    assert with_crosswalk(found, read_crosswalk(crosswalk)).people[1].keys == {"mvn:Train_app10/1", BO}


def test_an_identity_in_two_items_is_one_person(tmp_path: Path) -> None:
    found = read(train(tmp_path, [("nm0000158", pictures((0, 0))), ("nm0000158", pictures((1, 0)))]))
    assert told(found) == [(ANN, 0.0, 1.0, None), (ANN, 1.0, 3.0, None)]


def test_a_column_of_cells_reads_like_a_table(tmp_path: Path) -> None:
    """Each item wrapped in a cell of its own, as MATLAB code may nest it; for as many identities as a row has parts."""
    from scipy.io import savemat

    items = [("nm0000158", pictures((0, 0))), ("nm0000210", pictures((0, 0))), ("nm0000300", pictures((1, 0)))]
    expected = read(train(tmp_path / "flat", items))
    for shape in ((3, 1), (1, 3)):
        nested = np.empty(shape, object)
        for place, (name, held) in enumerate(items):
            nested.ravel()[place] = cell([(name, 1, cell([(picture, BOX, 0) for picture in held]))])
        folder = tmp_path / str(shape)
        folder.mkdir()
        savemat(folder / "Train_app10.mat", {"Train": nested})
        assert told(read(folder)) == told(expected)


def item(names: list[str], hard: list[str], idname: str | None = None) -> dict[str, object]:
    """Query, positives, then pictures that do not show the identity (an empty box)."""
    query: dict[str, object] = {"imname": names[0], "idlocate": BOX}
    query |= {"idname": idname} if idname is not None else {}
    gallery = np.empty((1, len(names) - 1 + len(hard)), [("imname", object), ("idlocate", object), ("ishard", object)])
    for place, name in enumerate((*names[1:], *hard)):
        gallery[0, place] = (name, BOX if place < len(names) - 1 else NO_BOX, 0)
    return {"Query": query, "Gallery": gallery}


def test_test_split_stops_at_the_empty_box(tmp_path: Path) -> None:
    items = [
        item(pictures((0, 0), (1, 0)), pictures((2, 0)), idname="nm0000158"),
        item(pictures((2, 1)), pictures((0, 1), (0, 2))),
    ]
    found = read(gallery_split(tmp_path, items), "TestG2000")
    assert told(found) == [(ANN, 0.0, 1.0, None), (ANN, 1.0, 3.0, None), ("mvn:TestG2000/1", 3.0, 4.0, None)]
    assert found.samples.tolist() == [0.2, 1.4, 3.5]
    assert FEW not in found.notes


def test_mistakes(tmp_path: Path) -> None:
    folder = train(tmp_path, [("nm0000158", pictures((0, 1)))])
    assert "title is 'Film'; it must be an IMDb title such as tt0120885" in refused(folder, title="Film")
    assert "no picture is of tt0000001; its films are tt0120885: check --title" in refused(folder, title="tt0000001")
    assert "has no Train_app30.mat, here or in annotation/test/train_test; splits there are Train_app10" in refused(
        folder, "Train_app30"
    )
    with pytest.raises(InputError, match="there is no such folder"):
        read_movienet_ps(tmp_path / "none", split="Train_app10", title=TITLE, fps=10.0)
    assert "fps is 0" in refused(folder, fps=0.0)


def test_pictures_that_are_none_or_of_no_told_film(tmp_path: Path) -> None:
    mixed = train(tmp_path / "a", [("nm1", pictures((0, 1)) + pictures((0, 2), title=None))])
    assert "1 of 2 pictures name no film; which those are of can't be told while others name theirs" in refused(mixed)
    other = train(tmp_path / "b", [("nm1", ["holiday.jpg"])])
    assert "identity 0: 'holiday.jpg' is no name of a picture, such as tt0120885/shot_0000_img_0.jpg" in refused(other)
    beyond = train(tmp_path / "c", [("nm1", pictures((3, 0)))])
    assert "shot 3 is not in tt0120885.txt, which has shots 0 to 2; is it the shot file of this film?" in refused(
        beyond
    )


def test_files_that_are_no_split(tmp_path: Path) -> None:
    from scipy.io import savemat

    place = tmp_path / "annotation" / "test" / "train_test"
    place.mkdir(parents=True)
    (place / "Train_app10.mat").write_bytes(b"no MATLAB file at all" * 20)
    assert "can't be read as a MATLAB file" in refused(tmp_path)
    savemat(place / "Train_app10.mat", {"Train": np.arange(6).reshape(2, 3)})
    assert "Train is not laid out as MovieNet-PS lays it out" in refused(tmp_path)
    savemat(place / "Train_app10.mat", {"pool": np.arange(6)})
    assert "has no variable Train; it holds pool: is it the file of this split?" in refused(tmp_path)
    (place / "Train_app10.mat").write_bytes((place / "Train_app10.mat").read_bytes()[:150])
    assert "can't be read as a MATLAB file" in refused(tmp_path)


def test_shots_beyond_four_digits(tmp_path: Path) -> None:
    folder = train(tmp_path, [("nm0000158", [f"{TITLE}/shot_10000_img_1.jpg"])])
    (folder / "long.txt").write_text(
        "".join(f"{3 * n} {3 * n + 2} {3 * n} {3 * n + 1} {3 * n + 2}\n" for n in range(10001))
    )
    found = read(folder, shots=folder / "long.txt")
    assert found.samples.tolist() == [3000.1]
    assert found.annotated.names == ("shot_10000_img_1",)
