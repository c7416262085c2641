// Round numbers along an axis.

import { number } from "./format.js";

/**
 * Multiples of 1, 2 or 5 times a power of ten within [lower, upper], about `count` of them; `whole`:
 * whole numbers only.
 */
export function ticks(lower, upper, count, whole = false) {
  const span = upper - lower;
  if (!(span > 0) || !Number.isFinite(span)) return [lower];
  const rough = whole ? Math.max(1, span / count) : span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [10, 5, 2, 1, 0.5, 0.2].map((k) => k * power);
  const fitting = steps.filter((step) => step >= rough * 0.999).pop();
  const found = multiples(lower, upper, fitting);
  // One number does not make a scale.
  const finer = steps[steps.indexOf(fitting) + 1];
  return found.length >= 2 || (whole && finer < 1) ? found : multiples(lower, upper, finer);
}

/** Powers of ten within [lower, upper], at most `count` or so; with 2 and 5 times them where there are few. */
export function powers(lower, upper, count) {
  const first = Math.ceil(Math.log10(lower) - 1e-9);
  const last = Math.floor(Math.log10(upper) + 1e-9);
  const stride = Math.max(1, Math.ceil((last - first + 1) / count));
  const result = [];
  for (let k = Math.ceil(first / stride) * stride; k <= last; k += stride) result.push(Number(`1e${k}`));
  if (result.length >= 2) return result;
  const finer = [];
  for (let k = first - 1; k <= last; ++k) {
    for (const factor of [1, 2, 5]) {
      const value = Number(`${factor}e${k}`);
      if (value >= lower && value <= upper) finer.push(value);
    }
  }
  return finer.length > 0 ? finer : [lower];
}

function multiples(lower, upper, step) {
  const result = [];
  for (let k = Math.ceil(lower / step - 1e-9); k * step <= upper + 1e-9 * step; ++k) {
    result.push(k === 0 ? 0 : k * step);
  }
  return result;
}

/**
 * Labels that tell the ticks apart. Where they share many digits these stand once, as `base`, and the
 * labels are differences from it.
 */
export function labels(values) {
  const size = Math.max(...values.map(Math.abs));
  const span = values[values.length - 1] - values[0];
  if (size > 0 && span > 0 && span < 1e-3 * size) {
    const base = values[values.length >> 1];
    return { base, texts: values.map((x) => signed(x - base, span)) };
  }
  const digits = span > 0 ? Math.ceil(Math.log10(size / span)) + 2 : 3;
  return { base: null, texts: values.map((x) => number(x, Math.max(2, digits))) };
}

function signed(difference, span) {
  if (Math.abs(difference) < 1e-6 * span) return "0";
  return (difference > 0 ? "+" : "") + number(difference, 2);
}
