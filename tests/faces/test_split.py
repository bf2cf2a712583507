"""Who is probed, who is in the gallery, on whom the threshold is fitted."""

from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from boxscore.errors import InputError
from boxscore.faces.gallery import Gallery, GalleryActor, GalleryPicture
from boxscore.faces.pictures import FacePicture, pictures_of
from boxscore.faces.split import split
from tests.faces.made import people


def made(counts: list[int]) -> dict[str, tuple[FacePicture, ...]]:
    return {
        f"actor-{row}": tuple(
            FacePicture(f"actor-{row}", f"{row}/{number}", Path(f"{row}/{number}"), f"{row}:{number}")
            for number in range(count)
        )
        for row, count in enumerate(counts)
    }


@given(st.lists(st.integers(1, 5), min_size=3, max_size=12), st.integers(0, 2**64 - 1), st.integers(1, 2))
def test_no_picture_is_two_things(counts: list[int], seed: int, probes: int) -> None:
    pictures = made(counts)
    able = sum(count > probes for count in counts)
    if not able:
        return
    found = split(pictures, actors=able, probes=probes, seed=seed, fits=False)
    every = {picture for own in pictures.values() for picture in own}
    gallery = {picture for own in found.gallery.values() for picture in own}
    assert len(found.actors) == able
    assert len(set(found.probes)) == len(found.probes) == able * probes
    assert set(found.probes) | gallery == every
    assert not set(found.probes) & gallery
    assert not {picture.actor for picture in found.others} & set(found.actors)
    assert all(found.gallery[actor] for actor in found.actors)


def test_the_seed_alone_decides() -> None:
    pictures = made([4] * 30)
    first, again, other = (split(pictures, actors=10, probes=1, seed=seed, fits=True) for seed in (3, 3, 4))
    assert first == again
    assert first.probes != other.probes


def test_a_gallery_has_at_most_so_many_pictures_an_actor() -> None:
    found = split(made([5] * 6), actors=4, probes=1, seed=0, fits=True, most=2)
    assert {len(own) for own in found.gallery.values()} == {2}
    assert len(found.gallery) == 6


def test_three_quarters_are_probed_where_the_threshold_is_fitted() -> None:
    assert len(split(made([2] * 40), actors=None, probes=1, seed=0, fits=True).actors) == 30
    assert len(split(made([2] * 40), actors=None, probes=1, seed=0, fits=False).actors) == 40


def test_with_a_gallery_file_one_picture_is_enough_and_its_actors_alone_are_probed() -> None:
    found = split(made([1] * 6), actors=2, probes=1, seed=0, fits=True, enrolled=frozenset({"actor-1", "actor-4"}))
    assert found.actors == ["actor-1", "actor-4"]
    assert found.gallery == {}
    assert len(found.others) == 4


@pytest.mark.parametrize(
    ("counts", "actors", "fits", "part"),
    [
        ([4, 4, 1], 3, False, "--actors 3: 2 actors of 3 have the 2 pictures that it takes; give a number from 1 to 2"),
        ([1, 1], None, True, "--probes 1 takes 2 pictures of an actor, and no actor has more than 1; give fewer"),
        ([4, 4, 4], 3, True, "leaves no actor to fit the threshold on"),
    ],
)
def test_too_few_are_refused(counts: list[int], actors: int | None, fits: bool, part: str) -> None:
    with pytest.raises(InputError) as refused:
        split(made(counts), actors=actors, probes=1, seed=0, fits=fits)
    assert part in str(refused.value)


def test_folders_that_the_gallery_does_not_know_are_told() -> None:
    with pytest.raises(InputError, match="none of 3 actors with pictures is in the gallery, such as 'actor-0'"):
        split(made([4, 4, 4]), actors=None, probes=1, seed=0, fits=False, enrolled=frozenset({"Ann"}))


def gallery_of(**ids: dict[str, str]) -> Gallery:
    import numpy as np

    return Gallery("m", "0" * 64, tuple(GalleryActor(name, np.ones((1, 2)), own) for name, own in ids.items()))


def test_folders_are_actors(tmp_path: Path) -> None:
    found = pictures_of(people(tmp_path, 3, 2))
    assert list(found.by_actor) == ["actor-00", "actor-01", "actor-02"]
    assert [picture.name for picture in found.by_actor["actor-01"]] == ["actor-01/0.png", "actor-01/1.png"]
    assert found.notes == ()


def test_folders_may_bear_ids(tmp_path: Path) -> None:
    people(tmp_path, 3, 1)
    (tmp_path / "actor-00").rename(tmp_path / "nm0000001")
    (tmp_path / "actor-01").rename(tmp_path / "31")
    gallery = gallery_of(Ann={"imdb": "nm0000001"}, Bea={"tmdb": "31"})
    assert list(pictures_of(tmp_path, gallery).by_actor) == ["Ann", "Bea", "actor-02"]
    with pytest.raises(InputError, match="is an id of Bea, Cid"):
        pictures_of(tmp_path, gallery_of(Bea={"tmdb": "31"}, Cid={"jf": "31"}))


def test_a_gallery_lists_the_files_of_its_image_cache(tmp_path: Path) -> None:
    import numpy as np

    people(tmp_path, 1, 3)
    for number in range(3):
        (tmp_path / "actor-00" / f"{number}.png").rename(tmp_path / f"{number}.png")
    listed = (GalleryPicture("0.png"), GalleryPicture("2.png"), GalleryPicture("9.png"))
    actors = (GalleryActor("Ann", np.ones((3, 2)), {}, listed), GalleryActor("Bea", np.ones((1, 2))))
    found = pictures_of(tmp_path, Gallery("m", "0" * 64, actors))
    assert [picture.name for picture in found.by_actor["Ann"]] == ["0.png", "2.png"]
    assert found.notes == ("1 picture that the gallery lists are not there: 9.png",)


def test_copies_count_once_and_are_refused_under_two_names(tmp_path: Path) -> None:
    people(tmp_path, 2, 2)
    original = tmp_path / "actor-00" / "0.png"
    (tmp_path / "actor-00" / "copy.png").write_bytes(original.read_bytes())
    found = pictures_of(tmp_path)
    assert len(found.by_actor["actor-00"]) == 2
    assert found.notes == ("1 picture left out as copies of others: actor-00/copy.png",)
    (tmp_path / "actor-01" / "copy.png").write_bytes(original.read_bytes())
    with pytest.raises(InputError, match="one and the same picture"):
        pictures_of(tmp_path)


@pytest.mark.parametrize("made_of", ["nothing", "a file"])
def test_a_folder_without_pictures_is_refused(tmp_path: Path, made_of: str) -> None:
    if made_of == "a file":
        (tmp_path / "readme.txt").write_text("no picture")
    with pytest.raises(InputError, match="it must hold a folder an actor"):
        pictures_of(tmp_path)
    with pytest.raises(InputError, match="there is no such folder"):
        pictures_of(tmp_path / "none")
