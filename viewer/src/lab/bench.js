// Runs of one scene with different operators, side by side: every hand movement is made in all of them.

import { LiveRun } from "./live_run.js";

export class Bench {
  constructor(engine) {
    this.engine = engine;
    this.runs = [];
    this.text = "";
  }

  get first() { return this.runs[0]; }
  get operators() { return this.runs.map(({ operator }) => operator); }

  /** Opens a scene; a fault with its line leaves everything as it was. */
  open(text, operators = []) {
    const opened = [];
    for (const operator of operators.length > 0 ? operators : [""]) {
      const { run, fault } = this.engine.open(text, operator);
      if (fault) {
        for (const one of opened) one.delete();
        return fault;
      }
      opened.push(run);
    }
    this.release();
    this.text = text;
    this.runs = opened.map((run) => new LiveRun(run));
    this.rename();
    return null;
  }

  /** As many runs as operators, all of them from the present of the first. */
  compare(operators) {
    const { engine } = this.first;
    const { text, fault } = engine.text();
    if (fault) return fault;
    const settings = this.first.settings;
    const found = this.open(text, operators);
    if (found) return found;
    return this.set({ restitution: settings.restitution, friction: settings.friction });
  }

  rename() {
    for (const run of this.runs) run.name = run.operator;
  }

  release() {
    for (const { engine } of this.runs) engine.delete();
    this.runs = [];
  }

  /** Makes an edit in every run; the first fault, if there is one, is taken back everywhere. */
  edit(change) {
    const done = [];
    for (const run of this.runs) {
      const { fault } = change(run.engine, run);
      if (fault) {
        for (const one of done) one.engine.undo();
        return fault;
      }
      done.push(run);
    }
    for (const run of this.runs) run.describe();
    return null;
  }

  /** A part of the settings; the operators stay those of the runs. */
  set(part) {
    return this.edit((engine, run) => engine.set({ ...run.settings, ...part }));
  }

  /** Moves a body while the hand holds it: no entry of the history for each picture. */
  steer(body, place, seconds) {
    for (const { engine } of this.runs) {
      const { fault } = engine.steer(body, place, seconds);
      if (fault) return fault;
    }
    return null;
  }

  mark() { for (const { engine } of this.runs) engine.mark(); }
  undo() { return this.edit((engine) => engine.undo()); }
  restart() {
    const fault = this.edit((engine) => engine.restart());
    return fault;
  }
  get canUndo() { return this.first?.engine.canUndo() ?? false; }

  /** {done, stopped}: the fewest steps of any run, and why one could not go on. */
  advance(steps) {
    let done = steps;
    for (const run of this.runs) {
      const result = run.advance(steps);
      if (result.fault) return { done: 0, stopped: result.fault.message };
      done = Math.min(done, result.done);
      if (result.stopped) return { done, stopped: `${run.name}: ${result.stopped}` };
    }
    return { done, stopped: "" };
  }
}
