"""Do two ways of running a card's model give the same boxes?

Two providers, two ONNX files, two cards, or two environments run on the same pictures; detections are paired, and the
largest differences are told. Exit status 1 where fewer agree than `--share` asks for.
"""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.predict.card import Card
    from boxscore.predict.parity_result import Limits
    from boxscore.predict.parity_runners import Side

DIFFERENT = 1
"""Exit status where the two sides don't give the same boxes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("card", metavar="CARD", help="model card: a YAML file")
    add("images", metavar="IMAGES", help="folder of pictures, or one picture")
    sides = parser.add_argument_group("the two sides, A and B; what isn't given is the same")
    add = sides.add_argument
    add("--providers", metavar="A,B", help="ONNX Runtime's providers: cpu,openvino (default: cpu,cpu)")
    add("--threads", metavar="A,B", help="threads of each side (default: all processors)")
    add("--card-b", metavar="CARD", help="another card for B")
    add("--model-b", metavar="FILE", help="another ONNX file for B, handled as the card says")
    add("--python-b", metavar="PYTHON", help="another interpreter for B, with numpy and onnxruntime")
    add(
        "--package-b", metavar="NAME[==VERSION]", help="an environment for B with this package, made where it's missing"
    )
    held = parser.add_argument_group("what counts as the same")
    add = held.add_argument
    add("--iou", metavar="T", type=float, default=0.99, help="least IoU of a pair (0.99)")
    add("--score", metavar="D", type=float, default=0.01, help="largest difference of scores (0.01)")
    add("--above", metavar="S", type=float, default=0.05, help="detections from this score on are held to it (0.05)")
    add("--share", metavar="P", type=float, default=0.99, help="share of the detections that must agree (0.99)")
    add = parser.add_argument
    add("--ground-truth", metavar="GT", help="print AP and AR of both sides, too")
    add("--taxonomy", metavar="FILE", help="YAML file that gives the ground truth's labels the card's names")
    add("--json", action="store_true", help="print everything as JSON")


def run(options: argparse.Namespace) -> int:
    """Run both sides, compare, print."""
    from boxscore.cli import parity_figures, parity_text
    from boxscore.predict.parity import compare

    if options.taxonomy is not None and options.ground_truth is None:
        raise InputError("--taxonomy names the labels of a ground truth; give that, too, with --ground-truth")
    limits = _limits(options)
    one, other = _sides(options)
    parity = compare(one, other, options.images, limits, _progress if sys.stderr.isatty() else None)
    figures = None
    if options.ground_truth is not None:
        figures = parity_figures.figures(options.ground_truth, parity, one.card.classes, options.taxonomy)
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(parity.to_dict() | {"figures": figures}), flush=True)
    else:
        print("\n".join(parity_text.lines(parity, figures)), flush=True)
    for told in parity.unreadable:
        print(f"error: {told}", file=sys.stderr)
    return 0 if parity.passes else DIFFERENT


def _limits(options: argparse.Namespace) -> Limits:
    from boxscore.predict.parity_result import Limits

    for name in ("iou", "score", "above", "share"):
        if not 0 <= getattr(options, name) <= 1:
            raise InputError(f"--{name} {getattr(options, name):g}: give a number from 0 to 1")
    return Limits(options.iou, options.score, options.share, options.above)


def _sides(options: argparse.Namespace) -> tuple[Side, Side]:
    from boxscore.predict.card import load_card
    from boxscore.predict.parity_runners import Side

    if options.python_b is not None and options.package_b is not None:
        raise InputError("--python-b and --package-b both say where B runs; give one of them")
    card = load_card(options.card)
    providers = _two(options.providers, "--providers")
    threads = [None if one is None else _count(one) for one in _two(options.threads, "--threads")]
    card_b = _card_b(options, card)
    python = options.python_b if options.package_b is None else _environment(options.package_b)
    lists = [None if one is None else [one] for one in providers]
    return Side("A", card, lists[0], threads[0]), Side("B", card_b, lists[1], threads[1], python)


def _card_b(options: argparse.Namespace, card: Card) -> Card:
    from boxscore.predict.card import load_card
    from boxscore.predict.parity_runners import with_model

    card_b = card if options.card_b is None else load_card(options.card_b)
    return card_b if options.model_b is None else with_model(card_b, options.model_b)


def _two(text: str | None, option: str) -> list[str | None]:
    if text is None:
        return [None, None]
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (1, 2) or not all(parts):
        raise InputError(f"{option} {text!r}: give one for each side, joined by a comma, or one for both")
    return [parts[0], parts[-1]]


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"--threads {text!r}: give whole numbers from 1 up, like 1,2")
    return int(text)


def _environment(package: str) -> str:
    """The interpreter of an environment with a package that brings ONNX Runtime."""
    from boxscore.drift import environments
    from boxscore.drift.scorers import Asked, Scorer

    name, _, version = (part.strip() for part in package.partition("=="))
    if not name.lower().replace("_", "-").startswith("onnxruntime"):
        raise InputError(f"--package-b {package!r}: give a package that brings ONNX Runtime, like onnxruntime-openvino")
    asked = Asked(Scorer(name, "onnxruntime"), version or None)
    return str(environments.python_for(asked, lambda told: print(f"{told} …", file=sys.stderr, flush=True)))


def _progress(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} pictures", end=end, file=sys.stderr, flush=True)
