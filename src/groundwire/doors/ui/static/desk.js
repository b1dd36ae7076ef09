// The desk page while it is looked at: what goes on, and what came of it.
import { times } from "./look.js";

const BUSY = 2000; // milliseconds between two looks while something goes on
const CALM = 6000;
const LONGEST = 60000; // while the desk is away, or wants fewer questions

const now = document.querySelector("[data-now]");
const parts = document.querySelector("[data-parts]");
const shown = { now: null, parts: null, mark: now.dataset.mark };

async function part(path) {
  const response = await fetch(path, { headers: { Accept: "text/html" } });
  if (response.redirected) location.reload(); // the session is over
  if (!response.ok || response.redirected) throw new Error(String(response.status));
  return { html: await response.text(), mark: response.headers.get("X-Mark") };
}

const running = () => [...now.querySelectorAll("[data-run]")].map((row) => row.dataset.run);

// Whoever is on a row stays on it; what did not change is not touched.
function put(place, html) {
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  place.innerHTML = html;
  times(place);
  if (focused !== null) place.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

async function look() {
  const before = running();
  const { html, mark } = await part("/desk/now");
  if (html !== shown.now) {
    shown.now = html;
    put(now, html);
  }
  const after = new Set(running());
  if (mark === shown.mark && before.every((id) => after.has(id))) return;
  const rest = await part("/desk/parts");
  shown.mark = mark;
  if (rest.html !== shown.parts) {
    shown.parts = rest.html;
    put(parts, rest.html);
  }
}

let wait = running().length > 0 ? BUSY : CALM;

async function again() {
  try {
    if (!document.hidden) await look();
    wait = running().length > 0 ? BUSY : CALM;
  } catch {
    wait = Math.min(wait * 2, LONGEST); // what is shown stays
  }
  setTimeout(again, wait);
}

setTimeout(again, wait);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look().catch(() => {});
});
