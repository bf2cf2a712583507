"""What scenes look like: how many objects, how large, how crowded, how hidden, and how alike the images of a clip."""

from dataclasses import dataclass

from boxscore.scenes.checks import check_above, check_at_least, check_between, check_count, check_labels, refuse


@dataclass(frozen=True)
class SizeComponent:
    """One part of the mixture of object sizes. Size is the square root of the box area, in pixels, log-normal.

    Attributes:
        share: weight in the mixture; shares are scaled to sum to 1.
        median: median size, pixels.
        spread: standard deviation of the natural logarithm of size.
    """

    share: float
    median: float
    spread: float

    def __post_init__(self) -> None:
        check_above("SizeComponent", {"share": self.share, "median": self.median}, 0)
        check_at_least("SizeComponent", {"spread": self.spread}, 0)


COCO_SIZES = (
    SizeComponent(share=0.41, median=17.0, spread=0.38),
    SizeComponent(share=0.34, median=55.0, spread=0.32),
    SizeComponent(share=0.25, median=165.0, spread=0.38),
)
"""Close to COCO's mixture of small (under 32 x 32 pixels), medium and large (over 96 x 96) objects."""

COCO_IMAGE_SIZES = ((640, 480), (640, 427), (480, 640), (640, 360), (500, 375))


@dataclass(frozen=True)
class SceneSpec:
    """Scenes to simulate. Every field is checked; a value that can't be used is refused with its name.

    Images come in clips of `clip_length` (the last may be shorter). Two images of one clip have the same width and
    height, and resemble each other by `clip_correlation`: the correlation of their latent difficulties and of their
    latent densities, and the chance that one of an image's labels was drawn once for the whole clip. 0 makes images
    independent given their size; 1 makes the latents of a clip equal. What one image looks like on its own does not
    depend on it.

    Attributes:
        images: number of images.
        labels: label names, the most frequent first.
        objects_per_image: mean number of objects, before hidden ones are left out.
        density_spread: standard deviation of the log of an image's own mean around that (log-normal); 0: Poisson.
        labels_per_image: mean number of labels drawn for an image (the same one may be drawn twice); at least 1.
        label_skew: exponent of Zipf's law for label frequencies; 0: all equally frequent.
        sizes: mixture of object sizes.
        aspect_spread: standard deviation of the log of width over height.
        image_sizes: widths and heights, pixels, one drawn per clip.
        crowding: chance that an object stands in the cluster of another, with its label and about its size.
        cluster_spread: standard deviation of an object's place around its cluster's first, in sizes of that one.
        occluder_rate: chance that something without annotation hides part of an object (up to 80 % of it).
        min_visible: objects with less of them visible are left out, as annotators can't see them.
        crowd_rate: chance of an image having a crowd region (`iscrowd` = 1).
        fill: lowest and highest share of the box that the `area` field is, as a mask is smaller than its box.
        clip_length: images per clip.
        clip_correlation: see above.
    """

    images: int = 100
    labels: tuple[str, ...] = ("person", "bicycle", "car", "bus", "truck", "traffic light", "dog", "bench")
    objects_per_image: float = 7.3
    density_spread: float = 0.6
    labels_per_image: float = 3.0
    label_skew: float = 0.8
    sizes: tuple[SizeComponent, ...] = COCO_SIZES
    aspect_spread: float = 0.45
    image_sizes: tuple[tuple[int, int], ...] = COCO_IMAGE_SIZES
    crowding: float = 0.4
    cluster_spread: float = 0.9
    occluder_rate: float = 0.15
    min_visible: float = 0.1
    crowd_rate: float = 0.02
    fill: tuple[float, float] = (0.5, 0.9)
    clip_length: int = 10
    clip_correlation: float = 0.0

    def __post_init__(self) -> None:
        owner = "SceneSpec"
        check_count("SceneSpec.images", self.images, 1)
        check_count("SceneSpec.clip_length", self.clip_length, 1)
        check_labels("SceneSpec.labels", self.labels)
        spreads = ("density_spread", "label_skew", "aspect_spread", "cluster_spread", "objects_per_image")
        check_at_least(owner, {name: getattr(self, name) for name in spreads}, 0)
        check_between(owner, {"labels_per_image": self.labels_per_image}, 1, MAX_LABEL_DRAWS)
        shares = ("crowding", "occluder_rate", "min_visible", "crowd_rate", "clip_correlation")
        check_between(owner, {name: getattr(self, name) for name in shares}, 0, 1)
        self._check_sizes()
        # Lists are welcome, but the pilot run behind the scores is remembered by specification, which must be hashable.
        for name in ("labels", "sizes", "fill"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "image_sizes", tuple((width, height) for width, height in self.image_sizes))

    def _check_sizes(self) -> None:
        if not self.sizes or not all(isinstance(part, SizeComponent) for part in self.sizes):
            raise refuse("SceneSpec.sizes", self.sizes, "give at least one SizeComponent")
        if not self.image_sizes:
            raise refuse("SceneSpec.image_sizes", self.image_sizes, "give at least one (width, height)")
        for size in self.image_sizes:
            if len(size) != 2:
                raise refuse("SceneSpec.image_sizes", size, "give each as (width, height)")
            check_count("SceneSpec.image_sizes", size[0], MIN_IMAGE_SIDE)
            check_count("SceneSpec.image_sizes", size[1], MIN_IMAGE_SIDE)
        if len(self.fill) != 2 or not 0 < self.fill[0] <= self.fill[1] <= 1:
            raise refuse("SceneSpec.fill", self.fill, "give the lowest and highest share, above 0 and up to 1")

    @property
    def clips(self) -> int:
        """Number of clips."""
        return -(-self.images // self.clip_length)


MAX_LABEL_DRAWS = 16
"""Labels drawn for a clip; an image takes at most so many."""

MIN_IMAGE_SIDE = 8
"""Pixels; boxes are at least one pixel wide, and need room to stand."""
