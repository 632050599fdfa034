/**
 * Numbers terms in the order in which they are first seen. A hash table in typed arrays: with hundreds of thousands of terms,
 * a `Map` takes about twice as long, because each lookup reads more memory.
 */
export class TermNumbers {
  /** By number. */
  readonly terms: string[] = []
  /** Numbers by hash, with linear probing; `NONE` for empty slots. At most half of them are used. */
  #slots = new Int32Array(2 * MIN_TERMS).fill(NONE)
  /** By number. */
  #hashes = new Int32Array(MIN_TERMS)
  /** Random, so that no one can choose terms that share a slot. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 0

  numberOf(term: string): number {
    const hash = this.#hashOf(term)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const number = this.#slots[slot] ?? NONE
      if (number === NONE) return this.#add(term, hash, slot)
      if (this.#hashes[number] === hash && this.terms[number] === term) return number
      slot = (slot + 1) & mask
    }
  }

  #hashOf(term: string): number {
    let hash = this.#seed
    for (let at = 0; at < term.length; at += 1)
      hash = Math.imul(hash ^ term.charCodeAt(at), 0x9e3779b1)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    return hash ^ (hash >>> 13)
  }

  #add(term: string, hash: number, slot: number): number {
    const number = this.terms.length
    this.#slots[slot] = number
    this.#hashes[number] = hash
    this.terms.push(term)
    if (this.terms.length === this.#hashes.length) this.#grow()
    return number
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length)
    hashes.set(this.#hashes)
    const slots = new Int32Array(2 * this.#slots.length).fill(NONE)
    for (let number = 0; number < this.terms.length; number += 1) {
      let slot = (hashes[number] ?? 0) & (slots.length - 1)
      while (slots[slot] !== NONE) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number
    }
    this.#hashes = hashes
    this.#slots = slots
  }
}

const NONE = -1
/** A power of two. */
const MIN_TERMS = 1024
