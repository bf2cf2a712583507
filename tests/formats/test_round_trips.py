"""There and back is the same table, for what a form holds; what it doesn't hold is listed."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.io.form_options import FormOptions
from boxscore.io.forms import form
from boxscore.model.reading import Reading
from tests.formats.tables import Plan, dataset_of, detections_of, images_of, objects_of, predictions_of

FLAGS = ("crowd", "ignore", "difficult", "group_of")


@dataclass(frozen=True)
class Held:
    """What a form holds of ground truth."""

    name: str
    target: str
    flags: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    images: tuple[str, ...] = ("file_name", "width", "height")
    empty_images: bool = True
    needs_sizes: bool = False


GROUND_TRUTH = [
    Held("coco", "gt.json", FLAGS),
    Held("voc-xml", "xml", ("difficult",), ("truncated", "occluded")),
    Held("cvat", "annotations.xml", FLAGS, ("occluded",)),
    Held("labelme", "labelme", FLAGS, ("truncated", "occluded")),
    Held(
        "open-images", "boxes.csv", ("group_of",), ("truncated", "occluded"), (), empty_images=False, needs_sizes=True
    ),
    Held("table", "gt.csv", FLAGS, ("truncated", "occluded")),
    Held("table", "gt.tsv", FLAGS, ("truncated", "occluded")),
    Held("table", "gt.parquet", FLAGS, ("truncated", "occluded")),
    Held("table", "gt.arrow", FLAGS, ("truncated", "occluded")),
]
PREDICTIONS = [
    ("coco", "dt.json"),
    ("voc-results", "results"),
    ("ultralytics", "predictions.json"),
    ("open-images", "dt.csv"),
    ("table", "dt.csv"),
    ("table", "dt.parquet"),
    ("table", "dt.feather"),
]

STEMS = st.lists(
    st.text(st.sampled_from("abcXYZ019_-é"), min_size=1, max_size=6), min_size=1, max_size=4, unique_by=str.casefold
)
LABELS = st.lists(
    st.text(st.sampled_from("abc &<>é'\"_,;"), min_size=1, max_size=5).map(str.strip).filter(bool),
    min_size=1,
    max_size=3,
    unique=True,
)
PLACES = st.integers(-40, 400).map(float)
SIDES = st.integers(1, 300).map(float)


FRACTIONS = st.floats(0, 400)
FRACTION_SIDES = st.floats(1e-3, 300)


@st.composite
def plans(draw: st.DrawFn, places: st.SearchStrategy[float] = PLACES, sides: st.SearchStrategy[float] = SIDES) -> Plan:
    """Whole-pixel boxes unless told otherwise: shares of a size and far corners then read back to the same bits."""
    stems, labels = draw(STEMS), draw(LABELS)
    image, label = st.integers(0, len(stems) - 1), st.integers(0, len(labels) - 1)
    boxes = st.tuples(places, places, sides, sides)
    flags = st.frozensets(st.sampled_from(FLAGS))
    objects = draw(st.lists(st.tuples(image, label, boxes, flags), min_size=1, max_size=6))
    detections = draw(st.lists(st.tuples(image, label, boxes, st.floats(0, 1)), max_size=6))
    booleans: st.SearchStrategy[list[object]] = st.lists(st.booleans(), min_size=len(objects), max_size=len(objects))
    return Plan(
        image_ids=list(stems),
        file_names=[f"{stem}.jpg" for stem in stems],
        sizes=[(640.0, 480.0)] * len(stems),
        labels=labels,
        objects=objects,
        detections=detections,
        attributes={"truncated": draw(booleans), "occluded": draw(booleans)},
    )


@pytest.mark.parametrize("held", GROUND_TRUTH, ids=lambda held: held.target)
@settings(max_examples=25, deadline=None)
@given(plan=plans())
def test_ground_truth_comes_back(held: Held, plan: Plan) -> None:
    module: Any = form(held.name)
    dataset = dataset_of(plan)
    options = FormOptions(img_size=(640, 480)) if held.needs_sizes else FormOptions()
    with TemporaryDirectory() as folder:
        target = Path(folder) / held.target
        lost = module.write_ground_truth(dataset, target, options)
        back = module.read_ground_truth(target, options, Reading(), 1)
    assert objects_of(back, held.flags, held.attributes) == objects_of(dataset, held.flags, held.attributes)
    if held.empty_images:
        assert images_of(back, held.images) == images_of(dataset, held.images)
    told = " ".join(lost)
    for flag in FLAGS:
        carried = any(flag in row[3] for row in plan.objects)
        assert (f"{flag} flags" in told) == (carried and flag not in held.flags)


@pytest.mark.parametrize(("name", "target"), PREDICTIONS)
@settings(max_examples=25, deadline=None)
@given(plan=plans())
def test_predictions_come_back(name: str, target: str, plan: Plan) -> None:
    module: Any = form(name)
    dataset = dataset_of(plan)
    predictions = predictions_of(plan, dataset)
    with TemporaryDirectory() as folder:
        place = Path(folder) / target
        lost = module.write_predictions(predictions, place, FormOptions())
        options = FormOptions(class_base=1) if name == "ultralytics" else FormOptions()
        back = module.read_predictions(place, dataset, options, Reading(), 1)
    assert all("texts of digits" in what for what in lost)  # which CSV makes numbers of
    assert detections_of(back) == detections_of(predictions)


@settings(max_examples=25, deadline=None)
@given(plan=plans(), data=st.data())
def test_number_ids_and_label_order_survive_in_coco_and_tables(plan: Plan, data: st.DataObject) -> None:
    ids = st.lists(st.integers(0, 2**40), min_size=len(plan.image_ids), max_size=len(plan.image_ids), unique=True)
    plan.image_ids = list(data.draw(ids))
    dataset = dataset_of(plan)
    with TemporaryDirectory() as folder:
        for name, target in (("coco", "gt.json"), ("table", "gt.csv"), ("table", "gt.parquet")):
            module: Any = form(name)
            module.write_ground_truth(dataset, Path(folder) / target, FormOptions())
            back = module.read_ground_truth(Path(folder) / target, FormOptions(classes=plan.labels), Reading(), 1)
            assert back.image_ids == dataset.image_ids
            assert back.labels.names == dataset.labels.names


@pytest.mark.parametrize(
    ("name", "target"), [("coco", "gt.json"), ("table", "gt.csv"), ("table", "gt.parquet"), ("table", "gt.arrow")]
)
@settings(max_examples=25, deadline=None)
@given(plan=plans(FRACTIONS, FRACTION_SIDES))
def test_fractions_come_back_to_the_bit_where_sizes_are_written(name: str, target: str, plan: Plan) -> None:
    module: Any = form(name)
    dataset = dataset_of(plan)
    with TemporaryDirectory() as folder:
        module.write_ground_truth(dataset, Path(folder) / target, FormOptions())
        back = module.read_ground_truth(Path(folder) / target, FormOptions(), Reading(), 1)
    assert objects_of(back, ()) == objects_of(dataset, ())


@pytest.mark.parametrize(
    ("name", "target"),
    [("voc-xml", "xml"), ("cvat", "a.xml"), ("labelme", "labelme"), ("open-images", "a.csv"), ("text", "text")],
)
@settings(max_examples=15, deadline=None)
@given(plan=plans(FRACTIONS, FRACTION_SIDES))
def test_fractions_come_back_to_rounding_elsewhere(name: str, target: str, plan: Plan) -> None:
    module: Any = form(name)
    dataset = dataset_of(plan)
    # Boxes that all lie within 0..1 could be shares: text doesn't say which.
    options = FormOptions(img_size=(640, 480), coords="abs" if name == "text" else None)
    with TemporaryDirectory() as folder:
        module.write_ground_truth(dataset, Path(folder) / target, options)
        back = module.read_ground_truth(Path(folder) / target, options, Reading(), 1)
    columns = [[table.ground_truth.column(side).to_list() for side in "xywh"] for table in (back, dataset)]
    ours, theirs = (sorted(zip(*column, strict=True)) for column in columns)
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one == pytest.approx(other, abs=1e-9)
