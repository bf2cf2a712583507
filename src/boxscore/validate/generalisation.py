"""What a score may be carried over to: the sessions, pictures and objects it rests on, and what was seen before."""

from __future__ import annotations

from boxscore.measures.counts import Counts
from boxscore.model.measure import Measure
from boxscore.model.notes import counted, listed
from boxscore.pipeline import operating
from boxscore.validate import examples, twins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.pipeline.run import Run
    from boxscore.validate.asked import Asked
    from boxscore.validate.cases import Cases
    from boxscore.validate.sessions import Sessions
    from boxscore.validate.training import Training


def generalisation(
    run: Run, cases: Cases, sessions: Sessions | None, training: Training | None, asked: Asked
) -> dict[str, Any]:
    """All of it, ready for JSON; `statements` says it in sentences. Raises InputError for an unreadable picture."""
    found: dict[str, Any] = {
        "pictures": len(cases),
        "pictures_without_objects": sum(case.objects == 0 for case in cases),
        "sessions": _sessions(sessions),
        "support": _support(run, sessions, cases),
        "false_positives": _false_positives(run, cases),
        "error_examples": examples.examples(run),
        "latency": _latency(asked),
        "training": None if training is None else _training(run, cases, sessions, training, asked),
    }
    return found | {"statements": _statements(found)}


def _sessions(sessions: Sessions | None) -> dict[str, Any] | None:
    if sessions is None:
        return None
    return {"named_by": sessions.rule, "count": len(sessions.names), "pictures": sessions.sizes()}


def _support(run: Run, sessions: Sessions | None, cases: Cases) -> dict[str, dict[str, Any]]:
    """Objects of each label, and the pictures and sessions that they are in."""
    import polars as pl

    objects = pl.DataFrame(run.matches.ground_truth).group_by("label", "image").len()
    of_stem = {} if sessions is None else dict(zip([case.stem for case in cases], sessions.of_picture, strict=True))
    ids = run.image_ids
    found: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(run.labels):
        own = objects.filter(pl.col("label") == number)
        found[name] = {"objects": int(own["len"].sum()), "pictures": own.height}
        if sessions is not None:
            found[name]["sessions"] = len({of_stem[str(ids[image])] for image in own["image"].to_list()})
    return found


def _false_positives(run: Run, cases: Cases) -> dict[str, Any]:
    by_image: list[Counts] = operating.point(run).by_image(Measure("FP"))
    row = {stem: number for number, stem in enumerate(run.image_ids)}
    empty = [by_image[row[case.stem]].false_positives for case in cases if case.objects == 0]
    total = sum(one.false_positives for one in by_image)
    return {
        "total": total,
        "per_picture": total / len(cases),
        "pictures_with_one": sum(one.false_positives > 0 for one in by_image),
        "on_pictures_without_objects": sum(empty) if empty else None,
    }


def _latency(asked: Asked) -> dict[str, Any] | None:
    """Of a file that was given: what is measured in a run differs every time, and would change the record's bytes."""
    if asked.latency is None:
        return None
    from boxscore.io import latencies
    from boxscore.predict.latency import percentiles
    from boxscore.validate import digests

    values = [value for _, _, value in latencies.rows(asked.latency)]
    told = {name: one.to_dict() for name, one in percentiles(values).items()}
    return {"sha256": digests.of_file(asked.latency), "runs": len(values), "milliseconds": told}


def _training(run: Run, cases: Cases, sessions: Sessions | None, training: Training, asked: Asked) -> dict[str, Any]:
    trained = set(training.sha256)
    identical = [case.picture for case in cases if case.picture_sha256.hex() in trained]
    shared = None
    if sessions is not None and training.sessions is not None:
        shared = sorted({*sessions.names} & {*training.sessions.names})
    near = twins.twins_of(cases, training, asked.twin_distance)
    return {
        "pictures": len(training.names),
        "unique_pictures": training.unique,
        "repeats": training.repeats(),
        "sessions": None if training.sessions is None else len(training.sessions.names),
        "shared_sessions": shared,
        "identical_pictures": identical,
        "twins": twins.to_dict(near, cases, training, run),
    }


def _statements(found: dict[str, Any]) -> list[str]:
    """Sentences for people."""
    pictures, empty, sessions = found["pictures"], found["pictures_without_objects"], found["sessions"]
    told = [f"The score rests on {counted(pictures, 'picture')}, {empty} of them without objects."]
    if sessions is None:
        told.append("Sessions are not named, so that pictures taken together count as if they were not.")
    else:
        told.append(f"They come from {counted(sessions['count'], 'session')}.")
    absent = [name for name, support in found["support"].items() if not support["objects"]]
    if absent:
        told.append(f"{counted(len(absent), 'class has', 'classes have')} no object here: {listed(absent, 20)}.")
    if not empty:
        told.append("No picture is without objects: how often the model finds things where nothing is was not tested.")
    return told + _of_training(found["training"])


def _of_training(training: dict[str, Any] | None) -> list[str]:
    if training is None:
        return ["The training pictures are not known: whether these were seen in training can't be said."]
    twins_found, shared = training["twins"], training["shared_sessions"]
    told = [
        f"Training had {counted(training['pictures'], 'picture')}, {training['unique_pictures']} of them different.",
        (
            f"{counted(twins_found['pictures_with_twin'], 'picture has', 'pictures have')} a near-duplicate among them "
            f"({100 * twins_found['share']:.1f} %)."
        ),
    ]
    if shared is None:
        told.append("Whether training and validation share sessions is not known.")
    elif shared:
        which = counted(len(shared), "session")
        told.append(f"Training and validation share {which}: {listed(shared)}.")
    else:
        told.append("Training and validation share no session.")
    if training["identical_pictures"]:
        same = training["identical_pictures"]
        told.append(f"{counted(len(same), 'picture')} of training occur here byte for byte: {listed(same)}.")
    return told
