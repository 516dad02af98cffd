// Figures that roll up to what the server says, and a wall that says when it is out of date.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const shown = (cents) => {
  const whole = Math.floor(cents);
  return `$${Math.floor(whole / 100).toLocaleString("en-US")}.${String(whole % 100).padStart(2, "0")}`;
};

/** An amount in cents. It rolls up to a new one; a meter that was won starts again at once. */
class Roll extends HTMLElement {
  static observedAttributes = ["cents"];
  attributeChangedCallback(_name, was, now) {
    const from = this.at ?? Number(was), to = Number(now);
    cancelAnimationFrame(this.frame);
    if (was === null || still.matches || to < from) {
      if (was !== null && to < from) this.won();
      this.show(to);
      return;
    }
    const begun = performance.now(), lasts = 1200;
    const step = (time) => {
      const part = Math.min(Math.max((time - begun) / lasts, 0), 1);
      this.show(from + (to - from) * part);
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }
  show(cents) {
    this.at = cents;
    this.textContent = shown(cents);
  }
  won() {
    if (!still.matches) this.animate([{ color: "#ffffff" }, { color: "" }], { duration: 2500 });
  }
}
customElements.define("hw-roll", Roll);

// the connection: what is shown stays, with the time of the last word from the house
const live = document.querySelector("hw-live");
if (live) {
  let heard = document.getElementById("meters").dataset.read;
  live.addEventListener("hw:after", () => { heard = document.getElementById("meters").dataset.read; });
  new MutationObserver(() => {
    const line = document.getElementById("stale");
    if (!document.body.classList.contains("is-offline")) {
      if (line.dataset.lost) { line.hidden = true; delete line.dataset.lost; }
      return;
    }
    line.dataset.lost = "1";
    line.hidden = false;
    line.textContent = `Not up to date since ${heard.slice(11, 19)} UTC: the connection was lost.`;
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
}
