// A page whose figures are still being counted asks again, and takes over what is new.
import { morph } from "./house.js";

async function again() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    morph(document.getElementById("main"), fresh.getElementById("main"));
    document.title = fresh.title;
  } catch {
    // the line is cut for a moment
  }
  if (document.getElementById("counting")) setTimeout(again, 1200);
}
setTimeout(again, 800);
