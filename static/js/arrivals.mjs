// Who comes in (UX, Organiser): one name and Enter; a paste keeps its lines and the field grows with them. Markup:
//   form[data-arrivals] with a textarea "names". Without this file the form has its button and does the same.

const lines = (text) => text.value.split("\n").length;

function grow(text) {
  text.rows = Math.min(12, Math.max(1, lines(text)));
}

function submitOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  const text = event.target;
  if (lines(text) > 1) return; // several names: Enter begins a line, the button adds them
  event.preventDefault();
  if (text.value.trim()) text.form.requestSubmit(text.form.querySelector(".btn.ink"));
}

function isNames(target) {
  return target instanceof HTMLTextAreaElement && target.name === "names" && target.closest("form[data-arrivals]");
}

document.addEventListener("keydown", (event) => isNames(event.target) && submitOnEnter(event));
document.addEventListener("input", (event) => isNames(event.target) && grow(event.target));
