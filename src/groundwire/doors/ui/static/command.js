// The command bar: the desk guesses what is meant while one types, one may say otherwise, Enter starts.
import { get, send } from "./live.js";

const PAUSE = 180; // milliseconds without a key before the desk is asked
const DAY = 86_400_000; // milliseconds: clocks differ, but not by more
const LOOKED_AT = 600; // characters of a text that a guess looks at

export function command(form) {
  const text = form.querySelector("textarea");
  const says = form.querySelector(".command-says");
  const wrong = form.querySelector(".error");
  const button = form.querySelector("button");
  const auto = form.querySelector('input[name="kind"][value=""]');
  const kinds = [...form.querySelectorAll('input[name="kind"]')].filter((each) => each !== auto);
  const saidAt = form.elements.said_at; // when the message was said; of kinds that ask for it
  let said = kinds.some((each) => each.checked); // the visitor chose; nothing is guessed any more
  let timer = 0;
  let asked = null; // what was guessed about, and the guess

  auto.parentElement.hidden = true; // the guess itself is shown instead

  function show() {
    const chosen = kinds.find((each) => each.checked);
    const guessed = chosen !== undefined && !said;
    form.toggleAttribute("data-guessed", guessed);
    says.value = guessed ? chosen.dataset.guess : (chosen || auto).dataset.says;
    if (saidAt) saidAt.parentElement.hidden = !chosen?.dataset.said;
  }

  function looked() {
    return text.value.slice(0, LOOKED_AT);
  }

  async function guess() {
    const about = looked();
    if (asked !== null && asked.about === about) return asked.guess;
    const promise = get(`/command/guess?text=${encodeURIComponent(about)}`);
    asked = { about, guess: promise };
    try {
      return await promise;
    } catch (problem) {
      asked = null;
      throw problem;
    }
  }

  async function offer() {
    if (said) return;
    if (text.value.trim() === "") {
      mark("");
      return;
    }
    try {
      const found = await guess();
      if (said || asked === null || asked.about !== looked()) return; // something newer is on its way
      mark(found.page ? "" : found.kind); // an address is none of the kinds yet
      if (found.page) says.value = form.dataset.page;
    } catch {
      // Whoever starts the run is told what is wrong.
    }
  }

  function mark(kind) {
    const found = [auto, ...kinds].find((each) => each.value === kind);
    if (found !== undefined) found.checked = true;
    show();
  }

  function choose(by) {
    const at = kinds.findIndex((each) => each.checked);
    said = true;
    mark(kinds[(at + by + kinds.length) % kinds.length].value);
  }

  function fail(problem) {
    wrong.textContent = problem.hint ? `${problem.message} · ${problem.hint}` : problem.message;
    wrong.hidden = false;
    button.disabled = false;
  }

  async function start() {
    if (text.value.trim() === "" || button.disabled) return;
    button.disabled = true;
    wrong.hidden = true;
    try {
      const found = await guess();
      if (!said) mark(found.kind);
      const chosen = kinds.find((each) => each.checked);
      const given = chosen.value === found.kind ? text.value.slice(found.skip) : text.value;
      const page = found.page && "pages" in chosen.dataset && !/\s/.test(given.trim());
      const run = page
        ? await send("/api/tools/read?wait=0", { url: given.trim() })
        : await send("/api/runs", { kind: chosen.value, input: { [chosen.dataset.field]: given, ...until(form, chosen), ...spoken(saidAt, chosen) } });
      location.assign(`/runs/${encodeURIComponent(run.id)}`);
    } catch (problem) {
      fail(problem);
    }
  }

  text.addEventListener("input", () => {
    wrong.hidden = true;
    if (text.value.trim() === "") said = false;
    clearTimeout(timer);
    timer = setTimeout(offer, PAUSE);
  });
  text.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return; // Enter that ends a Chinese word
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      start();
    } else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  for (const each of kinds) {
    each.addEventListener("change", () => {
      said = true;
      show();
    });
    each.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        start();
      }
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  // A page that comes back from the browser's memory can be used again.
  addEventListener("pageshow", () => {
    button.disabled = false;
  });
  for (const link of document.querySelectorAll("[data-fill]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      text.value = link.dataset.fill;
      said = false;
      text.focus();
      offer();
    });
  }
  if (text.value.trim() !== "") offer();
  else show();
}

/* The day up to which evidence counts, for what takes one. */
function until(form, chosen) {
  const day = form.elements.as_of?.value;
  return day && chosen.dataset.until ? { [chosen.dataset.until]: day } : {};
}

/* When the message was said, by the reader's clock; a moment that cannot be is refused in words. */
function spoken(field, chosen) {
  if (!field || !chosen.dataset.said) return {};
  if (field.validity.badInput) throw new Error(field.dataset.unread);
  if (!field.value) return {};
  const at = new Date(field.value);
  if (at.getTime() > Date.now() + DAY) throw new Error(field.dataset.later.replace("{day}", field.value.slice(0, 10)));
  return { [chosen.dataset.said]: at.toISOString() };
}
