"""docs/formats.md: its files are written as shown, its commands read them, and all forms give the same objects."""

import json
import re
import shlex
from pathlib import Path

import pytest

import boxscore
from boxscore.io.form_options import FormOptions
from boxscore.io.forms import FORMS, forms_with
from tests.support import command

PAGE = (Path(__file__).parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in PAGE.split("\n## ")[1:]}
OBJECTS = {("a", "chair", (50, 100, 100, 200)), ("a", "potted plant", (200, 100, 50, 100))}


def blocks(text: str) -> list[tuple[list[str], list[str]]]:
    """Each `$` line of the indented blocks as words, with the lines shown beneath it."""
    found: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((shlex.split(line.removeprefix("    $ ")), []))
        elif line.startswith("    "):
            found[-1][1].append(line.removeprefix("    "))
    return found


def commands(text: str) -> list[tuple[list[str], str]]:
    """Arguments of the text's `boxscore` commands, each with what it is shown to print (blanks and breaks alike)."""
    return [(words[1:], " ".join(" ".join(lines).split())) for words, lines in blocks(text) if words[0] == "boxscore"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all files that the page shows."""
    for words, lines in blocks(PAGE):
        if words[0] == "cat":
            file = tmp_path / words[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def stem(name: object) -> str:
    return str(name).removesuffix(".jpg")


def objects_of(path: Path) -> tuple[set[str], set[tuple[str, str, tuple[int, ...]]]]:
    """Images and objects of COCO's JSON, by name."""
    content = json.loads(path.read_text(encoding="utf-8"))
    images = {image["id"]: stem(image.get("file_name", image["id"])) for image in content["images"]}
    names = {category["id"]: category["name"] for category in content["categories"]}
    rows = [(images[row["image_id"]], names[row["category_id"]], tuple(row["bbox"])) for row in content["annotations"]]
    assert len(rows) == len(set(rows))
    return set(images.values()), set(rows)


@pytest.mark.parametrize("section", [name for name in SECTIONS if commands(SECTIONS[name])])
def test_commands_read_what_is_shown(section: str, folder: Path) -> None:
    for arguments, shown in commands(SECTIONS[section]):
        done = command.boxscore(*arguments, cwd=folder)
        assert done.status == 0, done.errors
        assert shown in " ".join(f"{done.output} {done.errors}".split())
        if arguments[0] == "eval":
            assert "maxDets=100 ] = 1.000" in done.output
        if section not in ("coco", "Converting", "shards"):  # these say themselves how they are read
            assert "override: --" in done.errors
        if arguments[0] == "convert" and arguments[2].endswith(".json"):
            assert objects_of(folder / arguments[2]) == ({"a", "b"}, OBJECTS)


def test_all_forms_have_a_section_with_commands(folder: Path) -> None:
    assert set(SECTIONS) == {"How forms are recognised", "Converting", *FORMS, "Arrays"}
    assert all(commands(SECTIONS[name]) for name in FORMS)
    assert objects_of(folder / "coco" / "gt.json") == ({"a", "b"}, OBJECTS)


def test_the_table_of_forms_is_true() -> None:
    rows = re.findall(r"^\| \[`([a-z-]+)`\]\(#([a-z-]+)\) \|([^|]*)\|([^|]*)\|", PAGE, re.MULTILINE)
    assert {name for name, _, _, _ in rows} == set(FORMS)
    assert [name for name, link, _, _ in rows if name != link] == []
    for column, what in ((2, "ground_truth"), (3, "predictions")):
        for verb, part in (("read", f"read_{what}"), ("written", f"write_{what}")):
            assert {row[0] for row in rows if verb in row[column]} == set(forms_with(part)), part


def test_all_options_are_told() -> None:
    usage = command.boxscore("eval", "--help").output
    known = set(re.findall(r"--[a-z][a-z-]+", usage))
    rows = [line for line in SECTIONS["How forms are recognised"].splitlines() if line.startswith("| `--")]
    told = set(re.findall(r"--[a-z][a-z-]+", " ".join(rows)))
    # What `bare_numbers` says is asked for by --assume fit.
    wanted = {f"--{field.replace('_', '-')}" for field in FormOptions.__slots__ if field != "bare_numbers"}
    wanted |= {option for option in known if re.match(r"--(gt|pred)-", option)}
    assert wanted <= told <= known


@pytest.mark.parametrize(("corners", "box"), [("plain", (50, 100, 100, 200)), ("pixels", (49, 99, 101, 201))])
def test_both_readings_of_whole_pixel_corners(folder: Path, corners: str, box: tuple[int, ...]) -> None:
    assert str(box) in SECTIONS["voc-xml"]
    done = command.boxscore("convert", "voc", "out.json", "--to", "coco", "--corners", corners, cwd=folder)
    assert done.status == 0, done.errors
    assert box in {row[2] for row in objects_of(folder / "out.json")[1]}


@pytest.mark.parametrize("form", forms_with("write_ground_truth"))
def test_what_is_held_is_true(folder: Path, form: str) -> None:
    """The table under `Converting`, held against what converting prints."""
    names = "image_id,file_name,label,x,y,w,h,area,crowd,ignore,difficult,group_of,image_width,image_height,colour"
    rows = "1,a.jpg,chair,50,100,100,200,7,1,1,1,1,500,400,red\n2,b.jpg,,,,,,,,,,,500,400,\n"
    (folder / "all.csv").write_text(f"{names}\n{rows}")
    target = "out.csv" if form in ("table", "open-images") else "out"
    done = command.boxscore("convert", "all.csv", target, "--to", form, "--json", cwd=folder)
    assert done.status == 0, done.errors
    lost = " ".join(done.report["lost"])
    held = {row[0]: row[1] for row in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", SECTIONS["Converting"], re.MULTILINE)}
    expected = {
        "crowd flags": "flags",
        "attribute colour": "attributes",
        "areas that are not": "areas that aren't width × height, image ids that are numbers",
        "image ids": "areas that aren't width × height, image ids that are numbers",
    }
    for words, row in expected.items():
        holders = held[row].split(";")[0]
        assert (words in lost) == (f"`{form}`" not in holders), (words, lost)
    assert ("file names" in lost) == (form in ("yolo", "text", "open-images"))
    assert ("sizes of images" in lost) == ("images without objects" in lost) == (form == "open-images")


def test_arrays() -> None:
    code = SECTIONS["Arrays"].split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {"boxscore": boxscore}
    exec(code, names)
    run = names["run"]
    assert isinstance(run, boxscore.Run)
    # One of two labels is found.
    assert abs((run.summary["AP"] or 0) - 0.5) < 1e-12


def test_no_page_links_to_what_is_not_there() -> None:
    docs = Path(__file__).parent.parent / "docs"
    for link in re.findall(r"\]\(([a-z-]+\.md)\)", PAGE):
        assert (docs / link).is_file(), link
