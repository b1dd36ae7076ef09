// The slider under a verdict: the row of its moment is lit, later rows are set back, and evidence that
// was not there yet says so. Everything is in the table already; nothing is asked for.

export function course(root) {
  root.addEventListener("input", (event) => {
    if (event.target.matches(".course-range")) show(root, event.target);
  });
}

function show(root, range) {
  const holder = range.closest(".course");
  const rows = [...holder.querySelectorAll("tbody tr")];
  const at = Number(range.value);
  rows.forEach((row, place) => {
    row.toggleAttribute("data-ahead", place > at);
    if (place === at) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
  say(holder, range, rows[at]);
  const known = named(rows[at].dataset.known);
  const sided = named(rows.at(-1).dataset.known);
  for (const each of root.querySelectorAll("[data-ev]")) {
    const ids = [...named(each.dataset.ev)].filter((id) => sided.has(id));
    if (ids.length && !ids.some((id) => known.has(id))) each.dataset.unknown = holder.dataset.unknown;
    else delete each.dataset.unknown;
  }
}

function say(holder, range, row) {
  const verdict = row.querySelector(".verdict");
  const [word, score] = holder.querySelectorAll(".course-judged > span");
  holder.querySelector(".course-when").textContent = row.querySelector("th").textContent;
  word.textContent = verdict.textContent;
  word.dataset.verdict = verdict.dataset.verdict;
  score.textContent = row.dataset.score;
  const sides = row.querySelector(".course-sides").textContent;
  range.setAttribute("aria-valuetext", `${word.textContent} ${score.textContent} · ${sides}`);
}

function named(ids) {
  return new Set(ids.split(" ").filter(Boolean));
}
