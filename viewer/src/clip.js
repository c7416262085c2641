// The whole run as a video, picture by picture: however slowly a machine draws, the clip plays evenly.

import { clipTimes, kPerSecond } from "./clip_times.js";
import { Painter } from "./picture.js";
import { webmFile } from "./webm.js";

const kMostSeconds = 120;
const kMostPixels = 1920;
const kKeyEvery = 60;
// More frames than this are not left waiting for the encoder.
const kMostWaiting = 8;

const pause = () => new Promise((resolve) => { setTimeout(resolve, 0); });

function makeEncoder(canvas, frames) {
  if (typeof VideoEncoder === "undefined") {
    throw new Error("this browser cannot make videos (it has no VideoEncoder)");
  }
  const state = { fault: null };
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      frames.push({ time: Math.round(chunk.timestamp / 1000), bytes, isKey: chunk.type === "key" });
    },
    error: (error) => { state.fault = error; },
  });
  encoder.configure({
    codec: "vp8", width: canvas.width, height: canvas.height, framerate: kPerSecond,
    bitrate: Math.round(Math.max(2e6, 5 * canvas.width * canvas.height)),
  });
  return { encoder, state };
}

/** Bytes of a WebM file, or null where `watch.isOver()` said so; `watch.onProgress` gets 0 to 1. */
export async function makeClip(page, title, watch) {
  const { clock } = page;
  const times = clipTimes(clock);
  if (times.length > kMostSeconds * kPerSecond) {
    throw new Error(`at this speed the clip would last ${Math.round(times.length / kPerSecond)} s; ` +
      `${kMostSeconds} s is the most, so choose a higher speed`);
  }
  clock.pause();
  const before = clock.time;
  const painter = new Painter(page, kMostPixels);
  const frames = [];
  const { encoder, state } = makeEncoder(painter.canvas, frames);
  try {
    for (let k = 0; k < times.length && !watch.isOver(); ++k) {
      clock.seek(times[k]);
      if (k > 0) page.turn(1 / kPerSecond);
      const picture = new VideoFrame(painter.paint(),
        { timestamp: Math.round((1e6 * k) / kPerSecond), duration: Math.round(1e6 / kPerSecond) });
      encoder.encode(picture, { keyFrame: k % kKeyEvery === 0 });
      picture.close();
      watch.onProgress(k / times.length);
      do await pause(); while (encoder.encodeQueueSize > kMostWaiting && !state.fault);
      if (state.fault) throw state.fault;
    }
    if (watch.isOver()) return null;
    await encoder.flush();
  } finally {
    if (encoder.state !== "closed") encoder.close();
    clock.seek(before);
  }
  const { width, height } = painter.canvas;
  return webmFile({
    frames, codec: "V_VP8", width, height, duration: (1000 * times.length) / kPerSecond, title,
  });
}
