// One camera for all runs, so that they are seen alike. Each cell of the stage has its own controls;
// all of them turn this camera about the same target.

import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const kFieldOfView = 35; // degrees
const kMargin = 1.1;

export class SharedCamera {
  /** `halves`: {most, all}, half the extents of what is to be seen around the origin, m. */
  constructor(inSpace, halves, up, onMove) {
    this.inSpace = inSpace;
    this.halves = halves;
    this.half = halves.most;
    this.up = new Vector3(...up);
    this.onMove = onMove;
    this.target = new Vector3();
    this.aspect = 1;
    this.controls = [];
    this.camera = inSpace ? new PerspectiveCamera(kFieldOfView) : new OrthographicCamera();
    this.camera.up.copy(inSpace ? this.up : new Vector3(0, 1, 0));
  }

  attach(element) {
    const controls = new OrbitControls(this.camera, element);
    controls.target = this.target;
    controls.zoomToCursor = !this.inSpace;
    if (!this.inSpace) {
      controls.enableRotate = false;
      controls.screenSpacePanning = true;
      controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    controls.addEventListener("change", this.onMove);
    this.controls.push(controls);
  }

  /** `width`, `height`: of one cell. Keeps what is seen. */
  resize(width, height) {
    this.aspect = width / height;
    if (this.inSpace) {
      this.camera.aspect = this.aspect;
    } else {
      this.frame();
    }
    this.camera.updateProjectionMatrix();
  }

  // The smallest frame of the cell's shape around everything.
  frame() {
    const height = kMargin * Math.max(this.half[1], this.half[0] / this.aspect);
    Object.assign(this.camera, {
      left: -height * this.aspect, right: height * this.aspect, top: height, bottom: -height,
    });
  }

  /** `what`: "most", or "all" with what has flown off. */
  fit(what = "most") { this.fitBox(this.halves[what], [0, 0, 0]); }

  /** Shows a box: half its extents and its middle, as seen from the origin, m. */
  fitBox(half, middle) {
    this.half = half;
    this.target.set(...middle);
    const radius = Math.hypot(...half) || 1;
    if (this.inSpace) {
      this.fitInSpace(radius);
    } else {
      this.camera.zoom = 1;
      this.camera.position.set(middle[0], middle[1], 10 * radius);
      Object.assign(this.camera, { near: 0, far: 20 * radius });
      this.frame();
    }
    this.camera.updateProjectionMatrix();
    for (const controls of this.controls) controls.update();
    this.onMove();
  }

  fitInSpace(radius) {
    const vertical = Math.tan((kFieldOfView * Math.PI) / 360);
    const distance = radius / Math.sin(Math.atan(vertical * Math.min(1, this.aspect)));
    const side = Math.abs(this.up.z) > 0.5 ? new Vector3(0.55, -1, 0) : new Vector3(0.55, 0, 1);
    side.addScaledVector(this.up, -side.dot(this.up)).normalize();
    const direction = side.addScaledVector(this.up, 0.45).normalize();
    this.camera.position.copy(direction.multiplyScalar(distance)).add(this.target);
    Object.assign(this.camera, { near: distance / 1000, far: 100 * distance });
    this.camera.lookAt(this.target);
  }

  /** Goes round the target, about what points up; rad. */
  turn(angle) {
    this.camera.position.sub(this.target).applyAxisAngle(this.up, angle).add(this.target);
    for (const controls of this.controls) controls.update();
    this.onMove();
  }

  dispose() {
    for (const controls of this.controls) controls.dispose();
  }

  /** What is seen, to be seen again by another camera of the same kind. */
  look() {
    const { camera, target } = this;
    const { near, far } = camera;
    return { position: camera.position.toArray(), zoom: camera.zoom, target: target.toArray(), half: [...this.half], near, far };
  }

  lookAs({ position, zoom, target, half, near, far }) {
    this.half = half;
    Object.assign(this.camera, { zoom, near, far });
    if (!this.inSpace) this.frame();
    this.camera.position.fromArray(position);
    this.target.fromArray(target);
    this.camera.updateProjectionMatrix();
    for (const controls of this.controls) controls.update();
  }

  /** World units per pixel of a cell of this height; in space at distance 1 from the eye. */
  pixel(height) {
    if (this.inSpace) return (2 * Math.tan((kFieldOfView * Math.PI) / 360)) / this.camera.zoom / height;
    return (this.camera.top - this.camera.bottom) / this.camera.zoom / height;
  }
}
