"""Files are written whole or not at all."""

from pathlib import Path

import pytest

from boxscore import InputError
from boxscore.model.whole_files import write_text


def test_line_ends_and_odd_labels_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write_text(path, "ä\r\nb\n")
    assert path.read_bytes() == "ä\r\nb\n".encode()
    write_text(path, "half \udcff")
    assert path.read_bytes() == b"half \\udcff"
    assert [file.name for file in tmp_path.iterdir()] == ["a.md"]


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")

    def half(beside: Path, content: bytes) -> int:
        with beside.open("wb") as file:
            file.write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(InputError, match=r"a\.md can't be written: No space left on device; check folder"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.md"]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no/a\.md can't be written: No such file"):
        write_text(tmp_path / "no" / "a.md", "text")
