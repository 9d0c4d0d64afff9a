/**
 * Vectors as they are stored: 32-bit floats, little-endian, of length one.
 *
 * @module
 */

/** The bytes of a vector. */
export function toBytes(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, at) => view.setFloat32(at * 4, value, true));
  return new Uint8Array(view.buffer);
}

/** The vector of stored bytes; `null` when they are none: of another kind or size, not finite, or not of length one. */
export function fromBytes(bytes: unknown): Float32Array | null {
  if (!(bytes instanceof ArrayBuffer) || bytes.byteLength === 0 || bytes.byteLength % 4 !== 0) return null;
  const view = new DataView(bytes);
  const vector = new Float32Array(bytes.byteLength / 4);
  let sum = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = view.getFloat32(at * 4, true);
    vector[at] = value;
    sum += value * value;
  }
  return Math.abs(sum - 1) < 0.01 ? vector : null;
}
