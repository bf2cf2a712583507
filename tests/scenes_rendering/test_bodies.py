"""Bodies: meshes, patterns, and that the catalogue's sizes are the meshes'."""

from pathlib import Path

import numpy as np
import pytest

from boxscore.scenes.rendering.bodies import Workshop
from boxscore.scenes.rendering.catalogue import CATALOGUE, CLUTTER, Kind
from boxscore.scenes.rendering.meshes import turned, wrapped, written
from boxscore.scenes.rendering.planned import Texture
from boxscore.scenes.rendering.shapes import SHAPES
from boxscore.scenes.rendering.textures import pixels
from tests.scenes_rendering.made import body
from tests.support import needs

KINDS = (*CATALOGUE, *CLUTTER)
PYRAMID = """# a pyramid of height 2, its base a square of side 2, y up
v -1 0 -1
v 1 0 -1
v 1 0 1
v -1 0 1
v 0 2 0
f 1 2 3 4
f 2 1 5
f 3 2 5
f 4 3 5
f 1 4 5
"""


@needs.rendering
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.label)
def test_the_catalogue_s_sizes_are_those_of_the_meshes(kind: Kind, tmp_path: Path) -> None:
    data = needs.module("pybullet_data")
    points = Workshop(Path(data.getDataPath()), tmp_path).points(body(kind.label, 0, 0))
    low, high = points.min(axis=0), points.max(axis=0)
    assert low + high == pytest.approx(0, abs=2e-3)
    assert (high - low) / 2 == pytest.approx(kind.half, abs=2e-3)


@needs.rendering
@pytest.mark.parametrize("label", sorted(label for label, shape in SHAPES.items() if shape.file))
def test_points_are_those_of_the_mesh_which_is_not_wrapped_for_them(
    label: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(needs.module("pybullet_data").getDataPath())
    shape, thing = SHAPES[label], body(label, 0, 0)
    mesh = wrapped(data / shape.file, shape.size, shape.middle, stand=shape.stands)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("points need no normals")

    monkeypatch.setattr("boxscore.scenes.rendering.bodies.wrapped", never)
    points = Workshop(data, tmp_path).points(thing)
    assert points.tobytes() == (mesh.vertices * thing.scale).tobytes()


def test_every_kind_has_a_shape() -> None:
    assert set(SHAPES) == {kind.label for kind in KINDS}


def test_a_cylinder_turned_on_a_lathe_has_its_size_and_looks_outwards() -> None:
    mesh = turned(((0.0, 0.0), (2.0, 0.0), (2.0, 3.0), (0.0, 3.0)))
    assert mesh.vertices.max(axis=0) == pytest.approx([2, 2, 1.5], abs=1e-6)
    assert mesh.vertices.min(axis=0) == pytest.approx([-2, -2, -1.5], abs=1e-6)
    corners = mesh.vertices[mesh.indices.reshape(-1, 3)]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    real = np.abs(facing).sum(axis=1) > 1e-9
    outward = (facing * corners.mean(axis=1)).sum(axis=1)
    assert (outward[real] > 0).all()
    normals = mesh.normals[mesh.indices.reshape(-1, 3)].mean(axis=1)
    assert ((facing * normals).sum(axis=1)[real] > 0).all()
    assert np.sqrt((mesh.normals**2).sum(axis=1)) == pytest.approx(1)
    assert ((mesh.uv >= 0) & (mesh.uv <= 1)).all()


def test_a_file_is_stood_up_and_its_squares_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "pyramid.obj"
    path.write_text(PYRAMID, "utf-8")
    mesh = wrapped(path, (1.0, 1.0, 1.0), (0.0, 1.0, 0.0), stand=True)
    assert len(mesh.indices) == 3 * 6
    assert mesh.vertices.max(axis=0).tolist() == [1.0, 1.0, 1.0]
    assert mesh.vertices[:, 2].min() == -1.0
    # Faces that meet at 60 degrees or more keep their edges: the base looks straight down.
    base = mesh.normals[:6]
    assert base == pytest.approx(np.tile([0.0, 0.0, -1.0], (6, 1)))


def test_a_mesh_is_written_as_it_is_read(tmp_path: Path) -> None:
    mesh = turned(((0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.0, 1.0)))
    path = tmp_path / "turned.obj"
    path.write_text(written(mesh), "utf-8")
    again = wrapped(path, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), stand=False)
    assert again.vertices == pytest.approx(mesh.vertices[mesh.indices], abs=1e-6)


@pytest.mark.parametrize("pattern", ["checks", "stripes", "dots", "clouds"])
@pytest.mark.parametrize("cells", [2, 3, 7, 24])
def test_patterns_mix_their_two_colours_and_repeat_without_a_seam(pattern: str, cells: int) -> None:
    texture = Texture(pattern, ((0.0, 0.0, 0.0), (1.0, 0.5, 0.25)), cells, 5)
    found = pixels(texture, 96)
    assert found.shape == (96, 96, 3)
    share = found[:, :, 0]
    assert share.max() - share.min() > (0.25 if pattern == "clouds" else 0.99)
    assert found[:, :, 1] == pytest.approx(share / 2)
    # From the last row to the first, nothing changes more than between two rows within.
    steps = np.abs(np.diff(share, axis=0)).mean(axis=1)
    assert np.abs(share[-1] - share[0]).mean() <= steps.max() + 1e-9


def test_clouds_are_drawn_from_their_seed() -> None:
    colours = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    one, same, other = (pixels(Texture("clouds", colours, 6, seed), 32) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()
