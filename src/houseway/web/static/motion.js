// The round as it happens: cards fly from the shoe and turn, chips travel, a meter that pays is an event.
//
// The server's order is the order that is shown. Everything can be skipped with a key, and nothing
// moves for a reader who asked for less motion.
import { sounds } from "./sound.js";

const SVG = "http://www.w3.org/2000/svg";
const PACE = { calm: 1.7, quick: 1, instant: 0 };
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
export const speed = () => (reduced.matches ? "instant" : localStorage.getItem("speed") ?? "quick");
const pace = () => PACE[speed()] ?? 1;

const felt = () => [...document.querySelectorAll("#h-felt, #felt, #c-felt")].find((one) => one.getClientRects().length);
const pieces = () => felt()?.querySelectorAll(".card[id], .pile[id]") ?? [];
let seen = new Map();
const running = new Set();

export function remember() {
  seen = new Map();
  const svg = felt();
  for (const one of pieces()) {
    seen.set(one.id, { svg, face: one.querySelector("use")?.getAttribute("href") });
  }
  remember.phase = document.getElementById("panel")?.dataset.phase;
}

function middle(element) {
  const box = element?.getBoundingClientRect();
  return box?.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : undefined;
}

function play(element, frames, ms, delay = 0) {
  const one = element.animate(frames, { duration: ms * pace(), delay: delay * pace(), easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" });
  running.add(one);
  one.finished.catch(() => {}).finally(() => running.delete(one));
  return one;
}

/** The way from a point of the screen to an element, in the element's own measure. */
function way(element, from) {
  const here = middle(element), matrix = element.parentNode.getScreenCTM?.();
  if (!here || !matrix) return undefined;
  const back = matrix.inverse(), dx = from.x - here.x, dy = from.y - here.y;
  return [back.a * dx + back.c * dy, back.b * dx + back.d * dy];
}

const at = ([x, y], share = 1) => `translate(${x * share}px, ${y * share}px)`;
const REST = at([0, 0]);
/** What can be moved by itself: an element without a place of its own, or what is in it. */
const mover = (element) => (element.hasAttribute("transform") ? [...element.children].find((one) => one.localName !== "title") : element);

/** A card comes from the shoe with its back up, and is turned over where it lies. */
function dealt(card, from, delay) {
  const moving = mover(card), start = moving && way(moving, from);
  if (!start) return;
  play(moving, [{ transform: `${at(start)} rotate(-24deg)`, opacity: 0 }, { opacity: 1, offset: 0.15 }, { transform: REST, opacity: 1 }], 250, delay);
  if (moving === card) turned(card, delay + 230);
}

/** The back of a card narrows to its edge, and the face opens from it. */
function turned(card, delay) {
  const face = card.querySelector("use");
  if (!face || face.getAttribute("href").startsWith(BACK)) return;
  // while it turns, the card keeps its room
  const back = face.cloneNode(), room = document.createElementNS(SVG, "rect");
  back.setAttribute("href", felt().querySelector(`use[href^="${BACK}"]`)?.getAttribute("href") ?? `${BACK}red`);
  for (const [name, value] of Object.entries({ x: face.getAttribute("x"), y: face.getAttribute("y"), width: 63.5, height: 88.9, fill: "none" })) room.setAttribute(name, value);
  for (const one of [back, room]) one.setAttribute("data-own", "");
  card.append(room, back);
  const gone = (one) => () => one.hasAttribute("data-own") && one.remove();
  play(back, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], 100, delay).finished.then(gone(back), gone(back));
  play(face, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], 130, delay + 100).finished.then(gone(room), gone(room));
}
const BACK = "#hw-back-";

/** Chips go in a low arc from where they were to where they lie. */
function thrown(pile, from, delay) {
  const moving = mover(pile), start = moving && way(moving, from);
  if (start) play(moving, [{ transform: at(start), opacity: 0.3 }, { transform: `${at(start, 0.35)} scale(1.2)`, opacity: 1, offset: 0.55 }, { transform: REST, opacity: 1 }], 300, delay);
}

/** What is collected goes to the tray; what it was stays, dimmed, with its amount. */
function collected(pile, to, delay) {
  const moving = mover(pile), end = moving && way(moving, to);
  if (end) play(moving, [{ transform: REST, opacity: 1 }, { transform: at(end), opacity: 0.9, offset: 0.75 }, { transform: at(end), opacity: 0 }], 460, delay);
}

const appear = (part, delay = 0) => play(part, [{ opacity: 0 }, { opacity: 1 }], 200, delay);

export function moved() {
  const phase = document.getElementById("panel")?.dataset.phase;
  if (phase === "shuffling" && remember.phase !== phase) sounds.shuffle();
  const svg = felt();
  if (!svg) return;
  const find = (...ids) => ids.map((id) => svg.querySelector(`[id$="${id}"]`)).find(Boolean);
  const shoe = middle(find("dealing_shoe", "stub", "shuffler")) ?? { x: innerWidth * 0.7, y: 0 };
  const tray = middle(find("inventory_container")) ?? { x: innerWidth / 2, y: 0 };
  const mine = middle(document.querySelector(".chips")) ?? tray;
  const moves = pace() > 0, ends = new Map();
  let cards = 0, chips = 0, faces = 0;
  const fresh = [...seen.values()][0]?.svg;
  for (const one of pieces()) {
    const isCard = one.classList.contains("card"), face = one.querySelector("use")?.getAttribute("href");
    const before = fresh && fresh !== svg ? { face } : seen.get(one.id);
    if (!before && isCard) {
      if (moves) dealt(one, shoe, 90 * cards);
      sounds.card(cards++ * 0.09 * pace());
      ends.set(one.closest(".hand"), 90 * cards + 300);
    } else if (!before) {
      // wager after wager, as they are settled
      const [paid, taken] = ["paid", "collected"].map((state) => one.classList.contains(state)), wait = 150 * chips++;
      if (moves) taken ? collected(one, tray, wait) : thrown(one, paid ? tray : mine, wait);
      sounds.chip(wait / 1000 * pace());
      if (paid || taken) ends.set(one.closest(".bets"), wait + 200);
    } else if (isCard && before.face !== face) {
      if (moves) turned(one, 180 * faces);
      sounds.turn(faces++ * 0.18 * pace());
      ends.set(one.closest(".hand"), 180 * faces);
    }
  }
  if (moves) {
    // a hand is named when its last card is seen, on the felt and beside it
    for (const [hand, end] of ends) for (const part of hand?.querySelectorAll(":scope > :is(.plate, .amount, .tick, .ring)") ?? []) appear(part, end);
    const says = cards && document.querySelector("#panel[data-turn=mine] .told .says");
    if (says) appear(says, Math.max(...ends.values()));
    for (const halo of svg.querySelectorAll(".halo")) if (!moved.lit?.has(halo.parentNode.id)) play(halo, [{ opacity: 0 }, { opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], 900, 200);
    for (const total of svg.querySelectorAll(".total")) if (total.textContent !== moved.total) play(total, [{ transform: "scale(.4)", opacity: 0 }, { transform: "scale(1.15)", opacity: 1, offset: 0.7 }, { transform: "scale(1)" }], 320, 120);
  }
  moved.lit = new Set([...svg.querySelectorAll(".halo")].map((halo) => halo.parentNode.id));
  const total = svg.querySelector(".total")?.textContent ?? "";
  if (total !== moved.total && total.includes("+")) sounds.win();
  moved.total = total;
}

/** Everything is where it ends. */
export function skip() {
  for (const one of running) one.finish();
  if (jackpot.over) jackpot.over();
}

/** A meter that paid me dims the room, rolls the amount and names the hand; once for each. */
export function jackpot() {
  const told = document.getElementById("panel")?.dataset.jackpot;
  const stage = document.getElementById("jackpot");
  if (!stage || !told || told === jackpot.told) return;
  jackpot.told = told;
  if (!jackpot.live) return;
  const { name, cents, hand, cards } = JSON.parse(told);
  const dollars = (value) => `$${(value / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
  const [title, amount, words] = stage.querySelectorAll("p");
  title.textContent = name;
  words.textContent = hand;
  stage.querySelector(".my-cards").replaceChildren(...cards.map((card) => {
    const svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
    svg.setAttribute("viewBox", "0 0 63.5 88.9");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#hw-${card}`);
    svg.append(use);
    return svg;
  }));
  stage.hidden = false;
  sounds.jackpot();
  const long = 1900 * pace(), began = performance.now();
  let over = false;
  jackpot.over = () => { over = true; stage.hidden = true; jackpot.over = undefined; };
  const roll = (now) => {
    if (over) return;
    const share = long ? Math.min(1, (now - began) / long) : 1;
    amount.textContent = dollars(Math.round(cents * (1 - (1 - share) ** 3)));
    if (share < 1) return void requestAnimationFrame(roll);
    amount.textContent = dollars(cents);
    setTimeout(() => jackpot.over?.(), 4200);
  };
  requestAnimationFrame(roll);
}
