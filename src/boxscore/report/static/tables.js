// Tables: sorted by a column, filtered by text; arrow keys go along the heads.
"use strict";
const sortTable = (table, column, descending) => {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row, place) => ({ row, place, value: row.cells[column].dataset.v }));
  const numeric = keyed.every(({ value }) => value === "" || !Number.isNaN(Number(value)));
  const compare = (a, b) => {
    // What does not exist stands last, whichever way round.
    if ((a.value === "") !== (b.value === "")) return a.value === "" ? 1 : -1;
    const order = numeric ? Number(a.value) - Number(b.value) : a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    return (descending ? -order : order) || a.place - b.place;
  };
  body.append(...keyed.sort(compare).map(({ row }) => row));
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    head.setAttribute("aria-sort", place === column ? (descending ? "descending" : "ascending") : "none");
  });
};

const sortAgain = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  const column = heads.findIndex((head) => ["ascending", "descending"].includes(head.getAttribute("aria-sort")));
  if (column >= 0) sortTable(table, column, heads[column].getAttribute("aria-sort") === "descending");
};

(() => {
  const keys = { ArrowRight: 1, ArrowLeft: -1 };
  for (const table of document.querySelectorAll(".table table")) {
    const buttons = [...table.querySelectorAll("button.sort")];
    buttons.forEach((button, place) => {
      const head = button.parentElement;
      button.addEventListener("click", () => {
        // Figures are wanted largest first, names from A.
        const first = head.classList.contains("number") ? "descending" : "ascending";
        const now = head.getAttribute("aria-sort");
        const next = now === "none" ? first : now === "descending" ? "ascending" : "descending";
        sortTable(table, head.cellIndex, next === "descending");
      });
      button.addEventListener("keydown", (event) => {
        const step = keys[event.key];
        const to = step ? place + step : event.key === "Home" ? 0 : event.key === "End" ? buttons.length - 1 : -1;
        if (to < 0 || to >= buttons.length) return;
        event.preventDefault();
        buttons[to].focus();
      });
    });
  }
  for (const field of document.querySelectorAll(".filter input")) {
    const holder = field.closest(".table");
    const rows = holder.querySelector("tbody").rows;
    const told = holder.querySelector("output");
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLocaleLowerCase();
      let shown = 0;
      for (const row of rows) {
        const fits = [...row.cells].some(
          (cell) => (cell.classList.contains("text") || cell.tagName === "TH") && cell.textContent.toLocaleLowerCase().includes(wanted)
        );
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      told.textContent = wanted ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
    });
  }
})();
