// A stored page opens at the passage that is meant, also where the address does not name it, and
// says so to who listens.

const passage = document.getElementById("passage");
if (passage && (location.hash === "" || location.hash === "#passage")) {
  passage.scrollIntoView({ block: "center" });
  passage.focus({ preventScroll: true });
}
