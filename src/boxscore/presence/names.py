"""Names of people in one form, so that two spellings of one name are one key.

| what | before | after |
|---|---|---|
| case | `ANN Lee` | `ann lee` |
| accents, and letters like them | `Renée Zellweger`, `Søren Malling` | `renee zellweger`, `soren malling` |
| apostrophes go | `Peter O'Toole`, `Peter O’Toole` | `peter otoole` |
| other punctuation parts words | `Jean-Luc Picard`, `Lee, Ann` | `jean luc picard`, `lee ann` |
| spacing | `Ann   Lee ` | `ann lee` |
| initials stand together | `J.K. Simmons`, `J. K. Simmons`, `JK Simmons` | `jk simmons` |

Words keep their order, and initials are neither left out nor filled in: `Samuel L. Jackson` and `Samuel Jackson` are
two names, for guessing that they are one would join people who are two. Marks of scripts other than Latin and Greek are
letters of their own there (`й`, `が`), and stay.
"""

import unicodedata
from itertools import groupby

# Letters that Unicode does not take apart into a base and a mark.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
_APOSTROPHES = str.maketrans(dict.fromkeys("'’‘ʼ`´"))
_SCRIPTS_WITH_ACCENTS = ("LATIN", "GREEK")


def normalised(name: str) -> str:
    """The name in the form above; empty where it has neither a letter nor a digit."""
    # Some apostrophes are accents that stand alone, and would be taken apart to a blank and a mark: they go first.
    bare = _without_accents(unicodedata.normalize("NFKD", name.translate(_APOSTROPHES).casefold()))
    plain = unicodedata.normalize("NFC", bare).casefold().translate(_PLAIN)
    words = "".join(letter if _of_a_word(letter) else " " for letter in plain).split()
    runs = groupby(words, key=_initial)
    return " ".join(" ".join(run) if not initials else "".join(run) for initials, run in runs)


def _without_accents(text: str) -> str:
    kept: list[str] = []
    accented = False
    for letter in text:
        if unicodedata.combining(letter):
            if accented:
                continue
        else:
            accented = unicodedata.name(letter, "").startswith(_SCRIPTS_WITH_ACCENTS)
        kept.append(letter)
    return "".join(kept)


def _of_a_word(letter: str) -> bool:
    """Letters, digits, and marks that a script writes as part of a word."""
    return unicodedata.category(letter)[0] in "LMN"


def _initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha()
