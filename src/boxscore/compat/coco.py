"""`COCO`: annotations of boxes in memory, with pycocotools' index and look-ups."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any

from boxscore.compat import tabled
from boxscore.compat.results import Annotation, load_results, parsed, text_of
from boxscore.errors import InputError

_CONTENT = ("dataset", "anns", "imgs", "cats", "imgToAnns", "catToImgs")
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

    A file is read at once, but its dicts are made when they are first looked at: `COCOeval` does not need them.
    """

    dataset: dict[str, Any]
    anns: dict[Any, Annotation]
    imgs: dict[Any, dict[str, Any]]
    cats: dict[Any, dict[str, Any]]
    imgToAnns: dict[Any, list[Annotation]]
    catToImgs: dict[Any, list[Any]]

    def __init__(self, annotation_file: str | PathLike[str] | dict[str, Any] | None = None) -> None:
        self._tabled: tabled.Tabled | None = None
        self._unread: Callable[[], dict[str, Any]] | None = None
        if annotation_file is None or isinstance(annotation_file, dict):
            self.dataset = {} if annotation_file is None else annotation_file
            self.createIndex()
        else:
            text, name = text_of(annotation_file, "ground truth")
            self._hold(tabled.ground_truth(text), lambda: _content(text, name))

    def createIndex(self) -> None:
        """Build `anns`, `imgs`, `cats`, `imgToAnns` and `catToImgs` from `dataset`."""
        self._check()
        self.imgs = {entry["id"]: entry for entry in self.dataset.get("images", ())}
        self.cats = {entry["id"]: entry for entry in self.dataset.get("categories", ())}
        self.anns, self.imgToAnns, self.catToImgs = {}, defaultdict(list), defaultdict(list)
        for ann in self.dataset.get("annotations", ()):
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
        if not images and not categories:
            return list(self.imgs)
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
        # The class may be asked on behalf of another one's object: COCO.loadRes(truth, rows).
        truth: tabled.Tabled | None = getattr(self, "_tabled", None)
        if not isinstance(resFile, str | PathLike):
            return COCO(load_results(self.dataset, resFile))
        text, name = text_of(resFile, "predictions")
        found = None if truth is None else tabled.results(text, truth)
        loaded = COCO()
        loaded._hold(found, lambda: load_results(self.dataset, parsed(text, name), copied=False))
        return loaded

    def _hold(self, table: tabled.Tabled | None, read: Callable[[], dict[str, Any]]) -> None:
        """Take a file's content: as a table, with dicts when they are asked for, or at once where there is no table."""
        for name in _CONTENT:
            self.__dict__.pop(name, None)
        self._tabled, self._unread = table, read
        if table is None:
            self._make_dicts()

    def _make_dicts(self) -> None:
        read, self._unread, self._tabled = self._unread, None, None
        self.dataset = {} if read is None else read()
        self.createIndex()

    def _check(self) -> None:
        for section, needed in (("images", "id"), ("categories", "id"), ("annotations", "image_id")):
            entries = self.dataset.get(section, ())
            if all([needed in entry for entry in entries]):  # noqa: C419  a list is faster, and every step comes here
                continue
            place, entry = next((n, entry) for n, entry in enumerate(entries) if needed not in entry)
            raise InputError(f"{section}[{place}]: {needed} is missing (it has {', '.join(map(str, entry))}); add it")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _CONTENT and self.__dict__.get("_unread") is not None:
            # What is replaced by hand replaces part of the file's content.
            self._make_dicts()
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        if self._unread is not None:
            self._make_dicts()
        return self.__dict__

    def __getattr__(self, name: str) -> Any:
        if name in _CONTENT and self.__dict__.get("_unread") is not None:
            self._make_dicts()
            return getattr(self, name)
        hint = f": {_ELSEWHERE[name]} is not done here, use pycocotools for it" if name in _ELSEWHERE else ""
        raise AttributeError(f"boxscore.compat.COCO has no {name}{hint}")


def _content(text: bytes, name: str) -> dict[str, Any]:
    content = parsed(text, name)
    if not isinstance(content, dict):
        raise InputError(
            f"{name} holds a {type(content).__name__}; COCO ground truth is an object with the lists images, "
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
