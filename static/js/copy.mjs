// A link that is handed on: one tap copies it. Markup: components/copy.html. Without this file the field is there to be
// selected; over plain http, where there is no clipboard to write to, the old command copies what is selected.

const SHOWN = 2500; // milliseconds that the button says so

async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

async function copy(button) {
  const word = button.querySelector("[aria-live]");
  const face = (button.dataset.face ??= word.textContent);
  if (!(await copied(button.closest("[data-copy]").querySelector("input")))) return;
  word.textContent = button.dataset.done;
  setTimeout(() => (word.textContent = face), SHOWN);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy] button");
  if (button) copy(button);
});
document.addEventListener("focusin", (event) => event.target.matches("[data-copy] input") && event.target.select());
