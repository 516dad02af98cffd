// Arrow keys go through the steps; a step is a page of its own, so back and forward work too.
document.addEventListener("keydown", (event) => {
  const name = { ArrowRight: "on", ArrowLeft: "back" }[event.key];
  if (!name || event.target.matches("input, select")) return;
  const link = document.querySelector(`[data-step=${name}]`);
  if (link) { event.preventDefault(); location.replace(link.href); }
});
document.querySelector(".timeline [aria-current]")?.scrollIntoView({ block: "nearest" });
