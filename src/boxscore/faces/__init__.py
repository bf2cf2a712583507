"""How small a face may be: identification of degraded faces against a gallery at native resolution."""

from __future__ import annotations

from boxscore.faces.card import load_embedder
from boxscore.faces.embedder import Embedder, FaceInput
from boxscore.faces.gallery import Gallery, GalleryActor, read_gallery, write_gallery
from boxscore.faces.measuring import MinSize, min_size
from boxscore.faces.options import Options

__all__ = [
    "Embedder",
    "FaceInput",
    "Gallery",
    "GalleryActor",
    "MinSize",
    "Options",
    "load_embedder",
    "min_size",
    "read_gallery",
    "write_gallery",
]
