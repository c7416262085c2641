// All plots below the scene. Series of the same plot, of all runs, share one.

import { Plot } from "./plot.js";
import { onThemeChange } from "./theme.js";

/** [{title, lines}] in the order in which the plots first occur. */
export function groupSeries(runs) {
  const groups = new Map();
  runs.forEach((run, runNumber) => {
    for (const series of run.series) {
      const title = series.plot || series.name;
      if (!groups.has(title)) groups.set(title, { title, lines: [], names: [] });
      const group = groups.get(title);
      if (!group.names.includes(series.name)) group.names.push(series.name);
      group.lines.push({ series, run, runNumber, kind: group.names.indexOf(series.name) });
    }
  });
  return [...groups.values()];
}

export class Plots {
  constructor(element, runs, clock) {
    this.clock = clock;
    this.element = element;
    document.getElementById("fold-plots").hidden = runs.every((run) => run.series.length === 0);
    const onSeek = (time) => { clock.pause(); clock.seek(time); };
    this.plots = groupSeries(runs).map(({ title, lines }) =>
      new Plot(title, lines, { runs: runs.length, begin: clock.begin, end: clock.end, onSeek }));
    element.append(...this.plots.map((plot) => plot.element));
    new ResizeObserver(() => this.redraw()).observe(element);
    onThemeChange(() => this.redraw());
    this.redraw();
  }

  /** Hides all plots or shows them again. */
  toggle() {
    this.element.hidden = !this.element.hidden;
    document.getElementById("fold-plots").setAttribute("aria-pressed", String(!this.element.hidden));
    this.redraw();
  }

  redraw() {
    if (this.element.hidden) return;
    for (const plot of this.plots) plot.redraw();
    this.show();
  }

  show() {
    for (const plot of this.plots) plot.show(this.clock.time);
  }
}
