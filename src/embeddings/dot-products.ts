/** Multiplies the vector of a question with stored vectors: several times as fast as a loop in JavaScript. */

import { lazy } from '../base/lazy.ts'

/** `dot-products.wat`, compiled. */
const MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcVAgZtZW1vcnkCAAhtdWx0aXBseQAACqcBAaQBAgF/AnsDQP0MAAAAAAAAAAAAAAAA' +
  'AAAAACEHQQAhBQNAIAEgBWr9AAAAIQYgByAG/YcBIAAgBUEBdGr9AAQA/boBIAb9iAEgACAFQQF0av0ABBD9ugH9rgH9rgEhByAFQRBq' +
  'IQUgBSADSQ0ACyAEIAf9GwAgB/0bAWogB/0bAiAH/RsDamo2AgAgASADaiEBIARBBGohBCACQQFrIQIgAg0ACws='

/** A global that the types of Node do not have. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly multiply: (
    question: number,
    vectors: number,
    count: number,
    dimensions: number,
    products: number,
  ) => void
}

/** The instance of this thread. A call never yields, so all calls share its memory. */
const compiled = lazy((): Exports => {
  const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(Buffer.from(MODULE, 'base64')),
  )
  // The module exports these.
  return exports as Exports
})

/** Components that are read at a time. */
const LANES = 16
const PAGE_BYTES = 65_536

/** The vector of a question with 16 bits per component. */
export interface QueryVector {
  readonly dimensions: number
  /** With zeros up to a multiple of 16. */
  readonly components: Int16Array
  /** The factor that gives the components their original size. */
  readonly unit: number
}

/** Rounds the components so that no product with a stored vector exceeds 32 bits. */
export function queryVectorOf(vector: Float32Array): QueryVector {
  const dimensions = vector.length
  let [largest, sum] = [0, 0]
  for (const component of vector) {
    largest = Math.max(largest, Math.abs(component))
    sum += Math.abs(component)
  }
  const factor = Math.min(0x7fff / largest, 0x7fffffff / (0x80 * sum + dimensions))
  const components = new Int16Array(Math.ceil(dimensions / LANES) * LANES)
  for (const [at, component] of vector.entries()) components[at] = Math.trunc(component * factor)
  return { dimensions, components, unit: 1 / factor }
}

/** The products of a question with each of these vectors, one after another, in units of `question.unit`. Valid until the next call. */
export function dotProducts(question: QueryVector, vectors: Int8Array): Int32Array {
  const { dimensions, components } = question
  const count = vectors.length / dimensions
  const { memory, multiply } = compiled()
  const start = components.byteLength
  const products = Math.ceil((start + vectors.length + LANES) / LANES) * LANES
  const missing = products + 4 * count - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
  new Int16Array(memory.buffer).set(components)
  new Int8Array(memory.buffer).set(vectors, start)
  if (count > 0) multiply(0, start, count, dimensions, products)
  return new Int32Array(memory.buffer, products, count)
}
