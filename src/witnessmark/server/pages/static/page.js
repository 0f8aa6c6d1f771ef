// What every page needs of a script: the menu, copying, live updates, keys of the review queue, rows of a form.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  addEventListener("click", (event) => {
    const menu = event.target.closest("[data-menu]");
    if (menu) {
      const open = menu.getAttribute("aria-expanded") !== "true";
      menu.setAttribute("aria-expanded", String(open));
      one("#nav").classList.toggle("open", open);
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) copied(copy);
    const add = event.target.closest("[data-add]");
    if (add) added(add);
  });

  async function copied(button) {
    const text = one(`#${button.dataset.copy}`).textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Select and copy"; }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  function added(button) {
    const rows = all(button.dataset.add);
    const row = rows[rows.length - 1].cloneNode(true);
    const number = rows.length + 1;
    for (const part of all("[id]", row)) part.id = part.id.replace(/\d+$/, number);
    for (const label of all("label", row)) {
      label.htmlFor = label.htmlFor.replace(/\d+$/, number);
      label.firstChild.textContent = label.firstChild.textContent.replace(/\d+/, number);
    }
    for (const field of all("textarea, input", row)) field.value = "";
    rows[rows.length - 1].after(row);
    one("textarea", row).focus();
  }

  // Live: one event for every record kept; parts of the page that listen fetch themselves anew.
  function listen(live) {
    if (!live || !window.EventSource) return;
    const source = new EventSource(live.dataset.live);
    source.onopen = () => { live.dataset.state = "on"; live.title = "Live: new records appear by themselves"; };
    source.onerror = () => { live.dataset.state = "off"; live.title = "Not live: trying again"; };
    const told = () => document.body.dispatchEvent(new CustomEvent("live"));
    source.onmessage = told;
    for (const name of ["record", "change"]) source.addEventListener(name, told);
    addEventListener("pagehide", () => source.close());
  }

  // The review queue by keyboard. Keys do nothing while somebody types.
  const typing = (target) => target.closest && target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  const items = () => all("[data-item]");
  const current = () => one("[data-item][aria-current=true]");
  function choose(item) {
    if (!item) return;
    for (const other of items()) other.removeAttribute("aria-current");
    item.setAttribute("aria-current", "true");
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }
  function step(by) {
    const list = items();
    const at = list.indexOf(current());
    choose(list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by))]);
  }
  // A decision is sent once: until the next page is there, keys decide nothing, so that no key meets the wrong item.
  let sent = false;
  addEventListener("submit", () => { sent = true; });
  addEventListener("pageshow", () => { sent = false; });
  function press(selector, from) {
    const button = from && one(selector, from);
    if (button && !sent) button.click();
  }
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    g: () => press("[data-good]", current()),
    b: () => press("[data-bad]", current()),
    u: () => press("[data-undo]", document),
    x: () => { const tick = current() && one("[data-tick]", current()); if (tick) tick.click(); },
    c: () => { const item = current(); if (item) one("textarea", item).focus(); },
    o: () => { const item = current(); if (item) one("a[href]", item).click(); },
  };
  function pressed(event) {
    if (event.key === "Escape" && typing(event.target)) {
      const item = event.target.closest("[data-item]");
      if (item) { event.target.blur(); choose(item); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !typing(event.target)) {
      const search = one("[data-search]");
      if (search) { event.preventDefault(); search.focus(); search.select(); }
      return;
    }
    const here = items().length || (event.key === "u" && one("[data-undo]"));
    if (here && keys[event.key] && !typing(event.target)) {
      event.preventDefault();
      // A key held down repeats: it may go through the queue, and decides once.
      if (!event.repeat || event.key === "j" || event.key === "k") keys[event.key]();
    }
  }
  // This file runs before the page is whole: a key pressed until then waits, so that the one after it meets the right item.
  const early = [];
  let whole = false;
  addEventListener("keydown", (event) => { if (whole) pressed(event); else early.push(event); });
  addEventListener("DOMContentLoaded", () => {
    listen(one("[data-live]"));
    choose(one("[data-start]"));
    whole = true;
    early.splice(0).forEach(pressed);
  });
  addEventListener("focusin", (event) => {
    const item = event.target.closest && event.target.closest("[data-item]");
    if (item && item !== current()) {
      for (const other of items()) other.removeAttribute("aria-current");
      item.setAttribute("aria-current", "true");
    }
  });
})();
