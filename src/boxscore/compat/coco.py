"""`COCO`: annotations of boxes in memory, with pycocotools' index and look-ups."""

import json
from collections import defaultdict
from collections.abc import Iterable
from os import PathLike
from typing import Any, NoReturn

from boxscore.compat.results import Annotation, load_results
from boxscore.errors import InputError
from boxscore.io.source import open_source

_ELSEWHERE = {
    "annToMask": "masks",
    "annToRLE": "masks",
    "showAnns": "drawing",
    "download": "downloading images",
    "loadNumpyAnnotations": "arrays are read by loadRes; this",
}


class COCO:
    """A COCO data set, from a path (`.json`, `.json.gz`), from a parsed dict, or empty.

    - `dataset`: the parsed content. After filling it by hand call `createIndex`.
    - `anns`, `imgs`, `cats`: entries by id.
    - `imgToAnns`: annotations by image id. `catToImgs`: image ids by category id, one an annotation.

    Nothing is printed but by `info`, and no dict that was given is changed. Look-ups take one id or a list of them;
    a text is one id. Raises InputError for a file that can't be read, and for entries without the ids they need.
    """

    def __init__(self, annotation_file: str | PathLike[str] | dict[str, Any] | None = None) -> None:
        self.dataset: dict[str, Any] = {}
        self.anns: dict[Any, Annotation] = {}
        self.imgs: dict[Any, dict[str, Any]] = {}
        self.cats: dict[Any, dict[str, Any]] = {}
        self.imgToAnns: dict[Any, list[Annotation]] = defaultdict(list)
        self.catToImgs: dict[Any, list[Any]] = defaultdict(list)
        if annotation_file is not None:
            self.dataset = _read(annotation_file)
            self.createIndex()

    def createIndex(self) -> None:
        """Build `anns`, `imgs`, `cats`, `imgToAnns` and `catToImgs` from `dataset`."""
        self.imgs = {entry["id"]: entry for entry in self._entries("images", "id")}
        self.cats = {entry["id"]: entry for entry in self._entries("categories", "id")}
        self.anns, self.imgToAnns, self.catToImgs = {}, defaultdict(list), defaultdict(list)
        for ann in self._entries("annotations", "image_id"):
            self.imgToAnns[ann["image_id"]].append(ann)
            # Ids of annotations take no part in any figure: one without is found by its image.
            if "id" in ann:
                self.anns[ann["id"]] = ann
            if "category_id" in ann:
                self.catToImgs[ann["category_id"]].append(ann["image_id"])

    def info(self) -> None:
        """Print what the data set says about itself."""
        for key, value in self.dataset.get("info", {}).items():
            print(f"{key}: {value}")

    def getAnnIds(self, imgIds: Any = (), catIds: Any = (), areaRng: Any = (), iscrowd: Any = None) -> list[Any]:
        """Ids of annotations of these images and categories, with an area between two bounds, crowds or not.

        What is left empty does not restrict. Areas at the bounds are left out. A missing area is that of the box, a
        missing `iscrowd` 0.
        """
        images, categories = _listed(imgIds), set(_listed(catIds))
        anns: Iterable[Annotation] = self.dataset.get("annotations", ())
        if images:
            anns = [ann for image in images for ann in self.imgToAnns.get(image, ())]
        if categories:
            anns = [ann for ann in anns if ann.get("category_id") in categories]
        if len(areaRng):
            anns = [ann for ann in anns if areaRng[0] < _area(ann) < areaRng[1]]
        if iscrowd is not None:
            anns = [ann for ann in anns if ann.get("iscrowd", 0) == iscrowd]
        return [ann["id"] for ann in anns if "id" in ann]

    def getCatIds(self, catNms: Any = (), supNms: Any = (), catIds: Any = ()) -> list[Any]:
        """Ids of categories of these names, of these supercategories, and among these ids."""
        wanted = {"name": _listed(catNms), "supercategory": _listed(supNms), "id": _listed(catIds)}
        return [
            cat["id"]
            for cat in self.dataset.get("categories", ())
            if all(cat.get(field) in values for field, values in wanted.items() if values)
        ]

    def getImgIds(self, imgIds: Any = (), catIds: Any = ()) -> list[Any]:
        """Ids of all images; or of those among these that hold every one of these categories."""
        images, categories = _listed(imgIds), _listed(catIds)
        holders = [set(self.catToImgs.get(category, ())) for category in categories]
        # As in pycocotools, given ids are taken at their word.
        candidates = dict.fromkeys(images) if images else self.imgs
        return [image for image in candidates if all(image in holder for holder in holders)]

    def loadAnns(self, ids: Any = ()) -> list[Annotation]:
        """The annotations of these ids."""
        return [self.anns[i] for i in _listed(ids)]

    def loadCats(self, ids: Any = ()) -> list[dict[str, Any]]:
        """The categories of these ids."""
        return [self.cats[i] for i in _listed(ids)]

    def loadImgs(self, ids: Any = ()) -> list[dict[str, Any]]:
        """The images of these ids."""
        return [self.imgs[i] for i in _listed(ids)]

    def loadRes(self, resFile: Any) -> "COCO":
        """Detections over this data set's images and categories.

        `resFile` is a path, a list of dicts with `image_id`, `category_id`, `bbox` and `score`, or an array (n, 7) of
        image id, x, y, width, height, score, category id. Each detection gets an `id` (from 1, in order), the `area` of
        its box and `iscrowd` 0, in a copy. Raises InputError for rows that are not detections of boxes, and for images
        that this data set does not hold.
        """
        loaded = COCO()
        loaded.dataset = load_results(self.dataset, resFile)
        loaded.createIndex()
        return loaded

    def _entries(self, section: str, needed: str) -> Iterable[dict[str, Any]]:
        for place, entry in enumerate(self.dataset.get(section, ())):
            if needed not in entry:
                raise InputError(
                    f"{section}[{place}]: {needed} is missing (it has {', '.join(map(str, entry))}); add it"
                )
            yield entry

    def __getattr__(self, name: str) -> NoReturn:
        hint = f": {_ELSEWHERE[name]} is not done here, use pycocotools for it" if name in _ELSEWHERE else ""
        raise AttributeError(f"boxscore.compat.COCO has no {name}{hint}")


def _read(given: str | PathLike[str] | dict[str, Any]) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    with open_source(given, "ground truth") as source, memoryview(source.data) as view:
        try:
            content = json.loads(bytes(view))
        except ValueError as error:
            raise InputError(f"{source.path or source.name}: this is not JSON: {error}") from None
    if not isinstance(content, dict):
        raise InputError(
            f"{source.name} holds a {type(content).__name__}; COCO ground truth is an object with the lists images, "
            "annotations and categories (results are read by loadRes)"
        )
    return content


def _area(ann: Annotation) -> float:
    area = ann.get("area")
    return float(ann["bbox"][2] * ann["bbox"][3] if area is None else area)


def _listed(ids: Any) -> list[Any]:
    """One id, or many, as a list."""
    many = hasattr(ids, "__iter__") and hasattr(ids, "__len__") and not isinstance(ids, str)
    return list(ids) if many else [ids]
