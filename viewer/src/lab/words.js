// What the last impact was, in plain words.

import { bound, number, plural } from "../format.js";

const kKept = 1e-9; // what is smaller is round-off

const statusWords = {
  still_closing: "it ended with bodies still closing in on each other",
  collapsed: "it went on for ever, ever more slowly (inelastic collapse), and was cut off",
  diverged: "it gained energy without end and was cut off",
  budget_exhausted: "it did not end within its budget",
  solver_failed: "a quadratic program was not solved to its tolerance",
  infeasible: "no velocities can satisfy what the walls ask for",
  cancelled: "it was stopped",
};

const toward = (value) => (value > 0 ? bound(value) : "the last bit");

function energyWords({ energy, lineality }) {
  const lost = lineality > kKept ? `; ${percent(lineality)} of the energy went where everything was jammed` : "";
  if (Math.abs(energy) <= kKept) return `energy kept to ${toward(Math.abs(energy))}${lost}`;
  if (energy > 0) return `energy MADE: ${percent(energy)} more than before`;
  return `${percent(-energy)} of the energy lost${lost}`;
}

const percent = (share) => `${number(100 * share, 3)} %`;

/** `course`: what Run.lastImpact() gives. */
export function certificate(course) {
  const parts = [];
  const { rows, applications } = course;
  parts.push(rows === 1 ? `1 contact, resolved in ${plural(applications, "application")}`
    : `${rows} contacts at once, resolved in ${plural(applications, "application")}`);
  if (course.status !== "resolved") parts.push(statusWords[course.status] ?? course.status);
  parts.push(energyWords(course));
  if (course.momentum !== null) {
    parts.push(course.momentum <= kKept ? "momentum kept" : `momentum changed by ${percent(course.momentum)}`);
  }
  parts.push(course.oneSided <= kKept ? "nobody pulls" : "SOMEBODY PULLS");
  return `${parts.join("; ")}.`;
}

/** Of a run in which things push each other by forces; `report`: its last step. */
export function pushWords({ columns, drift }) {
  const { deepest_layer: deepest, smallest_gap: gap } = columns;
  if (!(deepest > 0)) return "Nothing has touched yet.";
  return `Contacts push by forces, in layers: ${number(deepest)} deep so far; the smallest gap was ${number(gap, 2)} m; ` +
    `energy is accounted for to ${bound(Math.abs(drift))} J; nothing has passed through anything.`;
}
