// The table: chips by click, drag or key; cards that travel; a hand that is set by dragging.
import { key, post, refuse, send } from "./house.js";

const panel = () => document.getElementById("panel");
const setting = {
  get motion() { return localStorage.getItem("motion") !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches; },
  get sound() { return localStorage.getItem("sound") === "on"; },
  get hand() { return localStorage.getItem("hand") ?? "1"; },
  get chip() { return localStorage.getItem("chip") ?? "5.00"; },
};

// ---- settings --------------------------------------------------------------------------------

function settings() {
  document.querySelector("[data-setting=motion]")?.setAttribute("aria-pressed", String(setting.motion));
  document.querySelector("[data-setting=sound]")?.setAttribute("aria-pressed", String(setting.sound));
  for (const one of document.querySelectorAll("[data-setting=motion], [data-setting=sound]")) {
    one.textContent = `${one.dataset.setting === "motion" ? "Motion" : "Sound"} ${one.getAttribute("aria-pressed") === "true" ? "on" : "off"}`;
  }
}

document.addEventListener("click", (event) => {
  const one = event.target.closest("button[data-setting]");
  if (!one) return;
  localStorage.setItem(one.dataset.setting, one.getAttribute("aria-pressed") === "true" ? "off" : "on");
  settings();
});
document.addEventListener("change", (event) => {
  if (event.target.dataset?.setting !== "theme") return;
  document.cookie = `houseway_theme=${event.target.value}; path=/; max-age=31536000; samesite=lax`;
  location.search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), theme: event.target.value });
});

// ---- wagers ----------------------------------------------------------------------------------

const seat = () => Number(panel()?.dataset.seat);
const open = () => (panel()?.dataset.open ?? "").split(" ").filter(Boolean);

function ready() {
  for (const hit of document.querySelectorAll(".can")) {
    hit.classList.remove("can");
    hit.removeAttribute("tabindex");
    hit.removeAttribute("role");
  }
  for (const area of open()) {
    // on the felt, and on the small felt of a phone
    for (const id of [`seat-${seat()}-${area}`, `c-seat-${seat()}-${area}`]) {
      const hit = document.getElementById(id);
      if (!hit) continue;
      hit.classList.add("can");
      hit.dataset.area = wagerOn(area);
      hit.setAttribute("tabindex", "0");
      hit.setAttribute("role", "button");
    }
  }
  for (const one of document.querySelectorAll("[data-chip]")) {
    one.setAttribute("aria-pressed", String(one.dataset.chip === setting.chip));
  }
  for (const one of document.querySelectorAll("[data-hand]")) {
    one.setAttribute("aria-pressed", String(one.dataset.hand === setting.hand));
  }
  // the felt lies above its areas; let the pointer through to them
  document.getElementById("layer-play")?.setAttribute("pointer-events", "none");
}

// a wager on one of several hands is named with it, as in ante@2
const named = (id) => { const [wager, hand] = id.split("@"); return hand ? { wager, hand: Number(hand) } : { wager }; };
const bet = (id, amount, near) => send(near, { command: "place_wager", seat: seat(), ...named(id), amount });
const take = (id, near) => send(near, { command: "take_back_wager", seat: seat(), ...named(id) });
const wagerOn = (area) => (document.querySelector("[data-hand]") ? `${area}@${setting.hand}` : area);

document.addEventListener("click", async (event) => {
  const target = event.target;
  const chip = target.closest("[data-chip]");
  if (chip) {
    localStorage.setItem("chip", chip.dataset.chip);
    ready();
    return;
  }
  const hand = target.closest("[data-hand]");
  if (hand) {
    localStorage.setItem("hand", hand.dataset.hand);
    ready();
    return;
  }
  const plus = target.closest("[data-bet]");
  if (plus && !plus.disabled) return void bet(plus.dataset.bet, amountFor(plus.dataset.bet), plus);
  const minus = target.closest("[data-take]");
  if (minus && !minus.disabled) return void take(minus.dataset.take, minus);
  const area = target.closest(".can");
  if (area) return void (event.shiftKey ? take(area.dataset.area, document.getElementById("step")) : bet(area.dataset.area, amountFor(area.dataset.area), document.getElementById("step")));
  const asks = target.closest("[data-post]");
  if (asks && !asks.dataset.sent) {
    asks.dataset.sent = "1";
    try { await post(asks.dataset.post, { key: key() }); } catch (error) { refuse(error, asks); }
    delete asks.dataset.sent;
    return;
  }
  const advice = target.closest("[data-advice]");
  if (advice) await ask(advice);
});

/** The chosen chip; the only amount there is; or the least, where the chip is less than that. */
function amountFor(area, chip = setting.chip) {
  const { amount, least } = document.querySelector(`[data-bet="${area}"]`)?.dataset ?? {};
  if (amount) return amount;
  return least && Number(least) > Number(chip) ? least : chip;
}

document.addEventListener("contextmenu", (event) => {
  const area = event.target.closest(".can");
  if (!area) return;
  event.preventDefault();
  take(area.dataset.area, document.getElementById("step"));
});

async function ask(button) {
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

// keys: 1 to 8 choose a chip; on an area of the felt Enter wagers and Backspace takes back
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const area = event.target.closest?.(".can");
  if (area && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    bet(area.dataset.area, amountFor(area.dataset.area), document.getElementById("step"));
  } else if (area && (event.key === "Backspace" || event.key === "Delete")) {
    event.preventDefault();
    take(area.dataset.area, document.getElementById("step"));
  } else if (/^[1-9]$/.test(event.key)) {
    const chips = document.querySelectorAll("[data-chip]");
    const chosen = chips[Number(event.key) - 1];
    if (chosen) { localStorage.setItem("chip", chosen.dataset.chip); ready(); }
  } else {
    const names = { p: "play", f: "fold", h: "hit", s: "stand", d: "double", t: "split" };
    const name = names[event.key];
    const button = name && document.querySelector(`[data-key-name=${name}]:not(:disabled)`);
    if (button) button.click();
    else if (event.key === "Enter" && event.target === document.body) document.querySelector(".step .next:not(:disabled)")?.click();
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
  if (area) bet(area.dataset.area, amountFor(area.dataset.area, chip.dataset.chip), document.getElementById("step"));
});

// ---- setting Saigon's hands ------------------------------------------------------------------

class Setter extends HTMLElement {
  connectedCallback() {
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
  }
  put(button) {
    const [three, two] = [...this.querySelectorAll(".lay")].map((lay) => [...lay.querySelectorAll("[data-card]")].map((card) => card.dataset.card));
    send(button, { command: "set_hands", seat: Number(this.dataset.seat), three, two });
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
    one.addEventListener("click", () => { field.value = `${field.value} ${rank}${suit}`.trim(); });
    pad.append(one);
  }
  field.after(pad);
});

// ---- motion: what is new comes from where it came from ---------------------------------------

const seen = new Map();
function remember() {
  seen.clear();
  for (const one of document.querySelectorAll("#layer-play .card[id], #layer-play .pile[id]")) {
    seen.set(one.id, { box: one.getBoundingClientRect(), face: one.querySelector("use")?.getAttribute("href") });
  }
}

function middle(element) {
  const box = element?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : undefined;
}

/** Let an element of the felt come from a point of the screen to where it lies. */
function travel(element, from, ms, delay) {
  const here = middle(element), matrix = element.parentNode.getScreenCTM?.();
  if (!here || !matrix) return;
  const back = matrix.inverse();
  const dx = from.x - here.x, dy = from.y - here.y;
  const x = back.a * dx + back.c * dy, y = back.b * dx + back.d * dy;
  const own = element.getAttribute("transform");
  const moving = own ? element.firstElementChild.nextElementSibling ?? element.firstElementChild : element;
  if (own && element.classList.contains("pile")) return void element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: ms, delay, fill: "backwards" });
  moving.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0.4 }, { transform: "translate(0, 0)", opacity: 1 }], { duration: ms, delay, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" });
}

function moved() {
  if (!setting.motion) return;
  const shoe = middle(document.getElementById("dealing_shoe") ?? document.getElementById("stub") ?? document.getElementById("shuffler"));
  const tray = middle(document.getElementById("inventory_container"));
  let order = 0;
  for (const one of document.querySelectorAll("#layer-play .card[id], #layer-play .pile[id]")) {
    const before = seen.get(one.id);
    const isCard = one.classList.contains("card");
    if (!before) {
      if (isCard && shoe) travel(one, shoe, 220, 40 * order++);
      else if (!isCard && tray) travel(one, tray, 200, 0);
    } else if (isCard && before.face !== one.querySelector("use")?.getAttribute("href") && !one.hasAttribute("transform")) {
      // the card turns over in its place
      one.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 200 });
    }
  }
  if (order && setting.sound) click();
}

let audio;
function click() {
  audio ??= new AudioContext();
  const at = audio.currentTime, tone = audio.createOscillator(), gain = audio.createGain();
  tone.frequency.value = 1900;
  gain.gain.setValueAtTime(0.05, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.04);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.05);
}

const live = document.querySelector("hw-live");
live?.addEventListener("hw:before", remember);
let turn = panel()?.dataset.turn;
live?.addEventListener("hw:after", () => {
  ready();
  moved();
  // on a phone the hand comes into sight when it is to be decided
  if (panel()?.dataset.turn === "mine" && turn !== "mine" && innerWidth <= 640) document.getElementById("compact")?.scrollIntoView({ block: "start", behavior: "instant" });
  turn = panel()?.dataset.turn;
  document.title = panel()?.dataset.turn === "mine" ? `● Your decision` : document.title.replace(/^● Your decision$/, "Houseway");
});
ready();
settings();
