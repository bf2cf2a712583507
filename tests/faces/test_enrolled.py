"""Galleries that can't be used: with a probe in them, or made with another model."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.faces import FaceInput, Gallery, GalleryActor, MinSize, Options, min_size
from boxscore.faces.degrade import Recipe
from boxscore.faces.embedder import embed
from boxscore.faces.face import cut, prepared, whole_picture
from boxscore.faces.gallery import GalleryPicture
from boxscore.faces.pictures import pictures_of
from tests.faces.made import PatternEmbedder, people, picture

EMBEDDER = PatternEmbedder()
ASKED = Options(sizes=(16,), actors=4)


def native(actor: int, number: int) -> np.ndarray:
    """The embedding of a picture as it is."""
    face = cut(picture(actor, number), whole_picture(48, 48), EMBEDDER.input, found=False)
    found: np.ndarray = embed(EMBEDDER, prepared(face, EMBEDDER.input, None, Recipe(), "")[None])[0]
    return found


def gallery(numbers: list[int], actors: int = 6) -> Gallery:
    """The embeddings of some pictures of each actor."""
    return Gallery(
        EMBEDDER.name,
        EMBEDDER.sha256,
        tuple(
            GalleryActor(f"actor-{actor:02}", np.stack([native(actor, number) for number in numbers]))
            for actor in range(actors)
        ),
    )


def run(images: Path, *galleries: Gallery, asked: Options = ASKED) -> MinSize:
    return min_size(images, [EMBEDDER], asked, galleries=galleries)


def test_a_gallery_of_other_pictures_is_used(tmp_path: Path) -> None:
    people(tmp_path, 6, 1)
    found = run(tmp_path, gallery([2, 3]))
    (measured,) = found.embedders
    assert measured.gallery_actors == 6
    assert measured.sizes[0].tpi.value == 1
    assert measured.threshold.actors == 2


def test_other_peoples_pictures_fit_the_threshold_without_being_in_the_gallery(tmp_path: Path) -> None:
    people(tmp_path, 9, 1)
    found = run(tmp_path, gallery([2], actors=5), asked=replace(ASKED, actors=5))
    assert found.embedders[0].threshold.actors == 4
    assert found.embedders[0].gallery_actors == 5


def test_a_probes_own_embedding_is_refused(tmp_path: Path) -> None:
    people(tmp_path, 6, 1)
    with pytest.raises(InputError, match=r"holds the embedding of actor-0\d/0\.png, a probe of actor-0\d") as refused:
        run(tmp_path, gallery([0, 1]))
    assert "--reembed" in str(refused.value)


def test_so_is_one_that_was_rounded(tmp_path: Path) -> None:
    people(tmp_path, 6, 1)
    full = gallery([1, 0])
    rounded = replace(
        full,
        actors=tuple(replace(one, embeddings=np.float16(one.embeddings).astype(float) * 3) for one in full.actors),
    )
    with pytest.raises(InputError, match="the probe would find itself"):
        run(tmp_path, rounded)


def test_so_is_one_whose_picture_is_known_by_its_hash(tmp_path: Path) -> None:
    people(tmp_path, 6, 1)
    hashes = {actor: own[0].sha256 for actor, own in pictures_of(tmp_path).by_actor.items()}
    actors = tuple(
        replace(one, embeddings=one.embeddings, pictures=(GalleryPicture(None, hashes[one.actor]),))
        for one in gallery([3]).actors
    )
    with pytest.raises(InputError, match="holds the embedding of"):
        run(tmp_path, replace(gallery([3]), actors=actors))


def test_another_models_gallery_is_refused(tmp_path: Path) -> None:
    people(tmp_path, 6, 1)
    other = replace(gallery([1]), sha256="f" * 64, model="other")
    with pytest.raises(InputError) as refused:
        run(tmp_path, other)
    assert f"'other' with SHA-256 {'f' * 64}" in str(refused.value)
    assert EMBEDDER.sha256 in str(refused.value)
    with pytest.raises(InputError, match="embeddings of two models can't be compared"):
        run(tmp_path, gallery([1]), other)


def test_embeddings_of_another_length_are_refused(tmp_path: Path) -> None:
    people(tmp_path, 6, 1)
    full = gallery([1])
    cut = replace(full, actors=tuple(replace(one, embeddings=one.embeddings[:, :5]) for one in full.actors))
    with pytest.raises(InputError, match="have 5 numbers, and embedder 'pattern' gives 432"):
        run(tmp_path, cut)


def listed() -> Gallery:
    """A gallery of all pictures, with their files in the image cache."""
    full = gallery([0, 1, 2])
    return replace(
        full,
        actors=tuple(
            replace(one, pictures=tuple(GalleryPicture(f"{one.actor}/{number}.png") for number in range(3)))
            for one in full.actors
        ),
    )


def test_an_image_cache_can_be_embedded_anew_without_the_probes(tmp_path: Path) -> None:
    people(tmp_path, 6, 3)
    with pytest.raises(InputError, match="the probe would find itself"):
        run(tmp_path, listed())
    found = run(tmp_path, listed(), asked=replace(ASKED, reembed=True))
    plain = min_size(tmp_path, [EMBEDDER], ASKED)
    assert found.to_dict()["embedders"] == plain.to_dict()["embedders"]
    with pytest.raises(InputError, match="no gallery lists any"):
        run(tmp_path, gallery([1]), asked=replace(ASKED, reembed=True))


def test_a_gallery_that_lists_files_is_used_on_a_folder_of_other_pictures(tmp_path: Path) -> None:
    """Its files are elsewhere: whose a probe is, is said by the folder."""
    people(tmp_path, 6, 1)
    full = gallery([2, 3])
    files = [tuple(GalleryPicture(f"cache/{row}-{number}.jpg") for number in (2, 3)) for row in range(6)]
    actors = tuple(replace(one, pictures=own) for one, own in zip(full.actors, files, strict=True))
    found = run(tmp_path, replace(full, actors=actors))
    assert found.to_dict() == run(tmp_path, full).to_dict()
    assert found.embedders[0].sizes[0].tpi.value == 1


def test_the_first_gallery_must_list_the_files(tmp_path: Path) -> None:
    people(tmp_path, 6, 3)
    embedders = [EMBEDDER, PatternEmbedder("other", squares=6)]
    asked = replace(ASKED, reembed=True)
    with pytest.raises(InputError, match="plain, the first, lists none"):
        min_size(tmp_path, embedders, asked, galleries=[replace(gallery([1]), source="plain"), listed()])
    found = min_size(tmp_path, embedders, asked, galleries=[listed(), gallery([1])])
    assert len(found.embedders) == 2


def test_five_points_need_a_detector_and_names_are_their_own(tmp_path: Path) -> None:
    aligned = PatternEmbedder()
    aligned.input = FaceInput(size=24, alignment="five-point", points=((0, 0),) * 5)
    with pytest.raises(InputError, match="give YuNet's card with --detector"):
        min_size(tmp_path, [aligned])
    with pytest.raises(InputError, match="two embedders are called 'pattern'"):
        min_size(tmp_path, [PatternEmbedder(), PatternEmbedder()])
    with pytest.raises(InputError, match="there is no embedder"):
        min_size(tmp_path, [])
