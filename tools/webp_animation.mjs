// A moving picture as WebP, from pictures that a browser encoded. The format is RIFF: chunks of a name, a size
// and their content (RFC 9649).

function chunk(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Numbers of three bytes each. */
function triples(...values) {
  const bytes = Buffer.alloc(3 * values.length);
  values.forEach((value, k) => bytes.writeUIntLE(value, 3 * k, 3));
  return bytes;
}

/** The chunk with the picture itself out of a WebP file of one picture. */
function pictureChunk(file) {
  for (let at = 12; at < file.length;) {
    const size = file.readUInt32LE(at + 4);
    if (/^VP8[ L]$/.test(file.toString("latin1", at, at + 4))) return file.subarray(at, at + 8 + size + (size % 2));
    at += 8 + size + (size % 2);
  }
  throw new Error("this is no WebP picture");
}

/**
 * The bytes of the file, which plays for ever. `frames`: [{x, y, width, height, bytes, lasts}], each a WebP file of
 * what changes, at an even place; lasts: ms.
 */
export function animatedWebp(frames, { width, height }) {
  const kAnimated = 0x02;
  const kNotBlended = 0x02;
  const parts = [
    chunk("VP8X", Buffer.concat([Buffer.of(kAnimated, 0, 0, 0), triples(width - 1, height - 1)])),
    chunk("ANIM", Buffer.of(255, 255, 255, 255, 0, 0)),
    ...frames.map((frame) => chunk("ANMF", Buffer.concat([
      triples(frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, Math.round(frame.lasts)),
      Buffer.of(kNotBlended), pictureChunk(frame.bytes),
    ]))),
  ];
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP", "latin1"), ...parts]));
}
