/** The batches of a file for an import that saves several in one transaction. */

import { ReadAhead } from '../../base/read-ahead.ts'
import type { ImportRow } from '../model/contact.ts'

type Batch = readonly ImportRow[]

/**
 * Batches per transaction, if no one waits for it. Each changes random pages of the indexes, and after a few, nearly every
 * page of a network of 100,000 people.
 */
const MAX_BATCHES = 8

/**
 * Iterating it yields the batches for one transaction: those that were taken before, in case the transaction is retried, and
 * then those that have been read by now. So a transaction does not wait for the file. A batch with photos, which take
 * memory, is alone.
 */
export class BatchQueue implements AsyncDisposable, Iterable<Batch> {
  readonly #ahead: ReadAhead<Batch>
  readonly #max: number
  readonly #taken: Batch[] = []

  constructor(batches: AsyncGenerator<Batch, void>, max = MAX_BATCHES) {
    this.#ahead = new ReadAhead(batches)
    this.#max = max
  }

  /** The first batch that is not saved, once it has been read; undefined after the last one. */
  async first(): Promise<Batch | undefined> {
    if (this.#taken.length === 0) {
      const batch = await this.#ahead.take()
      if (batch) this.#taken.push(batch)
    }
    return this.#taken[0]
  }

  *[Symbol.iterator](): Generator<Batch, void> {
    const batches = [...this.#taken]
    yield* batches
    for (let batch = this.#next(); batch; batch = this.#next()) yield batch
  }

  /** Removes the first `count` batches, which have been saved. */
  remove(count: number): void {
    this.#taken.splice(0, count)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ahead[Symbol.asyncDispose]()
  }

  #next(): Batch | undefined {
    if (this.#taken.length >= this.#max || this.#taken.some(hasPhotos)) return undefined
    const batch = this.#ahead.takeReady((rows) => this.#taken.length === 0 || !hasPhotos(rows))
    if (batch) this.#taken.push(batch)
    return batch
  }
}

function hasPhotos(rows: Batch): boolean {
  return rows.some((row) => 'contact' in row && row.photo !== undefined)
}
