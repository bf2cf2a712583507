"""Shards travel as they are, and no picture is left out."""

from hypothesis import given
from hypothesis import strategies as st

from boxscore.cluster.shards_of_pictures import (
    MOST,
    Answer,
    Batch,
    answers_in,
    answers_table,
    batches_in,
    cut,
    shard_size,
    table_of,
)

NAMES = st.lists(st.text(st.characters(blacklist_categories=[])), max_size=4)


@given(st.lists(NAMES, max_size=9))
def test_batches_arrive_as_they_left(names: list[list[str]]) -> None:
    sent = [
        Batch(number, one, [f"/x/{name}" for name in one], [len(name) % 2 == 0 for name in one])
        for number, one in enumerate(names)
    ]
    assert list(batches_in(table_of(sent))) == sent


@given(st.lists(st.tuples(st.integers(0, 9), st.binary(), st.text(st.characters(exclude_categories=["Cs"])))))
def test_answers_arrive_as_they_left(rows: list[tuple[int, bytes, str]]) -> None:
    sent = [Answer(number, content, machine=text, error=text[:1]) for number, content, text in rows]
    assert list(answers_in(answers_table(sent))) == sent


@given(st.integers(0, 300), st.integers(1, 9), st.integers(1, 600))
def test_each_batch_is_in_one_shard_in_order_and_shards_are_bounded(count: int, pictures: int, lanes: int) -> None:
    batches = [Batch(number, [""] * pictures, [""] * pictures, [True] * pictures) for number in range(count)]
    size = shard_size(batches, lanes)
    found = cut(batches, size)
    assert [batch for shard in found for batch in shard] == batches
    assert all(sum(len(batch.names) for batch in shard) <= max(MOST, pictures) for shard in found)
    if count >= lanes * 4:
        assert len(found) >= min(count, lanes * 4), "no lane stands idle"


def test_a_batch_knows_which_pictures_are_there(tmp_path: object) -> None:
    batch = Batch.of(3, ["a", "b"], [__file__, f"{tmp_path}/none.jpg"])
    assert batch.there == [True, False]
    assert batch.paths[0] == __file__
