// Puts a freshly rendered part in the place of what is shown, and touches only what differs: focus,
// selection, scroll, what is folded open and what is hovered stay as they are.
//
// Children are known by id or data-key. [data-keep] is the page's own and is left alone.

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
  const known = new Map();
  for (const child of shown.children) if (key(child)) known.set(key(child), child);
  let place = shown.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const name = key(wanted);
    const found = name ? known.get(name) : null;
    if (found && found !== place && found.tagName === wanted.tagName) {
      shown.insertBefore(found, place);
      place = found;
    }
    if (place && alike(place, wanted)) {
      update(place, wanted);
      place = place.nextSibling;
    } else if (place && !name && !key(place) && place.nodeType === wanted.nodeType) {
      const next = place.nextSibling;
      place.replaceWith(wanted);
      place = next;
    } else {
      shown.insertBefore(wanted, place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    if (!(place.nodeType === Node.ELEMENT_NODE && place.hasAttribute("data-keep"))) place.remove();
    place = next;
  }
}

function update(place, wanted) {
  if (place.nodeType !== Node.ELEMENT_NODE) {
    if (place.nodeValue !== wanted.nodeValue) place.nodeValue = wanted.nodeValue;
  } else if (!place.hasAttribute("data-keep") && !wanted.hasAttribute("data-keep")) {
    swap(place, wanted);
  }
}
