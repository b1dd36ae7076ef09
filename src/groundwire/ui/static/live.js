// A run's events as they come: the stream is the journal, each event once and in order.
//
//   const stop = follow(runId, {
//     after: 12,                    // the number of the last event that the page already shows
//     event: (event) => …,          // {run_id, seq, attempt, step, type, payload, at}
//     state: (state) => …,          // "live", "away" (it comes back by itself), "over"
//   });
//
// A browser reconnects by itself after a broken line, but gives up after an answer that is no stream
// (a desk that restarts, a full one): then it is opened anew, from the last event that was seen.

export const TYPES = [
  "run", "thought", "evidence", "proposal", "progress", "skeleton", "detail", "synthesis", "answer",
  "forum", "chart", "insight", "signal", "brief", "cost", "warning", "gap",
  "complete", "failed", "cancelled",
];
export const ENDS = new Set(["complete", "failed", "cancelled"]);
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

export function follow(runId, { after = 0, event = () => {}, state = () => {} } = {}) {
  let seen = after;
  let wait = FIRST_WAIT;
  let source = null;
  let timer = 0;
  let over = false;

  function open() {
    source = new EventSource(`/api/runs/${encodeURIComponent(runId)}/events?after=${seen}`);
    source.addEventListener("open", () => {
      wait = FIRST_WAIT;
      state("live");
    });
    source.addEventListener("error", () => {
      if (over) return;
      state("away");
      if (source.readyState === EventSource.CLOSED) again();
    });
    for (const type of TYPES) source.addEventListener(type, taken);
  }

  function taken(message) {
    const value = JSON.parse(message.data);
    if (value.seq <= seen) return;
    seen = value.seq;
    event(value);
    if (ENDS.has(value.type)) end();
  }

  function again() {
    source.close();
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  function close() {
    over = true;
    clearTimeout(timer);
    if (source !== null) source.close();
  }

  function end() {
    close();
    state("over");
  }

  open();
  return close;
}

// A change through the API, with what only our own pages know; fails with the desk's own sentence.
export async function send(path, body, { method = "POST", headers = {} } = {}) {
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const options = { method, headers: { "X-CSRF-Token": csrf, Accept: "application/json", ...headers } };
  if (body instanceof FormData) {
    options.body = body;
  } else if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  return answerOf(await fetch(path, options));
}

export async function get(path) {
  return answerOf(await fetch(path, { headers: { Accept: "application/json" } }));
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
    const said = value && value.detail ? value.detail : `${response.status} ${response.statusText}`;
    const problem = new Error(said);
    problem.hint = (value && value.hint) || "";
    problem.status = response.status;
    throw problem;
  }
  return value;
}
