"""The crosswalk file and the Retry-After header, without a server."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.presence.crosswalk import answers, retry_after
from boxscore.presence.crosswalk.answers import Answer

ANSWERS = st.dictionaries(
    st.integers(1, 10**12),
    st.one_of(
        st.builds(lambda number: Answer(f"nm{number:07d}"), st.integers(1, 10**8)),
        st.builds(lambda reason: Answer(None, reason), st.text(max_size=20)),
    ),
    max_size=8,
)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@given(ANSWERS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, given_answers: dict[int, Answer]) -> None:
    path = tmp_path_factory.getbasetemp() / "crosswalk.json"
    answers.write(path, given_answers)
    assert answers.read(path) == given_answers
    text = path.read_text()
    answers.write(path, dict(reversed(given_answers.items())))
    assert path.read_text() == text
    assert list(answers.read(path)) == sorted(given_answers)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"kind": "other"}, r"is no crosswalk \(its `kind` is 'other', not 'boxscore-crosswalk'\)"),
        ({"version": 2}, "its version is 2, and this boxscore reads 1"),
        ({"people": []}, "people is \\[\\]; it must be an object of TMDB ids"),
        ({"people": {"nm1": {"imdb": None}}}, "people has the key 'nm1', which is no TMDB id"),
        ({"people": {"0": {"imdb": None}}}, "people has the key '0', which is no TMDB id"),
        ({"people": {"031": {"imdb": None}}}, "people has the key '031', which is no TMDB id"),
        ({"people": {"31": "nm0000158"}}, "people.31 is 'nm0000158'; it must be"),
        ({"people": {"31": {}}}, "people.31 is {}; it must be"),
        ({"people": {"31": {"imdb": "tt0120885"}}}, "people.31.imdb is 'tt0120885'; it must be null or an IMDb id"),
        ({"people": {"31": {"imdb": 158}}}, "people.31.imdb is 158; it must be null or an IMDb id"),
        ({"people": {"31": {"imdb": None, "reason": 3}}}, "people.31.reason is 3; it must be text"),
    ],
)
def test_a_wrong_file_is_refused_by_its_place(changed: dict[str, object], words: str, tmp_path: Path) -> None:
    content = {"kind": "boxscore-crosswalk", "version": 1, "people": {"31": {"imdb": "nm0000158"}}}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(content))
    assert answers.read(path) == {31: Answer("nm0000158")}
    path.write_text(json.dumps(content | changed))
    with pytest.raises(InputError, match=rf"x\.json:? .*{words}|x\.json:? {words}"):
        answers.read(path)


class TestRetryAfter:
    """RFC 9110: a number of seconds, or a date in any of three forms."""

    @given(st.integers(0, 10**6))
    def test_seconds(self, count: int) -> None:
        assert retry_after.seconds({"retry-after": f" {count} "}, NOW) == count

    @given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
    def test_a_date_by_the_servers_clock_or_ours(self, count: int, ahead: int) -> None:
        until = {"retry-after": format_datetime(NOW + timedelta(seconds=count), usegmt=True)}
        assert retry_after.seconds(until, NOW) == max(0, count)
        clock = {"date": format_datetime(NOW + timedelta(seconds=ahead), usegmt=True)}
        assert retry_after.seconds(until | clock, NOW) == max(0, count - ahead)

    @pytest.mark.parametrize(
        "stated", ["Sun, 01 Mar 2026 12:00:07 GMT", "Sunday, 01-Mar-26 12:00:07 GMT", "Sun Mar  1 12:00:07 2026"]
    )
    def test_forms_of_dates(self, stated: str) -> None:
        assert retry_after.seconds({"retry-after": stated}, NOW) == 7

    @pytest.mark.parametrize("stated", ["", "soon", "-5", "1.5", "²", "nan", "Sun, 99 Mar 2026 12:00:07 GMT"])
    def test_nonsense_says_nothing(self, stated: str) -> None:
        assert retry_after.seconds({"retry-after": stated}, NOW) is None
        assert retry_after.seconds({}, NOW) is None

    def test_a_broken_clock_of_the_servers_is_not_asked(self) -> None:
        headers = {"retry-after": "Sun, 01 Mar 2026 12:00:07 GMT", "date": "today"}
        assert retry_after.seconds(headers, NOW) == 7
