// Round clocks (rule 8.1): the end is a time on the server's clock, so every screen shows the same seconds however
// wrong its own clock is. Markup: templates/components/clock.html, or any element with data-clock.
//   data-ends, data-now: epoch seconds of the end and of the moment the page was made; no data-ends: it stands still
//   [data-left]: where "12:47" goes; progress: minutes gone; [data-word]: said once, at 5 minutes and at the end

const SOON = 300;

export function clockText(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

// How far this machine's clock is from the server's, taken when the element is first seen: a renewed one brings its own.
const offsets = new WeakMap();

function offset(clock) {
  if (!offsets.has(clock)) offsets.set(clock, Number(clock.dataset.now) - Date.now() / 1000);
  return offsets.get(clock);
}

function word(clock, left) {
  const place = clock.querySelector("[data-word]");
  if (!place) return;
  const text = left <= 0 ? clock.dataset.over : left <= SOON && left > SOON - 60 ? clock.dataset.soon : "";
  if (place.textContent !== (text ?? "")) place.textContent = text ?? "";
}

function show(clock) {
  const left = Number(clock.dataset.ends) - (Date.now() / 1000 + offset(clock));
  const digits = clock.querySelector("[data-left]");
  const text = clockText(left);
  if (digits && digits.textContent !== text) digits.textContent = text;
  const bar = clock.querySelector("progress");
  if (bar && clock.dataset.minutes) bar.value = Math.min(bar.max, Math.max(0, Number(clock.dataset.minutes) - left / 60));
  word(clock, left);
}

function tick() {
  for (const clock of document.querySelectorAll("[data-clock][data-ends]")) show(clock);
}

tick();
setInterval(tick, 500);
document.addEventListener("htmx:load", tick);
