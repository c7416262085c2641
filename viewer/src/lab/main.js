// Opens what the address or the file names. window.lab is for those who drive the lab by program.

import { loadEngine } from "./engine.js";
import { Lab } from "./lab.js";
import { presets } from "./presets.js";
import { fromFragment } from "./share.js";

const byId = (id) => document.getElementById(id);

async function start() {
  const source = byId("carom-data");
  const given = source.textContent.startsWith("{\"") ? JSON.parse(source.textContent) : {};
  source.remove();
  const lab = new Lab(await loadEngine());
  let wanted = null;
  let damage = "";
  try {
    wanted = await fromFragment(location.hash);
  } catch {
    damage = "The link is damaged: its scene cannot be unpacked. This is the first preset instead.";
  }
  if (wanted?.text ?? given.scene) {
    const fault = lab.open(wanted?.text ?? given.scene, wanted?.operators ?? []);
    if (fault) {
      lab.openPreset(presets[0].id);
      lab.editor.show(wanted?.text ?? given.scene);
      byId("source").open = true;
      lab.editor.mark(fault);
      lab.say(`The scene that was given cannot be run: see the text. This is the first preset instead.`);
    } else {
      lab.setPlaying(true);
    }
  } else {
    lab.openPreset(wanted?.preset ?? presets[0].id);
  }
  if (damage) lab.say(damage);
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) lab.setPlaying(false);
  const loop = (now) => {
    lab.live(now);
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  return lab;
}

window.lab = {};
window.lab.ready = start().then((lab) => {
  Object.assign(window.lab, { page: lab });
  return new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
}, (error) => {
  const message = byId("message");
  message.textContent = `The lab cannot start: ${error.message}. It needs a browser of 2023 or later, with ` +
    "WebAssembly and WebGL 2.";
  message.hidden = false;
  throw error;
});
