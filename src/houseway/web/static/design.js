// The edge follows the cursor: each change is sent, the last answer wins.
import { post } from "./house.js";

class Design extends HTMLElement {
  connectedCallback() {
    this.addEventListener("input", () => this.count());
    this.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      const field = event.target.closest("input");
      const found = field?.value.match(/^(\d+)(.*)$/);
      if (!found) return;
      event.preventDefault();
      field.value = Math.max(0, Number(found[1]) + (event.key === "ArrowUp" ? 1 : -1)) + found[2];
      this.count();
    });
  }
  async count() {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    const rows = Object.fromEntries([...this.querySelectorAll("input")].map((one) => [one.name, one.value]));
    const refused = this.querySelector("[data-refused]");
    const edge = this.querySelector("output");
    try {
      const said = await post(location.pathname, { rows });
      if (mine !== this.asked) return;
      refused.hidden = true;
      edge.classList.remove("stale");
      for (const field of this.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
      this.querySelector("[data-edge]").textContent = `${said.house_edge_percent}%`;
      this.querySelector("[data-return]").textContent = said.return_percent;
      this.querySelector("[data-hundred]").textContent = said.per_hundred;
      this.querySelector("[data-exact]").textContent = said.house_edge;
    } catch (error) {
      if (mine !== this.asked) return;
      refused.hidden = false;
      // the figure is that of the last table that could be read
      edge.classList.add("stale");
      const wrong = error.field?.split(".").at(-1);
      for (const field of this.querySelectorAll("input")) field.ariaInvalid = field.name === wrong ? "true" : null;
      const row = this.querySelector(`label[for="row-${wrong}"]`)?.textContent;
      refused.textContent = `${row ? `${row}: ` : ""}${error.message}.`;
    }
  }
}
customElements.define("hw-design", Design);
