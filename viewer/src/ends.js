// How runs ended, where that was not as planned: on their cells from that moment on.

export class Ends {
  /** `cells`: one element per run. */
  constructor(runs, cells) {
    this.ends = runs.map((run, k) => {
      const note = document.createElement("div");
      note.className = "ended";
      note.hidden = true;
      const text = document.createElement("span");
      text.textContent = run.end || `ended at ${Number(run.endTime.toPrecision(6))} s`;
      note.append(text);
      cells[k].append(note);
      return { run, note };
    });
  }

  /** `end`: of the clock, s. A run that ends with the others as planned needs no words. */
  show(time, end) {
    for (const { run, note } of this.ends) {
      const isOver = time > run.endTime || (time === run.endTime && run.end !== "");
      note.hidden = !isOver || (run.end === "" && run.endTime >= end);
    }
  }
}
