// SPDX-License-Identifier: BSD-2-Clause-Patent
// The script of the HTML report: a chart of scores over time with zoom, and a viewer for pictures of frames.
// It sets data-script="done" on <html> when all of it is set up.
"use strict";
(() => {
const MARGIN = { left: 56, right: 10, top: 8, bottom: 8, axis: 34 };
const HEIGHT = { main: 210, other: 120 };
const DOTS_FROM = 9; // CSS pixels between two frames from which on each frame has a dot
const LEAST_DRAG = 5; // CSS pixels; a shorter drag is a click

const byId = (id) => document.getElementById(id);

// --- Data ---------------------------------------------------------------------------------------------------------

// Floats in Base64, in the byte order of all common processors.
const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

// `high` is missing where each place holds one frame: then the lowest and the highest score are the same.
function withValues(series) {
  const low = floats(series.low);
  return { ...series, low, high: series.high ? floats(series.high) : low };
}

const data = JSON.parse(byId("scores").textContent);
const frames = withValues(data.frames);
const columns = data.columns.map(withValues);
const places = frames.low.length;

const view = { from: 0, to: Math.max(places - 1, 0) }; // the first and the last visible place
const chosen = new Set(columns.filter((column) => column.main));
let pointed = null; // the place under the crosshair

// --- Texts --------------------------------------------------------------------------------------------------------

const seconds = (frame) => (frame + data.firstFrame) / data.rate;
const twoDigits = (number) => String(number).padStart(2, "0");

// "0:01:05.480"
function timeCode(time) {
  const total = Math.round(time * 1000), whole = Math.floor(total / 1000);
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}.${String(total % 1000).padStart(3, "0")}`;
}

// "1:05", "1:05.48", "2:01:05": without hours that are 0, and with hundredths only where `exact` asks for them
const shortTime = (time, exact) => timeCode(time).slice(0, exact ? -1 : -4).replace(/^0:0?/, "");

const range = (low, high, text) => (low === high ? text(low) : `${text(low)} – ${text(high)}`);
const count = (number) => number.toLocaleString("en-US");
const score = (number) => (Number.isFinite(number) ? number.toFixed(4) : String(number));

function placeText(place) {
  const low = frames.low[place], high = frames.high[place];
  const time = data.rate > 0 ? ` · ${range(seconds(low), seconds(high), timeCode)}` : "";
  return `frame ${range(low, high, count)}${time}`;
}

// --- Drawing ------------------------------------------------------------------------------------------------------

const SVG = document.querySelector("svg").namespaceURI; // that of the fixed charts

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const yOf = (panel, value) => {
  const [low, high] = panel.column.axis;
  const place = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return MARGIN.top + (1 - place) * (panel.height - MARGIN.top - MARGIN.bottom);
};
const plotWidth = (panel) => panel.width - MARGIN.left - MARGIN.right;
const xOf = (panel, place) =>
  MARGIN.left + (view.to > view.from ? (place - view.from) / (view.to - view.from) : 0.5) * plotWidth(panel);
const placeAt = (panel, x) => view.from + ((x - MARGIN.left) / plotWidth(panel)) * (view.to - view.from);

// A line through the visible places. Where several share a pixel it covers their lowest to their highest score.
function linePath(panel) {
  const { low, high } = panel.column;
  const first = Math.max(0, Math.floor(view.from)), last = Math.min(places - 1, Math.ceil(view.to));
  const step = Math.max(1, (view.to - view.from) / plotWidth(panel));
  let path = "", drawing = false;
  for (let start = first; start <= last; start += step) {
    let lowest = Infinity, highest = -Infinity;
    const end = Math.min(last + 1, Math.max(Math.floor(start) + 1, Math.floor(start + step)));
    for (let i = Math.floor(start); i < end; i++) {
      if (Number.isFinite(low[i])) lowest = Math.min(lowest, low[i]);
      if (Number.isFinite(high[i])) highest = Math.max(highest, high[i]);
    }
    if (lowest > highest) {
      drawing = false;
      continue;
    }
    const x = xOf(panel, Math.floor(start)).toFixed(1);
    path += `${drawing ? "L" : "M"}${x} ${yOf(panel, highest).toFixed(1)}V${yOf(panel, lowest).toFixed(1)}`;
    drawing = true;
  }
  return path;
}

function dots(panel) {
  const group = svg("g", { class: "dots" });
  if (plotWidth(panel) / Math.max(1, view.to - view.from) < DOTS_FROM)
    return group;
  for (let i = Math.max(0, Math.floor(view.from)); i <= Math.min(places - 1, Math.ceil(view.to)); i++)
    if (Number.isFinite(panel.column.low[i]))
      group.append(svg("circle", { cx: xOf(panel, i), cy: yOf(panel, panel.column.low[i]), r: 2.5 }));
  return group;
}

function grid(panel) {
  const [low, high, step] = panel.column.axis;
  const decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
  const group = svg("g", {});
  for (let i = 0; i <= Math.round((high - low) / step); i++) {
    const value = low + i * step, y = yOf(panel, value);
    group.append(svg("path", { class: "grid", d: `M${MARGIN.left} ${y}h${plotWidth(panel)}` }),
      svg("text", { x: MARGIN.left - 6, y: y + 4, "text-anchor": "end" }, (value + 0).toFixed(decimals)));
  }
  return group;
}

// The distance of labels in frames: round numbers of frames, or of seconds where they are far apart.
function labelStep(perFrame) {
  const least = 90 / perFrame; // CSS pixels
  const rate = data.rate > 0 ? data.rate : Infinity;
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500].filter((step) => step < rate / 2);
  if (data.rate > 0)
    steps.push(...[0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200].map((time) => time * data.rate));
  return steps.find((step) => step >= least) ?? 10 ** Math.ceil(Math.log10(least));
}

// Frame numbers and times below the last panel.
function timeAxis(panel) {
  const group = svg("g", { class: "axis" });
  const first = frames.low[Math.max(0, Math.floor(view.from))], last = frames.low[Math.min(places - 1, Math.ceil(view.to))];
  const perFrame = last > first ? plotWidth(panel) / (last - first) : plotWidth(panel);
  const step = last > first ? labelStep(perFrame) : 1;
  for (let n = Math.ceil(first / step - 1e-9); n * step <= last + 1e-9; n++) {
    const frame = Math.round(n * step) + 0; // no -0
    const x = MARGIN.left + (last > first ? (frame - first) * perFrame : plotWidth(panel) / 2);
    const anchor = x > panel.width - 40 ? "end" : "middle";
    group.append(svg("path", { d: `M${x} ${panel.height - MARGIN.bottom}v5` }),
      svg("text", { x, y: panel.height + 10, "text-anchor": anchor }, count(frame)));
    if (data.rate > 0)
      group.append(svg("text", { x, y: panel.height + 24, "text-anchor": anchor, class: "time" },
        shortTime(seconds(frame), step < data.rate * 0.99)));
  }
  return group;
}

// Small triangles at the worst frames that the page lists, in the first panel.
function marks(panel) {
  const group = svg("g", { class: "marks" });
  for (const link of document.querySelectorAll("a[data-frame]")) {
    const place = placeOf(Number(link.dataset.frame));
    if (place < view.from || place > view.to)
      continue;
    const x = xOf(panel, place), y = panel.height - MARGIN.bottom;
    group.append(svg("path", { d: `M${x} ${y - 7}l4 7h-8z` }, svg("title", {}, link.textContent)));
  }
  return group;
}

function placeOf(frame) {
  let low = 0, high = places - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames.high[middle] < frame) low = middle + 1;
    else high = middle;
  }
  return low;
}

let panels = [];

// Makes a panel for each chosen column.
function buildPanels() {
  const host = byId("panels");
  host.replaceChildren();
  panels = columns.filter((column) => chosen.has(column)).map((column) => {
    const caption = document.createElement("figcaption"), figure = document.createElement("figure");
    caption.textContent = column.label;
    caption.title = column.name;
    figure.className = "panel";
    const chart = svg("svg", { class: "chart live", role: "img", "aria-label": `${column.label} over time` });
    figure.append(caption, chart);
    host.append(figure);
    const panel = { column, chart, height: column.main ? HEIGHT.main : HEIGHT.other, width: 0 };
    listen(panel);
    return panel;
  });
  for (const card of document.querySelectorAll("[data-column]"))
    card.hidden = ![...chosen].some((column) => String(column.column) === card.dataset.column);
  draw();
}

function draw() {
  panels.forEach((panel, index) => {
    panel.width = Math.max(240, panel.chart.parentElement.clientWidth);
    const last = index === panels.length - 1, height = panel.height + (last ? MARGIN.axis - MARGIN.bottom : 0);
    panel.chart.setAttribute("viewBox", `0 0 ${panel.width} ${height}`);
    panel.clip = `clip${index}`;
    const area = svg("clipPath", { id: panel.clip },
      svg("rect", { x: MARGIN.left - 3, y: 0, width: plotWidth(panel) + 6, height: panel.height }));
    const line = svg("g", { "clip-path": `url(#${panel.clip})` },
      svg("path", { class: "line", d: linePath(panel) }), dots(panel), ...(index === 0 ? [marks(panel)] : []));
    panel.cross = svg("g", { class: "cross" });
    panel.selection = svg("rect", { class: "selection", y: MARGIN.top, width: 0,
      height: panel.height - MARGIN.top - MARGIN.bottom });
    panel.chart.replaceChildren(area, grid(panel), panel.selection, line, ...(last ? [timeAxis(panel)] : []), panel.cross);
  });
  byId("reset").hidden = view.from === 0 && view.to === places - 1;
  drawCross();
}

function drawCross() {
  for (const panel of panels) {
    panel.cross.replaceChildren();
    if (pointed === null || pointed < view.from - 0.5 || pointed > view.to + 0.5)
      continue;
    const x = xOf(panel, pointed);
    panel.cross.append(svg("path", { d: `M${x} ${MARGIN.top}V${panel.height - MARGIN.bottom}` }));
    for (const value of new Set([panel.column.low[pointed], panel.column.high[pointed]]))
      if (Number.isFinite(value))
        panel.cross.append(svg("circle", { cx: x, cy: yOf(panel, value), r: 4 }));
  }
  const parts = pointed === null ? ["drag to zoom, double click for the whole video, arrow keys step through frames"] : [
    placeText(pointed), ...panels.map(({ column }) => `${column.label} ${range(column.low[pointed], column.high[pointed], score)}`)];
  byId("readout").replaceChildren(...parts.map((text) => {
    const part = document.createElement("span");
    part.textContent = text;
    return part;
  }));
  byId("readout").classList.toggle("quiet", pointed === null);
}

// --- Interaction --------------------------------------------------------------------------------------------------

function zoom(from, to) {
  view.from = Math.max(0, Math.min(from, to));
  view.to = Math.min(places - 1, Math.max(from, to));
  draw();
}

const showAll = () => zoom(0, places - 1);

function point(place) {
  pointed = Math.min(places - 1, Math.max(0, Math.round(place)));
  drawCross();
}

function listen(panel) {
  const { chart } = panel;
  let start = null; // of a drag, in CSS pixels
  const at = (event) => event.clientX - chart.getBoundingClientRect().left;
  chart.addEventListener("pointermove", (event) => {
    point(placeAt(panel, at(event)));
    if (start === null)
      return;
    for (const { selection } of panels) {
      selection.setAttribute("x", Math.min(start, at(event)));
      selection.setAttribute("width", Math.abs(at(event) - start));
    }
  });
  chart.addEventListener("pointerdown", (event) => {
    if (event.button !== 0)
      return;
    start = at(event);
    chart.setPointerCapture(event.pointerId);
  });
  chart.addEventListener("pointerup", (event) => {
    const from = start, to = at(event);
    start = null;
    if (from === null || Math.abs(to - from) < LEAST_DRAG) {
      for (const { selection } of panels) selection.setAttribute("width", 0);
      return;
    }
    const [first, last] = [placeAt(panel, Math.min(from, to)), placeAt(panel, Math.max(from, to))];
    zoom(Math.round(first), Math.max(Math.round(last), Math.min(Math.round(first) + 1, places - 1)));
  });
  chart.addEventListener("pointercancel", () => { start = null; draw(); });
  chart.addEventListener("pointerleave", () => {
    if (start === null && !document.activeElement?.closest("#panels")) {
      pointed = null;
      drawCross();
    }
  });
  chart.addEventListener("dblclick", showAll);
}

// Arrow keys move the crosshair, and the visible part with it.
function onKey(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape")
    return showAll();
  if (!step)
    return;
  event.preventDefault();
  point((pointed ?? Math.round((view.from + view.to) / 2)) + step * (event.shiftKey ? 10 : 1));
  const width = view.to - view.from;
  if (pointed < view.from) zoom(pointed, pointed + width);
  if (pointed > view.to) zoom(pointed - width, pointed);
}

// Shows a frame in the middle of some seconds of its neighbourhood.
function showFrame(frame) {
  const place = placeOf(frame), reach = data.rate > 0 ? Math.max(12, Math.round(2 * data.rate)) : 48;
  zoom(place - reach, place + reach);
  point(place);
}

function buildChoice() {
  for (const column of columns) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = chosen.has(column);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(column);
      else chosen.delete(column);
      buildPanels();
    });
    label.title = column.name;
    label.append(box, column.label);
    byId("choice").append(label);
  }
}

// A click on a picture shows it large. Clicks and arrow keys then change between the pictures of the frame in the same
// place, which shows what differs.
function setUpViewer() {
  const viewer = byId("viewer");
  if (!viewer)
    return;
  let pictures = [], shown = 0;
  const show = (index) => {
    shown = (index + pictures.length) % pictures.length;
    byId("viewer-picture").src = pictures[shown].src;
    byId("viewer-picture").alt = pictures[shown].alt;
    byId("viewer-text").textContent = `${pictures[shown].alt} — click or arrow keys: next picture, Escape: close`;
  };
  for (const picture of document.querySelectorAll(".pictures img")) {
    picture.tabIndex = 0;
    const open = () => {
      pictures = [...picture.closest(".pictures").querySelectorAll("img")];
      show(pictures.indexOf(picture));
      viewer.showModal();
    };
    picture.addEventListener("click", open);
    picture.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
  }
  byId("viewer-picture").addEventListener("click", () => show(shown + 1));
  viewer.addEventListener("click", (event) => { if (event.target === viewer) viewer.close(); });
  viewer.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(shown + 1);
    if (event.key === "ArrowLeft") show(shown - 1);
  });
}

if (places > 0) {
  byId("controls").hidden = false;
  byId("panels").tabIndex = 0;
  byId("panels").addEventListener("keydown", onKey);
  byId("reset").addEventListener("click", showAll);
  for (const link of document.querySelectorAll("a[data-frame]"))
    link.addEventListener("click", () => showFrame(Number(link.dataset.frame)));
  buildChoice();
  buildPanels();
  new ResizeObserver(draw).observe(byId("panels"));
}
setUpViewer();
document.documentElement.dataset.script = "done";
})();
