"""Runs one ONNX model in the interpreter that started this script, and knows nothing of boxscore.

It needs numpy and onnxruntime there, whichever package brings it. Its one argument is JSON with `model`, `providers`
(names without `ExecutionProvider`, or None) and `threads`. It answers one line of JSON: `providers`, `onnxruntime`,
`packages`, `python`, or `error`. From then on each request on standard input is one line of JSON with `inputs`, and
each answer one with `milliseconds` and `outputs`, or `error`: lists of `name`, `type` and `shape` of the arrays, whose
bytes follow one after the other. (`.npy` would do, but numpy asks for the place in a file, which pipes don't have.)
"""

import importlib
import importlib.metadata
import json
import math
import os
import platform
import sys
import time
from typing import IO, Any

ENDING = "ExecutionProvider"
ERRORS_ALONE = 3
KINDS = {"tensor(float16)": "float16", "tensor(double)": "float64", "tensor(uint8)": "uint8", "tensor(int32)": "int32"}


def main() -> None:
    """Answer requests until standard input ends; whatever libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer
    try:
        session, told = opened(json.loads(sys.argv[1]))
    except Exception as error:  # noqa: BLE001  whatever a package does when it is imported is the answer
        say(answers, {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"})
        return
    say(answers, told)
    for line in requests:
        answer(session, json.loads(line), requests, answers)


def opened(asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The session, and what is told of it."""
    onnxruntime = importlib.import_module("onnxruntime")
    available = onnxruntime.get_available_providers()
    names = [provider(name, available) for name in asked["providers"] or ["CPU"]]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = ERRORS_ALONE
    options.inter_op_num_threads = 1
    if asked["threads"]:
        options.intra_op_num_threads = asked["threads"]
    session = onnxruntime.InferenceSession(asked["model"], options, providers=names)
    if session.get_providers()[0] != names[0]:
        message = f"{names[0]} failed to start, and ONNX Runtime fell back to {session.get_providers()[0]}"
        raise RuntimeError(message)
    told = {
        "providers": session.get_providers(),
        "onnxruntime": onnxruntime.__version__,
        "packages": packages(),
        "python": platform.python_version(),
    }
    return session, told


def provider(name: str, available: list[str]) -> str:
    """A provider's full name."""
    bare = name.lower().removesuffix(ENDING.lower())
    found = [one for one in available if one.lower().removesuffix(ENDING.lower()) == bare]
    if not found:
        known = ", ".join(one.removesuffix(ENDING) for one in available)
        message = f"there is no provider {name!r}; this ONNX Runtime has {known}"
        raise LookupError(message)
    return found[0]


def packages() -> dict[str, str]:
    """Distributions that bring a module onnxruntime, with their versions."""
    names = importlib.metadata.packages_distributions().get("onnxruntime", [])
    return {name: importlib.metadata.version(name) for name in sorted(set(names))}


def answer(session: Any, request: dict[str, Any], requests: IO[bytes], answers: IO[bytes]) -> None:  # noqa: ANN401  no types
    """Run one batch."""
    arrays = [received(requests, one) for one in request["inputs"]]
    wanted = session.get_inputs()
    # The first is the picture's, whatever the graph calls it.
    named = dict(zip([wanted[0].name, *(one["name"] for one in request["inputs"][1:])], arrays, strict=True))
    start = time.perf_counter()
    try:
        feeds = {one.name: named[one.name].astype(KINDS.get(one.type, named[one.name].dtype)) for one in wanted}
        outputs = session.run(None, feeds)
    except Exception as error:  # noqa: BLE001  ONNX Runtime's exceptions share no base of their own
        say(answers, {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"})
        return
    took = (time.perf_counter() - start) * 1000
    say(answers, {"milliseconds": took, "outputs": [described("", output) for output in outputs]})
    for output in outputs:
        answers.write(output.tobytes())
    answers.flush()


def described(name: str, array: Any) -> dict[str, Any]:  # noqa: ANN401  an array
    """What stands in the line before an array's bytes."""
    return {"name": name, "type": array.dtype.str, "shape": list(array.shape)}


def received(stream: IO[bytes], stated: dict[str, Any]) -> Any:  # noqa: ANN401  an array
    """The array that a line has announced."""
    import numpy as np

    kind = np.dtype(stated["type"])
    content = stream.read(kind.itemsize * math.prod(stated["shape"]))
    return np.frombuffer(content, kind).reshape(stated["shape"])


def say(answers: IO[bytes], content: dict[str, Any]) -> None:
    """One line of JSON."""
    answers.write(json.dumps(content).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
