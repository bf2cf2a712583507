// The operating point: counts at each confidence are in the page; rates are made of them here, as boxscore makes them.
"use strict";
(() => {
  const data = readData("explorer");
  if (!data) return;
  const { confidences, labels } = data;
  // Counts are stored as steps from the highest confidence down.
  const counts = (steps) => {
    const found = new Array(confidences.length);
    let sum = 0;
    confidences.forEach((_, place) => {
      sum += steps[place] || 0;
      found[confidences.length - 1 - place] = sum;
    });
    return found;
  };
  const swept = labels.map((one) => ({ label: one.label, objects: one.objects, tp: counts(one.tp), fp: counts(one.fp) }));
  const add = (lists) => confidences.map((_, place) => lists.reduce((sum, list) => sum + list[place], 0));
  const all = {
    label: "all labels",
    objects: swept.reduce((sum, one) => sum + one.objects, 0),
    tp: add(swept.map((one) => one.tp)),
    fp: add(swept.map((one) => one.fp)),
  };
  const rates = (objects, tp, fp) => ({
    precision: tp + fp ? tp / (tp + fp) : null,
    recall: objects ? tp / objects : null,
    F1: objects ? (2 * tp) / (tp + fp + objects) : null,
  });
  // As Python rounds: an exact half goes to the even neighbour. Halves are exact in binary only at these fractions.
  const fixed = (value, places) => {
    const scaled = value * 10 ** places;
    const low = Math.floor(scaled);
    const half = Number.isInteger(value * 2 ** (places + 1)) && scaled - low === 0.5;
    return half ? ((low % 2 ? low + 1 : low) / 10 ** places).toFixed(places) : value.toFixed(places);
  };
  const figure = (value) => (value === null ? "n/a" : fixed(value, 3));
  const whole = (value) => value.toLocaleString("en-US");

  const fill = (row, one, place) => {
    const [objects, tp, fp] = [one.objects, one.tp[place], one.fp[place]];
    const found = rates(objects, tp, fp);
    [objects, tp, fp, objects - tp].forEach((value, at) => set(row.cells[at + 1], whole(value), value));
    [found.precision, found.recall, found.F1].forEach((value, at) => {
      const cell = row.cells[at + 5];
      set(cell, figure(value), value);
      if (value !== null) {
        const bar = document.createElement("span");
        bar.className = "share";
        bar.setAttribute("aria-hidden", "true");
        bar.style.setProperty("--v", value);
        cell.append(bar);
      }
    });
    return found;
  };
  const set = (cell, text, value) => {
    cell.textContent = text;
    cell.dataset.v = value === null ? "" : String(value);
    cell.removeAttribute("title");
  };

  const slider = document.getElementById("explorer-slider");
  const typed = document.getElementById("explorer-number");
  const said = document.getElementById("explorer-said");
  const choice = document.getElementById("explorer-label");
  const tableAll = document.getElementById("explorer-all");
  const tableLabels = document.getElementById("explorer-labels");
  const rows = [...tableLabels.tBodies[0].rows];

  const show = (place) => {
    const confidence = confidences[place];
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", `confidence ${confidence}`);
    typed.value = String(confidence);
    const found = fill(tableAll.tBodies[0].rows[0], all, place);
    rows.forEach((row, at) => fill(row, swept[at], place));
    sortAgain(tableLabels);
    const wrong = data.images ? fixed(all.fp[place] / data.images, 2) : "n/a";
    said.textContent =
      `At confidence ${confidence}: precision ${figure(found.precision)}, recall ${figure(found.recall)}, ` +
      `F1 ${figure(found.F1)}; ${wrong} false positives an image.`;
    for (const [table, which] of [[tableAll, "All labels"], [tableLabels, "By label"]]) {
      const title = `${which} at confidence ${confidence}`;
      table.caption.textContent = title;
      document.getElementById(`${table.id}-title`).textContent = title;
    }
    charts.change("explorer-chart", "chosen", [{ confidence }]);
  };

  const curve = () => {
    const one = choice.value === "-1" ? all : swept[Number(choice.value)];
    const points = [];
    const step = Math.max(1, Math.floor(confidences.length / 200));
    for (let place = 0; place < confidences.length; place += step) {
      const found = rates(one.objects, one.tp[place], one.fp[place]);
      for (const [rate, value] of Object.entries(found)) {
        if (value !== null) points.push({ confidence: confidences[place], value, rate });
      }
    }
    charts.change("explorer-chart", "points", points);
  };

  // The lowest confidence that was counted at or above the one typed.
  const nearest = (value) => {
    const place = confidences.findIndex((confidence) => confidence >= value);
    return place < 0 ? confidences.length - 1 : place;
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  typed.addEventListener("change", () => {
    if (typed.value !== "") show(nearest(Number(typed.value)));
  });
  choice.addEventListener("change", curve);
  document.getElementById("explorer-first").addEventListener("click", () => show(data.place));
  const best = document.getElementById("explorer-best");
  if (best) best.addEventListener("click", () => show(data.best));
  show(data.place);
})();
