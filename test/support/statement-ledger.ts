/**
 * Records the text of each SQL statement that a test process and its threads run. `--import` loads this file into them, and
 * WEFT_TEST_LEDGER names the folder of the records.
 */

import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, pid } from 'node:process'
import { threadId } from 'node:worker_threads'

const ledger = env['WEFT_TEST_LEDGER']
if (ledger !== undefined && env['WEFT_TEST_PASS'] !== undefined) await record(ledger)

/** Both engines prepare each statement by its text just before they run it. */
async function record(into: string): Promise<void> {
  const known = new Set<string>()
  const { prototype } = await preparingClass()
  // oxlint-disable-next-line typescript/unbound-method -- called with the object of each call
  const { prepare } = prototype
  const file = join(into, `${env['WEFT_TEST_ENGINE']}-${pid}-${threadId}`)
  prototype.prepare = function (text) {
    if (!known.has(text)) {
      known.add(text)
      appendFileSync(file, `${JSON.stringify(text)}\n`)
    }
    return prepare.call(this, text)
  }
}

interface Preparing {
  readonly prototype: { prepare(text: string): unknown }
}

async function preparingClass(): Promise<Preparing> {
  if (env['WEFT_TEST_ENGINE'] !== 'postgres')
    return (await import('../../src/db/engines/sqlite/sqlite-connection.ts')).SqliteConnection
  return (await import('../../src/db/engines/postgres/prepared.ts')).PreparedStatements
}

/** The texts that processes recorded in a folder. */
export function readLedger(folder: string, engine: string): Set<string> {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${engine}-`))
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return new Set(lines.filter(Boolean).map((line) => JSON.parse(line) as string))
}
