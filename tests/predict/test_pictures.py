"""Odd pictures, made here: what is read of each is what docs/predict.md says, and what can't be read is told."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from boxscore.errors import InputError
from boxscore.predict.read_picture import Picture, read, without_warnings

Pixels = NDArray[np.uint8]
HEIGHT, WIDTH = 24, 40


def gradient() -> Pixels:
    """A picture no two corners of which are alike."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    return np.stack([x * 6, y * 10, 255 - x * 3 - y * 2], axis=2).astype(np.uint8)


def saved(folder: Path, image: Image.Image, suffix: str = ".png", **options: Any) -> Path:
    path = folder / f"picture{suffix}"
    image.save(path, **options)
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message


def test_a_plain_picture_is_read_as_it_is_without_notes(tmp_path: Path) -> None:
    found = read(saved(tmp_path, Image.fromarray(gradient())))
    assert found.rgb.dtype == np.uint8
    assert (found.rgb == gradient()).all()
    assert (found.width, found.height, found.notes) == (WIDTH, HEIGHT, ())


def test_real_pictures_give_the_pixels_of_opencv(data_folder: Path) -> None:
    import cv2

    for path in sorted((data_folder / "coco_val164" / "images").iterdir())[:8]:
        expected = cv2.imread(str(path))
        assert expected is not None
        assert (read(path).rgb == expected[..., ::-1]).all(), path.name


TURNS: dict[int, Callable[[Pixels], Pixels]] = {
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: np.rot90,
}


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
@pytest.mark.parametrize("orientation", TURNS)
def test_exif_turns_the_picture(tmp_path: Path, orientation: int, suffix: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    plain = read(saved(tmp_path, Image.fromarray(gradient()), suffix)).rgb
    found = read(saved(tmp_path, Image.fromarray(gradient()), suffix, exif=exif))
    assert (found.rgb == TURNS[orientation](plain)).all()
    assert (found.height, found.width) == found.rgb.shape[:2]
    assert found.notes == (f"turned upright by EXIF orientation {orientation}",)


def test_an_upright_orientation_and_one_that_there_is_not_turn_nothing(tmp_path: Path) -> None:
    for orientation in (1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        found = read(saved(tmp_path, Image.fromarray(gradient()), exif=exif))
        assert (found.rgb == gradient()).all()
        assert found.notes == ()


def test_a_palette_is_looked_up(tmp_path: Path) -> None:
    image = Image.fromarray(gradient()).quantize(16)
    found = read(saved(tmp_path, image))
    assert (found.rgb == np.asarray(image.convert("RGB"))).all()
    assert found.notes == ("a palette is looked up",)


def test_grey_and_black_and_white_become_three_equal_channels(tmp_path: Path) -> None:
    for mode in ("L", "1"):
        image = Image.fromarray(gradient()).convert(mode)
        found = read(saved(tmp_path, image))
        assert (found.rgb == np.asarray(image.convert("L"))[:, :, None]).all()
        assert found.notes == ()


def test_of_alpha_the_colours_under_it_stay(tmp_path: Path) -> None:
    alpha = np.zeros((HEIGHT, WIDTH, 1), np.uint8)
    found = read(saved(tmp_path, Image.fromarray(np.concatenate([gradient(), alpha], axis=2))))
    assert (found.rgb == gradient()).all()
    assert found.notes == ("alpha is dropped; the colours under it stay",)


def test_grey_with_alpha_and_a_transparent_palette(tmp_path: Path) -> None:
    grey = Image.fromarray(gradient()).convert("LA")
    assert (read(saved(tmp_path, grey)).rgb == np.asarray(grey.convert("L"))[:, :, None]).all()
    palette = Image.fromarray(gradient()).quantize(8)
    found = read(saved(tmp_path, palette, transparency=0))
    assert (found.rgb == np.asarray(palette.convert("RGB"))).all()
    assert found.notes == ("alpha is dropped; the colours under it stay", "a palette is looked up")


def test_of_16_bits_the_high_byte_is_taken(tmp_path: Path) -> None:
    values = (np.arange(HEIGHT * WIDTH, dtype=np.uint32) * 68).astype(np.uint16).reshape(HEIGHT, WIDTH)
    for suffix in (".png", ".tif"):
        found = read(saved(tmp_path, Image.fromarray(values), suffix))
        assert (found.rgb == (values >> 8)[:, :, None]).all()
        assert found.notes == ("of 16 bits the high 8 are taken",)


def test_colours_of_16_bits_give_the_high_bytes(tmp_path: Path) -> None:
    values = np.random.default_rng(0).integers(0, 65536, (HEIGHT, WIDTH, 3)).astype(">u2")
    path = tmp_path / "deep.png"
    path.write_bytes(png_of_16_bits(values))
    assert (read(path).rgb == (values >> 8)).all()


def png_of_16_bits(values: NDArray[Any]) -> bytes:
    """A PNG that Pillow can't write: three channels of 16 bits."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = values.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in values)
    head = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_cmyk_becomes_rgb_as_opencv_has_it(tmp_path: Path) -> None:
    path = saved(tmp_path, Image.fromarray(gradient()).convert("CMYK"), ".jpg", quality=95)
    found = read(path)
    assert found.notes == ("CMYK becomes RGB without its colour profile",)
    assert np.abs(found.rgb.astype(int) - gradient()).mean() < 4


def test_the_first_frame_is_taken(tmp_path: Path) -> None:
    frames = [Image.new("L", (WIDTH, HEIGHT), level) for level in (10, 200)]
    found = read(saved(tmp_path, frames[0], ".gif", save_all=True, append_images=frames[1:]))
    assert (found.rgb == 10).all()
    assert found.notes[0] == "the first of 2 frames"


def test_numbers_without_black_and_white_are_refused(tmp_path: Path) -> None:
    floats = Image.fromarray(np.linspace(0, 1, HEIGHT * WIDTH, dtype=np.float32).reshape(HEIGHT, WIDTH))
    assert "floating-point" in refused(saved(tmp_path, floats, ".tif"))
    wide = Image.fromarray(np.full((HEIGHT, WIDTH), 70000, np.int32))
    assert "beyond 0..65535" in refused(saved(tmp_path, wide, ".tif"))


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".webp"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_cut_off_picture_is_refused_and_never_half_grey(tmp_path: Path, suffix: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    path = saved(tmp_path, Image.fromarray(noise), suffix)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert "cut off" in refused(path)


def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    assert "there is no such picture" in refused(path)
    path.write_bytes(b"")
    assert "empty (0 bytes)" in refused(path)
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    assert "`git lfs pull`" in refused(path)
    path.write_bytes(b"<html>not found</html>")
    assert "no picture" in refused(path)
    path.unlink()
    path.mkdir()
    refused(path)


def is_told(path: Path) -> bool:
    """Whether a picture is read, or refused in one paragraph; anything else raises."""
    try:
        return isinstance(read(path), Picture)
    except InputError as error:
        return "\n" not in str(error)


def test_damage_anywhere_is_read_or_refused_but_raises_nothing_else(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    exif = Image.Exif()
    exif[0x0112] = 6
    for suffix in (".png", ".jpg", ".tif", ".gif"):
        file = io.BytesIO()
        Image.fromarray(gradient()).save(
            file, {".jpg": "JPEG", ".tif": "TIFF"}.get(suffix, suffix[1:].upper()), exif=exif
        )
        for _ in range(60):
            data = bytearray(file.getvalue())
            for place in random.integers(0, len(data), 4):
                data[place] = random.integers(0, 256)
            path = tmp_path / f"damaged{suffix}"
            path.write_bytes(data)
            with without_warnings():
                assert is_told(path)
