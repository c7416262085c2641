// What tests/gallery/state_hashes.txt, which the native tests keep, holds.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

function scenes(directory) {
  const found = {};
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const place = path.join(directory, entry.name);
    if (entry.isDirectory()) Object.assign(found, scenes(place));
    else if (entry.name.endsWith(".toml")) found[path.basename(entry.name, ".toml")] = place;
  }
  return found;
}

/** {scene, operator, size, hashes: Map from step to hash} of each run of the file. */
export function expectations() {
  const runs = new Map();
  const text = readFileSync(path.join(root, "tests/gallery/state_hashes.txt"), "utf8");
  for (const line of text.split("\n")) {
    const words = line.split(" ");
    if (line.startsWith("#") || words.length !== 5) continue;
    const [scene, operator, size, step, hash] = words;
    const name = [scene, operator, size].join(" ");
    if (!runs.has(name)) runs.set(name, { scene, operator, size, hashes: new Map() });
    runs.get(name).hashes.set(Number(step), hash);
  }
  return [...runs.values()];
}

/** The files of the scenes, by their names. */
export const places = { ...scenes(path.join(root, "gallery")), ...scenes(path.join(root, "examples/scenes")) };
