// The steps of a run counted from its events, as `model/story.py` counts them: the page brings the
// declaration of its job's steps and how far they are counted, and this goes on from there.

const ENDS = new Set(["complete", "failed", "cancelled"]);
const LAST = { complete: "completed", failed: "failed" };

export class Story {
  constructor(data) {
    Object.assign(this, data);
    this.seen = new Set(data.seen);
    this.entered = data.entered ? Date.parse(data.entered) : null;
    this.last = data.last ? Date.parse(data.last) : null;
  }

  take(event) {
    if (event.attempt > this.attempt) this.anew(event.attempt);
    const at = Date.parse(event.at);
    if (this.entered === null) this.entered = at;
    this.taken(event, at);
    this.last = at;
  }

  // What an earlier attempt told is told again; counted together it would be twice.
  anew(attempt) {
    Object.assign(this, { attempt, index: 0, entered: null, last: null, over: "", counts: {}, seconds: {}, phase: "", passed: {} });
    this.seen = new Set();
  }

  // Of a job that has phases: the one that a thought tells of, or the end of all.
  enter(event) {
    const phase = (event.type === "thought" && event.payload.phase) || LAST[event.type];
    if (!phase) return;
    this.phase = phase;
    this.passed[phase] = (this.passed[phase] ?? 0) + 1;
  }

  phaseState(name) {
    if (name === this.phase) return this.over ? "here" : "live";
    return this.passed[name] ? "passed" : "ahead";
  }

  taken(event, at) {
    this.enter(event);
    if (ENDS.has(event.type)) {
      this.over = event.type;
      const whole = event.type === "complete" || Boolean(event.payload.digest);
      this.leave(whole ? this.steps.length : this.index, at);
      return;
    }
    const keys = [event.type, `${event.type}.${event.payload.phase ?? ""}`];
    for (const key of keys) this.seen.add(key);
    const place = this.steps.findIndex((step) => keys.some((key) => step.events.includes(key)));
    if (place < 0) return;
    const step = this.steps[place];
    this.move(place, step, event.payload, at);
    for (const count of step.counts) this.count(step, count, event);
  }

  move(place, step, payload, at) {
    if (step.again) this.beginRound();
    if (place > this.index || (step.again && place !== this.index)) {
      this.leave(place, step.ends && this.last !== null ? this.last : at);
    }
    if (step.ends && place === this.index) {
      const idle = step.idle && !(payload[step.idle] ?? []).length;
      this.leave(idle ? this.steps.length - 1 : place + 1, at);
    }
  }

  beginRound() {
    for (const step of this.steps) {
      for (const count of step.counts) if (count.anew) delete this.counts[`${step.name}.${count.name}`];
    }
  }

  count(step, count, event) {
    const payload = event.payload;
    if (count.on && event.type !== count.on) return;
    if (count.where && payload[count.where[0]] !== count.where[1]) return;
    const value = count.field ? payload[count.field] : 1;
    const size = Array.isArray(value) ? value.length : value;
    if (!Number.isInteger(size)) return;
    const name = `${step.name}.${count.name}`;
    this.counts[name] = count.newest ? size : (this.counts[name] ?? 0) + size;
  }

  leave(index, at) {
    if (this.index < this.steps.length && this.entered !== null) {
      const name = this.steps[this.index].name;
      this.seconds[name] = (this.seconds[name] ?? 0) + Math.max(0, at - this.entered) / 1000;
    }
    this.index = index;
    this.entered = at;
  }

  state(place) {
    if (place === this.index) return this.over ? "broken" : "live";
    if (place > this.index) return "ahead";
    const step = this.steps[place];
    return [...step.events, ...step.proofs].some((key) => this.seen.has(key)) ? "done" : "skipped";
  }

  said(step) {
    const told = [];
    for (const count of step.counts) {
      const n = this.counts[`${step.name}.${count.name}`];
      if (!n || n < count.least) continue;
      const word = count.word.replace(/\(s\)/g, "(|s)");
      told.push(word.replace(/\((\w*)\|(\w*)\)/g, n === 1 ? "$1" : "$2").replaceAll("{n}", String(n)));
    }
    return told.join(" · ");
  }

  // Only what has changed is written; `now` is the server's clock as far as it is known.
  show(list, now) {
    for (const each of list.parentElement?.querySelectorAll("[data-phase]") ?? []) {
      const state = this.phaseState(each.dataset.phase);
      if (each.dataset.state !== state) each.dataset.state = state;
    }
    this.steps.forEach((step, place) => {
      const row = list.querySelector(`[data-step="${CSS.escape(step.name)}"]`);
      if (!row) return;
      const state = this.state(place);
      if (row.dataset.state !== state) {
        row.dataset.state = state;
        if (state === "live") row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
        put(row, ".step-word", this.marks[state]);
      }
      put(row, ".step-said", this.said(step));
      let seconds = this.seconds[step.name];
      if (state === "live" && this.entered !== null) seconds = (seconds ?? 0) + Math.max(0, now - this.entered) / 1000;
      const shown = seconds !== undefined && state !== "ahead" && state !== "skipped";
      put(row, ".step-time", shown ? this.seconds_word.replace("{n}", seconds.toFixed(1)) : "");
    });
  }
}

function put(row, selector, text) {
  const place = row.querySelector(selector);
  if (place && place.textContent !== text) place.textContent = text;
}
