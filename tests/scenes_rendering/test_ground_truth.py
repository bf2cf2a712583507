"""Ground truth: held against counts of the mask's pixels, and against geometry worked out apart."""

import math
from dataclasses import replace

import pytest

from boxscore.errors import InputError
from boxscore.scenes.rendering import LABELS, RenderedScene, render_scene
from boxscore.scenes.rendering.camera import camera_of
from boxscore.scenes.rendering.planned import Occluder
from tests.scenes_rendering.made import NAMES, body, by_hand, scene
from tests.support import needs

pytestmark = needs.rendering

SCENES = [(profile, index) for profile in NAMES for index in (0, 1)]


def _counted(found: RenderedScene, object_id: int) -> tuple[int, list[int]]:
    """Pixels of an object, and x, y, w, h of the box round them, counted one by one."""
    pixels = [(x, y) for y, row in enumerate(found.mask.tolist()) for x, value in enumerate(row) if value == object_id]
    if not pixels:
        return 0, []
    left, top = min(x for x, _ in pixels), min(y for _, y in pixels)
    right, bottom = max(x for x, _ in pixels), max(y for _, y in pixels)
    return len(pixels), [left, top, right - left + 1, bottom - top + 1]


@pytest.mark.parametrize(("profile", "index"), SCENES)
def test_boxes_and_areas_are_those_of_the_mask(profile: str, index: int) -> None:
    found = scene(profile, index)
    assert found.objects
    for one in found.objects:
        area, box = _counted(found, one.object_id)
        assert one.pixel_area == area
        assert one.box == (tuple(box) if box else one.full_box)


@pytest.mark.parametrize(("profile", "index"), SCENES)
def test_visible_parts_lie_within_the_whole(profile: str, index: int) -> None:
    found = scene(profile, index)
    for one in found.objects:
        inner, outer, beyond = one.box, one.full_box, one.whole_box
        for small, large in ((inner, outer), (outer, beyond)):
            assert large[0] <= small[0]
            assert large[1] <= small[1]
            assert small[0] + small[2] <= large[0] + large[2]
            assert small[1] + small[3] <= large[1] + large[3]
        assert 0 <= one.visible_fraction <= 1
        assert one.visible_fraction == pytest.approx(one.pixel_area / one.full_area, abs=1e-6)
        assert one.full_area <= beyond[2] * beyond[3]
        assert one.ignore == (one.visible_fraction < 0.25)


def test_projected_boxes_hold_the_whole_object() -> None:
    # Round its corners in space, so never smaller than what is seen, but for a pixel of rasterising.
    for profile, index in SCENES:
        for one in scene(profile, index).objects:
            around, inner = one.aabb_box, one.full_box
            assert around[0] <= inner[0] + 1
            assert around[1] <= inner[1] + 1
            assert around[0] + around[2] >= inner[0] + inner[2] - 1
            assert around[1] + around[3] >= inner[1] + inner[3] - 1


def test_objects_are_those_planned_and_clutter_is_in_no_mask() -> None:
    for profile, index in SCENES:
        found = scene(profile, index)
        planned = found.plan.objects
        assert set(found.mask.ravel().tolist()) <= {-1, *range(len(planned))}
        for one in found.objects:
            assert (one.name, one.label, one.tier) == (
                planned[one.object_id].name,
                planned[one.object_id].label,
                planned[one.object_id].tier,
            )
            assert one.label in LABELS


def test_taking_clutter_away_changes_the_mask_where_it_hid_something_at_most() -> None:
    # Clutter in front of the ball hides part of it and is itself seen nowhere in the mask.
    plain = by_hand([body("sports ball", 0, 0)])
    block = replace(body("drum", 0.0, -0.35), tier="clutter")
    cluttered = render_scene(replace(plain, clutter=(block,)))
    alone = render_scene(plain)
    assert set(cluttered.mask.ravel().tolist()) == {-1, 0}
    hidden = (alone.mask == 0) & (cluttered.mask == -1)
    assert hidden.any()
    assert not ((alone.mask == -1) & (cluttered.mask == 0)).any()
    assert cluttered.objects[0].full_area == alone.objects[0].pixel_area


def test_a_ball_is_where_the_geometry_of_a_sphere_puts_it() -> None:
    radius = 0.12
    for x, y in ((0.0, 0.0), (0.5, 0.3), (-0.6, -0.4)):
        plan = by_hand([body("sports ball", x, y)])
        one = render_scene(plan).objects[0]
        # The camera, apart from the renderer's code: 2.5 m from (0, 0, 0.1), from -y, 30 degrees up.
        eye = (0.0, -2.5 * math.cos(math.radians(30)), 0.1 + 2.5 * math.sin(math.radians(30)))
        offset = [a - b for a, b in zip((x, y, radius), eye, strict=True)]
        tilt = math.radians(30)
        depth = offset[1] * math.cos(tilt) - offset[2] * math.sin(tilt)
        down = -offset[2] * math.cos(tilt) - offset[1] * math.sin(tilt)
        focal = 240 / math.tan(math.radians(30))
        assert one.distance == pytest.approx(math.hypot(*offset), abs=2e-3)
        for start, length, across, middle in (
            (one.box[0], one.box[2], offset[0], 320),
            (one.box[1], one.box[3], down, 240),
        ):
            angle, spread = math.atan2(across, depth), math.asin(radius / math.hypot(across, depth))
            assert start == pytest.approx(middle + focal * math.tan(angle - spread), abs=0.75)
            assert start + length == pytest.approx(middle + focal * math.tan(angle + spread), abs=0.75)
        assert (one.visible_fraction, one.truncated, one.ignore) == (1.0, False, False)


def test_the_visible_fraction_is_what_a_board_leaves_of_the_object() -> None:
    plain = by_hand([body("cube", 0, 0)])
    whole = render_scene(plain).objects[0].pixel_area
    board = Occluder(0, 0.3, 0.09, (0.12, 0.03, 0.5), (0.3, 0.3, 0.3))
    found = render_scene(replace(plain, occluders=(board,)))
    one = found.objects[0]
    left, _ = _counted(found, 0)
    assert 0 < left < whole
    assert one.full_area == whole
    assert one.visible_fraction == pytest.approx(left / whole, abs=1e-6)
    assert one.full_box == render_scene(plain).objects[0].box
    assert one.box[2] < one.full_box[2]


def test_an_object_behind_a_wall_is_ignored_and_not_gone() -> None:
    plain = by_hand([body("duck", 0, 0), body("cup", 0.6, 0)])
    wall = Occluder(0, 0.4, 0.0, (0.6, 0.03, 0.8), (0.3, 0.3, 0.3))
    found = render_scene(replace(plain, occluders=(wall,)))
    hidden = found.objects[0]
    assert (hidden.pixel_area, hidden.visible_fraction, hidden.ignore) == (0, 0.0, True)
    assert hidden.box == hidden.full_box == render_scene(plain).objects[0].full_box
    assert found.metadata()["num_objects"] == 2
    assert (found.metadata()["num_visible"], found.metadata()["num_ignored"]) == (1, 1)
    # Even when nothing is asked of visibility: nobody can find what shows no pixel.
    assert render_scene(replace(plain, occluders=(wall,)), min_visibility=0.0).objects[0].ignore


def test_the_least_visibility_decides_what_is_ignored() -> None:
    partly = by_hand([body("cube", 0, 0)])
    board = Occluder(0, 0.3, 0.05, (0.12, 0.03, 0.25), (0.3, 0.3, 0.3))
    plan = replace(partly, occluders=(board,))
    fraction = render_scene(plan).objects[0].visible_fraction
    for limit, ignored in ((fraction - 0.01, False), (fraction + 0.01, True), (1.0, True), (0.0, False)):
        assert render_scene(plan, min_visibility=limit).objects[0].ignore is ignored


def test_what_the_edge_cuts_off_counts_as_hidden() -> None:
    # A wider picture of the same height shows the same view, and more at its sides.
    plan = by_hand([body("bowl", -1.9, 0.0), body("cup", 0.0, 0.0)])
    cut, wide = render_scene(plan).objects, render_scene(replace(plan, width=1280)).objects
    bowl, whole = cut[0], wide[0]
    assert bowl.truncated
    assert not whole.truncated
    assert bowl.full_area == whole.pixel_area
    assert bowl.whole_box == (whole.box[0] - 320, *whole.box[1:])
    assert bowl.full_box[0] == 0
    assert bowl.visible_fraction == pytest.approx(bowl.pixel_area / whole.pixel_area, abs=1e-6)
    assert bowl.visible_fraction < 1
    assert not cut[1].truncated


def test_what_lies_wholly_outside_is_counted_and_not_listed() -> None:
    plan = by_hand([body("cube", 0, 0), body("bottle", 5.0, 0.0), body("bowl", 0.0, -6.0)])
    found = render_scene(plan)
    assert [one.label for one in found.objects] == ["cube"]
    assert found.metadata()["num_objects"] == 3
    assert (found.metadata()["num_visible"], found.metadata()["num_ignored"]) == (1, 0)


def test_boxes_by_projection_are_those_kept_beside_the_mask_s() -> None:
    plan = scene("crowded").plan
    by_mask, projected = scene("crowded").objects, render_scene(plan, boxes="projected").objects
    assert [one.aabb_box for one in by_mask] == [one.box for one in projected]
    assert [one.full_box for one in by_mask] == [one.full_box for one in projected]
    assert [one.box for one in by_mask] != [one.box for one in projected]


def test_in_most_occluded_scenes_something_is_hidden() -> None:
    partly = [any(one.visible_fraction < 1 for one in scene("occluded", index).objects) for index in range(10)]
    assert sum(partly) >= 8


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"min_visibility": 1.5}, "min_visibility is 1.5: give a number from 0 to 1"),
        ({"boxes": "hull"}, "boxes is 'hull': give mask or projected"),
    ],
)
def test_wrong_options_are_told(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        render_scene(by_hand([body("cube", 0, 0)]), **options)  # type: ignore[arg-type]  # wrong on purpose


def test_widening_keeps_the_pixels_that_were_there() -> None:
    camera = camera_of(by_hand([body("cube", 0, 0)]))
    wide = camera.widened(10, 20)
    x, y, z = camera.rays()
    assert (wide.width, wide.height) == (660, 520)
    for narrow, broad in zip((x, y, z), wide.rays(), strict=True):
        assert abs(narrow - broad[20:-20, 10:-10]).max() < 1e-12
