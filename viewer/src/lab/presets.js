// Scenes to begin with: what to look for, and where each is from.

import bernoulli from "./presets/bernoulli.toml";
import box from "./presets/box.toml";
import breakShot from "./presets/break.toml";
import chain from "./presets/chain.toml";
import column from "./presets/column.toml";
import cloth from "./presets/cloth.toml";
import cradle from "./presets/cradle.toml";
import curtain from "./presets/curtain.toml";
import demon from "./presets/demon.toml";
import dominoes from "./presets/dominoes.toml";
import drum from "./presets/drum.toml";
import galperin from "./presets/galperin.toml";
import gas from "./presets/gas.toml";
import matryoshka from "./presets/matryoshka.toml";
import wedge from "./presets/wedge.toml";

const kGr = "Smith and others, Reflections on simultaneous impact, 2012";
const kQce = "Zhang and others, Quadratic contact energy model, 2015";

/**
 * `operators`: those side by side at first; `plays`: whether time passes at once; `rate`: seconds of the
 * scene per second; `tool`: what the pointer does at first; `room`: how much wider the first view is than
 * what is there; `shows`: places that it has to show as well; `special`: a control of its own (special.js).
 */
export const presets = [
  {
    id: "cradle", title: "Newton's cradle", text: cradle, operators: ["gr"],
    look: "Pull a ball aside and let it go: one arrives, one leaves, the others stay. Pull two, or choose lcp " +
      "beside gr and see the balls stick together.",
    paper: `${kGr}, Fig. 3`,
  },
  {
    id: "break", title: "The break", text: breakShot, operators: ["gr", "gauss_seidel"], tool: "aim", rate: 0.5, room: 1.8,
    look: "The start is symmetric, so the break has to be: gr keeps it, Gauss-Seidel takes one pair after the " +
      "other and the halves come apart. Go to the start, aim the cue ball by drawing its velocity, and play.",
    paper: `${kGr}, Fig. 5`,
  },
  {
    id: "bernoulli", title: "Bernoulli's problem", text: bernoulli, operators: ["gr", "gauss_seidel"], room: 1.6,
    look: "One ball hits two at the same instant; nothing says which comes first. Gauss-Seidel has to choose, " +
      "and sends one of them off faster.",
    paper: `${kGr}, Fig. 3`,
  },
  {
    id: "chain", title: "Three balls from both sides", text: chain, operators: ["gr", "qce"], special: "chain", rate: 0.5,
    look: "Balls a and c should exchange their velocities through b. The curves show what each operator makes of it " +
      "as v_a changes: where they jump, a little more speed turns the outcome over.",
    paper: `${kQce}, Fig. 4`,
  },
  {
    id: "wedge", title: "A ball in a wedge", text: wedge, operators: ["gauss_seidel"], special: "wedge", plays: false, shows: [[-0.3, -0.3, 0]],
    look: "The narrower the wedge, the more reflections before the ball leaves it: about pi over the angle, all in one " +
      "instant. Watch them one by one with Single application.",
    paper: "Vouga and others, All's well that ends well, 2017, Fig. 3",
  },
  {
    id: "galperin", title: "Galperin's pi", text: galperin, operators: ["gr"], special: "galperin", rate: 2,
    look: "Count the collisions: with 100 times the mass they are 31, with 10,000 times 314, the first digits of pi. " +
      "The more mass, the closer to the wall the light ball is squeezed before all turns round.",
    paper: "Galperin, Playing pool with pi, 2003",
  },
  {
    id: "matryoshka", title: "Matryoshka", text: matryoshka, operators: ["gr", "lcp"], rate: 0.5,
    look: "Three cups inside each other fall on a table. With lcp they rebound as one solid thing; with gr they come " +
      "apart at the first impact, as cups do.",
    paper: `${kGr}, Fig. 2`,
  },
  {
    id: "box", title: "A box dropped flat", text: box, operators: ["gr", "gauss_seidel"],
    look: "Both lower corners touch at once, so the box has to come up straight. Gauss-Seidel takes one corner after the " +
      "other and sets it spinning.",
    paper: `${kGr}, Fig. 1`,
  },
  {
    id: "dominoes", title: "Dominoes", text: dominoes, operators: ["gr"], rate: 0.25,
    look: "Each knocks over the next and leans on it; the wave goes at its own speed whatever the first push was. " +
      "Delete one in the middle, or give them other friction.",
    paper: "Mirtich and Canny, Impulse-based simulation of rigid bodies, 1995, section 5",
  },
  {
    id: "demon", title: "Maxwell's demon", text: demon, operators: ["gr"], rate: 2,
    look: "A shaken floor, two halves, a wall in between: where there are more balls more energy is lost, they stay low, and " +
      "more come over than leave. With restitution 1 both halves stay full.",
    paper: `${kGr}, Fig. 11`,
  },
  {
    id: "drum", title: "A drum", text: drum, operators: ["gr"],
    look: "The drum goes to and fro; the grains climb its wall and slide down over each other, in avalanches. Take the friction " +
      "away and they slosh like water.",
    paper: `balls in a drum: ${kGr}, Table 2; here it is shaken, and they rub`,
  },
  {
    id: "gas", title: "Hard discs and their pressure", text: gas, operators: ["gr"], special: "gas",
    look: "A gas of hard discs presses more than an ideal one, by what their collisions carry. The measured pressure comes " +
      "to lie on Henderson's formula within seconds, at every density below freezing.",
    paper: "Henderson, Molecular Physics 30, 1975",
  },
  {
    id: "column", title: "A column of grains", text: column, operators: ["gr"],
    look: "The column spreads until friction holds the slope. Less friction, a flatter heap; more restitution, a livelier one.",
    paper: "particles whose box is opened: Harmon and others, Asynchronous contact mechanics, 2009, Fig. 11",
  },
  {
    id: "curtain", title: "A curtain of chains", text: curtain, operators: ["gr"], rate: 0.5,
    look: "No steps and no impacts here: every link and every contact has a clock of its own, and nothing ever crosses. " +
      "Take the ball, throw it at the chains, or pull one of them through the others: it cannot be done.",
    paper: "curtains that nothing passes: Harmon and others, Asynchronous contact mechanics, 2009, Fig. 1",
  },
  {
    id: "cloth", title: "A cloth over a box", text: cloth, operators: ["gr"], rate: 0.25,
    look: "The same with cloth, held at two corners: it swings down over the box, its folds lie on each other and on the " +
      "edges. The deepest layer and the smallest gap below the picture say how close it came.",
    paper: "sheets on what stands below them: Harmon and others, Asynchronous contact mechanics, 2009, Fig. 16",
  },
];
