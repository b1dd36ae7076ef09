// Light and dark without a reload, and times as the reader's clock has them.

export function look() {
  const form = document.querySelector("[data-theme-switch]");
  if (form === null) return;
  const root = document.documentElement;
  const button = form.querySelector("button");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const shown = () => root.dataset.theme || (system.matches ? "dark" : "light");

  function label() {
    const other = shown() === "dark" ? "light" : "dark";
    button.title = button.dataset[other];
    button.setAttribute("aria-label", button.dataset[other]);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = shown() === "dark" ? "light" : "dark";
    // What the system has anyway is followed, not fixed.
    const same = (wanted === "dark") === system.matches;
    if (same) delete root.dataset.theme;
    else root.dataset.theme = wanted;
    const meta = document.querySelector('meta[name="color-scheme"]');
    if (meta !== null) meta.content = same ? "light dark" : wanted;
    label();
    const body = new URLSearchParams({ theme: same ? "auto" : wanted, next: "/" });
    // It outlives the page: who changes the look and leaves has changed it.
    const sent = { method: "POST", body, redirect: "manual", keepalive: true };
    fetch(form.action, sent).catch(() => {});
    document.dispatchEvent(new CustomEvent("themechange"));
  });
  system.addEventListener("change", label);
  label();
}

const two = (number) => String(number).padStart(2, "0");

export function times(within) {
  for (const each of within.querySelectorAll("time[data-local]")) {
    const at = new Date(each.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
    const today = at.toDateString() === new Date().toDateString();
    each.textContent = "brief" in each.dataset ? (today ? time : day) : `${day} ${time}`;
    each.title = `${day} ${time}:${two(at.getSeconds())}`;
    delete each.dataset.local;
  }
}
