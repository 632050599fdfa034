/**
 * Every benchmark in turn, and one table of the results. `npm run bench`, or `node bench/run.ts profile mcp`
 * for some of them. `bench/directory.ts`, `bench/database-size.ts` and `bench/ask.ts` build large directories and are run by
 * themselves.
 */

import { print, printFigures, type Benchmark, type Figure } from './support/figures.ts'
import { machineLine } from './support/machine.ts'

const NAMES = [
  'start',
  'profile',
  'observing',
  'batch',
  'mcp',
  'oauth',
  'import',
  'import-aims',
  'retrieval',
  'search-quality',
  'heavy',
  'large-network',
] as const

const asked = new Set(process.argv.slice(2))
const measured: { title: string; figures: Figure[] }[] = []
print(machineLine())
for (const name of NAMES) {
  if (asked.size > 0 && !asked.has(name)) continue
  print(`measuring ${name} …`)
  const { title, measure } = (await import(`./${name}.ts`)) as Benchmark
  try {
    measured.push({ title, figures: await measure() })
  } catch (error) {
    // A benchmark that cannot run here, for example because a peer is not installed, does not stop the others.
    measured.push({ title, figures: [{ name: 'not measured', value: String(error) }] })
    process.exitCode = 1
  }
}
for (const { title, figures } of measured) printFigures(title, figures)
