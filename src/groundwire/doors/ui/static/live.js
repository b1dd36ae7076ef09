// A run's events as they come: the stream is the journal, each event once and in order.
//
//   const stop = follow(runId, {
//     types: ["thought", …],        // of the events that the run may have
//     after: 12,                    // the number of the last event that the page already shows
//     event: (event) => …,          // {run_id, seq, attempt, step, type, payload, at}
//     state: (state) => …,          // "live", "away" (it comes back by itself), "over", "lost"
//   });
//
// A browser reconnects by itself after a broken line, but gives up after an answer that is no stream
// (a desk that restarts, a full one, a run that is over): then what is missing is asked for once, and
// the stream is opened anew from the last event that was seen, unless the run is over.

export const ENDS = new Set(["complete", "failed", "cancelled"]);
const GONE = new Set([401, 403, 404]);
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

export function follow(runId, { types, after = 0, event = () => {}, state = () => {} }) {
  const path = `/api/runs/${encodeURIComponent(runId)}/events`;
  let seen = after;
  let wait = FIRST_WAIT;
  let source = null;
  let timer = 0;
  let over = false;

  function open() {
    source = new EventSource(`${path}?after=${seen}`);
    source.addEventListener("open", () => {
      wait = FIRST_WAIT;
      state("live");
    });
    source.addEventListener("error", () => {
      if (over) return;
      state("away");
      if (source.readyState === EventSource.CLOSED) again();
    });
    for (const type of types) source.addEventListener(type, taken);
  }

  function taken(message) {
    const value = JSON.parse(message.data);
    take(value);
    if (over || !ENDS.has(value.type)) return;
    // The last event, or that of an attempt that was resumed since.
    source.close();
    catchUp();
  }

  function take(value) {
    if (over || value.seq <= seen) return;
    seen = value.seq;
    event(value);
  }

  function again() {
    source.close();
    timer = setTimeout(catchUp, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  async function catchUp() {
    try {
      const page = await get(`${path}?after=${seen}`);
      for (const each of page.events) take(each);
      if (over) return;
      if (page.over) end("over");
      else open();
    } catch (problem) {
      if (over) return;
      if (GONE.has(problem.status)) end("lost");
      else again();
    }
  }

  function close() {
    over = true;
    clearTimeout(timer);
    if (source !== null) source.close();
  }

  function end(how) {
    close();
    state(how);
  }

  open();
  return close;
}

// A change through the API, with what only our own pages know; fails with the desk's own sentence.
export async function send(path, body) {
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const options = { method: "POST", headers: { "X-CSRF-Token": csrf, Accept: "application/json" } };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  return answerOf(await reached(path, options));
}

export async function get(path) {
  return answerOf(await reached(path, { headers: { Accept: "application/json" } }));
}

// What went wrong in the reader's language, where the status says it all; 0: nobody answers.
function told(status) {
  const words = document.querySelector('meta[name="faults"]')?.content;
  return words ? JSON.parse(words)[status] : undefined;
}

async function reached(path, options) {
  try {
    return await fetch(path, options);
  } catch (problem) {
    throw new Error(told(0) ?? problem.message); // a browser's own words are nobody's language
  }
}

async function answerOf(response) {
  const text = await response.text();
  let value = null;
  try {
    value = text ? JSON.parse(text) : null;
  } catch {
    // An answer that is no JSON is told by its status.
  }
  if (!response.ok) {
    const detail = value && value.detail ? value.detail : `${response.status} ${response.statusText}`;
    const ours = told(response.status);
    const problem = new Error(ours ?? detail);
    const hint = value?.hint ?? "";
    problem.hint = ours || hint.includes("/api") ? "" : hint; // what programs do next is nothing to people
    problem.status = response.status;
    throw problem;
  }
  return value;
}
