/** A job process next to a server process: real processes on one database. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runWeft } from '../../test/support/in-process.ts'
import { freePort } from '../../test/support/service.ts'
import { createDatabaseLocation, TEST_ENGINE } from '../../test/support/store.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const CSV = 'First Name,Last Name,Email Address\nGrace,Hopper,grace@example.org\n'

type Weft = (...args: string[]) => ChildProcess

interface WeftOn {
  readonly weft: Weft
  /** The output of a command that must succeed, run in this process. */
  readonly printed: (...args: string[]) => Promise<string>
  readonly url: string
}

async function weftOn(address: string, folder: string): Promise<WeftOn> {
  const port = await freePort()
  const env = { WEFT_DATABASE: address, WEFT_PORT: String(port), WEFT_LOG_LEVEL: 'error' }
  const weft: Weft = (...args) =>
    spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const printed = async (...args: string[]) => {
    const { code, stdout } = await runWeft(env, args)
    assert.equal(code, 0)
    return stdout
  }
  return { weft, printed, url: `http://127.0.0.1:${port}` }
}

/** The first output, printed when the process is ready. */
async function ready(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return chunk.toString()
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
}

interface Job {
  readonly state: string
  readonly terminal: boolean
  readonly poll: string
}

test('weft work runs the jobs of weft serve --no-jobs, and stops on SIGTERM', async () => {
  await using location = await createDatabaseLocation()
  const { weft, printed, url } = await weftOn(location.address, location.folder)
  const serving = weft('serve', '--no-jobs')
  await ready(serving)
  await printed('member', 'create', '--username', 'ada', '--name', 'Ada Lovelace')
  const token = (await printed('token', 'create', '--member', 'ada', '--name', 'x')).trim()
  const ask = async (path: string, body?: unknown): Promise<Job> => {
    const answer = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, String(answer.status))
    return (await answer.json()) as Job
  }

  const made = await ask('/api/jobs', { kind: 'file_import', content: CSV })
  await sleep(500)
  assert.equal((await ask(made.poll)).state, 'queued')
  const working = weft('work')
  assert.match(await ready(working), /^Weft runs jobs from .+, 2 at a time\n$/)
  const first = await untilEnded(() => ask(made.poll))
  assert.equal(first.state, 'succeeded')

  const began = performance.now()
  const again = await ask('/api/jobs', { kind: 'file_import', content: CSV })
  assert.equal((await untilEnded(() => ask(again.poll))).state, 'succeeded')
  // PostgreSQL notifies the worker; on SQLite, a worker in another process polls.
  if (TEST_ENGINE === 'postgres') assert.ok(performance.now() - began < 4500)
  await Promise.all([stop(working), stop(serving)])
})

async function untilEnded(look: () => Promise<Job>): Promise<Job> {
  for (;;) {
    const job = await look()
    if (job.terminal) return job
    await sleep(20)
  }
}
