// One event beside the history: all that is told of it, its quotes, and each passage as the stored page
// has it, marked. Escape closes, the arrows go to the events before and after. Without this, details
// open in their place.

const STEPS = { ArrowDown: 1, ArrowRight: 1, j: 1, ArrowUp: -1, ArrowLeft: -1, k: -1 };

export function drawer(root) {
  const panel = root.querySelector("#drawer");
  const body = panel.querySelector(".drawer-body");
  const count = panel.querySelector(".num");
  let owner = ""; // the id of the event that it shows
  let reading = null;

  const nodes = () => [...root.querySelectorAll(".run-result .node")].filter((each) => each.checkVisibility());
  const shown = () => document.getElementById(owner);

  function open(node) {
    reading?.abort();
    shown()?.classList.remove("in-drawer");
    owner = node.id;
    node.classList.add("in-drawer");
    body.className = `drawer-body strand-${node.dataset.strand}`; // the colour of its thread
    body.replaceChildren(...parts(node, panel.dataset.quotes));
    bare(body);
    const all = nodes();
    const at = all.indexOf(node);
    count.textContent = panel.dataset.at.replace("{n}", at + 1).replace("{of}", all.length);
    panel.querySelector("[data-step='-1']").disabled = at <= 0;
    panel.querySelector("[data-step='1']").disabled = at >= all.length - 1;
    if (!panel.open) panel.show();
    body.scrollTop = 0;
    body.focus({ preventScroll: true });
    reading = new AbortController();
    for (const card of body.querySelectorAll(".quote")) passage(card, reading.signal);
  }

  function close() {
    reading?.abort();
    const node = shown();
    node?.classList.remove("in-drawer");
    panel.close();
    (node?.querySelector(".node-more > summary") ?? node?.querySelector("a"))?.focus();
  }

  function step(by) {
    const all = nodes();
    const next = all[all.findIndex((each) => each.id === owner) + by];
    if (!next) return;
    next.scrollIntoView({ block: "center" });
    open(next);
  }

  root.addEventListener("click", (event) => {
    const summary = event.target.closest(".node-more > summary");
    if (summary) {
      event.preventDefault();
      open(summary.closest(".node"));
    } else if (event.target.closest("#drawer [data-step]")) {
      step(Number(event.target.closest("[data-step]").dataset.step));
    } else if (event.target.closest("#drawer [data-close]")) {
      close();
    }
  });
  panel.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") close();
    else if (event.key in STEPS) step(STEPS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

// What the event has on the page, without what opens it there, and the cards behind its marks.
function parts(node, title) {
  const when = node.querySelector(".node-when").cloneNode(true);
  const what = element("div", "drawer-what");
  const more = element("div", "drawer-more");
  for (const each of node.querySelector(".node-what").childNodes) {
    if (!each.classList?.contains("node-more")) what.append(each.cloneNode(true));
  }
  for (const each of node.querySelectorAll(".node-more > :not(summary)")) more.append(each.cloneNode(true));
  const names = [...node.querySelectorAll(".cite[data-card]")].map((each) => each.dataset.card);
  const cards = [...new Set(names)].map((name) => document.getElementById(name)).filter(Boolean);
  const found = [when, what, more];
  if (cards.length) {
    const heading = element("h3", "");
    heading.textContent = title;
    found.push(heading, ...once(cards).map((each) => each.cloneNode(true)));
  }
  return found;
}

// Several marks may stand for one page and one quote.
function once(cards) {
  const seen = new Map();
  for (const each of cards) {
    const link = each.querySelector(".quote-open a")?.href ?? each.textContent;
    if (!seen.has(link)) seen.set(link, each);
  }
  return [...seen.values()];
}

// The paragraph of the stored page in the place of the quote that it holds.
async function passage(card, signal) {
  const link = card.querySelector(".quote-open a");
  if (!link) return;
  try {
    const answer = await fetch(link.href, { headers: { Accept: "text/html" }, signal });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const paragraph = page.getElementById("passage")?.closest("p");
    const quotes = [...card.querySelectorAll(".quote-text")];
    if (!paragraph || !quotes.length) return;
    if (signal.aborted) return;
    const told = element("blockquote", "drawer-passage");
    told.lang = quotes[0].lang;
    told.dir = "auto";
    told.append(...[...paragraph.childNodes].map(plain));
    // Two quotes of one paragraph are marked in it both.
    const others = [...card.parentElement.querySelectorAll(".drawer-passage")];
    if (others.some((each) => each.textContent === told.textContent)) {
      card.remove();
      return;
    }
    quotes[0].before(told);
    if (quotes.length === 1) quotes[0].remove();
  } catch (problem) {
    if (problem.name !== "AbortError" && !(problem instanceof TypeError)) throw problem;
    // The line is down: the quote stands as it was.
  }
}

function plain(piece) {
  if (piece.nodeName === "MARK") {
    const mark = element("mark", "");
    mark.textContent = piece.textContent;
    return mark;
  }
  return document.createTextNode(piece.nodeName === "SUP" ? "" : piece.textContent);
}

function element(name, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

// Copies have no name of their own.
function bare(copy) {
  for (const each of copy.querySelectorAll("[id], [data-key]")) {
    each.removeAttribute("id");
    delete each.dataset.key;
  }
  for (const each of copy.querySelectorAll("[aria-describedby]")) each.removeAttribute("aria-describedby");
}
