"""A run logged to Weights & Biases. The one home of the package `wandb`."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.tracking.logged import Logged, missing
from boxscore.tracking.names import WANDB
from boxscore.tracking.record import NAMES_FILE, REPORT_FILES, RUN_FILES, names_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import wandb

    from boxscore.tracking.record import Record

_LONGEST_TAG = 64
_PATIENCE = 30
"""Seconds until a server that does not answer is given up, where the user sets none."""
_ARTIFACT_TYPE = "boxscore-run"


def log(record: Record, *, project: str, tags: Mapping[str, str]) -> Logged:
    """Log to a project, online or, with the variable WANDB_MODE=offline, to a folder that `wandb sync` sends later.

    Raises InputError where wandb is not installed, nobody is logged in, or the service refuses; a run that was begun is
    then marked as failed.
    """
    try:
        import wandb
    except ImportError:
        raise missing("W&B", "wandb") from None
    texts = [f"{key}={value}" for key, value in tags.items()]
    long = next((text for text in texts if len(text) > _LONGEST_TAG), None)
    if long is not None:
        raise InputError(f"--tag {long}: W&B takes at most {_LONGEST_TAG} characters; give a shorter value")
    try:
        return _log(record, project, texts, dict(tags))
    except InputError:
        raise
    except (wandb.errors.Error, ValueError) as error:  # ValueError: a variable WANDB_… with a value that can't be
        problem = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            f"W&B can't take the run: {problem} (WANDB_MODE=offline keeps it in a folder until it is sent)"
        ) from None


def _log(record: Record, project: str, tags: list[str], tagged: dict[str, str]) -> Logged:
    import wandb

    if os.environ.get("WANDB_MODE") == "disabled":
        raise InputError("WANDB_MODE=disabled: W&B would log nothing; set it to online or offline")
    names = WANDB.names([figure for figure, _ in [*record.figures, *record.undefined]])
    name_of = {figure: name for name, figure in names.items()}
    undefined = {name_of[figure]: reason for figure, reason in record.undefined}
    config = record.parameters | {"undefined": undefined} | ({"tags": tagged} if tagged else {})
    with wandb.init(project=project, name=record.name, tags=tags, config=_nested(config), settings=_settings()) as run:
        # Charts are drawn of what is logged as history: only of figures over all, not of hundreds of labels.
        overall = {figure: value for figure, value in record.figures if figure.label is None and figure.slice is None}
        run.log({name_of[figure]: value for figure, value in overall.items()})
        run.summary.update({name_of[figure]: value for figure, value in record.figures if figure not in overall})
        artifact = _artifact(record, names_text(names))
        run.log_artifact(artifact)
        counts = {
            "parameters": len(record.parameters),
            "metrics": len(record.figures),
            "undefined": len(record.undefined),
            "artifacts": len(artifact.manifest.entries),
        }
        sent = run.settings.mode == "online"
        return Logged(
            "wandb",
            project=project,
            name=record.name,
            run_id=run.id,
            counts=counts,
            url=run.url if sent else None,
            folder=None if sent else run.settings.sync_dir,
        )


def _artifact(record: Record, names: str) -> wandb.Artifact:
    import wandb

    digest: str = record.parameters["run.digest"]
    # One artifact a run: the same folder logged twice is the same version of it.
    artifact = wandb.Artifact(f"boxscore-{digest[:16]}", type=_ARTIFACT_TYPE, metadata={"run.digest": digest})
    for path, file in record.files.items():
        artifact.add_file(str(file), name=f"{RUN_FILES}/{path}")
    if record.report is not None:
        artifact.add_file(str(record.report), name=f"{REPORT_FILES}/{record.report.name}")
    with artifact.new_file(NAMES_FILE) as writer:
        writer.write(names)
    return artifact


def _nested(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """`protocol.name` as `{"protocol": {"name": …}}`: W&B shows and filters by points of its own."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        *sections, last = name.split(".")
        place = found
        for section in sections:
            place = place.setdefault(section, {})
        place[last] = value
    return found


def _settings() -> wandb.Settings:
    """Nothing of the machine that logs is recorded, as it isn't the one that was measured; and nothing is printed."""
    import wandb

    return wandb.Settings(
        silent=True,
        console="off",
        disable_git=True,
        save_code=False,
        x_disable_stats=True,
        x_disable_meta=True,
        x_disable_machine_info=True,
        x_save_requirements=False,
        # Its own 90 are long to wait for a wrong address.
        init_timeout=float(os.environ.get("WANDB_INIT_TIMEOUT", _PATIENCE)),
    )
