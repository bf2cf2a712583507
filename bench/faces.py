"""Real figures for docs/faces.md: dlib's ResNet on the ORL faces, by the package's own functions.

    bench/faces.py ORL OUT [OPTIONS of boxscore faces min-size]

ORL is the folder att_faces (40 people, 10 pictures each). It needs dlib-bin and face-recognition-models, which are no
dependency of the package: an embedder is whatever has one method, and these are given to `min_size` as they are. With
--detector the ResNet is run on faces aligned by five points too. A principal component analysis of the people who are
not probed stands beside it, as an embedder of another kind.
"""

import argparse
import hashlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boxscore.cli import faces_tables
from boxscore.cli.faces_options import add_options, options_of
from boxscore.faces import Embedder, FaceInput, min_size
from boxscore.faces.degrade import Recipe
from boxscore.faces.detector import FaceDetector
from boxscore.faces.face import cut, prepared, whole_picture
from boxscore.faces.options import Options
from boxscore.faces.pictures import pictures_of
from boxscore.faces.split import split
from boxscore.model.whole_files import write_bytes
from boxscore.predict.read_picture import read
from boxscore.report import size_curve

MODEL = "models/dlib_face_recognition_resnet_model_v1.dat"
SIDE = 150
CROPPED = FaceInput(size=SIDE, margin=0.25)
POINTS = ((47.5, 43.5), (102.5, 43.5), (75.0, 77.0), (52.0, 99.5), (98.0, 99.5))
"""Where YuNet's five points lie in the faces that dlib aligns: the median over 43 faces of dlib's example pictures."""
ALIGNED = FaceInput(size=SIDE, alignment="five-point", points=POINTS)


class DlibResNet:
    """128 numbers from a face of 150 pixels, as dlib's own `compute_face_descriptor` gives them."""

    def __init__(self, name: str, prepared_as: FaceInput) -> None:
        import dlib

        found = importlib.util.find_spec("face_recognition_models")
        assert found is not None and found.submodule_search_locations  # noqa: PT018  one and the same question
        path = Path(found.submodule_search_locations[0]) / MODEL
        self.name = name
        self.input = prepared_as
        self.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self._model = dlib.face_recognition_model_v1(str(path))

    def embed(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        vectors = [np.array(self._model.compute_face_descriptor(np.ascontiguousarray(face))) for face in faces]
        found: NDArray[np.float32] = np.stack(vectors).astype(np.float32)
        return found


class Eigenfaces:
    """Weights of the first principal components of other people's faces, at 32 pixels."""

    name = "eigenfaces"
    input = FaceInput(size=32)

    def __init__(self, faces: NDArray[np.uint8], components: int = 40) -> None:
        self._mean = _grey(faces).mean(axis=0)
        _, scales, axes = np.linalg.svd(_grey(faces) - self._mean, full_matrices=False)
        self._axes = (axes[:components] / scales[:components, None]).T
        self.sha256 = hashlib.sha256(self._axes.tobytes()).hexdigest()

    def embed(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = ((_grey(faces) - self._mean) @ self._axes).astype(np.float32)
        return found


def _grey(faces: NDArray[np.uint8]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = faces.astype(np.float64).mean(axis=3).reshape(len(faces), -1)
    return found


def faces_of_others(folder: Path, asked: Options, detector: FaceDetector | None) -> NDArray[np.uint8]:
    """Native faces of the people who are not probed, as the eigenfaces take them."""
    chosen = split(
        pictures_of(folder).by_actor,
        actors=asked.actors,
        probes=asked.probes,
        seed=asked.seed,
        fits=asked.threshold is None,
    )
    faces = []
    for picture in chosen.others:
        seen = read(picture.path)
        square = whole_picture(seen.width, seen.height) if detector is None else detector.find(seen.rgb)[0]
        if square is not None:
            face = cut(seen.rgb, square, Eigenfaces.input, found=detector is not None)
            faces.append(prepared(face, Eigenfaces.input, None, Recipe(), ""))
    return np.stack(faces)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orl", type=Path)
    parser.add_argument("out", type=Path)
    add_options(parser)
    given = parser.parse_args()
    asked = options_of(given)
    detector = None if given.detector is None else FaceDetector.of(given.detector)
    embedders: list[Embedder] = [DlibResNet("dlib-aligned", ALIGNED)] if detector is not None else []
    embedders += [DlibResNet("dlib-cropped", CROPPED), Eigenfaces(faces_of_others(given.orl, asked, detector))]
    found = min_size(
        given.orl,
        embedders,
        asked,
        detector=detector,
        cache=given.out / "embeddings.sqlite",
        progress=sys.stderr,
    )
    found.write(given.out)
    write_bytes(given.out / "curve.png", size_curve.png(found.to_dict()))
    print("\n".join(faces_tables.lines(found)))
    print("\n".join(f"note: {note}" for note in found.notes), file=sys.stderr)


if __name__ == "__main__":
    main()
