// The note beside the pointer over a plot.

import { number } from "./format.js";

/** `rows`: [{colour, label, value}], the last two are texts. */
export function writeNote(note, time, rows) {
  const heading = document.createElement("div");
  heading.textContent = `${number(time, 5)} s`;
  note.replaceChildren(heading, ...rows.map(({ colour, label, value }) => {
    const row = document.createElement("div");
    const swatch = document.createElement("i");
    swatch.className = "swatch";
    swatch.style.background = colour;
    const text = document.createElement("b");
    text.textContent = value;
    row.append(swatch, label, text);
    return row;
  }));
}

/** Right of the pointer, or left of it where there is no room. */
export function placeNote(note, left, width, top) {
  const right = left + 14 + note.offsetWidth < width;
  note.style.left = `${right ? left + 14 : Math.max(2, left - 14 - note.offsetWidth)}px`;
  note.style.top = `${top}px`;
}
