"""Which parts meet, and in which rows their images come: found without a look at all of them, held to a look."""

from hypothesis import given
from hypothesis import strategies as st

from boxscore import load_protocol
from boxscore.io.shards.layout import Part, Shards
from boxscore.model.labels import id_order
from boxscore.model.reading import Reading
from boxscore.pipeline.sharding import evaluate
from boxscore.pipeline.sharding.jobs import Settings, Summary
from boxscore.pipeline.sharding.plan import _Ranges

Id = int | str
IDS = st.one_of(st.integers(-3, 12), st.sampled_from(["a", "b", "10"]))


@st.composite
def ranges(draw: st.DrawFn) -> list[Part]:
    found = []
    for number in range(draw(st.integers(0, 6))):
        ends = sorted(draw(st.lists(IDS, max_size=2)), key=id_order)
        found.append(Part(number, ends[0] if ends else None, ends[-1] if ends else None))
    return found


def meet(one: Part, other: Part) -> bool:
    if one.first is None or one.last is None or other.first is None or other.last is None:
        return False
    return id_order(one.first) <= id_order(other.last) and id_order(other.first) <= id_order(one.last)


@given(ranges(), ranges())
def test_parts_that_meet(truth: list[Part], found: list[Part]) -> None:
    by_range = _Ranges(found)
    for part in truth:
        expected = tuple(other for other in found if meet(part, other))
        assert by_range.meeting(part) == expected
        assert by_range.count(part) == len(expected)


def part_of(ids: list[Id]) -> Summary:
    nothing: list[int] = []
    return Summary(sorted(ids, key=id_order), [], None, {}, nothing, nothing, 0, (0, 0), None, (0, None))


@given(st.sets(IDS, max_size=14), st.lists(st.integers(0, 3), min_size=14, max_size=14), st.booleans())
def test_rows_of_images(ids: set[Id], owners: list[int], in_turn: bool) -> None:
    ordered = sorted(ids, key=id_order)
    own = sorted(owners[: len(ordered)]) if in_turn else owners
    parts = [part_of([one for one, owner in zip(ordered, own, strict=False) if owner == number]) for number in range(4)]
    nowhere = Shards("gt", "gt", "ground_truth", ())
    settings = Settings(nowhere, nowhere, load_protocol("coco"), Reading(), 1, {}, {}, ())
    rows, order = evaluate._rows(settings, parts)
    assert [parts[number].image_ids[at] for number, at in order] == ordered
    assert [[ordered[row] for row in of_part] for of_part in rows] == [part.image_ids for part in parts]
