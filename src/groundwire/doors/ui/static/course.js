// The slider under a verdict: verdict, counts and evidence become those of its moment, whose row is
// lit; what was not there yet says so and takes no side. All of it is in the table; nothing is asked for.

// What explains the last verdict, and no earlier one.
const OF_LAST = ".lead, #why, #claims";

export function course(root) {
  root.addEventListener("input", (event) => {
    if (event.target.matches(".course-range")) show(root, event.target);
  });
}

function show(root, range) {
  const slide = range.closest(".course-slide");
  const rows = [...root.querySelectorAll(".course-table tbody tr")];
  const at = Number(range.value);
  const past = at < rows.length - 1;
  rows.forEach((row, place) => {
    row.toggleAttribute("data-ahead", place > at);
    if (place === at) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
  root.toggleAttribute("data-past", past);
  say(root, slide, range, rows[at], past);
  for (const each of root.querySelectorAll(OF_LAST)) put(each, "ofLast", past && slide.dataset.wordLast);
  const known = named(rows[at].dataset.known);
  const sided = named(rows.at(-1).dataset.known);
  for (const each of root.querySelectorAll("[data-ev]")) {
    const ids = [...named(each.dataset.ev)].filter((id) => sided.has(id));
    const ahead = ids.length > 0 && !ids.some((id) => known.has(id));
    put(each, "unknown", ahead && slide.dataset.wordUnknown);
  }
}

function say(root, slide, range, row, past) {
  const verdict = row.querySelector(".verdict");
  const when = row.querySelector("th").textContent;
  const sides = row.querySelector(".course-sides").textContent;
  const score = row.dataset.score;
  const head = root.querySelector(".verdict-head");
  const big = head.querySelector(".verdict");
  head.dataset.verdict = big.dataset.verdict = verdict.dataset.verdict;
  big.textContent = verdict.textContent;
  head.querySelector(".confidence").lastChild.textContent = score;
  slide.querySelector(".course-when").textContent = when;
  slide.querySelector(".course-then").textContent = sides;
  range.setAttribute("aria-valuetext", `${when} · ${verdict.textContent} ${score} · ${sides}`);
  const counts = root.querySelector(".sides-line");
  if (counts) put(counts, "then", past && sides);
}

function put(element, name, text) {
  if (text) element.dataset[name] = text;
  else delete element.dataset[name];
}

function named(ids) {
  return new Set(ids.split(" ").filter(Boolean));
}
