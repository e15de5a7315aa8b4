// Reports that could not leave this phone (UX, Everywhere; CASES 96): kept, counted, sent again when there is a
// connection. Each carries its request key, so that however often it is sent it is one report.
//   form[data-outbox]: what is kept; [data-waiting] shows itself while something waits, [data-count], [data-resend]

const KEY = "kounter-outbox";
const AGAIN = 15000;

function waiting() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep(list) {
  localStorage.setItem(KEY, JSON.stringify(list));
  show();
}

function show() {
  const count = waiting().length;
  for (const place of document.querySelectorAll("[data-waiting]")) {
    place.hidden = count === 0;
    const digits = place.querySelector("[data-count]");
    if (digits) digits.textContent = count;
  }
}

const keyOf = (body) => new URLSearchParams(body).get("request_key");

function add(url, fields) {
  const parameters = new URLSearchParams(fields);
  parameters.delete("csrfmiddlewaretoken");
  const body = parameters.toString();
  const others = waiting().filter((item) => keyOf(item.body) !== keyOf(body));
  keep([...others, { url, body }]);
}

const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["x-csrftoken"] ?? "";

async function send(item) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token() };
  return fetch(item.url, { method: "POST", headers, body: item.body, credentials: "same-origin" });
}

let busy = false;

// An answer of any kind but "try later" takes the report out: the page then shows what the server knows.
async function sendAll() {
  if (busy || !waiting().length) return;
  busy = true;
  try {
    for (const item of waiting()) {
      const answer = await send(item);
      if (answer.status === 429 || answer.status >= 500) break;
      keep(waiting().filter((other) => other.body !== item.body));
      document.body.dispatchEvent(new CustomEvent("moved"));
    }
  } catch {
    // still no connection
  } finally {
    busy = false;
    show();
  }
}

// No answer, or one that says "not now": what was reported must not be lost. A refusal is an answer and is shown.
function failed(event) {
  const form = event.detail.elt.closest?.("form[data-outbox]");
  const status = event.detail.xhr?.status ?? 0;
  if (!form || (status >= 400 && status < 500 && status !== 429)) return;
  event.stopPropagation(); // page.mjs would say that nothing was kept
  add(form.action, [...event.detail.requestConfig.formData.entries()]);
}

document.addEventListener("htmx:sendError", failed, true);
document.addEventListener("htmx:timeout", failed, true);
document.addEventListener("htmx:responseError", failed, true);
document.addEventListener("click", (event) => event.target.closest("[data-resend]") && sendAll());
document.addEventListener("htmx:load", show);
addEventListener("online", sendAll);
setInterval(sendAll, AGAIN);
show();
sendAll();
