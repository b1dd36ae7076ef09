// The keyboard: `/` to the bar, `g` and a letter to a page, `j` and `k` through rows, `?` for help.
// Never while somebody types, and never with Ctrl, Alt or the system's key held.

const PAUSE = 1200; // milliseconds that `g` waits for its letter

export function typing(target) {
  return target instanceof Element && target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]") !== null;
}

export function listen() {
  let waits = 0;
  for (const button of document.querySelectorAll("[data-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => open(button.dataset.open));
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (document.querySelector("dialog[open]") !== null) return; // it has its own keys
    if (Date.now() < waits) {
      waits = 0;
      const place = [...document.querySelectorAll(".places [data-key]")].find((a) => a.dataset.key === event.key);
      if (place !== undefined) {
        event.preventDefault();
        place.click();
        return;
      }
    }
    const act = ACTS[event.key];
    if (event.key === "g") waits = Date.now() + PAUSE;
    else if (act !== undefined && act(event) !== false) event.preventDefault();
  });
}

const ACTS = {
  "/": () => focus("#command-text") || focus("input[type=search]"),
  "?": () => open("keys"),
  j: () => step(1),
  k: () => step(-1),
  Escape: () => leave(),
};

function focus(selector) {
  const field = document.querySelector(selector);
  if (field === null) return false;
  field.focus();
  if (field.select) field.select();
  return true;
}

function open(id) {
  const dialog = document.getElementById(id);
  if (dialog !== null && !dialog.open) dialog.showModal();
}

// A row is where its link has the focus: Enter opens it by itself, Tab goes on from it.
function step(by) {
  const links = [...document.querySelectorAll("[data-keys=rows] [data-row]")]
    .filter((row) => row.checkVisibility())
    .map((row) => (row.matches("a, button") ? row : row.querySelector("a, button")))
    .filter((link) => link !== null);
  if (links.length === 0) return false;
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1);
  links[next].focus();
  links[next].scrollIntoView({ block: "nearest" });
  return true;
}

function leave() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return false;
}
