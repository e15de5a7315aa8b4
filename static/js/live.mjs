// Lists that are rendered for everybody and renewed by htmx: the visitor's own line is marked here, after each renewal.
//   [data-me="CODE"] around them; [data-player="CODE CODE"] on a line, with the class it takes in data-mark

function mark(root) {
  const me = document.querySelector("[data-me]")?.dataset.me;
  if (!me) return;
  for (const line of root.querySelectorAll(`[data-player~="${CSS.escape(me)}"]`)) line.classList.add(line.dataset.mark);
}

document.addEventListener("htmx:load", (event) => mark(event.detail.elt.parentNode ?? document));
// Nothing has changed since the last look: leave the page as it is, selection and all.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status === 304) event.detail.shouldSwap = false;
});
