// Reads a CSV file with known columns, such as the other files of LinkedIn's archive.

import { csvScanner } from './csv.ts'

/** Reads a whole CSV file as records by column name. */
export async function* recordsOf(
  text: AsyncIterable<string>,
): AsyncGenerator<ReadonlyMap<string, string>> {
  const scanner = csvScanner({ delimiter: ',', columns: 0, line: 1 })
  let names: readonly string[] | null = null
  const named = (cells: readonly string[]) =>
    new Map((names ?? []).map((name, at) => [name, cells[at] ?? '']))
  for await (const block of text)
    for (const { cells } of scanner.push(block, false)) {
      if (names === null) names = cells.map((cell) => cell.trim().toLowerCase())
      else yield named(cells)
    }
  for (const { cells } of scanner.push('', true)) if (names !== null) yield named(cells)
}
