// A WebM file of one video track, from frames that a browser's encoder made. The format is Matroska's:
// elements of an identity, a size and their content, one inside the other (RFC 8794 and RFC 9559).

/** A size: as many bytes as it needs, the first bit that is set says how many. */
function sizeBytes(size) {
  let count = 1;
  while (size >= 2 ** (7 * count) - 1) ++count;
  const bytes = new Uint8Array(count);
  for (let k = count - 1, rest = size; k >= 0; --k) {
    bytes[k] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[0] |= 1 << (8 - count);
  return bytes;
}

function numberBytes(value) {
  const bytes = [];
  do {
    bytes.unshift(value % 256);
    value = Math.floor(value / 256);
  } while (value > 0);
  return Uint8Array.from(bytes);
}

const textBytes = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function doubleBytes(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** `content`: a list of elements, or bytes. */
function element(identity, content) {
  const bytes = Array.isArray(content) ? joined(content) : content;
  return joined([numberBytes(identity), sizeBytes(bytes.length), bytes]);
}

const number = (identity, value) => element(identity, numberBytes(value));

// A frame's time is written as 16 bits after its cluster's, ms.
const kMostInCluster = 30000;

function clustersOf(frames) {
  const clusters = [];
  for (const frame of frames) {
    const last = clusters[clusters.length - 1];
    if (!last || frame.time - last.time >= kMostInCluster) clusters.push({ time: frame.time, frames: [] });
    clusters[clusters.length - 1].frames.push(frame);
  }
  return clusters;
}

function simpleBlock({ time, bytes, isKey }, start) {
  const offset = time - start;
  return element(0xa3, joined([Uint8Array.of(0x81, offset >> 8, offset & 255, isKey ? 0x80 : 0), bytes]));
}

/**
 * The bytes of the file. `frames`: [{time, bytes, isKey}], times in whole milliseconds, increasing;
 * `codec`: "V_VP8" or "V_VP9"; `duration`: ms.
 */
export function webmFile({ frames, codec, width, height, duration, title }) {
  const head = element(0x1a45dfa3, [
    number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8),
    element(0x4282, textBytes("webm")), number(0x4287, 4), number(0x4285, 2),
  ]);
  const info = element(0x1549a966, [
    number(0x2ad7b1, 1e6), // times are in milliseconds
    element(0x4489, doubleBytes(duration)),
    element(0x7ba9, new TextEncoder().encode(title)),
    element(0x4d80, textBytes("Carom")),
    element(0x5741, textBytes("Carom")),
  ]);
  const track = element(0x1654ae6b, [element(0xae, [
    number(0xd7, 1), number(0x73c5, 1), number(0x9c, 0), number(0x83, 1),
    element(0x86, textBytes(codec)),
    element(0xe0, [number(0xb0, width), number(0xba, height)]),
  ])]);
  const clusters = clustersOf(frames).map(({ time, frames: own }) =>
    ({ time, bytes: element(0x1f43b675, [number(0xe7, time), ...own.map((frame) => simpleBlock(frame, time))]) }));
  return joined([head, element(0x18538067, [info, track, ...clusters.map(({ bytes }) => bytes)])]);
}
