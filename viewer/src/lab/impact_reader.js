// The last impact in words, and the next one application by application, with its impulses as arrows.

import { certificate, pushWords } from "./words.js";

const kMostApplications = 400;
const kMostSteps = 20000; // until the next impact
const kPause = 200; // ms between two texts while time passes

export class ImpactReader {
  constructor(lab) {
    this.lab = lab;
    this.course = null; // of an impact that is looked at: {all, most, at}
    this.told = 0; // when the text was written last
  }

  forget() { this.course = null; }

  /** The next application; of the impact that comes next where there is none left. */
  next() {
    const { lab } = this;
    lab.setPlaying(false);
    if (!lab.bench.first.facts.hasImpacts) {
      lab.say("Things push each other apart by forces here: there is no impact to be watched.");
      return;
    }
    if (!this.course || this.course.at + 1 >= this.course.most) {
      if (!this.toNextImpact()) return;
    }
    ++this.course.at;
    const { at, all } = this.course;
    this.lab.bench.runs.forEach((run, k) => {
      const one = all[k]?.course[at];
      run.showPushes(one ? one.pushes : []);
    });
    const lines = this.lab.bench.runs.map((run, k) => {
      const course = all[k];
      if (!course) return `${run.name}: nothing touches`;
      if (at >= course.course.length) return `${run.name}: done after ${course.course.length}`;
      const { pushes } = course.course[at];
      const cut = course.isCut ? ` (the first ${course.course.length} are shown)` : "";
      return `${run.name}: application ${at + 1} of ${course.applications}${cut}, ${pushes.length} ` +
        `${pushes.length === 1 ? "push" : "pushes"}`;
    });
    this.write(lines.map((line) => [line]));
    this.lab.isStale = true;
  }

  toNextImpact() {
    for (let taken = 0; taken < kMostSteps; ++taken) {
      const result = this.lab.take(1);
      if (result.stopped) { this.lab.stop(result.stopped); return false; }
      if (this.lab.bench.runs.some((run) => run.arrows.times.length > 0 && run.arrows.times.at(-1) === run.time)) {
        const all = this.lab.bench.runs.map((run) => {
          const course = run.engine.lastImpact(kMostApplications);
          return course && !course.fault ? course : null;
        });
        const most = Math.max(0, ...all.map((course) => course?.course.length ?? 0));
        if (most > 0) {
          this.course = { all, most, at: -1 };
          return true;
        }
      }
    }
    this.lab.say(`No impact in the next ${kMostSteps} steps.`);
    return false;
  }

  tell(now = false) {
    if (this.course && !now) return;
    const time = performance.now();
    if (!now && this.lab.playing && time - this.told < kPause) return;
    this.told = time;
    const many = this.lab.bench.runs.length > 1;
    const lines = this.lab.bench.runs.map((run) => {
      if (!run.facts.hasImpacts) return [`${many ? `${run.name}: ` : ""}${pushWords(run.report)}`];
      const course = run.engine.lastImpact(0);
      if (!course || course.fault) return many ? [`${run.name}: no impact yet.`] : ["No impact yet."];
      return [`${many ? `${run.name}: ` : "The last impact: "}${certificate(course)}`];
    });
    this.write(lines);
  }

  write(lines) {
    document.getElementById("certificate").replaceChildren(...lines.map(([line]) => {
      const span = document.createElement("span");
      span.textContent = line;
      return span;
    }));
  }
}
