"""Run a card's model on pictures: prepared as in training, boxes back in the pictures' own pixels.

Writes every detection from score 0.01 up. A run that was stopped, however, goes on where it was. `--explain` says in
words which steps a card takes, and runs nothing.
"""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.predict.card import Card
    from boxscore.predict.run import Predicted
    from boxscore.predict.run_output import Ids

FAILED = 1
"""Exit status where pictures could not be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.picture_engine import add_picture_engine
    from boxscore.cli.predict_options import add_runtime_options, add_variant_options

    add = parser.add_argument
    add("card", metavar="CARD", nargs="?", help="model card: a YAML file")
    add("images", metavar="IMAGES", nargs="?", help="folder of pictures, one picture, or an address (s3://bucket/name)")
    add("--card", metavar="CARD", dest="explained", help="say in words which steps this card takes, and end")
    add("--explain", action="store_true", help="the same for CARD and its variant")
    add("--out", metavar="FILE", help="file to write: .parquet, or .json for COCO's list of results")
    add("--ground-truth", metavar="GT", help="write its ids of images and categories to .json, in the place of names")
    add("--skip-unreadable", action="store_true", help="pictures that can't be read are no failure")
    add("--overwrite", action="store_true", help="replace FILE where it exists")
    add("--restart", action="store_true", help="forget an unfinished run at FILE")
    add("--json", action="store_true", help="print what was done as JSON")
    add_picture_engine(parser)
    add_runtime_options(parser)
    add_variant_options(parser)


def run(options: argparse.Namespace) -> int:
    """Predict, or explain."""
    from boxscore.cli.predict_options import variant_of
    from boxscore.predict.card import load_card

    path = options.explained or options.card
    if path is None:
        raise InputError("there is no CARD; give a model card and a folder of pictures, or --card CARD to read one")
    card = load_card(path, **variant_of(options))
    if options.explained is not None or options.explain:
        _explain(card, as_json=options.json)
        return 0
    if options.images is None or options.out is None:
        raise InputError("predicting takes CARD, IMAGES and --out FILE; `--explain` says what a card does")
    done = _predict(card, options)
    _tell(done, card, as_json=options.json)
    return FAILED if done.unreadable and not options.skip_unreadable else 0


def _predict(card: Card, options: argparse.Namespace) -> Predicted:
    """In this process, or on the cluster that is asked for."""
    from boxscore.cli.picture_engine import picture_session
    from boxscore.cli.predict_options import runtime_of

    if options.one_by_one and options.engine is not None:
        raise InputError("--one-by-one is for the latency of one machine, and --engine for many; leave one of them out")
    given = {
        "skip_unreadable": options.skip_unreadable,
        "ids": None if options.ground_truth is None else _ids(options.ground_truth, options.images),
        "overwrite": options.overwrite,
        "restart": options.restart,
        "progress": sys.stderr,
        **runtime_of(options),
    }
    with picture_session(options) as session:
        if session is None:
            from boxscore.predict.run import predict

            return predict(card, options.images, options.out, **given)
        from boxscore.cluster.predicting import predict_on

        del given["one_by_one"]
        return predict_on(session, card, options.images, options.out, **given)


def _explain(card: Card, *, as_json: bool) -> None:
    if as_json:
        from boxscore.model.json_text import to_json

        print(to_json({"card": card.to_dict(), "steps": card.steps()}), flush=True)
        return
    print("\n".join(f"{number}. {step}" for number, step in enumerate(card.steps(), 1)), flush=True)


def _ids(ground_truth: str, images: str) -> Ids:
    from boxscore import read_ground_truth
    from boxscore.predict.run_output import ids_of
    from boxscore.predict.run_pictures import pictures_of

    return ids_of(read_ground_truth(ground_truth), pictures_of(images).names)


def _tell(done: Predicted, card: Card, *, as_json: bool) -> None:
    from boxscore.cli import predict_text

    if as_json:
        from boxscore.model.json_text import to_json

        print(to_json({name: value for name, value in done.record.items() if name != "by_picture"}), flush=True)
    else:
        print("\n".join(predict_text.summary(done, card)), flush=True)
    for note in predict_text.notes(done):
        print(f"note: {note}", file=sys.stderr)
