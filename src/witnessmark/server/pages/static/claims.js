// A claim and the places it rests on light up together, whichever of the two the pointer or the focus is on.
"use strict";
(() => {
  const light = (event, on) => {
    const mark = event.target.closest && event.target.closest("[data-claims]");
    if (!mark) return;
    const around = mark.closest("[data-claim-view]");
    const wanted = new Set(mark.dataset.claims.split(" "));
    for (const other of around.querySelectorAll("[data-claims]")) {
      if (other.dataset.claims.split(" ").some((n) => wanted.has(n))) other.classList.toggle("lit", on);
    }
  };
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    addEventListener(name, (event) => light(event, on));
  }
})();
