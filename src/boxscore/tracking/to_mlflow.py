"""A run logged to MLflow. The one home of the package `mlflow`, of which the slim `mlflow-skinny` is enough."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath

from boxscore.errors import InputError
from boxscore.tracking.logged import Logged, batches, missing
from boxscore.tracking.names import MLFLOW
from boxscore.tracking.record import NAMES_FILE, REPORT_FILES, RUN_FILES, names_text, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mlflow.tracking import MlflowClient

    from boxscore.tracking.names import Figure
    from boxscore.tracking.record import Record

_MOST_METRICS = 1000
_MOST_OTHERS = 100
"""What MLflow takes in one request, metrics and parameters or tags."""

_URI = "MLFLOW_TRACKING_URI"
_SETTINGS = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2", "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true"}
"""Its own seven retries would keep a person waiting for four minutes until a wrong address is told; and results on
standard output are ours."""


def log(record: Record, *, project: str, tags: Mapping[str, str], uri: str | None = None) -> Logged:
    """Log to the experiment `project`, which is made where it is missing.

    `uri` is the server's address (None: MLFLOW_TRACKING_URI). Raises InputError where mlflow is not installed, no
    address is given, or the server refuses; a run that was begun is then marked as failed.
    """
    address = uri or os.environ.get(_URI)
    if not address:
        raise InputError(
            f"which MLflow server? give --tracking-uri, such as http://localhost:5000, or set the variable {_URI}"
        )
    with _settings():
        try:
            from mlflow.exceptions import MlflowException
            from mlflow.tracking import MlflowClient
        except ImportError:
            raise missing("MLflow", "mlflow-skinny") from None
        try:
            return _log(MlflowClient(tracking_uri=address), record, project, tags, address)
        except MlflowException as error:
            raise _refused(address, error) from None
        except ImportError as error:
            # A database or a cloud's store as address needs what the slim package leaves out.
            raise InputError(
                f"MLflow at {address} needs the package {error.name}; install it, or MLflow whole: `pip install mlflow`"
            ) from None


def _log(client: MlflowClient, record: Record, project: str, tags: Mapping[str, str], address: str) -> Logged:
    from mlflow.exceptions import MlflowException

    experiment = client.get_experiment_by_name(project)
    experiment_id = client.create_experiment(project) if experiment is None else experiment.experiment_id
    run_id = client.create_run(experiment_id, run_name=record.name).info.run_id
    try:
        counts = _fill(client, run_id, record, tags)
    except BaseException:
        with suppress(MlflowException):  # the server may be gone, which is what is told
            client.set_terminated(run_id, "FAILED")
        raise
    client.set_terminated(run_id)
    page = f"{address.rstrip('/')}/#/experiments/{experiment_id}/runs/{run_id}"
    url = page if address.startswith(("http://", "https://")) else None
    return Logged("mlflow", project=project, name=record.name, run_id=run_id, counts=counts, url=url)


def _fill(client: MlflowClient, run_id: str, record: Record, tags: Mapping[str, str]) -> dict[str, int]:
    import time

    from mlflow.entities import Metric, Param, RunTag

    names = MLFLOW.names([figure for figure, _ in [*record.figures, *record.undefined]])
    name_of: dict[Figure, str] = {figure: name for name, figure in names.items()}
    now = int(time.time() * 1000)
    metrics = [Metric(name_of[figure], value, now, 0) for figure, value in record.figures]
    parameters = [Param(name, text_of(value)) for name, value in record.parameters.items()]
    told = {f"undefined/{name_of[figure]}": reason for figure, reason in record.undefined}
    run_tags = [RunTag(key, value) for key, value in (told | dict(tags)).items()]
    for some_parameters in batches(parameters, _MOST_OTHERS):
        client.log_batch(run_id, params=some_parameters)
    for some_tags in batches(run_tags, _MOST_OTHERS):
        client.log_batch(run_id, tags=some_tags)
    for some_metrics in batches(metrics, _MOST_METRICS):
        client.log_batch(run_id, metrics=some_metrics)
    for path, file in record.files.items():
        client.log_artifact(run_id, str(file), str(PurePosixPath(RUN_FILES, path).parent))
    if record.report is not None:
        client.log_artifact(run_id, str(record.report), REPORT_FILES)
    client.log_text(run_id, names_text(names), NAMES_FILE)
    artifacts = len(record.files) + (record.report is not None) + 1
    return {
        "parameters": len(parameters),
        "metrics": len(metrics),
        "undefined": len(record.undefined),
        "artifacts": artifacts,
    }


def _refused(address: str, error: Exception) -> InputError:
    problem = " ".join(str(error).split())
    if "failed with exception" in problem:
        reason = re.search(r"\[Errno -?\d+\] [^\"')]+", problem)
        told = f" ({reason[0]})" if reason else ""
        return InputError(f"MLflow at {address} can't be reached{told}; check the address, and that the server runs")
    shortened = problem if len(problem) <= 400 else f"{problem[:400]} …"
    return InputError(f"MLflow at {address} refuses the run: {shortened}")


@contextmanager
def _settings() -> Iterator[None]:
    """MLflow's settings for the time of logging, where the user made none."""
    added = {name: value for name, value in _SETTINGS.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
