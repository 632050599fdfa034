/**
 * Rows per second of the file readers alone, on 100,000 clean and 100,000 damaged rows each. Checks that no row is lost.
 * `node bench/formats.ts`
 */

import { googleCsv, linkedinCsv, vcards } from '../test/support/invented.ts'
import { openContactFile } from '../src/contact-files/read-contacts.ts'
import { machineLine } from './support/machine.ts'
import { count, print, printFigures, type Figure } from './support/figures.ts'

const ROWS = 100_000
const SEED = 14
const CHUNK_BYTES = 256 * 1024

export const title = 'reading contact files, without storing them: rows per second of CPU time'

export async function measure(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, text] of [
    ['LinkedIn CSV', linkedinCsv(ROWS, SEED)],
    ['Google CSV', googleCsv(ROWS, SEED)],
    ['vCard 3.0', vcards(ROWS, SEED, '3.0')],
  ] as const) {
    const file = Buffer.from([...text].join(''))
    figures.push(await figureOf(name, file), await figureOf(`${name}, damaged`, damaged(file)))
  }
  return figures
}

interface Counts {
  contacts: number
  rejected: number
  skipped: number
}

async function figureOf(name: string, file: Buffer): Promise<Figure> {
  const before = process.cpuUsage()
  const counts = await read(file)
  const { user, system } = process.cpuUsage(before)
  const rows = counts.contacts + counts.rejected + counts.skipped
  // Damage can join or split rows, but nearly all of them remain readable.
  if (rows < ROWS * 0.97 || counts.contacts < ROWS * 0.9)
    throw new Error(`${name}: ${JSON.stringify(counts)} of ${ROWS} rows`)
  return {
    name: `${name}, ${count(ROWS)} rows`,
    value: `${count(rows / ((user + system) / 1e6))} rows/s`,
    ratio: `${count(counts.rejected)} rejected`,
  }
}

async function read(file: Buffer): Promise<Counts> {
  const counts = { contacts: 0, rejected: 0, skipped: 0 }
  const { rowBatches } = await openContactFile(chunksOf(file))
  for await (const batch of rowBatches)
    for (const row of batch)
      counts['contact' in row ? 'contacts' : 'rejected' in row ? 'rejected' : 'skipped']++
  return counts
}

async function* chunksOf(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += CHUNK_BYTES) yield file.subarray(at, at + CHUNK_BYTES)
}

/** Every 200th line is cut, gets a stray quotation mark or a control character, or loses its separators. */
function damaged(file: Buffer): Buffer {
  const lines = file.toString().split('\n')
  for (let at = 200; at < lines.length; at += 200) {
    const line = lines[at] ?? ''
    if (/^(?:BEGIN|END)/i.test(line)) continue
    const kinds = [
      line.slice(0, line.length / 2),
      line.replace(',', ',"'),
      `${line.slice(0, 5)}\u0000\u0007${line.slice(5)}`,
      line.replaceAll(/[,:]/g, ''),
    ]
    lines[at] = kinds[(at / 200) % kinds.length] ?? line
  }
  return Buffer.from(lines.join('\n'))
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
