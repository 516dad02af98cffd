// Nothing that costs money happens to a press that was aimed at something else.
//
// A decision never stands where another stood within the last second; a press counts only if it
// began on the button, after the button could be pressed.

const SECOND = 1000, AGAIN = 400, NEW = 350;
const stood = new Map();   // place: what stood there last, and until when
const armed = new Map();   // what stands there now: from when it may be pressed
let asked = "", shown = new Map();
let down = { at: -1, on: null }, keyAt = -1;

const guarded = (target) => target.closest?.(".choice, [data-guard]");
const nameOf = (button) => button.dataset.keyName ?? button.id;

/** What may be pressed from when, after the page has changed. */
export function arm() {
  const now = performance.now();
  const choices = [...document.querySelectorAll(".choice")];
  const ask = choices[0]?.dataset.ask ?? "";
  if (ask !== asked) {
    for (const [place, name] of shown) { stood.set(place, { name, until: now }); armed.delete(name); }
    shown = new Map();
    asked = ask;
  }
  for (const button of choices) {
    // a wide button stands at two places
    const name = nameOf(button), places = button.dataset.slot.split(" ");
    if (!armed.has(name)) {
      const lasts = places.map((place) => stood.get(place)).filter(Boolean);
      const others = lasts.some((last) => last.name !== name);
      armed.set(name, Math.max(now, ...lasts.map((last) => last.until + (last.name !== name ? SECOND : AGAIN))));
      button.classList.toggle("not-yet", others && armed.get(name) > now);
    }
    for (const place of places) shown.set(place, name);
    later(button);
  }
  for (const button of document.querySelectorAll("[data-guard]")) {
    const name = nameOf(button);
    if (button.disabled) armed.delete(name);
    else if (!armed.has(name)) armed.set(name, now + (started ? NEW : 0));
    later(button);
  }
  started = true;
}
let started = false;

function later(button) {
  const wait = (armed.get(nameOf(button)) ?? 0) - performance.now();
  if (wait > 0) {
    button.setAttribute("aria-disabled", "true");
    setTimeout(() => later(button), wait + 1);
  } else {
    button.removeAttribute("aria-disabled");
    button.classList.remove("not-yet");
  }
}

/** Whether a press that began then may count for a button. */
export const counts = (button, began) => !button.disabled && began >= (armed.get(nameOf(button)) ?? Infinity);

document.addEventListener("pointerdown", (event) => { down = { at: performance.now(), on: guarded(event.target) }; }, true);
document.addEventListener("keydown", (event) => { if (!event.repeat) keyAt = performance.now(); }, true);
document.addEventListener("click", (event) => {
  const button = guarded(event.target);
  if (!button || !event.isTrusted) return;
  const began = event.detail === 0 ? keyAt : down.on === button ? down.at : -1;
  if (counts(button, began)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, true);
