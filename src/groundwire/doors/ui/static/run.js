// The page of a run while it goes on: the story from events as they come, result and evidence as the
// desk renders them anew. The page is complete without this for what was stored when it was loaded.

import { course } from "./course.js";
import { drawer } from "./drawer.js";
import { ENDS, follow, send } from "./live.js";
import { edited, proposalRows } from "./proposal.js";
import { lighting, quoteCards } from "./quotes.js";
import { Story } from "./story.js";
import { swap } from "./swap.js";

const FIRST = 120; // milliseconds until the parts are asked for after an event
const BETWEEN = 900; // at least, from one answer to the next question
const TICK = 200;
// Of these only the story tells; after others, those of the job's own among them, result or evidence
// look different.
const QUIET = new Set(["thought", "progress", "cost"]);

const root = document.getElementById("run");
const runId = root.dataset.run;
const path = `/api/runs/${encodeURIComponent(runId)}`;
const cards = quoteCards(root);
lighting(root);
course(root);
drawer(root);
proposalRows(root);
tabs();

let story = storyOf(document);
let skew = 0; // of this machine's clock against the desk's
let waiting = []; // events that are not shown yet
let drawing = 0;
let asking = null;
let timer = 0;
let due = Infinity; // when the timer rings
let lastAsked = -BETWEEN;
let events = Number(root.querySelector('[data-count="events"]')?.textContent ?? 0);
let stop = null;

if (!("over" in root.dataset)) live(Number(root.dataset.seq));

function storyOf(where) {
  const data = where.getElementById?.("story-data") ?? where.querySelector("#story-data");
  return new Story(JSON.parse(data.textContent));
}

function live(after) {
  stop?.();
  stop = follow(runId, { types: story.types, after, event: taken, state: stream });
  tick();
}

function stream(state) {
  document.getElementById("stream").hidden = state !== "away";
  // A run may end between the page's making and the first event: then the desk is asked.
  if (state === "over") refresh(0);
}

function taken(event) {
  waiting.push(event);
  if (!drawing) drawing = requestAnimationFrame(draw);
}

// All events since the last frame at once: a run with thousands stays smooth.
function draw() {
  drawing = 0;
  const batch = waiting;
  waiting = [];
  let shows = false;
  let over = false;
  for (const event of batch) {
    if (event.attempt > story.attempt) {
      shows = true;
      events = 0;
    }
    story.take(event);
    events += 1;
    shows ||= !QUIET.has(event.type) || "clusters" in event.payload || event.payload.phase === "preliminary";
    over ||= ENDS.has(event.type);
  }
  skew = Date.parse(batch[batch.length - 1].at) - Date.now();
  const count = root.querySelector('[data-count="events"]');
  if (count) count.textContent = String(events);
  story.show(root.querySelector(".steps"), Date.now() + skew);
  if (over) refresh(0);
  else if (shows || thoughts()?.open) refresh(FIRST);
}

function tick() {
  if ("over" in root.dataset) return;
  if (!story.over) story.show(root.querySelector(".steps"), Date.now() + Math.max(skew, 0));
  setTimeout(tick, TICK);
}

function thoughts() {
  return document.getElementById("thoughts");
}

// Soon, but not more often than is looked at; what is due already is not put off by what follows.
function refresh(wait) {
  const now = performance.now();
  const at = wait === 0 ? now : Math.max(now + wait, lastAsked + BETWEEN);
  if (at >= due) return;
  due = at;
  clearTimeout(timer);
  timer = setTimeout(ask, at - now);
}

async function ask() {
  due = Infinity;
  if (asking) {
    refresh(FIRST);
    return;
  }
  const open = thoughts()?.open ? "?thoughts=1" : "";
  asking = fetch(`/runs/${encodeURIComponent(runId)}/parts${open}`, { headers: { Accept: "text/html" } });
  try {
    const response = await asking;
    if (!response.ok) {
      if ([401, 403, 404].includes(response.status)) return; // it is no longer ours to see
      const patience = Number(response.headers.get("retry-after") ?? 2) * 1000;
      setTimeout(() => refresh(FIRST), patience);
      return;
    }
    shown(new DOMParser().parseFromString(await response.text(), "text/html").body.firstElementChild);
  } catch {
    setTimeout(() => refresh(FIRST), 2000); // the line is down; the stream says when it is back
  } finally {
    asking = null;
    lastAsked = performance.now();
  }
}

function shown(fresh) {
  const before = new Set([...root.querySelectorAll(".answer .said")].map((each) => each.id));
  for (const name of ["result", "evidence", "quotes"]) {
    swapPart(name, fresh.querySelector(`#${name}`));
  }
  const over = "over" in fresh.dataset;
  const steps = root.querySelector(".steps");
  swapPart("story", fresh.querySelector("#story"));
  root.dataset.state = fresh.dataset.state;
  if (over) {
    root.dataset.over = "";
    story = storyOf(fresh);
  } else {
    story.show(steps, Date.now() + skew); // events may be ahead of what was rendered
  }
  for (const each of root.querySelectorAll(".answer .said")) {
    if (!before.has(each.id)) pulse(each);
  }
  const count = root.querySelector("#tab-evidence .num");
  if (count) count.textContent = fresh.dataset.articles;
  cards.refresh();
}

function swapPart(name, fresh) {
  const place = document.getElementById(name);
  const scrolled = place.scrollTop;
  const outer = fresh.cloneNode(true);
  // The part's own attributes are the page's.
  for (const { name: each } of [...outer.attributes]) outer.removeAttribute(each);
  for (const { name: each, value } of [...place.attributes]) outer.setAttribute(each, value);
  swap(place, outer);
  place.scrollTop = scrolled;
}

function pulse(said) {
  said.classList.add("fresh");
  said.addEventListener("animationend", () => said.classList.remove("fresh"), { once: true });
}

thoughts()?.addEventListener("toggle", () => {
  if (thoughts().open && !("over" in root.dataset)) refresh(0);
});

// What can be done with the run.
root.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-act]");
  if (!button) {
    for (const menu of root.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    return;
  }
  const act = button.dataset.act;
  const back = root.querySelector(".toolbar .said-back");
  say(back, button.dataset.busy ?? "");
  button.disabled = true;
  try {
    const answer = await send(`${path}/${act}`);
    if (act === "replay") told(back, button, answer);
    else if (act === "cancel") refresh(FIRST);
    else location.reload(); // a new attempt: the page begins anew with it
  } catch (problem) {
    say(back, back.dataset.failed.replace("{reason}", problem.message), "bad");
  } finally {
    button.disabled = false;
  }
});

function told(back, button, answer) {
  if (answer.identical) say(back, button.dataset.same, "good");
  else say(back, [button.dataset.differs, ...answer.differences.slice(0, 3).map((each) => each.detail)].join(" "), "bad");
}

function say(place, text, tone = "") {
  place.textContent = text;
  place.dataset.tone = tone;
}

root.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.(".menu[open]");
  if (event.key === "Escape" && menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopPropagation();
  }
});

root.addEventListener("submit", async (event) => {
  const work = { feedback, proposal }[event.target.dataset.form];
  if (!work) return;
  event.preventDefault();
  const back = event.target.querySelector(".said-back");
  try {
    await work(event.target, back);
  } catch (problem) {
    say(back, problem.message, "bad");
  }
});

async function feedback(form, back) {
  const chosen = new FormData(form);
  if (!chosen.get("outcome")) {
    say(back, form.dataset.choose, "bad");
    return;
  }
  await send(`${path}/feedback`, { outcome: chosen.get("outcome"), note: chosen.get("note") ?? "" });
  say(back, form.dataset.thanks, "good");
  form.querySelector("textarea").value = "";
}

// What a run proposes goes back as it is, or with the fields that were edited.
async function proposal(form) {
  await send(`${path}/confirm`, { edited: edited(form), proposal: form.dataset.proposal });
  location.reload();
}

// Where there is room for one part only, they are tabs, the result first.
function tabs() {
  const list = root.querySelector(".run-tabs");
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const narrow = matchMedia("(max-width: 800px)");
  list.hidden = false;

  function choose(button, focus = false) {
    for (const each of buttons) {
      const chosen = each === button;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
    }
    root.dataset.tab = button.getAttribute("aria-controls");
    if (focus) button.focus();
  }

  function roles() {
    for (const each of buttons) {
      const panel = document.getElementById(each.getAttribute("aria-controls"));
      if (narrow.matches) panel.setAttribute("role", "tabpanel");
      else panel.removeAttribute("role");
    }
  }

  list.addEventListener("click", (event) => {
    const button = event.target.closest("[role=tab]");
    if (button) choose(button);
  });
  list.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    choose(buttons[(to + buttons.length) % buttons.length], true);
  });
  // A link to a sentence leads to the part that has it.
  function follow() {
    const part = location.hash.length > 1 ? document.getElementById(location.hash.slice(1))?.closest("section") : null;
    const button = buttons.find((each) => each.getAttribute("aria-controls") === part?.id);
    if (button) choose(button);
  }
  narrow.addEventListener("change", roles);
  addEventListener("hashchange", follow);
  roles();
  choose(buttons[0]);
  follow();
}
