// Colours by their OKLCH coordinates (lightness, chroma, hue in degrees), in which equal steps look
// equally large. All colours are sRGB in 0..1.

function linearFromOklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const encode = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** The colour, with as much of its chroma as a screen can show. */
export function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  for (let share = 1; ; share -= 0.02) {
    const reach = Math.max(0, share) * chroma;
    const rgb = linearFromOklab(lightness, reach * Math.cos(angle), reach * Math.sin(angle));
    if (share <= 0 || rgb.every((x) => x >= -1e-4 && x <= 1.0001)) {
      return rgb.map((x) => encode(Math.min(1, Math.max(0, x))));
    }
  }
}

/**
 * A perceptually uniform map of 0 to 1: lightness rises evenly while the hue turns evenly from violet
 * to yellow. The chroma stays just inside what a screen can show, so that nothing is cut off.
 */
export function mapColour(value) {
  return oklch(0.33 + 0.55 * value, 0.098 + 0.28 * (value - 0.45) ** 2, 300 - 200 * value);
}

/** Where on the map a share of the largest speed stands: the root, so that slow balls differ too. */
export const mapPlace = (share) => Math.sqrt(Math.min(1, share));

const kMapSize = 256;

/** The map of colours as bytes, four per colour. */
export function mapOfColours() {
  const bytes = new Uint8Array(4 * kMapSize);
  for (let k = 0; k < kMapSize; ++k) {
    const rgb = mapColour(k / (kMapSize - 1));
    for (let c = 0; c < 3; ++c) bytes[4 * k + c] = Math.round(255 * rgb[c]);
    bytes[4 * k + 3] = 255;
  }
  return bytes;
}

/** Neighbouring numbers get hues far apart: each turns by the golden angle. */
export function bodyColour(body) {
  const hue = (body * 137.50776405) % 360;
  const lightness = 0.66 + 0.07 * Math.cos(body * 2.1);
  return oklch(lightness, 0.13, 20 + hue);
}

const lineHues = [250, 45, 150, 320, 100, 200];

/** Lines of plots, one per run. */
export function lineColour(k, dark) {
  return oklch(dark ? 0.74 : 0.55, 0.15, lineHues[k % lineHues.length]);
}

export const css = (rgb) => `rgb(${rgb.map((x) => Math.round(255 * x)).join(" ")})`;
