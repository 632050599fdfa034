/**
 * Rows per second and memory of `weft import`. bench/import-aims.ts measures a running service beside an import.
 * `node bench/import.ts`
 */

import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { googleCsv, linkedinCsv, vcards } from '../test/support/invented.ts'
import { finished, machineLine, memoryOf, temporaryFolder } from './support/machine.ts'
import { count, median, print, printFigures, type Figure } from './support/figures.ts'
import { startWeft, weft, type Settings } from './support/weft.ts'

const ROUNDS = 3
const SEED = 33
const MAX_MEGABYTES = 50

export const title = 'weft import as a separate process: rows/s from start to exit'

interface Case {
  readonly name: string
  readonly rows: number
  readonly file: string
  readonly fresh: Run[]
  readonly again: Run[]
}

interface Run {
  readonly perSecond: number
  /** The job alone, without starting Node or copying the file into the database. */
  readonly jobPerSecond: number
  readonly megabytes: number
}

export async function measure(): Promise<Figure[]> {
  await using folder = await temporaryFolder()
  const cases = [
    await writeCase(folder.path, 'LinkedIn CSV', 10_000, linkedinCsv(10_000, SEED)),
    await writeCase(folder.path, 'LinkedIn CSV', 200_000, linkedinCsv(200_000, SEED)),
    await writeCase(folder.path, 'Google CSV', 10_000, googleCsv(10_000, SEED)),
    await writeCase(folder.path, 'vCard 3.0', 10_000, vcards(10_000, SEED, '3.0')),
  ]
  for (let round = 0; round < ROUNDS; round++)
    for (const [nth, { rows, file, fresh, again }] of cases.entries()) {
      const settings = { folder: folder.path, database: `round-${round}-${nth}.db` }
      await weft(settings, 'member', 'create', '--username', 'ada', '--name', 'Ada Lovelace')
      fresh.push(await importOnce(settings, file, rows, 'created'))
      again.push(await importOnce(settings, file, rows, 'unchanged'))
    }
  return figuresOf(cases)
}

async function writeCase(
  folder: string,
  name: string,
  rows: number,
  text: Iterable<string>,
): Promise<Case> {
  const file = join(folder, `${name}-${rows}`.replaceAll(' ', '-'))
  await writeFile(file, text)
  const megabytes = (await stat(file)).size / 1024 / 1024
  if (megabytes > MAX_MEGABYTES) throw new Error(`${file} has ${megabytes} MB, too many to import`)
  return {
    name: `${name}, ${count(rows)} rows, ${megabytes.toFixed(1)} MB`,
    rows,
    file,
    fresh: [],
    again: [],
  }
}

type ReportCounts = Record<'rows' | 'created' | 'updated' | 'unchanged' | 'rejected_count', number>

async function importOnce(
  settings: Settings,
  file: string,
  rows: number,
  expected: 'created' | 'unchanged',
): Promise<Run> {
  const started = performance.now()
  const child = startWeft('any', settings, ['import', file, '--member', 'ada', '--json'])
  // The process is taskset until it executes Node, so early values are too low and do not matter for the maximum.
  let megabytes = 0
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, memoryOf(child.pid, 'VmHWM') || 0)
  }, 10)
  const { code, stdout, stderr } = await finished(child)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  if (code !== 0) throw new Error(`the import failed: ${stderr}`)
  const told = JSON.parse(stdout) as ReportCounts
  // A few invented people are so similar that the import merges them.
  if (told.rows !== rows || told.rejected_count > 0 || told[expected] < rows * 0.97)
    throw new Error(`not the expected import: ${stdout}`)
  return { perSecond: rows / seconds, jobPerSecond: rows / jobSeconds(settings), megabytes }
}

/** The duration of the newest job, in seconds. */
function jobSeconds({ folder, database = 'weft.db' }: Settings): number {
  using store = new DatabaseSync(join(folder, database), { readOnly: true })
  const row = store
    .prepare('select finished_at - started_at as took from jobs order by finished_at desc limit 1')
    .get() as { took: number } | undefined
  return (row?.took ?? Number.NaN) / 1000
}

function figuresOf(cases: readonly Case[]): Figure[] {
  const [small, large] = cases
  return [
    ...cases.flatMap(({ name, fresh, again }) => [
      figureOf(`${name}: new`, fresh, 'aim 20,000 rows/s'),
      figureOf(`${name}: the same again`, again, 'aim 20,000 rows/s'),
    ]),
    {
      name: 'memory, 20 times the rows',
      value: `${(megabytesOf(large?.fresh) - megabytesOf(small?.fresh)).toFixed(0)} MB more`,
      ratio: `${(megabytesOf(large?.fresh) / megabytesOf(small?.fresh)).toFixed(2)} times`,
      aim: 'aim: constant',
    },
  ]
}

function figureOf(name: string, runs: readonly Run[], aim: string): Figure {
  const job = median(runs.map(({ jobPerSecond }) => jobPerSecond))
  return {
    name,
    value: `${count(median(runs.map(({ perSecond }) => perSecond)))} rows/s (the job alone ${count(job)})`,
    ratio: `${megabytesOf(runs).toFixed(0)} MB at most`,
    aim,
  }
}

function megabytesOf(runs: readonly Run[] = []): number {
  return median(runs.map(({ megabytes }) => megabytes))
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
