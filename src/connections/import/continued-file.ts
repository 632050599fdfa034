/** A file whose first rows are read on the main thread, and the rest in a thread once that is worth its start. */

import { oneByOne, type ContactFile } from './formats/contact-file.ts'
import type { ImportRow } from '../model/contact.ts'

/** Rows that the main thread reads and imports while the thread starts and skips to the rows after them. */
const ROWS_MEANWHILE = 2048

type DisposableFile = ContactFile & AsyncDisposable

/** `openRest` of the constructor opens the same file again, for the rows after row `done`. */
export class ContinuedFile implements AsyncDisposable {
  /** All rows, in order. */
  readonly file: ContactFile
  readonly #first: ContactFile
  readonly #open: (done: number) => Promise<DisposableFile>
  readonly #meanwhile: number
  #rest: Promise<DisposableFile> | undefined
  #columns: ContactFile['columns']
  /** The last row so far. */
  #row = 0
  /** The last row before the rest. */
  #end = Number.POSITIVE_INFINITY

  constructor(
    first: ContactFile,
    openRest: (done: number) => Promise<DisposableFile>,
    meanwhile = ROWS_MEANWHILE,
  ) {
    this.#first = first
    this.#open = openRest
    this.#meanwhile = meanwhile
    this.#columns = first.columns
    const rowBatches = this.#rowBatches()
    this.file = {
      ...first,
      columns: () => this.#columns(),
      rowBatches,
      rows: oneByOne(rowBatches),
    }
  }

  /** Opens the rest of the file. An error of it is thrown after the rows before. */
  openRest(): void {
    if (this.#rest) return
    this.#end = this.#row + this.#meanwhile
    this.#rest = this.#open(this.#end)
    this.#rest.catch(() => {})
  }

  async *#rowBatches(): AsyncGenerator<ImportRow[], void> {
    let isCut = false
    for await (const batch of this.#first.rowBatches) {
      const rows = batch.filter(({ row }) => row <= this.#end)
      this.#row = rows.at(-1)?.row ?? this.#row
      if (rows.length > 0) yield rows
      isCut = rows.length < batch.length
      if (isCut) break
    }
    if (isCut) yield* this.#rowsOfRest()
  }

  async *#rowsOfRest(): AsyncGenerator<ImportRow[], void> {
    const rest = await this.#rest
    if (!rest) return
    this.#columns = rest.columns
    yield* rest.rowBatches
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const rest = await this.#rest?.catch(() => undefined)
    await rest?.[Symbol.asyncDispose]()
  }
}
