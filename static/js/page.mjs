// What every page may do once scripts run: theme, messages, dialogs, printing, and the truth when a request fails.
// All of it is extra: without this file every form and link still works.

const YEAR = 31536000;

function setTheme(theme) {
  document.cookie = `theme=${theme}; path=/; max-age=${theme ? YEAR : 0}; samesite=lax`;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  markTheme();
}

function markTheme() {
  const chosen = document.documentElement.dataset.theme ?? "";
  for (const button of document.querySelectorAll("[data-set-theme]"))
    button.setAttribute("aria-pressed", String(button.dataset.setTheme === chosen));
}

// A message may leave by itself only from the bar at the foot, where nothing moves when it goes, when nothing in it can
// be pressed, and never while someone is on it. Elsewhere it stands in the page and stays.
function letGo(toast) {
  if (!toast.isConnected) return;
  if (toast.matches(":hover, :focus-within")) setTimeout(letGo, 3000, toast);
  else toast.remove();
}

function watchToasts(root) {
  if (!document.querySelector("body > .next")) return;
  for (const toast of root.querySelectorAll(".toast[data-fleeting]:not([data-watched])")) {
    toast.dataset.watched = "";
    if (!toast.querySelector("form, a")) setTimeout(letGo, 8000, toast);
  }
}

function say(text) {
  const list = document.getElementById("toasts");
  if (!list || !text) return;
  const toast = document.createElement("div");
  toast.className = "toast danger";
  const words = document.createElement("p");
  words.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn board";
  close.dataset.dismiss = "";
  close.textContent = list.dataset.close;
  toast.append(words, close);
  list.replaceChildren(toast);
  toast.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-set-theme], [data-dismiss], [data-opens], [data-closes], [data-print]");
  if (!target) return;
  if (target.dataset.setTheme !== undefined) setTheme(target.dataset.setTheme);
  else if (target.dataset.dismiss !== undefined) target.closest(".toast").remove();
  else if (target.dataset.opens) document.getElementById(target.dataset.opens)?.showModal();
  else if (target.dataset.closes !== undefined) target.closest("dialog")?.close();
  else if (target.dataset.print !== undefined) window.print();
});

const words = () => document.getElementById("toasts")?.dataset ?? {};
const isWrite = (event) => event.detail.requestConfig?.verb !== "get";

// A poll that fails says nothing: the next one will tell. A write that fails must be known (UX, Everywhere).
document.addEventListener("htmx:sendError", (event) => isWrite(event) && say(words().unsent));
document.addEventListener("htmx:timeout", (event) => isWrite(event) && say(words().unsent));
document.addEventListener("htmx:responseError", (event) => {
  if (!isWrite(event)) return;
  const status = event.detail.xhr.status;
  say(status === 429 ? words().slow : status >= 500 ? words().unsent : words().refused);
});
document.addEventListener("htmx:load", (event) => {
  watchToasts(event.detail.elt.parentNode ?? document);
  if (event.detail.elt.id === "toasts") event.detail.elt.querySelector(".danger")?.scrollIntoView({ block: "nearest" });
});

markTheme();
watchToasts(document);
