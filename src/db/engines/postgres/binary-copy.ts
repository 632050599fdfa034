/**
 * Reads rows with large values by COPY in binary format. `pg` reads other results as text, in which a byte of bytea takes
 * two hexadecimal digits.
 */

import type { BinaryColumns } from '../../statement.ts'

/** COPY takes no parameters, so they are written into the text. Only whole numbers can be. */
export function copyText(text: string, values: readonly unknown[]): string {
  const query = text.replace(/\$(\d+)/g, (_, number: string) => {
    const value = values[Number(number) - 1]
    if (!Number.isSafeInteger(value)) throw new TypeError('COPY takes only whole numbers')
    return `(${String(value)})`
  })
  return `copy (${query}) to stdout (format binary)`
}

export type BinaryRow = Record<string, number | Uint8Array>

/**
 * Reads the messages of one COPY (PostgreSQL, COPY, “Binary Format”). The server never divides a row between messages. The
 * bytes of a row are views of its message: `pg` reuses the memory.
 */
export class BinaryRows {
  /** Why a message could not be read. */
  failure: Error | undefined
  readonly #columns: readonly (readonly [name: string, type: BinaryColumns[string]])[]
  readonly #onRow: (row: BinaryRow) => void
  #isStarted = false

  constructor(columns: BinaryColumns, onRow: (row: BinaryRow) => void) {
    this.#columns = Object.entries(columns)
    this.#onRow = onRow
  }

  /** Does not throw, because `pg` calls it while it reads from the socket. */
  add(message: Buffer): void {
    try {
      this.#read(message)
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  #read(message: Buffer): void {
    let at = this.#isStarted ? 0 : HEADER_BYTES + message.readUInt32BE(HEADER_BYTES - 4)
    this.#isStarted = true
    while (at < message.length) {
      const fields = message.readInt16BE(at)
      at += 2
      if (fields === END) return
      if (fields !== this.#columns.length) throw new Error(`COPY returned ${fields} columns`)
      const row: BinaryRow = {}
      for (const [name, type] of this.#columns) {
        const length = message.readInt32BE(at)
        if (length < 0) throw new Error(`COPY returned null in ${name}`)
        at += 4
        row[name] =
          type === 'bytes'
            ? new Uint8Array(message.buffer, message.byteOffset + at, length)
            : Number(message.readBigInt64BE(at))
        at += length
      }
      this.#onRow(row)
    }
  }
}

/** The signature, the flags, and the length of an extension. */
const HEADER_BYTES = 19
/** Instead of a number of columns. */
const END = -1
