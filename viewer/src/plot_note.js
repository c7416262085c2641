// The note beside the pointer over a plot, and what its axis of powers needs to know.

import { number } from "./format.js";

/** The smallest and the largest value above 0 of some lines. */
export function positiveRange(lines) {
  let least = Infinity;
  let most = 0;
  for (const { series } of lines) {
    for (const value of series.values) {
      if (!(value > 0) || !Number.isFinite(value)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  return { least, most };
}

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
