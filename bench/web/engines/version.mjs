// The version of an installed package.
import fs from 'node:fs';

export function version(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(fs.readFileSync(file, 'utf8')).version;
}
