"""How blocks go from parts to labels: laws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore.cluster import parts
from boxscore.cluster.grouping import chunks, groups_of

SIZES = st.lists(st.integers(0, 10**9), max_size=200)
BLOCKS = st.lists(st.lists(st.binary(max_size=9), min_size=5, max_size=5), min_size=1, max_size=6)


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=1300), st.integers(1, 600))
def test_each_label_is_in_one_group(sizes: list[int], processors: int) -> None:
    groups = groups_of(sizes, processors)
    assert sorted(label for group in groups for label in group) == list(range(len(sizes)))
    assert all(groups)
    assert all(group == sorted(group) for group in groups)
    assert len(groups) <= 64
    totals = [sum(sizes[label] for label in group) for group in groups]
    assert max(totals) <= sum(sizes) / len(groups) + max(sizes)


@given(SIZES)
def test_each_part_is_in_one_chunk(lengths: list[int]) -> None:
    ranges = chunks(lengths)
    assert [at for start, end in ranges for at in range(start, end)] == list(range(len(lengths)))
    for start, end in ranges:
        assert 0 < end - start <= 32
        assert end - start == 1 or sum(lengths[start:end]) <= 64 << 20


@given(BLOCKS, st.integers(1, 4))
def test_blocks_arrive_at_their_label_in_the_order_of_parts(blocks: list[list[bytes]], a_chunk: int) -> None:
    groups = [[0, 3], [1], [2, 4]]
    packed = [parts.Packed.of(of_part) for of_part in blocks]
    pieces = [parts.regroup(groups, *packed[at : at + a_chunk]) for at in range(0, len(packed), a_chunk)]
    for at, group in enumerate(groups):
        found = parts.of_labels(group, [piece[at] for piece in pieces])
        assert {label: [bytes(block) for block in of_label] for label, of_label in found.items()} == {
            label: [of_part[label] for of_part in blocks] for label in group
        }


@given(st.lists(st.integers(0, 5), max_size=6))
def test_rows_of_images_come_back_by_part(counts: list[int]) -> None:
    rows = [np.arange(count) * 3 for count in counts]
    back = parts.ImageRows.of(rows).by_part()
    assert [list(one) for one in back] == [list(one) for one in rows]
