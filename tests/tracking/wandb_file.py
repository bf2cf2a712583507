"""Reads a run that W&B keeps offline: `python -m tests.tracking.wandb_file FILE` prints its records as JSON.

A process of its own, as importing wandb starts more than a test should have about. The file is a log of records in
blocks of 32 KiB as LevelDB has them (checksum, length, kind: whole, first, middle, last), each a message of wandb's
own protocol.
"""

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_HEADER = 7
_BLOCK = 32 * 1024
_ENDS = (1, 4)


def records(data: bytes) -> Iterator[bytes]:
    """The records' bytes."""
    assert data[:4] == b":W&B", data[:_HEADER]
    at, held = _HEADER, b""
    while at + _HEADER <= len(data):
        left = _BLOCK - at % _BLOCK
        if left < _HEADER:
            at += left
            continue
        _, length, kind = struct.unpack("<IHB", data[at : at + _HEADER])
        held += data[at + _HEADER : at + _HEADER + length]
        at += _HEADER + length
        if kind in _ENDS:
            yield held
            held = b""


def read(path: Path) -> dict[str, Any]:
    """What was logged: the run, its config, its history by step, its summary, its artifacts, its exit status."""
    from wandb.proto.wandb_internal_pb2 import Record  # type: ignore[attr-defined]  # made when it is imported

    found: dict[str, Any] = {"config": {}, "history": [], "summary": {}, "artifacts": []}
    for data in records(path.read_bytes()):
        record = Record.FromString(data)
        kind = record.WhichOneof("record_type")
        if kind == "run":
            found["run"] = {"id": record.run.run_id, "name": record.run.display_name, "project": record.run.project}
            found["run"]["tags"] = list(record.run.tags)
            found["config"] |= values(record.run.config.update)
        elif kind == "history":
            found["history"].append(values(record.history.item))
        elif kind == "summary":
            found["summary"] |= values(record.summary.update)
        elif kind == "artifact":
            found["artifacts"].append(artifact(record.artifact))
        elif kind == "exit":
            found["exit"] = record.exit.exit_code
    return found


def values(items: Any) -> dict[str, Any]:
    """By name; a nested name as its parts joined by points."""
    return {item.key or ".".join(item.nested_key): json.loads(item.value_json) for item in items}


def artifact(stated: Any) -> dict[str, Any]:
    """Name, type, and by path the file that will be sent, with the digest that W&B wrote down."""
    files = {entry.path: {"file": entry.local_path, "md5": entry.digest} for entry in stated.manifest.contents}
    return {"name": stated.name, "type": stated.type, "files": files}


if __name__ == "__main__":
    json.dump(read(Path(sys.argv[1])), sys.stdout)
