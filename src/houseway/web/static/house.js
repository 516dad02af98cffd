// What every page has: parts that change under the reader's eyes, and commands that go up once.
//
// A page with <hw-live> holds one event stream. A message brings parts by id, each as markup that
// the server drew for this reader; the page only puts them in place. No rule is known here. Markup
// comes in pieces; after the first message only those come that have changed.

/** Make `old` like `fresh`, keeping what is the same, so that focus and typing survive. */
export function morph(old, fresh, moved) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
    const copy = old.ownerDocument.importNode(fresh, true);
    old.replaceWith(copy);
    moved?.(copy);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (old.isEqualNode(fresh) || old.hasAttribute("data-keep")) return;
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const byId = new Map();
  for (const child of old.children) if (child.id) byId.set(child.id, child);
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const known = child.id ? byId.get(child.id) : undefined;
    if (known) {
      if (known !== at) old.insertBefore(known, at);
      else at = at.nextSibling;
      morph(known, child, moved);
    } else if (at && !(at.id && byId.has(at.id)) && !child.id) {
      const next = at.nextSibling;
      morph(at, child, moved);
      at = next;
    } else {
      const copy = old.ownerDocument.importNode(child, true);
      old.insertBefore(copy, at);
      moved?.(copy);
    }
  }
  while (at) {
    const next = at.nextSibling;
    if (!at.hasAttribute?.("data-own")) at.remove(); // what a script put there is the script's to remove
    at = next;
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** Markup as an element, in the name space that its place asks for. */
export function parsed(markup, place) {
  if (place.namespaceURI === SVG && place.localName !== "svg") {
    const doc = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
    return doc.documentElement.firstElementChild;
  }
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  return holder.content.firstElementChild;
}

export const token = () => document.querySelector("meta[name=token]").content;

//: milliseconds after which an answer is asked for again, and for how long that is tried
const PATIENCE = 5000, GIVE_UP = 90000;

/** Send JSON up; the answer, or the refusal as an error with its code and clause.
 *
 * A body with a key is one command however often it is sent, so it is sent again while the line
 * is down or slow: what was pressed in time is not lost with a packet.
 */
export async function post(address, body) {
  const began = performance.now();
  const text = JSON.stringify(body);
  let late = 0;
  try {
    for (let tries = 1; ; tries++) {
      let answer;
      try {
        answer = await fetch(address, {
          method: "POST",
          headers: { "content-type": "application/json", "x-houseway-token": token() },
          body: text,
          signal: AbortSignal.timeout(PATIENCE),
        });
      } catch {
        if (!body.key || performance.now() - began > GIVE_UP) {
          throw Object.assign(new Error("the server cannot be reached; the request was not sent, or its answer was lost"), { code: "offline" });
        }
        if (!late++) line.waits(+1);
        await new Promise((done) => setTimeout(done, Math.min(250 * tries, 2000)));
        continue;
      }
      const said = await answer.json().catch(() => ({}));
      if (!answer.ok) throw Object.assign(new Error(said.error?.message ?? `answer ${answer.status}`), said.error);
      return said;
    }
  } finally {
    if (late) line.waits(-1);
  }
}

/** The line to the house, as the reader sees it: open, or lost, with presses that wait for it. */
const line = {
  lost: false,
  waiting: 0,
  waits(by) { this.waiting += by; this.tell(); },
  is(lost) { this.lost = lost; this.tell(); },
  tell() {
    const banner = document.getElementById("offline");
    clearTimeout(this.timer);
    const show = () => {
      const is = this.lost || this.waiting > 0;
      banner.hidden = !is;
      document.body.classList.toggle("is-offline", is);
      banner.textContent = this.waiting
        ? "The connection is slow or lost. What you pressed is being sent again; it counts once."
        : "The connection was lost. What you see may be out of date. The page reconnects by itself.";
    };
    if (this.lost || this.waiting) this.timer = setTimeout(show, 700);
    else show();
  },
};

/** A refusal where the action was, at the field that it is about, in one sentence, with its clause. */
export function refuse(error, near) {
  accept();
  const line = document.createElement("p");
  line.className = "refused-here";
  line.setAttribute("role", "alert");
  line.dataset.keep = "";
  line.textContent = error.message.charAt(0).toUpperCase() + error.message.slice(1) + ".";
  if (error.clause) {
    const law = near?.closest("[data-law]")?.dataset.law;
    const clause = document.createElement(law ? "a" : "span");
    if (law) clause.href = `/law/${law}#${encodeURIComponent(error.clause)}`;
    clause.className = "clause";
    clause.textContent = error.clause;
    line.append(" ", clause);
  }
  const field = error.field && near?.closest("form")?.elements.namedItem(error.field);
  if (field instanceof HTMLElement && field.type !== "hidden") {
    line.id = "refused-here";
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", line.id);
    (field.closest("label") ?? field).after(line);
    field.focus();
    field.addEventListener("input", accept, { once: true });
    return;
  }
  const place = (near?.closest("#panel") && document.getElementById("refusals")) ?? near?.closest("section, form, li, .step") ?? document.getElementById("main");
  place.append(line);
  setTimeout(() => line.remove(), 9000);
}

/** What was refused is put right, or something else is done. */
function accept() {
  document.querySelectorAll(".refused-here").forEach((one) => one.remove());
  for (const field of document.querySelectorAll("[aria-invalid][aria-describedby=refused-here]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

/** Every id of a command is made once, where the button is drawn: a double click is one command. */
export const key = () => crypto.randomUUID?.() ?? String(Math.random()).slice(2) + Date.now();

//: the house says something every five seconds; after so many milliseconds of silence the line is dead
const SILENCE = 12000;

/** The markup of a part: all its pieces, or those that it has with some put in the place of others. */
function changed(pieces, id, change) {
  if (typeof change === "string") change = [change];
  if (Array.isArray(change)) pieces[id] = change;
  else if ("put" in change) pieces[id].splice(change.at, change.gone, ...change.put);
  else Object.assign(pieces[id], change);
  return pieces[id].join("");
}

class Live extends HTMLElement {
  connectedCallback() {
    this.wait = 500;
    this.heard = performance.now();
    this.answered = 0;
    this.open();
    this.watch = setInterval(() => this.look(), 1000);
    addEventListener("pageshow", (event) => event.persisted && location.reload());
  }
  disconnectedCallback() { clearInterval(this.watch); clearTimeout(this.later); this.source?.close(); }
  get drawings() { return this.wanted?.() ?? ""; }
  open() {
    this.source?.close();
    this.pieces = {};
    const at = this.at ?? this.getAttribute("at");
    this.drawn = this.drawings;
    const drawings = this.drawn ? `&drawings=${this.drawn}` : "";
    this.source = new EventSource(`${this.getAttribute("src")}&at=${encodeURIComponent(at)}${drawings}`);
    this.source.addEventListener("open", () => { this.wait = 500; this.hear(); });
    this.source.addEventListener("beat", () => this.hear());
    this.source.addEventListener("parts", (message) => {
      this.hear();
      this.at = message.lastEventId;
      this.take(JSON.parse(message.data));
    });
    this.source.addEventListener("gone", () => location.reload());
    this.source.addEventListener("error", () => {
      line.is(true);
      if (this.source.readyState === EventSource.CLOSED) this.again();
    });
  }
  again() {
    this.source?.close();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, 8000);
  }
  /** Another drawing is wanted: all of it, as it stands. */
  redraw() {
    if (this.drawn === this.drawings) return;
    this.at = "";
    this.open();
  }
  hear() {
    this.heard = performance.now();
    line.is(false);
    // the house learns that its words arrive, so that it can tell a slow line from a slow player
    const answer = this.getAttribute("answer");
    if (answer && this.heard - this.answered > 4000) {
      this.answered = this.heard;
      fetch(answer, { method: "POST", headers: { "content-type": "application/json", "x-houseway-token": token() }, body: "{}", signal: AbortSignal.timeout(PATIENCE) }).catch(() => {});
    }
  }
  look() {
    if (performance.now() - this.heard < SILENCE) return;
    // a line that is dead says nothing about it: close it and try another
    this.heard = performance.now();
    line.is(true);
    this.again();
  }
  take(parts) {
    const moved = [];
    const before = new Event("hw:before");
    this.dispatchEvent(before);
    for (const [id, change] of Object.entries(parts)) {
      const markup = changed(this.pieces, id, change);
      const place = document.getElementById(id);
      if (place) morph(place, parsed(markup, place), (one) => moved.push(one));
    }
    this.dispatchEvent(new CustomEvent("hw:after", { detail: { moved, parts } }));
  }
}

customElements.define("hw-live", Live);

// on a phone the bar is wider than the screen: where one is comes into sight
document.querySelector(".top nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest", behavior: "instant" });

// what is wider than the screen is scrolled by keyboard too
function scrollable() {
  for (const one of document.querySelectorAll(".scroll")) {
    if (one.scrollWidth > one.clientWidth) one.setAttribute("tabindex", "0");
    else one.removeAttribute("tabindex");
  }
}
addEventListener("resize", scrollable);
scrollable();

// A clock that only shows what the server set.
class Clock extends HTMLElement {
  static observedAttributes = ["until"];
  // all of its attributes come together: it starts when the last of them is there
  attributeChangedCallback() { queueMicrotask(() => this.start()); }
  connectedCallback() { this.start(); }
  start() {
    if (!this.isConnected) return;
    const left = Number(this.getAttribute("left")), of = Number(this.getAttribute("of"));
    if (!this.firstElementChild) {
      this.append(document.createElement("i"), document.createElement("b"));
      for (const part of this.children) part.setAttribute("data-own", "");
    }
    const [bar, words] = this.children;
    clearInterval(this.ticking);
    const until = performance.now() + left * 1000;
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
      words.textContent = `${seconds} s`;
      this.classList.toggle("late", seconds < 6);
      if (!seconds || !this.isConnected) clearInterval(this.ticking);
    };
    tick();
    this.ticking = setInterval(tick, 1000);
    bar.getAnimations().forEach((one) => one.cancel());
    bar.animate([{ transform: `scaleX(${left / of})` }, { transform: "scaleX(0)" }], { duration: left * 1000, fill: "forwards" });
  }
}
customElements.define("hw-clock", Clock);

// <button data-command='{…}'> anywhere inside [data-send] sends that command once.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-command]");
  if (!button || button.disabled || button.dataset.sent) return;
  event.preventDefault();
  await send(button, JSON.parse(button.dataset.command));
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-fields]");
  if (!form) return;
  event.preventDefault();
  const command = JSON.parse(form.dataset.fields);
  for (const [name, value] of new FormData(form)) {
    const kind = form.elements[name]?.dataset?.kind;
    if (value === "" && kind !== "text") continue;
    command[name] = kind === "number" ? Number(value) : kind === "cards" ? value.split(/[\s,]+/).filter(Boolean) : kind === "flag" ? true : value;
  }
  // what was taken is not typed again: the next card is another one
  if (await send(form.querySelector("button:not([type=button])"), command)) form.reset();
});

// What means the same on a newer table is sent again for it; a decision never is.
const STILL_MEANT = new Set(["sit_down", "leave_seat", "buy_in", "place_wager", "take_back_wager", "change_dealer"]);

export async function send(button, command) {
  const place = button?.closest("[data-send]") ?? document.querySelector("[data-send]");
  const once = key();
  if (button) {
    button.dataset.sent = "1";
    button.classList.add("busy");
  }
  try {
    for (let tries = 0; ; tries++) {
      try {
        return await post(place.dataset.send, { version: Number(place.dataset.version), key: once, ...command });
      } catch (error) {
        if (error.code !== "stale" || !STILL_MEANT.has(command.command) || tries > 4) throw error;
        await new Promise((done) => setTimeout(done, 120));
      }
    }
  } catch (error) {
    refuse(error, button);
    return undefined;
  } finally {
    if (button) {
      delete button.dataset.sent;
      button.classList.remove("busy");
    }
  }
}
