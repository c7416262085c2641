// Loads the module that ./dev wasm made, as a page does: from its bytes, without asking anything.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

export async function loadModule(directory) {
  const place = path.resolve(directory);
  const make = require(path.join(place, "carom.js"));
  return make({ wasmBinary: readFileSync(path.join(place, "carom.wasm")) });
}
