// Precision against recall of the label that is chosen.
"use strict";
(() => {
  const data = readData("curves");
  const choice = document.getElementById("curves-label");
  if (!data || !choice) return;
  choice.addEventListener("change", () => {
    const one = data.labels[Number(choice.value)];
    const rows = [];
    for (const [name, key] of [["at", "precision"], ["mean", "mean"]]) {
      if (!one[key]) continue;
      one[key].forEach((precision, place) => {
        rows.push({ recall: data.recall[place], precision, curve: data.names[name] });
      });
    }
    charts.change("curves-chart", "points", rows);
  });
})();
