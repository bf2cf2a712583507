"""Pictures of a run's images: found in a folder by name, cut to a part, made small enough for a page."""

from __future__ import annotations

from boxscore.io.image_names import stem
from boxscore.io.image_sizes import pictures_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    Box = tuple[float, float, float, float]
    Size = tuple[float, float] | None

LONGEST = 360
"""Pixels of the longer side of what is embedded."""
_QUALITY = 78


class Picture:
    """A part of a picture: `data` is a JPEG as a data URI; `x`, `y`, `w`, `h` the part, in pixels of the image as the
    data set states them; `bytes` the length of `data`.
    """

    __slots__ = ("bytes", "data", "h", "w", "x", "y")

    def __init__(self, data: str, box: Box) -> None:
        self.data = data
        self.bytes = len(data)
        self.x, self.y, self.w, self.h = box


class Album:
    """Pictures of the images of a run, by row.

    `names` are their file names (or ids, as texts), found in the folder by whole path or by the last part of it,
    without suffix; `sizes` are widths and heights as stated, so that boxes fit pictures that were made smaller since.
    What can't be read is counted in `unreadable`, and is no picture. Raises InputError where there is no such folder.
    """

    def __init__(self, folder: str, names: Sequence[str], sizes: Sequence[Size]) -> None:
        found = pictures_in(folder)
        by_last: dict[str, str] = {}
        for path in sorted(found):
            by_last.setdefault(path.rpartition("/")[2], found[path])
        stems = [stem(name) for name in names]
        self._paths = [found.get(one) or by_last.get(one.rpartition("/")[2]) for one in stems]
        self._sizes = list(sizes)
        self.unreadable = 0

    @property
    def found(self) -> int:
        """Images with a picture."""
        return sum(path is not None for path in self._paths)

    def has(self, image: int) -> bool:
        """Whether there is a picture of an image."""
        return self._paths[image] is not None

    def cut(self, image: int, box: Box) -> Picture | None:
        """The part of an image's picture that a box (x, y, w, h) spans, inside the picture; None without a picture."""
        path = self._paths[image]
        return None if path is None else self._cut(path, self._sizes[image], box)

    def _cut(self, path: str, stated: Size, box: Box) -> Picture | None:
        import warnings

        from PIL import Image, ImageOps

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of damaged EXIF, and of large pictures
                with Image.open(path) as opened:
                    whole = ImageOps.exif_transpose(opened).convert("RGB")
        except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError):
            self.unreadable += 1
            return None
        width, height = stated or whole.size
        across, down = whole.width / width, whole.height / height
        left, top = max(0, int(box[0] * across)), max(0, int(box[1] * down))
        right = min(whole.width, int((box[0] + box[2]) * across) + 1)
        bottom = min(whole.height, int((box[1] + box[3]) * down) + 1)
        if right <= left or bottom <= top:
            return None
        part = whole.crop((left, top, right, bottom))
        part.thumbnail((LONGEST, LONGEST))
        return Picture(_uri(part), (left / across, top / down, (right - left) / across, (bottom - top) / down))


def _uri(picture: Image.Image) -> str:
    import base64
    import io

    held = io.BytesIO()
    picture.save(held, format="JPEG", quality=_QUALITY, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(held.getvalue()).decode('ascii')}"
