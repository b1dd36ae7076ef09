// The quote behind a mark, on a card beside it. Hover or focus shows it, Escape and leaving close it,
// the arrow down goes into it; a finger's first touch shows it, the second opens the stored page.

const MARGIN = 12;
const LINGER = 180; // milliseconds in which a pointer may travel from the mark to the card
const DELAY = 80;

export function quoteCards(root) {
  const card = root.querySelector("#quote-card");
  const body = card.querySelector(".quote-card-body");
  let owner = null; // the mark or sentence that the card belongs to
  let timer = 0;
  let touched = null;
  let hushed = null; // the mark whose card was closed on purpose

  function show(place, marks) {
    clearTimeout(timer);
    if (owner === place && card.matches(":popover-open")) return;
    const found = marks.map((mark) => document.getElementById(mark.dataset.card)).filter(Boolean);
    if (!found.length) return;
    close();
    owner = place;
    body.replaceChildren(...found.map((each) => {
      const copy = each.cloneNode(true);
      copy.removeAttribute("id");
      return copy;
    }));
    for (const mark of marks) mark.classList.add("open");
    card.showPopover();
    card.scrollTop = 0;
    stand(place);
  }

  function close() {
    clearTimeout(timer);
    if (card.matches(":popover-open")) card.hidePopover();
    for (const mark of root.querySelectorAll(".cite.open")) mark.classList.remove("open");
    owner = null;
  }

  function later(work, wait) {
    clearTimeout(timer);
    timer = setTimeout(work, wait);
  }

  // Below the place, or above it where there is more room; always inside the window.
  function stand(place) {
    const at = line(place);
    const { width, height } = card.getBoundingClientRect();
    // The evidence beside it stays in sight, where there is room.
    const edge = Math.min(innerWidth - MARGIN, root.querySelector(".run-result").getBoundingClientRect().right);
    const left = Math.min(Math.max(MARGIN, at.left), edge - width);
    const below = innerHeight - at.bottom - MARGIN;
    const top = below >= height || below >= at.top ? at.bottom + 6 : at.top - height - 6;
    card.style.left = `${Math.max(MARGIN, left)}px`;
    card.style.top = `${Math.min(Math.max(MARGIN, top), Math.max(MARGIN, innerHeight - height - MARGIN))}px`;
  }

  // The marks of a sentence stand at its end: the card is shown there, not over its words.
  function line(place) {
    const boxes = place.getClientRects();
    return boxes.length ? boxes[boxes.length - 1] : place.getBoundingClientRect();
  }

  // In the drawer the quotes stand below already.
  const beside = (target) => Boolean(target.closest?.("#drawer"));
  const markOf = (target) => (beside(target) ? null : target.closest?.(".cite[data-card]"));
  const saidOf = (target) => (beside(target) ? null : target.closest?.(".said[data-ev]"));
  const marksOf = (said) => [...said.querySelectorAll(".cite[data-card]")];

  root.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const mark = markOf(event.target);
    const said = saidOf(event.target);
    if (event.target.closest("#quote-card")) clearTimeout(timer);
    else if (mark) later(() => show(mark, [mark]), DELAY);
    else if (said && marksOf(said).length) {
      const marks = marksOf(said);
      later(() => show(marks[marks.length - 1], marks), DELAY * 3);
    }
  });
  root.addEventListener("pointerout", (event) => {
    if (event.pointerType === "touch" || (owner && owner === document.activeElement)) return;
    const next = event.relatedTarget;
    if (next?.closest?.("#quote-card") || markOf(next ?? root) || saidOf(next ?? root)) return;
    if (!card.contains(document.activeElement)) later(close, LINGER);
  });
  root.addEventListener("focusin", (event) => {
    const mark = markOf(event.target);
    if (mark && mark === hushed) return;
    hushed = null;
    if (mark && mark.matches(":focus-visible")) show(mark, [mark]);
    else if (!event.target.closest("#quote-card")) close();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && owner) {
      const back = card.contains(document.activeElement) ? owner : null;
      event.stopPropagation();
      hushed = markOf(owner);
      close();
      back?.focus();
    } else if (event.key === "ArrowDown" && markOf(event.target) && owner) {
      event.preventDefault();
      (body.querySelector("a") ?? card).focus();
    }
  });
  root.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch" ? markOf(event.target) : null;
    if (owner && event.pointerType === "touch" && !touched && !event.target.closest("#quote-card")) close();
  });
  root.addEventListener("click", (event) => {
    const mark = markOf(event.target);
    if (mark && touched === mark && owner !== mark) {
      event.preventDefault();
      show(mark, [mark]);
      return;
    }
    const said = saidOf(event.target);
    if (!said || mark || event.target.closest("a, button, summary, input")) return;
    if (!getSelection().isCollapsed) return; // words are being marked
    const [first] = marksOf(said);
    if (!first) return;
    if (event.pointerType === "touch") show(first, marksOf(said));
    else if (first.href) location.assign(first.href);
  });
  card.querySelector(".quote-close").addEventListener("click", () => {
    hushed = markOf(owner);
    const back = owner;
    close();
    back?.focus?.();
  });
  addEventListener("resize", close);
  addEventListener("scroll", (event) => {
    if (owner && event.target !== card) stand(owner);
  }, { capture: true, passive: true });
  return { close, refresh: () => owner && !owner.isConnected && close() };
}

// A card of the evidence and the sentences that cite it light each other.
export function lighting(root) {
  let lit = [];
  function light(names) {
    for (const each of lit) each.classList.remove("lit");
    lit = [];
    if (!names.length) return;
    for (const each of root.querySelectorAll("[data-ev]")) {
      if (each.closest("#quotes, #quote-card")) continue;
      if (each.dataset.ev.split(" ").some((name) => names.includes(name))) {
        each.classList.add("lit");
        lit.push(each);
      }
    }
  }
  const of = (target) => (target.closest?.("[data-ev]")?.dataset.ev ?? "").split(" ").filter(Boolean);
  root.addEventListener("pointerover", (event) => light(of(event.target)));
  root.addEventListener("pointerleave", () => light([]));
  root.addEventListener("focusin", (event) => light(of(event.target)));
}
