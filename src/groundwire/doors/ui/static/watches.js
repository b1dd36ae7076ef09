// The slider of a watch: its day follows the hand, and the claims of that day are loaded when it rests.
for (const form of document.querySelectorAll("[data-sliding]")) {
  const range = form.querySelector("input[type=range]");
  const output = form.querySelector("output");
  const days = range.dataset.days.split(" ");
  const tell = () => {
    output.textContent = days[Number(range.value)] ?? "";
    range.setAttribute("aria-valuetext", output.textContent);
  };
  tell();
  range.addEventListener("input", tell);
  range.addEventListener("change", () => form.requestSubmit());
}
