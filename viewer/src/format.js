// Numbers as words.

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function power(exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[digit]).join("");
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

const minus = (text) => text.replace("-", "−");

/** About `digits` significant digits, without trailing zeros; powers of ten where they are shorter. */
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -3 && exponent < 6) return minus(String(Number(value.toPrecision(digits))));
  const [mantissa, rest] = value.toExponential(digits - 1).split("e");
  const short = minus(String(Number(mantissa)));
  if (short === "1" || short === "−1") return short.replace("1", power(Number(rest)));
  return `${short}·${power(Number(rest))}`;
}

/** One digit, as for an error: 3·10⁻⁷. Rounded up, because it bounds something. */
export function bound(value) {
  if (!(value > 0) || !Number.isFinite(value)) return number(value, 1);
  const exponent = Math.floor(Math.log10(value));
  const scale = 10 ** (exponent - 1);
  return number(Math.ceil(value / scale - 1e-9) * scale, 2);
}

/** As many decimals as tell neighbours that far apart from each other. */
export function fixed(value, spacing) {
  const decimals = spacing > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(spacing)))) : 3;
  return minus(value.toFixed(decimals));
}

export const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);
export const plural = (count, word) => {
  const words = { body: "bodies", vertex: "vertices" }[word] ?? `${word}s`;
  return `${count.toLocaleString("en").replaceAll(",", " ")} ${count === 1 ? word : words}`;
};
