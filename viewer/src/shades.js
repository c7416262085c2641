// Where on the map of colours, 0 to 1, a body stands: by its speed, or by how deep its contacts go.

import { mapPlace } from "./colours.js";

/** Depths go over several powers of ten. */
const layerPlace = (layer, deepest) => Math.log1p(layer) / Math.log1p(deepest);
/** The depth at a place of the map. */
export const layerAtPlace = (place, deepest) => Math.expm1(place * Math.log1p(deepest));

/** What bodies of some runs can be coloured by. */
export function coloursOf(runs) {
  return [
    ...(runs.some((run) => run.hasSpeeds) ? ["speed"] : []),
    ...(runs.some((run) => run.hasLayers) ? ["layer"] : []),
    "body",
  ];
}

export class Shades {
  /** `speedCap`: m/s, the speed of the last colour; `deepestLayer`: that of all runs. */
  constructor(run, { speedCap, deepestLayer }) {
    this.run = run;
    this.speedScale = speedCap > 0 ? run.speedQuantum / speedCap : 0;
    this.deepestLayer = Math.max(1, deepestLayer);
    this.choose("body");
  }

  /** "speed", "layer", or "body": every body has a colour of its own, as it has without such numbers. */
  choose(colour) {
    const { run } = this;
    this.colour = (colour === "speed" && run.hasSpeeds) || (colour === "layer" && run.hasLayers) ? colour : "body";
  }

  get isOn() { return this.colour !== "body"; }

  place(frame, body) {
    return this.colour === "layer"
      ? layerPlace(this.run.layerAt(frame, body), this.deepestLayer)
      : mapPlace(this.run.levelAt(frame, body) * this.speedScale);
  }
}
