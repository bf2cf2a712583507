"""The files of `boxscore presence score`, read by what the options name."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.presence.crosswalk_file import Crosswalk
    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Presence

    Read = tuple[Presence, list[Presence], list[Person], tuple[Person, ...] | None, dict[str, str]]

_SOURCES = ("xray", "movienet", "table")
_OF_MOVIENET = ("shots", "fps", "split", "title")
_HDF5 = (".h5", ".hdf5")


def sources_named(options: argparse.Namespace) -> list[str]:
    """The ground truths that are given. Raises InputError without any."""
    found = [name for name in _SOURCES if getattr(options, name) is not None]
    if not found:
        raise InputError("there is no ground truth; give --xray DIR, --movienet PATH or --table FILE, or several")
    return found


def read_sources(options: argparse.Namespace) -> Read:
    """Prediction, ground truths, people of `--also`, gallery, and paths by role. Raises InputError."""
    from boxscore.presence.crosswalk_file import people_with_crosswalk, read_crosswalk, with_crosswalk
    from boxscore.presence.prediction import read_prediction

    named = sources_named(options)
    _refuse_idle(options)
    crosswalk = None if options.crosswalk is None else read_crosswalk(options.crosswalk)
    truths = [_read(name, options) for name in named]
    # Where a ground truth ends, the film may go on: only a length that is stated as the film's own refuses more.
    prediction = read_prediction(options.pred, options.duration)
    others = [person for path in options.also for person in read_prediction(path).people]
    gallery = gallery_of(options.gallery)
    inputs = {"predictions": options.pred}
    inputs |= {name: getattr(options, name) for name in ("table", "gallery", "crosswalk")}
    # Of a folder the digests of its files vouch, not its name.
    for truth in truths:
        inputs |= truth.files
    given = {role: path for role, path in inputs.items() if path is not None and Path(path).is_file()}
    if crosswalk is None:
        return prediction, truths, others, gallery, given
    return (
        with_crosswalk(prediction, crosswalk),
        [with_crosswalk(one, crosswalk) for one in truths],
        list(people_with_crosswalk(others, crosswalk)),
        _linked(gallery, crosswalk),
        given,
    )


def _linked(gallery: tuple[Person, ...] | None, crosswalk: Crosswalk) -> tuple[Person, ...] | None:
    from boxscore.presence.crosswalk_file import people_with_crosswalk

    return None if gallery is None else people_with_crosswalk(gallery, crosswalk)


def _refuse_idle(options: argparse.Namespace) -> None:
    """Options that speak of a ground truth which is not given."""
    if options.xray is None and options.presence is not None:
        raise InputError("--presence says how X-Ray is read, and --xray is not given; add it, or leave --presence out")
    for name in _OF_MOVIENET:
        if options.movienet is None and getattr(options, name) is not None:
            raise InputError(f"--{name} is about MovieNet, and --movienet is not given; add it, or leave --{name} out")


def _read(name: str, options: argparse.Namespace) -> Presence:
    if name == "xray":
        from boxscore.presence.xray import read_xray

        return read_xray(options.xray, options.presence or "scene")
    if name == "table":
        from boxscore.presence.tables import read_table

        return read_table(options.table, options.duration)
    if options.fps is None:
        raise InputError("MovieNet counts in frames, and no file of it says how many a second has; give --fps, as of "
            "the film that was annotated")  # fmt: skip
    if options.split is None:
        from boxscore.presence.movienet import read_movienet

        return read_movienet(options.movienet, fps=options.fps, title=options.title, shots=options.shots)
    if options.title is None:
        raise InputError("a split of MovieNet-PS holds many films; say which with --title, such as tt0120885")
    from boxscore.presence.movienet_ps import read_movienet_ps

    return read_movienet_ps(
        options.movienet, split=options.split, title=options.title, fps=options.fps, shots=options.shots
    )


def gallery_of(path: str | None) -> tuple[Person, ...] | None:
    """The people of a gallery: of JSON names and ids alone are looked at; HDF5 is read by faces."""
    from boxscore.presence.gallery_people import people_of, read_gallery

    if path is None:
        return None
    if Path(path).suffix.lower() not in _HDF5:
        return read_gallery(path)
    from boxscore.faces.gallery import read_gallery as read_whole

    actors = read_whole(path).actors
    return people_of(path, [(f"actors[{row}]", one.actor, dict(one.ids)) for row, one in enumerate(actors)])
