"""On real pictures: a model through its card from the command line, and what BCCD's splits share."""

import hashlib
import json
import shutil
from pathlib import Path

from boxscore.cli import main
from boxscore.validate import hashes
from tests.validate import support

PICTURES = 4


def yolo(source: Path, folder: Path) -> Path:
    """A few pictures of the shared COCO subset as a YOLO data set."""
    content = json.loads((source / "instances_val164.json").read_text())
    names = [one["name"] for one in content["categories"]]
    numbers = {one["id"]: number for number, one in enumerate(content["categories"])}
    there = [one for one in content["images"] if (source / "images" / one["file_name"]).is_file()][:PICTURES]
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    (folder / "data.yaml").write_text(support.data_yaml(names))
    for image in there:
        name, width, height = image["file_name"], image["width"], image["height"]
        shutil.copyfile(source / "images" / name, folder / "images" / name)
        lines = []
        for one in content["annotations"]:
            if one["image_id"] == image["id"] and not one["iscrowd"]:
                x, y, w, h = one["bbox"]
                shares = ((x + w / 2) / width, (y + h / 2) / height, w / width, h / height)
                lines.append(f"{numbers[one['category_id']]} {' '.join(map(repr, shares))}\n")
        (folder / "labels" / f"{Path(name).stem}.txt").write_text("".join(lines))
    return folder


def test_from_model_bytes_to_a_record_that_verifies(data_folder: Path, tmp_path: Path) -> None:
    data = yolo(data_folder / "coco_val164", tmp_path / "data")
    model = data_folder / "models_coco80" / "yolox_nano.onnx"
    card = tmp_path / "card.yaml"
    card.write_text(
        f"name: yolox-nano\npreset: yolox\nmodel: {{path: {json.dumps(str(model))}, "
        f"sha256: {hashlib.sha256(model.read_bytes()).hexdigest()}}}\ninput: {{size: 416}}\n"
        "classes: data/data.yaml\nfloors: {default: 0.35}\nlicence: Apache-2.0\nredistribute: true\n"
    )
    for name in ("a", "b"):
        assert main(["validate", str(card), str(data), "--out", str(tmp_path / f"{name}.json")]) == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    stated = json.loads((tmp_path / "a.json").read_text())
    assert (stated["images"], stated["inference"]["path"]) == (PICTURES, "model")
    assert stated["micro"]["true_positive"] > 0
    assert main(["validate", "--verify", str(tmp_path / "a.json")]) == 0
    # The same boxes, predicted apart and handed in, give the same figures.
    predicted = tmp_path / "predicted.json"
    assert main(["predict", str(card), str(data / "images"), "--out", str(predicted)]) == 0
    options = ["--out", str(tmp_path / "c.json"), "--predictions", str(predicted)]
    assert main(["validate", str(card), str(data), *options]) == 0
    assert json.loads((tmp_path / "c.json").read_text())["micro"] == stated["micro"]
    record = json.loads((tmp_path / "predicted.json.run.json").read_text())
    record["by_picture"][0]["unreadable"] = "cut off"
    (tmp_path / "predicted.json.run.json").write_text(json.dumps(record))
    assert main(["validate", str(card), str(data), *options, "--overwrite"]) == 2


def test_bccds_validation_split_holds_one_twin_of_its_training_pictures(data_folder: Path) -> None:
    root = data_folder / "bccd" / "BCCD"
    names = {
        split: (root / "ImageSets" / "Main" / f"{split}.txt").read_text().split() for split in ("train", "val", "test")
    }
    found = {
        split: hashes.hashes([str(root / "JPEGImages" / f"{name}.jpg") for name in listed])
        for split, listed in names.items()
    }
    distance, place = hashes.nearest(found["val"], found["train"])
    twins = [(names["val"][i], names["train"][place[i]], int(distance[i])) for i in (distance <= 8).nonzero()[0]]
    assert twins == [("BloodImage_00037", "BloodImage_00038", 4)]
    assert sorted(distance)[1] == 14  # the next ones are as far apart as strangers
    assert hashes.nearest(found["test"], found["train"])[0].min() == 14
