// Search in the documentation: every word must occur, titles count most.
"use strict";
const base = document.documentElement.dataset.base;
const address = (path) => `${base}/${path}`;
const box = document.querySelector(".find input");
const list = document.querySelector("#found");
let index = null;
let chosen = -1;

// pages of a server have a casino beside them; pages on a disk have not
if (location.protocol.startsWith("http") && location.pathname.startsWith("/docs"))
  for (const one of document.querySelectorAll("[data-served]")) one.hidden = false;

// on a wide screen the list of pages is always open
const contents = document.querySelector(".contents");
const wide = matchMedia("(min-width: 900px)");
const fit = () => { contents.open = wide.matches; };
wide.addEventListener("change", fit);
fit();
const current = contents.querySelector("nav [aria-current]");
if (current && wide.matches) contents.scrollTop = current.offsetTop - contents.offsetTop - innerHeight / 2;

function load() {
  if (index) return;
  index = [];
  const script = document.createElement("script");
  script.src = address("search/index.js");
  script.addEventListener("load", () => {
    index = window.searchIndex.map(([path, title, text]) =>
      ({ path, title, text, lowTitle: title.toLowerCase(), low: text.toLowerCase() }));
    search();
  });
  document.head.append(script);
}

function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    const title = entry.lowTitle.indexOf(word);
    const text = entry.low.indexOf(word);
    if (title < 0 && text < 0) return 0;
    if (title >= 0) sum += entry.lowTitle === word ? 40 : title === 0 ? 20 : 12;
    if (text >= 0) sum += Math.min(entry.low.split(word).length - 1, 5);
  }
  // guides before the reference of the code, and pages before their sections
  return sum + (entry.path.startsWith("api/") ? 0 : 40) + (entry.path.includes("#") ? 0 : 2);
}

function marked(text, words) {
  const found = document.createDocumentFragment();
  const low = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    let next = -1, length = 0;
    for (const word of words) {
      const where = low.indexOf(word, at);
      if (where >= 0 && (next < 0 || where < next)) { next = where; length = word.length; }
    }
    if (next < 0) break;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(next, next + length);
    found.append(text.slice(at, next), mark);
    at = next + length;
  }
  found.append(text.slice(at));
  return found;
}

function excerpt(entry, words) {
  const places = words.map((word) => entry.low.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, (places.length ? Math.min(...places) : 0) - 50);
  return (from ? "… " : "") + entry.text.slice(from, from + 160) + (entry.text.length > from + 160 ? " …" : "");
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  chosen = -1;
  list.replaceChildren();
  list.hidden = !words.length;
  box.setAttribute("aria-expanded", String(!list.hidden));
  if (!words.length) return;
  const titles = new Map(index.filter((one) => !one.path.includes("#")).map((one) => [one.path, one.title]));
  const best = index.map((entry) => [score(entry, words), entry]).filter(([points]) => points)
    .sort((a, b) => b[0] - a[0]).slice(0, 20);
  for (const [, entry] of best) {
    const link = document.createElement("a");
    link.href = address(entry.path);
    link.role = "option";
    const title = document.createElement("b");
    title.append(marked(entry.title, words));
    const text = document.createElement("small");
    const page = titles.get(entry.path.split("#")[0]);
    text.append(page && page !== entry.title ? `${page} · ` : "", marked(excerpt(entry, words), words));
    link.append(title, text);
    list.append(link);
  }
  if (!best.length) {
    const nothing = document.createElement("p");
    nothing.textContent = "No page has all of these words.";
    list.append(nothing);
  }
}

function choose(step) {
  const links = [...list.querySelectorAll("a")];
  if (!links.length) return;
  links[chosen]?.removeAttribute("aria-selected");
  chosen = (chosen + step + links.length) % links.length;
  links[chosen].setAttribute("aria-selected", "true");
  links[chosen].scrollIntoView({ block: "nearest" });
}

box.addEventListener("focus", load);
box.addEventListener("input", () => { load(); search(); });
box.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape") {
    box.value = "";
    search();
  }
});
document.querySelector(".find").addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelectorAll("a")[Math.max(chosen, 0)]?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    box.focus();
  }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".find")) list.hidden = true;
});
