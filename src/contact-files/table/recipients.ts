// Recipients as mail programs write them: `Ann Lee <ann@lee.example>, "Poe, Ben" <ben@poe.example>`. They are a table.

import type { CsvRecord } from './csv.ts'

/** Whether the start of a text has nothing but recipients, and at least one name. */
export function holdsRecipients(head: string): boolean {
  if (!head.includes('<')) return false
  const items = itemsIn(head)
  const whole = items.length > 1 && head.length > MIN_BLOCK_LENGTH ? items.slice(0, -1) : items
  const read = whole.map(recipientOf)
  return read.every((one) => one !== null) && read.some((one) => one?.name !== '')
}

const MIN_BLOCK_LENGTH = 10_000 // characters: the last recipient of a longer start can be incomplete

/** The recipients as records of a name and an email, in a batch per block. */
export async function* recipientRecords(
  blocks: AsyncIterable<string>,
): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  const items = new Items()
  let line = 0
  const recordOf = (item: string): CsvRecord => {
    const { name, address } = recipientOf(item) ?? { name: '', address: item }
    return { line: ++line, cells: [name, address] }
  }
  for await (const block of blocks) yield items.split(block).map(recordOf)
  yield items.split('\n').map(recordOf)
}

/** The parts between commas, semicolons and line breaks. Commas and semicolons in quotation marks are not between parts. */
function itemsIn(text: string): readonly string[] {
  return new Items().split(`${text}\n`)
}

/** Splits a text that comes in blocks. */
class Items {
  /** The start of a part whose end is in a later block. */
  #rest = ''
  #isQuoted = false

  /** The parts that end in this block. */
  split(block: string): readonly string[] {
    const items: string[] = []
    let from = 0
    for (let at = 0; at < block.length; at++) {
      const character = block[at] ?? ''
      if (character === '"') this.#isQuoted = !this.#isQuoted
      const isBreak = character === '\n' || character === '\r'
      if (!isBreak && (this.#isQuoted || !SEPARATORS.has(character))) continue
      if (isBreak) this.#isQuoted = false
      const item = (this.#rest + block.slice(from, at)).trim()
      if (item !== '') items.push(item)
      this.#rest = ''
      from = at + 1
    }
    this.#rest += block.slice(from)
    if (this.#rest.length > MAX_ITEM_LENGTH) items.push(...this.split('\n'))
    return items
  }
}

/** Characters. After an unpaired quotation mark, the rest of the file would be one part. */
const MAX_ITEM_LENGTH = 10_000

const SEPARATORS: ReadonlySet<string> = new Set([',', ';'])

interface Recipient {
  readonly name: string
  readonly address: string
}

function recipientOf(item: string): Recipient | null {
  const open = item.endsWith('>') ? item.lastIndexOf('<') : -1
  const address = open === -1 ? item : item.slice(open + 1, -1)
  if (!ADDRESS.test(address) || item.startsWith('alias ')) return null // the address book of mutt
  const name = item.slice(0, Math.max(open, 0)).trim()
  return { name: /^"[^"]*"$/.test(name) ? name.slice(1, -1) : name, address }
}

const ADDRESS = /^[^\s<>",;@]+@[^\s<>",;@]+$/
