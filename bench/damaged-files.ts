/**
 * Three files of 100,000 rows of which half are damaged: a LinkedIn CSV, a Google CSV and vCards. Fails if a row is
 * lost or misread. `node bench/damaged-files.ts [ROWS] [SEED]`
 */

import { print } from './support/figures.ts'
import { DAMAGED_FORMATS, damagedFile, readDamaged } from '../test/support/damaged-files.ts'

const [rows = '100000', seed = '14'] = process.argv.slice(2)

for (const format of DAMAGED_FORMATS) {
  const before = process.cpuUsage()
  const { outcomes, problems } = await readDamaged(damagedFile(format, Number(rows), Number(seed)))
  const { user, system } = process.cpuUsage(before)
  const seconds = ((user + system) / 1_000_000).toFixed(1)
  print(
    `${format}: ${rows} rows, ${outcomes.read} read, ${outcomes.rejected} rejected, ` +
      `${outcomes.skipped} skipped, ${problems.length} lost or wrong (${seconds} s of CPU time)`,
  )
  for (const problem of problems.slice(0, 10)) print(`  ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
