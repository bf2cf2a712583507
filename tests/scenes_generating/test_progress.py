"""How far the making of scenes is, on a terminal."""

import io

import pytest

from boxscore.cli.scenes_progress import scenes_progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Called in a test and no fixture: before each test pytest puts its own stream there."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    return stream


def test_it_is_drawn_and_the_line_left_free(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    with scenes_progress("scenes") as told:
        told(3, 20)
        assert "3 of 20 scenes" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_the_line_is_left_free_at_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)

    def breaking() -> None:
        with scenes_progress() as told:
            told(3, 20)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        breaking()
    assert "3 of 20 pictures" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_nothing_is_drawn_where_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    with scenes_progress():
        pass
    assert terminal.getvalue() == ""
