"""A study's file: read, every mistake in it named with its key path."""

from __future__ import annotations

from pathlib import Path

from boxscore.io.yaml_fields import Field, Mistakes, WrongFieldError, attempt
from boxscore.study import read_anchors, read_models, read_sections
from boxscore.study.declared import Study
from boxscore.study.read_files import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from boxscore.study.declared import Pinned

FIELDS = (
    "study",
    "data",
    "taxonomy",
    "protocol",
    "models",
    "resampling",
    "tables",
    "comparisons",
    "anchors",
    "tolerance",
    "latency",
    "results",
    "report",
    "documents",
    "digits",
)
_DATA = ("ground_truth", "sha256", "format", "options", "reading", "labels")
_DIGITS = 3


def read(path: str | PathLike[str]) -> Study:
    """The study that a YAML file declares. Raises InputError that names file, key path and remedy of every mistake."""
    from boxscore.io import yaml_files

    file = Path(path)
    content = yaml_files.load(file)
    mistakes = Mistakes(str(file))
    for repeated, line in yaml_files.repeated_keys(file):
        mistakes.add(repeated, f"this key is given twice (again in line {line}); YAML would keep the last alone")
    study = attempt(Field(content, "", mistakes), _study, file)
    mistakes.stop_if_any()
    assert study is not None  # noqa: S101  a mistake was kept wherever reading stopped
    return study


def _study(top: Field, path: Path) -> Study:
    fields = top.fields(FIELDS, needed=("data", "models", "tables"))
    files = Files(path.parent)
    data = attempt(fields["data"], _data, files)
    scoring = read_sections.scoring(fields.get("protocol"), files)
    variants = attempt(fields["models"], read_models.variants, files) or {}
    resampling = read_sections.resampling(fields.get("resampling"), {})
    common = read_sections.Common(variants, resampling, scoring, files)
    # Without any model, all that names one would be told as another mistake.
    sections = read_sections.sections(fields, common) if variants else {}
    anchors = (
        read_anchors.anchors(fields.get("anchors"), fields.get("tolerance"), variants, sections) if variants else []
    )
    device, band = read_models.latency(fields.get("latency"))
    taxonomy = attempt(fields.get("taxonomy"), _taxonomy, files)
    outputs = _outputs(fields, files)
    title = attempt(fields.get("study"), Field.text) or path.stem
    digits = attempt(fields.get("digits"), Field.whole, 0, 12)
    top.mistakes.stop_if_any()
    assert data is not None  # noqa: S101  as in `read`
    return Study(
        path=path,
        title=title,
        ground_truth=data["ground_truth"],
        reading=data["reading"],
        data=data["data"],
        taxonomy=taxonomy,
        variants=variants,
        sections=sections,
        anchors=tuple(anchors),
        results=outputs["results"],
        report=outputs["report"],
        documents=outputs["documents"],
        digits=_DIGITS if digits is None else digits,
        device=device,
        band=band,
    )


def _data(given: Field, files: Files) -> dict[str, Any]:
    fields = given.fields(_DATA, needed=("ground_truth",))
    how = {
        "format": attempt(fields.get("format"), Field.text),
        "options": attempt(fields.get("options"), files.form_options),
        "labels": attempt(fields.get("labels"), Field.texts),
    }
    return {
        "ground_truth": files.pinned(fields["ground_truth"], fields.get("sha256")),
        "reading": attempt(fields.get("reading"), _reading) or {},
        "data": how,
    }


def _reading(given: Field) -> dict[str, Any]:
    from boxscore.model.reading import CHOICES

    known = {name: tuple(choice for choice in choices if choice is not None) for name, choices in CHOICES.items()}
    fields = given.fields(tuple(known))
    return {name: field.choice(known[name]) for name, field in fields.items() if name in known}


def _taxonomy(given: Field, files: Files) -> dict[str, Any] | Pinned:
    """A taxonomy's content, checked as a file of its own would be, or the path of one."""
    from boxscore.errors import InputError
    from boxscore.io.taxonomy import Taxonomy

    if isinstance(given.value, dict) and "file" not in given.value:
        fields = given.fields(("aliases", "drop"))
        content = {name: field.value for name, field in fields.items() if name in ("aliases", "drop")}
        if len(content) < len(fields):
            raise WrongFieldError  # what is left may make no sense without the fields that were mistaken
        source: dict[str, Any] | Pinned = content
        checked: Any = content
    else:
        source = files.path_or_pinned(given)
        checked = source.path
    try:
        Taxonomy.of(checked)
    except InputError as error:
        given.wrong(str(error))
    return source


def _outputs(fields: dict[str, Field], files: Files) -> dict[str, Any]:
    mistakes = fields["data"].mistakes
    results, written = (
        attempt(fields.get(name, Field(default, name, mistakes)), files.output)
        for name, default in (("results", "results.json"), ("report", "report.md"))
    )
    listed = attempt(fields.get("documents"), Field.items) or []
    documents = [attempt(item, files.document) for item in listed]
    seen: dict[Path, str] = {}
    for target in (results, written, *documents):
        if target is None:
            continue
        first = seen.setdefault(target.path.resolve(), target.where)
        if first != target.where:
            mistakes.add(target.where, f"{target.stated} is also what {first} names; each needs a file of its own")
    return {"results": results, "report": written, "documents": tuple(one for one in documents if one is not None)}
