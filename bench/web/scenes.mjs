// The canonical scenes of simultaneous impact, in words that every engine understands, each with
// what a right answer is and how far a run is from it.
//
// A scene: gravity, restitution, friction, duration, bodies. A body: a ball of a `radius` or a box
// with `half` edges; mass 1; or `fixed`. All lie in the plane z = 0. A measure looks at the states at
// the times that it asked for: position, velocity, spin (vectors) and turn (quaternion w, x, y, z)
// of every body.

const G = 9.81;
const R = 0.25;

const ball = (x, y, velocity = [0, 0, 0], radius = R) => ({ radius, position: [x, y, 0], velocity });
const cube = (x, y, half = 0.5) => ({ half: [half, half, half], position: [x, y, 0], velocity: [0, 0, 0] });
const floor = { half: [50, 0.5, 50], position: [0, -0.5, 0], velocity: [0, 0, 0], fixed: true };

const norm = (v) => Math.hypot(...v);
const difference = (a, b) => a.map((x, i) => x - b[i]);

/** Kinetic energy and that of the height, of balls that do not turn and of cubes, of mass 1. */
function energy(scene, state) {
  let sum = 0;
  scene.bodies.forEach((body, i) => {
    if (body.fixed) return;
    sum += norm(state.velocity[i]) ** 2 / 2;
    for (let k = 0; k < 3; k++) sum -= scene.gravity[k] * state.position[i][k];
    const inertia = body.half ? (2 / 3) * body.half[0] ** 2 : (2 / 5) * body.radius ** 2;
    sum += (inertia * norm(state.spin[i]) ** 2) / 2;
  });
  return sum;
}

/** The rack of `rows` rows behind x = 0, its axis along x, all neighbours touching. */
function rack(rows) {
  const balls = [];
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k <= row; k++) balls.push(ball(row * Math.sqrt(3) * R, (2 * k - row) * R));
  }
  return balls;
}

/** How far the state is from its mirror image in the x axis: each ball beside the nearest image. */
function mirrorError(scene, state) {
  let worst = 0;
  for (const p of state.position) {
    let nearest = Infinity;
    for (const q of state.position) nearest = Math.min(nearest, Math.hypot(p[0] - q[0], p[1] + q[1], p[2] - q[2]));
    worst = Math.max(worst, nearest);
  }
  return worst / R;
}

function tilt(turn) {
  // The angle between the cube's nearest axis and the vertical, in degrees.
  const [w, x, y, z] = turn;
  const ups = [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)];
  return (Math.acos(Math.min(1, Math.max(...ups.map(Math.abs)))) * 180) / Math.PI;
}

const sin = Math.sin((20 * Math.PI) / 180);
const cos = Math.cos((20 * Math.PI) / 180);

// Eight balls, each a little later than the one before, so that steps end at different places of the wall.
const throwAtWall = {
  gravity: [0, 0, 0], restitution: 0, friction: 0, duration: 0.5,
    bodies: [
      { half: [0.05, 20, 5], position: [5, 0, 0], velocity: [0, 0, 0], fixed: true },
      ...Array.from({ length: 8 }, (_, k) => ball(-0.1 * k, 2 * k - 7, [50, 0, 0], 0.1)),
    ],
    times: [0.5],
    measure: (scene, [end]) => end.position.filter((p, i) => i > 0 && p[0] > 5).length,
};

export const scenes = [
  {
    name: 'cradle',
    ideal: '0',
    title: 'Five balls in a row, touching; a sixth arrives at 2 m/s',
    right: 'the last leaves with 2 m/s, all others stand',
    column: 'cradle: error of speeds',
    unit: '%',
    gravity: [0, 0, 0], restitution: 1, friction: 0, duration: 1,
    bodies: [ball(-1, 0, [2, 0, 0]), ...[0, 1, 2, 3, 4].map((k) => ball(2 * R * k, 0))],
    times: [1],
    measure(scene, [end]) {
      const right = end.velocity.map((_, i) => [i === 5 ? 2 : 0, 0, 0]);
      return 100 * Math.max(...end.velocity.map((v, i) => norm(difference(v, right[i])))) / 2;
    },
  },
  {
    name: 'bernoulli',
    ideal: '0',
    title: 'A ball touches two that touch each other, and moves at 2 m/s towards both (Bernoulli)',
    right: 'it bounces back with a fifth of its speed, the two leave at 30 degrees with 2 sqrt(3) / 5 of it',
    column: 'Bernoulli: error of speeds',
    unit: '%',
    gravity: [0, 0, 0], restitution: 1, friction: 0, duration: 1,
    bodies: [ball(-Math.sqrt(3) * R, 0, [2, 0, 0]), ball(0, R), ball(0, -R)],
    times: [1],
    measure(scene, [end]) {
      const s = (2 * 2 * Math.sqrt(3)) / 5;
      const c = Math.sqrt(3) / 2;
      const right = [[-0.4, 0, 0], [s * c, s / 2, 0], [s * c, -s / 2, 0]];
      return 100 * Math.max(...end.velocity.map((v, i) => norm(difference(v, right[i])))) / 2;
    },
  },
  {
    name: 'break-energy',
    ideal: '100',
    title: 'A ball breaks a rack of 15 that touch, head on, at 5 m/s, elastically',
    right: 'energy is kept',
    column: 'break: energy kept',
    unit: '%',
    gravity: [0, 0, 0], restitution: 1, friction: 0, duration: 1,
    bodies: [ball(-1, 0, [5, 0, 0]), ...rack(5)],
    times: [0, 1],
    measure: (scene, [start, end]) => (100 * energy(scene, end)) / energy(scene, start),
  },
  {
    name: 'break-mirror',
    ideal: '0',
    title: 'The same break',
    right: 'both halves stay mirror images',
    column: 'break: mirror error after 1 s',
    unit: 'radii',
    gravity: [0, 0, 0], restitution: 1, friction: 0, duration: 1,
    bodies: [ball(-1, 0, [5, 0, 0]), ...rack(5)],
    times: [1],
    measure: (scene, [end]) => mirrorError(scene, end),
  },
  {
    name: 'bounce',
    ideal: '100',
    title: 'A ball falls 1 m onto the floor with restitution 1, for 20 s',
    right: 'it bounces as high as it fell',
    column: 'bounce: energy kept after 20 s',
    unit: '%',
    gravity: [0, -G, 0], restitution: 1, friction: 0, duration: 20,
    bodies: [floor, ball(0, 1 + R)],
    times: [0, 20],
    measure(scene, [start, end]) {
      const rest = G * R;  // the height at which it lies
      return (100 * (energy(scene, end) - rest)) / (energy(scene, start) - rest);
    },
  },
  {
    name: 'box-energy',
    ideal: '100',
    title: 'A cube falls flat onto the floor from 1 m with restitution 1, without friction, for 10 s',
    right: 'it bounces straight up, as high as it fell',
    column: 'flat box: energy kept after 10 s',
    unit: '%',
    gravity: [0, -G, 0], restitution: 1, friction: 0, duration: 10,
    bodies: [floor, cube(0, 1.5)],
    times: [0, 10],
    measure(scene, [start, end]) {
      const rest = G * 0.5;
      return (100 * (energy(scene, end) - rest)) / (energy(scene, start) - rest);
    },
  },
  {
    name: 'box-tilt',
    ideal: '0',
    title: 'The same cube',
    right: 'it stays flat',
    column: 'flat box: most tilt',
    unit: 'degrees',
    gravity: [0, -G, 0], restitution: 1, friction: 0, duration: 10,
    bodies: [floor, cube(0, 1.5)],
    times: Array.from({ length: 100 }, (_, k) => (k + 1) / 10),
    measure: (scene, states) => Math.max(...states.map((s) => tilt(s.turn[1]))),
  },
  {
    name: 'wall',
    ideal: '0',
    title: 'Eight balls of radius 0.1 at 50 m/s against a wall that is 0.1 thick',
    right: 'none passes',
    column: 'wall: balls that pass, of 8',
    unit: '',
    ...throwAtWall,
  },
  {
    name: 'wall-swept',
    ideal: '0',
    title: 'The same wall, with what the engine has against it switched on',
    right: 'none passes',
    column: 'the same, with continuous detection',
    unit: '',
    swept: true,
    ...throwAtWall,
  },
  {
    name: 'ramp',
    ideal: '0',
    title: 'A cube on a slope of 20 degrees with friction 0.5 (its limit is 26.6 degrees)',
    right: 'it stays where it is',
    column: 'slope: creep in 10 s',
    unit: 'm',
    gravity: [G * sin, -G * cos, 0], restitution: 0, friction: 0.5, duration: 12,
    bodies: [floor, cube(0, 0.5)],
    times: [2, 12],
    measure: (scene, [begin, end]) => norm(difference(end.position[1], begin.position[1])),
  },
  {
    name: 'stack',
    ideal: '0',
    title: 'A tower of ten cubes',
    right: 'it stands',
    column: 'tower of 10: most motion from 10 to 20 s',
    unit: 'm',
    gravity: [0, -G, 0], restitution: 0, friction: 0.5, duration: 20,
    bodies: [floor, ...Array.from({ length: 10 }, (_, k) => cube(0, 0.5 + k))],
    times: [10, 20],
    measure: (scene, [begin, end]) =>
      Math.max(...end.position.map((p, i) => norm(difference(p, begin.position[i])))),
  },
];
