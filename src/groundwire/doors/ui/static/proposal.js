// What a run proposes, as a form: its rows are added and taken out here, and what was changed is gathered.

export function proposalRows(root) {
  root.addEventListener("click", (event) => {
    const drop = event.target.closest("[data-drop-row]");
    const add = event.target.closest("[data-add-row]");
    if (drop) taken(drop.closest("[data-row]"));
    if (add) added(add.closest("[data-type=rows]"));
  });
}

function taken(row) {
  const rows = row.parentElement;
  const next = row.nextElementSibling?.matches("[data-row]") ? row.nextElementSibling : row.previousElementSibling;
  row.remove();
  (next?.querySelector("[data-drop-row]") ?? rows.querySelector("[data-add-row]")).focus();
}

let made = 0;

function added(rows) {
  const template = rows.querySelector("template");
  const row = template.content.querySelector("[data-row]").cloneNode(true);
  made += 1;
  for (const field of row.querySelectorAll("[id]")) field.id += `-${made}`;
  for (const label of row.querySelectorAll("label[for]")) label.htmlFor += `-${made}`;
  template.before(row);
  row.querySelector("[data-type]").focus();
}

// The fields that are otherwise than proposed, as the API takes them.
export function edited(form) {
  const fields = [...form.querySelectorAll("[data-type]")].filter((each) => !each.closest("[data-row]"));
  return Object.fromEntries(fields.filter(changed).map((each) => [each.dataset.name ?? each.name, written(each)]));
}

function changed(field) {
  if (field.dataset.type === "rows") {
    return rowsOf(field).length !== Number(field.dataset.count) || rowsOf(field).some((row) => cells(row).some(changed));
  }
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.dataset.type === "choice") return !field.selectedOptions[0].defaultSelected;
  return field.value !== field.defaultValue;
}

function rowsOf(field) {
  return [...field.querySelectorAll("[data-row]")].filter((row) => cells(row).some((each) => each.value.trim()));
}

function cells(row) {
  return [...row.querySelectorAll("[data-type]")];
}

function written(field) {
  const kind = field.dataset.type;
  if (kind === "rows") return rowsOf(field).map((row) => Object.fromEntries(cells(row).map((each) => [each.name, written(each)])));
  if (kind === "boolean") return field.checked;
  if (kind === "number") return field.value.trim() ? Number(field.value) : null;
  if (kind === "list") return field.value.split("\n").map((each) => each.trim()).filter(Boolean);
  return kind === "json" ? JSON.parse(field.value) : field.value;
}
