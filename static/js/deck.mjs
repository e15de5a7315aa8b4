// A deck list being written (templates/decks/): mended text goes into the field, what is not saved is kept on this device
// and said to be so, and a check that cannot reach the server is put off without a word about saving.
//   form[data-deck]: data-draft names the draft (none: nothing is kept), data-unsaved: what the server sent is no saved
//   text; [data-keep] its fields; [data-deck-text] the list; [data-when="saved|unsaved|paused|restored"] what is so;
//   [data-discard] goes back to what the server sent
// Without this file the form's own buttons do all of it but the keeping.

const PREFIX = "kounter-deck:";
const form = document.querySelector("form[data-deck]");
const text = form?.querySelector("[data-deck-text]");
const kept = () => [...form.querySelectorAll("[data-keep]")];
const plain = (value) => value.replaceAll("\r\n", "\n");

const original = (field) =>
  field.options ? ([...field.options].find((one) => one.defaultSelected) ?? field.options[0]).value : field.defaultValue;
const dirty = () => form.dataset.unsaved !== undefined || kept().some((field) => field.value !== original(field));

function say(what, so) {
  for (const place of document.querySelectorAll(`[data-when="${what}"]`)) place.hidden = !so;
}

function store(work) {
  try {
    return work(localStorage);
  } catch {
    return null; // no room, or not allowed: the page itself still holds what was typed
  }
}

const key = () => PREFIX + form.dataset.draft;
const forget = () => store((storage) => storage.removeItem(key()));

function keep() {
  const changed = dirty();
  say("unsaved", changed);
  say("saved", !changed);
  if (!changed) say("restored", false);
  if (!form.dataset.draft) return;
  const draft = Object.fromEntries(kept().map((field) => [field.name, field.value]));
  if (changed) store((storage) => storage.setItem(key(), JSON.stringify(draft)));
  else forget();
}

function restore() {
  const draft = store((storage) => JSON.parse(storage.getItem(key()))) ?? {};
  const other = kept().filter((field) => field.name in draft && draft[field.name] !== field.value);
  for (const field of other) field.value = draft[field.name];
  if (!other.length) return;
  say("restored", true);
  recheck();
}

function discard() {
  for (const field of kept()) field.value = original(field);
  keep();
  recheck();
}

// -- checking ----------------------------------------------------------------------------------------------------------
const recheck = () => text.dispatchEvent(new Event("recheck", { bubbles: true }));
const isCheck = (event) => event.detail.requestConfig?.headers["HX-Target"] === "check";
const isPick = (event) => event.detail.requestConfig?.headers["HX-Target"] === "found";

// What was typed while a tap was on its way wins: the answer is about another text.
function unless(event) {
  if (!isCheck(event) || event.detail.isError) return;
  say("paused", false);
  if (plain(event.detail.requestConfig.formData.get("text") ?? "") === text.value) return;
  event.detail.shouldSwap = false;
  recheck();
}

function swapped() {
  const mended = document.querySelector("#check [data-mended]");
  if (!mended) return;
  text.value = mended.value;
  mended.remove();
  keep();
  if (document.activeElement !== document.body) return;
  const next = document.querySelector("#check .fix button") ?? document.getElementById("check-title");
  next?.focus({ preventScroll: true });
}

function failed(event) {
  if (!isCheck(event) && !isPick(event)) return;
  event.stopPropagation(); // page.mjs would speak of saving
  say("paused", true);
}

if (form) {
  document.addEventListener("htmx:beforeSwap", unless);
  document.addEventListener("htmx:afterSwap", swapped);
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
    document.addEventListener(name, failed, true);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr?.getResponseHeader("HX-Redirect")) forget(); // it arrived
  });
  addEventListener("online", recheck);
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.name !== "q") return;
    event.preventDefault();
    event.target.dispatchEvent(new Event("search", { bubbles: true }));
  });
  document.addEventListener("click", (event) => event.target.closest("[data-discard]") && discard());
  if (form.dataset.draft) restore();
  keep();
}
