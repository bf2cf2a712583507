"""Scenes of a MovieNet annotation: `shot` [a, b], read by what the file itself shows of `b`.

Whether `b` is the scene's last shot or the first of the next is not stated. Scenes that follow one another show it: the
next one starts with `b`, or with the shot after `b`. Where no two do, the scene's last frame is looked up in the shots.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from boxscore.errors import InputError
from boxscore.model.given import shown, whole_number
from boxscore.presence.timeline import spans_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boxscore.presence.shots import Shots
    from boxscore.presence.timeline import Spans

Scene = tuple[int, int, str]
"""First and second number of `shot`, and the id."""


def scenes_of(stated: Any, shots: Shots, path: Path) -> tuple[Spans, list[str]]:  # noqa: ANN401  whatever the file holds
    """The scenes in seconds, by the shot file, and notes. No scenes where none are annotated (null, or an empty list).

    Raises InputError that names the scene, and for shots that the shot file doesn't have.
    """
    if stated is None or stated == []:
        return spans_of(), []
    if not isinstance(stated, list):
        raise InputError(f"{path}: scene is {shown(stated)}; it must be a list of scenes, or null")
    found = sorted(_scene(entry, f"{path} scene[{row}]") for row, entry in enumerate(stated))
    inclusive, why = _inclusive(found, stated, shots)
    spans = []
    for first, second, name in found:
        last = second if inclusive else second - 1
        if not 0 <= first <= last < len(shots):
            raise InputError(
                f"{path}: scene {name} has the shots [{first}, {second}] ({why}), and {shots.path} has shots 0 to "
                f"{len(shots) - 1}; is it the shot file of this film?"
            )
        spans.append((shots.span(first)[0], shots.span(last)[1], name))
    for (_, end, name), (start, _, other) in pairwise(spans):
        if start < end:
            raise InputError(f"{path}: scene {other} starts before scene {name} ends ({why}); a shot is of one scene")
    off = sum(_first_frame(entry, shots) for entry in stated)
    notes = [f"scenes: {why}"]
    if off:
        notes.append(f"scenes that start at another frame than their first shot in {shots.path}: {off}")
    return spans_of(spans), notes


def _scene(entry: Any, place: str) -> Scene:  # noqa: ANN401  whatever the file holds
    stated = entry.get("shot") if isinstance(entry, dict) else None
    numbers = [whole_number(value) for value in stated] if isinstance(stated, list) else []
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        raise InputError(f"{place}.shot is {shown(stated)}; it must be two shots, [first, last]")
    return numbers[0], numbers[1], str(entry.get("id", place.rpartition(" ")[2]))


def _inclusive(scenes: Sequence[Scene], stated: Sequence[Any], shots: Shots) -> tuple[bool, str]:
    """Whether the second shot belongs to its scene, and why so."""
    following = [later[0] - earlier[1] for earlier, later in pairwise(scenes)]
    exclusive, inclusive = following.count(0), following.count(1)
    if any(first == second for first, second, _ in scenes):
        return True, "their second shot is their last, since some have one shot alone"
    if exclusive != inclusive:
        if exclusive > inclusive:
            return False, f"their second shot is the next one's first, as {exclusive} that follow one another show"
        return True, f"their second shot is their last, as {inclusive} that follow one another show"
    within = sum(_ends_with(entry, shots, before=0) for entry in stated)
    beyond = sum(_ends_with(entry, shots, before=1) for entry in stated)
    if within or beyond:
        last = within >= beyond
        return last, f"their second shot is {'their last' if last else 'the next scene’s first'}, as their frames show"
    if any(second == len(shots) for _, second, _ in scenes):
        return False, "their second shot is the next one's first, since the film has no such shot"
    return True, "their second shot is taken to be their last: nothing in the file shows otherwise"


def _ends_with(entry: Mapping[str, Any], shots: Shots, *, before: int) -> bool:
    """Whether a scene's last frame, inclusive or exclusive, is that of its second shot, or of the one `before`."""
    frame = _frames(entry)
    shot = entry["shot"][1] - before
    if frame is None or not 0 <= shot < len(shots):
        return False
    return frame[1] - shots.shots[shot].end in (0, 1)


def _first_frame(entry: Mapping[str, Any], shots: Shots) -> bool:
    frame = _frames(entry)
    return frame is not None and frame[0] != shots.shots[entry["shot"][0]].start


def _frames(entry: Mapping[str, Any]) -> tuple[int, int] | None:
    stated = entry.get("frame")
    numbers = [whole_number(value) for value in stated] if isinstance(stated, list) else []
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]
