/**
 * Runs benchmarks one after the other and prints one table of the results. `npm run bench` runs the usual ones;
 * `node bench/run.ts profile ask` runs those that are named. The others take long, compare with a program that may be
 * missing, or build large databases.
 */

import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { print, printFigures, type Benchmark, type Figure } from './support/figures.ts'
import { machineLine } from './support/machine.ts'

const USUAL = [
  'start',
  'profile',
  'observing',
  'batch',
  'mcp',
  'oauth',
  'import',
  'import-aims',
  'search-quality',
  'heavy',
  'large-network',
]

const known = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'run')
  .toSorted()
const asked = process.argv.slice(2).filter((arg) => /^[a-z]/.test(arg) && known.includes(arg))
if (process.argv.length > 2 && asked.length === 0)
  throw new Error(`Name at least one of: ${known.join(', ')}`)

const measured: { title: string; figures: Figure[] }[] = []
print(machineLine())
for (const name of asked.length > 0 ? asked : USUAL) {
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
