// The judge's count: steps by one, marks that outlive a reload, and how many cards lie there by now.

const form = document.querySelector(".deck-check");
const rows = [...form.querySelectorAll(".counting li")];
const key = `deck-check:${location.pathname}`;
const found = form.querySelector("[data-found]");
const different = form.querySelector("[data-different]");
const number = (row) => row.querySelector("input[type=number]");

function show() {
  let total = 0;
  let off = 0;
  for (const row of rows) {
    const count = Number(number(row).value);
    total += count;
    const same = count === Number(row.dataset.listed);
    row.classList.toggle("danger", !same);
    off += same ? 0 : 1;
  }
  found.textContent = `${total}/${form.dataset.total}`;
  different.textContent = off ? `≠ ${off}` : "=";
}

function keep() {
  const seen = rows.filter((row) => row.querySelector("[data-seen]").checked).map((row) => row.querySelector("[data-seen]").dataset.seen);
  const counts = Object.fromEntries(rows.map((row) => [number(row).name, number(row).value]));
  sessionStorage.setItem(key, JSON.stringify({ seen, counts }));
}

function bringBack() {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (!kept) return;
  for (const row of rows) {
    const box = row.querySelector("[data-seen]");
    box.checked = kept.seen.includes(box.dataset.seen);
    number(row).value = kept.counts[number(row).name] ?? number(row).value;
  }
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  if (!button) return;
  const field = number(button.closest("li"));
  field.value = Math.max(0, Math.min(99, Number(field.value) + Number(button.dataset.step)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
});
form.addEventListener("input", () => {
  show();
  keep();
});
form.addEventListener("submit", () => sessionStorage.removeItem(key));
bringBack();
show();
