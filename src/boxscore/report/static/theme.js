// The theme: as the system has it, or light, or dark. Charts are drawn anew when it changes.
"use strict";
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const words = { "": "as the system", light: "light", dark: "dark" };
  const order = ["", "light", "dark"];
  const show = (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    button.textContent = `Theme: ${words[theme]}`;
    document.dispatchEvent(new Event("themechange"));
  };
  button.addEventListener("click", () => {
    show(order[(order.indexOf(root.dataset.theme || "") + 1) % order.length]);
  });
  dark.addEventListener("change", () => document.dispatchEvent(new Event("themechange")));
})();

const readData = (id) => {
  const element = document.getElementById(`data-${id}`);
  return element ? JSON.parse(element.textContent) : null;
};
