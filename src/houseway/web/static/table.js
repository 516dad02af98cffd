// The table: my seat or the whole of it, chips by click, drag or key, decisions, a hand that is set.
import { arm, counts } from "./guard.js";
import { key, post, refuse, send } from "./house.js";
import { jackpot, moved, remember, skip, speed } from "./motion.js";
import { sounds, volume } from "./sound.js";

const panel = () => document.getElementById("panel");
const stored = (name, otherwise) => localStorage.getItem(name) ?? otherwise;
const live = document.querySelector("hw-live");

// ---- which drawing is shown ------------------------------------------------------------------

const phone = matchMedia("(max-width: 640px)");
const seated = () => Boolean(Number(panel()?.dataset.seat));

function show() {
  const hero = seated() && document.getElementById("h-felt") && stored("view", "mine") === "mine";
  document.body.classList.toggle("from-my-chair", Boolean(hero));
  document.body.classList.toggle("seated", seated());
  document.body.classList.toggle("beside-folded", stored("beside", innerWidth < 1200 && innerWidth > innerHeight ? "folded" : "open") === "folded");
  for (const one of document.querySelectorAll("[data-toggle=view]")) one.setAttribute("aria-pressed", String(!hero));
  for (const one of document.querySelectorAll("[data-toggle=beside]")) one.setAttribute("aria-expanded", String(!document.body.classList.contains("beside-folded")));
  live?.redraw?.();
  spread();
  reach();
}

/** On a phone the page begins at the felt, where the rail would hide bets of mine below it. */
function reach() {
  const felt = document.getElementById("compact"), rail = document.querySelector(".rail");
  if (phone.matches && seated() && felt.getBoundingClientRect().bottom > rail.getBoundingClientRect().top) felt.scrollIntoView({ block: "start", behavior: "instant" });
}

/** Where the window shows more to both sides of the drawing, the payouts move outward and grow. */
function spread() {
  const svg = document.getElementById("h-felt"), { width, height } = svg?.getBoundingClientRect() ?? {};
  if (!height) return;
  const whole = svg.viewBox.baseVal, more = Math.min(170, Math.max(0, (whole.height * width / height - whole.width) / 2));
  for (const one of svg.querySelectorAll(".payouts")) {
    const { most, wide } = one.dataset, right = one.classList.contains("right");
    const larger = Math.max(1, Math.min(1.3, most, 1 + more / wide)), edge = right ? whole.width - 16 : 16;
    svg.style.setProperty(right ? "--right" : "--left", `translate(${edge * (1 - larger) + (right ? more : -more)}px, ${14 * (1 - larger)}px) scale(${larger})`);
  }
}
if (live) live.wanted = () => (phone.matches ? "phone" : document.body.classList.contains("from-my-chair") ? "hero" : "whole");
phone.addEventListener("change", show);
addEventListener("resize", spread);
for (const name of ["resize", "scroll"]) addEventListener(name, () => document.querySelectorAll("hw-setter").forEach((one) => one.lay()), { passive: true });

const toggles = {
  view() { localStorage.setItem("view", document.body.classList.contains("from-my-chair") ? "whole" : "mine"); show(); },
  beside() { localStorage.setItem("beside", document.body.classList.contains("beside-folded") ? "open" : "folded"); show(); },
  keys() { const dialog = document.getElementById("keys"); dialog.open ? dialog.close() : dialog.showModal(); },
  how() { const dialog = document.getElementById("how"); if (dialog.open) return dialog.close(); dialog.classList.remove("first"); dialog.showModal(); },
  sound() { localStorage.setItem("sound", volume() ? "off" : "on"); settings(); sounds.chip(); },
};
document.addEventListener("click", (event) => {
  const one = event.target.closest("[data-toggle]");
  if (one) toggles[one.dataset.toggle]?.();
  if (event.target.closest("#jackpot")) skip();
});

// ---- settings --------------------------------------------------------------------------------

function settings() {
  const pick = document.querySelector("[data-setting=speed]");
  if (pick) {
    pick.value = speed();
    // who asked the system for less motion gets it, and is told so
    pick.disabled = matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.getElementById("still").hidden = !pick.disabled;
  }
  for (const one of document.querySelectorAll("button[data-toggle=sound]")) {
    const on = localStorage.getItem("sound") === "on";
    one.setAttribute("aria-pressed", String(on));
    one.textContent = `Sound ${on ? "on" : "off"}`;
  }
  const loud = document.querySelector("[data-setting=volume]");
  if (loud) loud.value = stored("volume", "0.5");
}

document.addEventListener("change", (event) => {
  const name = event.target.dataset?.setting;
  if (name === "speed" || name === "volume") {
    localStorage.setItem(name, event.target.value);
    settings();
    sounds.chip();
  } else if (name === "coach") {
    localStorage.setItem("coach", event.target.checked ? "on" : "off");
  } else if (name === "standing") {
    post("/me/standing", { instruction: event.target.value }).catch((error) => refuse(error, event.target));
  } else if (name === "theme") {
    document.cookie = `houseway_theme=${event.target.value}; path=/; max-age=31536000; samesite=lax`;
    location.search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), theme: event.target.value });
  }
});

// ---- wagers ----------------------------------------------------------------------------------

const seat = () => Number(panel()?.dataset.seat);
const chosen = () => stored("chip", "5.00");
const onHand = () => stored("hand", "1");
const open = () => (panel()?.dataset.open ?? "").split(" ").filter(Boolean);
const layout = () => JSON.parse(panel()?.dataset.layout || "{}");

function ready() {
  // a wager on one of several hands has an area for each, or one for the hand that is chosen
  const areas = new Map(), hands = [...document.querySelectorAll("[data-hand]")].map((one) => one.dataset.hand);
  for (const area of open()) for (const prefix of ["", "h-", "c-"]) {
    const id = `${prefix}seat-${seat()}-${area}`;
    areas.set(id, wagerOn(area));
    for (const hand of hands) areas.set(`${id}@${hand}`, `${area}@${hand}`);
  }
  // an area that stays open keeps the focus
  for (const hit of document.querySelectorAll(".can")) {
    if (areas.has(hit.id)) continue;
    hit.classList.remove("can");
    for (const name of ["tabindex", "role"]) hit.removeAttribute(name);
  }
  for (const [id, area] of areas) {
    const hit = document.getElementById(id);
    if (!hit) continue;
    hit.classList.add("can");
    hit.dataset.area = area;
    if (hit.getAttribute("tabindex") !== "0") hit.setAttribute("tabindex", "0");
    hit.setAttribute("role", "button");
    const name = document.querySelector(`[data-bet="${hit.dataset.area}"]`)?.dataset.name ?? hit.getAttribute("aria-label");
    const lies = layout()[hit.dataset.area];
    hit.setAttribute("aria-label", `${name}${named(area).hand ? `, hand ${named(area).hand}` : ""}, ${lies ? `$${lies} wagered` : "nothing wagered"}`);
  }
  const chips = [...document.querySelectorAll("[data-chip]")];
  const held = chips.find((one) => one.dataset.chip === chosen()) ?? chips[0];
  for (const one of chips) one.setAttribute("aria-pressed", String(one === held));
  for (const one of document.querySelectorAll("[data-hand]")) one.setAttribute("aria-pressed", String(one.dataset.hand === onHand()));
  // the felt lies above its areas; let the pointer through to them
  for (const id of ["layer-play", "h-layer-play"]) document.getElementById(id)?.setAttribute("pointer-events", "none");
  if (!open().length) past.length = 0;
  const undo = document.querySelector("[data-do=undo]");
  if (undo) undo.disabled = !past.length;
}

// a wager on one of several hands is named with it, as in ante@2
const named = (id) => { const [wager, hand] = id.split("@"); return hand ? { wager, hand: Number(hand) } : { wager }; };
const wagerOn = (area) => (document.querySelector("[data-hand]") ? `${area}@${onHand()}` : area);
const chipOnRail = () => document.querySelector("[data-chip][aria-pressed=true]")?.dataset.chip ?? chosen();

// what lay on the layout before each change of mine, to go back to
const past = [];
const closed = (id) => document.getElementById(id)?.close();
function change(doing) { past.push(layout()); if (past.length > 40) past.shift(); return doing; }
const bet = (id, amount, near) => (closed("how"), change(send(near, { command: "place_wager", seat: seat(), ...named(id), amount })));
const take = (id, near) => change(send(near, { command: "take_back_wager", seat: seat(), ...named(id) }));
const railed = () => document.getElementById("step");

/** The chosen chip; the only amount there is; or the least, where the chip is less than that. */
function amountFor(area, chip = chipOnRail()) {
  const { amount, least } = document.querySelector(`[data-bet="${area}"]`)?.dataset ?? {};
  if (amount) return amount;
  return least && Number(least) > Number(chip) ? least : chip;
}

async function ask(address, body, near) {
  if (near?.dataset.sent) return;
  if (near) { near.dataset.sent = "1"; near.classList.add("busy"); }
  try { await post(address, { key: key(), ...body }); } catch (error) { refuse(error, near ?? railed()); }
  finally { if (near) { delete near.dataset.sent; near.classList.remove("busy"); } }
}

const table = () => panel().dataset.send.replace(/\/commands$/, "");
const doings = {
  undo(near) { const before = past.pop(); if (before) return ask(`${table()}/bets`, { bets: before }, near); },
  clear(near) { change(); return ask(`${table()}/bets`, { bets: {} }, near); },
  double(near) {
    const twice = Object.fromEntries(Object.entries(layout()).map(([id, amount]) => {
      const { most, amount: only } = document.querySelector(`[data-bet="${id}"]`)?.dataset ?? {};
      const double = Math.round(Number(amount) * 200) / 100;
      return [id, only ? amount : (most ? Math.min(double, Number(most)) : double).toFixed(2)];
    }));
    change();
    return ask(`${table()}/bets`, { bets: twice }, near);
  },
  again(near) { change(); return ask(`${table()}/again`, {}, near); },
  deal(near) { return ask(`${table()}/ready`, {}, near); },
  "again-and-deal"(near) { return ask(`${table()}/again`, { deal: true }, near); },
  company(near) { return ask(`${table()}/company`, {}, near); },
};

document.addEventListener("click", async (event) => {
  const target = event.target;
  const chip = target.closest("[data-chip]");
  if (chip) { localStorage.setItem("chip", chip.dataset.chip); return ready(); }
  const hand = target.closest("[data-hand]");
  if (hand) { localStorage.setItem("hand", hand.dataset.hand); return ready(); }
  const plus = target.closest("[data-bet]");
  if (plus && !plus.disabled) return void bet(plus.dataset.bet, amountFor(plus.dataset.bet), plus);
  const minus = target.closest("[data-take]");
  if (minus && !minus.disabled) return void take(minus.dataset.take, minus);
  const area = target.closest(".can");
  if (area) return void (event.shiftKey ? take(area.dataset.area, railed()) : bet(area.dataset.area, amountFor(area.dataset.area), railed()));
  const doing = target.closest("[data-do]");
  if (doing && !doing.disabled) return void doings[doing.dataset.do](doing);
  const advice = target.closest("[data-advice]");
  if (advice) await advise(advice);
});

document.addEventListener("contextmenu", (event) => {
  const area = event.target.closest(".can");
  if (!area) return;
  event.preventDefault();
  take(area.dataset.area, railed());
});

async function advise(button) {
  const place = document.getElementById("advice");
  place.hidden = false;
  place.textContent = "Counting…";
  try {
    const answer = await fetch(button.dataset.advice, { headers: { accept: "text/html" } });
    const text = await answer.text();
    if (!answer.ok) throw new Error("there is no advice for this hand");
    const holder = document.createElement("template");
    holder.innerHTML = text;
    place.replaceChildren(holder.content);
  } catch (error) {
    place.textContent = error.message;
  }
}

// the coach: what each choice gives up is asked for when the turn comes, and shown when one is made,
// or as soon as it is counted
let coached = { judged: {}, made: "" };
async function coach() {
  const choice = document.querySelector(".choice[data-coach]");
  const mine = coached = { judged: {}, made: "" };
  if (!choice || stored("coach", "off") !== "on") return;
  const address = `${choice.dataset.coach}?ask=${encodeURIComponent(choice.dataset.ask)}`;
  mine.judged = await fetch(address).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));
  mark(mine);
}
function mark({ judged, made }) {
  // a way to set the hands is named by the count that it comes to
  const said = judged[made] ?? judged[Object.keys(judged).find((way) => /^ \d/.test(made) && way.endsWith(made))];
  const place = document.getElementById("coach");
  if (!said || !place) return;
  place.hidden = false;
  place.className = said.right ? "coach right" : "coach wrong";
  place.textContent = said.says;
}
document.addEventListener("click", (event) => {
  const choice = event.target.closest(".choice[data-coach]");
  if (!choice) return;
  coached.made = choice.dataset.coached ?? choice.dataset.keyName;
  mark(coached);
});

// ---- keys ------------------------------------------------------------------------------------

const BETS = { u: "undo", c: "clear", x: "double", r: "again", g: "deal", a: "again-and-deal" };
const PAGE = { v: "view", b: "beside", m: "sound", "?": "keys" };
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (document.querySelector("dialog:modal")) return;
  const first = document.querySelector("dialog.first[open]");
  if (first && event.key === "Escape") return void first.close();
  const area = event.target.closest?.(".can");
  if (area && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    bet(area.dataset.area, amountFor(area.dataset.area), railed());
  } else if (area && (event.key === "Backspace" || event.key === "Delete")) {
    event.preventDefault();
    take(area.dataset.area, railed());
  } else if (/^[1-9]$/.test(event.key)) {
    const chip = document.querySelectorAll("[data-chip]")[Number(event.key) - 1];
    if (chip) { localStorage.setItem("chip", chip.dataset.chip); ready(); }
  } else if (event.key === " " && event.target === document.body) {
    event.preventDefault();
    skip();
  } else if (PAGE[event.key]) toggles[PAGE[event.key]]();
  else {
    const choice = document.querySelector(`.choice[data-key="${CSS.escape(event.key)}"]:not(:disabled)`);
    const doing = BETS[event.key] && document.querySelector(`[data-do="${BETS[event.key]}"]:not(:disabled)`);
    const button = choice ?? doing;
    if (button && (!button.matches(".choice, [data-guard]") || counts(button, performance.now()))) button.click();
  }
});

// drag a chip onto an area
let dragged = null;
document.addEventListener("pointerdown", (event) => {
  const chip = event.target.closest("[data-chip]");
  if (!chip || event.button) return;
  dragged = { chip, x: event.clientX, y: event.clientY, ghost: null };
});
document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (!dragged.ghost && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 8) return;
  if (!dragged.ghost) {
    dragged.ghost = dragged.chip.querySelector("svg").cloneNode(true);
    dragged.ghost.classList.add("ghost");
    document.body.append(dragged.ghost);
  }
  // a position set by script is no inline style in the page's markup
  dragged.ghost.style.left = `${event.clientX}px`;
  dragged.ghost.style.top = `${event.clientY}px`;
  document.querySelectorAll(".can.over").forEach((one) => one.classList.remove("over"));
  document.elementFromPoint(event.clientX, event.clientY)?.closest(".can")?.classList.add("over");
});
document.addEventListener("pointerup", (event) => {
  if (!dragged) return;
  const { ghost, chip } = dragged;
  dragged = null;
  if (!ghost) return;
  ghost.remove();
  document.querySelectorAll(".can.over").forEach((one) => one.classList.remove("over"));
  const area = document.elementFromPoint(event.clientX, event.clientY)?.closest(".can");
  if (area) bet(area.dataset.area, amountFor(area.dataset.area, chip.dataset.chip), railed());
});

// ---- a hand that is laid in two ---------------------------------------------------------------

/** The width and height of a card as it is drawn. */
const CARD = [63.5, 88.9];

class Setter extends HTMLElement {
  connectedCallback() {
    this.tell();
    this.addEventListener("click", (event) => {
      const card = event.target.closest("button.card");
      if (card) return this.choose(card);
      if (event.target.closest("[data-set]")) this.put(event.target.closest("[data-set]"));
    });
    this.addEventListener("pointerdown", (event) => { this.held = event.target.closest("button.card"); });
    this.addEventListener("pointerup", (event) => {
      const onto = document.elementFromPoint(event.clientX, event.clientY)?.closest("button.card");
      if (this.held && onto && onto !== this.held && this.contains(onto)) {
        this.swap(this.held, onto);
        this.dragged = true;
        setTimeout(() => { this.dragged = false; });
      }
      this.held = null;
    });
  }
  /** On the felt each hand is set where it lies. */
  lay() {
    const lays = [...this.querySelectorAll(".lay")];
    const from = phone.matches ? "c" : "h";
    const hands = [...document.querySelectorAll(`#${from}-felt [id^="${from}-seat-${this.dataset.seat}-"][id$="-hand"]`)];
    const on = (phone.matches || document.body.classList.contains("from-my-chair")) && hands.length === lays.length;
    lays.forEach((lay, at) => {
      lay.classList.toggle("laid", on);
      if (!on) return void lay.removeAttribute("style");
      // where the cards lie, wherever they still fly
      const cards = [...hands[at].querySelectorAll(".card")].map((card) => card.parentNode.getScreenCTM()), base = lay.offsetParent.getBoundingClientRect();
      const left = Math.min(...cards.map((card) => card.e)), right = Math.max(...cards.map((card) => card.e + CARD[0] * card.a));
      Object.assign(lay.style, { left: `${left - base.left}px`, top: `${cards[0].f - base.top}px`, width: `${right - left}px`, height: `${CARD[1] * cards[0].d}px` });
    });
  }
  choose(card) {
    if (this.dragged) return;
    const before = this.querySelector("button.card[aria-pressed=true]");
    if (!before) return void card.setAttribute("aria-pressed", "true");
    before.removeAttribute("aria-pressed");
    if (before !== card) this.swap(before, card);
  }
  swap(one, other) {
    const mark = document.createComment("");
    one.replaceWith(mark);
    other.replaceWith(one);
    mark.replaceWith(other);
    one.focus();
    this.tell();
  }
  /** What the two hands come to as they lie; the server has worked out every way to set them. */
  tell() {
    const names = JSON.parse(this.dataset.names || "{}");
    const two = [...this.querySelectorAll(".lay")].at(-1);
    const found = names[[...two.querySelectorAll("[data-card]")].map((card) => card.dataset.card).sort().join(" ")];
    if (!found) return;
    this.querySelectorAll(".lay").forEach((lay, at) => { lay.querySelector("output").textContent = found[at]; });
    this.querySelector("[data-set]").dataset.coached = / \d+$/.exec(found[1])?.[0] ?? "";
    this.lay();
  }
  put(button) {
    const parts = [...this.querySelectorAll(".lay")].map((lay) => [lay.dataset.field, [...lay.querySelectorAll("[data-card]")].map((card) => card.dataset.card)]);
    return send(button, { command: this.dataset.setCommand, seat: Number(this.dataset.seat), ...Object.fromEntries(parts) });
  }
}
customElements.define("hw-setter", Setter);

// ---- the card keypad -------------------------------------------------------------------------

const SUITS = [["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]];
document.addEventListener("focusin", (event) => {
  const field = event.target.closest("input[data-keypad]");
  if (!field || field.nextElementSibling?.classList.contains("keypad")) return;
  document.querySelectorAll(".keypad").forEach((one) => one.remove());
  const pad = document.createElement("div");
  pad.className = "keypad";
  pad.dataset.keep = "";
  for (const [suit, sign] of SUITS) for (const rank of "AKQJT98765432") {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = `${rank === "T" ? "10" : rank}${sign}`;
    one.setAttribute("aria-label", `${rank}${suit}`);
    if ("hd".includes(suit)) one.className = "red";
    one.addEventListener("click", () => {
      // a field for one card takes the card that was pressed last; one for several takes each once
      const held = field.value.split(/[\s,]+/).filter(Boolean), named = `${rank}${suit}`;
      field.value = field.dataset.kind === "card" || Number(field.dataset.most) === 1 ? named : held.includes(named) ? held.filter((card) => card !== named).join(" ") : [...held, named].join(" ");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    pad.append(one);
  }
  field.after(pad);
});

// ---- what changes ----------------------------------------------------------------------------

live?.addEventListener("hw:before", remember);
let asked = "", turn = panel()?.dataset.turn, wasSeated = seated();
const title = document.title;
live?.addEventListener("hw:after", () => {
  if (wasSeated !== seated()) { wasSeated = seated(); show(); once(); }
  ready();
  arm();
  moved();
  jackpot();
  document.querySelectorAll("hw-setter").forEach((one) => one.tell());
  // on a phone the hand comes into sight when it is to be decided
  const mine = panel()?.dataset.turn === "mine";
  if (mine && turn !== "mine" && phone.matches) document.getElementById("compact")?.scrollIntoView({ block: "start", behavior: "instant" });
  const question = document.querySelector(".choice")?.dataset.ask ?? "";
  if (question && question !== asked) {
    const place = document.getElementById("coach");
    if (place && turn !== "mine") place.hidden = true;
    coach();
  }
  // what was advised is about the last question
  const told = document.getElementById("advice");
  if (told && question !== asked) told.hidden = true;
  asked = question;
  turn = panel()?.dataset.turn;
  document.title = mine ? "● Your decision" : title;
});

/** How to play is shown once for each game, to whoever sits down. */
function once() {
  const dialog = document.getElementById("how");
  if (!dialog || !seated() || stored(`how-${dialog.dataset.law}`, "")) return;
  localStorage.setItem(`how-${dialog.dataset.law}`, "seen");
  dialog.classList.add("first");
  dialog.show();
}
show();
ready();
settings();
arm();
jackpot();
jackpot.live = true;
const coaching = document.querySelector("[data-setting=coach]");
if (coaching) coaching.checked = stored("coach", "off") === "on";
once();
coach();
