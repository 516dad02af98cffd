// While somebody types: the whole form goes up, findings, holds and the felt come back.
import { morph, parsed, post } from "./house.js";

class Submission extends HTMLElement {
  connectedCallback() {
    this.addEventListener("input", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.check(), 180); });
    this.addEventListener("submit", (event) => event.preventDefault());
    this.addEventListener("click", (event) => { if (event.target.closest("[data-file]")) this.file(); });
  }
  draft() {
    const found = { rules: {}, who: {}, limits: {}, meters: {}, approvals: {}, devices: {} };
    for (const form of this.querySelectorAll("[data-draft]")) for (const [name, value] of new FormData(form)) {
      const [part, id, end] = (name.match(/\./g) ?? []).length > 1 ? this.split(name) : name.split(".");
      if (end !== undefined) (found[part][id] ??= {})[end] = value;
      else if (id !== undefined) found[part][id] = value;
      else found[part] = value;
    }
    return found;
  }
  split(name) {
    const first = name.indexOf("."), last = name.lastIndexOf(".");
    return [name.slice(0, first), name.slice(first + 1, last), name.slice(last + 1)];
  }
  async check() {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    try {
      const { html } = await post(`${location.pathname}/check`, this.draft());
      if (mine !== this.asked) return;
      const place = document.getElementById("findings");
      morph(place, parsed(html, place));
    } catch (error) { this.say(error.message); }
  }
  async file() {
    try {
      const { submission } = await post(location.pathname, this.draft());
      location.href = `/submissions/${submission}`;
    } catch (error) { this.say(error.code === "not_signed_in" || error.code === "not_your_role" ? "Sign in as compliance to file it." : error.message); }
  }
  say(words) { const place = this.querySelector("[data-said]"); if (place) place.textContent = words; }
}
customElements.define("hw-submission", Submission);
