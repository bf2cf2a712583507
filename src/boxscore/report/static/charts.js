// Charts: Vega-Lite specifications drawn in the page's colours, and again when the theme changes.
"use strict";
const charts = (() => {
  const specs = readData("charts") || {};
  const views = {};
  const changes = {};
  const config = () => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const series = [1, 2, 3, 4].map((place) => colour(`series-${place}`));
    const font = getComputedStyle(document.body).fontFamily;
    return {
      background: "transparent",
      font,
      aria: false,
      view: { stroke: "transparent" },
      axis: { labelColor: colour("text"), titleColor: colour("text"), gridColor: colour("line"), domainColor: colour("soft"), tickColor: colour("soft"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
      legend: { labelColor: colour("text"), titleColor: colour("text"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", symbolStrokeColor: colour("series-1") },
      range: { category: series, heatmap: [colour("low"), colour("high")] },
      style: { "on-low": { color: colour("text") }, "on-high": { color: colour("ground") } },
      line: { color: series[0] },
      bar: { color: series[0] },
      point: { color: series[0] },
      rule: { color: colour("text") },
    };
  };
  const draw = async (id) => {
    const place = document.getElementById(id);
    if (!place) return;
    const { view } = await vegaEmbed(place, specs[id], { actions: false, renderer: "svg", config: config(), tooltip: { theme: "dark" } });
    if (views[id]) views[id].finalize();
    views[id] = view;
    for (const [name, rows] of Object.entries(changes[id] || {})) view.data(name, rows);
    await view.runAsync();
    place.querySelectorAll("svg").forEach((svg) => svg.setAttribute("aria-hidden", "true"));
    place.dataset.drawn = "yes";
  };
  const drawAll = () => Promise.all(Object.keys(specs).map(draw));
  document.addEventListener("themechange", drawAll);
  drawAll();
  return {
    // Other rows for a named data set of a chart; kept for when the chart is drawn anew.
    change(id, name, rows) {
      changes[id] = { ...changes[id], [name]: rows };
      if (views[id]) views[id].data(name, rows).runAsync();
    },
  };
})();
