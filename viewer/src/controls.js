// Buttons, slider and keys.

import { neighbouringRate } from "./clock.js";
import { fixed, number } from "./format.js";
import { icons } from "./icons.js";

const byId = (id) => document.getElementById(id);

export class Controls {
  /** `run`: the one whose frames the arrow keys visit; `colours`: what bodies can be coloured by. */
  constructor(clock, options, run, { colours, onFit, onOption, onPlots }) {
    this.clock = clock;
    this.options = options;
    this.run = run;
    this.colours = colours;
    this.onFit = onFit;
    this.onOption = onOption;
    this.onPlots = onPlots;
    this.spacing = run.frames > 1 ? (run.times[run.frames - 1] - run.times[0]) / (run.frames - 1) : 0;
    this.drawIcons();
    this.connectTransport();
    this.connectOptions();
    document.addEventListener("keydown", (event) => this.onKey(event));
    clock.onChange(() => this.show());
    this.show();
  }

  drawIcons() {
    byId("to-start").innerHTML = icons.start;
    byId("step-back").innerHTML = icons.back;
    byId("step-forward").innerHTML = icons.forward;
    byId("loop").innerHTML = icons.loop;
  }

  connectTransport() {
    const { clock } = this;
    const slider = byId("slider");
    slider.min = clock.begin;
    slider.max = clock.end;
    slider.addEventListener("input", () => {
      const wanted = Number(slider.value); // before the clock moves the slider
      clock.pause();
      clock.seek(wanted);
    });
    // Keys go to the page, not to what was clicked last.
    slider.addEventListener("change", () => slider.blur());
    byId("play").addEventListener("click", () => clock.toggle());
    byId("to-start").addEventListener("click", () => clock.seek(clock.begin));
    byId("step-back").addEventListener("click", () => this.step(-1));
    byId("step-forward").addEventListener("click", () => this.step(1));
    byId("loop").addEventListener("click", () => clock.setLoop(!clock.loop));
    byId("slower").addEventListener("click", () => this.changeRate(-1));
    byId("faster").addEventListener("click", () => this.changeRate(1));
    byId("fit").addEventListener("click", () => this.onFit("most"));
    byId("fit-now").addEventListener("click", () => this.onFit("now"));
    byId("fit-all").addEventListener("click", () => this.onFit("all"));
    byId("help").addEventListener("click", () => this.toggleHelp());
    byId("fold-plots").addEventListener("click", () => { this.onPlots(); byId("fold-plots").blur(); });
    for (const button of document.querySelectorAll("#controls button")) {
      button.addEventListener("pointerup", () => button.blur());
    }
  }

  connectOptions() {
    const { options } = this;
    const bind = (id, key, property, read = (x) => x) => {
      const element = byId(id);
      element[property] = options[key];
      element.addEventListener("input", () => {
        options[key] = read(element[property]);
        if (element.type !== "range") element.blur();
        this.onOption();
      });
    };
    bind("colour", "colour", "value");
    bind("trails", "trails", "checked");
    bind("trail-length", "trailLength", "value", Number);
    bind("arrows", "arrows", "checked");
    bind("contacts", "contacts", "checked");
    bind("surface-edges", "surfaceEdges", "checked");
    bind("smooth", "smooth", "checked");
    bind("vertices", "vertices", "checked");
    bind("turntable", "turntable", "checked");
  }

  changeRate(direction) {
    this.clock.setRate(neighbouringRate(this.clock.rate, direction));
  }

  /** To a frame of the run, counted from the one that is shown. */
  step(count) {
    const { clock, run } = this;
    clock.pause();
    const { frame, fraction } = run.locate(clock.time);
    const base = fraction > 0 && count < 0 ? frame + 1 : frame;
    clock.seek(run.times[Math.min(run.frames - 1, Math.max(0, base + count))]);
  }

  toggleHelp(show = byId("help-text").hidden) {
    byId("help-text").hidden = !show;
    byId("help").setAttribute("aria-expanded", String(show));
  }

  flip(id) {
    const element = byId(id);
    element.checked = !element.checked;
    element.dispatchEvent(new Event("input"));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("select")) return;
    const actions = {
      " ": () => this.clock.toggle(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      ArrowUp: () => this.changeRate(1),
      ArrowDown: () => this.changeRate(-1),
      Home: () => this.clock.seek(this.clock.begin),
      End: () => { this.clock.pause(); this.clock.seek(this.clock.end); },
      l: () => this.clock.setLoop(!this.clock.loop),
      t: () => this.flip("trails"),
      i: () => this.flip("arrows"),
      n: () => this.flip("contacts"),
      e: () => this.flip("surface-edges"),
      s: () => this.flip("smooth"),
      v: () => this.flip("vertices"),
      o: () => { if (!byId("turntable-label").hidden) this.flip("turntable"); },
      c: () => {
        const next = this.colours.indexOf(this.options.colour) + 1;
        byId("colour").value = this.colours[next % this.colours.length];
        byId("colour").dispatchEvent(new Event("input"));
      },
      f: () => this.onFit(event.shiftKey ? "now" : "most"),
      d: () => byId("fold-plots").click(),
      p: () => byId("picture").click(),
      r: () => byId("clip").click(),
      w: () => byId("whole-screen").click(),
      "?": () => this.toggleHelp(),
      Escape: () => this.toggleHelp(false),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  show() {
    const { clock, run } = this;
    const play = byId("play");
    const state = clock.playing ? "pause" : "play";
    if (play.dataset.state !== state) {
      play.dataset.state = state;
      play.innerHTML = icons[state];
      play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    }
    byId("loop").setAttribute("aria-pressed", String(clock.loop));
    byId("slider").value = clock.time;
    const { frame } = run.locate(clock.time);
    const spacing = this.spacing / 2;
    byId("clock").innerHTML = `${fixed(clock.time, spacing)} / ${fixed(clock.end, spacing)} s` +
      `<small>frame ${frame + 1} of ${run.frames}</small>`;
    byId("rate").textContent = `×${number(clock.rate, 3)}`;
  }
}
