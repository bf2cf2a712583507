"""Eigenfaces as an ONNX model with its card: built from other people's faces, in the test that needs them."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from boxscore.io import yaml_files


def principal_axes(faces: NDArray[np.uint8], components: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean [1, d] and whitened axes [d, components] of faces, uint8 RGB [n, s, s, 3]; d = 3 * s * s, channels first."""
    rows = faces.transpose(0, 3, 1, 2).reshape(len(faces), -1) / 255.0
    mean = rows.mean(axis=0, keepdims=True)
    _, scales, axes = np.linalg.svd(rows - mean, full_matrices=False)
    return mean.astype(np.float32), (axes[:components] / scales[:components, None]).T.astype(np.float32)


def write_model(path: Path, mean: NDArray[np.float32], axes: NDArray[np.float32], side: int) -> Path:
    """`(flatten(x) - mean) @ axes`, for x [batch, 3, side, side] in 0..1."""
    graph = helper.make_graph(
        [
            helper.make_node("Flatten", ["faces"], ["flat"], axis=1),
            helper.make_node("Sub", ["flat", "mean"], ["centred"]),
            helper.make_node("MatMul", ["centred", "axes"], ["embeddings"]),
        ],
        "eigenfaces",
        [helper.make_tensor_value_info("faces", TensorProto.FLOAT, ["batch", 3, side, side])],
        [helper.make_tensor_value_info("embeddings", TensorProto.FLOAT, ["batch", axes.shape[1]])],
        [numpy_helper.from_array(mean, "mean"), numpy_helper.from_array(axes, "axes")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
    return path


def write_card(path: Path, model: Path, **settings: Any) -> Path:
    """A card beside its model; `settings` are further fields of `input`."""
    settings = {"alignment": "none", "channels": "rgb", "normalise": {"divide": 255}, **settings}
    content = {
        "name": path.stem,
        "model": {"path": model.name, "sha256": hashlib.sha256(model.read_bytes()).hexdigest()},
        "input": settings,
        "licence": "MIT",
        "redistribute": True,
    }
    path.write_text(yaml_files.dump(content))
    return path


def embedder_of(folder: Path, faces: NDArray[np.uint8], components: int = 20, name: str = "eigenfaces") -> Path:
    """The card of eigenfaces fitted on faces, uint8 RGB [n, s, s, 3]."""
    mean, axes = principal_axes(faces, components)
    model = write_model(folder / f"{name}.onnx", mean, axes, faces.shape[1])
    return write_card(folder / f"{name}.yaml", model, size=faces.shape[1])
