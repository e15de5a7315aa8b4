// What the check says stands beside the button that hands the list in, however far down the reader is.

const says = document.querySelector("[data-check-says]");
const show = () => {
  says.textContent = document.getElementById("check-title")?.textContent ?? "";
};
document.addEventListener("htmx:afterSettle", show);
show();
