/** A job process next to a server on one database. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createHome, outcome, servingHere, type Home } from '../../test/support/command-line.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../base/clock.ts'
import { openDatabase } from '../db/engines/open.ts'
import { parseDatabaseAddress } from '../db/database-address.ts'
import { memberStatement } from '../db/statement.ts'
import { requireMemberByUsername } from '../members/member.ts'

const CSV = 'First Name,Last Name,Email Address\nGrace,Hopper,grace@example.org\n'

const ATTEMPTS = memberStatement<object, { state: string; attempts: number }>()(
  'select state, attempts from jobs where member_id = :member_id',
)

interface Job {
  readonly state: string
  readonly terminal: boolean
  readonly poll: string
}

test('weft work runs the jobs of weft serve --no-jobs, and stops on SIGTERM', async () => {
  await using home = await createHome({
    WEFT_PORT: String(await freePort()),
    WEFT_LOG_LEVEL: 'error',
  })
  await home.run('member', 'create', '--username', 'ada', '--name', 'Ada Lovelace')
  const created = await home.run('token', 'create', '--member', 'ada', '--name', 'x')
  const token = created.stdout.trim()

  // A server that ends has claimed the jobs that it was going to run.
  const first = await servingHere(home, '--no-jobs')
  const waiting = await ask(first.url, token, '/api/jobs', CSV)
  assert.equal((await first.stop('SIGTERM')).code, 0)
  assert.deepEqual(await attemptsOf(home), { state: 'queued', attempts: 0 })

  const working = home.start(['work'])
  const ended = outcome(working)
  const { stdout } = working
  assert.ok(stdout)
  const [said] = (await once(stdout, 'data')) as [Buffer]
  assert.match(String(said), /^Weft runs jobs from .+, 2 at a time\n$/)
  const serving = await servingHere(home, '--no-jobs')
  const stateOf = async ({ poll }: Job) =>
    until(async () => {
      const { state, terminal } = await ask(serving.url, token, new URL(poll).pathname)
      return terminal && state
    })
  // Only now: while an import waits or runs, starting another returns it.
  assert.equal(await stateOf(waiting), 'succeeded')
  assert.equal(await stateOf(await ask(serving.url, token, '/api/jobs', CSV)), 'succeeded')
  working.kill('SIGTERM')
  const { code, stderr } = await ended
  assert.deepEqual([code, stderr], [0, ''])
  await serving.stop('SIGTERM')
})

/** Starts an import of this file, or reads the job at the path. */
async function ask(url: string, token: string, path: string, content?: string): Promise<Job> {
  const answer = await fetch(new URL(path, url), {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(content !== undefined && {
      method: 'POST',
      body: JSON.stringify({ kind: 'file_import', content }),
    }),
  })
  assert.ok(answer.ok, String(answer.status))
  return (await answer.json()) as Job
}

async function attemptsOf({ address }: Home): Promise<object> {
  const parsed = parseDatabaseAddress(address)
  assert.ok(parsed)
  const { database } = await openDatabase(parsed, { clock: systemClock, searchThreads: 1 })
  await using _closed = database
  const { memberId } = await requireMemberByUsername(database, 'ada')
  return { ...(await database.member(memberId).get(ATTEMPTS, {})) }
}
