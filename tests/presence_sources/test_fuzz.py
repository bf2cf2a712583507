"""Damaged files: whatever is in them, a reader gives a timeline or an InputError that names the file."""

import copy
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.presence.crosswalk_file import read_crosswalk
from boxscore.presence.movienet import read_movienet
from boxscore.presence.movienet_ps import read_movienet_ps
from boxscore.presence.tables import read_table
from boxscore.presence.timeline import Presence
from boxscore.presence.xray import read_xray
from tests.presence_sources import written
from tests.presence_sources.test_movienet import CAST, scene
from tests.presence_sources.test_prediction_schema import places

JUNK: list[Any] = [None, True, -1, 10**30, 2.5, float("nan"), "", "nm1", "x", [], [1], [2, 0], {}, {"shot": [0, 1]}]
BYTES = st.sampled_from([b"", b"\x00", b"\xff", b",", b'"', b"\n", b"-", b"9", b"nan", b"e9", b"\r", b"\xc3"])


def only_input_errors(read: Callable[[], object], folder: str) -> None:
    found, message = None, ""
    try:
        found = read()
    except InputError as error:
        message = str(error)
    assert (found is None) == (folder in message), "the file is named"
    if isinstance(found, Presence):
        assert (found.windows.start <= found.windows.end).all()
        assert (found.windows.person < len(found.people)).all()
        assert (found.windows.scene < len(found.scenes)).all()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_annotations(data: st.DataObject) -> None:
    content: dict[str, Any] = {
        "cast": copy.deepcopy(CAST),
        "scene": [scene(0, [0, 1], [0, 9]), scene(1, [1, 3], [10, 39])],
    }
    path = data.draw(st.sampled_from([path for path in places(content) if path]))
    above: Any = content
    for key in path[:-1]:
        above = above[key]
    above[path[-1]] = data.draw(st.sampled_from(JUNK))
    with tempfile.TemporaryDirectory() as folder:
        written.movienet(Path(folder), **content)
        only_input_errors(lambda: read_movienet(folder, fps=10.0), folder)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_texts(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        xray = written.xray(Path(folder) / "xray")
        film = written.movienet(Path(folder) / "film", CAST)
        (xray / "table.csv").write_text("actor,start,end,tmdb\nA,0,1,5\nnm1,2,3,\n")
        (xray / "ids.csv").write_text("tmdb,imdb\n5,nm1\n6,\n")
        files = [*sorted(xray.iterdir()), film / "shot" / "tt1210166.txt"]
        file = data.draw(st.sampled_from(files))
        content = file.read_bytes()
        first = data.draw(st.integers(0, len(content)))
        last = min(len(content), first + data.draw(st.integers(0, 3)))
        file.write_bytes(content[:first] + data.draw(BYTES) + content[last:])
        only_input_errors(lambda: read_xray(xray, "timestamp"), folder)
        only_input_errors(lambda: read_movienet(film, fps=10.0), folder)
        only_input_errors(lambda: read_table(xray / "table.csv"), folder)
        only_input_errors(lambda: read_crosswalk(xray / "ids.csv"), folder)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_matlab_files_cut_off(length: int, compressed: bool) -> None:
    """Cut off alone: of bytes that are changed within, scipy's reader of uncompressed files makes what it can."""
    with tempfile.TemporaryDirectory() as name:
        identities = [("nm0000158", ["shot_0000_img_0.jpg"]), ("", ["shot_0001_img_0.jpg"])]
        folder = written.train(Path(name), identities, compressed=compressed)
        (folder / "tt0120885.txt").write_text(written.SHOTS)
        file = folder / "annotation" / "test" / "train_test" / "Train_app10.mat"
        content = file.read_bytes()
        file.write_bytes(content[: length % (len(content) + 1)])
        only_input_errors(lambda: read_movienet_ps(folder, split="Train_app10", title="tt0120885", fps=10.0), name)
