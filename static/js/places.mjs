// The order of finish of a table of several (components/places.html): tapping the seats in order fills in the places.
//   [data-places] with a select and a button [data-tap] a seat; a second tap takes that seat and those after it out.
// Without this file the places are chosen in the selects.

const selects = (field) => [...field.querySelectorAll("select")];
const ranked = (field) => selects(field).filter((select) => /^\d+$/.test(select.value));

function tap(field, select) {
  const own = Number(select.value);
  if (own) {
    for (const other of ranked(field)) if (Number(other.value) >= own) other.value = "";
    return;
  }
  select.value = String(ranked(field).length + 1);
  const open = selects(field).filter((other) => !other.value);
  if (open.length === 1) open[0].value = String(ranked(field).length + 1);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tap]");
  if (!button) return;
  const field = button.closest("[data-places]");
  tap(field, button.closest(".place").querySelector("select"));
});

function adopt() {
  for (const field of document.querySelectorAll("[data-places]:not(.taps)")) field.classList.add("taps");
  for (const hint of document.querySelectorAll("[data-taps][hidden]")) hint.hidden = false;
}

document.addEventListener("htmx:load", adopt);
adopt();
