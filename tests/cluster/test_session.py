"""Tasks in bounded number, results in order, and errors in words."""

import operator
import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from boxscore.cluster import tasks
from boxscore.cluster.session import Session, connect
from boxscore.errors import InputError, MeasureError
from tests.cluster.conftest import RAY

pytestmark = RAY


@pytest.fixture
def session(address: str) -> Iterator[Session]:
    assert address
    with connect("ray") as made:
        yield made


def refuse(number: int) -> int:
    if number in (3, 4):
        message = f"{number} is refused"
        raise MeasureError(message)
    return number


def end(number: int) -> int:
    os._exit(number)


def test_results_are_in_order_and_progress_counts(session: Session) -> None:
    told: list[tuple[str, int, int]] = []

    def progress(*said: Any) -> None:
        told.append(said)

    given = session.put(100)
    assert list(session.map(operator.add, range(40), given, stage="sums", progress=progress)) == list(range(100, 140))
    assert told == [("sums", done, 40) for done in range(1, 41)]
    assert list(session.map(operator.add, [], given)) == []


def test_no_more_tasks_are_handed_in_than_processors_need(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = 0, 0
    submit, finished = session.submit, session._finished

    def counted(*given: Any, **how: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        return submit(*given, **how)

    def ended(references: list[Any]) -> list[Any]:
        nonlocal running
        done = finished(references)
        running -= len(done)
        return done

    monkeypatch.setattr(session, "submit", counted)
    monkeypatch.setattr(session, "_finished", ended)
    assert list(session.map(operator.neg, range(30))) == [-number for number in range(30)]
    assert session.processors == 2
    assert most == 4


def test_the_first_error_in_order_is_raised_as_it_was(session: Session) -> None:
    found = session.map(refuse, range(10))
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(MeasureError, match=r"^3 is refused$"):
        next(found)


def test_a_refused_result_refuses_what_is_made_of_it(session: Session) -> None:
    first, second = session.submit(partial(refuse, 4), returns=2)
    later = session.submit(operator.neg, second)[0]
    for reference in (first, second, later):
        with pytest.raises(MeasureError, match=r"^4 is refused$"):
            session.get(reference, "a number")


def test_a_mistake_of_the_work_is_raised_as_itself(session: Session) -> None:
    with pytest.raises(ZeroDivisionError):
        list(session.map(partial(operator.truediv, 1), [0]))


def test_a_worker_that_ends_each_time_is_an_error_that_names_the_item(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boxscore.cluster.session.RETRIES", 1)
    with pytest.raises(InputError, match=r"^part 7: its worker ended each time that it was tried"):
        list(session.map(end, [7], what=lambda number: f"part {number}"))


def test_what_is_connected_already_is_used_and_left(session: Session) -> None:
    with connect("ray") as other:
        assert list(other.map(operator.neg, [1])) == [-1]
    assert list(session.map(operator.neg, [1])) == [-1]


def test_another_version_on_a_node_is_refused() -> None:
    refused = tasks.run(tasks.Place("0.0.0", os.getcwd()), 2, operator.neg, 1)  # noqa: PTH109  a text that travels
    assert all("of the cluster has boxscore" in str(one.error) for one in refused)
