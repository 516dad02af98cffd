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
    seen.set(one.id, { svg, face: one.querySelector("use")?.getAttribute("href"), count: one.querySelectorAll("use").length });
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
  return `translate(${back.a * dx + back.c * dy}px, ${back.b * dx + back.d * dy}px)`;
}

const REST = "translate(0px, 0px)";
/** What can be moved by itself: an element without a place of its own, or what is in it. */
const mover = (element) => (element.hasAttribute("transform") ? [...element.children].find((one) => one.localName !== "title") : element);

function travel(element, from, ms, delay) {
  const moving = mover(element), start = moving && way(moving, from);
  if (start) play(moving, [{ transform: start, opacity: 0.5 }, { transform: REST, opacity: 1 }], ms, delay);
}

export function moved() {
  const phase = document.getElementById("panel")?.dataset.phase;
  if (phase === "shuffling" && remember.phase !== phase) sounds.shuffle();
  const svg = felt();
  if (!svg) return;
  const find = (...ids) => ids.map((id) => svg.querySelector(`[id$="${id}"]`)).find(Boolean);
  const shoe = middle(find("dealing_shoe", "stub", "shuffler")) ?? { x: innerWidth * 0.7, y: 0 };
  const tray = middle(find("inventory_container")) ?? { x: innerWidth / 2, y: 0 };
  const mine = middle(document.querySelector(".chips")) ?? tray;
  let cards = 0, chips = 0, turned = 0;
  const fresh = [...seen.values()][0]?.svg;
  for (const one of pieces()) {
    const before = fresh && fresh !== svg ? { face: one.querySelector("use")?.getAttribute("href") } : seen.get(one.id);
    const isCard = one.classList.contains("card"), face = one.querySelector("use")?.getAttribute("href");
    if (!before && isCard) {
      if (pace()) travel(one, shoe, 230, 60 * cards);
      sounds.card(cards++);
    } else if (!before) {
      const paid = one.classList.contains("paid"), taken = one.classList.contains("collected");
      if (pace() && taken) {
        // a copy of what is collected goes to the tray; what it was stays, dimmed, with its amount
        const moving = mover(one), end = moving && way(moving, tray);
        if (end) play(moving, [{ transform: REST, opacity: 1 }, { transform: end, opacity: 0.9, offset: 0.75 }, { transform: end, opacity: 0 }], 420);
      } else if (pace()) travel(one, paid ? tray : mine, 240, paid ? 80 : 0);
      chips++;
    } else if (isCard && before.face !== face) {
      turned++;
      if (pace()) {
        const moving = mover(one);
        moving.style.transformBox = "fill-box";
        moving.style.transformOrigin = "center";
        play(moving, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], 200, 60 * (turned - 1));
      }
    }
  }
  if (turned) sounds.turn();
  if (chips) sounds.chip();
  if (pace()) for (const total of svg.querySelectorAll(".total")) if (total.textContent !== moved.total) play(total, [{ opacity: 0 }, { opacity: 1 }], 220);
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
