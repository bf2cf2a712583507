"""Vega-Lite specifications through Altair: the one home of altair and vl-convert.

Colours come from the page's theme, but for the sequential ones; series differ by dash and shape too.
"""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    Rows = Sequence[dict[str, Any]]
    Spec = dict[str, Any]

_INSTALL = (
    "a report as HTML draws with altair and vl-convert-python; pip install 'boxscore[report]', or write a .md file"
)
_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]]
_MOST_POINTS = 200
_MOST_NUMBERED = 24
"""Labels in a matrix whose squares have room for numbers."""


def scripts() -> str:
    """Vega, Vega-Lite and the embedder in one script, put into the page once. Raises InputError where it is missing."""
    try:
        import vl_convert
    except ImportError:
        raise InputError(_INSTALL) from None
    # The same major and minor as the specifications'.
    version = _altair().SCHEMA_VERSION.rpartition(".")[0]
    # Its stub asks for a snippet, which may be left out.
    bundle: str = vl_convert.javascript_bundle(None, vl_version=version)  # type: ignore[arg-type]
    return bundle


def precision_recall(rows: Rows) -> Spec:
    """Rows: recall, precision, curve."""
    alt = _altair()
    curve = _series(alt, "curve")
    chart = (
        alt.Chart(alt.NamedData("points"))
        .mark_line(interpolate="step-before", strokeWidth=2)
        .encode(
            x=_unit(alt, "recall", "recall"),
            y=_unit(alt, "precision", "precision"),
            tooltip=[
                alt.Tooltip("curve:N"),
                alt.Tooltip("recall:Q", format=".2f"),
                alt.Tooltip("precision:Q", format=".3f"),
            ],
            **curve,
        )
    )
    return _spec(chart, 300, points=rows)


def confidence_rows(confidences: Sequence[float], objects: int, found: Sequence[int], wrong: Sequence[int]) -> Rows:
    """Precision, recall and F1 at some 200 of the confidences; what does not exist has no row."""
    rows = []
    step = max(1, len(confidences) // _MOST_POINTS)
    for place in range(0, len(confidences), step):
        kept = found[place] + wrong[place]
        values = {
            "precision": found[place] / kept if kept else None,
            "recall": found[place] / objects if objects else None,
            "F1": 2 * found[place] / (kept + objects) if objects else None,
        }
        rows += [
            {"confidence": confidences[place], "value": round(value, 4), "rate": name}
            for name, value in values.items()
            if value is not None
        ]
    return rows


def by_confidence(rows: Rows, chosen: float) -> Spec:
    """Rows: confidence, value, rate; `chosen` is where the rule stands at first."""
    alt = _altair()
    lines = (
        alt.Chart(alt.NamedData("points"))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("confidence:Q", title="confidence", scale=alt.Scale(nice=False), axis=alt.Axis(labelFlush=False)),
            y=_unit(alt, "value", "rate"),
            tooltip=[alt.Tooltip("rate:N"), alt.Tooltip("confidence:Q"), alt.Tooltip("value:Q", format=".3f")],
            **_series(alt, "rate", ["precision", "recall", "F1"]),
        )
    )
    rule = (
        alt.Chart(alt.NamedData("chosen")).mark_rule(strokeWidth=2, strokeDash=[4, 2]).encode(x=alt.X("confidence:Q"))
    )
    return _spec(alt.layer(lines, rule), 260, points=rows, chosen=[{"confidence": chosen}])


def matrix(rows: Rows, order: Sequence[str]) -> Spec:
    """Rows: object, detection, count, share (of the objects of that label)."""
    alt = _altair()
    base = alt.Chart(alt.NamedData("points"))
    x = alt.X("detection:N", sort=list(order), title="detected as", axis=alt.Axis(orient="top", labelAngle=-60))
    y = alt.Y("object:N", sort=list(order), title="object")
    squares = base.mark_rect().encode(
        x=x,
        y=y,
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(domain=[0, 1], range="heatmap"),
            title="share of the row",
            legend=alt.Legend(format=".0%", orient="bottom", direction="horizontal"),
        ),
        tooltip=[
            alt.Tooltip("object:N"),
            alt.Tooltip("detection:N", title="detected as"),
            alt.Tooltip("count:Q", format=","),
            alt.Tooltip("share:Q", format=".1%", title="share of the row"),
        ],
    )
    # Squares have a size of their own: on a narrow screen the chart is moved, not squeezed.
    step = 24 if len(order) > _MOST_NUMBERED else 32
    side = step * len(order)
    if len(order) > _MOST_NUMBERED:
        return _spec(squares, side, side, points=rows)
    # Numbers on dark and on light squares; the page's theme has the colours of both styles.
    numbers = [
        base.mark_text(fontSize=11, style=style)
        .transform_filter(test)
        .encode(x=x, y=y, text=alt.Text("count:Q", format=","))
        for style, test in (("on-low", "datum.share <= 0.5"), ("on-high", "datum.share > 0.5"))
    ]
    return _spec(alt.layer(squares, *numbers), side, side, points=rows)


def dots(rows: Rows, order: Sequence[str], title: str) -> Spec:
    """Rows: name, value, low, high (None where there is no interval): dots with whiskers, one a line."""
    alt = _altair()
    y = alt.Y("name:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=220))
    scale, axis = alt.Scale(zero=False), alt.Axis(tickCount=6)
    shown = [alt.Tooltip("name:N"), *(alt.Tooltip(f"{end}:Q", format=".3f") for end in ("value", "low", "high"))]
    layers = [
        alt.Chart(alt.NamedData("points"))
        .mark_point(filled=True, size=70)
        .encode(x=alt.X("value:Q", title=title, scale=scale, axis=axis), y=y, tooltip=shown)
    ]
    bounded = [row for row in rows if row["low"] is not None]
    if bounded:
        whiskers = alt.Chart(alt.NamedData("bounded")).mark_rule(strokeWidth=2)
        ends = alt.X("low:Q", title=title, scale=scale, axis=axis)
        layers.insert(0, whiskers.encode(x=ends, x2="high:Q", y=y, tooltip=shown))
    return _spec(alt.layer(*layers), 24 * max(len(order), 2), points=rows, bounded=bounded)


def bars(rows: Rows, order: Sequence[str], title: str) -> Spec:
    """Rows: name, value: horizontal bars."""
    alt = _altair()
    base = alt.Chart(alt.NamedData("points")).encode(
        x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=6)),
        y=alt.Y("name:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=[alt.Tooltip("name:N"), alt.Tooltip("value:Q")],
    )
    return _spec(base.mark_bar(), 26 * max(len(order), 2), points=rows)


def timeline(rows: Rows, order: Sequence[str]) -> Spec:
    """Rows: actor, side (truth or prediction), state (agrees, missed, wrong), start, end in minutes, from, to in words.

    A band an actor: the ground truth's stretches above, the prediction's below.
    """
    alt = _altair()
    base = alt.Chart(alt.NamedData("points")).encode(
        x=alt.X("start:Q", title="minutes", axis=alt.Axis(tickCount=8), scale=alt.Scale(nice=False)),
        x2="end:Q",
        y=alt.Y(
            "actor:N",
            sort=list(order),
            title=None,
            axis=alt.Axis(labelLimit=180, grid=True, tickBand="extent"),
            scale=alt.Scale(paddingInner=0.25),
        ),
        yOffset=alt.YOffset("side:N", sort=["truth", "prediction"], scale=alt.Scale(domain=["truth", "prediction"])),
        color=alt.Color(
            "state:N",
            scale=alt.Scale(domain=["agrees", "missed", "wrong"]),
            legend=alt.Legend(orient="top", title=None, symbolStrokeWidth=0),
        ),
        tooltip=[alt.Tooltip(f"{field}:N") for field in ("actor", "side", "state", "from", "to")],
    )
    return _spec(base.mark_bar(), 30 * max(len(order), 2), points=rows)


def reliability(rows: Rows) -> Spec:
    """Rows: confidence, precision, detections, series: points on a diagonal, sized by how many they rest on."""
    alt = _altair()
    diagonal = (
        alt.Chart(alt.NamedData("diagonal"))
        .mark_line(strokeDash=[4, 4], strokeWidth=1, opacity=0.7)
        .encode(x=alt.X("x:Q"), y=alt.Y("y:Q"))
    )
    base = alt.Chart(alt.NamedData("points")).encode(
        x=_unit(alt, "confidence", "mean confidence"),
        y=_unit(alt, "precision", "share that is right"),
    )
    tips = [
        alt.Tooltip("confidence:Q", format=".3f"),
        alt.Tooltip("precision:Q", format=".3f"),
        alt.Tooltip("detections:Q", format=","),
    ]
    points = base.mark_point(filled=True).encode(
        size=alt.Size("detections:Q", title="detections", scale=alt.Scale(range=[30, 300])), tooltip=tips
    )
    corners = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    return _spec(alt.layer(diagonal, base.mark_line(strokeWidth=2), points), 300, points=rows, diagonal=corners)


def _unit(alt: ModuleType, field: str, title: str) -> Any:  # noqa: ANN401  one of altair's channels
    channel = alt.X if field in ("recall", "confidence") else alt.Y
    axis = alt.Axis(tickCount=5, labelFlush=False)
    return channel(f"{field}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=axis)


def _series(alt: ModuleType, field: str, order: Sequence[str] | None = None) -> dict[str, Any]:
    """Colour and dash together: neither alone tells series apart."""
    domain = {} if order is None else {"domain": list(order)}
    legend = alt.Legend(orient="top", title=None, symbolStrokeWidth=2, symbolSize=300, labelLimit=260)
    dashes = {"range": _DASHES} | domain
    return {
        "color": alt.Color(f"{field}:N", legend=legend, scale=alt.Scale(**domain)),
        "strokeDash": alt.StrokeDash(f"{field}:N", legend=legend, scale=alt.Scale(**dashes)),
    }


def _spec(chart: Any, height: int, width: int | str = "container", **rows: Rows) -> Spec:  # noqa: ANN401  altair's types
    """As wide as its place in the page; without Altair's theme, as the page has its own.

    `rows` by the name of their data set: they join the finished specification, as Altair would validate each of them.
    """
    alt = _altair()
    # Heights are those of the plot itself, so that rows keep their height however long names are.
    sized = alt.AutoSizeParams(type="fit-x" if width == "container" else "pad", contains="padding")
    with alt.theme.enable("none"):
        spec: Spec = chart.properties(width=width, height=height, autosize=sized).to_dict()
    plain = {key: value for key, value in spec.items() if key != "$schema"}
    return plain | {"datasets": {name: list(values) for name, values in rows.items()}}


def _altair() -> ModuleType:
    try:
        import altair as alt
    except ImportError:
        raise InputError(_INSTALL) from None
    return alt
