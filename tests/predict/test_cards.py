"""Model cards: what is read, what is refused and how, presets, variants, words."""

import json
import re
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.predict import card_presets, decoders
from boxscore.predict.card import load_card
from boxscore.predict.card_parts import Nms, Normalise, Reproduction
from boxscore.predict.card_variants import OPTIONS
from tests.predict.cards import FULL, SHA256, SHORT, written


def refused(folder: Path, text: str, **overrides: object) -> str:
    with pytest.raises(InputError) as raised:
        load_card(written(folder, text), **overrides)
    return str(raised.value)


def test_a_full_card(tmp_path: Path) -> None:
    card = load_card(written(tmp_path))
    assert (card.name, card.variant_name, card.preset) == ("sample", "sample", None)
    assert Path(card.model.path) == tmp_path / "sample.onnx"
    assert (card.model.stated, card.model.sha256) == ("sample.onnx", SHA256)
    assert (card.input.size, card.input.resize, card.input.align) == ((416, 320), "letterbox", "centre")
    assert card.input.pad == (114.0, 114.0, 114.0)
    assert card.input.scale_up is False
    assert card.input.normalise == Normalise(255, (0.5, 0.4, 0.3), (0.25, 0.25, 0.25))
    assert card.output.nms == Nms(0.7, per_label=True, before_floor=True)
    assert (card.output.top_k, card.output.clip, card.output.least_score) == (300, True, 0.01)
    assert card.classes == ("cat", "dog")
    assert (card.floors.default, card.floors.by_label) == (0.35, {"dog": 0.5})
    assert (card.licence, card.redistribute, card.reproduction) == ("Apache-2.0", True, None)


def test_a_preset_fills_in_and_the_card_has_the_last_word(tmp_path: Path) -> None:
    card = load_card(written(tmp_path, SHORT + "input: {size: 416}\noutput: {nms: {iou: 0.45}, top_k: null}\n"))
    preset = card_presets.settings("yolox")
    assert card.preset == "yolox"
    assert card.input.size == (416, 416)
    assert (card.input.pad, card.input.channels) == (preset[0].pad, preset[0].channels)
    assert card.output.nms == Nms(0.45)
    assert card.output.top_k is None
    assert load_card(written(tmp_path, SHORT + "output: {nms: none}\n")).output.nms is None


@pytest.mark.parametrize("name", card_presets.shipped())
def test_every_preset_is_whole_and_has_its_decoder(name: str) -> None:
    own = {"input": {"size": 560}} if name.startswith("rf-detr") else {}
    _, output = card_presets.settings(name, own)
    assert callable(decoders.built_in(output.decoder))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  resize: letterbox", "  resize: stretched", "input.resize: it is 'stretched'; it must be one of letterbox"),
        (
            "  align: centre",
            "  align: centre\n  allign: top",
            "input.allign: there is no such field; did you mean align?",
        ),
        ("  pad: 114\n", "", "input: pad is missing; letterbox needs it"),
        ("size: [416, 320]", "size: [416, 320, 3]", "input.size: it has 3 numbers"),
        ("size: [416, 320]", "size: [416, 0]", "input.size[1]: it is 0; it must be a whole number from 1 to 16384"),
        ("mean: [0.5, 0.4, 0.3]", "mean: [0.5, 0.4]", "input.normalise.mean: it has 2 numbers"),
        ("std: 0.25", "std: 0", "input.normalise.std: it is 0; it must be a number of 1e-09 or more"),
        ("scale_up: false", "scale_up: 'no'", "input.scale_up: it is 'no'; it must be true or false"),
        ("iou: 0.7", "iou: 70", "output.nms.iou: it is 70; it must be a number from 0 to 1"),
        ("  decoder: yolov8\n", "", "output: decoder is missing"),
        ("decoder: yolov8", "decoder: yolov88", "output.decoder: there is no decoder 'yolov88'; there are yolox, "),
        ("dog: 0.5", "dig: 0.5", "floors.labels.dig: the model has no class 'dig'; did you mean dog?"),
        ("default: 0.35", "default: .nan", "floors.default: it is nan"),
        ("[cat, dog]", "[cat, cat]", "classes: the given list: classes 0 and 1 are both named"),
        ("[cat, dog]", "names.txt", "classes: 'names.txt' is not there"),
        ("licence: Apache-2.0\n", "", "licence is missing"),
        ("redistribute: true", "redistribute: false", "reproduction is missing: the weights may not be passed on"),
        ("path: sample.onnx", "path: other.onnx", "model.path: 'other.onnx' is not there"),
        (SHA256, "a" * 64, f"model.sha256: sample.onnx has SHA-256 {SHA256}, and not {'a' * 64}"),
        (SHA256, "abc", "model.sha256: 'abc' is no SHA-256"),
        ("  pad: 114", "  pad: 114\n  pad: 0", "input.pad: this key is given twice (again in line"),
        ("name: sample", "preset: yolo", "preset: there is no preset 'yolo'; did you mean yolox"),
        ("rounding: round", "rounding: round\n  stride: 64", "input.size: 416 × 320 are no multiples of the stride 64"),
    ],
)
def test_each_mistake_is_told_with_its_key_path(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in FULL
    message = refused(tmp_path, FULL.replace(old, new))
    assert f"{tmp_path / 'card.yaml'}: {told}" in message


def test_all_mistakes_are_told_together(tmp_path: Path) -> None:
    message = refused(tmp_path, FULL.replace("  resize: letterbox", "  resize: bend").replace("iou: 0.7", "iou: x"))
    assert "has 2 mistakes:" in message
    assert re.search(r"^  input\.resize: ", message, re.MULTILINE)
    assert re.search(r"^  output\.nms\.iou: ", message, re.MULTILINE)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just words\n", "preset: [yolox]\n"])
def test_what_is_no_card_is_refused(tmp_path: Path, text: str) -> None:
    assert str(tmp_path / "card.yaml") in refused(tmp_path, text)


def test_a_model_that_is_a_pointer_is_named_as_one(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "sample.onnx").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n")
    with pytest.raises(InputError, match=r"model\.path: 'sample.onnx' is a Git LFS pointer.*git lfs pull"):
        load_card(path)


def test_weights_that_stay_private_need_a_way_to_them(tmp_path: Path) -> None:
    private = FULL.replace("redistribute: true", "redistribute: false")
    card = load_card(written(tmp_path, private + "reproduction:\n  source: the authors\n  steps: [ask, export]\n"))
    assert card.reproduction == Reproduction("the authors", ("ask", "export"))
    assert "reproduction: steps is missing" in refused(tmp_path, private + "reproduction: {source: the authors}\n")


def test_class_names_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("cat\ndog\n")
    assert load_card(written(tmp_path, FULL.replace("[cat, dog]", "names.txt"))).classes == ("cat", "dog")


def test_an_override_makes_a_named_variant_and_is_recorded(tmp_path: Path) -> None:
    path = written(tmp_path)
    card = load_card(path)
    variant = load_card(path, input_size=640, nms_iou=0.5, top_k=None)
    assert (variant.input.size, variant.output.nms) == ((640, 640), Nms(0.5))
    assert variant.variant_name == "sample (input_size=640x640, nms_iou=0.5)"
    assert variant.to_dict()["variant"] == {"input_size": 640, "nms_iou": 0.5}
    assert variant.digest() != card.digest()
    assert variant.variant_name in variant.steps()[0]


def test_an_override_that_changes_nothing_makes_no_variant(tmp_path: Path) -> None:
    path = written(tmp_path)
    same = load_card(path, input_size=(416, 320), pad=114, clip=True)
    assert same.variant == {}
    assert same.digest() == load_card(path).digest()


def test_wrong_overrides_are_refused(tmp_path: Path) -> None:
    assert "there is no option 'input_sise' of a card; did you mean input_size?" in refused(
        tmp_path, FULL, input_sise=640
    )
    assert "input.resize: it is 'bend'" in refused(tmp_path, FULL, resize="bend")


def test_every_option_reaches_a_field_that_there_is(tmp_path: Path) -> None:
    stated = load_card(written(tmp_path)).to_dict()
    for path in OPTIONS.values():
        value = stated
        for key in path:
            value = value[key]


def test_the_record_is_json_and_the_same_wherever_the_card_lies(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    first, second = load_card(written(here)), load_card(written(there))
    assert first.to_dict() == second.to_dict()
    assert json.loads(json.dumps(first.to_dict())) == first.to_dict()
    assert str(tmp_path) not in json.dumps(first.to_dict())


def test_steps_in_words(tmp_path: Path) -> None:
    assert load_card(written(tmp_path)).steps() == [
        f"Model: sample.onnx (sample), SHA-256 {SHA256[:12]}…, 2 classes.",
        (
            "The picture is resized within 416 × 320, its ratio kept, never scaled up; the new size is rounded (OpenCV "
            "linear); boxes go back by the ratio of the sides, new to old, of each axis."
        ),
        "It lies in the centre (odd pixels right and below) of 416 × 320; the rest is 114.",
        "Channels in the order RGB; levels divided by 255, less 0.5 0.4 0.3, divided by 0.25 0.25 0.25.",
        "Outputs by the decoder yolov8; scores from 0.01 on are kept.",
        "Non-maximum suppression at IoU 0.7 within each label, before the floors.",
        "At most 300 detections a picture, by score over all labels.",
        "Boxes back in pixels of the picture, clipped at the picture's edges.",
        "Floors, applied when scoring and not when predicting: 0.35 (dog 0.5).",
    ]


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("fastestdet", "stretched to 352 × 352, its ratio not kept (OpenCV area)"),
        ("deim", "Second input orig_target_sizes: width, height of the model's input, int64."),
        ("deim", "No non-maximum suppression."),
        ("yunet", "The picture keeps its size."),
        ("yunet", "smallest sides that are multiples of 32; the rest is 0."),
        ("ultralytics-val-rect", "multiples of 32 (after 0.5 more are added)"),
        ("yolox", "levels 0 to 255 as they are"),
    ],
)
def test_presets_in_words(tmp_path: Path, preset: str, said: str) -> None:
    card = load_card(written(tmp_path, SHORT.replace("yolox", preset)))
    assert any(said in step for step in card.steps()), card.steps()
