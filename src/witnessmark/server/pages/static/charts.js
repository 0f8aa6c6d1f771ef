// Draws what the page says in data-chart. Colours come from the style sheet, so that both themes and both pages agree.
"use strict";
(() => {
  const LOOKS = {
    pass: "--pass-fill", accept: "--pass-fill", partial: "--partial-fill", warn: "--partial-fill", fail: "--fail-fill", abort: "--fail-fill",
    unverified: "--unverified-fill", escalate: "--unverified-fill", retry: "--accent", switch: "--soft", correct: "--sky-fill",
    deterministic: "--accent", calibrated: "--pass-fill", agreement: "--partial-fill", reported: "--unverified-fill", uncalibrated: "--partial-fill",
  };
  const probe = document.createElement("span");
  probe.hidden = true;
  // A custom property may hold light-dark(); only a colour that is used is resolved.
  const colour = (name) => {
    if (!probe.isConnected) document.body.append(probe);
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const of = (name) => colour(LOOKS[name] || "--accent");
  const font = () => `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis = (more) => ({
    stroke: colour("--soft"), font: font(), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, ...more,
  });
  const whole = (u, ticks) => ticks.map((v) => (Number.isInteger(v) ? v.toLocaleString("en") : ""));
  const size = (el) => ({ width: Math.max(240, el.clientWidth), height: el.classList.contains("tall") ? 260 : 200 });
  const day = (s) => new Date(s * 1000).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });

  function key(el, names) {
    const list = document.createElement("p");
    list.className = "key";
    for (const name of names) {
      const one = document.createElement("span");
      const dot = document.createElement("i");
      dot.style.background = of(name);
      one.append(dot, name);
      list.append(one);
    }
    el.append(list);
  }

  function tip(labels) {
    let box;
    return {
      hooks: {
        init: (u) => { box = document.createElement("div"); box.className = "tip"; box.hidden = true; u.over.append(box); },
        setCursor: (u) => {
          const at = u.cursor.idx;
          box.hidden = at == null || u.cursor.left < 0;
          if (box.hidden) return;
          box.textContent = labels(at);
          const right = u.cursor.left > u.over.clientWidth / 2;
          box.style.left = right ? "auto" : `${u.cursor.left + 12}px`;
          box.style.right = right ? `${u.over.clientWidth - u.cursor.left + 12}px` : "auto";
          box.style.top = "4px";
        },
      },
    };
  }

  // Bars on top of each other: each series is drawn as the sum of itself and those below it, the highest first.
  function stacked(el, data, options) {
    const sums = data.x.map(() => 0);
    const layers = data.series.map((one) => ({ name: one.name, own: one.y, y: one.y.map((v, i) => (sums[i] += v)) }));
    layers.reverse();
    if (el.dataset.bare === undefined) key(el, data.series.map((one) => one.name));
    const bars = uPlot.paths.bars({ size: [0.78, 46], align: 0 });
    return new uPlot({
      ...size(el), padding: [8, 14, 0, 0], legend: { show: false }, cursor: { points: { show: false }, y: false, drag: { setScale: false, x: false, y: false } },
      plugins: [tip((i) => `${options.name(data.x[i])}\n${data.series.map((one) => `${one.name} ${one.y[i].toLocaleString("en")}`).join("\n")}`)],
      scales: { x: options.scale, y: { range: (u, low, high) => [0, Math.max(1, high * 1.06)] } },
      axes: [axis({ size: 30, grid: { show: false }, values: options.values, space: options.space || 60, ...(options.incrs ? { incrs: options.incrs } : {}) }), axis({ size: 44, values: whole, incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1e3, 2e3, 2500, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6] })],
      series: [{}, ...layers.map((one) => ({ label: one.name, fill: of(one.name), width: 0, paths: bars, points: { show: false } }))],
    }, [data.x, ...layers.map((one) => one.y)], el);
  }

  const half = (xs) => (xs.length > 1 ? (xs[1] - xs[0]) / 2 : 43200);
  const KINDS = {
    stack: (el, data) => stacked(el, data, {
      name: day, values: (u, ticks) => ticks.map(day), incrs: [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365].map((n) => n * 86400),
      scale: { time: true, range: () => [data.x[0] - half(data.x), data.x[data.x.length - 1] + half(data.x)] },
    }),
    histogram: (el, data) => stacked(el, data, {
      name: (x) => `${(x - 0.05).toFixed(1)} to ${(x + 0.05).toFixed(1)}`, values: (u, ticks) => ticks.map((v) => v.toFixed(1)), space: 30,
      scale: { time: false, range: () => [0, 1] },
    }),
    reliability: (el, data) => {
      key(el, data.lines.map((one) => one.name));
      const xs = [...new Set([0, 1, ...data.lines.flatMap((one) => one.x)])].sort((a, b) => a - b);
      const rows = data.lines.map((one) => xs.map((x) => { const i = one.x.indexOf(x); return i < 0 ? null : one.y[i]; }));
      return new uPlot({
        ...size(el), padding: [10, 10, 0, 0], legend: { show: false }, cursor: { drag: { setScale: false, x: false, y: false } },
        plugins: [tip((i) => [`predicted ${xs[i].toFixed(2)}`, ...data.lines.map((one, n) => { const at = one.x.indexOf(xs[i]); return at < 0 ? "" : `${one.name}: actual ${rows[n][i].toFixed(2)} (n ${one.n[at]})`; })].filter(Boolean).join("\n"))],
        scales: { x: { time: false, range: () => [0, 1] }, y: { range: () => [0, 1.02] } },
        axes: [axis({ label: "predicted", labelSize: 20, labelFont: font(), values: (u, t) => t.map((v) => v.toFixed(1)) }), axis({ label: "actual", labelSize: 20, labelFont: font(), size: 44, values: (u, t) => t.map((v) => v.toFixed(1)) })],
        series: [{}, { stroke: colour("--strong-line"), dash: [5, 4], width: 1.5, points: { show: false } },
          ...data.lines.map((one) => ({ stroke: of(one.name), width: 2, spanGaps: true, points: { show: true, size: 7, fill: of(one.name) } }))],
      }, [xs, xs, ...rows], el);
    },
  };

  const charts = new Map();
  function draw(el) {
    const data = JSON.parse(el.dataset.chart);
    charts.get(el)?.destroy();
    el.replaceChildren();
    const empty = data.kind === "reliability" ? !data.lines.some((one) => one.x.length) : !data.x.length || !data.series.length;
    if (empty) {
      const none = document.createElement("p");
      none.className = "soft none-yet";
      none.textContent = "Nothing to draw yet";
      el.append(none);
      return;
    }
    charts.set(el, KINDS[data.kind](el, data));
  }
  const all = () => {
    for (const [el, chart] of charts) if (!el.isConnected) { chart.destroy(); charts.delete(el); }
    for (const el of document.querySelectorAll("[data-chart]")) draw(el);
  };
  let waiting = 0;
  const later = () => { clearTimeout(waiting); waiting = setTimeout(all, 120); };
  addEventListener("resize", later);
  addEventListener("theme", later);
  for (const name of ["htmx:after:swap", "htmx:after:settle"]) document.addEventListener(name, later);
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", all); else all();
})();
