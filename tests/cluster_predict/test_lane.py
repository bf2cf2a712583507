"""A lane on a node, without Ray: what goes wrong there comes back in words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boxscore.cluster.lane import Lane
from boxscore.cluster.predicting import Writing
from boxscore.cluster.sent_model import SentModel, same_everywhere
from boxscore.cluster.shards_of_pictures import Answer, Batch, answers_in, table_of
from boxscore.errors import InputError
from boxscore.predict.card import Card, load_card
from boxscore.predict.detector import OnnxDetector
from boxscore.predict.run_batches import WARM_UP, BatchRunner
from boxscore.predict.run_pictures import Pictures
from tests.support.cards import write_card


@pytest.fixture
def read_card(card: Path) -> Card:
    return load_card(card)


class Naming:
    """Answers with names; the one called `bad` is refused."""

    def __init__(self, detector: OnnxDetector) -> None:
        assert detector.session.lanes == 1

    def __call__(self, batches: Sequence[Batch]) -> Iterator[tuple[int, bytes]]:
        for batch in batches:
            if "bad" in batch.names:
                raise InputError("bad: this picture is refused")
            yield batch.number, batch.names[0].encode()


def answers(lane: Lane, *batches: Batch) -> list[Answer]:
    return list(answers_in(lane(table_of(batches))))


def batch(number: int, name: str, path: str = "", *, there: bool = False) -> Batch:
    return Batch(number, [name], [path], [there])


def test_weights_travel_to_a_node_that_has_no_file_of_them(read_card: Card, tmp_path: Path) -> None:
    sent = SentModel.of(read_card, ["cpu"], 1)
    elsewhere = replace(sent, card=replace(read_card, model=replace(read_card.model, path=str(tmp_path / "none.onnx"))))
    assert elsewhere.detector().describe() == sent.detector().describe()
    (tmp_path / "none.onnx").write_bytes(b"another file of this name")
    assert elsewhere.detector().describe() == sent.detector().describe()
    with pytest.raises(InputError, match=f"{tmp_path / 'none.onnx'}: ONNX Runtime can't load the model"):
        replace(elsewhere, weights=b"no model").detector()


def test_a_model_that_is_gone_and_a_gpu(read_card: Card, tmp_path: Path) -> None:
    gone = replace(read_card, model=replace(read_card.model, path=str(tmp_path / "gone.onnx")))
    with pytest.raises(InputError, match=r"gone\.onnx: the model can't be read: No such file"):
        SentModel.of(gone, None, 1)
    found = [SentModel.of(read_card, providers, 1).on_gpu() for providers in (None, ["CPU"], ["cuda", "cpu"])]
    assert found == [False, False, True]


def test_other_versions_and_other_identities_are_refused(read_card: Card) -> None:
    sent = SentModel.of(read_card, None, 1)
    with pytest.raises(InputError, match=r"has numpy .*, and this process 0\.1; .*same versions on all nodes"):
        replace(sent, packages={**sent.packages, "numpy": "0.1"}).detector()
    replace(sent, packages={**sent.packages, "python": "3.1"}).detector()
    same_everywhere({"a": 1, "b": 2}, {"a": 1})
    with pytest.raises(InputError, match="runs the model with onnxruntime 1, and another node with 2"):
        same_everywhere({"onnxruntime": 1}, {"onnxruntime": 2})


def test_errors_are_answers(read_card: Card, tmp_path: Path) -> None:
    sent = SentModel.of(read_card, None, 1)
    identity = sent.detector().describe()
    lane = Lane(sent, identity, Naming)
    good, bad, after = answers(lane, batch(4, "a"), batch(5, "b")), answers(lane, batch(6, "bad"), batch(7, "c")), 8
    assert [(one.number, one.content, one.error) for one in good] == [(4, b"a", ""), (5, b"b", "")]
    assert [one.error for one in bad] == ["bad: this picture is refused"]
    assert answers(lane, batch(after, "d"))[0].content == b"d"
    gone = answers(lane, batch(1, "x", str(tmp_path / "x.jpg"), there=True))
    assert len(gone) == 1
    assert "x.jpg is not there on node" in gone[0].error
    assert "a folder that all nodes share" in gone[0].error
    other = Lane(sent, {**identity, "threads_a_run": 7}, Naming)
    assert "threads_a_run 1, and another node with 7" in answers(other, batch(0, "a"))[0].error


def test_a_lane_writes_what_a_run_in_one_process_writes(read_card: Card, images: Path) -> None:
    paths = [images / name for name in ("0_empty.jpg", "2_alpha.png", "4_cut.jpg")]
    paths += sorted(images.glob("1_*.jpg"))[:4]
    detector = OnnxDetector.of(read_card, threads=1)
    pictures = Pictures([path.name for path in paths], [str(path) for path in paths])
    local = dict(
        BatchRunner(detector, pictures, workers=1, least=0.01, num_labels=80).run(
            (number, range(number, number + 1)) for number in range(len(paths))
        )
    )
    batches = [Batch.of(number, [path.name], [str(path)]) for number, path in enumerate(paths)]
    found: dict[int, bytes] = {}
    for overlap in (False, True):
        work = Writing(0.01, 80, overlap=overlap)(detector)
        found = {**dict(work(batches[:3])), **dict(work(batches[3:]))}
        assert {number: untimed(found[number]) for number in found} == {
            number: [{key: row[key] for key in row if not timing(key)} for row in content["pictures"]]
            for number, content in local.items()
        }
    warm = [b"warm_up" in found[number] for number in sorted(found)]
    assert sum(warm) <= 2 * WARM_UP
    assert not any(warm[2 * WARM_UP :]), "once a lane, not once a shard"


def untimed(content: bytes) -> list[dict[str, Any]]:
    import json

    return [{key: row[key] for key in row if not timing(key)} for row in json.loads(content)["pictures"]]


def timing(key: str) -> bool:
    return key.endswith("_ms") or key == "warm_up"


def test_a_model_that_is_none_is_told_by_its_own_path(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model at all")
    sent = SentModel.of(load_card(write_card(tmp_path, broken, "yolox", 416, ["a"])), None, 1)
    (answer,) = answers(Lane(sent, {}, Naming), batch(0, "a"))
    assert answer.error.startswith(f"{broken}: ONNX Runtime can't load the model")
