// From where to where the axis of a plot goes.

import { sharedScale } from "./boxes.js";
import { kRoundOffShare } from "./variation.js";

/** Of a line with {lowest, highest}: how far it goes from zero. */
export const sizeOf = (line) => Math.max(Math.abs(line.lowest), Math.abs(line.highest));

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

/** One bad run does not ruin the scale of the others: its line leaves the picture. */
export function largestShown(lines, runs) {
  const sizes = Array.from({ length: runs }, () => 0);
  for (const line of lines) {
    if (!Number.isNaN(line.lowest)) sizes[line.runNumber] = Math.max(sizes[line.runNumber], sizeOf(line));
  }
  return sharedScale(sizes);
}

/** [lowest, highest] of an axis of powers of ten. */
export function rangeOfPowers(lines) {
  const { least, most } = positiveRange(lines);
  const room = Math.max(1.6, (most / least) ** 0.06);
  return [least / room, most * room];
}

/** Counts are not negative, and at least two whole numbers belong on their axis. */
function wholeRange(lowest, highest) {
  const lower = Math.max(0, lowest);
  return [lower, Math.max(highest, Math.floor(lower) + 1)];
}

/** [lowest, highest] of an even axis for the lines that are no larger than `largest`. */
export function evenRange(lines, largest, isCount) {
  let lowest = Infinity;
  let highest = -Infinity;
  let scale = 0;
  for (const line of lines) {
    if (Number.isNaN(line.lowest) || sizeOf(line) > largest) continue;
    lowest = Math.min(lowest, line.lowest);
    highest = Math.max(highest, line.highest);
    scale = Math.max(scale, line.series.scale, Math.abs(line.lowest), Math.abs(line.highest));
  }
  if (!(lowest <= highest)) [lowest, highest] = [0, 1];
  const span = highest - lowest;
  if (span <= kRoundOffShare * scale) {
    // Around a constant: from 0 where it has a size of its own, else as much as its scale.
    const middle = (lowest + highest) / 2;
    const size = Math.abs(middle) > kRoundOffShare * scale ? Math.abs(middle) : scale || 1;
    [lowest, highest] = [middle - 0.5 * size, middle + 0.5 * size];
  } else {
    // Zero belongs to the picture where it is near.
    if (lowest > 0 && lowest < 0.35 * highest) lowest = 0;
    lowest -= lowest === 0 ? 0 : 0.08 * span;
    highest += 0.08 * span;
  }
  return isCount ? wholeRange(lowest, highest) : [lowest, highest];
}
