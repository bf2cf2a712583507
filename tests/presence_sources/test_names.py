"""One form for the spellings of a name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.presence import names
from boxscore.presence.names import normalised

SAME = [
    ("ANN Lee", "ann lee"),
    ("  Ann \t Lee ", "ann lee"),
    ("Renée Zellweger", "renee zellweger"),
    ("Rene\u0301e Zellweger", "renee zellweger"),
    ("Søren Malling", "soren malling"),
    ("Stellan Skarsgård", "stellan skarsgard"),
    ("Małgorzata Łoś", "malgorzata los"),
    ("Þór Æsir", "thor aesir"),
    ("Jürgen Groß", "jurgen gross"),
    ("İpek Kılıç", "ipek kilic"),
    ("Peter O'Toole", "peter otoole"),
    ("Peter O’Toole", "peter otoole"),
    ("Peter O´Toole", "peter otoole"),
    ("Jean-Luc Picard", "jean luc picard"),
    ("Lee, Ann", "lee ann"),
    ("Dwayne “The Rock” Johnson", "dwayne the rock johnson"),
    ("J.K. Simmons", "jk simmons"),
    ("J. K. Simmons", "jk simmons"),
    ("JK Simmons", "jk simmons"),
    ("Samuel L. Jackson", "samuel l jackson"),
    ("Ａｎｎ Lee", "ann lee"),
    ("Άννα Λι", "αννα λι"),
    ("50 Cent", "50 cent"),
    ("…", ""),
]


@pytest.mark.parametrize(("name", "form"), SAME)
def test_form(name: str, form: str) -> None:
    assert normalised(name) == form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Samuel L. Jackson", "Samuel Jackson"),
        ("Ann Lee", "Lee Ann"),
        ("Андрей", "Андреи"),
        ("がき", "かき"),
        ("John Smith (II)", "John Smith"),
    ],
)
def test_names_that_stay_apart(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@given(st.text(max_size=30))
def test_the_form_of_a_form_is_itself(name: str) -> None:
    form = normalised(name)
    assert normalised(form) == form
    assert form == " ".join(form.split())


@given(st.text(st.characters(codec="latin-1"), max_size=20))
def test_case_is_forgotten(name: str) -> None:
    assert normalised(name.upper()) == normalised(name.lower())


def test_the_table_in_the_documentation_is_true() -> None:
    rows = [row.split("|")[2:4] for row in (names.__doc__ or "").splitlines() if row.startswith("| ")][1:]
    assert len(rows) == 6
    for before, after in rows:
        spellings, forms = (re.findall("`([^`]+)`", cell) for cell in (before, after))
        assert {normalised(spelling) for spelling in spellings} == set(forms)
