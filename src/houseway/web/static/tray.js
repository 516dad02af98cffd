// The tray as it is counted: what each row is worth and by how much it differs. The house counts
// it again; this is for the eye.
const form = document.getElementById("tray");
const said = (cents) => `${cents < 0 ? "−" : ""}${(Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const sign = (cents) => (cents > 0 ? `+${said(cents)}` : said(cents));

function count() {
  let worth = 0, held = 0, any = false;
  for (const row of form.querySelectorAll("tr[data-value]")) {
    const value = Number(row.dataset.value), field = row.querySelector("input");
    const counted = Number(field.value) || 0, differs = (counted - Number(row.dataset.held)) * value;
    any ||= field.value !== "";
    worth += counted * value;
    held += Number(row.dataset.held) * value;
    row.querySelector("[data-worth]").textContent = field.value ? said(counted * value) : "";
    row.querySelector("[data-differs]").textContent = field.value && differs ? sign(differs) : "";
  }
  document.getElementById("worth").textContent = any ? said(worth) : "";
  const all = document.getElementById("differs");
  all.textContent = !any ? "" : worth === held ? "0.00" : sign(worth - held);
  all.className = worth === held ? "" : "loss";
}

form?.addEventListener("input", count);
const held = document.getElementById("as-held");
held?.removeAttribute("hidden");
held?.addEventListener("click", () => {
  for (const row of form.querySelectorAll("tr[data-value]")) row.querySelector("input").value = row.dataset.held === "0" ? "" : row.dataset.held;
  count();
});
if (form) count();
