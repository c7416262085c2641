// The plane waves of a map of heights: how strong each is, over its wave number.

/** Of one line of complex numbers: the waves from -most to most, sum f(k) exp(-2 pi i p k / n). */
function lineWaves(re, im, most) {
  const n = re.length;
  const cosines = Float64Array.from({ length: n }, (_, k) => Math.cos((2 * Math.PI * k) / n));
  const sines = Float64Array.from({ length: n }, (_, k) => Math.sin((2 * Math.PI * k) / n));
  const waves = { re: new Float64Array(2 * most + 1), im: new Float64Array(2 * most + 1) };
  for (let p = -most; p <= most; ++p) {
    const step = ((p % n) + n) % n;
    let sumRe = 0;
    let sumIm = 0;
    for (let k = 0, at = 0; k < n; ++k, at = (at + step) % n) {
      sumRe += re[k] * cosines[at] + im[k] * sines[at];
      sumIm += im[k] * cosines[at] - re[k] * sines[at];
    }
    waves.re[p + most] = sumRe / n;
    waves.im[p + most] = sumIm / n;
  }
  return waves;
}

/**
 * The amplitudes of a map's plane waves, its mean taken off, row by row: wave numbers from -across to
 * across and -along to along, no wave at all in the middle. A height h cos(k x) is h / 2 at k and at
 * -k. Where nothing stands (NaN) the height counts as the mean.
 */
export function waveMap({ columns, rows, values }) {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const across = Math.floor((columns - 1) / 2);
  const along = Math.floor((rows - 1) / 2);
  const width = 2 * across + 1;
  const lines = Array.from({ length: rows }, (_, j) => {
    const line = Float64Array.from({ length: columns }, (_, i) => {
      const value = values[j * columns + i];
      return Number.isNaN(value) ? 0 : value - mean;
    });
    return lineWaves(line, new Float64Array(columns), across);
  });
  const amplitudes = new Float64Array(width * (2 * along + 1));
  for (let i = 0; i < width; ++i) {
    const { re, im } = lineWaves(lines.map((line) => line.re[i]), lines.map((line) => line.im[i]), along);
    re.forEach((_, j) => { amplitudes[j * width + i] = Math.hypot(re[j], im[j]); });
  }
  return { columns: width, rows: 2 * along + 1, values: amplitudes };
}

/** The length of the strongest wave of a map whose sides are `length`; 0 where there is none. */
export function strongestWave({ columns, rows, values }, length) {
  let best = 0;
  let strongest = 0;
  values.forEach((value, k) => {
    if (value <= strongest) return;
    strongest = value;
    const p = (k % columns) - (columns - 1) / 2;
    const q = Math.floor(k / columns) - (rows - 1) / 2;
    const frequency = Math.hypot(p / length[0], q / length[1]);
    best = frequency > 0 ? 1 / frequency : 0;
  });
  return best;
}
