// Buttons around the picture, and keys.

import { icons } from "../icons.js";

const byId = (id) => document.getElementById(id);
const kRates = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** Connects the buttons around the picture and the keys with the lab. */
export function connectKeys(lab) {
  byId("to-start").innerHTML = icons.start;
  byId("step-forward").innerHTML = icons.forward;
  byId("to-start").addEventListener("click", () => lab.restart());
  byId("play").addEventListener("click", () => lab.setPlaying(!lab.playing));
  byId("step-forward").addEventListener("click", () => lab.step());
  byId("application").addEventListener("click", () => lab.impact.next());
  byId("undo").addEventListener("click", () => lab.undo());
  byId("fit").addEventListener("click", () => lab.fit());
  byId("toolbar").addEventListener("click", (event) => {
    const tool = event.target.closest("[data-tool]")?.dataset.tool;
    if (tool) lab.setTool(tool);
  });
  byId("rate").replaceChildren(...kRates.map((rate) => new Option(`${rate} ×`, rate)));
  byId("rate").addEventListener("change", (event) => { lab.rate = Number(event.target.value); });
  document.addEventListener("keydown", (event) => key(lab, event));
}

function key(lab, event) {
  if (/^(input|select|textarea)$/i.test(event.target.tagName) || event.altKey || event.metaKey) return;
  const onButton = event.target.tagName === "BUTTON";
  const keys = {
    " ": () => lab.setPlaying(!lab.playing), ArrowRight: () => lab.step(), Home: () => lab.restart(),
    g: () => lab.impact.next(), f: () => lab.fit(), d: () => lab.setTool("drag"),
    a: () => lab.setTool("aim"), b: () => lab.setTool("ball"), x: () => lab.setTool("box"),
    w: () => lab.setTool("wall"),
    Delete: () => {
      if (lab.selected !== null) lab.try((engine) => engine.remove(lab.selected));
      else lab.setTool("delete");
    },
  };
  if (event.ctrlKey) {
    if (event.key !== "z") return;
    lab.undo();
  } else if (keys[event.key] && !(onButton && event.key === " ")) keys[event.key]();
  else return;
  event.preventDefault();
}
