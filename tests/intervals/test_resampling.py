"""What can be asked for, and what is refused."""

import pytest

from boxscore import InputError, Resampling
from boxscore.cli.interval_options import AskedResampling
from boxscore.study.resampled import StudyResampling

WRONG = [
    ({"replicates": 0}, "replicates is 0; it must be a whole number from 1"),
    ({"replicates": 10.5}, "replicates is 10.5"),
    ({"seed": -1}, "seed is -1"),
    ({"unit": "clip"}, "unit is 'clip'; it must be one of image, group"),
    ({"ungrouped": None}, "ungrouped is None; it must be one of error, single"),
    ({"confidence": 95}, "confidence is 95; it must lie between 0 and 1"),
    ({"confidence": float("nan")}, "confidence is nan"),
    ({"interval": "bayes"}, "interval is 'bayes'; it must be one of percentile, midpoint, basic, bca, student"),
    ({"group_by": ""}, "group_by is ''"),
    ({"group_by": "a", "group_regex": "(?P<a>.)"}, "group_by and resampling: group_regex are both given"),
    ({"group_by": "a", "unit": "image"}, "group_by makes groups, and .* would not use them"),
    ({"group_regex": "(?P<a>"}, "is no regular expression: .*write one such as"),
    ({"group_regex": "(a)"}, "needs one named group, and has none"),
    ({"group_regex": "(?P<a>.)(?P<b>.)"}, "needs one named group, and has a, b"),
]


@pytest.mark.parametrize(("given", "message"), WRONG, ids=[str(given) for given, _ in WRONG])
def test_a_wrong_field_is_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Resampling(**given)  # type: ignore[arg-type]


def test_values_are_compared_and_printed() -> None:
    one = Resampling(seed=7, group_regex="(?P<clip>c.)")
    assert one == Resampling(seed=7, group_regex="(?P<clip>c.)")
    assert one != Resampling(seed=8, group_regex="(?P<clip>c.)")
    assert eval(repr(one), {"Resampling": Resampling}) == one
    assert hash(one) == hash(Resampling(**one.to_dict()))


@pytest.mark.parametrize("kind", [AskedResampling, StudyResampling])
def test_those_of_commands_and_studies_have_the_same_fields(kind: type[Resampling]) -> None:
    assert kind(seed=7).to_dict() == Resampling(seed=7).to_dict()
    assert kind(seed=7) == Resampling(seed=7)
    assert kind(seed=7) != kind(seed=8)
    assert repr(kind(seed=7)) == repr(Resampling(seed=7))


def test_anything_else_in_its_place_is_refused() -> None:
    assert Resampling.of(None) == Resampling()
    with pytest.raises(InputError, match="resampling is 'clip'; give a Resampling"):
        Resampling.of("clip")
