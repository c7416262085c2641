// Which moments of a run become the pictures of a clip.

/** Pictures in a second of a clip. */
export const kPerSecond = 30;

/** The times of a clip, s of the run, for a playback of `rate` s of it per second. */
export function clipTimes({ begin, end, rate }) {
  const count = Math.max(2, Math.round(((end - begin) / rate) * kPerSecond) + 1);
  return Array.from({ length: count }, (_, k) => Math.min(end, begin + (k * rate) / kPerSecond));
}
