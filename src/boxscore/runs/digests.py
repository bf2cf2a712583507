"""Digests: what a run is told by. They are of values: neither files, threads nor Parquet's writer change them."""

from __future__ import annotations

from boxscore.runs.layout import ARITHMETIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Protocol

    import numpy as np
    import polars as pl

    from boxscore.model.labels import Id, LabelSet
    from boxscore.model.protocol import Protocol as EvaluationProtocol

    Array = np.ndarray[Any, np.dtype[Any]]

    class Columns(Protocol):
        """A kernel table, or a data frame behind the same method."""

        def column(self, name: str) -> Any:  # noqa: ANN401  a kernel column or a NumPy array
            """A column by name, in one piece of memory."""


DECIDING = (
    "rule",
    "pixels",
    "iou_thresholds",
    "area_ranges",
    "max_detections",
    "interpolation",
    "ignore_flag",
    "object_area",
)
"""Fields of a protocol that decide a figure. One that is added later may enter only where it isn't its default, so that
the digests of runs that were saved before stay as they are."""

BOX = ("x", "y", "w", "h")
FLAGS = ("crowd", "ignore", "difficult", "group_of")
IMAGE_DIGEST_BYTES = 16


DECIDING_LATER = ("confidence",)
"""Those that were added later: they take part where a protocol has them."""

KEPT_LATER = (*DECIDING_LATER, "least_support")
"""Fields of a protocol that a run folder keeps only where the protocol has them."""


def compatibility(protocol: EvaluationProtocol, labels: LabelSet, *, label_agnostic: bool) -> str:
    """SHA-256 of all that decides a figure apart from the data: the protocol in effect, label names, the arithmetic.

    The protocol's name, version and headline are left out: two that match and measure alike are alike.
    """
    import hashlib

    effective = protocol.to_dict()
    # repr gives floats to the last bit, and infinity, which JSON lacks.
    deciding = (*DECIDING, *(field for field in DECIDING_LATER if field in effective))
    fields = [f"{field} {effective[field]!r}" for field in deciding]
    parts = [f"arithmetic {ARITHMETIC}", f"label-agnostic {label_agnostic}", *fields, *map(repr, labels)]
    return hashlib.sha256("\n".join(parts).encode("ascii", "backslashreplace")).hexdigest()


def data_identity(
    image_ids: Iterable[Id], object_digests: Iterable[bytes], corner_convention: str = "continuous"
) -> str:
    """SHA-256 of the ground truth: each image's id (kind and value) and digest, in canonical order of images; and the
    corners' convention where it is not that of continuous corners.
    """
    import hashlib

    found = hashlib.sha256(b"" if corner_convention == "continuous" else corner_convention.encode())
    for image_id, digest in zip(image_ids, object_digests, strict=True):
        text = ("t" if isinstance(image_id, str) else "i") + str(image_id)
        encoded = text.encode("utf-8", "surrogatepass")
        found.update(len(encoded).to_bytes(8, "little") + encoded + digest)
    return found.hexdigest()


def object_digests(table: Columns, num_images: int, name_of: Callable[[int], str]) -> list[bytes]:
    """One digest (16 bytes of BLAKE2b) an image of its objects: label name, box, area and flags, in table order.

    `table` is ground truth by image. Ids of annotations and places in files take no part: they change no figure.
    """
    import numpy as np

    flags = np.zeros(len(table.column("image")), dtype=np.uint64)
    for bit, name in enumerate(FLAGS):
        flags |= _booleans(table.column(name)) << np.uint64(bit)
    numbers = [_bits(table.column(name)) for name in (*BOX, "area")]
    return _by_image(table, num_images, [label_tokens(table, name_of), *numbers, flags])


def detection_digests(table: Columns, num_images: int, name_of: Callable[[int], str]) -> list[bytes]:
    """The same of an image's detections: label name, box and score, by label and descending score."""
    numbers = [_bits(table.column(name)) for name in (*BOX, "score")]
    return _by_image(table, num_images, [label_tokens(table, name_of), *numbers])


def label_tokens(table: Columns, name_of: Callable[[int], str]) -> Array:
    """Each row's label as 64 bits of its name's digest, so that numbering takes no part."""
    import hashlib

    import numpy as np

    numbers, places = np.unique(np.asarray(table.column("label")), return_inverse=True)
    names = [name_of(number).encode("utf-8", "surrogatepass") for number in numbers.tolist()]
    digests = [hashlib.blake2b(name, digest_size=8).digest() for name in names]
    tokens: Array = np.frombuffer(b"".join(digests), dtype="<u8")[places.reshape(-1)]
    return tokens


def column_digest(series: pl.Series) -> str:
    """SHA-256 of a column: type, length, which values are null, the values in little-endian order."""
    import hashlib

    import numpy as np
    import polars as pl

    found = hashlib.sha256(f"{series.dtype} {len(series)}\n".encode())
    nulls = series.null_count() > 0
    found.update(series.is_null().to_numpy().tobytes() if nulls else b"")
    if series.dtype == pl.String:
        texts = series.fill_null("")
        found.update(texts.str.len_bytes().to_numpy().astype("<u4").tobytes())
        found.update("".join(texts.to_list()).encode())
        return found.hexdigest()
    plain = series.fill_null(False) if series.dtype == pl.Boolean else series.fill_null(0)  # noqa: FBT003  the value
    values = plain.to_numpy()
    found.update(np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes())
    return found.hexdigest()


def _bits(column: object) -> Array:
    """Floats as their bits; -0.0 is 0.0, as it is to matching."""
    import numpy as np

    bits: Array = (np.asarray(column, dtype="<f8") + 0.0).view("<u8")
    return bits


def _booleans(column: Any) -> Array:  # noqa: ANN401  as in Columns
    import numpy as np

    # The kernel's booleans are bits, which the buffer protocol has no form for.
    values = column.to_list() if hasattr(column, "to_list") else column
    return np.asarray(values, dtype=bool).astype(np.uint64)


def _by_image(table: Columns, num_images: int, columns: Sequence[Array]) -> list[bytes]:
    import hashlib
    from itertools import pairwise

    import numpy as np

    rows = np.stack([column.astype("<u8", copy=False) for column in columns], axis=1)
    ends = np.searchsorted(np.asarray(table.column("image")), np.arange(num_images + 1)) * rows.shape[1] * 8
    data = memoryview(rows.tobytes())
    return [
        hashlib.blake2b(data[start:end], digest_size=IMAGE_DIGEST_BYTES).digest()
        for start, end in pairwise(ends.tolist())
    ]
