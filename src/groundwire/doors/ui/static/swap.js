// Puts a freshly rendered part in the place of what is shown, and touches only what differs: focus,
// selection, scroll, what is folded open and what is hovered stay as they are.
//
// Children are known by id or data-key. [data-keep] is the page's own and is left alone;
// [data-keep=inside] is, as long as it is rendered.

export function swap(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  attributes(shown, fresh);
  children(shown, fresh);
}

const OWN = new Set(["open", "hidden", "popover"]);

function attributes(shown, fresh) {
  for (const { name, value } of [...fresh.attributes]) {
    if (!OWN.has(name) && shown.getAttribute(name) !== value) {
      shown.setAttribute(name, name === "class" ? kept(shown, value) : value);
    }
  }
  for (const { name } of [...shown.attributes]) {
    if (!OWN.has(name) && !fresh.hasAttribute(name)) shown.removeAttribute(name);
  }
}

// Classes that scripts have set.
function kept(shown, value) {
  const lit = ["lit", "open"].filter((name) => shown.classList.contains(name));
  return [value, ...lit].join(" ");
}

function key(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key || "" : "";
}

function alike(one, other) {
  if (one.nodeType !== other.nodeType) return false;
  if (one.nodeType !== Node.ELEMENT_NODE) return true;
  return one.tagName === other.tagName && key(one) === key(other);
}

function children(shown, fresh) {
  const wanted = [...fresh.childNodes];
  const names = new Set(wanted.map(key).filter(Boolean));
  const known = new Map();
  for (const child of shown.children) if (names.has(key(child))) known.set(key(child), child);
  let place = shown.firstChild;
  for (const node of wanted) {
    const held = counterpart(node, place, known);
    if (held) place = upTo(held, place, names, shown);
    if (place && alike(place, node)) {
      update(place, node);
      place = place.nextSibling;
    } else {
      shown.insertBefore(node, place);
    }
  }
  while (place) place = without(place);
}

// What stands for a node already: by its name, or the next element, if it is of the same kind.
function counterpart(node, place, known) {
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  if (key(node)) {
    const found = known.get(key(node));
    return found && found.tagName === node.tagName ? found : null;
  }
  let ahead = place;
  while (ahead && ahead.nodeType !== Node.ELEMENT_NODE) ahead = ahead.nextSibling;
  return ahead && alike(ahead, node) ? ahead : null;
}

// Takes out what is on the way to a node and is not wanted any more. What is moved loses focus and
// scroll: only what has changed its order is.
function upTo(held, place, names, shown) {
  while (place && place !== held && !names.has(key(place)) && !stays(place)) place = without(place);
  if (place !== held) shown.insertBefore(held, place);
  return held;
}

function stays(node) {
  return node.nodeType === Node.ELEMENT_NODE && node.hasAttribute("data-keep") && node.dataset.keep !== "inside";
}

function without(node) {
  const next = node.nextSibling;
  if (!stays(node)) node.remove();
  return next;
}

function update(place, wanted) {
  if (place.nodeType !== Node.ELEMENT_NODE) {
    if (place.nodeValue !== wanted.nodeValue) place.nodeValue = wanted.nodeValue;
  } else if (!place.hasAttribute("data-keep") && !wanted.hasAttribute("data-keep")) {
    swap(place, wanted);
  }
}
