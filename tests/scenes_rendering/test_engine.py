"""PyBullet: told plainly where it is missing, silent where it is not, and nothing left behind."""

import sys
import tempfile
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.scenes.rendering import check_available, plan_scene, render_scene, version
from tests.scenes_rendering.made import body, by_hand
from tests.support import needs


def test_a_missing_pybullet_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pybullet", None)
    monkeypatch.setattr(sys, "version_info", (3, 11, 9, "final", 0))
    with pytest.raises(InputError, match=r"needs PyBullet \(.*\); pip install 'boxscore\[scenes\]'$"):
        check_available()
    with pytest.raises(InputError, match="needs PyBullet"):
        render_scene(plan_scene(1, 0, "dark"))


def test_another_python_is_told_which_has_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pybullet", None)
    monkeypatch.setattr(sys, "version_info", (3, 13, 1, "final", 0))
    with pytest.raises(InputError, match=r"wheels are for Python 3\.11 and this is 3\.13: .*'boxscore\[scenes\]'"):
        check_available()


@needs.rendering
def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    render_scene(by_hand([body("bottle", 0, 0), body("teddy bear", 0.5, 0)]))
    assert list(tmp_path.iterdir()) == []


@needs.rendering
def test_a_scene_that_fails_leaves_nothing_behind_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("boxscore.scenes.rendering.render.behind", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        render_scene(by_hand([body("bottle", 0, 0)]))
    assert list(tmp_path.iterdir()) == []


def test_the_generator_has_a_version() -> None:
    assert version() == "1"
