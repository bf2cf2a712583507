"""Simulated ground truth: the same from the same seed, image by image, and as the specification says."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.scenes import GroundTruth, Images, Objects, SceneSpec, SizeComponent, simulate_ground_truth
from boxscore.scenes.boxes import overlaps, paired_overlaps, visible_fractions

SPECS = st.builds(
    SceneSpec,
    images=st.integers(1, 12),
    labels=st.sampled_from([("a",), ("a", "b"), tuple("abcdefgh")]),
    objects_per_image=st.floats(0, 12),
    density_spread=st.floats(0, 1.5),
    labels_per_image=st.floats(1, 16),
    label_skew=st.floats(0, 3),
    crowding=st.floats(0, 1),
    cluster_spread=st.floats(0, 3),
    occluder_rate=st.floats(0, 1),
    min_visible=st.floats(0, 1),
    crowd_rate=st.floats(0, 1),
    image_sizes=st.sampled_from([((640, 480),), ((8, 8),), ((640, 480), (100, 900))]),
    clip_length=st.integers(1, 5),
    clip_correlation=st.floats(0, 1),
)


def columns(part: Images | Objects) -> dict[str, bytes]:
    return {f.name: getattr(part, f.name).tobytes() for f in fields(part)}


def first_images(truth: GroundTruth, count: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
    kept = truth.offsets()[count]
    images = Images(*(getattr(truth.images, f.name)[:count] for f in fields(Images)))
    objects = Objects(*(getattr(truth.objects, f.name)[:kept] for f in fields(Objects)))
    return columns(images), columns(objects)


@given(SPECS, st.integers(0, 2**70))
def test_same_seed_same_bytes(spec: SceneSpec, seed: int) -> None:
    one, other = simulate_ground_truth(spec, seed), simulate_ground_truth(spec, seed)
    assert columns(one.images) == columns(other.images)
    assert columns(one.objects) == columns(other.objects)


@given(SPECS, st.integers(0, 1000), st.integers(1, 20))
def test_an_image_does_not_depend_on_how_many_follow(spec: SceneSpec, seed: int, more: int) -> None:
    short = simulate_ground_truth(spec, seed)
    long = simulate_ground_truth(replace(spec, images=spec.images + more), seed)
    assert first_images(long, spec.images) == first_images(short, spec.images)


@given(SPECS, st.integers(0, 1000))
def test_objects_are_where_and_what_they_may_be(spec: SceneSpec, seed: int) -> None:
    truth = simulate_ground_truth(spec, seed)
    objects, images = truth.objects, truth.images
    low, sides = objects.box[:, :2], objects.box[:, 2:]
    assert np.all(low >= 0)
    assert np.all(sides >= 1)
    # Places are rounded to hundredths of a pixel, so the far edge may lie half of one outside.
    assert np.all(low[:, 0] + sides[:, 0] <= images.width[objects.image] + 0.006)
    assert np.all(low[:, 1] + sides[:, 1] <= images.height[objects.image] + 0.006)
    assert np.all(objects.area > 0)
    assert np.all(objects.area <= sides[:, 0] * sides[:, 1] + 0.01)
    assert np.all((objects.visible >= spec.min_visible) & (objects.visible <= 1))
    assert np.all((objects.label >= 0) & (objects.label < len(spec.labels)))
    assert np.all(np.diff(objects.image) >= 0)
    assert np.all(np.bincount(objects.image[objects.crowd], minlength=spec.images) <= 1)
    assert len(set(zip(images.clip.tolist(), images.width.tolist(), images.height.tolist(), strict=True))) == spec.clips


def test_seeds_differ() -> None:
    spec = SceneSpec(images=3)
    assert columns(simulate_ground_truth(spec, 0).images) != columns(simulate_ground_truth(spec, 1).images)


def test_no_global_random_state_is_read_or_touched() -> None:
    np.random.seed(1)  # noqa: NPY002  the global state is what must not matter
    before = np.random.get_state()[1].tobytes()  # type: ignore[index]  # noqa: NPY002  see above
    one = simulate_ground_truth(SceneSpec(images=3), 5)
    assert np.random.get_state()[1].tobytes() == before  # type: ignore[index]  # noqa: NPY002  see above
    np.random.seed(2)  # noqa: NPY002  see above
    assert columns(one.objects) == columns(simulate_ground_truth(SceneSpec(images=3), 5).objects)


PLAIN = SceneSpec(images=1500, crowding=0.0, occluder_rate=0.0, crowd_rate=0.0, min_visible=0.0)


def test_number_of_objects() -> None:
    truth = simulate_ground_truth(replace(PLAIN, density_spread=0.0, objects_per_image=5.0), 3)
    counts = np.bincount(truth.objects.image, minlength=1500)
    # Poisson: the mean of 1,500 images has a standard error of sqrt(5 / 1500); 4 of them.
    assert abs(counts.mean() - 5.0) < 4 * np.sqrt(5 / 1500)
    assert abs(counts.var() / 5.0 - 1.0) < 4 * np.sqrt(2 / 1500) + 0.05


def test_sizes_follow_the_mixture() -> None:
    spec = replace(PLAIN, sizes=(SizeComponent(3, 10, 0.1), SizeComponent(1, 60, 0.1)), image_sizes=((4000, 4000),))
    box = simulate_ground_truth(spec, 4).objects.box
    size = np.sqrt(box[:, 2] * box[:, 3])
    small = size < 30
    assert abs(small.mean() - 0.75) < 4 * np.sqrt(0.75 * 0.25 / len(size))
    assert abs(np.median(size[small]) - 10) < 0.1
    assert abs(np.median(size[~small]) - 60) < 0.6


def test_default_sizes_are_close_to_those_of_coco() -> None:
    area = simulate_ground_truth(SceneSpec(images=1500), 5).objects.area
    shares = [(area < 32**2).mean(), ((area >= 32**2) & (area < 96**2)).mean(), (area >= 96**2).mean()]
    np.testing.assert_allclose(shares, [0.41, 0.34, 0.25], atol=0.06)


def test_labels_follow_zipf() -> None:
    truth = simulate_ground_truth(replace(PLAIN, label_skew=1.0, labels=("a", "b", "c"), density_spread=0.0), 6)
    shares = np.bincount(truth.objects.label, minlength=3) / len(truth.objects.label)
    np.testing.assert_allclose(shares, np.array([6, 3, 2]) / 11, atol=0.03)


def test_crowding_hides_objects() -> None:
    visible = [
        simulate_ground_truth(replace(PLAIN, images=300, crowding=crowding), 7).objects.visible.mean()
        for crowding in (0.0, 0.5, 1.0)
    ]
    assert visible[0] > visible[1] > visible[2]


@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_images_of_a_clip_are_correlated_as_asked(correlation: float) -> None:
    truth = simulate_ground_truth(replace(PLAIN, images=3000, clip_length=5, clip_correlation=correlation), 8)
    by_clip = truth.images.difficulty.reshape(-1, 5)
    pairs = np.asarray(np.corrcoef(by_clip, rowvar=False))[np.triu_indices(5, 1)]
    # 600 clips: a correlation's standard error is at most 1 / sqrt(600) = 0.04, and this is a mean of ten.
    assert abs(pairs.mean() - correlation) < 0.1
    assert abs(truth.images.difficulty.var() - 1.0) < 0.25
    counts = np.bincount(truth.objects.image, minlength=3000).reshape(-1, 5)
    together = np.asarray(np.corrcoef(counts, rowvar=False))[np.triu_indices(5, 1)].mean()
    assert (together > 0.2) == (correlation > 0)


def test_one_image_alone_looks_the_same_whatever_the_correlation() -> None:
    kinds = [
        simulate_ground_truth(replace(PLAIN, images=2000, clip_length=2, clip_correlation=rho), 9) for rho in (0.0, 0.8)
    ]
    loose, tight = (np.bincount(truth.objects.image, minlength=2000) for truth in kinds)
    error = np.sqrt((loose.var() + tight.var() * 1.8) / 2000)
    assert abs(loose.mean() - tight.mean()) < 4 * error


def test_visible_fractions_by_hand() -> None:
    boxes = np.array([[0.0, 0, 12, 12], [6.0, 0, 12, 12], [0.0, 6, 12, 12]])
    # The third is nearest; the second hides the right half of the first, the third its lower half: a quarter is left.
    visible = visible_fractions(boxes, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(visible, [0.25, 0.75, 1.0])


def test_overlaps_by_hand() -> None:
    box = np.array([[0.0, 0, 10, 10]])
    others = np.array([[5.0, 0, 10, 10], [5.0, 0, 10, 10], [20.0, 20, 1, 1]])
    found = overlaps(box, others, np.array([False, True, False]))
    np.testing.assert_allclose(found, [[1 / 3, 0.5, 0.0]])
    np.testing.assert_allclose(paired_overlaps(box, others[:1]), [1 / 3])


@settings(max_examples=25)
@given(st.integers(2, 30), st.integers(0, 1000))
def test_visible_fractions_agree_with_counting(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    boxes = np.concatenate([rng.uniform(0, 50, (count, 2)), rng.uniform(1, 40, (count, 2))], axis=1)
    near = rng.permutation(count).astype(float)
    steps = (np.arange(12) + 0.5) / 12
    expected = []
    for i, (x, y, w, h) in enumerate(boxes):
        seen = 0
        for px in x + steps * w:
            for py in y + steps * h:
                hidden = any(
                    near[j] > near[i] and bx <= px < bx + bw and by <= py < by + bh
                    for j, (bx, by, bw, bh) in enumerate(boxes)
                )
                seen += not hidden
        expected.append(seen / 144)
    np.testing.assert_allclose(visible_fractions(boxes, near), expected)
