// Writes gallery/meshes/*.obj from the npm packages that hold them:
//
//     npm install --prefix DIRECTORY bunny@1.0.1 teapot@1.0.0
//     node tools/make_meshes.mjs DIRECTORY/node_modules
//
// Positions and triangles are those of the packages, unchanged.

import {writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {resolve} from "node:path";
import {fileURLToPath} from "node:url";

const modules = process.argv[2];
if (!modules) {
  console.error("usage: node tools/make_meshes.mjs NODE_MODULES");
  process.exit(2);
}
const target = fileURLToPath(new URL("../gallery/meshes/", import.meta.url));
const require = createRequire(import.meta.url);

for (const name of ["bunny", "teapot"]) {
  const folder = resolve(modules, name);
  const {version, license} = require(resolve(folder, "package.json"));
  const {positions, cells} = require(folder);
  const lines = [`# npm package ${name} ${version}, ${license}; written by tools/make_meshes.mjs`];
  for (const position of positions) lines.push(`v ${position.join(" ")}`);
  for (const cell of cells) lines.push(`f ${cell.map((corner) => corner + 1).join(" ")}`);
  writeFileSync(resolve(target, `${name}.obj`), lines.join("\n") + "\n");
}
