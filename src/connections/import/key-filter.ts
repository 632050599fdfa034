/** A set of 32-bit hashes of matching keys: 5 to 11 bytes per key. One in thousands of other keys seems to be in it. */

const MIN_SLOTS = 1024

export class KeyFilter {
  /** Open addressing: a hash is in its own slot or the first free one after it. 0 is a free slot. */
  #slots = new Uint32Array(MIN_SLOTS)
  #size = 0

  /** True for every key that was added, and rarely for another. */
  mayHave(key: string): boolean {
    return this.#slots[slotOf(this.#slots, hashOf(key))] !== 0
  }

  add(key: string): void {
    this.#addHash(hashOf(key))
  }

  /** Keys separated by spaces. */
  addAll(keys: string): void {
    for (let from = 0; from < keys.length;) {
      const space = keys.indexOf(' ', from)
      const end = space === -1 ? keys.length : space
      this.#addHash(hashOf(keys, from, end))
      from = end + 1
    }
  }

  #addHash(hash: number): void {
    const slot = slotOf(this.#slots, hash)
    if (this.#slots[slot] === hash) return
    this.#slots[slot] = hash
    this.#size += 1
    if (this.#size * 4 > this.#slots.length * 3) this.#grow()
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    for (const hash of this.#slots) if (hash !== 0) slots[slotOf(slots, hash)] = hash
    this.#slots = slots
  }
}

/** The slot that has this hash, or the free one where it belongs. */
function slotOf(slots: Uint32Array, hash: number): number {
  const mask = slots.length - 1
  let slot = hash & mask
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask
  return slot
}

/** FNV-1a, of a part of the text. */
function hashOf(text: string, from = 0, end = text.length): number {
  let hash = 0x811c9dc5
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash ^= hash >>> 15 // the lowest bits choose the slot
  return hash >>> 0 || 1
}
