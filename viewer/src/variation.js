// How much a series varies, so that round-off is told in words and not drawn as noise.

/** Below this share of its scale a series is drawn as constant. */
export const kRoundOffShare = 1e-9;

export function variationOf(series) {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of series.values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (!(lowest <= highest)) return { lowest: NaN, highest: NaN, share: NaN, isConstant: false };
  const scale = series.scale > 0 ? series.scale : Math.max(Math.abs(lowest), Math.abs(highest));
  const share = scale > 0 ? (highest - lowest) / scale : 0;
  return { lowest, highest, share, isConstant: share < kRoundOffShare };
}
