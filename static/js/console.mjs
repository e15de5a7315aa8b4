// Results by keyboard (UX, Organiser): table, score, Enter, and the table leaves the list. Markup in the form:
//   form[data-entry][data-best-of] with inputs "table" and "score" and a [data-preview] in its button;
//   [data-cut] where nothing is drawn (rule 7.2);
//   sentences to fill in: data-t-win, data-t-draw, data-t-cut, data-t-score ({name} {score}), data-t-unknown ({table});
//   rows: .match[data-table][data-a][data-b], at a table of several [data-names="A|B|C"] (data-best-of="pod").
// The server reads the same two fields when this file does not run.

let form = null; // the one in the page now: a swap of the whole console brings another

const rows = () => [...document.querySelectorAll(".match[data-table]")];
const rowOf = (table) => rows().find((row) => row.dataset.table === table);

// "1", "x", "2" (best of 1) or "20", "12", "11" (best of 3), each with an optional letter for the way of the win.
export function readScore(text, bestOf) {
  const found = /^([012x])([012])?\s*([antc])?$/i.exec(text.trim());
  if (!found) return null;
  const [, first, second] = found;
  if (bestOf === 1) {
    if (second !== undefined || first === "0") return null;
    return { winner: { 1: "a", 2: "b" }[first] ?? null, score: "" };
  }
  if (second === undefined || /x/i.test(first) || first + second === "22") return null;
  const winner = first > second ? "a" : first < second ? "b" : null;
  const score = winner === "b" ? `${second}-${first}` : `${first}-${second}`;
  return { winner, score };
}

// "2143" or "2=143": the seats in the order of finish, shared places joined; null when it is no order of so many.
export function readOrder(text, seats) {
  const key = text.replace(/[\s,.>-]/g, "");
  const order = key.replace(/=/g, "");
  if (!/^[1-4](=?[1-4])*$/.test(key) || new Set(order).size < order.length) return null;
  return [...order].some((seat) => Number(seat) > seats) ? null : key.split(/(?<!=)(?=\d)/).map((each) => each.split("="));
}

function places(row, order) {
  const names = row.dataset.names.split("|");
  let place = 1;
  return order.map((sharing) => {
    const said = sharing.map((seat) => `${place}. ${names[seat - 1]}`);
    place += sharing.length;
    return said.join(" = ");
  }).join(", ");
}

const fill = (sentence, values) => (sentence ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

function sentence(row, result) {
  const says = form.dataset;
  if (!result.winner) return "cut" in says ? says.tCut : fill(says.tDraw, { score: result.score });
  const name = row.dataset[result.winner];
  return fill(result.score ? says.tScore : says.tWin, { name, score: result.score });
}

// The next digit would make another open table: 1 waits while 12 is open.
function mayGrow(table) {
  return rows().some((row) => row.dataset.table !== table && row.dataset.table.startsWith(table));
}

function start() {
  const mine = form;
  const { table, score } = form.elements;
  const preview = form.querySelector("[data-preview]");
  const rest = preview.textContent;
  const bestOf = Number(form.dataset.bestOf || 1);

  function update() {
    if (mine !== form) return;
    const typed = table.value.trim();
    const row = rowOf(typed);
    for (const each of rows()) each.classList.toggle("focus", each === row);
    const pod = row?.dataset.names;
    const order = pod && readOrder(score.value, pod.split("|").length);
    const result = row && !pod && readScore(score.value, bestOf);
    preview.textContent = typed && !row ? fill(form.dataset.tUnknown, { table: typed })
      : order ? places(row, order) : result ? sentence(row, result) : rest;
  }

  table.addEventListener("input", () => {
    update();
    if (rowOf(table.value.trim()) && !mayGrow(table.value.trim())) score.select();
  });
  score.addEventListener("input", update);

  // Enter in the table field goes on to the score while that is empty; Backspace in an empty score goes back.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === table && !score.value) {
      event.preventDefault();
      score.focus();
    } else if (event.key === "Backspace" && event.target === score && !score.value) {
      table.select();
    } else if (event.key === "Escape") {
      form.reset();
      update();
      table.focus();
    }
  });

  // Only what the server has taken leaves the fields; a refused line stays to be mended.
  form.addEventListener("htmx:afterRequest", (event) => {
    if (event.target !== form || event.detail.xhr?.status >= 300 || !event.detail.successful) return;
    table.value = score.value = "";
    if (!elsewhere()) table.focus();
  });
  // The list under the form was swapped: mark the typed table in the new one.
  document.addEventListener("htmx:afterSettle", update);
  update();
}

// At a desk the next result starts in the table field; on a phone it would only open the keyboard.
const atDesk = matchMedia("(hover: hover) and (pointer: fine)");
let acted = true; // the page has just been opened, or the last answer is to something that was pressed here

// Who has gone on to another field in the meantime keeps it.
function elsewhere() {
  const at = document.activeElement;
  return at && at !== document.body && !form.contains(at);
}

function toTable() {
  if (form && !elsewhere() && atDesk.matches) form.elements.table.focus({ preventScroll: true });
}

// A poll that brings other tables, or the whole screen because somebody else has moved the round on, moves no focus.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.shouldSwap) acted = event.detail.requestConfig?.verb === "post";
});
document.addEventListener("htmx:afterSettle", () => {
  if (acted) toTable();
  acted = false;
});

function adopt() {
  const found = document.querySelector("form[data-entry]");
  if (!found || found === form) return;
  form = found;
  start();
  if (acted) toTable();
}

document.addEventListener("htmx:load", adopt);
adopt();
