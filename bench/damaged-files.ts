/**
 * Three files of 100,000 rows of which half are damaged: a LinkedIn CSV, a Google CSV and vCards. No row may be lost or
 * misread. `node bench/damaged-files.ts [ROWS] [SEED]`
 */

import { count, print, printFigures, type Figure } from './support/figures.ts'
import { DAMAGED_FORMATS, damagedFile, readDamaged } from '../test/support/damaged-files.ts'

export const title = 'damaged contact files: rows that are lost or misread'

export async function measure(): Promise<Figure[]> {
  const [rows = 100_000, seed = 14] = process.argv.slice(2).map(Number).filter(Number.isInteger)
  const figures: Figure[] = []
  for (const format of DAMAGED_FORMATS) {
    const before = process.cpuUsage()
    const { outcomes, problems } = await readDamaged(damagedFile(format, rows, seed))
    const { user, system } = process.cpuUsage(before)
    for (const problem of problems.slice(0, 10)) print(`  ${problem}`)
    figures.push({
      name: `${format}, ${count(rows)} rows`,
      value: `${problems.length} lost or misread`,
      ratio: `${count(outcomes.read)} read, ${count(outcomes.rejected)} rejected, ${count(outcomes.skipped)} skipped, ${((user + system) / 1e6).toFixed(1)} s of CPU time`,
      aim: '0',
    })
  }
  return figures
}

if (import.meta.main) printFigures(title, await measure())
