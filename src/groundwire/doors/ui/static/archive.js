// Adding to the archive: files dropped or chosen are sent one by one, so that each has its own
// outcome; addresses become runs, which are looked at until they end.
const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";
const details = document.getElementById("add");
const drop = document.getElementById("drop");
const chooser = document.getElementById("files");
const form = document.getElementById("addresses");
const outcome = document.getElementById("outcome");
const list = outcome.querySelector("ul");
const status = document.getElementById("progress");
const shown = document.getElementById("shown");
const FINISHED = new Set(["complete", "degraded", "failed", "cancelled"]);
const AT_ONCE = 2;

const say = (name, values = {}) =>
  (drop.dataset[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
const count = (one, many, n) => (n === 1 ? say(one) : say(many, { n: n.toLocaleString() }));

let all = 0;
let done = 0;
const waiting = [];
let working = 0;

function tell() {
  status.textContent = say(done < all ? "sayProgress" : "sayDone", { n: done, of: all });
}

function line(name) {
  const item = document.createElement("li");
  for (const kind of ["mark", "name", "said"]) {
    const part = document.createElement("span");
    part.className = kind;
    item.append(part);
  }
  item.querySelector(".name").textContent = name;
  list.append(item);
  outcome.hidden = false;
  return item;
}

function put(item, state, words, link) {
  item.dataset.state = state;
  const said = item.querySelector(".said");
  said.textContent = words;
  if (link) {
    const to = document.createElement("a");
    to.href = link;
    to.textContent = say("sayRun");
    said.append(" · ", to);
  }
  if (state === "good") shown.hidden = false;
}

function failures(failed) {
  const why = failed[0].reason ?? failed[0].message;
  return failed.length === 1
    ? say("sayFailed", { why })
    : say("sayFailedMany", { n: failed.length, why });
}

// What came of a file, in words: added, already there, why not.
function settle(item, added) {
  const parts = [];
  if (added.new) parts.push(count("sayAdded", "sayAddedMany", added.new));
  if (added.known) parts.push(count("sayKnown", "sayKnownMany", added.known));
  if (added.failed.length) parts.push(failures(added.failed));
  if (added.left) parts.push(say("sayLeft", { n: added.left }));
  const state = added.new ? "good" : added.failed.length ? "bad" : added.known ? "known" : "bad";
  put(item, state, parts.join(" · ") || say("sayNone"));
}

async function problem(response) {
  const body = await response.json().catch(() => null);
  return [body?.detail, body?.hint].filter(Boolean).join(" · ") || response.statusText;
}

function send(item, body) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const bar = document.createElement("progress");
    bar.max = 1;
    item.querySelector(".said").append(bar);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.upload.addEventListener("load", () => put(item, "live", say("sayReading")));
    request.addEventListener("load", () => {
      resolve(new Response(request.responseText, { status: request.status || 500 }));
    });
    request.addEventListener("error", () => resolve(null));
    request.open("POST", "/api/archive");
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.setRequestHeader("Accept", "application/json");
    request.send(body);
  });
}

async function file(item, given) {
  const most = Number(drop.dataset.most);
  if (given.size > most) {
    const size = (given.size / 1e6).toFixed(1);
    const why = say("sayLarge", { size, most: Math.floor(most / 1e6) });
    put(item, "bad", say("sayFailed", { why }));
    return;
  }
  put(item, "live", say("saySending"));
  const body = new FormData();
  body.append("file", given, given.name);
  await received(item, await send(item, body));
}

async function address(item, url) {
  put(item, "live", say("sayReading"));
  const body = new FormData();
  body.append("url", url);
  const response = await fetch("/api/archive", {
    method: "POST", body, headers: { "X-CSRF-Token": csrf, Accept: "application/json" },
  }).catch(() => null);
  await received(item, response);
}

async function received(item, response) {
  if (!response) put(item, "bad", say("sayFailed", { why: say("sayLost") }));
  else if (!response.ok) put(item, "bad", say("sayFailed", { why: await problem(response) }));
  else {
    const brought = await response.json();
    if (brought.runs.length) for (const run of brought.runs) await ended(item, run.id);
    else settle(item, brought.added);
  }
}

async function ended(item, id) {
  const link = `/runs/${encodeURIComponent(id)}`;
  put(item, "live", say("sayReading"), link);
  for (let wait = 250; ; wait = Math.min(wait * 1.5, 3000)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const response = await fetch(`/api/runs/${encodeURIComponent(id)}`).catch(() => null);
    if (!response?.ok) {
      if (wait < 3000) continue;
      put(item, "bad", say("sayFailed", { why: say("sayLost") }), link);
      return;
    }
    const run = await response.json();
    if (FINISHED.has(run.state)) {
      judged(item, run, link);
      return;
    }
  }
}

function judged(item, run, link) {
  const output = run.result?.output;
  if (!output) {
    const why = run.error?.detail ?? run.state;
    put(item, "bad", say("sayFailed", { why }), link);
    return;
  }
  const parts = [];
  if (output.kept.length) parts.push(say("sayKept", { n: output.kept.length }));
  if (output.failed.length) parts.push(failures(output.failed));
  if (output.left) parts.push(say("sayLeft", { n: output.left }));
  put(item, output.kept.length ? "good" : "bad", parts.join(" · ") || say("sayNone"), link);
}

function work() {
  while (working < AT_ONCE && waiting.length) {
    const next = waiting.shift();
    working += 1;
    next().finally(() => {
      working -= 1;
      done += 1;
      tell();
      work();
    });
  }
}

function take(things, name, how) {
  for (const thing of things) {
    const item = line(name(thing));
    all += 1;
    waiting.push(() => how(item, thing));
  }
  tell();
  work();
}

const takeFiles = (files) => take([...files], (each) => each.name, file);

drop.hidden = false;
chooser.addEventListener("change", () => {
  takeFiles(chooser.files);
  chooser.value = "";
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const urls = [...new Set(form.urls.value.split("\n").map((each) => each.trim()).filter(Boolean))];
  if (urls.length) take(urls, (each) => each, address);
  form.urls.value = "";
});

// A file dropped anywhere on the page is meant for the archive; elsewhere the browser would open it.
const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
addEventListener("dragover", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  details.open = true;
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  document.body.classList.remove("dropping");
  takeFiles(event.dataTransfer.files);
});
