// The module against the native engine: the state hashes of tests/gallery/state_hashes.txt, which the
// native tests keep, after every one of the first steps of ten scenes.
//
//     node hashes_test.mjs DIRECTORY          the ten scenes; DIRECTORY holds carom.js and carom.wasm
//     node hashes_test.mjs DIRECTORY --all    also the end of every other scene (takes long)

import { readFileSync } from "node:fs";
import { loadModule } from "./module.mjs";
import { expectations, places } from "./state_hashes.mjs";

const [directory, option] = process.argv.slice(2);
const module = await loadModule(directory);
const wanted = expectations().filter(({ size }) =>
  size === "each-step" || (option === "--all" && size === "ordinary"));
let failures = 0;
for (const { scene, operator, size, hashes } of wanted) {
  const begin = performance.now();
  const last = Math.max(...hashes.keys());
  const result = module.stateHashes(readFileSync(places[scene], "utf8"), operator, last);
  let verdict;
  if (result.fault) {
    verdict = `cannot be run: ${result.fault.message}`;
  } else {
    const wrong = [...hashes].find(([step, hash]) => result.hashes[step - 1] !== hash);
    if (wrong) verdict = `differs from step ${wrong[0]} of ${last} on`;
  }
  // Scenes whose meshes are files of their own are not for a browser.
  const isForeign = result.fault?.message.startsWith("mesh files cannot be read here");
  if (verdict && !isForeign) ++failures;
  const seconds = ((performance.now() - begin) / 1000).toFixed(2);
  console.log(`${scene} ${operator} ${size}: ${verdict ?? `${last} steps, the same bits`} (${seconds} s)`);
}
if (wanted.length < 10) throw new Error(`only ${wanted.length} scenes were compared`);
if (failures > 0) {
  console.error(`${failures} of ${wanted.length} runs differ`);
  process.exit(1);
}
