// The controls at the side: operators, sliders, the selected body, what is kept and shared.

import { css, lineColour } from "../colours.js";
import { number } from "../format.js";
import { isDark } from "../theme.js";
import { presets } from "./presets.js";
import { saveFile, toFragment } from "./share.js";

const byId = (id) => document.getElementById(id);
const kMostListed = 400;

function setSlider(id, value, text) {
  const input = byId(id);
  if (document.activeElement !== input) input.value = value;
  const words = text ?? number(value, 3);
  document.querySelector(`label[for="${id}"] output`).textContent = words;
  input.setAttribute("aria-valuetext", words);
}

/** As many digits as there is room for. */
const shortly = (value) => Number(value.toPrecision(Math.abs(value) < 1e-4 ? 2 : 6));

export class Panel {
  constructor(lab) {
    this.lab = lab;
    this.fill();
    this.connect();
  }

  fill() {
    const { lab } = this;
    byId("preset").replaceChildren(...presets.map(({ id, title }) => new Option(title, id)), new Option("own scene", "own"));
    byId("preset").lastElementChild.disabled = true;
    byId("operators").replaceChildren(...lab.engine.operators().map(({ name, summary }) => {
      const label = document.createElement("label");
      label.title = summary;
      const box = document.createElement("input");
      box.type = "checkbox";
      box.value = name;
      label.append(box, name);
      return label;
    }));
    this.schemes = lab.engine.schemes();
    byId("scheme").replaceChildren(...this.schemes.map(({ name }) => new Option(name, name)));
  }

  connect() {
    const { lab } = this;
    byId("preset").addEventListener("change", (event) => lab.openPreset(event.target.value));
    byId("operators").addEventListener("change", (event) => {
      const wanted = [...byId("operators").querySelectorAll("input:checked")].map(({ value }) => value);
      if (wanted.length === 0) {
        event.target.checked = true;
        lab.say("One operator has to stay.");
        return;
      }
      // Those that are there stay where they are; options of the scene's own operators with them.
      const kept = lab.bench.operators.filter((name) => wanted.includes(name.split(":")[0]));
      const fresh = wanted.filter((name) => !kept.some((one) => one.split(":")[0] === name));
      lab.compare([...kept, ...fresh]);
    });
    const live = (id, part) => byId(id).addEventListener("input", (event) => lab.set(part(Number(event.target.value))));
    live("restitution", (x) => ({ restitution: x }));
    live("friction", (x) => ({ friction: x }));
    live("gravity", (x) => ({ gravity: this.gravity(x) }));
    live("step", (x) => ({ step: Number((10 ** x).toPrecision(2)) }));
    byId("scheme").addEventListener("change", (event) => {
      if (!lab.set({ scheme: event.target.value })) this.show();
    });
    byId("body").addEventListener("change", (event) => {
      lab.select(event.target.value === "" ? null : Number(event.target.value));
    });
    this.connectBody();
    byId("link").addEventListener("click", () => this.share());
    byId("save").addEventListener("click", () => {
      const text = lab.writePresent();
      if (text === undefined) return;
      saveFile("scene.toml", text);
      byId("shared").textContent = "Saved as scene.toml: carom run scene.toml";
    });
  }

  /** Of this size, in the direction that the scene has; where it has none, downwards. */
  gravity(size) {
    const { gravity } = this.lab.bench.first.settings;
    const before = Math.hypot(...gravity);
    if (before > 0) this.down = gravity.map((x) => x / before);
    const down = this.down ?? (this.lab.bench.first.dimension === 3 ? [0, 0, -1] : [0, -1, 0]);
    return down.map((x) => x * size + 0);
  }

  connectBody() {
    const { lab } = this;
    const on = (id, change) => byId(id).addEventListener("change", (event) => {
      const body = lab.selected;
      const value = Number(event.target.value);
      if (body === null || event.target.value === "") return;
      if (!lab.try((engine, run) => change(engine, run, body, value))) this.showBody();
    });
    const part = (array, body, axis, value) => {
      const vector = Array.from(array.subarray(3 * body, 3 * body + 3));
      vector[axis] = value;
      return vector;
    };
    ["x", "y", "z"].forEach((letter, axis) => {
      on(`body-${letter}`, (engine, run, body, value) => engine.moveTo(body, part(run.positions, body, axis, value), false));
      on(`body-v${letter}`, (engine, run, body, value) => engine.throwWith(body, part(run.velocities, body, axis, value)));
    });
    // A body of another size is the last one afterwards.
    const resized = (engine, run, body, radius, mass) => {
      const result = engine.resize(body, radius, mass);
      if (!result.fault) lab.selected = run.bodies - 1;
      return result;
    };
    on("body-radius", (engine, run, body, value) => resized(engine, run, body, value, run.masses[body]));
    on("body-mass", (engine, run, body, value) => resized(engine, run, body, run.radii[body], value));
    byId("body-remove").addEventListener("click", () => {
      const body = lab.selected;
      if (body !== null) lab.try((engine) => engine.remove(body));
    });
  }

  async share() {
    const { lab } = this;
    const { text, fault } = lab.bench.first.engine.text();
    if (fault) {
      lab.sayFault(fault);
      return;
    }
    const fragment = await toFragment({ text, operators: lab.bench.operators });
    history.replaceState(null, "", fragment);
    const shared = byId("shared");
    try {
      await navigator.clipboard.writeText(location.href);
      shared.textContent = `Copied: a link of ${location.href.length} letters that opens this scene.`;
    } catch {
      shared.textContent = "The link is in the address bar.";
    }
  }

  /** Everything, after an edit. */
  show() {
    const { lab } = this;
    const { bench, preset } = lab;
    const run = bench.first;
    const { settings, facts } = run;
    byId("preset").value = preset?.id ?? "own";
    const about = byId("about");
    about.replaceChildren();
    const title = document.createElement("b");
    title.textContent = preset ? "" : `${facts.title || "Own scene"}. `;
    const [words, source] = preset ? [preset.look, preset.paper] : [facts.description.trim(), facts.figure];
    about.append(title, words, source ? ` (${source})` : "");
    about.title = preset ? "" : words;
    about.classList.toggle("given", !preset);
    for (const box of byId("operators").querySelectorAll("input")) {
      const at = bench.operators.findIndex((name) => name.split(":")[0] === box.value);
      box.checked = at >= 0;
      box.parentElement.style.color = at >= 0 && bench.runs.length > 1 ? css(lineColour(at, isDark())) : "";
    }
    setSlider("restitution", settings.restitution ?? facts.restitution,
      settings.restitution === null && facts.materials > 1 ? "as the scene" : undefined);
    setSlider("friction", settings.friction ?? facts.friction,
      settings.friction === null && facts.materials > 1 ? "as the scene" : undefined);
    setSlider("gravity", Math.hypot(...settings.gravity), `${number(Math.hypot(...settings.gravity), 3)} m/s²`);
    setSlider("step", Math.log10(settings.step), `${number(settings.step, 2)} s`);
    byId("scheme").value = settings.scheme;
    byId("scheme-summary").textContent = this.schemes.find(({ name }) => name === settings.scheme)?.summary ?? "";
    const rates = [...byId("rate").options].map(({ value }) => Number(value));
    if (!rates.includes(lab.rate)) byId("rate").append(new Option(`${lab.rate} ×`, lab.rate));
    byId("rate").value = String(lab.rate);
    byId("undo").disabled = !bench.canUndo;
    this.listBodies();
    this.showBody();
    this.tick();
  }

  listBodies() {
    const run = this.lab.bench.first;
    for (const label of document.querySelectorAll("#selection .in-space")) label.hidden = run.dimension !== 3;
    const names = run.names.slice(0, kMostListed).join("\n");
    if (names === this.listed) return;
    this.listed = names;
    const options = run.names.slice(0, kMostListed).map((name, k) => new Option(name, k));
    byId("body").replaceChildren(new Option("none", ""), ...options);
  }

  showBody() {
    const { selected, bench } = this.lab;
    const run = bench.first;
    byId("body").value = selected === null ? "" : String(selected);
    const [x, y, z] = selected === null ? [] : run.positions.subarray(3 * selected);
    const [vx, vy, vz] = selected === null ? [] : run.velocities.subarray(3 * selected);
    const values = {
      x, y, z, vx, vy, vz, radius: run.radii[selected], mass: run.masses[selected],
    };
    for (const [key, value] of Object.entries(values)) {
      const input = byId(`body-${key}`);
      input.disabled = selected === null;
      if (document.activeElement !== input) input.value = selected === null ? "" : shortly(value);
    }
    byId("body-remove").disabled = selected === null;
  }

  /** What changes with every picture. */
  tick() {
    const { lab } = this;
    const run = lab.bench.first;
    byId("clock").textContent = `${run.time.toFixed(3)} s`;
    byId("speed").textContent = lab.stepCost > 0 ? `${number(1000 * lab.stepCost / lab.bench.runs.length, 2)} µs a step` : "";
    byId("undo").disabled = !lab.bench.canUndo;
    if (lab.selected !== null) this.showBody();
  }
}
