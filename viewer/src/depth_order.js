// Spheres from the farthest to the nearest, so that the smoothed edge of each is drawn over what lies
// behind it.

const kBits = 11;
const kBuckets = 1 << kBits;
const kPasses = 3; // cover the 32 bits of a key

export class DepthOrder {
  constructor(count) {
    this.keys = new Float32Array(count);
    this.bits = new Uint32Array(this.keys.buffer);
    this.order = new Uint32Array(count);
    this.spare = new Uint32Array(count);
    this.starts = new Uint32Array(kBuckets);
  }

  /**
   * `centres`: three numbers every `stride`; `eye`: three numbers. The order is that of the powers
   * distance² - radius² of the eye: between two spheres that do not overlap lies the plane of equal
   * powers, so the one of smaller power is never behind the other, whatever their radii.
   */
  update(centres, stride, radii, eye) {
    const { keys, order } = this;
    for (let k = 0; k < keys.length; ++k) {
      const x = centres[stride * k] - eye[0];
      const y = centres[stride * k + 1] - eye[1];
      const z = centres[stride * k + 2] - eye[2];
      keys[k] = Math.max(0, x * x + y * y + z * z - radii[k] * radii[k]);
      order[k] = k;
    }
    for (let pass = 0; pass < kPasses; ++pass) this.sortBy(kBits * pass);
    return this.order;
  }

  // One pass of a radix sort, largest digits first; what is equal keeps its order. Floating-point numbers
  // that are not negative are ordered as their bits are.
  sortBy(shift) {
    const { bits, order, spare, starts } = this;
    starts.fill(0);
    for (let k = 0; k < order.length; ++k) ++starts[(bits[k] >>> shift) & (kBuckets - 1)];
    let sum = 0;
    for (let bucket = kBuckets - 1; bucket >= 0; --bucket) {
      const here = starts[bucket];
      starts[bucket] = sum;
      sum += here;
    }
    for (let k = 0; k < order.length; ++k) {
      spare[starts[(bits[order[k]] >>> shift) & (kBuckets - 1)]++] = order[k];
    }
    [this.order, this.spare] = [spare, order];
  }
}
