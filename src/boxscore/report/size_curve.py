"""A picture of how identification falls with the size of faces, and how its errors grow with the gallery."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType
    from typing import Any

_INSTALL = "the curve is drawn with altair and vl-convert-python; pip install 'boxscore[report]'"
_TPI, _FPI = "#1b6ca8", "#c0392b"
_DASHES = [[1, 0], [5, 3]]
_WIDTH = 380
_ABREAST = 3
_LEAST_FPI = 0.01
"""Where its axis ends at the least, so that no false positives lie on the ground."""
NATIVE = "native"


def png(content: Mapping[str, Any]) -> bytes:
    """The PNG of a result (`min_size.json`): an embedder a column, three abreast, sizes above, galleries below.

    The same result gives the same specification. Raises InputError where Altair or vl-convert is missing.
    """
    try:
        import vl_convert
    except ImportError:
        raise InputError(_INSTALL) from None
    alt = _altair()
    margin = float(content["options"]["margin"])
    columns = [
        alt.vconcat(_by_size(alt, one, margin), _by_gallery(alt, one)).resolve_scale(
            color="independent", strokeDash="independent"
        )
        for one in content["embedders"]
    ]
    with alt.theme.enable("none"):
        row = alt.concat(*columns, columns=_ABREAST).resolve_scale(color="independent", strokeDash="independent")
        chart = row.configure_view(stroke="#cccccc").configure_axis(gridColor="#eeeeee")
        spec = chart.properties(background="white", padding=16).to_dict()
    version = alt.SCHEMA_VERSION.rpartition(".")[0]
    return _small(vl_convert.vegalite_to_png(spec, vl_version=version, scale=2))


def _small(drawn: bytes) -> bytes:
    """The same pixels in a fifth of the bytes: vl-convert packs loosely, and keeps a transparency that isn't used."""
    from io import BytesIO

    from PIL import Image

    held = BytesIO()
    Image.open(BytesIO(drawn)).convert("RGB").save(held, "PNG", optimize=True)
    return held.getvalue()


def _by_size(alt: ModuleType, embedder: Mapping[str, Any], margin: float) -> Any:  # noqa: ANN401  one of altair's charts
    """TPI and FPI from the smallest size up to native; the rule is native TPI less the margin.

    Sizes at which less than half of the probes were degraded show other probes, and are left out.
    """
    tested = _of_most(embedder)
    names = [NATIVE if one["size"] is None else str(one["size"]) for one in tested]
    rows = [
        {"size": name, "rate": rate, **{end: one[rate][end] for end in ("value", "low", "high")}}
        for name, one in zip(names, tested, strict=True)
        for rate in ("TPI", "FPI")
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("size:O", sort=names, title="size of the face, pixels", axis=alt.Axis(labelAngle=0)),
        color=alt.Color("rate:N", scale=alt.Scale(domain=["TPI", "FPI"], range=[_TPI, _FPI]), legend=_legend(alt)),
    )
    share = alt.Y("value:Q", title="share of probes", scale=alt.Scale(domain=[0, 1]))
    lines = base.mark_line(strokeWidth=2).encode(
        y=share, strokeDash=alt.StrokeDash("rate:N", legend=None, scale=alt.Scale(domain=["TPI", "FPI"], range=_DASHES))
    )
    points = base.mark_point(filled=True, size=50, opacity=1).encode(y=share)
    whiskers = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title="share of probes"), y2="high:Q")
    native = next(one["TPI"]["value"] for one in embedder["sizes"] if one["size"] is None)
    rule = (
        alt.Chart(alt.Data(values=[{"value": max(native - margin, 0.0)}]))
        .mark_rule(strokeDash=[2, 3], color="#555555")
        .encode(y=alt.Y("value:Q"))
    )
    return alt.layer(rule, whiskers, lines, points).properties(
        width=_WIDTH, height=240, title=_title(alt, embedder, margin)
    )


def _of_most(embedder: Mapping[str, Any]) -> list[Any]:
    """Sizes at which at least half of the probes were degraded, the smallest first; native last."""
    return [one for one in reversed(embedder["sizes"]) if one["TPI"]["trials"] >= max(one["native_probes"], 1)]


def _title(alt: ModuleType, embedder: Mapping[str, Any], margin: float) -> Any:  # noqa: ANN401  as above
    smallest = embedder["smallest"]["size"]
    told = "no size" if smallest is None else f"from {smallest} px"
    under = f"dotted: native TPI less {margin:g}; {told} within it"
    return alt.TitleParams(embedder["name"], subtitle=under, anchor="start", subtitleColor="#555555")


def _by_gallery(alt: ModuleType, embedder: Mapping[str, Any]) -> Any:  # noqa: ANN401  as above
    """FPI by gallery size, counted in full lines, modelled in dashes that start where counting ends."""
    rows = []
    for one in _of_most(embedder):
        name = NATIVE if one["size"] is None else f"{one['size']} px"
        sizes = [row for row in one["by_gallery_size"]["sizes"] if row["value"] is not None]
        counted = [row for row in sizes if row["kind"] == "counted"]
        rows += [{"gallery": row["actors"], "value": row["value"], "size": name, "kind": "counted"} for row in counted]
        rows += [
            {"gallery": row["actors"], "value": row["value"], "size": name, "kind": "modelled"}
            for row in (*counted[-1:], *(row for row in sizes if row["kind"] == "modelled"))
        ]
    order = list(dict.fromkeys(row["size"] for row in rows))
    highest = max((row["value"] for row in rows), default=0.0)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("gallery:Q", scale=alt.Scale(type="log"), title="actors in the gallery"),
        y=alt.Y("value:Q", title="FPI", scale=alt.Scale(domain=[0, max(highest, _LEAST_FPI)])),
        color=alt.Color("size:N", sort=order, legend=_legend(alt), scale=alt.Scale(scheme="viridis")),
    )
    kinds = alt.StrokeDash(
        "kind:N", legend=_legend(alt), scale=alt.Scale(domain=["counted", "modelled"], range=_DASHES)
    )
    # Points in a layer of their own: in one with the lines, they take the strokes from the legend of dashes.
    layers = alt.layer(
        base.mark_line(strokeWidth=2).encode(strokeDash=kinds), base.mark_point(filled=True, size=25, opacity=1)
    )
    return layers.properties(width=_WIDTH, height=200)


def _legend(alt: ModuleType) -> Any:  # noqa: ANN401  as above
    return alt.Legend(title=None, orient="right", symbolType="stroke", symbolStrokeWidth=2, symbolSize=250)


def _altair() -> ModuleType:
    try:
        import altair as alt
    except ImportError:
        raise InputError(_INSTALL) from None
    return alt
