// The theme is set before anything is drawn, so that a page never flashes in the wrong one.
"use strict";
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("witnessmark-theme"); } catch { return null; } };
  const apply = (theme) => { if (theme === "light" || theme === "dark") root.dataset.theme = theme; };
  apply(kept());
  root.classList.add("js");
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-switch]");
    if (!button) return;
    const next = dark() ? "light" : "dark";
    apply(next);
    try { localStorage.setItem("witnessmark-theme", next); } catch { /* private window */ }
    dispatchEvent(new Event("theme"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("theme")));
})();
